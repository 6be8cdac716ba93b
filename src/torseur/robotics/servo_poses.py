"""Commands of position servos that hold a pose."""

from __future__ import annotations

from collections.abc import Mapping

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import free_symbols, reachable, substitute
from torseur.errors import ModelError
from torseur.language.text.given import given_state
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.model.values.numbers import Values
from torseur.words.sentence import say

_CLOSE = 1e-9


def servo_commands(
    mechanism: Mechanism | CompiledModel, pose: Mapping[str, float] | None = None
) -> dict[str, float]:
    """Values of the parameters with which position servos hold a pose, by name.

    The pose has coordinates by name; without it, it is that of the initial values. Give the result
    to `simulate` as `parameters`, or to a stepper as commands. Servos without a parameter in their
    position keep it. Weight moves a servo away from its position, as its gain allows.
    """
    model = compiled_at(mechanism)
    described, values = model.mechanism, Values(model.parameters)
    initial = {name: values(x) or 0.0 for name, x in described.initial.items()}
    wanted = {**initial, **given_state(described, pose or {})}
    commands = {}
    for name, actuator in described.actuators.items():
        if not actuator.set_point_is_coordinate:
            continue
        named = [x.name for x in free_symbols([actuator.set_point]) if x.kind == "parameter"]
        if len(named) == 1:
            target = float(wanted.get(actuator.coordinate, 0.0))
            commands[named[0]] = _command(name, actuator.set_point, named[0], target)
    return commands


def _command(actuator: str, position: Expr, parameter: str, target: float) -> float:
    """The value of the parameter of a position, linear but for limits, that gives the target."""
    unlimited = position
    while pieces := [x for x in reachable([unlimited]) if x.op == "if"]:
        unlimited = substitute(unlimited, {pieces[0]: pieces[0].args[1]})

    def at(x: Expr, value: float) -> float:
        return float(Values({parameter: value})(x) or 0.0)

    start, slope = at(unlimited, 0.0), at(unlimited, 1.0) - at(unlimited, 0.0)
    command = (target - start) / slope if slope else 0.0
    if abs(at(position, command) - target) > _CLOSE * (1 + abs(target)):
        problem = say("its position cannot be {target:g}: that is outside its range.", target)
        raise ModelError(f'actuator "{actuator}"', problem, "Give a pose within the range.")
    return command
