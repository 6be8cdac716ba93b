"""Integrals of errors from sample to sample, which stop where the command is at its limit."""

from __future__ import annotations

from math import inf

import numpy as np

from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.piecewise import choice, clipped, larger

_LAST = symbol("t_last", "input")
CLOCK = {_LAST.name: inf}  # no sample yet: nothing has passed
ELAPSED = larger(ZERO, TIME - _LAST)  # since the sample before; 0 at the first one
TICK = {_LAST.name: TIME}


def integrated(
    base: Expr, gain: Expr, error: Expr, total: Expr, limits: tuple[float, float]
) -> tuple[Expr, Expr]:
    """The command base + gain ∫ error, never beyond its limits, and the integral kept for it.

    The integral waits while the command is beyond a limit and the error would drive it further:
    conditional integration (Åström and Hägglund, 1995, PID Controllers, §3.5).
    """
    added = total + ELAPSED * error
    wanted = base + gain * added
    if np.isinf(limits).all():
        return wanted, added
    low, high = (expression(float(x)) for x in limits)
    excess = wanted - clipped(wanted, low, high)
    kept = choice(excess * gain * error, total, added)
    return clipped(base + gain * kept, low, high), kept
