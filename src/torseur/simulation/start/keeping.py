"""Which of the given coordinates an assembly keeps: all of them, or as many as it can."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import final

import numpy as np

from torseur.errors import SolveError
from torseur.model.values.scales import coordinate_units
from torseur.simulation.constraints.newton import largest
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.loop_closing import ClosingBranch, LoopClosing, Pin, away, pins
from torseur.simulation.start.numeric_tree import DEARER, NumericTree, nearest_step

Array = np.ndarray
_NEAR = (0.01, 0.1, 0.1, 0.3, 0.3, 0.3)  # of further guesses [rad, or part of the size]
_WIDE = 12  # guesses anywhere
# A closing joint is where it is given, within this; otherwise other guesses are tried.
_SAME, _GUESSES = 0.02, 24
_RANK = 1e-7
_PARTS = (8, 64)  # a coordinate is led to its value in so many steps
_LEAST_STEPS, _FAR = 20, 0.5  # of a search for the least displacement [rad, or part of the size]
_BESIDE = 0.1  # of a pose at which freedoms are counted again [rad, or part of the size]
_NOTICEABLE = 0.9  # of a displacement: what a step must leave less than


@final
class Assembly:
    """Loops to be closed near a guess q, at a time."""

    def __init__(
        self,
        constraints: NumericConstraints,
        tree: NumericTree,
        branch: ClosingBranch,
        q: Array,
        t: float,
    ) -> None:
        self._held, self._tree, self._branch, self._q, self._t = constraints, tree, branch, q, t
        model = constraints.model
        self._places = {name: k for k, name in enumerate(model.speeds)}
        self._pins = {n: p for n, p in pins(model.mechanism).items() if n in model.coordinates}
        self._pins |= {n: pin for pin in branch.pins for n in pin.coordinates}

    def keeping(
        self, pinned: Sequence[str], given: Sequence[str], described: Sequence[str]
    ) -> Array:
        """Closed with the pinned coordinates kept, and of the others as many as possible.

        All `given` and `own` ones if loops close so; otherwise all the given ones, or each of them
        in its order if it can be kept beside those before it; then the own ones likewise. Where
        this moves others much further than all would need to, they are moved as little as possible.
        """
        optional, first, requested = map(
            self._known, ((*pinned, *given, *described), pinned, (*pinned, *given))
        )
        with suppress(SolveError):
            return self._unwound(self._on_branch(self._near(optional), optional))
        result, pins_kept = self._in_order(first, requested, optional)
        result = self._unwound(self._on_branch(result, pins_kept))
        if all(pin in pins_kept for pin in requested):
            first, judged = requested, [pin for pin in optional if pin not in requested]
        else:
            judged = [pin for pin in requested if pin not in first]
        return self._cheaper(result, first, judged)

    def _unwound(self, positions: Array) -> Array:
        """Positions with angles at the turn nearest to the guess, where turns change nothing."""
        units = coordinate_units(self._held.model.mechanism)
        angles = np.array([units[n] == "rad" for n in self._held.model.coordinates])
        turns = np.where(angles, np.round((self._q - positions) / (2 * np.pi)), 0.0)
        unwound = positions + 2 * np.pi * turns
        loops = self._loops(())
        closed = largest(loops.opening(unwound)) <= max(
            largest(loops.opening(positions)), self._held.closed_within(unwound)
        )
        return unwound if turns.any() and closed else positions

    def _known(self, names: Iterable[str]) -> list[Pin]:
        return list(dict.fromkeys(self._pins[n] for n in names if n in self._pins))

    def _in_order(
        self, pinned: list[Pin], requested: list[Pin], optional: list[Pin]
    ) -> tuple[Array, list[Pin]]:
        """Closed with as many as possible of those wanted kept, in their order, and which."""
        fixed, result = pinned, None
        if requested != optional:
            with suppress(SolveError):
                result, fixed = self._near(requested), requested
        if result is None:
            result = self._near(fixed)
        for pin in optional:
            if pin in fixed or self._follows(result, fixed, pin):
                continue
            try:
                result = self._reached([*fixed, pin], result, wide=pin in requested)
            except SolveError:
                continue
            fixed = [*fixed, pin]
        return result, fixed

    def _cheaper(self, positions: Array, first: list[Pin], judged: list[Pin]) -> Array:
        """Assembly as given, or one beside it that moves the judged values far less.

        Gauss's and Newton's steps along the closed configurations; the first pins stay.
        """
        loops, best = self._loops(first), positions
        cost = whole = largest(self._off(positions, judged))
        for _ in range(_LEAST_STEPS):
            step = self._nearer(loops, best, judged)
            step *= min(1.0, _FAR / max(float(np.abs(step).max(initial=0.0)), 1e-300))
            try:
                trial = loops.closed(loops.displaced(best, step))
            except SolveError:
                break
            after = largest(self._off(trial, judged))
            if not after < _NOTICEABLE * cost:
                break
            best, cost = trial, after
        return best if whole > DEARER * cost else positions

    def _nearer(self, loops: LoopClosing, q: Array, judged: list[Pin]) -> Array:
        """The step of a closed configuration to where the judged pins are nearest to as given."""
        free = [k for k in range(len(self._places)) if k not in loops.fixed]
        step, A, G = np.zeros(len(self._places)), self._rows(q, judged), self._tree.arcs(q)
        J, off = loops.slopes(q)[:, free], self._off(q, judged)
        step[free] = nearest_step(J, np.zeros(len(J)), A[:, free], off, G[np.ix_(free, free)])
        return step

    def _rows(self, q: Array, judged: list[Pin]) -> Array:
        """The arcs that the judged pins make when the tree moves."""
        by_name = self._tree.rows(q)
        names = (name for pin in judged for name in pin.speeds)
        rows = [self._tree.arc(name) * by_name[name] for name in names]
        return np.array(rows).reshape(-1, len(self._places))

    def _off(self, q: Array, judged: list[Pin]) -> Array:
        """The arcs by which the judged pins are off from as given."""
        model, closing = self._held.model, self._branch.deviations(q)
        off: list[Array] = [np.zeros(0)]
        for pin in judged:
            apart = closing.get(pin)
            if apart is None:
                at = [model.coordinates.index(n) for n in pin.coordinates]
                apart = away(pin, self._q[at], q[at]) / model.sizes.coordinates[at[0]]
            off.append(apart * [self._tree.arc(name) for name in pin.speeds])
        return np.concatenate(off)

    def _loops(self, pins_kept: Iterable[Pin]) -> LoopClosing:
        pins_kept = tuple(pins_kept)
        fixed = [self._places[n] for pin in pins_kept for n in pin.speeds if n in self._places]
        closing = [pin for pin in pins_kept if pin in self._branch.pins]
        return LoopClosing(self._held, self._t, fixed, self._branch, closing, self._tree.arcs)

    def _follows(self, q: Array, pins_kept: list[Pin], pin: Pin) -> bool:
        """Whether a pin is fixed by others that are kept, and so cannot be chosen.

        It is so at q and beside it: at a dead point alone, it only seems so.
        """
        before, after = (self._loops(pins) for pins in (pins_kept, [*pins_kept, pin]))

        def follows(place: Array) -> bool:
            loops = before, after
            ranks = [len(x.fixed) + _rank(x.slopes(place)) for x in loops]
            return ranks[0] == ranks[1]

        step = _BESIDE * np.random.default_rng(0).normal(size=len(self._places))
        return follows(q) and all(map(follows, _closed_each(before, q, [step])))

    def _near(self, fixed: Sequence[Pin]) -> Array:
        """Closed from the guess, or from guesses around it where Newton's method gets no hold.

        A guess at which a constraint has no slope, or two of them the same, is such.
        """
        return _first_closed(self._loops(fixed), self._q, ())

    def _reached(self, fixed: list[Pin], beside: Array, *, wide: bool) -> Array:
        """Closed from the guess, led there from an assembly, or from guesses anywhere."""
        loops = self._loops(fixed)
        try:
            return _first_closed(loops, self._q, ())
        except SolveError:
            if not wide:
                raise
        for parts in _PARTS:
            try:
                return self._led(fixed, beside, parts)
            except SolveError:
                continue
        rng = np.random.default_rng(1)
        anywhere = rng.uniform(-np.pi, np.pi, (_WIDE, len(self._held.model.speeds)))
        return _first_closed(loops, self._q, anywhere)

    def _led(self, fixed: list[Pin], q: Array, parts: int) -> Array:
        """From an assembly, the coordinates of the tree moved to their values little by little."""
        coordinates = self._held.model.coordinates
        if any(pin in self._branch.pins or pin.is_attitude for pin in fixed):
            raise SolveError("assemble", "a closing joint or an attitude is not led.")
        places = [coordinates.index(n) for pin in fixed for n in pin.coordinates]
        loops, start = self._loops(fixed), q
        for part in range(1, parts + 1):
            q = q.copy()
            q[places] = start[places] + part / parts * (self._q - start)[places]
            q = loops.closed(q)
        q[places] = self._q[places]
        return loops.closed(q)

    def _on_branch(self, positions: Array, fixed: Sequence[Pin]) -> Array:
        """Assembly as given, or one nearer to the given closing joints, if any."""
        rng, off, loops = np.random.default_rng(0), self._branch.off(positions), self._loops(fixed)
        for _ in range(_GUESSES):
            if off < _SAME:
                break
            step = rng.uniform(-np.pi, np.pi, len(self._held.model.speeds))
            for other in _closed_each(loops, self._q, [step]):
                distance = self._branch.off(other)
                if distance < off:
                    positions, off = other, distance
        return positions


def _first_closed(loops: LoopClosing, q: Array, steps: Iterable[Array]) -> Array:
    """Closed from q, or else after the first of some displacements that leads to a closed one."""
    try:
        return loops.closed(q.copy())
    except SolveError as error:
        failed = error
    rng = np.random.default_rng(0)
    near = (spread * rng.normal(size=len(loops.held.model.speeds)) for spread in _NEAR)
    for positions in _closed_each(loops, q, (*near, *steps)):
        return positions
    raise failed


def _closed_each(loops: LoopClosing, q: Array, steps: Iterable[Array]) -> Iterator[Array]:
    """Closed after each of some displacements, where that is possible; what is fixed stays."""
    if loops.is_fixed:
        return
    for given in steps:
        step = given.copy()
        step[loops.fixed] = 0.0
        try:
            yield loops.closed(loops.displaced(q, step))
        except SolveError:
            continue


def _rank(J: Array) -> int:
    return int(np.linalg.matrix_rank(J, tol=_RANK)) if J.size else 0
