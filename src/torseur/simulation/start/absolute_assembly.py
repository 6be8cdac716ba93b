"""Assembly in absolute coordinates: bodies placed by joints, loops closed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import symbol
from torseur.errors import SolveError, require_known
from torseur.machine.absolute import places as at
from torseur.machine.absolute.model import AbsoluteModel
from torseur.machine.sizes import EPSILON
from torseur.model.constraints.relation import CoordinateMotion, Relation
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.description import Mechanism
from torseur.model.values.scales import coordinate_units
from torseur.simulation.constraints.displacement import named_state
from torseur.simulation.constraints.newton import look_by_kernel, returned
from torseur.simulation.constraints.numeric_constraints import CLOSED
from torseur.simulation.run.placed_bodies import placed
from torseur.simulation.run.poses import Poses
from torseur.simulation.start.assemble import Changes, given_values, more_than_rounding
from torseur.simulation.start.pins import pins
from torseur.topology.structure import structure
from torseur.words.sentence import say

Array = np.ndarray


def assembled(
    model: AbsoluteModel, initial: Mapping[str, float], t: float
) -> tuple[Array, Changes]:
    """The state nearest to what is given at a time, and the given values that had to move.

    All that is given is kept if loops close so, else what `initial` gives, its first, or nothing;
    coordinates first, then speeds, those of all joints alike.
    """
    known = {*model.mechanism.every_coordinate, *model.mechanism.every_speed}
    require_known("simulate", "coordinate", initial, known)
    given = given_values(model.mechanism, model.values, initial)
    tree_structure = structure(_carried_by_given(model.numbers, given))
    q, v = named_state(
        tree_structure.tree, tree_structure.coordinates, tree_structure.speeds, given
    )
    start = placed(model, q, v, given, tree_structure)
    if not model.graph.sets:
        return start, {}
    # positions, then speeds; given coordinates rest unless their speeds are given
    choices: tuple[tuple[str, ...], ...] = tuple(given), tuple(initial), tuple(initial)[:1], ()
    state = _first(_closed, [_pinned(model, names, given) for names in choices], start, t)
    speeds = {n: x for n, x in given.items() if n in model.mechanism.every_speed}
    resting = (
        speed for n, pin in pins(model.mechanism).items() if n in given for speed in pin.speeds
    )
    choices = (
        tuple(dict.fromkeys((*speeds, *resting))),
        *(tuple(n for n in names if n in speeds) for names in choices),
    )
    state = _first(_calmed, [_moving(model, names, speeds) for names in choices], state, t)
    return state, _changes(model, state, given)


def _carried_by_given(mechanism: Mechanism, given: Mapping[str, float]) -> Mechanism:
    """The mechanism with bodies carried, where they can be, by joints with given coordinates."""
    joints = mechanism.joints.values()
    named = tuple(joint.name for joint in joints if given.keys() & set(joint.coordinates))
    return replace(mechanism, carried_by=named) if named else mechanism


def _first(
    hold: Callable[[AbsoluteModel, Array, float], Array],
    models: Sequence[Callable[[], AbsoluteModel]],
    y: Array,
    t: float,
) -> Array:
    """The state held by the first of the models that can hold it."""
    *others, last = models
    for candidate in others:
        with suppress(SolveError):
            return hold(candidate(), y, t)
    return hold(last(), y, t)


def _pinned(
    model: AbsoluteModel, names: Iterable[str], given: Mapping[str, float]
) -> Callable[[], AbsoluteModel]:
    """The model with the named coordinates held at their values."""
    mechanism = model.mechanism
    driven = {m.coordinate for m in imposed_coordinates(mechanism).values()}
    known = pins(mechanism)
    usable = [n for n in names if n in known and n not in driven and not known[n].is_attitude]
    laws = {f"pin of {n}": n for n in usable}
    motions = {name: CoordinateMotion(name, n, symbol(name)) for name, n in laws.items()}
    values = {name: given[n] for name, n in laws.items()}
    return lambda: _with(model, values, motions={**mechanism.motions, **motions})


def _moving(
    model: AbsoluteModel, names: Iterable[str], given: Mapping[str, float]
) -> Callable[[], AbsoluteModel]:
    """The model with the named speeds held at their values, or at zero."""
    mechanism = model.mechanism
    driven = {f"{m.coordinate}." for m in imposed_coordinates(mechanism).values()}
    laws = {f"pin of {n}": n for n in names if n not in driven}
    relations = {
        name: Relation(name, symbol(n, "speed") - symbol(name)) for name, n in laws.items()
    }
    values = {name: given.get(n, 0.0) for name, n in laws.items()}
    return lambda: _with(model, values, constraints={**mechanism.constraints, **relations})


def _with(model: AbsoluteModel, values: Mapping[str, float], **pins: Any) -> AbsoluteModel:
    if not values:
        return model
    return AbsoluteModel(replace(model.mechanism, events={}, **pins), {**model.values, **values})


def _closed(model: AbsoluteModel, y: Array, t: float) -> Array:
    """Newton's method with the smallest change, in the mass metric, at each step."""
    rounding = _rounding(model, y)
    length, bodies = model.scales.length, len(model.graph.bodies)
    sizes = np.ones(model.size)
    sizes[: at.STATE * bodies].reshape(-1, at.STATE)[:, at.POSITION : at.ATTITUDE] = length

    def project(state: Array) -> tuple[Array, Array]:
        displaced, gaps = model.project(at.CLOSE, state, t)
        return displaced, model.opening(gaps)

    look = look_by_kernel(project, sizes)
    result = returned(look, y, lambda _, factor: factor * CLOSED + rounding)
    if not result.is_closed:
        name, gap = model.worst(model.project(at.CLOSE, result.q, t)[1])
        raise SolveError(
            f'"{name}"',
            say("it stays open by {gap:.3g} (m or rad).", gap),
            "Are the lengths long enough to reach? Give a closer guess.",
        )
    return result.q


