"""The search: least squares with exact Jacobians, limits by multipliers, from several starts.

`design/levenberg.py` makes r·r least between bounds. Margins g ≥ 0 enter by the augmented
Lagrangian (Nocedal & Wright 2006, §17.3): residuals √μ max(0, λ/μ − g), with
λ ← max(0, λ − μ g) after each search, so that at the end they hold to rounding, not by a penalty.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.design.levenberg import least
from torseur.design.problem import Evaluation, Problem
from torseur.design.starts import SearchStart, samples, started

Array = np.ndarray
_ROUNDS = 14  # of multipliers
_KEPT = 1e-9  # a margin below zero that counts as none
_SETTLED = 1e-7  # a change of the variables, beside them, after which multipliers are known
_STEPS = 60  # of a search that may be given up
_NOTHING = 1e-24  # a cost, in squares of what it was at first, that is zero


@final
@dataclass(frozen=True)
class Found:
    """The best that was found."""

    start: SearchStart  # at the given values, or at the first that close
    best: SearchStart
    tried: int  # starts whose loops close


def searched(
    problem: Problem, given: Array, counts: tuple[int, int, int], seed: int
) -> Found | None:
    """The best of several searches; None if the mechanism closes at no start.

    `counts` are those of random starts, of those that are improved, of steps of the last search.
    """
    starts, refined, steps = counts
    begun = (started(problem, x) for x in samples(problem, seed, starts, given))
    known = [start for start in begun if start is not None]
    if not known:
        return None
    first, *others = known
    best, size = first, max(first.evaluation.cost, 1e-300)
    for start in [first, *sorted(others, key=lambda s: s.worth)][: refined + 1]:
        found = _improved(problem, start, min(steps, _STEPS), 0.05)
        if _rank(found) < _rank(best):
            best = found
        if best.evaluation.cost < _NOTHING * size and best.evaluation.violation <= _KEPT:
            break
    polished = _improved(problem, best, steps, 1e-3)
    return Found(first, min((polished, best), key=_rank), len(known))


def _rank(start: SearchStart) -> tuple[float, float]:
    """What keeps its limits is better than what does not."""
    found = start.evaluation
    open_ = found.violation if found.violation > 1e-8 else 0.0
    return open_, found.cost


def _improved(problem: Problem, start: SearchStart, steps: int, gain: float) -> SearchStart:
    """One search, with rounds of multipliers where there are margins."""
    here, count = start.evaluation, len(start.evaluation.g)
    weights, mu = np.zeros(count), 10.0 * max(here.cost, 1e-12) / max(len(here.r), 1)
    before = np.inf
    for _ in range(_ROUNDS if count else 1):
        last = here
        here = _searched(problem, replace(start, evaluation=here), weights, mu, steps, gain)
        if not count:
            break
        weights = np.maximum(0.0, weights - mu * here.g)
        still = np.abs(here.X - last.X).max() < _SETTLED * (1 + np.abs(here.X).max())
        if here.violation <= _KEPT and (still or not weights.any()):
            break
        if here.violation > before / 4:
            mu *= 10.0
        before = here.violation
    return replace(start, evaluation=here)


def _searched(
    problem: Problem, start: SearchStart, weights: Array, mu: float, steps: int, gain: float
) -> Evaluation:
    """Least squares of residuals and of margins that are used up: √μ (λ/μ − g) where positive."""
    root, seen = np.sqrt(mu), start.evaluation

    def at(X: Array) -> tuple[Array, Array] | None:
        nonlocal seen
        found = problem.evaluated(X, seen.parts, seen.postures)
        if found is None:
            return None
        seen = found  # the next is reached from here
        used = root * np.maximum(0.0, weights / mu - found.g)
        slopes = -root * (used > 0)[:, None] * found.dg
        return np.concatenate([found.r, used]), np.concatenate([found.dr, slopes])

    inside = np.clip(start.evaluation.X, start.low, start.high)
    X = least(at, inside, (start.low, start.high), steps, gain)
    return start.evaluation if at(X) is None else seen
