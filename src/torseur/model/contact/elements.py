"""Contact elements of a mechanism, contacts, stops, friction, and the rows that belong to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO, Expr, symbol
from torseur.errors import ModelError
from torseur.model.constraints.contact import Contact, ContactSet
from torseur.model.constraints.pile import Pile
from torseur.model.constraints.protocol import (
    Constraint,
    ExpressionRow,
    JointRows,
    Rows,
    Unilateral,
)
from torseur.model.constraints.selection import one_sided, restraints
from torseur.model.contact.element import (
    Constant,
    Element,
    ExpressionLoad,
    JointWrenchLoad,
    NormalOf,
    OwnNormal,
    PushOf,
)
from torseur.model.contact.of_forces import force_elements
from torseur.model.contact.reactions import exerted
from torseur.model.description import Joint, Mechanism, Motor
from torseur.model.joints.freedoms import Ball, Helix, Slide, Turn, only
from torseur.model.joints.friction import Friction, JointFriction, Patch
from torseur.model.joints.protocol import NOTHING, Array
from torseur.model.joints.rolling import ContactType
from torseur.model.joints.symbol import Symbol
from torseur.once import once
from torseur.words.sentence import say


@once
def elements(mechanism: Mechanism) -> tuple[Element, ...]:
    """The elements: contacts, stops, friction in joints and motors, forces by reactions."""
    return (
        *(one for contact in one_sided(mechanism) for one in _contact_elements(contact)),
        *(one for joint in mechanism.joints.values() for one in _stop_elements(joint)),
        *(one for joint in mechanism.joints.values() for one in _joint_elements(joint)),
        *(one for motor in mechanism.motors.values() for one in _motor_elements(motor, mechanism)),
        *(one for constraint in restraints(mechanism) for one in _constraint_elements(constraint)),
        *force_elements(mechanism),
    )


# --- contacts and stops -------------------------------------------------------------------------


def _contact_elements(contact: Constraint) -> Iterator[Element]:
    if isinstance(contact, Pile):
        return  # which bodies of a pile touch is found on the way
    if isinstance(contact, ContactSet):
        yield from (one for part in contact.parts for one in _contact_elements(part))
        return
    law = contact.holding
    assert isinstance(law, Unilateral), "it holds one side only"
    patch = contact.patch if isinstance(contact, Contact) else None
    yield Element(
        contact.name,
        contact.all_rows if patch is None else (_spread(contact.all_rows[0], patch),),
        law.spring is None,
        law.friction,
        OwnNormal() if law.spring is None else PushOf(contact.name),
        law.restitution.coefficient,
        contact.place,
        by_impulse=law.restitution.of_impulse,
        tangential=law.restitution.tangential,
        spring=law.spring,
        patch=patch,
    )
    if isinstance(contact, Contact):
        yield from _resistances(contact)


def _spread(row: Rows, patch: Patch) -> JointRows:
    """The rows of a contact, with that of pivoting."""
    assert isinstance(row, JointRows), "surfaces are between bodies"
    return replace(row, kind=Spread(row.kind, patch.radius))


def _resistances(contact: Contact) -> Iterator[Element]:
    """Couples against rolling and pivoting."""
    load = NormalOf(contact.name) if contact.spring is None else PushOf(contact.name)
    for what, law, kind in (
        ("rolling", contact.rolling, Rolling),
        ("pivoting", contact.pivoting, Pivoting),
    ):
        if law is not None:
            name, rows = f"{contact.name}.{what}", contact.rows
            row = replace(rows, name=name, kind=kind(rows.kind))
            yield Element(name, (row,), False, law, load, place=contact.place)


def _stop_elements(joint: Joint) -> Iterator[Element]:
    if joint.stop is None or joint.stop.spring is not None:
        return
    back = joint.stop.restitution
    for name, low, high, _ in joint.limited:
        q = symbol(name, "coordinate")
        for side, gap in (("lower stop", q - low), ("upper stop", high - q)):
            label = f"{name}: {side}"
            yield Element(
                label,
                (ExpressionRow(label, gap),),
                True,
                restitution=back.coefficient,
                place=joint.place,
                by_impulse=back.of_impulse,
            )


def _constraint_elements(constraint: Constraint) -> Iterator[Element]:
    """Friction of a two-sided constraint, by its own force."""
    rubs = constraint.rubbing
    if rubs is not None:
        load = ExpressionLoad(rubs.factor * abs(exerted(constraint.name)))
        place = constraint.place
        yield Element(rubs.row.name, (rubs.row,), False, rubs.law, load, place=place)


# --- friction in joints and motors --------------------------------------------------------------


def _joint_elements(joint: Joint) -> Iterator[Element]:
    given = joint.friction
    if given is None or is_drag(joint):
        return
    if given.constant is None and len(joint.kind.freedoms or ()) > 1:
        yield from _surfaces(joint, given)
        return
    name = friction_name(joint.name)
    rows = tuple(
        ExpressionRow(f"{name} {k}" if k else name, symbol(speed, "speed"))
        for k, speed in enumerate(joint.speeds)
    )
    size = given.constant
    load = _load(joint, given) if size is None else Constant(size, size)
    yield Element(name, rows, False, given.law, load, place=joint.place)


def _surfaces(joint: Joint, given: JointFriction) -> Iterator[Element]:
    """Friction by the load where a joint slides and turns: surfaces of a radius slide as they turn.

    A cylinder in a bore and a pad on a plane have one surface; a cross has a bearing for each arm.
    """
    freedoms, I = joint.kind.freedoms or (), np.eye(6, dtype=int)
    sizes = [given.radius if isinstance(x, Turn) else ONE for x in freedoms]
    match freedoms:
        case (Slide(axis), Turn(other)) if axis == other:
            pressing = I[[k for k in range(3) if k != axis]]
        case (Slide(), Slide(), Turn(axis)):
            pressing = I[[axis]]
        case (Turn(), Turn()):
            for q, speed in zip(joint.coordinates, joint.speeds, strict=True):
                row = ExpressionRow(friction_name(q), symbol(speed, "speed"))
                load = JointWrenchLoad(joint.name, I[:3], given.radius)
                yield Element(row.name, (row,), False, given.law, load, place=joint.place)
            return
        case _:
            raise _no_load(joint)
    name = friction_name(joint.name)
    rows = tuple(
        ExpressionRow(f"{name} {k}" if k else name, size * symbol(speed, "speed"))
        for k, (speed, size) in enumerate(zip(joint.speeds, sizes, strict=True))
    )
    load = JointWrenchLoad(joint.name, pressing)
    yield Element(name, rows, False, given.law, load, place=joint.place)


def is_drag(joint: Joint) -> bool:
    """Whether its friction is a smooth force along each coordinate: only speeds resist."""
    rates = tuple(f"{q}." for q in joint.coordinates)
    return joint.friction is not None and joint.friction.is_viscous and joint.speeds == rates


def friction_name(joint: str) -> str:
    """Name of the friction in a joint among the elements."""
    return f"{joint}: friction"


def _load(joint: Joint, given: JointFriction) -> JointWrenchLoad:
    """The load on the surfaces of a joint, and the arm of their friction."""
    freedom, I = only(joint.kind.freedoms), np.eye(6, dtype=int)
    match freedom:
        case Turn(axis):
            across = [k for k in range(3) if k != axis]
            return JointWrenchLoad(joint.name, I[across], given.radius)
        case Slide(axis):
            across = [k for k in range(3) if k != axis]
            return JointWrenchLoad(joint.name, I[across])
        case Ball():
            return JointWrenchLoad(joint.name, I[:3], given.radius)
        case Helix(axis, lead):
            return _thread(joint.name, axis, lead, given)
        case _:
            raise _no_load(joint)


def _no_load(joint: Joint) -> ModelError:
    return ModelError(
        joint.place or f'joint "{joint.name}"',
        say(
            "friction by the load is available for revolute, prismatic, cylindrical, planar, "
            "universal, spherical and screw joints, not for {kind}.",
            joint.kind.names[0],
        ),
        "Give a constant size instead: friction: {constant: 0.1}.",
    )


def _thread(name: str, axis: int, lead: Expr, given: JointFriction) -> JointWrenchLoad:
    """A thread of mean radius r, helix angle β and half angle φ of its profile.

    Along the normal of the helix the flanks carry n = F cos β − C sin β / r; the friction μ n/cos φ
    along the helix is a couple of arm r / cos β: it holds itself where tan β < μ/cos φ.
    """
    tangent = lead / given.radius
    cosine = 1 / (1 + tangent**2).sqrt()
    row = np.array([ZERO] * 6, dtype=object)
    row[axis], row[3 + axis] = cosine, -tangent * cosine / given.radius
    arm = given.radius / cosine / given.half_angle.cos()
    return JointWrenchLoad(name, row[np.newaxis], arm, row[3 + axis : 4 + axis])


def _motor_elements(motor: Motor, mechanism: Mechanism) -> Iterator[Element]:
    """Dry friction on both sides of a motor's gear."""
    forward, backward = motor.dry_friction
    if forward is ZERO and backward is ZERO:
        return
    name = f"{motor.name}: dry friction"
    row = ExpressionRow(name, symbol(mechanism.joints[motor.joint].speeds[0], "speed"))
    law, load = Friction(ONE, ONE), Constant(forward, backward)
    yield Element(name, (row,), False, law, load, place=motor.place)


