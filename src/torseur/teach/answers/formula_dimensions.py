"""Whether the terms of a student's formula go together: the dimension of each, and every misfit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from operator import mul
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
from torseur.model.values.scales import coordinate_units, speed_units
from torseur.teach.answers.right_model import RightModel
from torseur.teach.answers.verdicts import DIMENSIONS, Fault
from torseur.teach.formula.nodes import Node, number
from torseur.words.sentence import say

_SECOND = DimensionForm(known_dimension("s"))
_TOGETHER = {"equal": "set equal", "call": "compared"}  # what parts of one dimension are
_EXACT_DENOMINATOR = 16  # 9.81 may hide a dimension, 0.5 and 1/12 do not


def read(symbols: Dimensions, x: Node) -> tuple[DimensionForm, list[Fault]]:
    """The dimension of a formula, and every place where it is not homogeneous."""
    faults: list[Fault] = []
    return _read(symbols, x, faults), faults


def _read(symbols: Dimensions, x: Node, faults: list[Fault]) -> DimensionForm:
    if x.kind == "number":
        return DimensionForm() if _plain(x.value) else symbols.fresh()
    if x.kind in ("symbol", "unknown", "vector"):
        return symbols.of_symbol(x.value if x.kind != "vector" else f"vec({x.value})")
    if x.kind == "pow":
        return _power(symbols, x, faults)
    forms = [_read(symbols, part, faults) for part in x.args]
    if x.kind in ("add", "equal", "tuple"):
        return _same(symbols, x, x.args, forms, faults)
    if x.kind in ("mul", "cross"):
        return reduce(mul, forms)
    if x.kind == "div":
        return forms[0] * forms[1] ** Fraction(-1)
    if x.kind == "call":
        return _call(symbols, x, forms, faults)
    if x.kind == "rate":
        return forms[0] * _SECOND ** -int(x.value)
    return forms[0]  # neg and norm


def _same(
    symbols: Dimensions,
    x: Node,
    parts: Sequence[Node],
    forms: list[DimensionForm],
    faults: list[Fault],
) -> DimensionForm:
    """The dimension that all of some parts share; zero has any."""
    pairs = [(p, f) for p, f in zip(parts, forms, strict=True) if not p.is_zero]
    if not pairs:
        return symbols.fresh()
    first, form = pairs[0]
    for part, other in pairs[1:]:
        if not symbols.equate(form, other):
            a, b = (_printed(symbols.reduced(y)) for y in (form, other))
            key = _TOGETHER.get(x.kind, "added")
            faults.append(Fault(DIMENSIONS, key, (str(first), a, str(part), b), part.place))
    return symbols.reduced(form)


def _power(symbols: Dimensions, x: Node, faults: list[Fault]) -> DimensionForm:
    base, exponent = x.args
    form, power = _read(symbols, base, faults), _number(exponent)
    if power is not None:
        return form**power
    if not symbols.equate(form, DimensionForm()):
        parts = (str(x), str(base), _printed(form))
        faults.append(Fault(DIMENSIONS, "power of a quantity", parts, x.place))
    return DimensionForm()


def _call(
    symbols: Dimensions, x: Node, forms: list[DimensionForm], faults: list[Fault]
) -> DimensionForm:
    if x.value == "sqrt":
        return forms[0] ** Fraction(1, 2)
    if x.value == "abs":
        return forms[0]
    if x.value in ("max", "min"):
        return _same(symbols, x, x.args, forms, faults)
    if x.value == "if":
        return _same(symbols, x, x.args[1:], forms[1:], faults)
    if x.value == "atan2":
        _same(symbols, x, x.args, forms, faults)
        return DimensionForm()
    for part, form in zip(x.args, forms, strict=True):
        if x.value != "sign" and not symbols.equate(form, DimensionForm()):
            parts = (str(part), str(x.value), _printed(symbols.reduced(form)))
            faults.append(Fault(DIMENSIONS, "function of a quantity", parts, x.place))
    return DimensionForm()


def _printed(form: DimensionForm) -> str:
    return say("[no unit]") if form == DimensionForm() else f"[{form}]"


def _plain(value: Any) -> bool:
    """Whether a number has no dimension for certain: 2, 1/3 or 0.25, but not 9.81."""
    return isinstance(value, int) or (
        isinstance(value, Fraction) and value.denominator <= _EXACT_DENOMINATOR
    )


def _number(x: Node) -> Fraction | None:
    """The value of an exponent made of numbers."""
    if x.kind == "number":
        return Fraction(x.value)
    parts = [_number(part) for part in x.args]
    if any(part is None for part in parts) or x.kind not in ("neg", "div", "mul"):
        return None
    if x.kind == "neg":
        return -parts[0]  # type: ignore[operator]
    a, b = parts
    return a / b if x.kind == "div" else a * b  # type: ignore[operator]


# --- symbol dimensions ----------------------------------------------------------------------------

# The dimensions of the symbols of a model, from units, from use, and from its own equations.


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
    if x.op in ("table", "call"):
        return Node("unknown", (), x.value.name)
    return Node("call", parts, x.op)
