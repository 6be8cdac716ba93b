"""Where a search starts: a mechanism assembled, and led through the way that its driver can go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import final

import numpy as np

from torseur.design.postures import Postured
from torseur.design.problem import Evaluation, Problem
from torseur.design.targets import TURN, DriverTurn
from torseur.errors import ModelError, SolveError
from torseur.simulation.start.assemble import assemble

Array = np.ndarray
_STATIONS = 60  # of a turn
_TRIES = 200  # samples for each start that is asked for, most of which the conditions may refuse


@final
@dataclass(frozen=True)
class SearchStart:
    """Variables at which loops close, and the postures there."""

    evaluation: Evaluation
    low: Array
    high: Array
    whole: bool

    @property
    def worth(self) -> tuple[float, float]:
        """The smaller, the better."""
        found = self.evaluation
        below = np.minimum(found.g, 0.0)
        return found.cost * (1.0 + float(below @ below)), found.violation


def started(problem: Problem, x: Array) -> SearchStart | None:
    """A start at values of the design variables; None where the mechanism cannot do it."""
    way = led(problem, x)
    if way is None:
        return None
    ladder, whole = way
    extras = [
        target.extras(
            DriverTurn(ladder.angles, ladder.y[:, problem.columns(target.outputs)], whole)
        )
        for target in problem.targets
    ]
    X = np.concatenate([x, *(e.start for e in extras)])
    parts = problem.parts(extras)
    angles, _ = problem.stations(X, parts)
    found = problem.evaluated(X, parts, _nearest(problem, ladder, angles, whole))
    if found is None:
        return None
    low = np.concatenate([problem.low, *(e.low for e in extras)])
    high = np.concatenate([problem.high, *(e.high for e in extras)])
    return SearchStart(found, low, high, whole)


def led(problem: Problem, x: Array) -> tuple[Postured, bool] | None:
    """Postures along a turn from the assembled one, or as far as loops close both ways."""
    first = _first(problem, x)
    if first is None:
        return None
    ahead = [first, *_steps(problem, first, TURN / _STATIONS)]
    whole = len(ahead) > _STATIONS
    back = [] if whole else list(_steps(problem, first, -TURN / _STATIONS))
    row = [*back[::-1], *(ahead[:-1] if whole else ahead)]
    angles, z, dz, y, dy = (
        np.concatenate([getattr(here, name) for here in row])
        for name in ("angles", "z", "dz", "y", "dy")
    )
    return Postured(x, angles, z, dz, y, dy, first.rank), whole


def _first(problem: Problem, x: Array) -> Postured | None:
    """The mechanism assembled at the first angle."""
    design = dict(zip(problem.design, map(float, x), strict=True))
    model, postures = problem.model.tried(**design), problem.postures
    try:
        with np.errstate(all="ignore"):
            guess = {problem.driver: problem.begin}
            q = assemble(model, guess, pinned=(problem.driver,)).q
    except (ModelError, SolveError):
        return None
    z = np.concatenate([q, np.zeros(len(postures.unknowns) - len(q))])
    return postures.closed(z[np.newaxis], x, np.array([problem.begin]), problem.speed)


def _steps(problem: Problem, here: Postured, step: float) -> Iterator[Postured]:
    """One after the other, until loops open."""
    for _ in range(_STATIONS):
        found = problem.postures.moved(here, here.x, here.angles + step, problem.speed, 3)
        if found is None:
            return
        yield found
        here = found


def _nearest(problem: Problem, ladder: Postured, angles: Array, whole: bool) -> Postured:
    """For each angle the posture of the ladder that is nearest, whole turns added."""
    off = angles[:, None] - ladder.angles
    turns = np.round(off / TURN) if whole else np.zeros_like(off)
    near = np.abs(off - TURN * turns).argmin(axis=1)
    picked = ladder.at(near)
    shift = TURN * turns[np.arange(len(angles)), near]
    z = picked.z.copy()
    z[:, problem.postures.column] += shift
    return replace(picked, angles=picked.angles + shift, z=z)


def samples(problem: Problem, seed: int, count: int, given: Array) -> Iterator[Array]:
    """The given values, then random ones between the bounds that keep the conditions."""
    yield given
    random, wide = np.random.default_rng(abs(seed)), problem.high - problem.low
    tried = (problem.low + wide * random.random(len(given)) for _ in range(_TRIES * count))
    yield from islice((x for x in tried if (problem.conditions.margins(x)[0] >= 0).all()), count)
