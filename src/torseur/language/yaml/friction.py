"""Entries of friction and of stops: a coefficient, or a table of what their laws have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torseur.algebra.core.expr import ONE, ZERO, Expr, symbol
from torseur.algebra.core.piecewise import larger
from torseur.errors import ModelError
from torseur.language.text.expression import Names
from torseur.language.yaml.fields import Faults, Fields, number
from torseur.language.yaml.source import Item
from torseur.model.description import Joint, JointLoad
from torseur.model.forces.protocol import Force
from torseur.model.joints.friction import Friction, JointFriction, Stop
from torseur.model.values.numbers import Values
from torseur.words.sentence import say

LAW = ("coefficient", "static", "kinetic", "viscous", "stribeck")
IN_JOINT = (*LAW, "radius", "half_angle", "constant")
STOP = ("restitution", "stiffness", "dissipation")


def read_friction(item: Item, names: Names, value: Values) -> Friction:
    """The law of a contact: one coefficient, or a table."""
    if isinstance(item.value, str):
        own = _positive(number(item, names, "1"), item, value, "coefficient")
        return Friction(own, own)
    faults = Faults()
    fields = Fields(item, "friction", LAW, faults)
    made = _law(fields, names, value, ("N.s/m", "m/s"))
    faults.raised()
    return made


def read_joint_friction(item: Item, units: tuple[str, ...], names: Names, value: Values) -> Any:
    """The friction in a joint whose coordinates have these units."""
    if isinstance(item.value, str):
        return JointFriction(read_friction(item, names, value))
    turns = "rad" in units or "1" in units
    faults = Faults()
    fields = Fields(item, "the friction of a joint", IN_JOINT, faults)
    constant = None
    if fields.item("constant") is not None:
        constant = fields.number("constant", names, "N.m" if turns else "N")
    speeds = ("N.m.s/rad", "rad/s") if turns else ("N.s/m", "m/s")
    law = _law(fields, names, value, speeds, ONE if constant is not None else None)
    made = JointFriction(
        law,
        fields.number("radius", names, "m"),
        fields.number("half_angle", names, "rad"),
        constant,
    )
    if turns and constant is None and made.radius is ZERO and not faults.found:
        faults.found.append(
            item.fault(
                "friction of a joint that turns needs the radius of its bearing.",
                "Example: friction: {coefficient: 0.1, radius: 10 mm}, or {constant: 0.2 N.m}.",
            )
        )
    faults.raised()
    return made


def read_stop(item: Item, units: tuple[str, ...], names: Names, value: Values) -> Stop:
    """What limits do."""
    turns = "rad" in units
    faults = Faults()
    fields = Fields(item, "a stop", STOP, faults)
    made = Stop(
        fields.number("restitution", names, "1"),
        fields.number("stiffness", names, "N.m/rad" if turns else "N/m"),
        fields.number("dissipation", names, "s/rad" if turns else "s/m"),
    )
    faults.raised()
    require_restitution(made.restitution, str(item.place), value)
    return made


def stop_springs(joints: Iterable[Joint]) -> dict[str, Force]:
    """The springs that are met at limits, as forces in the joints."""
    found: dict[str, Force] = {}
    for joint in joints:
        stop = joint.stop
        if stop is None or stop.stiffness is ZERO:
            continue
        for name, limits in zip(joint.coordinates, joint.limits, strict=False):
            if limits is not None:
                q, rate = symbol(name, "coordinate"), symbol(f"{name}.", "speed")
                push = _push(stop, limits[0] - q, -rate) - _push(stop, q - limits[1], rate)
                own = f"{name}: stops"
                found[own] = JointLoad(own, joint.name, push, joint.place, name)
    return found


def _push(stop: Stop, depth: Expr, rate: Expr) -> Expr:
    """k δ (1 + c δ̇), where δ is positive; never a pull."""
    return stop.stiffness * larger(depth, ZERO) * larger(1 + stop.dissipation * rate, ZERO)


def require_restitution(given: Expr, place: str, value: Values) -> None:
    """Refuse what is not between 0 and 1."""
    size = value(given)
    if size is not None and not 0 <= size <= 1:
        raise ModelError(
            place,
            say("the restitution {size:g} is not between 0 and 1.", size),
            "0: no rebound; 1: no loss.",
        )


def _law(
    fields: Fields,
    names: Names,
    value: Values,
    units: tuple[str, str],
    otherwise: Expr | None = None,
) -> Friction:
    """Coefficients of which one may stand for the other, and what depends on speeds."""
    read = {
        name: _positive(fields.number(name, names, "1"), item, value, name)
        for name in LAW[:3]
        if (item := fields.item(name)) is not None
    }
    if not read and otherwise is None and not fields.faults.found:
        advice = "Example: friction: 0.3, or friction: {static: 0.5, kinetic: 0.4}."
        raise fields.at.fault("friction has no coefficient.", advice)
    both = read.get("coefficient", otherwise or ZERO)
    static = read.get("static", read.get("kinetic", both))
    kinetic = read.get("kinetic", read.get("static", both))
    low, high = value(kinetic), value(static)
    if low is not None and high is not None and low > high:
        problem = say(
            "the kinetic coefficient {low:g} is larger than the static one, {high:g}.", low, high
        )
        raise fields.at.fault(problem, "Exchange them.")
    viscous = fields.number("viscous", names, units[0])
    return Friction(static, kinetic, viscous, fields.number("stribeck", names, units[1]))


def _positive(given: Expr, item: Item, value: Values, what: str) -> Expr:
    size = value(given)
    if size is not None and size < 0:
        raise item.fault(say("the {what} of friction {size:g} is negative.", what, size))
    return given
