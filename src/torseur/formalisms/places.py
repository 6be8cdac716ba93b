"""Where the points of a system are and how fast they move, in ground axes."""

from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.dynamics.kinematics import Velocity, ground_poses, velocities
from torseur.mechanism.description import GROUND
from torseur.mechanism.forces import Attachment, LineForce
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import cross
from torseur.topology.tree import Tree

Array = np.ndarray


@final
class Places:
    """Positions and velocities of points of bodies, at the coordinates q and the speeds v."""

    def __init__(self, tree: Tree, q: Array, v: Array) -> None:
        self._tree, self._q, self._v = tree, q, v
        self.index = {link.name: i for i, link in tree}

    @cached_property
    def _poses(self) -> list[Pose]:
        return ground_poses(self._tree, self._q)

    @cached_property
    def _velocities(self) -> list[Velocity]:
        return velocities(self._tree, self._q, self._v)

    def local(self, at: Attachment) -> Array:
        """The point in the computing frame of its body."""
        return self._tree.links[self.index[at.body]].X_MB.point(at.point)

    def position(self, at: Attachment) -> Array:
        """The point in ground axes."""
        if at.body == GROUND:
            return at.point
        return self._poses[self.index[at.body]].point(self.local(at))

    def velocity(self, at: Attachment) -> Array:
        """Its velocity in ground axes."""
        if at.body == GROUND:
            return np.zeros(3)
        i = self.index[at.body]
        moving = self._velocities[i]
        return self._poses[i].R.out(moving.v + cross(moving.w, self.local(at)))

    def into(self, i: int, vector: Array) -> Array:
        """A vector of the ground in the axes of body i."""
        return self._poses[i].R.into(vector)

    def length(self, force: LineForce) -> Any:
        """The distance between the ends of a force."""
        d = self.position(force.second) - self.position(force.first)
        return np.sqrt(d @ d)

    def pull(self, force: LineForce) -> Array:
        """The force on the first end, in ground axes; the second feels the opposite."""
        d = self.position(force.second) - self.position(force.first)
        length = self.length(force)
        rate = d @ (self.velocity(force.second) - self.velocity(force.first)) / length
        return force.tension(length, rate) / length * d
