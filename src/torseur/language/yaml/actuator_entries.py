"""The section `actuators`: forces along coordinates, and the states of those that lag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from torseur.errors import ModelError
from torseur.language.text.measures import Measures
from torseur.language.yaml.entries import class_and_fields, read_entries
from torseur.language.yaml.fields import Fields, entry, read_parts
from torseur.language.yaml.parameter_entries import check_name
from torseur.language.yaml.scope import Scope
from torseur.language.yaml.source import Item
from torseur.model.actuator_types import Actuator, Parts, actuator_class
from torseur.model.joints.mesh_points import SIGNAL
from torseur.words.sentence import say


def read_actuators(top: Fields, scope: Scope) -> tuple[dict[str, Actuator], dict[str, Parts]]:
    """The actuators by name, and their forces with their states."""
    used = {x: top.declared(x) for x in ("forces", "states")}
    read = read_parts(top.item("actuators"), top.faults, _read_actuator, scope, used)
    known = {name: x for name, x in read.items() if x is not None}
    return {name: x for name, (x, _) in known.items()}, {
        n: parts for n, (_, parts) in known.items()
    }


def _read_actuator(
    name: str, item: Item, scope: Scope, used: Mapping[str, Mapping[str, Item]]
) -> tuple[Actuator, Parts] | None:
    kind, fields = class_and_fields(item, "an actuator", "servo", actuator_class)
    given = read_entries(kind.keys, fields, scope)
    actuator: Actuator = kind(name=name, **given, place=str(item.place))
    _check_limit(actuator, item, scope)
    joints = scope.joints.values()
    joint = next((x for x in joints if actuator.coordinate in x.coordinates), None)
    if joint is None:  # it has errors of its own
        return None
    parts = actuator.parts(joint)
    for state in parts.states:
        check_name(state.name, str(item.place))
    names = {"forces": [name], "states": [x.name for x in parts.states]}
    for section, listed in names.items():
        for one in used[section].keys() & set(listed):
            problem = say('the name "{name}" is already used in this model.', one)
            raise item.fault(problem, say('Choose another one, for instance "{name}1".', name))
    return actuator, parts


def _check_limit(actuator: Actuator, item: Item, scope: Scope) -> None:
    """Refuse limits in the wrong order."""
    if actuator.limit is None:
        return
    low, high = map(scope.constant.value, actuator.limit)
    if low is not None and high is not None and low > high:
        problem = say("the lower limit {low:g} is above the upper one, {high:g}.", low, high)
        raise item.fault(problem, "Give the smaller one first.")


def lagging_states(top: Fields, measures: Measures) -> dict[str, str]:
    """The names of the states of actuators, whether or not these can be read; units are known."""
    names = {}
    for name, lag, unit in lags(top.declared("actuators")):
        names[f"{name}_{lag}"] = SIGNAL
        measures.declare(f"{name}_{lag}", unit)
    return names


def lags(actuators: Mapping[str, Item]) -> Iterator[tuple[str, str, str]]:
    """The actuator, the ending of its name and the unit of each state that actuators declare."""
    for name, item in actuators.items():
        given: Mapping[str, Any] = item.value if isinstance(item.value, Mapping) else {}
        kind = entry(given, "type")
        if kind is None or not isinstance(kind.value, str):
            continue
        try:
            declared = actuator_class(kind.value, "").lags
        except ModelError:  # it is reported where the actuator is read
            continue
        for lag, (maker, unit) in declared.items():
            if entry(given, maker) is not None:
                yield name, lag, unit
