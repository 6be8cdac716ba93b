"""A mechanism with numbers in place of the expressions that its tree of bodies is made of."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.model.description import Mechanism
from torseur.model.joints.protocol import JointType
from torseur.spatial.pose import Pose
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
