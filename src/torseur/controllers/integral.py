"""Integrals of errors from sample to sample, which stop where the command is at its limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import final

import numpy as np

from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.rules import choice, clipped, larger
from torseur.errors import ModelError, unknown
from torseur.words.sentence import say

Array = np.ndarray
Limits = float | tuple[float, float]
_LAST = symbol("t_last", "input")
CLOCK = {_LAST.name: inf}  # no sample yet: nothing has passed
ELAPSED = larger(ZERO, TIME - _LAST)  # since the sample before; 0 at the first one
TICK = {_LAST.name: TIME}


@final
@dataclass(frozen=True)
class Integrated:
    """A command that is never beyond its limits, and the integral that is kept for it."""

    command: Expr
    next_sum: Expr


def integrated(
    base: Expr, gain: Expr, error: Expr, total: Expr, limits: Limits | None
) -> Integrated:
    """base + gain ∫ error within limits.

    The integral waits while the command is beyond a limit and the error would drive it further:
    conditional integration (Åström and Hägglund, 1995, PID Controllers, §3.5).
    """
    added = total + ELAPSED * error
    wanted = base + gain * added
    if limits is None:
        return Integrated(wanted, added)
    low, high = (expression(float(x)) for x in limited(limits))
    excess = wanted - clipped(wanted, low, high)
    kept = choice(excess * gain * error, total, added)
    return Integrated(clipped(base + gain * kept, low, high), kept)


def limited(limits: Limits) -> tuple[float, float]:
    """One number ±, or the least and the largest."""
    low, high = limits if isinstance(limits, tuple) else (-limits, limits)
    if not low < high:
        raise ModelError(
            "control",
            say("the limits are {low} and {high}.", low, high),
            "Give the smaller one first, or one positive number for both.",
        )
    return low, high


def each_limit(
    limits: Limits | Mapping[str, Limits] | None, names: Sequence[str]
) -> list[Limits | None]:
    """The limits of each coordinate."""
    if not isinstance(limits, Mapping):
        return [limits] * len(names)
    for name in limits:
        if name not in names:
            raise unknown("control", "coordinate", name, names)
    return [limits.get(name) for name in names]
