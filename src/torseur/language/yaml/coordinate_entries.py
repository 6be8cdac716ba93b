"""The names and the limits of coordinates: of joints, given or made from their names; chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from torseur.algebra.core.expr import Expr
from torseur.language.text.expression import RESERVED, Names
from torseur.language.yaml.fields import Faults, Fields, entries, listed, number, numbers, text
from torseur.language.yaml.parameter_entries import check_name, read_definitions
from torseur.language.yaml.source import Item
from torseur.model.chosen import ChosenCoordinate
from torseur.model.joints.catalogue import called
from torseur.model.joints.freedoms import suffixes
from torseur.model.joints.protocol import JointType
from torseur.words.sentence import say

Limits = tuple[tuple[Expr, Expr] | None, ...]


def read_coordinates(name: str, joint: JointType, fields: Fields) -> tuple[str, ...]:
    """The names under `coordinate` or `coordinates`, or names made from that of the joint."""
    given = given_names(fields)
    if given is None:
        names = tuple(f"{identifier(name)}{suffix}" for suffix in suffixes(joint.freedoms or ()))
        for reserved in RESERVED.intersection(names):
            problem = say(
                'its coordinate gets the name "{own}" of the joint, which is reserved.', reserved
            )
            advice = say(
                'Rename the joint, or name its coordinate: coordinate: "{own}1".', reserved
            )
            fields.faults.add(fields.at.fault(problem, advice))
        return names
    item, listed_names = given
    if len(listed_names) != joint.nq:
        units = f" [{', '.join(joint.coordinate_units)}]" if joint.nq else ""
        problem = say(
            "{called} has {nq} coordinates{units}, not {number}.",
            called(joint),
            joint.nq,
            units,
            len(listed_names),
        )
        fields.faults.add(
            item.fault(problem, say("Given: {found}.", ", ".join(listed_names) or say("none")))
        )
        return ()
    return listed_names


def given_names(fields: Fields) -> tuple[Item, tuple[str, ...]] | None:
    """The names under `coordinate` or `coordinates`, and the entry they stand in."""
    given = fields.item("coordinates") or fields.item("coordinate")
    if given is None:
        return None
    if fields.item("coordinates") is not None and fields.item("coordinate") is not None:
        problem = say(
            "the coordinates are named twice: {fields} and {given}.",
            fields.item("coordinate"),
            given,
        )
        fields.faults.add(given.fault(problem, "Keep one of the two entries."))
    items = given.value if isinstance(given.value, tuple) else (given,)
    given_texts = tuple(fields.faults.attempt("", text, item) for item in items)
    for coordinate in filter(None, given_texts):
        fields.faults.attempt(None, check_name, coordinate, str(given.place))
    return given, given_texts


def speed_names(name: str, joint: JointType, coordinates: tuple[str, ...]) -> tuple[str, ...]:
    """`alpha.` for a coordinate alpha; `A_wx`, `A_wy`, `A_wz` for an angular velocity."""
    rates = tuple(f"{coordinate}." for coordinate in coordinates)
    if not joint.turning:
        return rates
    turning = tuple(f"{identifier(name)}_w{axis}" for axis in "xyz")
    return (*rates[: joint.nv - 3], *turning)


def read_limits(item: Item, units: Sequence[str], names: Names) -> Limits:
    """[minimum, maximum], or one such pair a coordinate."""
    if len(units) == 1:
        return (_range(item, names, units[0]),)
    pairs = listed(item, "limits, one pair a coordinate", len(units))
    return tuple(
        None if pair.value is None else _range(pair, names, unit)
        for pair, unit in zip(pairs, units, strict=True)
    )


def read_bounds(item: Item, units: Sequence[str], names: Names) -> tuple[Expr, ...]:
    """Bounds of efforts or speeds: one size, or one a degree of freedom."""
    if len(units) == 1 and not isinstance(item.value, tuple):
        return (number(item, names, units[0]),)
    sizes = listed(item, "sizes, one a degree of freedom", len(units))
    return tuple(number(x, names, unit) for x, unit in zip(sizes, units, strict=True))


def claimed_names(name: str, item: Item) -> tuple[str, ...]:
    """The coordinate names that a joint asks for, even when it could not be read."""
    given = given_names(Fields(item, "a joint", item.keys, Faults()))
    return (identifier(name),) if given is None else tuple(filter(None, given[1]))


def read_chosen(item: Item | None, names: Names, faults: Faults) -> dict[str, ChosenCoordinate]:
    """The section `coordinates`: combinations of the coordinates of joints, by name."""
    places = {} if item is None else {name: str(x.place) for name, x in entries(item).items()}
    definitions = read_definitions(item, names, faults)
    return {name: ChosenCoordinate(name, x, places[name]) for name, x in definitions.items()}


def speeds_too(names: Iterable[str]) -> dict[str, str]:
    """Coordinates and their speeds, with their kinds."""
    return {x: kind for n in names for x, kind in ((n, "coordinate"), (f"{n}.", "speed"))}


def identifier(name: str) -> str:
    """A name that may stand in an expression, close to the one given."""
    if name.isascii() and name.isidentifier():
        return name
    word = re.sub(r"\W", "_", name)
    return word if re.match(r"[^\W\d]", word) else f"q{word}"


def _range(item: Item, names: Names, unit: str) -> tuple[Expr, Expr]:
    low, high = numbers(listed(item, "limits", 2), names, unit)
    return low, high
