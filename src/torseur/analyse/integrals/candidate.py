"""A quantity that may be constant in every motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from torseur.algebra.core.expr import Expr


@final
@dataclass(frozen=True)
class Candidate:
    """A quantity, and whether the condition under which it is constant is seen to hold."""

    name: str
    kind: str
    value: Expr
    unit: str
    why: str
    proved: Callable[[], bool]
    unless: tuple[str, ...] = ()  # names of integrals that make this one idle
