"""The dimensions of the symbols of a model, from units, from use, and from its own equations."""

from __future__ import annotations

from typing import Any

from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import TIME, Expr, expression
from torseur.algebra.core.graph import flat
from torseur.algebra.forms.dimensions import (
    Dimension,
    DimensionForm,
    Dimensions,
    dimension,
    known_dimension,
)
from torseur.model.description import Mechanism
from torseur.teach.answers.dimensions import read
from torseur.teach.answers.model import RightModel
from torseur.teach.formula.nodes import Node, number


def symbol_dimensions(model: RightModel) -> Dimensions:
    """What is known of the dimensions of parameters, coordinates, speeds and accelerations."""
    mechanism = model.mechanism
    known = _used(mechanism)
    for name, parameter in mechanism.parameter_table.items():
        found = dimension(parameter.unit) if parameter.unit else parameter.dimension
        if found is not None:
            known[name] = found
    known |= _moving(mechanism)
    made = Dimensions(known)
    _of_change(model, made)
    if not _has_bare_numbers(mechanism):
        for row in model.rows:
            read(made, node_of(expression(row)))
    return made


def _moving(mechanism: Mechanism) -> dict[str, Dimension]:
    found = {TIME.name: known_dimension("s")}
    for joint in mechanism.joints.values():
        kind = joint.kind
        for name, unit in zip(joint.coordinates, kind.coordinate_units, strict=True):
            found[name] = known_dimension(unit)
        for name, unit in zip(joint.speeds, kind.speed_units, strict=True):
            found[name], found[f"{name}."] = known_dimension(unit), known_dimension(f"{unit}/s")
    return found | {"vec(g)": known_dimension("m/s^2")}


def _used(mechanism: Mechanism) -> dict[str, Dimension]:
    """Parameters that are, up to a number, a mass, a length, an inertia or gravity."""
    found: dict[str, Dimension] = {}
    for body in mechanism.bodies.values():
        _note(found, body.mass, "kg")
        _note(found, body.centre, "m")
        _note(found, body.inertia, "kg.m^2")
    for joint in mechanism.joints.values():
        for X in (joint.X_AF, joint.X_BM):
            _note(found, X.p, "m")
    _note(found, mechanism.gravity, "m/s^2")
    return found


def _note(found: dict[str, Dimension], values: Any, unit: str) -> None:
    for x in flat(values):
        _, core = split(x)
        if core.op == "symbol" and core.kind == "parameter":
            found.setdefault(core.name, known_dimension(unit))


def _of_change(model: RightModel, made: Dimensions) -> None:
    """The dimensions of coordinates that are not the model's."""
    for old, new in model.change.known.items():
        if old.kind == "coordinate":
            made.equate(made.of_symbol(old.name), read(made, node_of(new))[0])
    for q, v, a in zip(model.change.q, model.change.v, model.change.a, strict=False):
        if f"{q.name}." != v.name:
            continue
        second = DimensionForm(known_dimension("s"))
        made.equate(made.of_symbol(v.name) * second, made.of_symbol(q.name))
        made.equate(made.of_symbol(a.name) * second, made.of_symbol(v.name))


def _has_bare_numbers(mechanism: Mechanism) -> bool:
    """Whether a mass, a length or an inertia is a number, so that numbers hide dimensions."""
    values: list[Any] = [mechanism.gravity]
    for body in mechanism.bodies.values():
        values += [body.mass, body.centre, body.inertia]
    for joint in mechanism.joints.values():
        values += [joint.X_AF.p, joint.X_BM.p]
    return any(x.op == "number" and x.value[1] != 0 for part in values for x in flat(part))


def node_of(x: Expr) -> Node:
    """The tree of an expression."""
    if x.op == "number":
        return number(x.value[1])
    if x.op == "symbol":
        return Node("symbol", (), x.name)
    if x.op == "constant":
        return Node("call", (), "pi")
    parts = tuple(node_of(part) for part in x.args)
    if x.op in ("add", "mul"):
        return Node(x.op, parts)
    if x.op == "pow":
        return Node("pow", (*parts, number(x.value)))
    if x.op == "table":
        return Node("unknown", (), x.value.name)
    return Node("call", parts, x.op)
