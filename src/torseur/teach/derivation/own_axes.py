"""Torseurs of bodies in their own axes, at their centres of mass.

They are made from joint to joint, as in the recursions: in ground axes the same formulas would be
products of all the rotations below a body, and too long to be read.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.inverse_dynamics import InverseDynamics, inverse_dynamics
from torseur.equations.actions.applied import WEIGHT
from torseur.equations.actions.efforts import Efforts, Transmitted
from torseur.model.description import Body
from torseur.model.joints.freedoms import slides
from torseur.spatial.pose import Pose
from torseur.spatial.torseur import Torseur
from torseur.spatial.vectors import cross

Array = np.ndarray


@final
class OwnAxes:
    """The torseurs of each body by its index in the tree, along the axes of its description."""

    def __init__(self, efforts: Efforts) -> None:
        self._efforts = efforts
        self._system = efforts.system
        self._links = efforts.system.tree.links
        self._tree_joints = {link.joint_name: k for k, link in enumerate(self._links)}

    def _body(self, i: int) -> Body:
        return self._system.mechanism.bodies[self._links[i].name]

    def into(self, i: int, vector: Any) -> Array:
        """A vector of the computing frame along the axes of the body."""
        return self._links[i].X_MB.R.into(vector)

    def _centre(self, i: int) -> Array:
        """G in the computing frame."""
        return self._links[i].X_MB.point(self._body(i).centre)

    def _at_centre(self, i: int, force: Array, couple: Array) -> Torseur:
        """A wrench at and along the computing frame, moved to G and turned."""
        moment = couple - cross(self._centre(i), force)
        return Torseur(self.into(i, force), self.into(i, moment), self._body(i).centre)

    # --- motion -----------------------------------------------------------------------------------

    def kinematic(self, i: int) -> Torseur:
        """{Ω; V(G)}."""
        moving = self._efforts.places.velocities[i]
        velocity = moving.v + cross(moving.w, self._centre(i))
        return Torseur(self.into(i, moving.w), self.into(i, velocity), self._body(i).centre)

    def kinetic(self, i: int) -> Torseur:
        """{m V(G); σ(G)}, with α j q̇ ε of each rotor that the body carries."""
        body, real = self._body(i), self.kinematic(i)
        spin = body.inertia @ real.resultant
        for link in self._links:
            rotor = link.rotor
            if rotor is not None and rotor.axis is not None and link.parent == i:
                turning = rotor.ratio * rotor.j * self._system.v[link.v.start]
                spin = spin + self.into(i, turning * rotor.axis)
        return Torseur(real.moment * body.mass, spin, real.point)

    def _accelerated(self, i: int) -> tuple[Body, Array, Array, Array]:
        """The body, γ(G), Ω' and Ω × I Ω."""
        body, motion = self._body(i), self._efforts.motions[i]
        w, dw = self.into(i, motion.w), self.into(i, motion.dw)
        acceleration = self.into(i, motion.acc + motion.U @ self._centre(i))
        return body, acceleration, dw, cross(w, body.inertia @ w)

    def dynamic(self, i: int) -> Torseur:
        """{m γ(G); δ(G)}, with δ(G) = I Ω' + Ω × I Ω."""
        body, acceleration, dw, turning = self._accelerated(i)
        spin = body.inertia @ dw + turning + self.into(i, self._efforts.spin_of_rotors(i))
        return Torseur(acceleration * body.mass, spin, body.centre)

    def acceleration_energy(self, i: int) -> Any:
        """½ m γ(G)² + ½ Ω'·I Ω' + Ω'·(Ω × I Ω), without rotors and what has no acceleration."""
        body, acceleration, dw, turning = self._accelerated(i)
        spin = dw @ (body.inertia @ dw) / 2 + dw @ turning
        return body.mass * (acceleration @ acceleration) / 2 + spin

    # --- actions ----------------------------------------------------------------------------------

    def given(self, i: int) -> Torseur:
        """Weight and loads."""
        return self._weight(i) + self._at_centre(i, *self._efforts.loads(i))

    def _weight(self, i: int) -> Torseur:
        body, R = self._body(i), self._efforts.places.poses[i].R @ self._links[i].X_MB.R
        weight = R.into(np.asarray(self._system.gravity, dtype=object)) * body.mass
        return Torseur(weight, np.zeros(3), body.centre)

    def by_source(self, i: int) -> dict[str, Torseur]:
        """Weight, and each load that does not pass through joints, by name."""
        loads = {
            name: self._at_centre(i, *acting[i])
            for name, acting in self._efforts.by_source.items()
            if i in acting
        }
        return {WEIGHT: self._weight(i), **loads}

    def acting(self, i: int) -> Torseur:
        """Weight, loads, and what passes through the joints of the body."""
        total = self.given(i)
        for x in self._efforts.transmitted:
            side = x.on({i})
            if side:
                total = total + self._at_centre(i, *self._in_body_axes(i, x)) * side
        return total

    def _in_body_axes(self, i: int, x: Transmitted) -> tuple[Array, Array]:
        """Force and couple of a joint at and along the computing frame of a body."""
        X, (force, couple) = self._frame(i, x), x.wrench
        turned = X.R.out(force)
        return turned, X.R.out(couple) + cross(X.p, turned)

    def _frame(self, i: int, x: Transmitted) -> Pose:
        """The frame of a joint in the computing frame of one of its bodies."""
        k = self._tree_joints.get(x.name)
        if k is None:
            pose = self._efforts.places.poses[i]
            fixed = self._fixed_point(i, x)
            p = pose.R.into(x.frame.p - pose.p) if fixed is None else fixed
            return Pose(p, pose.R.inverse @ x.frame.R)
        link = self._links[k]
        transform = link.joint.transform(self._system.q[link.q])
        if link.joint.backwards:
            return link.X_PF if i != k else transform.inverse
        return Pose() if i == k else link.X_PF @ transform

    def _fixed_point(self, i: int, x: Transmitted) -> Array | None:
        """The point of a closing joint that only turns, in the computing frame of its body."""
        cut = next((y for y in self._system.cuts if y.name == x.name), None)
        freedoms = getattr(cut.joint, "freedoms", None) if cut is not None else None
        if cut is None or freedoms is None or slides(freedoms) or cut.guide is not None:
            return None
        return np.asarray(cut.X_AF.p if i == cut.A else cut.X_BM.p, dtype=object)

    @cached_property
    def _recursion(self) -> InverseDynamics:
        system = self._system
        loads = {i: self._efforts.loads(i) for i in range(len(self._links))}
        return inverse_dynamics(system.tree, system.q, system.v, system.a, system.gravity, loads)

    def needed(self, x: Transmitted) -> Torseur | None:
        """Wrench of a tree joint on all the bodies beyond it, at and along its frame."""
        k = self._tree_joints.get(x.name)
        if k is None or x.second != k:
            return None
        recursion = self._recursion
        return Torseur(recursion.forces[k], recursion.couples[k], np.zeros(3))

    def along(self, x: Transmitted, i: int, wrench: tuple[Array, Array]) -> tuple[Array, Array]:
        """A wrench at the frame of a joint, along the axes of one of its bodies."""
        R = self._frame(i, x).R
        force, couple = (self.into(i, R.out(y)) for y in wrench)
        return force, couple

    def arm(self, x: Transmitted, i: int) -> Array:
        """GA from the centre of mass of a body to the point of its joint, along its axes."""
        return self.into(i, expressions(self._frame(i, x).p - self._centre(i)))
