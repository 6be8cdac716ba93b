"""The dimensions of the symbols of a model, from units, from use, and from its own equations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

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
from torseur.model.values.scales import coordinate_units, speed_units
from torseur.teach.answers.formula_dimensions import read
from torseur.teach.answers.right_model import RightModel
from torseur.teach.formula.nodes import Node, number


def symbol_dimensions(model: RightModel) -> Dimensions:
    """Known dimensions of parameters, coordinates, speeds and accelerations."""
    return _dimensions(model).copied()


@lru_cache(maxsize=16)  # of the models that are asked about
def _dimensions(model: RightModel) -> Dimensions:
    mechanism = model.mechanism
    known = _used(mechanism)
    for name, parameter in mechanism.parameter_table.items():
        stated = dimension(parameter.unit) if parameter.unit else parameter.dimension
        if stated is not None:
            known[name] = stated
    known |= _moving(mechanism)
    dimensions = Dimensions(known)
    _of_change(model, dimensions)
    if not _has_bare_numbers(mechanism):
        for row in model.rows:
            read(dimensions, node_of(expression(row)))
    return dimensions


def _moving(mechanism: Mechanism) -> dict[str, Dimension]:
    """Dimensions of time, coordinates, speeds, accelerations and the vector of gravity."""
    speeds = speed_units(mechanism)
    units = {TIME.name: "s", **coordinate_units(mechanism), **speeds, "vec(g)": "m/s^2"}
    units |= {f"{name}.": f"{unit}/s" for name, unit in speeds.items()}
    return {name: known_dimension(unit) for name, unit in units.items()}


def _measured(mechanism: Mechanism) -> Iterator[tuple[Expr, str]]:
    """Parameters that are a mass, a length, an inertia or gravity, with their units."""
    for body in mechanism.bodies.values():
        for values, unit in ((body.mass, "kg"), (body.centre, "m"), (body.inertia, "kg.m^2")):
            yield from ((x, unit) for x in flat(values))
    for joint in mechanism.joints.values():
        yield from ((x, "m") for x in flat([*joint.X_AF.p, *joint.X_BM.p]))
    yield from ((x, "m/s^2") for x in flat(mechanism.gravity))


def _used(mechanism: Mechanism) -> dict[str, Dimension]:
    """Parameters that are, up to a number, one of these."""
    known: dict[str, Dimension] = {}
    for x, unit in _measured(mechanism):
        _, core = split(x)
        if core.op == "symbol" and core.kind == "parameter":
            known.setdefault(core.name, known_dimension(unit))
    return known


def _has_bare_numbers(mechanism: Mechanism) -> bool:
    """Whether a mass, a length or an inertia is a number, so that numbers hide dimensions."""
    return any(x.op == "number" and x.value[1] != 0 for x, _ in _measured(mechanism))


def _of_change(model: RightModel, dimensions: Dimensions) -> None:
    """The dimensions of coordinates that are not the model's."""
    for old, new in model.change.known.items():
        dimensions.equate(dimensions.of_symbol(old.name), read(dimensions, node_of(new))[0])
    for q, v, a in zip(model.system.q, model.system.v, model.system.a, strict=False):
        if f"{q.name}." != v.name:
            continue
        second = DimensionForm(known_dimension("s"))
        dimensions.equate(dimensions.of_symbol(v.name) * second, dimensions.of_symbol(q.name))
        dimensions.equate(dimensions.of_symbol(a.name) * second, dimensions.of_symbol(v.name))


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
