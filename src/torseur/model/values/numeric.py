"""A mechanism with numbers in place of the expressions that its tree of bodies is made of."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.model.description import Body, Joint, Mechanism, Motor
from torseur.spatial.vectors import numeric

Number = Callable[[Any], float]


def numeric_mechanism(mechanism: Mechanism, values: Mapping[str, Any]) -> Mechanism:
    """The mechanism at given parameter values; every expression is evaluated once."""
    found = _expressions(mechanism)
    known = dict(zip(found, evaluate(list(found.values()), values), strict=True))

    def number(x: Any) -> float:
        return float(known[x.key] if isinstance(x, Expr) else x)

    return _mapped(mechanism, number)


def tree_parameters(mechanism: Mechanism) -> tuple[str, ...]:
    """The parameters that the tree of bodies and gravity depend on."""
    return tuple(x.name for x in free_symbols(list(_expressions(mechanism).values())))


def _expressions(mechanism: Mechanism) -> dict[int, Expr]:
    """The different expressions of bodies, joints, motors and gravity, by key."""
    found: dict[int, Expr] = {}

    def note(x: Any) -> float:
        if isinstance(x, Expr):
            found[x.key] = x
        return 0.0

    _mapped(mechanism, note)
    return found


def _mapped(mechanism: Mechanism, number: Number) -> Mechanism:
    """The mechanism with number(x) in place of every x."""
    parts: dict[str, Any] = {
        "bodies": {name: _body(body, number) for name, body in mechanism.bodies.items()},
        "joints": {name: _joint(joint, number) for name, joint in mechanism.joints.items()},
        "motors": {name: _motor(motor, number) for name, motor in mechanism.motors.items()},
        "gravity": numeric(mechanism.gravity, number),
    }
    return replace(mechanism, **parts)


def _body(body: Body, number: Number) -> Body:
    parts: dict[str, Any] = {
        "mass": number(body.mass),
        "centre": numeric(body.centre, number),
        "inertia": numeric(body.inertia, number),
    }
    return replace(body, **parts)


def _joint(joint: Joint, number: Number) -> Joint:
    return replace(
        joint,
        kind=joint.kind.numeric(number),
        X_AF=joint.X_AF.numeric(number),
        X_BM=joint.X_BM.numeric(number),
    )


def _motor(motor: Motor, number: Number) -> Motor:
    parts: dict[str, Any] = {
        "ratio": number(motor.ratio),
        "rotor_inertia": number(motor.rotor_inertia),
        "axis": None if motor.axis is None else numeric(motor.axis, number),
    }
    return replace(motor, **parts)
