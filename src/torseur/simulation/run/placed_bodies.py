"""The bodies of a mechanism placed from the coordinates and speeds of a tree that carries them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.closure import closures
from torseur.equations.expressions.sampling import over_samples
from torseur.equations.symbols.system import System
from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.model.description import Joint, Mechanism
from torseur.model.joints.protocol import JointType
from torseur.simulation.run.poses import STILL, Poses
from torseur.spatial import quaternion
from torseur.spatial.attitude_steps import exponential
from torseur.spatial.triples import cross, mapped, mapped_back, plus, product
from torseur.topology.structure import Structure, structure
from torseur.topology.tree import GROUND_INDEX, Link, Tree

Array = np.ndarray


def poses(model: AbsoluteModel, t: Array, q: Array, v: Array) -> Poses:
    """The bodies at all samples of a motion in the coordinates of joints."""
    return Poses(model, t, _states(model, q, v, {}))


def placed(
    model: AbsoluteModel,
    q: Array,
    v: Array,
    given: Mapping[str, float] | None = None,
    tree_structure: Structure | None = None,
) -> Array:
    """The state of all bodies from the coordinates and speeds of a tree that carries them.

    The angles of closing joints are read from it, to the turn nearest to what is given.
    """
    return np.asarray(_states(model, q[np.newaxis], v[np.newaxis], given or {}, tree_structure)[0])


def _states(
    model: AbsoluteModel,
    q: Array,
    v: Array,
    given: Mapping[str, float],
    tree_structure: Structure | None = None,
) -> Array:
    """States of bodies at samples (samples, size)."""
    tree_structure = tree_structure or structure(model.numbers)
    states = np.zeros((len(q), model.size))
    for name, columns in body_states(model.numbers, tree_structure.tree, q, v):
        states[:, at.STATE * (model.index[name] - 1) :][:, : at.STATE] = columns
    _choose_signs(model, tree_structure, q, states)
    first = at.STATE * len(model.graph.bodies)
    for state, position in zip(states, q, strict=True) if model.followers else ():
        values = every_coordinate(model.mechanism, tree_structure, position, given)
        state[first:][: len(model.followers)] = [values[x.name] for x in model.followers]
    return states


def body_states(numbers: Mechanism, tree: Tree, q: Array, v: Array) -> Iterator[tuple[str, Array]]:
    """Every body, by name, and its 13 numbers at every sample of coordinates and speeds."""
    rest = ((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), STILL, STILL, STILL)
    moving: dict[int, Any] = {GROUND_INDEX: rest}  # R_WM and p_WM, then ω and velocity in M
    for k, link in enumerate(tree.links):
        R, p, w, V = moving[link.parent]
        R_PM, p_PM, w_J, v_J = _joint_motion(link, q[:, link.q], v[:, link.v])
        V = plus(mapped_back(R_PM, plus(V, cross(w, p_PM))), v_J)
        w = plus(mapped_back(R_PM, w), w_J)
        p, R = plus(p, mapped(R, p_PM)), product(R, R_PM)
        moving[k] = R, p, w, V
        centre = link.X_MB.point(np.asarray(numbers.bodies[link.name].centre, dtype=float))
        R_MB = np.asarray(link.X_MB.R.matrix, dtype=float).ravel()
        attitude = quaternion.from_matrix(np.array(product(R, R_MB)).reshape(3, 3, -1))
        velocity = mapped(R, plus(V, cross(w, centre)))
        state = (plus(p, mapped(R, centre)), attitude, velocity, mapped_back(R_MB, w))
        yield link.name, np.concatenate(state).T


def _joint_motion(link: Link, q: Array, v: Array) -> tuple[Any, ...]:
    """R_PM and p_PM of a link at samples, as columns, and what its joint adds to ω and velocity."""
    names = [f"{letter}[{k}]" for letter, x in (("q", q), ("v", v)) for k in range(x.shape[1])]
    columns = dict(zip(names, (*q.T, *v.T), strict=True))
    motion = over_samples(_motion_read(link.joint), columns, len(q)).T
    R_PF = np.asarray(link.X_PF.R.matrix, dtype=float).ravel()
    p_PM = plus(np.asarray(link.X_PF.p, dtype=float), mapped(R_PF, motion[9:12]))
    return product(R_PF, motion[:9]), p_PM, motion[12:15], motion[15:]


@lru_cache(maxsize=256)
def _motion_read(joint: JointType) -> Array:
    """R and p of M in F, and the motion S v, as expressions of the coordinates and speeds."""
    q, v = (
        np.array([symbol(f"{letter}[{k}]", "input") for k in range(count)], dtype=object)
        for letter, count in (("q", joint.nq), ("v", joint.nv))
    )
    X, S = joint.transform(q), joint.motion_subspace(q)
    return expressions([*np.ravel(X.R.matrix), *X.p, *(np.asarray(S) @ v)])


def _choose_signs(model: AbsoluteModel, tree_structure: Structure, q: Array, states: Array) -> None:
    """Choose the sign of a body's quaternion by which its joint's quaternion is as given."""
    then = Poses(model, np.zeros(len(q)), states)  # which sees what is changed here
    for _, link in tree_structure.tree:
        if link.joint.turning:
            read = then.coordinates(model.mechanism.joints[link.joint_name])
            other = np.sum(read[-4:] * q[:, link.q][:, -4:].T, axis=0) < 0
            attitude = states[:, at.STATE * (model.index[link.name] - 1) :]
            attitude[:, at.ATTITUDE : at.VELOCITY][other] *= -1


def every_coordinate(
    mechanism: Mechanism, structure: Structure, q: Array, given: Mapping[str, float]
) -> dict[str, float]:
    """Every coordinate of the joints of the tree and of those that close it."""
    values = dict(zip(structure.coordinates, map(float, q), strict=True))
    joints = mechanism.joints
    closing = tuple(cut for cut in structure.cuts if cut.name in joints and cut.coordinates)
    for closure in closures(structure.tree, closing, q) if closing else ():
        read = np.array(closure.coordinates, dtype=float)
        for k in angles(closure.cut.joint):
            known = given.get(closure.cut.coordinates[k], read[k])
            read[k] += turns(known, read[k])
        values |= dict(zip(closure.cut.coordinates, map(float, read), strict=True))
    return values


# --- closing joints -------------------------------------------------------------------------------


def with_coordinates(system: System) -> list[Joint]:
    """The joints that close loops and have coordinates."""
    joints = system.mechanism.joints
    closing = [joints[cut.name] for cut in system.cuts if cut.name in joints]
    return [joint for joint in closing if joint.coordinates]


def motion_values(q: Array, motions: Array) -> dict[str, Any]:
    """The symbols of `speeds_read` at samples, from the coordinates and the motions of a joint."""
    known = {f"q[{k}]": x for k, x in enumerate(q.T)}
    return known | {f"t[{k}]": x for k, x in enumerate(motions[:, 12:].T)}


@lru_cache(maxsize=256)
def speeds_read(joint: Any) -> tuple[Array, Array]:
    """The speeds of a joint and their rates, as expressions of its coordinates, of t and of ṫ."""
    q, t, rate = (
        np.array([symbol(f"{name}[{k}]", "input") for k in range(count)], dtype=object)
        for name, count in (("q", joint.nq), ("t", 6), ("t.", 6))
    )
    S = expressions(joint.motion_subspace(q))
    v = expressions([S[:, k] @ t / (S[:, k] @ S[:, k]) for k in range(joint.nv)])
    along = dict(zip(q, joint.rates(q, v), strict=True)) | dict(zip(t, rate, strict=True))
    return v, time_derivative(v, along)


# --- followed from sample to sample --------------------------------------------------------------


def followed(joint: JointType, t: Array, samples: Array, speeds: Array) -> Array:
    """The coordinates of a joint (samples, nq) without jumps, which its speeds foretell.

    Whole turns are added to angles; of a quaternion a and −a, the one that is nearer to what the
    speeds between two samples lead to. It has w ≥ 0 at first.
    """
    result, mean = samples.copy(), (speeds[1:] + speeds[:-1]) / 2 * np.diff(t)[:, np.newaxis]
    if joint.turning:
        flips = np.cumprod(_signs(result[:-1, -4:], mean[:, -3:], result[1:, -4:]))
        result[1:, -4:] *= flips[:, np.newaxis]
    for k in angles(joint):
        result[1:, k] += np.cumsum(turns(result[:-1, k] + mean[:, k], result[1:, k]))
    return result


def beside(joint: JointType, samples: Array, known: Array, ahead: Array) -> Array:
    """The coordinates of a joint (samples, nq), each beside known ones from which it moved on.

    `ahead` (samples, nv) is what the speeds have made of the way since then.
    """
    result = samples.copy()
    if joint.turning:
        signs = _signs(known[:, -4:], ahead[:, -3:], result[:, -4:])
        result[:, -4:] *= signs[:, np.newaxis]
    for k in angles(joint):
        result[:, k] += turns(known[:, k] + ahead[:, k], result[:, k])
    return result


def angles(joint: JointType) -> list[int]:
    """The coordinates of a joint that whole turns leave as they are."""
    units = enumerate(joint.coordinate_units)
    return [k for k, unit in units if unit == "rad" and k < joint.nv]


def turns(foretold: Any, angles: Any) -> Any:
    """Whole turns between angles and what was foretold of them [rad]."""
    return 2 * np.pi * np.round((foretold - angles) / (2 * np.pi))


def _signs(before: Array, ahead: Array, after: Array) -> Array:
    """−1 where the speeds lead from one attitude to minus the other."""
    foretold = quaternion.product(before.T, exponential(ahead.T))
    return np.where((foretold * after.T).sum(axis=0) < 0, -1.0, 1.0)
