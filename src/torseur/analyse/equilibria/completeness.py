"""Completeness of a list of equilibria: a proof by intervals, or a sum of indices.

On a small box of coordinates, bounds of gap(q), r(q) and J(q) may say that a loop stays open, that
r is no combination of the rows of J, or that there is one equilibrium at most (Neumaier 1990).
Boxes that say none of this are cut in two, until what is left lies around what was found.

Where nothing closes loops and every free coordinate is an angle, the signs of det K of all
equilibria add up to zero (Poincaré and Hopf): a list that breaks this rule is not complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import final

import numpy as np

from torseur.algebra.calculus.intervals import NotBounded
from torseur.analyse.at_a_state.statics import AtState, Unknowns, closed_state
from torseur.analyse.equilibria.boxed import (
    Boxes,
    Span,
    Statement,
    about_middle,
    independent,
    inverses,
    multiplier_bounds,
    rest,
)
from torseur.analyse.equilibria.space import Box, SearchSpace, kernel
from torseur.result import Result
from torseur.words.sentence import enumerated, say, worded

Array = np.ndarray
_BATCH = 4096
_SMALL = 2e-5  # of the limits: a box that is not cut any more
_OFFSET = 0.1234  # angles are searched over a turn that does not begin where equilibria often are
_MANY = 64  # undecided boxes, at which it is given up


@final
class Completeness(Result):
    """Verdict on the completeness of a list of equilibria; true when it is proved."""

    word: str  # proved, consistent, incomplete, unknown
    reason: str
    examined: int = 0  # boxes
    places: tuple[dict[str, float], ...] = ()  # where another one may be

    def __bool__(self) -> bool:
        return self.word == "proved"

    def __str__(self) -> str:
        return f"{worded(self.word)}{worded(': ')}{worded(self.reason)}"


# --- the sum of indices ---------------------------------------------------------------------------


def index_sum(space: SearchSpace, sought: Unknowns, states: Sequence[AtState]) -> int | None:
    """Σ sign det K over the equilibria, which is zero if all are there; None where it says nothing.

    It must be a torus: no loops, and every coordinate that is free an angle that turns round.
    """
    if not states or space.turning or space.tangent.rows:
        return None
    free = [k for k in range(space.tangent.size) if k not in sought.frozen]
    if not free or not all(k in space.periodic for k in free):
        return None
    signs = []
    for state in states:
        places = [state.chart.shifts.index(k) for k in free]
        rows = [state.chart.speeds.index(k) for k in free]
        K = state.reduced.K[np.ix_(rows, places)]
        if kernel(state, sought).shape[1]:
            return None
        signs.append(int(np.sign(np.linalg.det(K))))
    return sum(signs)


# --- the proof ------------------------------------------------------------------------------------


def refusal(space: SearchSpace, sought: Unknowns, states: Sequence[AtState]) -> str:
    """Why nothing can be proved; empty if it can be tried."""
    if space.turning:
        return say("attitudes of ball joints and free bodies are not searched by boxes.")
    if not space.tangent.holonomic:
        return say("rolling leaves families of equilibria.")
    for state in states:
        if kernel(state, sought).shape[1]:
            return say("equilibria form a family, or one is degenerate.")
        if state.v.any() and not _moves_alike(state):
            return say("imposed motions move more than the coordinates they drive.")
    return ""


def _moves_alike(state: AtState) -> bool:
    """Whether everything else stands still, wherever it is, when the drives go on."""
    rng = np.random.default_rng(6)
    for _ in range(3):
        step = state.chart.P @ (0.2 * rng.normal(size=len(state.chart.shifts)))
        there = closed_state(state.tangent, state.q + step, state.t)
        if there is None:
            continue
        apart = np.abs(there.v - state.v).max() + np.abs(there.a).max()
        if apart > 1e-9 * np.abs(state.v).max():
            return False
    return True


@final
@dataclass(frozen=True)
class SearchedSpace:
    """Where equilibria were looked for, and what was found."""

    space: SearchSpace
    sought: Unknowns
    box: Box
    found: tuple[AtState, ...]


def examined(what: SearchedSpace, budget: int) -> tuple[Completeness, list[AtState]]:
    """Verdict on the list, and equilibria that the search for it met."""
    space, sought, result = what.space, what.sought, list(what.found)
    why = (
        refusal(space, sought, result) if result else say("no equilibrium is known to start from.")
    )
    verdict = Completeness("unknown", why)
    statement = None if why else Statement(result[0], sought)
    if statement and not statement.free:
        return Completeness("proved", say("nothing depends on the coordinates that are free.")), []
    if statement and statement.repeating:
        return Completeness(
            "unknown", say("constraints repeat each other where the loops close.")
        ), []
    if statement:
        proof = Proof(what, statement)
        verdict = proof.verdict(budget)
        more = proof.known[len(what.found) :]
        if more and verdict:
            verdict = Completeness(
                "proved", say("with {number} more: {reason}", len(more), verdict.reason)
            )
        if verdict or more:
            return verdict, more
    total = None if what.box else index_sum(space, sought, what.found)
    if total == 0:
        reason = say("signs of det K of the equilibria add up to zero, as those of all of them do.")
        return Completeness("consistent", reason), []
    if total is not None:
        reason = say("signs of det K add up to {total}, those of all equilibria to zero.", total)
        return Completeness("incomplete", reason), []
    return verdict, []


@final
class Proof:
    """The search of all boxes within limits, given what is known."""

    def __init__(self, what: SearchedSpace, statement: Statement) -> None:
        self._space, self._sought, self._box = what.space, what.sought, what.box
        self.known = list(what.found)
        self._statement = statement
        self.examined = 0

    @property
    def _names(self) -> list[str]:
        return [self._space.tangent.coordinates[k] for k in self._statement.free]

    @property
    def _limits(self) -> Boxes:
        """One box; an angle that may turn round and has no limits has a turn."""
        ends = []
        for k, name in zip(self._statement.free, self._names, strict=True):
            low, high = self._space.limits(k, self._box)
            if name in self._box:
                ends.append((low, high))
            elif k in self._space.periodic:
                ends.append((low + _OFFSET, high + _OFFSET))
            else:
                values = [state.q[k] for state in self.known]
                ends.append((min(low, *values), max(high, *values)))
        table = np.array(ends, dtype=float).reshape(-1, 2)
        return Boxes(table[np.newaxis, :, 0], table[np.newaxis, :, 1])

    def verdict(self, budget: int) -> Completeness:
        """The verdict; equilibria that turn up on the way are put on the list."""
        try:
            while True:
                left = self._left(budget)
                if left is None or not len(left):
                    break
                if len(left) >= _MANY or not self._met(left):
                    return self._undecided(left)
        except NotBounded as error:
            return Completeness("unknown", say('a force has no bounds ("{error}").', error))
        if left is None:
            reason = say("not decided after {number} boxes.", self.examined)
            return Completeness("unknown", reason, self.examined)
        reason = say(
            "no other equilibrium exists{where} ({number} boxes, interval bounds).",
            self._where,
            self.examined,
        )
        return Completeness("proved", reason, self.examined)

    @property
    def _where(self) -> str:
        """The limits of the coordinates that have some."""
        limits = self._limits
        parts = []
        for k, name in enumerate(self._names):
            low, high = limits.low[0, k], limits.high[0, k]
            if name in self._box or self._statement.free[k] not in self._space.periodic:
                parts.append(say("${name}$ from {low:.4g} to {high:.4g}", name, low, high))
        return say(" with {ranges}", enumerated(parts)) if parts else ""

    def _undecided(self, left: Boxes) -> Completeness:
        places = tuple(
            dict(zip(self._names, map(float, row), strict=True)) for row in left.middle[:5]
        )
        first = enumerated([say("${name} = {x:.4g}$", name, x) for name, x in places[0].items()])
        reason = say(
            "interval bounds do not decide near {first}: a singular configuration, or an "
            "equilibrium that is not isolated.",
            first,
        )
        return Completeness("unknown", reason, self.examined, places)

    def _met(self, left: Boxes) -> bool:
        """Whether an equilibrium that was not known is near one of the boxes."""
        count = len(self.known)
        for row in left.middle:
            q = self.known[0].q.copy()
            q[self._statement.free] = row
            near = closed_state(self._space.tangent, q, self._space.t, None, self._sought)
            end = self._sought.solved(near)
            if end is None or not self._space.inside(end.q, self._box):
                continue
            if not any(self._space.same(end, other, self._sought) for other in self.known):
                self.known.append(end)
        return len(self.known) > count

    def _left(self, budget: int) -> Boxes | None:
        """The smallest boxes that may hold others; None if there are too many to look at."""
        limits = self._limits
        size = limits.radius[0]
        around = self._surroundings(limits)
        waiting, left = limits, limits[:0]
        while len(waiting):
            if self.examined > budget:
                return None
            now, waiting = waiting[:_BATCH], waiting[_BATCH:]
            self.examined += len(now)
            now = now[~now.inside(around)]
            now = now[~self._excluded(now)]
            done = (now.radius / size).max(axis=1, initial=0.0) < _SMALL
            left = left.followed_by(now[done])
            if len(left) > _MANY:
                break
            waiting = now[~done].halves(size).followed_by(waiting)
        return left

    # --- bounds ---------------------------------------------------------------------------------

    def _excluded(self, boxes: Boxes) -> Array:
        """(boxes): which hold no equilibrium."""
        statement = self._statement
        excluded = np.zeros(len(boxes), dtype=bool)
        if len(statement.gap) and len(boxes):
            gap = statement.on(statement.gap, boxes)
            around = about_middle(statement, statement.gap, statement.gap_slopes, boxes)
            excluded = gap.misses_zero | around.misses_zero
        rest = np.flatnonzero(~excluded)
        excluded[rest] = self._pushed(boxes[rest])
        rest = np.flatnonzero(~excluded)
        excluded[rest] = self._missed(boxes[rest])
        return excluded

    def _pushed(self, boxes: Boxes) -> Array:
        """(boxes): where r is nowhere a combination of the rows of J."""
        statement = self._statement
        if not len(boxes):
            return np.zeros(0, dtype=bool)
        whole = statement.on(statement.forces, boxes)
        force = about_middle(statement, statement.forces[:, 0], statement.force_slopes, boxes)
        low, high = whole.low.copy(), whole.high.copy()
        low[:, :, 0] = np.maximum(low[:, :, 0], force.low[:, :, 0])
        high[:, :, 0] = np.minimum(high[:, :, 0], force.high[:, :, 0])
        both = Span(low, high)
        return both.misses_zero if low.shape[2] == 1 else independent(both)

    def _surroundings(self, limits: Boxes) -> Boxes:
        """The largest boxes around what is known in which bounds allow one equilibrium only."""
        free = self._statement.free
        middles = np.array([state.q[free] for state in self.known])
        middles = self._placed(middles, limits)
        size = limits.radius[0]
        share = np.zeros(len(middles))
        for exponent in range(1, 14):
            tried = np.where(share > 0, share, 0.5**exponent)
            boxes = Boxes(middles - tried[:, None] * size, middles + tried[:, None] * size)
            share = np.where((share == 0) & self._single(boxes), tried, share)
        turns = [(-1, 0, 1) if k in self._space.periodic else (0,) for k in free]
        copies = [2 * np.pi * np.array(turn) for turn in product(*turns)]
        low, high = (
            np.concatenate([middles + sign * share[:, None] * size + turn for turn in copies])
            for sign in (-1, 1)
        )
        return Boxes(low, high)

    def _placed(self, middles: Array, limits: Boxes) -> Array:
        """Angles that may turn round, within the limits."""
        places = middles.copy()
        for k, place in enumerate(self._statement.free):
            if place in self._space.periodic:
                first = limits.low[0, k]
                places[:, k] = first + (middles[:, k] - first) % (2 * np.pi)
        return places

    def _single(self, boxes: Boxes) -> Array:
        """(boxes): which hold one equilibrium at most."""
        lam = self._multipliers(boxes)
        return np.asarray(lam.bounded & independent(self._slopes(boxes, lam)))

    def _missed(self, boxes: Boxes) -> Array:
        """(boxes): from whose middle Newton's method leads out, whatever the slopes are inside.

        A zero z obeys z − c = −Y Φ(c) + (1 − Y A)(z − c), c being the middle.
        """
        statement = self._statement
        if not len(boxes):
            return np.zeros(0, dtype=bool)
        lam = self._multipliers(boxes)
        slopes = self._slopes(boxes, lam)
        Y, exact = inverses(slopes)
        sure = exact & slopes.bounded & lam.bounded
        forces = statement.on(statement.forces, boxes.at_middle)
        ones = np.ones((len(boxes), 1, 1))
        far = np.concatenate([boxes.radius[:, :, None], lam.radius], axis=1)
        weights = np.concatenate([ones, lam.middle], axis=1)
        middle, doubt = forces.middle @ weights, forces.radius @ np.abs(weights)
        gap = statement.on(statement.gap, boxes.at_middle)
        middle = np.concatenate([middle, gap.middle], axis=1)
        doubt = np.concatenate([doubt, gap.radius], axis=1) + 1e-14 * np.abs(middle)
        step = np.abs(Y @ middle) - np.abs(Y) @ doubt
        reach = rest(Y, slopes) @ far * (1 + 1e-12)
        count = boxes.low.shape[1]
        out = step[:, :count, 0] > (boxes.radius + reach[:, :count, 0]) * (1 + 1e-12) + 1e-15
        return np.asarray(sure & forces.bounded & gap.bounded & out.any(axis=1))

    def _multipliers(self, boxes: Boxes) -> Span:
        """Bounds of the multipliers at any equilibrium there, as columns."""
        if not self._statement.multipliers:
            none = np.zeros((len(boxes), 0, 1))
            return Span(none, none)
        return multiplier_bounds(self._statement.on(self._statement.forces, boxes))

    def _slopes(self, boxes: Boxes, lam: Span) -> Span:
        """The derivatives of both equations by coordinates and multipliers."""
        statement = self._statement
        upper = statement.on(statement.slopes, boxes, lam.finite)
        if not statement.multipliers:
            return upper
        forces = statement.on(statement.forces, boxes)
        lower = statement.on(statement.gap_slopes, boxes)
        count = len(statement.multipliers)
        none = np.zeros((len(boxes), count, count))
        low = np.block([[upper.low, forces.low[:, :, 1:]], [lower.low, none]])
        high = np.block([[upper.high, forces.high[:, :, 1:]], [lower.high, none]])
        return Span(low, high)
