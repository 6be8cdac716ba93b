"""Assembly in absolute coordinates: bodies placed by joints, loops closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import TIME, symbol
from torseur.errors import SolveError, require_known
from torseur.machine.absolute import places as at
from torseur.machine.absolute.model import AbsoluteModel
from torseur.machine.sizes import EPSILON
from torseur.model.constraints.motion import CoordinateMotion
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.values.scales import coordinate_units
from torseur.simulation.constraints.displacement import named_state
from torseur.simulation.constraints.newton import look_by_kernel, returned
from torseur.simulation.constraints.numeric_constraints import CLOSED
from torseur.simulation.run.placed_bodies import placed
from torseur.simulation.run.poses import Poses
from torseur.simulation.start.assemble import given_values, told
from torseur.topology.structure import structure
from torseur.words.sentence import say

Array = np.ndarray


def assembled(
    model: AbsoluteModel, initial: Mapping[str, float], t: float
) -> tuple[Array, dict[str, float]]:
    """The state nearest to what is given at a time, and what had to move by how much.

    All that is given is kept if loops close so, else what `initial` gives, its first, or nothing.
    """
    known = {*model.mechanism.every_coordinate, *model.mechanism.every_speed}
    require_known("simulate", "coordinate", initial, known)
    given = given_values(model.mechanism, model.values, initial)
    found = structure(model.numbers)
    q, v = named_state(found.tree, found.coordinates, found.speeds, given)
    start = placed(model, q, v, given)
    if not model.graph.sets:
        return start, {}
    for pinned in dict.fromkeys((tuple(given), tuple(initial), tuple(initial)[:1])):
        try:
            state = _closed(_pinned(model, pinned, given, t), start, t)
            return state, _changes(model, state, given)
        except SolveError:
            continue
    state = _closed(model, start, t)
    return state, _changes(model, state, given)


def _pinned(
    model: AbsoluteModel, names: Iterable[str], given: Mapping[str, float], t: float
) -> AbsoluteModel:
    """The model with the named coordinates held at their value, and moving at their speed."""
    mechanism, wanted = model.mechanism, set(names)
    driven = {m.coordinate for m in imposed_coordinates(mechanism).values()}
    pins: dict[str, Any] = {}
    values = dict(model.values)
    for joint in mechanism.joints.values():
        if joint.kind.nq != joint.kind.nv:
            continue
        for q, v in zip(joint.coordinates, joint.speeds, strict=True):
            if q in wanted and q not in driven:
                name = f"pin of {q}"
                values |= {name: given[q], f"{name}.": given.get(v, 0.0)}
                law = symbol(name) + symbol(f"{name}.") * (TIME - t)
                pins[name] = CoordinateMotion(name, q, law)
    if not pins:
        return model
    motions = {**mechanism.motions, **pins}
    return AbsoluteModel(replace(mechanism, motions=motions, events={}), values)


def _closed(model: AbsoluteModel, y: Array, t: float) -> Array:
    """Newton's method with the smallest change, in the mass metric, at each step; then speeds."""
    rounding = _rounding(model, y)
    length, bodies = model.scales.length, len(model.graph.bodies)
    sizes = np.ones(model.size)
    sizes[: at.STATE * bodies].reshape(-1, at.STATE)[:, at.POSITION : at.ATTITUDE] = length

    def project(state: Array) -> tuple[Array, Array]:
        moved, gaps = model.moved(at.CLOSE, state, t)
        return moved, model.opening(gaps)

    look = look_by_kernel(project, sizes)
    found = returned(look, y, lambda _, factor: factor * CLOSED + rounding)
    y = found.q
    if not found.is_closed:
        name, gap = model.worst(model.moved(at.CLOSE, y, t)[1])
        raise SolveError(
            f'"{name}"',
            say("it stays open by {gap:.3g} (m or rad).", gap),
            "Are the lengths long enough to reach? Give a closer guess.",
        )
    calmed, _ = model.moved(at.CALM, y, t)
    _, left = model.moved(at.CALM, calmed, t)
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
    """What the rounding of coordinates that are followed may open loops by."""
    units = coordinate_units(model.mechanism)
    sizes = model.scales.of(units[measure.name] for measure in model.followers)
    followed = y[at.STATE * len(model.graph.bodies) : -1]
    return 8 * EPSILON * float(np.abs(followed / sizes).max(initial=0.0))


def _changes(model: AbsoluteModel, state: Array, given: Mapping[str, float]) -> dict[str, float]:
    """The given coordinates and speeds that moved, and by how much."""
    then = Poses(model, np.zeros(1), state[np.newaxis])
    found: dict[str, float] = {}
    for joint in model.mechanism.joints.values():
        names, values = (*joint.coordinates, *joint.speeds), []
        if any(name in given for name in names):
            values = [*then.coordinates(joint), *then.speeds(joint)]
            found |= {n: float(x[0]) for n, x in zip(names, values, strict=True) if n in given}
    changes = {name: value - given[name] for name, value in found.items()}
    return told(model.mechanism, model.scales, changes)
