"""The YAML form of a model: its sections, read one after the other into a mechanism."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, final

from torseur.algebra.core.expr import symbol
from torseur.errors import ModelError, TorseurError, all_faults, unknown
from torseur.language.phrase.phrase_mechanism import phrase_mechanism
from torseur.language.phrase.phrase_text import PHRASE
from torseur.language.text.expression import Names
from torseur.language.text.measures import TIME, Measures
from torseur.language.yaml.actions import (
    read_event,
    read_initial,
    read_motor,
    read_moving_ground,
    read_state,
)
from torseur.language.yaml.actuator_entries import lagging_states, read_actuators
from torseur.language.yaml.body_entries import read_body, read_frame, read_point_of
from torseur.language.yaml.coordinate_entries import claimed_names, read_chosen, speeds_too
from torseur.language.yaml.entries import (
    read_constraint,
    read_contact,
    read_force,
    read_motion,
    read_sensor,
    varying,
    with_reactions,
)
from torseur.language.yaml.fields import (
    Faults,
    Fields,
    entries,
    entry,
    listed,
    read_parts,
    text,
    vector,
)
from torseur.language.yaml.friction_entries import stop_springs, viscous_drags
from torseur.language.yaml.joint_entries import read_joint
from torseur.language.yaml.parameter_entries import (
    names_of,
    of_time,
    read_definitions,
    read_parameters,
)
from torseur.language.yaml.point_tables import Folder, TableFolder, read_tables, tables_below
from torseur.language.yaml.scope import Scope
from torseur.language.yaml.source import Item, Lines, read_data, read_text
from torseur.language.yaml.translated_keys import english
from torseur.model.actuator_types import Actuator
from torseur.model.checks.exact_turns import with_exact_turns
from torseur.model.checks.limits import MOST_BODIES, MOST_PARAMETERS
from torseur.model.checks.mechanism_checks import check, check_values, require_valid
from torseur.model.chosen import ChosenCoordinate, joint_values
from torseur.model.description import (
    FirstOrderState,
    Joint,
    Mechanism,
    Motor,
    Parameter,
    Point,
)
from torseur.model.forces.protocol import Force, no_vector
from torseur.model.joints.mesh_points import SIGNAL
from torseur.model.parameters import values
from torseur.model.values.numbers import Values
from torseur.words.sentence import say

VERSION = "1"
SECTIONS = (
    *("torseur", "name", "description", "gravity", "frame", "parameters", "tables", "definitions"),
    *("bodies", "joints", "coordinates", "motors", "forces", "frames", "points", "constraints"),
    *("motions", "contacts", "inputs", "actuators", "states", "sensors", "impacts", "events"),
    *("reactions", "initial", "include"),
)
INCLUDE = "include"  # of other models, which are joined before sections are read
REACTIONS = ("least_norm",)  # how reactions that are not unique are chosen
IMPACTS = ("simultaneous", "sequential")  # whether shocks at one instant are one
T = TypeVar("T")


def yaml_mechanism(
    text: str, source: str, *, name: str = "", tables: Folder | None = None
) -> Mechanism:
    """The mechanism of a YAML text; `source` is the name of its file."""
    root = read_text(text, source)
    return mechanism_of(root, name or source, source, tables_below(Path(source).parent, tables))


def data_mechanism(data: Mapping[str, Any], tables: Folder | None = None) -> Mechanism:
    """The mechanism of the YAML form given as Python data."""
    return mechanism_of(read_data(data), "model", "", tables_below(Path(), tables))


def imported_mechanism(data: Mapping[str, Any], source: str, lines: Lines) -> Mechanism:
    """The mechanism of the YAML form that was made from a file, with the lines of its parts."""
    root = read_data(data, source, lines)
    return mechanism_of(root, "model", source, tables_below(Path(source).parent, None))


def includes(root: Item) -> bool:
    """Whether a model includes others."""
    return isinstance(root.value, Mapping) and entry(root.value, INCLUDE) is not None


def included(root: Item) -> Item:
    """The section `include` of a model that has one."""
    item = entry(entries(root), INCLUDE)
    assert item is not None, "the model includes others"
    return item


def mechanism_of(root: Item, name: str, source: str, folder: TableFolder) -> Mechanism:
    """The mechanism of the values of the YAML form; files are read from a folder."""
    faults = Faults()
    if (phrase := entries(root).get("phrase")) is not None:
        return phrase_form(root, phrase, name)
    top = Fields(root, "a model", SECTIONS, faults)
    _version(top)
    if not faults.found and top.lacks("bodies"):
        problem = "no body is described."
        faults.add(root.fault(problem, "Example: bodies: {crank: {mass: 2}}"))
    _not_too_many(top)
    measures = Measures()
    tables = read_tables(top.item("tables"), folder, faults, measures, top.declared("parameters"))
    table, names = read_parameters(top.item("parameters"), faults, tables, measures)
    names = replace(names, value=_values(table), refused=_Coordinates(top.declared("joints")))

    def section(name: str, reading: Callable[..., T], *arguments: Any) -> dict[str, T]:
        return read_parts(top.item(name), faults, reading, *arguments)

    before = len(faults.found)
    bodies, bodies_named = section("bodies", read_body, names, folder), top.declared("bodies")
    joints = section("joints", read_joint, bodies_named, names)
    states = _states(top, joints)
    chosen = read_chosen(top.item("coordinates"), varying(names, states), faults)
    frames = section("frames", read_frame, bodies_named, names)
    points = section("points", read_point_of, bodies_named, frames, names)
    complete = len(faults.found) == before
    acting, restrained = _scopes(top, joints, states, chosen, names, points, measures)
    gravity = top.read("gravity", no_vector(), vector, names, "m/s^2")
    motors, loads, actuators, lagging = _actions(top, acting)
    mechanism = Mechanism(
        name=top.text("name", name),
        parameter_table=table,
        bodies=bodies,
        joints=joints,
        gravity=gravity,
        motors=motors,
        chosen=chosen,
        loads=loads,
        frame=top.read("frame", None, read_moving_ground, acting),
        points=points,
        frames=frames,
        constraints=section("constraints", read_constraint, restrained),
        motions=section("motions", read_motion, restrained),
        contacts=section("contacts", read_contact, replace(restrained, folder=folder)),
        states={**section("states", read_state, acting.varying, names), **lagging},
        sensors=section("sensors", read_sensor, acting),
        events=section("events", read_event, restrained.varying),
        inputs=top.read("inputs", (), _inputs, joints, (*actuators, *table), faults),
        actuators=actuators,
        impacts=top.read("impacts", "", _word, "way of impacts", IMPACTS),
        reactions=top.read("reactions", "", _word, "choice of reactions", REACTIONS),
        initial=section("initial", read_initial, {**states, **speeds_too(chosen)}, names),
        description=top.text("description"),
        source=source,
        notices=_notices(top),
    )
    if faults.found:
        more = check(mechanism) if complete else check_values(mechanism)
        raise all_faults(sorted([*faults.found, *more], key=position))
    start = joint_values(mechanism.initial, mechanism.change)
    mechanism = replace(mechanism, parameter_table=_with_dimensions(table, measures), initial=start)
    return require_valid(with_exact_turns(mechanism))


def _scopes(
    top: Fields,
    joints: Mapping[str, Joint],
    states: Mapping[str, str],
    chosen: Mapping[str, ChosenCoordinate],
    names: Names,
    points: Mapping[str, Point],
    measures: Measures,
) -> tuple[Scope, Scope]:
    """The scope of motors and forces, and that of constraints and motions."""
    freedoms = {
        name: joints[name].coordinates if name in joints else () for name in top.declared("joints")
    }
    coordinates = tuple(name for name, kind in states.items() if kind == "coordinate")
    lagging = lagging_states(top, measures)
    moving = varying(names, {**states, **dict.fromkeys(top.declared("states"), SIGNAL), **lagging})
    for coordinate in chosen.values():
        moving = moving.also(
            {coordinate.name: coordinate.value, f"{coordinate.name}.": coordinate.rate}
        )
    strict = replace(moving, implied=False)
    defined = read_definitions(top.item("definitions"), strict, top.faults)
    moving, strict = moving.also(defined), strict.also(defined)
    timed = names.also({**of_time(defined), TIME: symbol(TIME, "time")})
    refused = {x: _not_constant(x) for x in moving.known if x not in timed.known}
    still, bodies = replace(timed, refused=refused), top.declared("bodies")
    acting = Scope(bodies, joints, freedoms, coordinates, names, still, moving)
    acting = replace(acting, points={x: points.get(x) for x in top.declared("points")})
    acting = replace(acting, contacts=top.declared("contacts"))
    return acting, replace(acting, timed=timed, varying=strict)


@final
class _Coordinates(Mapping[str, str]):
    """Messages against coordinates in constant values, by name; made on demand."""

    def __init__(self, joints: Mapping[str, Item]) -> None:
        self._joints = joints

    @cached_property
    def _coordinate_names(self) -> set[str]:
        named: set[str] = set()
        for name, joint in self._joints.items():
            given = joint.value if isinstance(joint.value, Mapping) else {}
            item = entry(given, "coordinate") or entry(given, "coordinates")
            value = name if item is None else item.value
            several = value if isinstance(value, tuple) else (value,)
            named.update(str(x.value if isinstance(x, Item) else x) for x in several)
        return named

    def __getitem__(self, name: str) -> str:
        if name not in self._coordinate_names:
            raise KeyError(name)
        return say('"{name}" is {what}, but this value is constant.', name, say("a coordinate"))

    def __iter__(self) -> Iterator[str]:
        return iter(self._coordinate_names)

    def __len__(self) -> int:
        return len(self._coordinate_names)


def _not_constant(name: str) -> str:
    """Message against a coordinate or a speed in a constant value."""
    return say(
        '"{name}" changes with the motion; this value may depend on t and the parameters only.',
        name,
    )


def _actions(
    top: Fields, acting: Scope
) -> tuple[dict[str, Motor], dict[str, Force], dict[str, Actuator], dict[str, FirstOrderState]]:
    """Motors; forces, springs of stops and actuators; these and their states; all by name."""
    motors = read_parts(top.item("motors"), top.faults, read_motor, acting)
    forces = read_parts(top.item("forces"), top.faults, read_force, with_reactions(top, acting))
    actuators, parts = read_actuators(top, acting)
    pushing = {name: x.load for name, x in parts.items()}
    lagging = {state.name: state for x in parts.values() for state in x.states}
    joints = acting.joints.values()
    forces = {**forces, **stop_springs(joints), **viscous_drags(joints), **pushing}
    return motors, forces, actuators, lagging


def _with_dimensions(table: Mapping[str, Parameter], measures: Measures) -> dict[str, Parameter]:
    """The parameters with the dimensions that units and uses gave them."""
    return {
        name: Parameter(name, x.value, x.unit, x.meaning, x.place, measures.known(name))
        for name, x in table.items()
    }


def position(fault: TorseurError) -> tuple[int, int]:
    """The line and column of an error; errors of Python data stay in their order."""
    marks = re.search(r":(\d+):(\d+)(?::|$)", fault.place)
    return (int(marks.group(1)), int(marks.group(2))) if marks else (0, 0)


def _version(top: Fields) -> None:
    if (models := top.item(INCLUDE)) is not None:
        top.faults.add(models.fault("models are included by ts.load only."))
    item = top.item("torseur")
    if item is not None and item.value != VERSION:
        advice = say(
            "Write  torseur: {version}  for the form described in the documentation.", VERSION
        )
        problem = say("version {item} of the YAML form is not known.", item)
        top.faults.add(item.fault(problem, advice))


def _word(item: Item, what: str, known: tuple[str, ...]) -> str:
    """One of some words."""
    word = english(text(item), known)
    if word not in known:
        raise unknown(str(item.place), what, word, known)
    return word


def _inputs(
    item: Item, joints: Mapping[str, Joint], others: Collection[str], faults: Faults
) -> tuple[str, ...]:
    """Commands that laws give while it moves: actuators, parameters of forces, forces along speeds.

    Speeds are named by them or by their coordinates.
    """
    speeds = [name for joint in joints.values() for name in joint.speeds]
    inputs: list[str] = []
    for one in listed(item, "inputs"):
        name = text(one)
        speed = name if name in (*speeds, *others) else f"{name}."
        if speed not in (*speeds, *others):
            faults.add(unknown(str(one.place), "coordinate", name, (*speeds, *others)))
        elif speed in inputs:
            faults.add(one.fault(say('"{name}" is named twice.', name)))
        else:
            inputs.append(speed)
    return tuple(inputs)


def _not_too_many(top: Fields) -> None:
    """Stated limits, looked at before anything is read."""
    for section, most in (("parameters", MOST_PARAMETERS), ("bodies", MOST_BODIES)):
        count, item = len(top.declared(section)), top.item(section)
        if count > most and item is not None:
            raise item.fault(
                say("there are {count} {section}, more than {most}.", count, section, most)
            )


def _states(top: Fields, joints: Mapping[str, Joint]) -> dict[str, str]:
    """The names of coordinates and speeds with their kind; also those of joints with errors."""
    states: dict[str, str] = {}
    for joint in joints.values():
        states |= dict.fromkeys(joint.coordinates, "coordinate")
        states |= dict.fromkeys(joint.speeds, "speed")
    for name, value in top.declared("joints").items():
        if name not in joints:
            for coordinate in claimed_names(name, value):
                states |= {coordinate: "coordinate", f"{coordinate}.": "speed"}
    return states


def _values(table: Mapping[str, Parameter]) -> Values:
    """The values of the parameters; none while they cannot be computed, which is reported later."""
    try:
        return Values(values(table))
    except ModelError:
        return Values({})


def _notices(top: Fields) -> tuple[str, ...]:
    notes = [] if top.item("gravity") is not None else [say("No gravity is given: 0 is assumed.")]
    for name, motor in top.declared("motors").items():
        if isinstance(motor.value, Mapping) and entry(motor.value, "ratio") is None:
            notes.append(
                say('motor "{name}": no ratio is given; 1 (direct drive) is assumed.', name)
            )
    return tuple(notes)


PHRASE_KEYS = (
    *("torseur", "name", "description", "phrase", "masses", "gravity", "parameters", "initial"),
)


def phrase_form(root: Item, phrase: Item, name: str) -> Mechanism:
    """The mechanism of the entries `phrase`, `masses` and `gravity`, with values and a start."""
    faults = Faults()
    fields = Fields(root, "a model given by a phrase", PHRASE_KEYS, faults)
    measures = Measures()
    valued, _ = read_parameters(fields.item("parameters"), faults, {}, measures)
    gravity = fields.item("gravity")
    field = None if gravity is None else [text(x) for x in listed(gravity, "gravity", 3)]
    masses = fields.text("masses") or None
    faults.raised()
    read = phrase_mechanism(
        text(phrase),
        masses=masses,
        gravity=field,
        name=fields.text("name", name),
        place=phrase.place if phrase.place.line else PHRASE,
    )
    table = dict(read.parameter_table)
    for key, parameter in valued.items():
        if key not in table:
            raise unknown(parameter.place, "parameter", key, table)
        table[key] = replace(table[key], value=parameter.value, meaning=parameter.meaning)
    states = (*read.every_coordinate, *read.every_speed)
    start = read_parts(fields.item("initial"), faults, read_initial, states, names_of(table))
    faults.raised()
    described = replace(
        read, parameter_table=table, initial=start, description=fields.text("description")
    )
    return require_valid(described)
