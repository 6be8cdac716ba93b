"""The section `joints`: type, bodies, points, axes, orientation, coordinates and limits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import PI, Expr, symbol
from torseur.algebra.core.graph import free_symbols
from torseur.errors import all_faults
from torseur.language.text.expression import Names
from torseur.language.yaml.axes_and_turns import (
    CLOSE,
    TURNS,
    Array,
    one_or_two,
    read_axis,
    read_point,
    read_rotation,
    two,
)
from torseur.language.yaml.body_entries import body_name
from torseur.language.yaml.coordinate_entries import (
    Limits,
    given_names,
    read_bounds,
    read_coordinates,
    read_limits,
    speed_names,
)
from torseur.language.yaml.fields import Faults, Fields, entries, entry, listed, vector, yes_or_no
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.friction_entries import read_compliance, read_joint_friction, read_stop
from torseur.language.yaml.source import Item
from torseur.model.description import Joint
from torseur.model.forces.protocol import no_vector
from torseur.model.joints.catalogue import called, joint_class
from torseur.model.joints.defined import Defined
from torseur.model.joints.frames import Frames, about_axis, about_two_axes, without_axis
from torseur.model.joints.protocol import DIRECTIONS, NUMBERS, JointEntryKind, JointKey, JointType
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY, AxisTurn, Rotation
from torseur.units import force_unit
from torseur.words.sentence import say

COMMON = (
    *("type", "bodies", "point", "rotation", "coordinate", "coordinates", "limits"),
    *("friction", "stop", "effort", "velocity", "clip", "compliance"),
)


def read_joint(name: str, item: Item, bodies: Collection[str], names: Names) -> Joint:
    """A joint of a type."""
    faults = Faults()
    type_item = entry(entries(item), "type")
    if type_item is None or type_item.value is None:
        Fields(item, "a joint", entries(item), faults).required("type", "revolute")
        raise all_faults(faults.found)
    kind = joint_class(text_of(type_item), str(type_item.place))
    fields = Fields(item, called(kind), known_keys(kind), faults)
    first, second = _bodies(fields, bodies)
    nowhere = no_vector(), no_vector()
    p_A, p_B = fields.read("point", nowhere, one_or_two, names, read_point)
    joint, frames, coordinates = _joint_type(name, kind, fields, names)
    speeds = speed_names(name, joint, coordinates)
    _declare_units(joint, coordinates, speeds, names)
    units = joint.coordinate_units
    limits: Limits = fields.read("limits", (None,) * joint.nq, read_limits, units, names)
    friction = fields.read("friction", None, read_joint_friction, units, names)
    stop = fields.read("stop", None, read_stop, units, names)
    if stop is not None and not any(limits) and not faults.found:
        faults.add(
            item.fault("it has a stop but no limits.", "Example: limits: [-90 deg, 90 deg].")
        )
    efforts = tuple(map(force_unit, joint.speed_units))
    effort = fields.read("effort", (), read_bounds, efforts, names)
    velocity = fields.read("velocity", (), read_bounds, joint.speed_units, names)
    clip = fields.read("clip", False, yes_or_no)
    if clip and not effort and not faults.found:
        faults.add(item.fault("it clips, but has no effort.", "Example: effort: 80 N.m."))
    compliance = fields.read("compliance", None, read_compliance, names)
    faults.raised()
    return Joint(
        name,
        joint,
        first,
        second,
        Pose(p_A, frames.R_AF),
        Pose(p_B, frames.R_BM),
        coordinates,
        speeds,
        limits,
        str(item.place),
        friction,
        stop,
        effort,
        velocity,
        clip,
        compliance,
    )


def _declare_units(
    kind: JointType, coordinates: tuple[str, ...], speeds: tuple[str, ...], names: Names
) -> None:
    """Declare the units of the coordinates and speeds of a joint, unless its pose did."""
    if names.measures is None:
        return
    posed = _has_pose(kind)
    for name, unit in zip(coordinates, kind.coordinate_units, strict=False):
        if not posed or names.measures.known(name) is None:
            names.measures.declare(name, unit)
    for name, unit in zip(speeds, kind.speed_units, strict=False):
        if posed:
            names.measures.declare_rate(name[:-1])
        else:
            names.measures.declare(name, unit)


def known_keys(kind: type[JointType]) -> tuple[str, ...]:
    """The entries of a joint; one that carries nothing has no coordinates and no zero position."""
    return (
        *(COMMON if kind.carries else (*COMMON[:3], "compliance")),
        *(key.name for key in kind.keys),
    )


def _bodies(fields: Fields, bodies: Collection[str]) -> tuple[str, str]:
    item = fields.required("bodies", "[ground, crank]")
    if item is None:
        return "", ""
    pair = fields.faults.attempt(None, listed, item, "bodies", 2)
    if pair is None:
        return "", ""
    first, second = (fields.faults.attempt("", body_name, body, bodies) for body in pair)
    if first and first == second:
        problem = say('it joins the body "{first}" to itself.', first)
        fields.faults.add(item.fault(problem, "Name two different bodies."))
    return first, second


def _has_pose(kind: type[JointType] | JointType) -> bool:
    """Whether the user defines the pose; the axes of F and M are then those of the bodies."""
    return any(key.kind is JointEntryKind.POSE for key in kind.keys)


def _joint_type(
    name: str, kind: type[JointType], fields: Fields, names: Names
) -> tuple[JointType, Frames, tuple[str, ...]]:
    """The joint, its frames and the names of its coordinates."""
    if _has_pose(kind):
        defined = read_defined(fields, names)
        return defined, without_axis(None), tuple(x.name for x in defined.coordinates)
    keys = [key for key in kind.keys if key.kind in DIRECTIONS]
    frames = _frames(keys, fields, names)
    axes = zip((name for key in keys for name in key.fields), frames.axes, strict=False)
    numbers = _numbers([key for key in kind.keys if key.kind in NUMBERS], fields, names)
    joint = kind(**dict(axes), **numbers)
    return joint, frames, read_coordinates(name, joint, fields) if joint.carries else ()


def _frames(keys: list[JointKey], fields: Fields, names: Names) -> Frames:
    """The frames F and M by the directions of a joint; after an error, frames to read on with."""
    R_AB = fields.read("rotation", None, read_rotation, names)
    if not keys:
        return without_axis(R_AB)
    failed = Frames((2, 0), IDENTITY, IDENTITY)
    before, kinds = len(fields.faults.found), [key.kind for key in keys]
    items = [fields.required(key.name, key.example) for key in keys]
    if len(fields.faults.found) > before or items[0] is None:
        return failed
    nowhere = no_vector(), no_vector()
    a, b = fields.faults.attempt(nowhere, _directions, kinds, items, names)
    if len(fields.faults.found) > before:
        return failed
    if kinds == [JointEntryKind.FIRST] and R_AB is not None:
        b = R_AB.into(a)
    crossed = JointEntryKind.SECOND in kinds or JointEntryKind.CROSS in kinds
    placing = about_two_axes if crossed else about_axis
    return fields.faults.attempt(failed, placing, a, b, R_AB, names.value, str(items[0].place))


def _directions(
    kinds: list[JointEntryKind], items: list[Item], names: Names
) -> tuple[Array, Array]:
    """The directions of a joint in its first body and in its second."""
    if kinds == [JointEntryKind.AXIS]:
        return one_or_two(items[0], names, read_axis)
    if kinds == [JointEntryKind.CROSS]:
        return two(items[0], names, read_axis)
    return read_axis(items[0], names), read_axis(items[-1], names)


def _numbers(keys: list[JointKey], fields: Fields, names: Names) -> dict[str, Expr]:
    """The dimensions of a joint; those that are missing are left out."""
    values = {}
    for key in keys:
        item = fields.required(key.name, key.example)
        if item is not None:
            value = fields.number(key.name, names, "m")
            values[key.fields[0]] = value / (2 * PI) if key.kind is JointEntryKind.PITCH else value
            size = names.value(value)
            if key.kind is JointEntryKind.LENGTH and size is not None and size <= 0:
                problem = say("the {key} {size:.6g} m is not positive.", key.name, size)
                fields.faults.add(item.fault(problem, key.advice))
    return values


MOST = 6  # the freedoms of a body


def read_defined(fields: Fields, names: Names) -> Defined:
    """The joint; after an error, one without coordinates."""
    before = len(fields.faults.found)
    given = given_names(fields)
    if given is None:
        fields.required("coordinates", "[x, phi]")
        return Defined(())
    item, listed_names = given
    coordinates = tuple(symbol(name, "coordinate") for name in listed_names)
    known = names.also(dict(zip(listed_names, coordinates, strict=True)))
    curve = replace(known, implied=True)  # [x, x^2, 0]: a parabola in metres
    position = fields.read("position", no_vector(), vector, curve, "m", "position")
    rotation = fields.read("rotation", IDENTITY, read_rotation, known)
    if len(fields.faults.found) > before:
        return Defined(())
    joint = Defined(coordinates, tuple(position), *_parts(rotation))
    fields.faults.attempt(None, _check_moving, joint, item)
    if joint.matrix:
        fields.faults.attempt(None, _check_rotation, joint, fields.item("rotation"), names)
    return joint if len(fields.faults.found) == before else Defined(())


def _parts(R: Rotation) -> tuple[Any, Any]:
    """The turns of a rotation, or its matrix row by row."""
    turns = tuple((f.axis, f.angle) for f in R.factors if isinstance(f, AxisTurn))
    return turns, () if turns or not R.factors else tuple(R.matrix.flat)


def _check_moving(joint: Defined, item: Item) -> None:
    """Refuse more than six coordinates, and those that do not move the body."""
    if not 0 < joint.nq <= MOST:
        problem = say(
            "a joint has from 1 to {most} coordinates, but {nq} are given.", MOST, joint.nq
        )
        raise item.fault(
            problem, "Leave some out." if joint.nq else "Name one, or use a fixed joint."
        )
    pose = [*joint.position, *(angle for _, angle in joint.turns), *joint.matrix]
    used = free_symbols(pose)
    idle = [x.name for x in joint.coordinates if x not in used]
    if idle:
        problem = say('the pose does not depend on "{idle}".', idle[0])
        raise item.fault(problem, "Use it in position or rotation, or leave it out.")


def _check_rotation(joint: Defined, item: Item, names: Names) -> None:
    """The matrix is a rotation at coordinates chosen without any symmetry."""
    values = [(x, names.value(x)) for x in joint.parameters]
    if any(known is None for _, known in values):
        return
    numbers = Defined(joint.coordinates, joint.position, matrix=joint.matrix, values=tuple(values))
    q = np.array([0.31, 0.47, 0.23, 0.59, 0.41, 0.17])[: joint.nq]
    with np.errstate(all="ignore"):
        R = numbers.transform(q).R.matrix
    error = max(np.abs(R @ R.T - np.eye(3)).max(), abs(np.linalg.det(R) - 1))
    if error > CLOSE:  # not a number: the coordinates chosen here are out of its domain
        at = ", ".join(
            f"{x.name} = {number:g}" for x, number in zip(joint.coordinates, q, strict=True)
        )
        problem = say("the matrix is not a rotation: at {at} it is off by {error:.2g}.", at, error)
        raise item.fault(problem, say("Correct it, or give turns: rotation: {turns}", TURNS))