def _calmed(model: AbsoluteModel, y: Array, t: float) -> Array:
    """Speeds that keep loops closed, by the smallest change in the mass metric."""
    length, bodies = model.scales.length, len(model.graph.bodies)
    calmed, _ = model.project(at.CALM, y, t)
    _, left = model.project(at.CALM, calmed, t)
    moving = np.abs(calmed[: at.STATE * bodies].reshape(-1, at.STATE))
    fast = moving[:, at.VELOCITY : at.SPIN].max() / length + moving[:, at.SPIN :].max()
    if not np.abs(model.opening(left)).max() < 1e-9 * (1 / model.scales.time + fast):
        name, rate = model.worst(left)
        raise SolveError(
            f'"{name}"',
            say("the given speeds cannot be kept: it would open at {rate:.3g} m/s or rad/s.", rate),
            "Give fewer speeds.",
        )
    return calmed


def _rounding(model: AbsoluteModel, y: Array) -> float:
    """Gap that the rounding of followed coordinates may open."""
    units = coordinate_units(model.mechanism)
    sizes = model.scales.of(units[measure.name] for measure in model.followers)
    followed = y[at.STATE * len(model.graph.bodies) : -1]
    return 8 * EPSILON * float(np.abs(followed / sizes).max(initial=0.0))


def _changes(model: AbsoluteModel, state: Array, given: Mapping[str, float]) -> Changes:
    """The given coordinates and speeds that moved: as given, as taken."""
    then = Poses(model, np.zeros(1), state[np.newaxis])
    by_name: dict[str, float] = {}
    for joint in model.mechanism.joints.values():
        names, values = (*joint.coordinates, *joint.speeds), []
        if any(name in given for name in names):
            values = [*then.coordinates(joint), *then.speeds(joint)]
            by_name |= {n: float(x[0]) for n, x in zip(names, values, strict=True) if n in given}
    changes = {name: (given[name], value) for name, value in by_name.items()}
    return more_than_rounding(model.mechanism, model.scales, changes)
