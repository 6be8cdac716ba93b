"""Where the points of a system are and how fast they move, and the coordinates of its joints."""

from collections.abc import Mapping
from functools import cached_property
from typing import final

import numpy as np

from torseur.algebra.core.expr import ZERO, symbol
from torseur.dynamics.tree.kinematics import Velocity, ground_poses, velocities
from torseur.equations.symbols.system import System
from torseur.model.description import GROUND, Body, Joint
from torseur.model.forces.joint import freedom_index
from torseur.model.forces.protocol import Action, Attachment, Freedom
from torseur.once import once
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY, Rotation
from torseur.spatial.vectors import cross

Array = np.ndarray


@final
class SystemPlaces:
    """The places of a system, as expressions of its coordinates and speeds."""

    def __init__(self, system: System) -> None:
        self._system, self._tree = system, system.tree
        self.index = {link.name: i for i, link in system.tree}

    @cached_property
    def poses(self) -> list[Pose]:
        """X_WM: every computing frame in the ground."""
        return ground_poses(self._tree, self._system.q)

    @cached_property
    def velocities(self) -> list[Velocity]:
        """The motion of every computing frame, in its own axes."""
        return velocities(self._tree, self._system.q, self._system.v)

    @property
    def bodies(self) -> Mapping[str, Body]:
        """The bodies by name, the ground left out."""
        return self._system.mechanism.bodies

    # --- points ---------------------------------------------------------------------------------

    def _local(self, at: Attachment) -> Array:
        """The point in the computing frame of its body."""
        return self._tree.links[self.index[at.body]].X_MB.point(at.point)

    def position(self, at: Attachment) -> Array:
        """The point in ground axes."""
        if at.body == GROUND:
            return at.point
        return self.poses[self.index[at.body]].point(self._local(at))

    def velocity(self, at: Attachment) -> Array:
        """Its velocity in ground axes."""
        if at.body == GROUND:
            return np.zeros(3)
        i = self.index[at.body]
        moving = self.velocities[i]
        return self.poses[i].R.out(moving.v + cross(moving.w, self._local(at)))

    def rotation(self, body: str) -> Rotation:
        """R_WB, from body axes to ground axes."""
        if body == GROUND:
            return IDENTITY
        i = self.index[body]
        return self.poses[i].R @ self._tree.links[i].X_MB.R

    def frame(self, body: str) -> Pose:
        """X_WB, the frame of a body in the ground."""
        if body == GROUND:
            return Pose()
        i = self.index[body]
        return self.poses[i] @ self._tree.links[i].X_MB

    def twist(self, at: Attachment) -> tuple[Array, Array]:
        """The angular velocity of a body and the velocity of its point, in body axes."""
        if at.body == GROUND:
            return np.zeros(3), np.zeros(3)
        i = self.index[at.body]
        moving, R = self.velocities[i], self._tree.links[i].X_MB.R
        return R.into(moving.w), R.into(moving.v + cross(moving.w, self._local(at)))

    def wrench(self, action: Action) -> tuple[Array, Array]:
        """The force and the couple of an action at the origin and in the axes of the body's M."""
        i = self.index[action.at.body]
        into = self._tree.links[i].X_MB.R.out if action.follows else self.poses[i].R.into
        force = into(action.force)
        return force, into(action.couple) + cross(self._local(action.at), force)

    def felt(self, i: int, at: Array, force: Array, couple: Array) -> tuple[Array, Array]:
        """A wrench given at a point of the ground, at the origin and in the axes of body i's M."""
        X = self.poses[i]
        return X.R.into(force), X.R.into(couple + cross(at - X.p, force))

    # --- joints ---------------------------------------------------------------------------------

    @cached_property
    def freedoms(self) -> tuple[Freedom, ...]:
        """The coordinates whose rates are speeds, those of every joint."""
        joints = self._system.mechanism.joints.values()
        plain = [joint for joint in joints if joint.kind.nq == joint.kind.nv]
        return tuple(_freedom(joint, k) for joint in plain for k in range(joint.kind.nv))

    def freedom(self, joint: str, coordinate: str, unit: str) -> Freedom:
        """A coordinate of a joint by name; without a name, the only one measured in `unit`."""
        described = self._system.mechanism.joints[joint]
        return _freedom(described, freedom_index(f'joint "{joint}"', described, coordinate, unit))


@once
def places_of(system: System) -> SystemPlaces:
    """The places of a system; all who read them share its poses and velocities."""
    return SystemPlaces(system)


def _freedom(joint: Joint, k: int) -> Freedom:
    """Closing joints have symbols too; `Constraints.opened` puts the tree's in their place."""
    q, v = symbol(joint.coordinates[k], "coordinate"), symbol(joint.speeds[k], "speed")
    return Freedom(joint.name, k, q, v)


def body_places(system: System) -> Array:
    """(bodies, 12): axes of each body in the ground, by rows, and its centre of mass."""
    places, rows = places_of(system), []
    for name, body in system.mechanism.bodies.items():
        X = places.frame(name)
        rows.append([*X.R.matrix.ravel(), *X.point(body.centre)])
    return np.array(rows, dtype=object)


def speed_axes(system: System) -> Array:
    """(speeds, 6): axis (ω; v) of each speed at the origin of the ground, in ground axes.

    The twist of a body is the sum of the axes of the speeds that carry it, each times its speed
    (Featherstone 2008, Rigid Body Dynamics Algorithms, section 4.1).
    """
    table = np.full((system.tree.nv, 6), ZERO, dtype=object)
    for i, link in system.tree:
        X, S = places_of(system).poses[i], link.joint.motion_subspace(system.q[link.q])
        turning, moving = X.R.out(S[:3]), X.R.out(S[3:])
        table[link.v] = np.concatenate([turning, moving - cross(turning, X.p)]).T
    return table


def carrying_speeds(system: System) -> list[list[int]]:
    """The speeds that carry each body, in the order of the description."""
    tree, index = system.tree, places_of(system).index
    return [
        sorted(
            k for j in tree.ancestors(index[name]) for k in range(*tree.links[j].v.indices(tree.nv))
        )
        for name in system.mechanism.bodies
    ]
