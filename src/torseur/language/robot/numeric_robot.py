"""A mechanism as links and joints of a robot, in numbers, to be written in other formats."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.errors import ModelError, without_value
from torseur.language.robot.placement import Placement
from torseur.language.robot.robot_parts import (
    WORLD,
    Mimic,
    Robot,
    RobotJoint,
    RobotLink,
    RobotMesh,
    Visual,
)
from torseur.model.constraints.relation import Relation
from torseur.model.description import GROUND, Body, Joint, Mechanism, Motor
from torseur.model.joint_graph import spanning
from torseur.model.joints.freedoms import Slide, Turn
from torseur.model.values.numbers import Values, place_of, values_of
from torseur.spatial.inertia import components_of
from torseur.spatial.pose import Pose
from torseur.words.sentence import say

_ALONE = ("revolute", "prismatic")


@final
class NumericRobot:
    """The parts of a mechanism in numbers, for a format that has some kinds of joints."""

    def __init__(self, mechanism: Mechanism, kinds: Collection[str], target: str) -> None:
        missing = [name for name, x in mechanism.parameters.items() if x is None]
        if missing:
            raise without_value(f"{target} file", missing, "Give them values first.")
        self.mechanism, self.kinds, self.target = mechanism, kinds, target
        self.values: Values = values_of(mechanism)
        self.notes: list[str] = []  # about values that are written only nearly

    def number(self, x: Any) -> float:
        """The value of an expression of parameters."""
        value = self.values(x)
        assert value is not None, "every parameter has a value"
        return value

    def robot(self) -> Robot:
        """Links, joints and followers; the rest is refused, or listed in the notices."""
        tree = spanning(self.mechanism)
        chains = {joint.name: self._chain(joint, backwards) for joint, backwards in tree.carrying}
        chains |= {x.name: [replace(self._joint(x, False), closing=True)] for x in tree.closing}
        # in the order of the mechanism: coordinates keep theirs
        joints = [x for name in self.mechanism.joints for x in chains[name]]
        between = [x.child for chain in chains.values() for x in chain[:-1]]
        followers = dict(self._followers())
        return Robot(
            self.mechanism.name,
            {WORLD: RobotLink(WORLD)}
            | {x.name: self._link(x) for x in self.mechanism.bodies.values()}
            | {name: RobotLink(name) for name in between},
            {x.name: replace(x, mimic=followers.get(x.name)) for x in joints},
            tuple(self.number(x) for x in self.mechanism.gravity),
            notices=(*self.notes, *self._not_written()),
        )

    def _placement(self, X: Pose) -> Placement:
        numeric = X.numeric(self.number)
        R = np.array(numeric.R.matrix, dtype=float)
        return Placement(tuple(float(x) for x in numeric.p), R, R)

    def _link(self, body: Body) -> RobotLink:
        K = np.array([[self.number(x) for x in row] for row in body.inertia])
        return RobotLink(
            body.name,
            mass=self.number(body.mass),
            centre=tuple(self.number(x) for x in body.centre),
            inertia=components_of(K),
            meshes=tuple(
                RobotMesh(
                    x.file, self._placement(x.pose), tuple(map(self.number, x.scale)) or (1, 1, 1)
                )
                for x in body.meshes
            ),
            visuals=tuple(
                Visual({x.shape[0]: self._dimensions(x.shape[1])}, self._placement(x.pose))
                for x in body.visuals
                if x.shape is not None
            ),
        )

    def _dimensions(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The sizes of a solid; directions are texts."""
        return {
            key: x if isinstance(x, str) else [self.number(y) for y in x] if np.ndim(x) else
            self.number(x)
            for key, x in given.items()
        }  # fmt: skip

    def _chain(self, joint: Joint, backwards: bool) -> list[RobotJoint]:
        """A joint; one that the format does not have as turns and slides of massless links."""
        freedoms = [x for x in joint.kind.freedoms or () if isinstance(x, Slide | Turn)]
        elementary = 1 < len(freedoms) == len(joint.kind.freedoms or ())
        if joint.kind.names[0] in self.kinds or backwards or not elementary:
            return [self._joint(joint, backwards)]
        R = self._placement(joint.X_BM).R
        whole = self._joint_placement(joint, False)
        ends = [f"{joint.name}_{k + 1}" for k in range(len(freedoms) - 1)]
        chain = [whole.parent, *ends, whole.child]
        limits = joint.limits or (None,) * len(freedoms)
        return [
            replace(
                whole,
                name=name,
                kind="revolute" if isinstance(freedom, Turn) else "prismatic",
                parent=chain[k],
                child=chain[k + 1],
                placement=whole.placement if k == 0 else Placement(),
                axis=tuple(float(x) for x in R[:, freedom.axis] + 0.0),
                limits=self._range(limits[k]),
            )
            for k, (name, freedom) in enumerate(zip(joint.coordinates, freedoms, strict=True))
        ]

    def _range(self, limits: tuple[Expr, Expr] | None) -> tuple[float, float] | None:
        return None if limits is None else (self.number(limits[0]), self.number(limits[1]))

    def _joint(self, joint: Joint, backwards: bool) -> RobotJoint:
        kind = joint.kind.names[0]
        if kind not in self.kinds:
            problem = say("{target} has no joint of type {kind}.", self.target, kind)
            known = say("It has: {known}.", ", ".join(self.kinds))
            raise ModelError(place_of(joint, "joint"), problem, known)
        turned = backwards and kind != "fixed"
        if turned and kind not in _ALONE:
            problem = say('its second body, "{second}", carries its first.', joint.second)
            advice = "Order its bodies from the ground outward."
            raise ModelError(place_of(joint, "joint"), problem, advice)
        k = getattr(joint.kind, "axis", getattr(joint.kind, "normal", 0))
        axis = self._placement(joint.X_AF if backwards else joint.X_BM).R[:, k]
        plain = replace(
            self._joint_placement(joint, backwards),
            axis=tuple(float(x) for x in axis * (-1 if turned else 1) + 0.0),
            limits=self._range(joint.limits[0]) if kind in _ALONE and joint.limits else None,
            effort=self.number(joint.effort[0]) if joint.effort else None,
            velocity=self.number(joint.velocity[0]) if joint.velocity else None,
        )
        motors = [x for x in self.mechanism.motors.values() if x.joint == joint.name]
        return self._with_motor(plain, motors[0]) if motors else plain

    def _joint_placement(self, joint: Joint, backwards: bool) -> RobotJoint:
        """The bodies of a joint and its place in them, at zero coordinates."""
        X_AF, X_BM = (joint.X_BM, joint.X_AF) if backwards else (joint.X_AF, joint.X_BM)
        first, second = joint.first, joint.second
        if backwards:
            first, second = second, first
        F, M = self._placement(X_AF), self._placement(X_BM)
        R = F.R @ M.R.T
        return RobotJoint(
            joint.name,
            joint.kind.names[0],
            WORLD if first == GROUND else first,
            WORLD if second == GROUND else second,
            placement=Placement(tuple(F.p - R @ M.p), R, R),
            point=tuple(M.p),
        )

    def _with_motor(self, joint: RobotJoint, motor: Motor) -> RobotJoint:
        """A joint with the friction and the rotor of its motor, seen from the joint."""
        n = self.number(motor.ratio)
        dry = [self.number(x) for x in motor.dry_friction]
        if dry[0] != dry[1]:
            self.notes.append(
                say(
                    'joint "{name}": its dry friction is {a:g} one way and {b:g} the other; their '
                    "mean is written.",
                    joint.name,
                    dry[0],
                    dry[1],
                )
            )
        return replace(
            joint,
            damping=self.number(motor.viscous_friction),
            friction=sum(dry) / 2,
            armature=n**2 * self.number(motor.rotor_inertia),
        )

    def _followers(self) -> Iterator[tuple[str, Mimic]]:
        """Couplings of two coordinates, by the joint that follows."""
        owners = {q: x.name for x in self.mechanism.joints.values() for q in x.coordinates}
        for constraint in self.mechanism.constraints.values():
            zero = constraint.zero if isinstance(constraint, Relation) else None
            line = None if zero is None else self._line(zero)
            if line is None:
                problem = say("{target} cannot have this constraint.", self.target)
                raise ModelError(place_of(constraint, "constraint"), problem)
            follower, mimic = line
            yield owners[follower], replace(mimic, joint=owners[mimic.joint])

    def _line(self, zero: Expr) -> tuple[str, Mimic] | None:
        """The coordinate that follows another one linearly; None for another relation."""
        moving = [x for x in free_symbols(zero) if x.kind != "parameter"]
        if len(moving) != 2 or any(x.kind != "coordinate" for x in moving):
            return None
        factors = {x.name: derivative(zero, x) for x in moving}
        if any(y.kind != "parameter" for x in factors.values() for y in free_symbols(x)):
            return None
        at_zero = {**self.mechanism.parameters, **dict.fromkeys(factors, 0.0)}
        rest = float(evaluate(zero, at_zero))
        order = [q for q in self.mechanism.every_coordinate if q in factors]
        leader, follower = order
        if abs(self.number(factors[follower])) != 1 and abs(self.number(factors[leader])) == 1:
            leader, follower = follower, leader
        k = self.number(factors[follower])
        return follower, Mimic(leader, -self.number(factors[leader]) / k, -rest / k)

    def _not_written(self) -> Iterator[str]:
        """Notices of parts that the format cannot have."""
        m = self.mechanism
        sections = {
            "forces": m.loads,
            "motions": m.motions,
            "contacts": m.contacts,
            "events": m.events,
            "points": m.points,
            "frames": m.frames,
            "initial": m.initial,
        }
        for section, parts in sections.items():
            if parts:
                names = ", ".join(parts)
                yield say(
                    "Not written in {target}: {section} {names}.", self.target, section, names
                )
        if m.frame is not None:
            yield say("Not written in {target}: the ground moves.", self.target)
