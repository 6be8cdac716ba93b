"""Assembly: coordinates and speeds that close every loop, near a guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.graph import evaluate
from torseur.brief import brief
from torseur.errors import ModelError, SolveError, require_known
from torseur.language.text.given import given_state
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.model.values.scales import Scales, coordinate_units, speed_units
from torseur.simulation.constraints.displacement import named_state
from torseur.simulation.constraints.newton import largest
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.keeping import Assembly
from torseur.simulation.start.loop_closing import ClosingBranch
from torseur.words.sentence import say

Array = np.ndarray

_CHANGED = 1e-9  # a given value that moved by more is told [rad, or part of the size]
_RANK = 1e-9
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
    changed: dict[str, float]  # given coordinates and speeds that had to move, and by how much

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

    Values of the guess are kept if loops close so; else as many of them, in their order, as can be
    kept; the rest moves as little as possible. The guess is completed by the mechanism's initial
    values, treated likewise after it, then by zeros. Pinned coordinates keep their value in any
    case. Of several assemblies, the one is taken whose closing joints are nearest to what is
    given. If a loop stays open, the error names its joint and the gap.
    """
    model = compiled_at(mechanism, parameters)
    guess = given_state(model.mechanism, {} if guess is None else guess, "guess")
    given = given_values(model.mechanism, model.parameters, guess)
    _check_finite(model, given)
    q, v = named_state(model.system.tree, model.coordinates, model.speeds, given)
    fixed = _pinned_columns(model, pinned)
    held = NumericConstraints(model)
    branch = ClosingBranch(model, given)
    own = tuple(model.mechanism.initial)
    found = Assembly(held, branch, q, t).keeping(pinned, tuple(guess), own) if held else q
    order = dict.fromkeys((*guess, *model.mechanism.initial))
    places = {name: k for k, name in enumerate(model.speeds)}
    asked = [places[name] for name in order if name in places]
    resting = [places[f"{name}."] for name in order if f"{name}." in places]
    speeds = _speeds(held, found, v, (asked, fixed, resting), t)
    names = (*model.coordinates, *model.speeds)
    after, before = np.concatenate([found, speeds]), np.concatenate([q, v])
    changes = dict(zip(names, map(float, after - before), strict=True))
    changes = {n: x for n, x in changes.items() if n in given} | branch.changes(found)
    moved = told(model.mechanism, model.sizes.scales, changes)
    return Assembled(model, found, speeds, largest(held.gap(found, t)), moved)


def told(mechanism: Mechanism, scales: Scales, changes: Mapping[str, float]) -> dict[str, float]:
    """The changes that are more than rounding."""
    units = coordinate_units(mechanism) | speed_units(mechanism)
    return {n: x for n, x in changes.items() if abs(x) > _CHANGED * scales.of([units[n]])[0]}


def given_values(
    mechanism: Mechanism, parameters: Mapping[str, Any], guess: Mapping[str, float]
) -> dict[str, float]:
    """The guess over the initial values of the mechanism."""
    own = mechanism.initial.items()
    return {name: float(evaluate(x, parameters)) for name, x in own} | dict(guess)


def _check_finite(model: CompiledModel, given: Mapping[str, float]) -> None:
    """Refuse values of the tree that are not numbers."""
    for name in (*model.coordinates, *model.speeds):
        if not np.isfinite(given.get(name, 0.0)):
            raise ModelError(
                f'initial "{name}"',
                say("its value is {value} with these parameters.", given[name]),
                "Give another initial value, or other parameters.",
            )


def _pinned_columns(model: CompiledModel, pinned: tuple[str, ...]) -> list[int]:
    """The speeds of the coordinates that must not move."""
    require_known("assemble", "coordinate", pinned, model.coordinates)
    place = {name: k for k, name in enumerate(model.speeds)}
    for name in pinned:
        if f"{name}." not in place:
            raise ModelError(
                "assemble", say('"{name}" is part of a quaternion: it cannot be pinned.', name)
            )
    return [place[f"{name}."] for name in pinned]


def _speeds(
    held: NumericConstraints, q: Array, v: Array, kept: tuple[Sequence[int], ...], t: float
) -> Array:
    """Consistent speeds: those asked for, of pinned and of given coordinates, kept if they can be.

    Otherwise fewer of them, and at last each that is asked for in its order, if it can be kept
    beside those before it.
    """
    asked, fixed, resting = kept
    for choice in ([*asked, *fixed, *resting], [*asked, *fixed], asked):
        try:
            return consistent_speeds(held, q, v, choice, t)
        except SolveError:
            continue
    possible: list[int] = []
    found = consistent_speeds(held, q, v, possible, t)
    for k in asked:
        try:
            found = consistent_speeds(held, q, v, [*possible, k], t)
        except SolveError:
            continue
        possible.append(k)
    return found


def consistent_speeds(
    held: NumericConstraints, q: Array, v: Array, fixed: Sequence[int], t: float
) -> Array:
    """The nearest speeds that the constraints allow; pinned coordinates keep theirs."""
    if not held:
        return v
    sizes = held.model.sizes
    J, b = sizes.without_dimension(np.array(held.J(q, t))), held.rate(q, t) / sizes.rows
    u = v / sizes.displacements
    free = [k for k in range(len(v)) if k not in fixed]
    change = np.linalg.lstsq(J[:, free], -(J @ u + b), rcond=_RANK)[0]
    found = v.copy()
    found[free] += change * sizes.displacements[free]
    left = largest(J @ (found / sizes.displacements) + b)
    usual = 1 / sizes.scales.time
    if left > _KEPT * (usual + np.abs(u).max(initial=0.0) + np.abs(b).max(initial=0.0)):
        raise SolveError(
            "assemble",
            say(
                "the pinned speeds cannot be kept: loops would open at {left:.3g} sizes or radians "
                "a second.",
                left,
            ),
            "Pin fewer coordinates.",
        )
    return found
