"""A force with roles in place of its bodies, its joint and its numbers.

Forces that differ by these alone become the same, and their expressions are made once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.model.description import GROUND, Body, Joint, Mechanism
from torseur.model.forces.joint import freedom_index
from torseur.model.forces.protocol import (
    Attachment,
    Force,
    Kind,
    bodies_of,
    joints_of,
    place_of,
)

Array = np.ndarray
OWN = "own joint"
_NOT_PART = ("name", "place")


@final
class Numbers:
    """Symbols in place of constants, and the constants."""

    def __init__(self) -> None:
        self.given: dict[str, Expr] = {}

    def __call__(self, name: str, x: Any) -> Any:
        """A symbol for a constant; zero stays zero, what depends on the motion stays as it is."""
        value = expression(x)
        if value is ZERO or any(s.kind != "parameter" for s in free_symbols(value)):
            return value
        self.given[name] = value
        return symbol(name)

    def array(self, name: str, values: Any) -> Array:
        """Symbols for the entries of an array."""
        given = expressions(values)
        entries = [self(f"{name} {k}", x) for k, x in enumerate(given.ravel())]
        return np.array(entries, dtype=object).reshape(given.shape)

    def values(self, parameters: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
        """Numbers that symbols of these names stand for."""
        numbers = {}
        for name in names:
            x = self.given.get(name)
            if x is None:
                numbers[name] = parameters[name]
            elif x.op == "number":
                numbers[name] = float(x.value[1])
            else:
                numbers[name] = float(evaluate(x, parameters))
        return numbers


def _body(k: int) -> str:
    return f"body {k}"


def own_coordinate(k: int) -> str:
    """The name of a coordinate of the joint of a force."""
    return f"coordinate {k} of its joint"


@final
@dataclass(frozen=True)
class Roles:
    """Bodies and joint of a force, each by its role."""

    bodies: tuple[str, ...]
    joint: Joint | None

    def _role(self, body: str) -> str:
        return body if body == GROUND else _body(self.bodies.index(body))

    def played(self, load: Force, numbers: Numbers) -> Force:
        """The force with roles and symbols."""
        known = self._symbols()
        parts: dict[str, Any] = {}
        for key in load.keys:
            value, name = getattr(load, key.attribute), f"its {key.name}"
            if value is not None:
                part = self._part(key.kind, value, name, numbers, known)
                parts[key.attribute] = value if part is None else part
        return replace(load, **parts)  # type: ignore[type-var]

    def _part(
        self, kind: Kind, value: Any, name: str, numbers: Numbers, known: dict[Expr, Expr]
    ) -> Any:
        """An entry of a force; None leaves it as it is."""
        if kind is Kind.CONSTANT:
            return numbers(name, value)
        if kind in (Kind.POINT, Kind.TENSOR):
            return numbers.array(name, value)
        if kind in (Kind.VARYING, Kind.VECTOR):
            return substitute(value, known) if known else None
        if kind is Kind.BODY:
            return self._role(value)
        if kind in (Kind.BODIES, Kind.TWO_MASSES):
            return tuple(self._role(body) for body in value)
        if kind is Kind.CENTRE:
            return self._end(value, name, numbers)
        if kind is Kind.ENDS:
            ends = enumerate(value)
            return tuple(self._end(end, f"{name} {k}", numbers) for k, end in ends)
        if kind is Kind.JOINT:
            return OWN
        if kind is Kind.COORDINATE and value and self.joint is not None:
            return own_coordinate(self.joint.coordinates.index(value))
        return None

    def _end(self, end: Attachment, name: str, numbers: Numbers) -> Attachment:
        return Attachment(self._role(end.body), numbers.array(name, end.point))

    def _symbols(self) -> dict[Expr, Expr]:
        """The coordinates and speeds of the joint, and those of its role."""
        symbols, joint = {}, self.joint
        for k in range(joint.kind.nv if joint is not None else 0):
            assert joint is not None
            if k < len(joint.coordinates) and joint.kind.nq == joint.kind.nv:
                q, role = joint.coordinates[k], own_coordinate(k)
                symbols[symbol(q, "coordinate")] = symbol(role, "coordinate")
                symbols[symbol(joint.speeds[k], "speed")] = symbol(f"{role}.", "speed")
        return symbols

    def stage(self, mechanism: Mechanism, numbers: Numbers) -> Mechanism:
        """A mechanism of the roles: its bodies have symbols for mass, centre and inertia."""
        bodies = {}
        for k, name in enumerate(self.bodies):
            given, role = mechanism.bodies[name], _body(k)
            bodies[role] = Body(
                role,
                numbers(f"mass of {role}", given.mass),
                numbers.array(f"centre of {role}", given.centre),
                numbers.array(f"inertia of {role}", given.inertia),
            )
        joints: Mapping[str, Joint] = mechanism.joints
        if self.joint is not None:
            count = range(len(self.joint.coordinates))
            names = tuple(own_coordinate(k) for k in count)
            speeds = tuple(f"{name}." for name in names)
            joints = {OWN: replace(self.joint, name=OWN, coordinates=names, speeds=speeds)}
        return replace(mechanism, bodies=bodies, joints=joints)

    def real(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Measures by their real names."""
        if self.joint is None:
            return names
        real_names = {own_coordinate(k): name for k, name in enumerate(self.joint.coordinates)}
        return tuple(real_names.get(name, name) for name in names)


def roles_of(mechanism: Mechanism, load: Force) -> Roles:
    """The bodies and the joint that a force names."""
    bodies = tuple(dict.fromkeys(name for name in bodies_of(load) if name != GROUND))
    joint = next((mechanism.joints[name] for name in joints_of(load)), None)
    if joint is not None:
        given: Any = load
        freedom_index(place_of(load), joint, given.coordinate, given.unit)
    return Roles(bodies, joint)


def written(value: Any) -> Any:
    """Comparable form of a force: equal for two forces that differ by their names only."""
    if isinstance(value, Expr):
        return value.key
    if isinstance(value, np.ndarray):
        return tuple(written(x) for x in value.ravel())
    if isinstance(value, tuple):
        return tuple(written(x) for x in value)
    if hasattr(value, "__dataclass_fields__"):
        names = (field.name for field in fields(value) if field.name not in _NOT_PART)
        return (type(value).__name__, *(written(getattr(value, name)) for name in names))
    return value
