"""Assembly: coordinates and speeds that close every loop, near a guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.graph import evaluate
from torseur.brief import brief
from torseur.equations.motion.quasi_static import is_balanced, kept_by_balance
from torseur.errors import ModelError, SolveError, require_known
from torseur.language.text.given import given_state
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.model.values.scales import Scales, coordinate_units, speed_units
from torseur.once import once
from torseur.simulation.constraints.displacement import named_state
from torseur.simulation.constraints.newton import largest
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.independent import independent_rows
from torseur.simulation.start.keeping import Assembly
from torseur.simulation.start.leading import OF_STARTS, GivenRows, LedRows, OwnStart
from torseur.simulation.start.loop_closing import ClosingBranch, pins
from torseur.simulation.start.numeric_tree import DEARER, NumericTree, least_step, nearest_step
from torseur.words.sentence import say

Array = np.ndarray

Changes = dict[str, tuple[float, float]]  # by name: as given, as taken
_CHANGED = 1e-9  # a given value that moved by more is reported [rad, or part of the size]
_ROUNDING = 1e-15  # of the largest speed, below which one is zero
_KEPT = 1e-9  # of the speeds, by which constraints may open


@final
@dataclass(frozen=True, eq=False)
class Assembled:
    """Consistent coordinates and speeds of the tree, by name and as arrays in order."""

    __repr__ = brief
    _repr_html_ = notebook.html

    model: CompiledModel
    q: Array
    v: Array
    closure_error: float  # the largest gap left [m or rad]
    changed: Changes  # given coordinates and speeds that had to move: as given, as taken

    @property
    def coordinates(self) -> dict[str, float]:
        """The coordinates by name."""
        return dict(zip(self.model.coordinates, map(float, self.q), strict=True))

    @property
    def speeds(self) -> dict[str, float]:
        """The speeds by name."""
        return dict(zip(self.model.speeds, map(float, self.v), strict=True))


def assemble(
    mechanism: Mechanism | CompiledModel,
    guess: Mapping[str, float] | None = None,
    *,
    pinned: tuple[str, ...] = (),
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
) -> Assembled:
    """Coordinates and speeds that close every loop and hold every relation at time t.

    If the guess determines all other coordinates, its coordinates move to their values from the
    assembly of the description; this chooses one of several assemblies. Otherwise coordinates and
    speeds of the guess are kept as far as loops can close, in their order, and the rest moves as
    little as possible. If given values then moved ten times further than needed, all of them move
    as little as possible instead. Missing values are the initial values of the mechanism, treated
    in the same way, then zeros. Pinned coordinates always keep their values. Of several assemblies,
    Torseur takes the one whose closing joints are nearest to the given values. If a loop stays
    open, the error names its joint and the gap.
    """
    model = compiled_at(mechanism, parameters)
    pinned = pinned or kept_by_balance(model.mechanism)
    guess = given_state(model.mechanism, {} if guess is None else guess, "guess")
    given = given_values(model.mechanism, model.parameters, guess)
    _check_finite(model, given)
    _check_pinned(model, pinned)
    start = _Given(model, tuple(guess), given, t)
    if not start.constraints:
        return Assembled(model, start.q, start.v, 0.0, {})
    row = GivenRows(1, tuple(guess), model.parameters)
    q, v, is_led = led_rows(model, row, start.q[np.newaxis], start.v[np.newaxis], t)
    q, v = (q[0], v[0]) if is_led[0] and not pinned else start.keeping(pinned)
    return Assembled(model, q, v, largest(start.constraints.gap(q, t)), start.changes(q, v))


def led_rows(
    model: CompiledModel, given: GivenRows, q: Array, v: Array, t: float
) -> tuple[Array, Array, Array]:
    """Coordinates and speeds that close the loops of rows, and of which rows: not of all.

    The model may be at the parameters of any row: they are led from the start of the description.
    """
    origin = None if is_balanced(model.mechanism) else _own_start(model, t)
    if origin is None:
        return q, v, np.zeros(len(q), dtype=bool)
    led = LedRows(_described(model), origin, given)
    q, closed = led.coordinates(q)
    v, consistent = led.speeds(q, v)
    return q, v, closed & consistent


def _described(model: CompiledModel) -> CompiledModel:
    """The model with the parameters of the description."""
    return compiled_at(model.mechanism) if model.given else model


def _own_start(model: CompiledModel, t: float) -> OwnStart | None:
    """Start of the description, the last one that was asked for; None if it has none."""
    last, letters = model.once(_no_starts), {"q"}
    for name in OF_STARTS:
        letters |= {letter for letter, _ in model.kernel(name)[0].inputs}
    time = t if "t" in letters else 0.0
    if time not in last:
        last.clear()
        last[time] = None
        if not letters <= {"q", "t"}:
            return None
        with suppress(SolveError, ModelError, np.linalg.LinAlgError):
            base = _described(model)
            given = given_values(base.mechanism, base.parameters, {})
            _check_finite(base, given)
            start = _Given(base, (), given, time)
            q, _ = start.keeping(())
            J = start.constraints.scaled_J(q, time)
            rows = independent_rows(start.constraints, q, time)
            last[time] = OwnStart(start.q, q, rows, J, time)
    return last[time]


def _no_starts(_: Mechanism) -> dict[float, OwnStart | None]:
    return {}


@final
class _Given:
    """A model with given and described values, to be kept as far as loops allow."""

    def __init__(
        self, model: CompiledModel, guess: tuple[str, ...], given: Mapping[str, float], t: float
    ) -> None:
        self._model, self._guess, self._given, self._t = model, guess, given, t
        self.constraints, self._tree = once(NumericConstraints)(model), once(NumericTree)(model)
        self._branch = ClosingBranch(self._tree, given)
        self.q, self.v = named_state(model.system.tree, model.coordinates, model.speeds, given)

    def _speeds(self, q: Array) -> StartSpeeds:
        return StartSpeeds(self.constraints, self._tree, self._branch, q, self._t)

    def keeping(self, pinned: tuple[str, ...]) -> tuple[Array, Array]:
        """Consistent coordinates and speeds, as many as possible as given."""
        described = tuple(self._model.mechanism.initial)
        assembly = Assembly(self.constraints, self._tree, self._branch, self.q, self._t)
        q = assembly.keeping(pinned, self._guess, described)
        order = tuple(dict.fromkeys((*self._guess, *described)))
        return q, self._speeds(q).keeping(self.v, *_speeds_to_keep(self._model, order, pinned))

    def changes(self, q: Array, v: Array) -> Changes:
        """The given coordinates and speeds that moved by more than rounding."""
        model = self._model
        names = (*model.coordinates, *model.speeds)
        before = {**self._given, **self._branch.given}
        before |= dict(zip(names, map(float, (*self.q, *self.v)), strict=True))
        after = dict(zip(names, map(float, (*q, *v)), strict=True))
        after |= self._branch.values(q) | self._speeds(q).closing(v)
        changes = {n: (before[n], after[n]) for n in self._given if n in after}
        return more_than_rounding(model.mechanism, model.sizes.scales, changes)


def more_than_rounding(mechanism: Mechanism, scales: Scales, changes: Changes) -> Changes:
    """The changes that are more than rounding."""
    units = coordinate_units(mechanism) | speed_units(mechanism)
    sizes = {name: _CHANGED * float(scales.of([units[name]])[0]) for name in changes}
    return {n: (old, new) for n, (old, new) in changes.items() if abs(new - old) > sizes[n]}


def given_values(
    mechanism: Mechanism, parameters: Mapping[str, Any], guess: Mapping[str, float]
) -> dict[str, float]:
    """The guess over the initial values of the mechanism."""
    with np.errstate(all="ignore"):  # what is no number is refused by its name
        described = {n: float(evaluate(x, parameters)) for n, x in mechanism.initial.items()}
    return described | dict(guess)


def _check_finite(model: CompiledModel, given: Mapping[str, float]) -> None:
    """Refuse values of the tree that are not numbers."""
    for name in (*model.coordinates, *model.speeds):
        if not np.isfinite(given.get(name, 0.0)):
            raise ModelError(
                f'initial "{name}"',
                say("its value is {value} with these parameters.", given[name]),
                "Give another initial value, or other parameters.",
            )


def _check_pinned(model: CompiledModel, pinned: tuple[str, ...]) -> None:
    """Refuse pinned coordinates that are none of the tree, or a part of a quaternion."""
    require_known("assemble", "coordinate", pinned, model.coordinates)
    for name in pinned:
        if f"{name}." not in model.speeds:
            raise ModelError(
                "assemble", say('"{name}" is part of a quaternion: it cannot be pinned.', name)
            )


def _speeds_to_keep(
    model: CompiledModel, given: Sequence[str], pinned: Sequence[str]
) -> tuple[list[str], list[str], list[str]]:
    """The speeds that are given, those of pinned coordinates, and those of given ones."""
    known = pins(model.mechanism)
    requested = [name for name in given if name in model.mechanism.every_speed]
    resting = [speed for name in given if name in known for speed in known[name].speeds]
    return requested, [f"{name}." for name in pinned], [n for n in resting if n not in requested]


# --- speeds ---------------------------------------------------------------------------------------


@final
class StartSpeeds:
    """The speeds of a configuration q that is closed at a time.

    Speeds are named, those of joints that close loops like those of the tree.
    """

    def __init__(
        self,
        constraints: NumericConstraints,
        tree: NumericTree,
        branch: ClosingBranch,
        q: Array,
        t: float,
    ) -> None:
        self._sizes = sizes = constraints.model.sizes
        self._tree, self._branch, self._q = tree, branch, q
        self._J = sizes.without_dimension(np.array(constraints.J(q, t)))
        self._b = constraints.rate(q, t) / sizes.rows
        self._places = {name: k for k, name in enumerate(constraints.model.speeds)}

    @cached_property
    def _rows(self) -> dict[str, Array]:
        """Each speed, in parts of its size, as a row of the speeds of the tree."""
        return self._tree.rows(self._q)

    @cached_property
    def _arcs(self) -> Array:
        return self._tree.arcs(self._q)

    def closing(self, v: Array) -> dict[str, float]:
        """The given speeds of closing joints as they are when the tree moves at v."""
        u = v / self._sizes.displacements
        return {n: float(self._rows[n] @ u * self._tree.size(n)) for n in self._branch.speeds}

    def keeping(
        self, v: Array, requested: Sequence[str], fixed: Sequence[str], resting: Sequence[str]
    ) -> Array:
        """Consistent speeds: the requested ones, those of pinned and given coordinates as in v.

        If they cannot all be kept, fewer are; at last each requested one in its order, if it can
        be kept beside those before it; or all are changed by as little as possible, if the order
        costs far more.
        """
        for names in ([*requested, *fixed, *resting], [*requested, *fixed], requested):
            try:
                return self.consistent(v, names)
            except SolveError:
                continue
        satisfied: list[str] = []
        result = self.consistent(v, satisfied)
        for name in requested:
            try:
                result = self.consistent(v, [*satisfied, name])
            except SolveError:
                continue
            satisfied.append(name)
        least = self._least(v, requested)
        costs = [largest(self._off(v, x, requested)) for x in (result, least)]
        return least if costs[0] > DEARER * costs[1] else result

    def consistent(self, v: Array, names: Sequence[str]) -> Array:
        """The slowest speeds that the constraints allow, with the named ones as they are given."""
        distinct = list(dict.fromkeys(names))
        fixed = [self._places[n] for n in distinct if n in self._places]
        u = v / self._sizes.displacements
        given, size = self._branch.speeds, self._tree.size
        values = [
            u[self._places[n]] if n in self._places else given.get(n, 0.0) / size(n)
            for n in distinct
        ]
        A = np.vstack([self._J, *(self._rows[n] for n in distinct)])
        right = np.concatenate([-self._b, values])
        result = np.zeros(len(v))
        if largest(right):
            slowest = least_step(A, right, self._arcs)
            slowest[np.abs(slowest) < _ROUNDING * largest(slowest)] = 0.0
            # given ones exactly, the others once more without the rounding of the first solution
            slowest[fixed] = u[fixed]
            free = [k for k in range(len(v)) if k not in fixed and slowest[k]]
            slowest[free] += least_step(A[:, free], right - A @ slowest, None)
            result = slowest * self._sizes.displacements
        result[fixed] = v[fixed]
        left = largest(A @ (result / self._sizes.displacements) - right)
        usual = 1 / self._sizes.scales.time
        if left > _KEPT * (usual + largest(right)):
            raise SolveError(
                "assemble",
                say(
                    "the pinned speeds cannot be kept: loops would open at {left:.3g} sizes or "
                    "radians a second.",
                    left,
                ),
                "Pin fewer coordinates.",
            )
        return result

    def _least(self, v: Array, requested: Sequence[str]) -> Array:
        """Consistent speeds with the least change of those asked for."""
        u, arcs = v / self._sizes.displacements, [self._tree.arc(n) for n in requested]
        A = np.array([arc * self._rows[n] for arc, n in zip(arcs, requested, strict=True)])
        right, off = -(self._b + self._J @ u), self._off(v, v, requested)
        result = u + nearest_step(self._J, right, A, off, self._arcs)
        return np.asarray(result * self._sizes.displacements)

    def _off(self, v: Array, result: Array, requested: Sequence[str]) -> Array:
        """The rates of arcs by which the speeds asked for differ from the given ones."""
        given, size = self._branch.speeds, self._tree.size
        before, u = (x / self._sizes.displacements for x in (v, result))
        off = []
        for name in requested:
            row = self._rows[name]
            target = given[name] / size(name) if name in given else row @ before
            off.append(self._tree.arc(name) * (row @ u - target))
        return np.array(off)
