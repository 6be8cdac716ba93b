"""Entries of friction and of stops: a coefficient, or a table of the entries of their laws."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torseur.algebra.core.expr import ONE, ZERO, Expr, symbol
from torseur.language.text.expression import Names
from torseur.language.yaml.fields import Fields, number, option
from torseur.language.yaml.source import Item
from torseur.model.contact.elements import is_drag
from torseur.model.description import Joint, JointLoad
from torseur.model.forces.protocol import Force
from torseur.model.joints.friction import (
    NO_REBOUND,
    Compliance,
    Friction,
    JointCompliance,
    JointFriction,
    Patch,
    Restitution,
    Stop,
)
from torseur.words.sentence import say

LAW = ("coefficient", "static", "kinetic", "viscous", "stribeck")
IN_JOINT = (*LAW, "radius", "half_angle", "constant")
STOP = ("restitution", "stiffness", "dissipation", "exponent")
COMPLIANCE = ("translation", "rotation")
PRESSURES = {"uniform": False, "uniforme": False, "hertz": True}


def read_friction(item: Item, names: Names) -> Friction:
    """The law of a contact: one coefficient, or a table."""
    fields = Fields(item, "friction", LAW, alone="coefficient")
    law = _law(fields, names, ("N.s/m", "m/s"))
    fields.faults.raised()
    return law


def read_joint_friction(item: Item, units: tuple[str, ...], names: Names) -> Any:
    """The friction in a joint whose coordinates have these units."""
    if isinstance(item.value, str):
        return JointFriction(read_friction(item, names))
    turns = "rad" in units or "1" in units
    fields = Fields(item, "the friction of a joint", IN_JOINT)
    constant = None
    if fields.item("constant") is not None:
        constant = fields.number("constant", names, "N.m" if turns else "N")
    speeds = ("N.m.s/rad", "rad/s") if turns else ("N.s/m", "m/s")
    law = _law(fields, names, speeds, ONE if constant is not None else None)
    if constant is None and not law.is_dry and law.viscous is not ZERO:
        constant = ZERO  # only speeds resist
    friction = JointFriction(
        law,
        fields.number("radius", names, "m"),
        fields.number("half_angle", names, "rad"),
        constant,
    )
    if turns and constant is None and friction.radius is ZERO and not fields.faults.found:
        fields.faults.add(
            item.fault(
                "friction of a joint that turns needs the radius of its bearing.",
                "Example: friction: {coefficient: 0.1, radius: 10 mm}, or {constant: 0.2 N.m}.",
            )
        )
    fields.faults.raised()
    return friction


def read_stop(item: Item, units: tuple[str, ...], names: Names) -> Stop:
    """The stop of a joint at its limits."""
    turns = "rad" in units
    fields = Fields(item, "a stop", STOP)
    linear = fields.item("exponent") is None
    stiffness = ("N.m/rad" if turns else "N/m") if linear else None
    spring = Compliance(
        fields.number("stiffness", names, stiffness),
        fields.number("dissipation", names, "s/rad" if turns else "s/m"),
        fields.number("exponent", names, "1", ONE),
    )
    back = fields.read("restitution", NO_REBOUND, read_restitution, names)
    fields.faults.raised()
    if back.tangential is not ZERO:
        problem = say("a stop has no friction: a tangential restitution has no effect.")
        raise item.fault(problem, "Leave it out.")
    return Stop(back, None if spring.stiffness is ZERO else spring)


def read_compliance(item: Item, names: Names) -> JointCompliance:
    """The compliance of a joint, by which it shares loads."""
    fields = Fields(item, "the compliance of a joint", COMPLIANCE, alone="translation")
    result = JointCompliance(
        fields.number("translation", names, "m/N"),
        fields.number("rotation", names, "rad/(N.m)"),
    )
    fields.faults.raised()
    return result


def read_restitution(item: Item, names: Names) -> Restitution:
    """A coefficient, which is Newton's, or whose it is."""
    fields = Fields(item, "restitution", ("newton", "poisson", "tangential"), alone="newton")
    by_impulse = fields.item("poisson") is not None
    if by_impulse == (fields.item("newton") is not None) and not fields.faults.found:
        advice = "Example: restitution: 0.5, or restitution: {poisson: 0.5}."
        raise item.fault("the restitution needs exactly one law: Newton's or Poisson's.", advice)
    coefficient = fields.number("poisson" if by_impulse else "newton", names, "1")
    tangential = fields.number("tangential", names, "1")
    restitution = Restitution(coefficient, by_impulse, tangential)
    if by_impulse and tangential is not ZERO:
        problem = say("the tangential restitution goes with Newton's law only.")
        raise item.fault(problem, "Example: restitution: {newton: 0.9, tangential: 0.6}.")
    fields.faults.raised()
    require_restitution(restitution, item, names)
    return restitution


