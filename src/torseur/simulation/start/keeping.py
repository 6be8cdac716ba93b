"""Which of the given coordinates an assembly keeps: all of them, or as many as it can."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import final

import numpy as np

from torseur.errors import SolveError
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.loop_closing import ClosingBranch, Loops

Array = np.ndarray
_NEAR = (0.01, 0.1, 0.1, 0.3, 0.3, 0.3)  # of further guesses [rad, or part of the size]
_WIDE = 12  # guesses anywhere
# A closing joint is where it is given, within this; otherwise other guesses are tried.
_SAME, _GUESSES = 0.02, 24
_RANK = 1e-7
_PARTS = (8, 64)  # a coordinate is led to its value in so many steps


@final
class Assembly:
    """Loops to be closed near a guess q, at a time."""

    def __init__(self, held: NumericConstraints, branch: ClosingBranch, q: Array, t: float) -> None:
        self._held, self._branch, self._q, self._t = held, branch, q, t
        model = held.model
        speeds = {name: k for k, name in enumerate(model.speeds)}
        self._columns = {n: speeds[f"{n}."] for n in model.coordinates if f"{n}." in speeds}

    def keeping(self, pinned: Sequence[str], given: Sequence[str], own: Sequence[str]) -> Array:
        """Closed with the pinned coordinates kept, and of the others as many as possible.

        All `given` and `own` ones if loops close so; otherwise all the given ones, or each of them
        in its order if it can be kept beside those before it; then the own ones likewise.
        """
        known = {*self._columns, *self._branch.names}
        wanted = [n for n in dict.fromkeys((*pinned, *given, *own)) if n in known]
        asked = [n for n in wanted if n in pinned or n in given]
        with suppress(SolveError):
            return self._on_branch(self._near(wanted), wanted)
        kept, found = list(pinned), None
        if asked != wanted:
            with suppress(SolveError):
                found, kept = self._near(asked), asked
        if found is None:
            found = self._near(kept)
        for name in wanted:
            if name in kept or self._follows(found, kept, name):
                continue
            try:
                found = self._reached([*kept, name], found, wide=name in asked)
            except SolveError:
                continue
            kept = [*kept, name]
        return self._on_branch(found, kept)

    def _loops(self, kept: Iterable[str]) -> Loops:
        kept = tuple(kept)
        fixed = [self._columns[name] for name in kept if name in self._columns]
        closing = [name for name in kept if name not in self._columns]
        return Loops(self._held, self._t, fixed, self._branch, closing)

    def _follows(self, q: Array, kept: list[str], name: str) -> bool:
        """Whether a coordinate is fixed by others that are kept, and so cannot be chosen."""
        before, after = (self._loops(names) for names in (kept, [*kept, name]))
        free = [len(x.slopes(q).T) - len(x.fixed) - _rank(x.slopes(q)) for x in (before, after)]
        return free[1] == free[0]

    def _near(self, kept: Sequence[str]) -> Array:
        """Closed from the guess, or from guesses around it where Newton's method gets no hold.

        A guess at which a constraint has no slope, or two of them the same, is such.
        """
        return _first_closed(self._loops(kept), self._q, ())

    def _reached(self, kept: list[str], beside: Array, *, wide: bool) -> Array:
        """Closed from the guess, led there from an assembly, or from guesses anywhere."""
        loops = self._loops(kept)
        try:
            return _first_closed(loops, self._q, ())
        except SolveError:
            if not wide:
                raise
        for parts in _PARTS:
            try:
                return self._led(kept, beside, parts)
            except SolveError:
                continue
        rng = np.random.default_rng(1)
        anywhere = rng.uniform(-np.pi, np.pi, (_WIDE, len(self._held.model.speeds)))
        return _first_closed(loops, self._q, anywhere)

    def _led(self, kept: list[str], q: Array, parts: int) -> Array:
        """From an assembly, the coordinates of the tree moved to their values little by little."""
        columns = [self._columns[name] for name in kept if name in self._columns]
        places = [self._held.model.coordinates.index(n) for n in kept if n in self._columns]
        if len(columns) < len(kept):
            raise SolveError("assemble", "a closing joint is not led.")
        loops, start = self._loops(kept), q
        for part in range(1, parts + 1):
            q = q.copy()
            q[places] = start[places] + part / parts * (self._q - start)[places]
            q = loops.closed(q)
        q[places] = self._q[places]
        return loops.closed(q)

    def _on_branch(self, found: Array, kept: Sequence[str]) -> Array:
        """What was found, or an assembly nearer to where closing joints are given, if any."""
        rng, off, loops = np.random.default_rng(0), self._branch.off(found), self._loops(kept)
        for _ in range(_GUESSES):
            if off < _SAME:
                break
            step = rng.uniform(-np.pi, np.pi, len(self._held.model.speeds))
            for other in _closed_each(loops, self._q, [step]):
                distance = self._branch.off(other)
                if distance < off:
                    found, off = other, distance
        return found


def _first_closed(loops: Loops, q: Array, steps: Iterable[Array]) -> Array:
    """Closed from q, or else after the first of some displacements that leads to a closed one."""
    try:
        return loops.closed(q.copy())
    except SolveError as error:
        failed = error
    rng = np.random.default_rng(0)
    near = (spread * rng.normal(size=len(loops.held.model.speeds)) for spread in _NEAR)
    for found in _closed_each(loops, q, (*near, *steps)):
        return found
    raise failed


def _closed_each(loops: Loops, q: Array, steps: Iterable[Array]) -> Iterator[Array]:
    """Closed after each of some displacements, where that is possible; what is fixed stays."""
    for given in steps:
        step = given.copy()
        step[loops.fixed] = 0.0
        try:
            yield loops.closed(loops.moved(q, step))
        except SolveError:
            continue


def _rank(J: Array) -> int:
    return int(np.linalg.matrix_rank(J, tol=_RANK)) if J.size else 0
