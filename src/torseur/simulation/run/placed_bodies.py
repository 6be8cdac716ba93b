"""The bodies of a mechanism placed from the coordinates and speeds of a tree that carries them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from torseur.dynamics.tree.closure import closures
from torseur.dynamics.tree.kinematics import ground_poses, velocities
from torseur.machine.absolute import places as at
from torseur.machine.absolute.model import AbsoluteModel
from torseur.model.description import Mechanism
from torseur.simulation.run.closing_joints import angles, turns
from torseur.simulation.run.poses import Poses
from torseur.spatial import quaternion
from torseur.spatial.vectors import cross
from torseur.topology.structure import Structure, structure
from torseur.topology.tree import Tree

Array = np.ndarray


def poses(model: AbsoluteModel, t: Array, q: Array, v: Array) -> Poses:
    """The bodies at all samples of a motion in the coordinates of joints."""
    found = structure(model.numbers)
    states = [placed(model, *one, found=found) for one in zip(q, v, strict=True)]
    return Poses(model, t, np.array(states))


def placed(
    model: AbsoluteModel,
    q: Array,
    v: Array,
    given: Mapping[str, float] | None = None,
    *,
    found: Structure | None = None,
) -> Array:
    """The state of all bodies from the coordinates and speeds of a tree that carries them.

    The angles of closing joints are read from it, to the turn nearest to what is given. The
    structure is that of the model, if it is known.
    """
    found = structure(model.numbers) if found is None else found
    state = np.zeros(model.size)
    for name, own in body_states(model.numbers, found.tree, q, v):
        state[at.STATE * (model.index[name] - 1) :][: at.STATE] = own
    _choose_signs(model, found, q, state)
    values = every_coordinate(model.mechanism, found, q, given or {})
    first = at.STATE * len(model.graph.bodies)
    for k, measure in enumerate(model.followers):
        state[first + k] = values[measure.name]
    return state


def body_states(numbers: Mechanism, tree: Tree, q: Array, v: Array) -> Iterator[tuple[str, Array]]:
    """Every body, by name, and its 13 numbers."""
    moving = velocities(tree, q, v)
    for X_WM, motion, link in zip(ground_poses(tree, q), moving, tree.links, strict=True):
        body, own = numbers.bodies[link.name], np.zeros(at.STATE)
        centre = link.X_MB.point(np.asarray(body.centre, dtype=float))  # in the computing frame
        own[at.POSITION : at.ATTITUDE] = X_WM.point(centre)
        R = np.asarray((X_WM.R @ link.X_MB.R).matrix, dtype=float)
        own[at.ATTITUDE : at.VELOCITY] = quaternion.from_matrix(R)
        own[at.VELOCITY : at.SPIN] = X_WM.R.out(motion.v + cross(motion.w, centre))
        own[at.SPIN :] = link.X_MB.R.into(motion.w)
        yield link.name, own


def _choose_signs(model: AbsoluteModel, structure: Structure, q: Array, state: Array) -> None:
    """Of the quaternions a and −a of a body, the one by which that of its joint is as given."""
    then = Poses(model, np.zeros(1), state[np.newaxis])  # which sees what is changed here
    for _, link in structure.tree:
        if link.joint.turning:
            read = then.coordinates(model.mechanism.joints[link.joint_name])
            if np.ravel(read[-4:]) @ q[link.q][-4:] < 0:
                own = state[at.STATE * (model.index[link.name] - 1) :]
                own[at.ATTITUDE : at.VELOCITY] *= -1


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
