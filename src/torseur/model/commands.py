"""Commands of laws: forces along speeds, actuators and parameters that are given in a motion.

A command is a symbol whose value is held from sample to sample. It takes the place of the entry
that commands an actuator, or of a parameter in forces and in rates of first-order states.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.algebra.core.graph import free_symbols, reachable
from torseur.errors import ModelError
from torseur.model.actuators import actuator_speed
from torseur.model.description import JointLoad, Mechanism
from torseur.model.forces.protocol import Force, Kind, expressions_of
from torseur.model.joints.mesh_points import SIGNAL
from torseur.model.values.numbers import Values
from torseur.model.values.numeric import substituted_parts
from torseur.words.sentence import say

_MAY_CHANGE = ("loads", "states", "actuators")
Range = tuple[float, float]


def command_name(mechanism: Mechanism, name: str, place: str) -> str:
    """The speed, the actuator or the parameter that a name stands for in a law.

    A parameter that is called as an actuator, in the entry that commands it, is commanded instead.
    """
    before = uncommanded(mechanism)
    if name in before.actuators:
        named = _parameters(before.actuators[name].set_point)
        return next((x for x in named if _is_called(x, name)), name)
    if name in before.parameter_table and not {name, f"{name}."} & {*before.every_speed}:
        return name
    return actuator_speed(before, name, before.every_speed, place)


def command_places(mechanism: Mechanism) -> dict[str, int]:
    """The place of each command by the names that it has: those of actuators too."""
    places = {name.removesuffix("."): k for k, name in enumerate(mechanism.commanded)}
    for name in uncommanded(mechanism).actuators:
        command = command_name(mechanism, name, "control")
        if command in mechanism.commanded:
            places[name] = mechanism.commanded.index(command)
    return places


def _is_actuator(before: Mechanism, name: str) -> bool:
    """Whether a command is that of an actuator, and not a parameter of the same name."""
    return name in before.actuators and name not in _parameters(before.actuators[name].set_point)


def _is_called(parameter: str, actuator: str) -> bool:
    """Whether a parameter has the name of an actuator, as far as a parameter may."""
    word = re.escape(re.sub(r"\W", "_", actuator))
    return re.fullmatch(rf"q?{word}(_\d+)?", parameter) is not None


def _parameters(value: Expr) -> list[str]:
    return sorted(x.name for x in free_symbols([value]) if x.kind == "parameter")


def uncommanded(mechanism: Mechanism) -> Mechanism:
    """The mechanism as it is described, where a law commanded it."""
    if mechanism.uncommanded is not None:
        return mechanism.uncommanded
    return replace(mechanism, commanded=()) if mechanism.commanded else mechanism


def with_commanded(mechanism: Mechanism, names: Sequence[str]) -> Mechanism:
    """The mechanism with commands that a law gives, along speeds or in place of what it states."""
    before = uncommanded(mechanism)
    signals = {x: symbol(before.command_symbol(x), SIGNAL) for x in names}
    pushing = [x for x in names if _is_actuator(before, x)]
    others = {*pushing, *before.every_speed}
    by_parameter = {symbol(x): signals[x] for x in names if x not in others}
    changed = _with_actuators(before, {x: signals[x] for x in pushing})
    parts: dict[str, Any] = {}
    if by_parameter:
        parts = substituted_parts(changed, by_parameter)
        _check_parameters(changed, by_parameter, parts)
    source = before if pushing or by_parameter else None
    new = {"inputs": tuple(names), "commanded": tuple(names), "uncommanded": source}
    return replace(changed, **(parts | new))


def _with_actuators(mechanism: Mechanism, signals: Mapping[str, Expr]) -> Mechanism:
    loads, states = dict(mechanism.loads), dict(mechanism.states)
    for name, signal in signals.items():
        load = loads[name]
        assert isinstance(load, JointLoad), "an actuator is a force in a joint"
        parts = mechanism.actuators[name].commanded(signal).parts(mechanism.joints[load.joint])
        loads[name] = parts.load
        states |= {x.name: x for x in parts.states}
    return replace(mechanism, loads=loads, states=states)


def _check_parameters(mechanism: Mechanism, known: Mapping[Expr, Any], parts: Any) -> None:
    """Refuse to command a parameter of anything but forces without potential and rates."""
    changed = [x for x in parts if parts[x] is not getattr(mechanism, x)]
    wrong = (x for x in changed if x not in _MAY_CHANGE)
    table = mechanism.parameter_table
    of_others = (x for x in table if {*free_symbols([table[x].value or ZERO])} & known.keys())
    potentials = (x.name for x in mechanism.loads.values() if {*_fixed(x)} & known.keys())
    place = next((x for listed in (wrong, of_others, potentials) for x in listed), "")
    names = ", ".join(x.name for x in known)
    if place:
        raise ModelError(
            "control",
            say('"{names}" cannot be commanded: "{place}" depends on it.', names, place),
            "A law commands parameters of forces without potential and of rates of states.",
        )
    if not changed:
        raise ModelError("control", say('"{names}" cannot be commanded: no force has it.', names))


def _fixed(force: Force) -> Iterator[Expr]:
    """The symbols of the entries of a force that do not change, such as those of a potential."""
    fixed = {
        key.name
        for key in force.keys
        if key.kind not in (Kind.VARYING, Kind.VECTOR) or key.name == "potential"
    }
    yield from free_symbols([x for name, x in expressions_of(force) if name in fixed])


# --- values ---------------------------------------------------------------------------------------


def described_commands(mechanism: Mechanism, parameters: Mapping[str, Any]) -> list[float]:
    """The commands until a law gives any: those of the description, as far as they are constant.

    Forces along speeds are 0.
    """
    value = Values(parameters)
    given = (described_command(mechanism, name) for name in mechanism.commanded)
    return [float(value(x) or 0.0) for x in given]


def command_range(mechanism: Mechanism, name: str, parameters: Mapping[str, Any]) -> Range:
    """The least and the largest command that are stated: those to which it is clipped.

    Otherwise those of the force of a motor, and of the coordinate of a position servo.
    """
    signal, value = symbol(mechanism.command_symbol(name), SIGNAL), Values(parameters)
    used = [x for load in mechanism.loads.values() for _, x in expressions_of(load)]
    used += [x.rate for x in mechanism.states.values()]
    pieces = [x for x in reachable(used) if x.op == "if"]
    low = {x.args[2]: x for x in pieces if x.args[1] is signal}
    high = [x.args[2] for x in pieces if x.args[1] in (signal, *low.values())]
    ends = [value(x) for x in (*list(low)[:1], *[x for x in high if x not in low][:1])]
    if len(ends) == 2 and None not in ends:
        return float(ends[0] or 0.0), float(ends[1] or 0.0)
    return _stated(mechanism, name, value)


def _stated(mechanism: Mechanism, name: str, value: Values) -> Range:
    """The range of an actuator whose command is not clipped."""
    actuator = mechanism.actuators.get(name)
    stated = None if actuator is None else actuator.set_point_limits
    if actuator is not None and stated is None and actuator.set_point_is_coordinate:
        limited = (x for joint in mechanism.joints.values() for x in joint.limited)
        stated = next(((x.low, x.high) for x in limited if x.name == actuator.coordinate), None)
    low, high = (None, None) if stated is None else map(value, stated)
    infinite = float("inf")
    return -infinite if low is None else low, infinite if high is None else high


def described_command(mechanism: Mechanism, name: str) -> Expr:
    """The command of the description, where it is constant; of a force along a speed, 0."""
    before = uncommanded(mechanism)
    given = before.actuators[name].set_point if _is_actuator(before, name) else symbol(name)
    changes = any(x.kind != "parameter" for x in free_symbols([given]))
    return ZERO if changes or name in before.every_speed else given
