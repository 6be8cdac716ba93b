"""The names and the limits of a joint's coordinates, given or made from the name of the joint."""

from __future__ import annotations

import re
from collections.abc import Mapping

from torseur.algebra.expr import Expr
from torseur.joints.cylindrical import Cylindrical
from torseur.joints.free import Free
from torseur.joints.planar import Planar
from torseur.joints.protocol import JointType
from torseur.joints.spherical import Spherical
from torseur.language.expression import Names
from torseur.language.fields import Fields, listed, numbers, text
from torseur.language.yaml_parameters import check_name
from torseur.language.yaml_source import Item

Limits = tuple[tuple[Expr, Expr] | None, ...]


def read_coordinates(
    name: str, kind: type[JointType], fields: Fields, axes: tuple[int, ...]
) -> tuple[str, ...]:
    """The names under `coordinate` or `coordinates`, or names made from that of the joint."""
    given = fields.item("coordinates") or fields.item("coordinate")
    if given is None:
        return tuple(f"{identifier(name)}{suffix}" for suffix in _suffixes(kind, axes))
    if fields.item("coordinates") is not None and fields.item("coordinate") is not None:
        problem = f"the coordinates are named twice: {fields.item('coordinate')} and {given}."
        fields.faults.found.append(given.fault(problem, "Keep one of the two entries."))
    found: tuple[str, ...] = fields.faults.attempt((), _names, given, kind)
    for coordinate in found:
        fields.faults.attempt(None, check_name, coordinate, str(given.place))
    return found


def speed_names(name: str, kind: type[JointType], coordinates: tuple[str, ...]) -> tuple[str, ...]:
    """`alpha.` for a coordinate alpha; `A_wx`, `A_wy`, `A_wz` for an angular velocity."""
    rates = tuple(f"{coordinate}." for coordinate in coordinates)
    if kind.nq == kind.nv:
        return rates
    turning = tuple(f"{identifier(name)}_w{axis}" for axis in "xyz")
    return (*rates[: kind.nv - 3], *turning)


def read_limits(item: Item, count: int, names: Names) -> Limits:
    """[minimum, maximum], or one such pair a coordinate."""
    if count == 1:
        return (_range(item, names),)
    pairs = listed(item, "limits, one pair a coordinate", count)
    return tuple(None if pair.value is None else _range(pair, names) for pair in pairs)


def claimed_names(name: str, item: Item) -> tuple[str, ...]:
    """The coordinate names that a joint asks for, even when it could not be read."""
    entries = item.value if isinstance(item.value, Mapping) else {}
    given = entries.get("coordinates") or entries.get("coordinate")
    if given is None or given.value is None:
        return (identifier(name),)
    listed_names = given.value if isinstance(given.value, tuple) else (given,)
    return tuple(x.value for x in listed_names if isinstance(x.value, str))


def identifier(name: str) -> str:
    """A name that may stand in an expression, close to the one given."""
    word = re.sub(r"\W", "_", name)
    return word if re.match(r"[^\W\d]", word) else f"q{word}"


def _names(item: Item, kind: type[JointType]) -> tuple[str, ...]:
    given = item.value if isinstance(item.value, tuple) else (item,)
    found = tuple(text(name) for name in given)
    if len(found) != kind.nq:
        units = f" [{', '.join(kind.coordinate_units)}]" if kind.nq else ""
        problem = f"a {kind.names[0]} joint has {kind.nq} coordinates{units}, not {len(found)}."
        raise item.fault(problem, f"Given: {', '.join(found) or 'none'}.")
    return found


def _suffixes(kind: type[JointType], axes: tuple[int, ...]) -> tuple[str, ...]:
    if kind.nq <= 1:
        return ("",) * kind.nq
    if kind is Cylindrical:
        return ("_distance", "_angle")
    if kind is Planar:
        along = ("xyz"[(axes[0] + step) % 3] for step in (1, 2))
        return (*(f"_{axis}" for axis in along), "_angle")
    if kind is Spherical:
        return ("_w", "_x", "_y", "_z")
    if kind is Free:
        return ("_x", "_y", "_z", "_qw", "_qx", "_qy", "_qz")
    return tuple(f"_{k + 1}" for k in range(kind.nq))


def _range(item: Item, names: Names) -> tuple[Expr, Expr]:
    low, high = numbers(listed(item, "limits", 2), names)
    return low, high
