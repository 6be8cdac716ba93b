"""Families of steady motions: those that go over into each other, and what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torseur.analyse.at_a_state.ranks import ranks
from torseur.analyse.at_a_state.statics import AtState, Unknowns
from torseur.analyse.equilibria.space import Space
from torseur.analyse.stability.steady import Steady
from torseur.errors import ModelError
from torseur.words.sentence import say

Array = np.ndarray
_STEP = 0.1  # along a family, in its units


def check_families(space: Space, sought: Unknowns, found: Sequence[AtState]) -> None:
    """Motions that belong to a family are not all: what is missing to tell them apart is told.

    A direction in which nothing changes to first order is followed for a finite step.
    """
    for here in found:
        units = sought.counted_in(here, here.tangent.lengths(space.size), space.rate)
        flat = ranks(sought.jacobian(here) * units, 1e-9).kernel
        along = [way for way in flat.T if _leads(space, sought, here, units * way)]
        if not along:
            continue
        moved = np.abs(along).max(axis=0) > 1e-6
        names = [n for n, moves in zip(unknown_names(here, sought), moved, strict=True) if moves]
        problem = say(
            "there is a family of {number} parameter(s) through {steady}.",
            len(along),
            Steady(here, sought.turning),
        )
        raise ModelError("steady motions", problem, *more_to_give(len(along), names))


def unknown_names(here: AtState, sought: Unknowns) -> list[str]:
    """The unknown coordinates, then the unknown speeds; a small rotation has no name."""
    at, known = here.chart, here.tangent
    places = [known.speeds[at.shifts[k]] for k in sought.shifts(at)]
    shifts = [name.removesuffix(".") if name.endswith(".") else "" for name in places]
    return [*shifts, *(known.speeds[at.speeds[k]] for k in sought.rates(at))]


def more_to_give(count: int, names: Sequence[str]) -> tuple[str, ...]:
    """Advice on what to give."""
    listed = ", ".join(filter(None, names))
    if not listed:
        return ()
    return (say("Give {count} more of: {listed} (with a dot: a speed).", count, listed),)


def _leads(space: Space, sought: Unknowns, here: AtState, way: Array) -> bool:
    """Whether there is another steady motion at a finite distance in a direction."""
    for size in (_STEP, -_STEP):
        there = sought.shifted(here, size * way)
        end = None if there is None else sought.solved(there)
        if there is not None and end is not None:
            gone, left = space.distance(here, there), space.distance(there, end)
            if left < 0.5 * gone:
                return True
    return False
