"""Robots of plain numbers as mechanisms, without the reader of the YAML form.

A document of a robot names parameters and gives numbers: nothing has to be parsed, and units are
known. Documents with other contents, and those that a check may object to, are left to that reader.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, final

from torseur.algebra.core.expr import MINUS_ONE, ONE, ZERO, Expr, symbol
from torseur.algebra.core.graph import in_array
from torseur.algebra.forms.dimensions import Dimension, known_dimension
from torseur.errors import ModelError
from torseur.language.robot.document import RobotDocument
from torseur.language.robot.shapes_of_links import SIZES
from torseur.language.text.expression import plain_number
from torseur.language.yaml.coordinate_entries import identifier, speed_names
from torseur.language.yaml.source import place_of_part
from torseur.language.yaml.translated_keys import english
from torseur.model.checks.exact_turns import exact_rotation, notice
from torseur.model.checks.mechanism_checks import mass_faults, require_connected, require_valid
from torseur.model.checks.plausibility import LONG, starts_in_degrees
from torseur.model.constraints.protocol import Constraint, ConstraintInput
from torseur.model.constraints.relation import Coupling
from torseur.model.description import GROUND, Body, Joint, Mechanism, Mesh, Motor, Parameter, Part
from torseur.model.forces.protocol import no_tensor, no_vector
from torseur.model.joints.catalogue import joint_class
from torseur.model.joints.frames import Frames, about_axis, agreeing_frames, without_axis
from torseur.model.joints.freedoms import suffixes
from torseur.model.joints.protocol import JointType
from torseur.model.values.numbers import Values
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import AXES, IDENTITY, Rotation, turn
from torseur.spatial.vectors import Array

_SECTIONS = {"torseur", "name", "gravity", "parameters", "bodies", "joints", "motors"}
_SECTIONS |= {"constraints"}
_BODY = {"mass", "centre", "inertia", "meshes", "visuals", "accept"}
_JOINT = {"type", "bodies", "point", "rotation", "axis", "coordinate", "limits"}
_JOINT |= {"effort", "velocity"}
_KINDS = ("fixed", "revolute", "prismatic", "free")
_KILOGRAM, _METRE, _INERTIA = map(known_dimension, ("kg", "m", "kg.m^2"))
_FRICTION: Mapping[
    tuple[str, ...], tuple[Dimension, Dimension]
] = {  # viscous and dry, by the unit of the coordinate
    ("rad",): (known_dimension("N.m.s/rad"), known_dimension("N.m")),
    ("m",): (known_dimension("N.s/m"), known_dimension("N")),
}
_NONE = {"output": 0}
_NO_VALUES = Values({})
_UNUSUAL_GRAVITY = 20.0  # [m/s²]


class _NotPlain(Exception):
    """A content that the reader of the YAML form has to look at."""


def plain_mechanism(document: RobotDocument, source: str) -> Mechanism | None:
    """The mechanism of a document of plain numbers; None where another reader has to look."""
    if not _SECTIONS.issuperset(document.data) or "bodies" not in document.data:
        return None
    try:
        return _PlainReader(document, source).mechanism()
    except _NotPlain:
        return None


@final
class _PlainReader:
    """The parts of a document read so far, and whether a check has to look at their values."""

    def __init__(self, document: RobotDocument, source: str) -> None:
        self.data, self.lines, self.source = document.data, document.lines, source
        self.given: Mapping[str, float] = self.data.get("parameters", {})
        self.known = {name: symbol(name) for name in self.given}
        self.dimensions: dict[str, Dimension] = {}
        self.masses: dict[str, tuple[float, ...]] = {}  # mass, centre, inertia row by row
        self.doubtful = self.in_degrees = False  # limits may be numbers of degrees
        self.turned: list[str] = []  # parts whose rotations were made exact

    def mechanism(self) -> Mechanism:
        """The mechanism, checked."""
        bodies = {x: self._body(x, entry) for x, entry in self._entries("bodies")}
        joints = {x: self._joint(x, entry) for x, entry in self._entries("joints")}
        motors = {x: self._motor(x, entry, joints) for x, entry in self._entries("motors")}
        self._check_names(bodies, joints)
        couplings = {x: self._coupling(x, entry) for x, entry in self._entries("constraints")}
        gravity = self.data["gravity"]
        self.doubtful |= math.hypot(*gravity) > _UNUSUAL_GRAVITY
        mechanism = Mechanism(
            name=self.data["name"],
            parameter_table=self._parameters(),
            bodies=bodies,
            joints=joints,
            gravity=in_array([_number(x) for x in gravity]),
            motors=motors,
            constraints=couplings,
            source=self.source,
            notices=(notice(self.turned),) if self.turned else (),
        )
        require_connected(mechanism)
        self.doubtful |= any(mass_faults(mechanism, self.masses, Values(self.given)))
        if self.doubtful:
            return require_valid(mechanism)
        if not self.in_degrees:
            return mechanism
        doubts = starts_in_degrees(mechanism, {}, Values(self.given))
        return replace(mechanism, notices=(*mechanism.notices, *doubts))

    def _entries(self, section: str) -> Iterable[tuple[str, Any]]:
        entries: Mapping[str, Any] = self.data.get(section, {})
        return entries.items()

    def _place(self, section: str, name: str) -> str:
        return str(place_of_part(section, name, self.source, self.lines))

    def _check_names(self, bodies: Mapping[str, Body], joints: Mapping[str, Joint]) -> None:
        """Leave repeated and unknown names to the reader that explains them."""
        names = [x for joint in joints.values() for x in joint.coordinates]
        if len({*names, *self.given}) < len(names) + len(self.given):
            raise _NotPlain
        ends = {x for joint in joints.values() for x in (joint.first, joint.second)}
        if not ends <= {GROUND, *bodies} or any(english(x, (GROUND,)) == GROUND for x in bodies):
            raise _NotPlain

    def _parameters(self) -> dict[str, Parameter]:
        """The parameters with the dimensions of their uses."""
        known, start = self.dimensions, f"{self.source}.parameters."
        place = place_of_part("parameters", "", "", {}).within[:-1]
        return {
            name: Parameter(
                name, _number(x), "", "", f'{start}{name}: {place}{name}"', known.get(name)
            )
            for name, x in self.given.items()
        }

    # --- values -----------------------------------------------------------------------------------

    def _value(self, written: Any, dimension: Dimension) -> Expr:
        """A parameter, used first with a dimension, or a number."""
        if type(written) is not str:
            return _number(written)
        self.dimensions.setdefault(written, dimension)
        return self.known[written]

    def _size(self, written: Any) -> float:
        """A parameter or a number in floats."""
        return self.given[written] if type(written) is str else written

    def _point(self, written: list[Any]) -> Array:
        for x in written:
            if type(x) is str and abs(self.given[x]) > LONG:
                self.doubtful = True
        return in_array([self._value(x, _METRE) for x in written])

    # --- parts ------------------------------------------------------------------------------------

    def _body(self, name: str, entry: Mapping[str, Any]) -> Body:
        if not _BODY.issuperset(entry):
            raise _NotPlain
        mass, centre, inertia = ZERO, no_vector(), no_tensor()
        if "mass" in entry:
            mass, centre = self._value(entry["mass"], _KILOGRAM), self._point(entry["centre"])
            a, b, c, f, e, d = (self._value(x, _INERTIA) for x in entry["inertia"])
            inertia = in_array((a, f, e, f, b, d, e, d, c)).reshape(3, 3)
            xx, yy, zz, xy, xz, yz = map(self._size, entry["inertia"])
            tensor = (xx, xy, xz, xy, yy, yz, xz, yz, zz)
            self.masses[name] = (self._size(entry["mass"]), 0.0, 0.0, 0.0, *tensor)
        meshes = tuple([self._mesh(x) for x in entry.get("meshes", ())])
        visuals = tuple([self._visual(x) for x in entry.get("visuals", ())])
        accept, place = tuple(entry.get("accept", ())), self._place("bodies", name)
        return Body(name, mass, centre, inertia, None, accept, place, meshes, (), visuals)

    def _mesh(self, entry: Mapping[str, Any]) -> Mesh:
        scale = tuple([_number(x) for x in entry.get("scale", ())])
        return Mesh(entry["file"], _pose(entry), scale)

    def _visual(self, entry: Mapping[str, Any]) -> Part:
        ((solid, sizes),) = entry["shape"].items()
        if SIZES.get(solid) != tuple(sizes):
            raise _NotPlain
        dimensions = {
            key: _numbers(x) if type(x) is list else _number(x) for key, x in sizes.items()
        }
        return Part((solid, dimensions), _pose(entry))

    def _joint(self, name: str, entry: Mapping[str, Any]) -> Joint:
        kind = entry["type"]
        if not _JOINT.issuperset(entry) or kind not in _KINDS:
            raise _NotPlain
        first, second = entry["bodies"]
        p_A = p_B = no_vector()
        if "point" in entry:
            p_A, p_B = map(self._point, entry["point"])
        R_AB = _rotation(entry["rotation"]) if "rotation" in entry else None
        frames = _frames(entry["axis"], R_AB) if "axis" in entry else without_axis(R_AB)
        joint = _joint_type(kind, *frames.axes)
        coordinates: tuple[str, ...] = ()
        if frames.axes:
            coordinates = (entry.get("coordinate", name),)
        elif kind == "free":
            coordinates = tuple([identifier(name) + x for x in suffixes(joint.freedoms or ())])
        R_AF, R_BM = exact_rotation(frames.R_AF), exact_rotation(frames.R_BM)
        if R_AF is not frames.R_AF or R_BM is not frames.R_BM:
            self.turned.append(name)
        return Joint(
            name,
            joint,
            first,
            second,
            Pose(p_A, R_AF),
            Pose(p_B, R_BM),
            coordinates,
            speed_names(name, joint, coordinates),
            self._limits(entry["limits"]) if "limits" in entry else (None,) * joint.nq,
            self._place("joints", name),
            effort=(_number(entry["effort"]),) if "effort" in entry else (),
            velocity=(_number(entry["velocity"]),) if "velocity" in entry else (),
        )

    def _limits(self, limits: list[float]) -> tuple[tuple[Expr, Expr]]:
        low, high = limits
        self.doubtful |= low > high
        self.in_degrees |= _like_degrees(low) or _like_degrees(high)
        return ((_number(low), _number(high)),)

    def _motor(self, name: str, entry: Mapping[str, Any], joints: Mapping[str, Joint]) -> Motor:
        joint = joints[entry["joint"]]
        viscous, dry = _FRICTION[joint.kind.coordinate_units]
        damping = self._value(entry.get("viscous", _NONE)["output"], viscous)
        friction = self._value(entry.get("dry", _NONE)["output"], dry)
        rotor = entry.get("rotor_inertia", 0)
        given = (rotor, *(entry.get(x, _NONE)["output"] for x in ("viscous", "dry")))
        self.doubtful |= min(map(self._size, given)) < 0
        return Motor(
            name,
            joint.name,
            ONE,
            self._value(rotor, _INERTIA),
            viscous_output=damping,
            dry_output=(friction, friction),
            place=self._place("motors", name),
        )

    def _coupling(self, name: str, entry: Mapping[str, Any]) -> Constraint:
        if entry["type"] != "coupling":
            raise _NotPlain
        given: dict[str, Any] = {"value": _number(entry["value"])} if "value" in entry else {}
        factors = entry["coefficients"].items()
        given["coefficients"] = [(coordinate, _number(x)) for coordinate, x in factors]
        place = self._place("constraints", name)
        return Coupling.described(name, ConstraintInput(given, Values(self.given), place))


# --- numbers, rotations and axes ------------------------------------------------------------------


def _number(written: Any) -> Expr:
    """A number with the decimals that were written."""
    if type(written) is not float and type(written) is not int:
        raise _NotPlain
    return _written_number(written)


@lru_cache(maxsize=4096)
def _written_number(size: float) -> Expr:
    """The number with the shortest decimals of a float."""
    value = plain_number(repr(size))
    if value is None:
        raise _NotPlain
    return value


def _numbers(written: Iterable[Any]) -> Array:
    return in_array([_number(x) for x in written])


def _pose(entry: Mapping[str, Any]) -> Pose:
    """The entries `position` and `rotation` of a part."""
    p = _numbers(entry["position"]) if "position" in entry else no_vector()
    return Pose(p, _rotation(entry["rotation"]) if "rotation" in entry else IDENTITY)


def _like_degrees(limit: float) -> bool:
    """Whether a number may be one of degrees."""
    return abs(limit) >= 10 and limit % 5 == 0


@cache
def _joint_type(kind: str, *axis: int) -> JointType:
    """The joint of a type, about an axis of its frames."""
    return joint_class(kind, kind)(*axis)


def _rotation(written: list[Any]) -> Rotation:
    """Successive turns; what else there is needs checks."""
    R = IDENTITY
    for part in written:
        if type(part) is not dict:
            raise _NotPlain
        for axis, angle in part.items():
            R = R @ turn(axis, _number(angle))
    return R


def _frames(written: Any, R_AB: Rotation | None) -> Frames:
    """The frames of an axis, given in both bodies where these are turned."""
    first, second = written if R_AB is not None else (written, written)
    a, b = _axis(first), _axis(second)
    if type(second) is str:
        return agreeing_frames(a, b, R_AB)
    try:
        return about_axis(a, b, R_AB, _NO_VALUES, "")
    except ModelError:
        raise _NotPlain from None


def _axis(written: Any) -> Array:
    """A coordinate axis by its name, or three components."""
    if type(written) is not str:
        return _numbers(written)
    k, sign = AXES[written[-1]], MINUS_ONE if written[0] == "-" else ONE
    return in_array([sign if j == k else ZERO for j in range(3)])