@dataclass(frozen=True)
class OfContact(ContactType):
    """Rows between the frames of a contact, along or about some axes of its frame."""

    of: ContactType

    axes: ClassVar[slice]  # among the normal and the tangents

    @property
    def lengths(self) -> tuple[Any, ...]:
        return self.of.lengths

    @property
    def symbol(self) -> Symbol:
        return self.of.symbol

    def frame(self, R: Array, p: Array) -> Array:
        return self.of.frame(R, p)[self.axes]

    def touching(self, R: Array, p: Array) -> Array:
        return self.of.touching(R, p)


@final
@dataclass(frozen=True)
class Sliding(OfContact):
    """The gap alone is held."""

    nv: ClassVar[int] = 5
    names = ("sliding", "glissement")
    axes = slice(0, 1)

    @property
    def meanings(self) -> list[str]:
        return self.of.meanings[:1]

    def gap(self, R: Array, p: Array) -> Array:
        return self.of.gap(R, p)[:1]


@final
@dataclass(frozen=True)
class Spread(OfContact):
    """The forces of a contact, and the couple about the normal over the radius of its surface."""

    radius: Any  # [m]

    names = ("patch", "surface")
    axes = slice(0, 3)

    @property
    def nv(self) -> int:  # type: ignore[override]
        return self.of.nv - 1

    @property
    def lengths(self) -> tuple[Any, ...]:
        return (*self.of.lengths, self.radius)

    @property
    def meanings(self) -> list[str]:
        return [*self.of.meanings, say("couple about the normal over the radius")]

    def reactions_at(self, R: Array, p: Array) -> Array:
        about = self.radius * (self.frame(R, p)[0] @ R)
        return np.column_stack([self.of.reactions_at(R, p), [*about, *NOTHING]])

    def gap(self, R: Array, p: Array) -> Array:
        return self.of.gap(R, p)


class CoupleRows(OfContact):
    """Couples about axes; no position is held."""

    @property
    def meanings(self) -> list[str]:
        names = (say("the normal"), say("the first tangent"), say("the second tangent"))
        return [say("couple about {axis}", axis) for axis in names[self.axes]]

    def reactions_at(self, R: Array, p: Array) -> Array:
        return np.array([[*e, *NOTHING] for e in self.frame(R, p) @ R]).T

    def gap(self, R: Array, p: Array) -> Array:
        return np.zeros(0)


@final
@dataclass(frozen=True)
class Pivoting(CoupleRows):
    """About the normal."""

    nv: ClassVar[int] = 5
    names = ("pivoting", "pivotement")
    axes = slice(0, 1)


@final
@dataclass(frozen=True)
class Rolling(CoupleRows):
    """About the tangents."""

    nv: ClassVar[int] = 4
    names = ("rolling", "roulement")
    axes = slice(1, 3)
