"""An entry of the YAML form as editors show it, and the values of declared kinds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, final

from torseur.model.forces.protocol import (
    COORDINATE_RATE,
    EFFORT,
    OF_COORDINATE,
    SHARED,
    Key,
    Kind,
)
from torseur.model.joints.protocol import JointEntryKind, JointKey

# names that a value takes from the text: sections, or names in expressions
BODIES, JOINTS, CONTACTS, COORDINATES = "bodies", "joints", "contacts", "coordinates"
CONSTANTS, VARYING = "constants", "varying"


@final
@dataclass(frozen=True)
class FormEntry:
    """An entry of a mapping: a value, or a mapping of a scope of its own."""

    name: str
    value: str  # the kind of value, in English
    unit: str = ""
    example: str = ""
    names: str = ""  # which it may take from the text
    options: tuple[str, ...] = ()  # words, of which it is one
    scope: str = ""  # of the mapping that it holds, or of each one in its list
    parts: str = ""  # scope of each of its named parts
    required: bool = False


class KindOfValue(NamedTuple):
    """A kind of value: words for it, an example, names that it may take, its own scope."""

    value: str
    example: str = ""
    names: str = ""
    options: tuple[str, ...] = ()
    scope: str = ""


_ENDS = "[[ground, [0, 0, 0]], [arm, [0, 0, 0]]]"
_DIRECTION = KindOfValue("an axis x, y, z, or three components", "z")
_BODY = KindOfValue("a body", "arm", BODIES)
_PAIR = KindOfValue("two bodies", "[ground, arm]", BODIES)
_POINT = KindOfValue("three coordinates in the frame of the body", "[0, 0, 0]", CONSTANTS)
_ROTATION = KindOfValue(
    "turns about moving axes, a 3×3 matrix or a quaternion", "[{z: 90 deg}]", CONSTANTS
)
_SEVERAL = KindOfValue("several constants", "[1, 1, 1]", CONSTANTS)
_ANY_COORDINATE = KindOfValue("a coordinate", "q1", COORDINATES)
_JOINT = KindOfValue("a joint", "A", JOINTS)
_PATH = KindOfValue("two or more points, each a body and a position", _ENDS, BODIES)

KINDS: Mapping[Kind, KindOfValue] = {
    Kind.CONSTANT: KindOfValue("a number, or an expression of parameters", "1", CONSTANTS),
    Kind.VARYING: KindOfValue(
        "an expression of parameters, coordinates, speeds and t", "1", VARYING
    ),
    Kind.VECTOR: KindOfValue(
        "three expressions of parameters, coordinates, speeds and t", "[0, 0, 1]", VARYING
    ),
    Kind.TENSOR: KindOfValue("three values, or a 3×3 matrix", "[1, 1, 1]", CONSTANTS),
    Kind.SIX_TENSOR: KindOfValue(
        "three values for translations and three for rotations, or a 6×6 matrix",
        "[1, 1, 1, 1, 1, 1]",
        CONSTANTS,
    ),
    Kind.ROTATION: _ROTATION,
    Kind.POINT: _POINT,
    Kind.MOVING_POINT: KindOfValue(
        "three coordinates in the frame of the body", "[0, 0, 0]", VARYING
    ),
    Kind.POINTS: KindOfValue("a list of points of the body", "[[0, 0, 0], [0.1, 0, 0]]", CONSTANTS),
    Kind.ENDS: KindOfValue("two points, each a body and a position", _ENDS, BODIES),
    Kind.PATH: _PATH,
    Kind.WRAPPED_PATH: KindOfValue("points, obstacles between them and pulleys", _ENDS, BODIES),
    Kind.CENTRE: KindOfValue("a body and a position", "[ground, [0, 0, 0]]", BODIES),
    Kind.BODY: _BODY,
    Kind.BODIES: KindOfValue("one body, several, or all", "all", BODIES, ("all",)),
    Kind.TWO_MASSES: _PAIR,
    Kind.ACTED_ON: _PAIR,
    Kind.JOINT: _JOINT,
    Kind.COORDINATE: KindOfValue("a coordinate of this joint", "q1", COORDINATES),
    Kind.AXES: KindOfValue("axes of the components", "ground", "", ("ground", "body")),
    Kind.TIMED: KindOfValue("an expression of parameters and t", "0.1*sin(2*t)", VARYING),
    Kind.TIMED_VECTOR: KindOfValue("three expressions of parameters and t", "[0, 0, 0]", VARYING),
    Kind.TIMED_ROTATION: KindOfValue("turns that depend on t", "[{z: 2*t}]", VARYING),
    Kind.TWO_CONSTANTS: _SEVERAL._replace(example="[1, 1]"),
    Kind.THREE_CONSTANTS: _SEVERAL,
    Kind.FOUR_CONSTANTS: _SEVERAL._replace(example="[1, 1, 1, 1]"),
    Kind.FACTORS: KindOfValue("coordinates with their factors", "{q1: 2, q2: -1}", COORDINATES),
    Kind.TWO_POINTS: KindOfValue(
        "a point of each body, or one for both", "[[0, 0, 0], [0, 0, 0]]", CONSTANTS
    ),
    Kind.PLACE: _POINT,
    Kind.DIRECTION: _DIRECTION,
    Kind.TWO_JOINTS: KindOfValue("two joints", "[A, B]", JOINTS),
    Kind.PAIR: _PAIR,
    Kind.PAIRS: KindOfValue("pairs of bodies", "[[arm, hand]]", BODIES),
    Kind.ANY_COORDINATE: _ANY_COORDINATE,
    Kind.WORD: KindOfValue("one of these words"),
    Kind.FLAG: KindOfValue("yes or no", "yes", "", ("yes", "no")),
    Kind.MESH: KindOfValue("a file in the folder of the model", "arm.stl"),
    Kind.FRICTION: KindOfValue(
        "a coefficient, or a table of a law", "0.3", CONSTANTS, scope="friction"
    ),
    Kind.RESISTANCE: KindOfValue(
        "a length, or a table with a viscous term", "1 mm", CONSTANTS, scope="resistance"
    ),
    Kind.RESTITUTION: KindOfValue(
        "a coefficient from 0 to 1, or a table of a law", "0.5", CONSTANTS, scope="restitution"
    ),
    Kind.PATCH: KindOfValue("a radius, or a table with its pressure", "20 mm", CONSTANTS,
                            scope="patch"),
    Kind.CONTACT: KindOfValue("a contact", "floor", CONTACTS),
    Kind.IMU_ERRORS: KindOfValue("a table of an acceleration and a rate", "{acceleration: 0.02}"),
}  # fmt: skip
JOINT_KINDS: Mapping[JointEntryKind, KindOfValue] = {
    JointEntryKind.AXIS: _DIRECTION,
    JointEntryKind.FIRST: _DIRECTION,
    JointEntryKind.SECOND: _DIRECTION,
    JointEntryKind.CROSS: KindOfValue("an axis of each body", "[z, x]"),
    JointEntryKind.PITCH: KindOfValue("a length per turn", "5 mm", CONSTANTS),
    JointEntryKind.LENGTH: KindOfValue("a length", "0.5", CONSTANTS),
    JointEntryKind.POSE: KindOfValue("expressions of the coordinates", "", VARYING),
}
_LENGTHS = (JointEntryKind.PITCH, JointEntryKind.LENGTH)
_BY_COORDINATE = {  # of a slide, of a turn
    EFFORT: "N | N.m",
    OF_COORDINATE: "m | rad",
    COORDINATE_RATE: "m/s | rad/s",
    f"{EFFORT}/{OF_COORDINATE}": "N/m | N.m/rad",
    f"{EFFORT}/{COORDINATE_RATE}": "N.s/m | N.m.s/rad",
    f"rad/{OF_COORDINATE}": "rad/m | 1",
}


def declared_entry(key: Key) -> FormEntry:
    """The entry that a force, a constraint, a contact, an actuator or a sensor declares."""
    kind = KINDS[key.kind]
    return FormEntry(
        key.name,
        kind.value,
        shown_unit(key.unit),
        key.example or kind.example,
        kind.names,
        _options(key) or kind.options,
        kind.scope,
        required=bool(key.example) and key.when is None,
    )


def joint_entry(key: JointKey) -> FormEntry:
    """The entry that a joint declares."""
    kind = JOINT_KINDS[key.kind]
    example = key.example if kind.example else ""
    return FormEntry(key.name, kind.value, "m" if key.kind in _LENGTHS else "", example, kind.names,
                 required=True)  # fmt: skip


def shown_unit(unit: str) -> str:
    """A unit; one that follows the coordinate is that of a slide, or that of a turn."""
    if unit in ("", "1", SHARED):
        return ""
    return _BY_COORDINATE.get(unit, unit.replace(" ", ", "))


def _options(key: Key) -> tuple[str, ...]:
    """The words of an entry, each meaning by the first of its words."""
    first: dict[object, str] = {}
    for word, meaning in key.options.items():
        first.setdefault(meaning, word)
    return tuple(first.values())
