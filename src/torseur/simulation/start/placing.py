"""Where a motion in absolute coordinates starts: bodies placed by joints, loops closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate
from torseur.dynamics.tree.closure import closures
from torseur.dynamics.tree.kinematics import ground_poses, velocities
from torseur.errors import SolveError, unknown
from torseur.machine.absolute import places as at
from torseur.machine.absolute.model import AbsoluteModel
from torseur.machine.sizes import EPSILON
from torseur.model.constraints.coordinate_motion import CoordinateMotion
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.values.scales import coordinate_units, speed_units
from torseur.simulation.run.followed import angles
from torseur.simulation.run.poses import Poses
from torseur.simulation.start.numeric_constraints import CLOSED
from torseur.spatial import quaternion
from torseur.spatial.vectors import cross
from torseur.topology.structure import TIME, Structure, structure

Array = np.ndarray
# Newton's method halves its step until the gap shrinks; a mechanism that closes does so in a few.
_STEPS, _HALVINGS = 60, 8


def placed(
    model: AbsoluteModel, q: Array, v: Array, given: Mapping[str, float] | None = None
) -> Array:
    """The state of all bodies from the coordinates and speeds of a tree that carries them.

    The angles of closing joints are read from it, to the turn nearest to what is given.
    """
    return _placed(model, structure(model.numbers), q, v, given)


def poses(model: AbsoluteModel, t: Array, q: Array, v: Array) -> Poses:
    """The bodies at all samples of a motion in the coordinates of joints."""
    found = structure(model.numbers)
    return Poses(
        model, t, np.array([_placed(model, found, *one) for one in zip(q, v, strict=True)])
    )


def _placed(
    model: AbsoluteModel,
    found: Structure,
    q: Array,
    v: Array,
    given: Mapping[str, float] | None = None,
) -> Array:
    state = np.zeros(model.size)
    tree, moving = found.tree, velocities(found.tree, q, v)
    for X_WM, motion, link in zip(ground_poses(tree, q), moving, tree.links, strict=True):
        body = model.numbers.bodies[link.name]
        centre = link.X_MB.point(np.asarray(body.centre, dtype=float))  # in the computing frame
        own = state[at.STATE * (model.index[link.name] - 1) :][: at.STATE]
        own[at.POSITION : at.ATTITUDE] = X_WM.point(centre)
        R = np.asarray((X_WM.R @ link.X_MB.R).matrix, dtype=float)
        own[at.ATTITUDE : at.VELOCITY] = quaternion.from_matrix(R)
        own[at.VELOCITY : at.SPIN] = X_WM.R.out(motion.v + cross(motion.w, centre))
        own[at.SPIN :] = link.X_MB.R.into(motion.w)
    _choose_signs(model, found, q, state)
    values = _angles(model, found, q, given or {})
    first = at.STATE * len(model.graph.bodies)
    for k, measure in enumerate(model.followers):
        state[first + k] = values[measure.name]
    return state


def _choose_signs(model: AbsoluteModel, found: Structure, q: Array, state: Array) -> None:
    """Of the quaternions a and −a of a body, the one by which that of its joint is as given."""
    then = Poses(model, np.zeros(1), state[np.newaxis])  # which sees what is changed here
    for _, link in found.tree:
        if link.joint.turning:
            read = then.coordinates(model.mechanism.joints[link.joint_name])
            if np.ravel(read[-4:]) @ q[link.q][-4:] < 0:
                own = state[at.STATE * (model.index[link.name] - 1) :]
                own[at.ATTITUDE : at.VELOCITY] *= -1


def _angles(
    model: AbsoluteModel, found: Structure, q: Array, given: Mapping[str, float]
) -> dict[str, float]:
    """Every coordinate of the joints of the tree and of those that close it."""
    values = dict(zip(found.coordinates, map(float, q), strict=True))
    joints = model.mechanism.joints
    closing = tuple(cut for cut in found.cuts if cut.name in joints and cut.coordinates)
    for closure in closures(found.tree, closing, q) if closing else ():
        read = np.array(closure.coordinates, dtype=float)
        for k in angles(closure.cut.joint):
            known = given.get(closure.cut.coordinates[k], read[k])
            read[k] += 2 * np.pi * np.round((known - read[k]) / (2 * np.pi))
        values |= dict(zip(closure.cut.coordinates, map(float, read), strict=True))
    return values


# --- assembly -----------------------------------------------------------------------------------


def assembled(
    model: AbsoluteModel, initial: Mapping[str, float], t: float
) -> tuple[Array, dict[str, float]]:
    """The state nearest to what is given at a time, and what had to move by how much.

    All that is given is kept if loops close so, else what `initial` gives, its first, or nothing.
    """
    known = {*model.mechanism.every_coordinate, *model.mechanism.every_speed}
    for name in initial:
        if name not in known:
            raise unknown("simulate", "coordinate", name, known)
    own = model.mechanism.initial
    given = {name: float(evaluate(x, model.values)) for name, x in own.items()} | dict(initial)
    found = structure(model.numbers)
    q, v = _tree_state(found, given)
    start = _placed(model, found, q, v, given)
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


def _tree_state(found: Structure, given: Mapping[str, float]) -> tuple[Array, Array]:
    """The coordinates and speeds of the tree; quaternions start at the identity."""
    q = np.zeros(found.tree.nq)
    for _, link in found.tree:
        q[link.q] = link.joint.neutral()
    for k, name in enumerate(found.coordinates):
        q[k] = given.get(name, q[k])
    for _, link in found.tree:
        if link.joint.turning:
            four = q[link.q][-4:]
            four /= np.linalg.norm(four)
    return q, np.array([given.get(name, 0.0) for name in found.speeds])


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
    within = CLOSED + _rounding(model, y)
    moved, gaps = model.moved(at.CLOSE, y, t)
    for _ in range(_STEPS):
        size = float(np.linalg.norm(model.opening(gaps)))
        if np.abs(model.opening(gaps)).max() < within:
            break
        for halving in range(_HALVINGS):
            trial = y + (moved - y) / 2**halving
            further, trial_gaps = model.moved(at.CLOSE, trial, t)
            if np.linalg.norm(model.opening(trial_gaps)) < size:
                break
        else:
            break
        y, moved, gaps = trial, further, trial_gaps
    if not np.abs(model.opening(gaps)).max() < 1e3 * within:
        name, gap = model.worst(gaps)
        raise SolveError(
            f'"{name}"',
            f"it stays open by {gap:.3g} (m or rad).",
            "Are the lengths long enough to reach? Give a closer guess.",
        )
    calmed, _ = model.moved(at.CALM, y, t)
    _, left = model.moved(at.CALM, calmed, t)
    bodies = np.abs(calmed[: at.STATE * len(model.graph.bodies)].reshape(-1, at.STATE))
    fast = bodies[:, at.VELOCITY : at.SPIN].max() / model.scales.length + bodies[:, at.SPIN :].max()
    if not np.abs(model.opening(left)).max() < 1e-9 * (1 / model.scales.time + fast):
        name, rate = model.worst(left)
        raise SolveError(
            f'"{name}"',
            f"the given speeds cannot be kept: it would open at {rate:.3g} m/s or rad/s.",
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
    changed = {name: value - given[name] for name, value in found.items()}
    units = coordinate_units(model.mechanism) | speed_units(model.mechanism)
    usual = {name: model.scales.of([units[name]])[0] for name in changed}
    return {name: x for name, x in changed.items() if abs(x) > 1e-9 * usual[name]}