def read_resistance(item: Item, names: Names) -> Friction:
    """Resistance to rolling or pivoting: a length, or a table with viscous resistance."""
    if isinstance(item.value, str):
        length = _positive(number(item, names, "m"), item, names, "length")
        return Friction(length, length)
    fields = Fields(item, "a resistance", ("length", "viscous"))
    length = fields.number("length", names, "m")
    resistance = Friction(length, length, fields.number("viscous", names, "N.m.s/rad"))
    fields.faults.raised()
    if resistance.static is ZERO and resistance.viscous is ZERO:
        advice = "Example: rolling: 1 mm, or rolling: {viscous: 0.01 N.m.s/rad}."
        raise item.fault("the resistance has neither a length nor a viscous term.", advice)
    for what, given in (("length", resistance.static), ("viscous", resistance.viscous)):
        _positive(given, item, names, what)
    return resistance


def read_patch(item: Item, names: Names) -> Patch:
    """A radius, or a table with how the pressure is spread."""
    fields = Fields(item, "a patch", ("radius", "pressure"), alone="radius")
    radius = fields.number("radius", names, "m")
    hertz = fields.read("pressure", False, option, "pressure", PRESSURES)
    fields.faults.raised()
    size = names.value(radius)
    if radius is ZERO or (size is not None and size <= 0):
        raise item.fault(
            "the radius of the patch is missing or not positive.",
            "Example: patch: {radius: 20 mm}.",
        )
    return Patch(radius, hertz)


def viscous_drags(joints: Iterable[Joint]) -> dict[str, Force]:
    """The forces of joints in which only speeds resist, along each coordinate."""
    drags: dict[str, Force] = {}
    for joint in joints:
        if joint.friction is None or not is_drag(joint):
            continue
        for q in joint.coordinates:
            label, rate = f"{q}: friction", symbol(f"{q}.", "speed")
            drag = -joint.friction.law.viscous * rate
            drags[label] = JointLoad(label, joint.name, drag, joint.place, q)
    return drags


def stop_springs(joints: Iterable[Joint]) -> dict[str, Force]:
    """The springs that are met at limits, as forces in the joints."""
    springs: dict[str, Force] = {}
    for joint in joints:
        stop = joint.stop
        if stop is None or stop.spring is None:
            continue
        for name, low, high, _ in joint.limited:
            q, rate = symbol(name, "coordinate"), symbol(f"{name}.", "speed")
            push = stop.spring.push(low - q, -rate) - stop.spring.push(q - high, rate)
            label = f"{name}: stops"
            springs[label] = JointLoad(label, joint.name, push, joint.place, name)
    return springs


def require_restitution(restitution: Restitution, item: Item, names: Names) -> None:
    """Refuse a restitution that is not between 0 and 1."""
    for given in (restitution.coefficient, restitution.tangential):
        size = names.value(given)
        if size is not None and not 0 <= size <= 1:
            problem = say("the restitution {size:g} is not between 0 and 1.", size)
            raise item.fault(problem, "0: no rebound; 1: no loss.")


def _law(
    fields: Fields, names: Names, units: tuple[str, str], otherwise: Expr | None = None
) -> Friction:
    """Coefficients, of which one may replace the other, and terms that depend on speeds."""
    read = {
        name: _positive(fields.number(name, names, "1"), item, names, name)
        for name in LAW[:3]
        if (item := fields.item(name)) is not None
    }
    viscous = fields.number("viscous", names, units[0])
    if not read and otherwise is None and viscous is ZERO and not fields.faults.found:
        advice = (
            "Example: friction: 0.3, or friction: {static: 0.5, kinetic: 0.4}, or {viscous: 2}."
        )
        raise fields.at.fault("friction has no coefficient.", advice)
    both = read.get("coefficient", otherwise or ZERO)
    static = read.get("static", read.get("kinetic", both))
    kinetic = read.get("kinetic", read.get("static", both))
    low, high = names.value(kinetic), names.value(static)
    if low is not None and high is not None and low > high:
        problem = say(
            "the kinetic coefficient {low:g} is larger than the static one, {high:g}.", low, high
        )
        raise fields.at.fault(problem, "Exchange them.")
    return Friction(static, kinetic, viscous, fields.number("stribeck", names, units[1]))


def _positive(given: Expr, item: Item, names: Names, what: str) -> Expr:
    size = names.value(given)
    if size is not None and size < 0:
        raise item.fault(say("friction: {what} = {size:g} is negative.", what, size))
    return given
