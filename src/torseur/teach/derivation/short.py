"""Equations whose formulas are made short before they are combined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from torseur.equations.equations import Equations
from torseur.equations.given_rows import GivenConstraints


def shortened(given: Equations, read: Callable[[Any], Any]) -> Equations:
    """The same equations and constraints, each formula as it is best read."""
    held = given.constraints
    made = GivenConstraints(
        held.owners,
        held.positions,
        held.gap,
        read(held.J),
        read(held.rate),
        read(held.bias),
        held.coordinate_rates,
        held.joint_gaps,
    )
    M, h, g, Q = (read(x) for x in (given.M, given.h, given.g, given.Q))
    return replace(given, M=M, h=h, g=g, Q=Q, held=made)
