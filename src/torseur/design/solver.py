"""The search: least squares with exact Jacobians, limits by multipliers, from several starts.

`design/levenberg.py` makes r·r least between bounds. Margins g ≥ 0 enter by the augmented
Lagrangian (Nocedal & Wright 2006, §17.3): residuals √μ max(0, λ/μ − g), with
λ ← max(0, λ − μ g) after each search, so that at the end they hold to rounding, not by a penalty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import final

import numpy as np

from torseur.design.postures import Postured
from torseur.design.synthesis_problem import Evaluation, SynthesisProblem
from torseur.design.targets import TURN, DriverTurn
from torseur.errors import ModelError, SolveError
from torseur.simulation.start.assemble import assemble

Array = np.ndarray
_ROUNDS = 14  # of multipliers
_KEPT = 1e-9  # a margin below zero that counts as none
_SETTLED = 1e-7  # a change of the variables, beside them, after which multipliers are known
_STEPS = 60  # of a search that may be given up
_NOTHING = 1e-24  # a cost, in squares of what it was at first, that is zero
_TRIES = 25  # of one step
_ENOUGH = 1e-4  # of the predicted decrease
_STILL = 1e-14  # a step, beside the variables
_PATIENCE = 12  # steps, after which a search that gains little ends
_STATIONS = 60  # of a turn
_ATTEMPTS_PER_START = 10  # of assembling random values
_SAMPLES_PER_START = 200  # most of which the conditions may refuse


@final
@dataclass(frozen=True)
class SearchResult:
    """The best that was found."""

    start: SearchStart  # at the given values, or at the first that close
    best: SearchStart
    tried: int  # starts whose loops close
    discarded: int  # random starts whose loops do not


def best_result(
    problem: SynthesisProblem, given: Array, counts: tuple[int, int, int], seed: int
) -> SearchResult | None:
    """The best of several searches; None if the mechanism closes at no start.

    `counts` are those of random starts, of those that are improved, of steps of the last search.
    """
    starts, refined, steps = counts
    known, discarded = _assembled(problem, seed, starts, given)
    if not known:
        return None
    first, *others = known
    best, size = first, max(first.evaluation.cost, 1e-300)
    for start in [first, *sorted(others, key=lambda s: s.worth)][: refined + 1]:
        result = _improved_start(problem, start, min(steps, _STEPS), 0.05)
        if _rank(result) < _rank(best):
            best = result
        if best.evaluation.cost < _NOTHING * size and best.evaluation.violation <= _KEPT:
            break
    polished = _improved_start(problem, best, steps, 1e-3)
    return SearchResult(first, min((polished, best), key=_rank), len(known), discarded)


def _assembled(
    problem: SynthesisProblem, seed: int, starts: int, given: Array
) -> tuple[list[SearchStart], int]:
    """The given values and so many random ones at which loops close, and those discarded.

    Random values at which they do not close are replaced by others, up to a limit.
    """
    values = samples(problem, seed, starts, given)
    begun = search_start(problem, next(values))
    known, discarded = [] if begun is None else [begun], 0
    most = starts + len(known)
    for x in values:
        if len(known) == most:
            break
        start = search_start(problem, x)
        if start is None:
            discarded += 1
        else:
            known.append(start)
    return known, discarded


def _rank(start: SearchStart) -> tuple[float, float]:
    """Order of results: those within the limits first, then by cost."""
    result = start.evaluation
    open_ = result.violation if result.violation > 1e-8 else 0.0
    return open_, result.cost


def _improved_start(
    problem: SynthesisProblem, start: SearchStart, steps: int, gain: float
) -> SearchStart:
    """One search, with rounds of multipliers where there are margins."""
    current, count = start.evaluation, len(start.evaluation.g)
    weights, mu = np.zeros(count), 10.0 * max(current.cost, 1e-12) / max(len(current.r), 1)
    before = np.inf
    for _ in range(_ROUNDS if count else 1):
        last = current
        current = _constrained_minimum(
            problem, replace(start, evaluation=current), weights, mu, steps, gain
        )
        if not count:
            break
        weights = np.maximum(0.0, weights - mu * current.g)
        still = np.abs(current.X - last.X).max() < _SETTLED * (1 + np.abs(current.X).max())
        if current.violation <= _KEPT and (still or not weights.any()):
            break
        if current.violation > before / 4:
            mu *= 10.0
        before = current.violation
    return replace(start, evaluation=current)


def _constrained_minimum(
    problem: SynthesisProblem,
    start: SearchStart,
    weights: Array,
    mu: float,
    steps: int,
    gain: float,
) -> Evaluation:
    """Least squares of residuals and of margins that are used up: √μ (λ/μ − g) where positive."""
    root, latest = np.sqrt(mu), start.evaluation

    def at(X: Array) -> tuple[Array, Array] | None:
        nonlocal latest
        result = problem.evaluated(X, latest.parts, latest.postures)
        if result is None:
            return None
        latest = result  # the next is reached from here
        used = root * np.maximum(0.0, weights / mu - result.g)
        slopes = -root * (used > 0)[:, None] * result.dg
        return np.concatenate([result.r, used]), np.concatenate([result.dr, slopes])

    inside = np.clip(start.evaluation.X, start.low, start.high)
    X = least(at, inside, (start.low, start.high), steps, gain)
    return start.evaluation if at(X) is None else latest


# --- least squares between bounds ----------------------------------------------------------------
#
# Of functions that are not defined everywhere. The method of Levenberg (1944) and Marquardt (1963)
# with the scaling of Moré (1978); steps are projected onto the bounds, and variables that the
# gradient holds at a bound stay there, as in Kanzow, Yamashita & Fukushima (2004). A trial where
# the function is not defined makes the damping larger. Unlike interior methods it goes along
# active bounds as fast as inside of them.


def least(
    at: Callable[[Array], tuple[Array, Array] | None],
    X: Array,
    bounds: tuple[Array, Array],
    steps: int,
    gain: float = 1e-3,
) -> Array:
    """Variables at which the sum of squares is least, from a point where it is defined.

    `at` gives residuals and their Jacobian, None where they are not defined. It ends after so many
    steps, or where the last ones gained less than a part of the sum.
    """
    current, (low, high) = at(X), bounds
    damping, scale, costs = 1e-3, np.zeros(len(X)), []
    for _ in range(steps):
        if current is None:
            return X
        r, J = current
        costs.append(float(r @ r))
        if len(costs) > _PATIENCE and costs[-1] > (1 - gain) * costs[-1 - _PATIENCE]:
            return X
        slope = J.T @ r
        scale = np.maximum(scale, np.sqrt((J * J).sum(axis=0)))
        free = ~(((low >= X) & (slope > 0)) | ((high <= X) & (slope < 0)))
        if not free.any() or not r @ r:
            return X
        for _ in range(_TRIES):
            trial = np.clip(X + _step(J, r, scale, free, damping), low, high)
            there, step = at(trial), trial - X
            expected = r @ r - float(((r + J @ step) ** 2).sum())
            if there is not None and expected > 0:
                part = (r @ r - there[0] @ there[0]) / expected
                if part > _ENOUGH:
                    damping *= max(1 / 9, 1 - (2 * part - 1) ** 3)
                    break
            damping *= 6.0
        else:
            return X
        still = np.abs(step).max() <= _STILL * (1.0 + np.abs(X).max())
        X, current = trial, there
        if still:
            return X
    return X


def _step(J: Array, r: Array, scale: Array, free: Array, damping: float) -> Array:
    """The damped step of the free variables."""
    sizes = np.where(scale > 0, scale, 1.0)[free]
    rows = np.concatenate([J[:, free] / sizes, np.sqrt(damping) * np.eye(int(free.sum()))])
    right = np.concatenate([-r, np.zeros(int(free.sum()))])
    step = np.zeros(len(scale))
    step[free] = np.linalg.lstsq(rows, right, rcond=None)[0] / sizes
    return step


# --- starts --------------------------------------------------------------------------------------
#
# A mechanism is assembled, and led as far as its driver can go.


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
        result = self.evaluation
        below = np.minimum(result.g, 0.0)
        return result.cost * (1.0 + float(below @ below)), result.violation


def search_start(problem: SynthesisProblem, x: Array) -> SearchStart | None:
    """A start at values of the design variables; None where the mechanism cannot do it."""
    way = driver_range(problem, x)
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
    result = problem.evaluated(X, parts, _nearest(problem, ladder, angles, whole))
    if result is None:
        return None
    low = np.concatenate([problem.low, *(e.low for e in extras)])
    high = np.concatenate([problem.high, *(e.high for e in extras)])
    return SearchStart(result, low, high, whole)


def driver_range(problem: SynthesisProblem, x: Array) -> tuple[Postured, bool] | None:
    """Postures along a turn from the assembled one, or as far as loops close both ways."""
    first = _first(problem, x)
    if first is None:
        return None
    ahead = [first, *_steps(problem, first, TURN / _STATIONS)]
    whole = len(ahead) > _STATIONS
    back = [] if whole else list(_steps(problem, first, -TURN / _STATIONS))
    row = [*back[::-1], *(ahead[:-1] if whole else ahead)]
    angles, z, dz, y, dy = (
        np.concatenate([getattr(current, name) for current in row])
        for name in ("angles", "z", "dz", "y", "dy")
    )
    return Postured(x, angles, z, dz, y, dy, first.rank), whole


def _first(problem: SynthesisProblem, x: Array) -> Postured | None:
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


def _steps(problem: SynthesisProblem, postures: Postured, step: float) -> Iterator[Postured]:
    """One after the other, until loops open."""
    for _ in range(_STATIONS):
        result = problem.postures.continuation(
            postures, postures.x, postures.angles + step, problem.speed, 3
        )
        if result is None:
            return
        yield result
        postures = result


def _nearest(problem: SynthesisProblem, ladder: Postured, angles: Array, whole: bool) -> Postured:
    """For each angle the posture of the ladder that is nearest, whole turns added."""
    off = angles[:, None] - ladder.angles
    turns = np.round(off / TURN) if whole else np.zeros_like(off)
    near = np.abs(off - TURN * turns).argmin(axis=1)
    nearest = ladder.at(near)
    shift = TURN * turns[np.arange(len(angles)), near]
    z = nearest.z.copy()
    z[:, problem.postures.column] += shift
    return replace(nearest, angles=nearest.angles + shift, z=z)


def samples(problem: SynthesisProblem, seed: int, count: int, given: Array) -> Iterator[Array]:
    """The given values, then random ones between the bounds that keep the conditions."""
    yield given
    random, wide = np.random.default_rng(abs(seed)), problem.high - problem.low
    trials = range(_SAMPLES_PER_START * count)
    tried = (problem.low + wide * random.random(len(given)) for _ in trials)
    allowed = (x for x in tried if (problem.conditions.margins(x)[0] >= 0).all())
    yield from islice(allowed, _ATTEMPTS_PER_START * count)
