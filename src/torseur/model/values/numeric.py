"""A mechanism at values of its parameters: floats in its tree of bodies, or exact all over it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ONE, Expr, number, symbol
from torseur.algebra.core.graph import evaluate, free_symbols, substitute
from torseur.errors import without_value
from torseur.model.description import GROUND, Body, Joint, Mechanism, Motor
from torseur.model.joints.library import StateFreedom
from torseur.model.joints.mesh_points import SIGNAL
from torseur.model.joints.protocol import JointType
from torseur.model.parameters import order, values, with_values
from torseur.model.values.scales import scales
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import numeric
from torseur.words.sentence import say

Number = Callable[[Any], float]


def numeric_mechanism(mechanism: Mechanism, values: Mapping[str, Any]) -> Mechanism:
    """The mechanism at given parameter values; every expression is evaluated once."""
    expressions = _expressions(mechanism)
    known = dict(zip(expressions, evaluate(list(expressions.values()), values), strict=True))

    def number(x: Any) -> float:
        return float(known[x.key] if isinstance(x, Expr) else x)

    return _with_numbers(mechanism, number)


def tree_parameters(mechanism: Mechanism) -> tuple[str, ...]:
    """The parameters that the tree of bodies and gravity depend on."""
    return tuple(x.name for x in free_symbols(list(_expressions(mechanism).values())))


def _expressions(mechanism: Mechanism) -> dict[int, Expr]:
    """The different expressions of bodies, joints, motors and gravity, by key."""
    expressions: dict[int, Expr] = {}

    def note(x: Any) -> float:
        if isinstance(x, Expr):
            expressions[x.key] = x
        return 0.0

    _with_numbers(mechanism, note)
    return expressions


def _with_numbers(mechanism: Mechanism, number: Number) -> Mechanism:
    """The mechanism with number(x) in place of every x."""

    def valued(parts: Mapping[str, Any], *names: str) -> dict[str, Any]:
        return {
            name: replace(part, **{x: _numbers(getattr(part, x), number) for x in names})
            for name, part in parts.items()
        }

    return replace(
        mechanism,
        bodies=valued(mechanism.bodies, "mass", "centre", "inertia"),
        joints=valued(mechanism.joints, "kind", "X_AF", "X_BM"),
        motors=valued(mechanism.motors, "ratio", "rotor_inertia", "axis"),
        gravity=numeric(mechanism.gravity, number),
    )


def _numbers(value: Any, number: Number) -> Any:
    """Numbers for a scalar, an array, a pose or a joint; nothing stays nothing."""
    if isinstance(value, Pose | JointType):
        return value.numeric(number)
    if isinstance(value, np.ndarray):
        return numeric(value, number)
    return None if value is None else number(value)


_KEPT = {"parameter_table", "form", "uncommanded"}


def with_numbers(mechanism: Mechanism, given: Mapping[str, float] | None = None) -> Mechanism:
    """The mechanism without parameters: each is its definition, or the value that is given.

    What is defined exactly stays exact: a quarter turn has the cosine 0 and not 6e-17.
    """
    table, given = mechanism.parameter_table, given or {}
    missing = [name for name, value in values(table, given).items() if value is None]
    if missing:
        advice = say(
            'Give them: parameters={{"{name}": 1.0, …}}, in the shell --set {name}=1.0.', missing[0]
        )
        raise without_value(f'mechanism "{mechanism.name}"', missing, advice)
    known: dict[Expr, Any] = {}
    for name in order(table):
        definition = table[name].value
        if name in given or definition is None:
            known[symbol(name)] = number(given[name])
        else:
            known[symbol(name)] = substitute(definition, known)
    parts = substituted_parts(mechanism, known)
    before = replace(mechanism, parameter_table=with_values(table, given))
    form = None if mechanism.form is None else FormBefore(before)
    return replace(mechanism, **parts, parameter_table={}, form=form)


def first_order_start(mechanism: Mechanism, values: Mapping[str, Any]) -> dict[str, float]:
    """Values of the first-order states at the start, by name."""
    states = mechanism.states.values()
    return {x.name: float(evaluate(x.initial, values)) for x in states}


def with_states_as_freedoms(mechanism: Mechanism) -> Mechanism:
    """The mechanism with a slide for each first-order state x, pushed by its rate: μ ẍ = μ ẋ(…).

    It rests where the mechanism rests and all rates vanish; its slopes are those of the rates. A
    slide has a rotor and no mass, so that neither gravity nor inertia forces act on it.
    """
    if not mechanism.states:
        return mechanism
    known = {symbol(name, SIGNAL): symbol(name, "coordinate") for name in mechanism.states}
    plain = replace(mechanism, **substituted_parts(replace(mechanism, states={}), known), form=None)
    size = number(scales(mechanism, mechanism.parameters).mass)
    bodies, joints, motors = dict(plain.bodies), dict(plain.joints), dict(plain.motors)
    for name, state in mechanism.states.items():
        bodies[f"state {name}"] = Body(f"state {name}")
        ends = (GROUND, f"state {name}", Pose(), Pose())
        joints[f"state {name}"] = Joint(
            f"state {name}", StateFreedom(), *ends, (name,), (f"{name}.",)
        )
        push = size * substitute(state.rate, known)
        motors[name] = Motor(name, f"state {name}", ONE, rotor_inertia=size, torque=push)
    initial = {**plain.initial, **{name: x.initial for name, x in mechanism.states.items()}}
    return replace(plain, bodies=bodies, joints=joints, motors=motors, initial=initial)


def state_freedoms(mechanism: Mechanism) -> tuple[str, ...]:
    """Names of the first-order states that stand as freedoms in a mechanism."""
    joints = mechanism.joints.values()
    return tuple(x.coordinates[0] for x in joints if isinstance(x.kind, StateFreedom))


def without_state_freedoms(mechanism: Mechanism) -> Mechanism:
    """The bodies of a mechanism in which states stand as freedoms, to be drawn."""
    left_out = {f"state {name}" for name in state_freedoms(mechanism)}
    bodies = {name: x for name, x in mechanism.bodies.items() if name not in left_out}
    joints = {name: x for name, x in mechanism.joints.items() if name not in left_out}
    motors = {name: x for name, x in mechanism.motors.items() if x.joint not in left_out}
    return replace(mechanism, bodies=bodies, joints=joints, motors=motors)


def substituted_parts(mechanism: Mechanism, known: Mapping[Expr, Any]) -> dict[str, Any]:
    """The fields of a mechanism that hold expressions, with known ones put in."""
    return {
        field.name: _replace_expressions(
            getattr(mechanism, field.name), lambda x: substitute(x, known)
        )
        for field in fields(mechanism)
        if field.name not in _KEPT
    }


@final
@dataclass(frozen=True)
class FormBefore:
    """The form of a mechanism whose parameters became numbers: that with the parameters."""

    before: Mechanism

    def text(self, mechanism: Mechanism) -> str:
        """The description, to be read again."""
        return self.before.yaml()

    def written(self, mechanism: Mechanism, ending: str) -> str:
        """The description in the format of a file with this ending."""
        assert self.before.form is not None, "it has one where it was made"
        return self.before.form.written(self.before, ending)


def _replace_expressions(value: Any, change: Callable[[Expr], Expr]) -> Any:
    """change(x) in place of every expression x; without any, the same object."""
    if isinstance(value, Expr):
        return change(value)
    if isinstance(value, np.ndarray):
        if value.dtype != object:
            return value
        result = np.empty(value.shape, dtype=object)
        for index in np.ndindex(value.shape):
            result[index] = _replace_expressions(value[index], change)
        return value if _is_same(result.flat, value.flat) else result
    if isinstance(value, Mapping):
        named = {name: _replace_expressions(x, change) for name, x in value.items()}
        return value if _is_same(named.values(), value.values()) else named
    if isinstance(value, tuple):
        listed = tuple(_replace_expressions(x, change) for x in value)
        return value if _is_same(listed, value) else listed
    if is_dataclass(value) and not isinstance(value, type):
        parts = {x.name: getattr(value, x.name) for x in fields(value) if x.init}
        changed = {name: _replace_expressions(x, change) for name, x in parts.items()}
        changed = {name: x for name, x in changed.items() if x is not parts[name]}
        return replace(value, **changed) if changed else value
    return value


def _is_same(after: Iterable[Any], before: Iterable[Any]) -> bool:
    return all(x is y for x, y in zip(after, before, strict=True))
