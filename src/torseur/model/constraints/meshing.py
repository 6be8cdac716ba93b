"""Gears on one carrier: where their teeth touch and along which direction they push.

Wheels turn about axes through c₁ and c₂ of the carrier. Everything follows from the pitch point C
and the direction d of the tooth force: along d the two wheels have the same speed at C.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torseur.algebra.core.expr import Expr, expression
from torseur.errors import ModelError
from torseur.model.constraints.protocol import Values
from torseur.model.joints.freedoms import common_axis
from torseur.model.joints.joint import Joint
from torseur.model.joints.protocol import unit
from torseur.spatial.vectors import cross
from torseur.words.sentence import say

Array = np.ndarray
CLOSE = 1e-6  # how far typed lengths may be from what they should be, in parts of themselves


def meshing(
    touching: Callable[..., tuple[Any, Any, Any]],
    joints: tuple[Joint, Joint],
    radii: tuple[Expr, Expr],
    lead: Expr,
    value: Values,
    place: str,
) -> tuple[Array, Array, Array]:
    """Where the teeth of two wheels touch, how they push, and from the first to the second.

    The joints of the wheels have the same first body, their carrier; all is in its frame.
    """
    first, second = joints
    if first.first != second.first:
        raise ModelError(
            place,
            say(
                'joints "{first}" and "{second}" have the first bodies "{first2}" and "{first3}": '
                "no common carrier.",
                first.name,
                second.name,
                first.first,
                second.first,
            ),
            "Give  bodies, carrier, point  and  direction: the pitch point and the direction of "
            "the tooth force, in the frame of the carrier.",
        )
    (c1, a1), (c2, a2) = (wheel_axis(joint, place) for joint in joints)
    point, direction, apart = touching(c1, a1, c2, a2, radii, lead, value, place)
    return _exact(point), _exact(direction), _exact(apart)


def _exact(vector: Any) -> Array:
    return np.array([expression(x) for x in vector], dtype=object)


def wheel_axis(joint: Joint, place: str) -> tuple[Array, Array]:
    """A point of a joint's axis and its direction, in the first body."""
    axis = common_axis(joint.kind.freedoms)
    if axis is None:
        raise ModelError(
            place,
            say('joint "{joint}" is a {names} joint.', joint.name, joint.kind.names[0]),
            "Wheels turn in revolute or cylindrical joints, racks slide in prismatic ones.",
        )
    return joint.X_AF.p, joint.X_AF.R.out(unit(axis))


def _parallel(c1: Array, a1: Array, c2: Array, value: Values, place: str) -> tuple[Array, Expr]:
    """From the first axis to the second: unit vector and distance."""
    between = _exact(c2 - c1)
    across = between - (between @ a1) * a1
    distance = (across @ across).sqrt()
    if value(distance) == 0:
        raise ModelError(place, "the two wheels turn about the same axis.", "Give two axes.")
    return across / distance, distance


def _fits(found: Expr, wanted: Expr, what: str, value: Values, place: str) -> None:
    a, b = value(found), value(wanted)
    if a is not None and b is not None and abs(a - b) > CLOSE * max(abs(a), abs(b)):
        raise ModelError(
            place,
            say("the axes are {a:.6g} m apart, but {what} is {b:.6g} m.", a, what, b),
            "Correct the radii or the points of the joints.",
        )


def _external(c1, a1, c2, a2, radii, lead, value, place):
    u, distance = _parallel(c1, a1, c2, value, place)
    _fits(distance, radii[0] + radii[1], say("the sum of the radii"), value, place)
    return c1 + radii[0] * u, cross(a1, u), u


def _internal(c1, a1, c2, a2, radii, lead, value, place):
    """The larger wheel is the ring; they touch beyond the centre of the smaller."""
    u, distance = _parallel(c1, a1, c2, value, place)
    sizes = value(radii[0]), value(radii[1])
    if sizes[0] is None or sizes[1] is None:
        raise ModelError(place, "which wheel is the ring?", "Give the radii values.")
    side = 1 if sizes[0] > sizes[1] else -1
    _fits(distance, side * (radii[0] - radii[1]), say("the difference of the radii"), value, place)
    return c1 + side * radii[0] * u, cross(a1, u), -side * u


def _bevel(c1, a1, c2, a2, radii, lead, value, place):
    """Axes that meet at O: C = O + (r₂ a₁ + r₁ a₂) / sin Σ, the axes pointing away from O."""
    normal = _exact(cross(a1, a2))
    square = normal @ normal
    if value(square) == 0:
        raise ModelError(place, "the axes of a bevel gear are parallel.", "Use kind: external.")
    sine = square.sqrt()
    between = _exact(c2 - c1)
    apex = c1 + (cross(between, a2) @ normal) / square * a1
    gap = value(between @ normal / sine)
    if gap is not None and abs(gap) > CLOSE:
        raise ModelError(
            place, say("the axes of the bevel gear pass at {gap:.3g} m.", gap), "They must meet."
        )
    out1, out2 = (_away(c - apex, a, value) for c, a in ((c1, a1), (c2, a2)))
    point = apex + (radii[1] * out1 + radii[0] * out2) / sine
    return point, normal / sine, out1


def _away(arm: Array, a: Array, value: Values) -> Array:
    """The axis, pointing from the apex to the wheel."""
    side = value(expression(arm @ a))
    return -a if side is not None and side < 0 else a


def _rack(c1, a1, c2, a2, radii, lead, value, place):
    """A wheel and a rack that slides along a₂: they touch on the normal to both."""
    side = radii[1]  # + or − 1: on which side of the wheel, along a₂ × a₁
    u = side * _exact(cross(a2, a1))
    return c1 + radii[0] * u, _exact(a2), u


def _worm(c1, a1, c2, a2, radii, lead, value, place):
    """The worm's thread advances by `lead` a turn: d is normal to the thread."""
    normal = _exact(cross(a1, a2))
    sine = (normal @ normal).sqrt()
    between = _exact(c2 - c1)
    distance = between @ normal / sine
    side = 1 if (value(distance) or 1.0) > 0 else -1
    w = side * normal / sine
    _fits(side * distance, radii[0] + radii[1], say("the sum of the radii"), value, place)
    slope = lead / (2 * np.pi * radii[0])
    return c1 + radii[0] * w, _exact(a1) + slope * cross(a1, w), w


MESHING: dict[str, Callable[..., tuple[Any, Any, Any]]] = {
    "external": _external,
    "internal": _internal,
    "bevel": _bevel,
    "rack": _rack,
    "worm": _worm,
}
