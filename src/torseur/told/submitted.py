"""A formula as it was handed in: read, its names found, its faults marked, its value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.expr import Expr, symbol
from torseur.algebra.graph import expressions
from torseur.errors import suggestion
from torseur.told.asked import Asked, names_left
from torseur.told.dimensions import Form
from torseur.told.faults import DIMENSIONS, SYNTAX, TENSORS, UNDEFINED, Fault
from torseur.told.formula.names import KnownNames
from torseur.told.formula.nodes import Node
from torseur.told.formula.parser import parse_formula
from torseur.told.formula.sympy_form import from_sympy, is_sympy
from torseur.told.formula.tensors import ORDERS, tensor_order
from torseur.told.formula.tokens import FormulaError
from torseur.told.formula.values import value_of
from torseur.told.model import Model
from torseur.told.symbol_dimensions import symbol_dimensions
from torseur.topology.structure import TIME

Array = np.ndarray


@final
@dataclass(frozen=True)
class Submitted:
    """The value of a formula (left − right of an equation), and its faults."""

    value: Any  # an expression, three of them, or None if it cannot be computed
    faults: tuple[Fault, ...] = ()
    notices: tuple[str, ...] = ()


def submitted(model: Model, wanted: Asked, formula: Any) -> Submitted:
    """Read a formula that answers what is asked for."""
    names = known_names(model)
    names = names.also({name: name for name in wanted.names if not wanted.equation})
    try:
        tree, notices = _read(formula, names)
    except FormulaError as error:
        return Submitted(None, (Fault(SYNTAX, "unreadable", (error.problem,), error.place),))
    tree = _right_side(tree, wanted)
    vectors, faults = _vectors(model, tree)
    faults += _undefined(tree, names, wanted)
    order, mismatches = tensor_order(tree)
    faults += mismatches
    if order != wanted.order and not mismatches and not _is_zero_side(tree):
        parts = (ORDERS[order], wanted.name, ORDERS[wanted.order])
        faults.append(Fault(TENSORS, "another order", parts))
    if any(fault.code in (UNDEFINED, TENSORS) for fault in faults):
        return Submitted(None, tuple(faults), notices)
    faults += _dimensions(model, tree, wanted)
    try:
        value = value_of(tree, _symbols(model), vectors)
    except FormulaError as error:
        faults.append(Fault(SYNTAX, "unreadable", (error.problem,), error.place))
        return Submitted(None, tuple(faults), notices)
    if wanted.order and not np.ndim(value):  # a bare 0 stands for the zero vector
        value = expressions([value] * 3)
    return Submitted(value, tuple(faults), notices)


def _read(formula: Any, names: KnownNames) -> tuple[Node, tuple[str, ...]]:
    if isinstance(formula, str):
        return parse_formula(formula, names)
    if isinstance(formula, Expr):
        return parse_formula(str(formula), names)
    if is_sympy(formula):
        return from_sympy(formula, names), ()
    raise FormulaError(f"{type(formula).__name__} is neither text nor a SymPy expression.", 0)


def _right_side(tree: Node, wanted: Asked) -> Node:
    """What stands right of the name of the quantity asked for; an equation stays whole."""
    if wanted.equation or tree.kind != "equal":
        return tree
    left, right = tree.args
    for name, other in ((left, right), (right, left)):
        if name.kind in ("symbol", "unknown", "vector") and names_left(wanted, str(name.value)):
            return other
        if name.kind == "call" and str(name) == wanted.name:
            return other
    return tree


def _is_zero_side(tree: Node) -> bool:
    return tree.kind == "number" and tree.value == 0


# --- names ----------------------------------------------------------------------------------------


def known_names(model: Model) -> KnownNames:
    """Everything a formula about a model may speak of."""
    change = model.change
    names = {name: name for name in model.mechanism.parameter_table}
    names |= {x.name: x.name for part in (change.q, change.v, change.a) for x in part}
    names[TIME.name] = TIME.name
    multipliers = [x.name for x in model.multipliers]
    names |= {name: name for name in multipliers}
    for name in multipliers:  # the reaction of a relation may be called as the relation
        names.setdefault(name.removeprefix("lambda_"), name)
    if len(multipliers) == 1:
        names.setdefault("lambda", multipliers[0])
    return KnownNames(names)


def _symbols(model: Model) -> dict[str, Expr]:
    change = model.change
    found = {name: symbol(name) for name in model.mechanism.parameter_table}
    found |= {x.name: x for part in (change.q, change.v, change.a) for x in part}
    return found | {TIME.name: TIME} | {x.name: x for x in model.multipliers}


def _undefined(tree: Node, names: KnownNames, wanted: Asked) -> list[Fault]:
    """Each name that nothing defines, where it stands first."""
    found: dict[str, Fault] = {}
    own = {name for name in wanted.names if not wanted.equation}
    for node in tree.walk():
        if node.kind == "unknown" or (node.kind == "symbol" and node.value in own):
            hint = " ".join(suggestion(str(node.value), names.all()))
            fault = Fault(UNDEFINED, "undefined", (str(node.value), hint), node.place)
            first = found.get(str(node.value))
            if first is None or fault.place < first.place:
                found[str(node.value)] = fault
    return list(found.values())


def _vectors(model: Model, tree: Node) -> tuple[dict[str, Array], list[Fault]]:
    """The components of what stands under arrows: gravity, or from one named point to another."""
    found: dict[str, Array] = {}
    faults = []
    for node in tree.walk():
        if node.kind != "vector" or node.value in found:
            continue
        made = _arrow(model, node.value)
        if made is None:
            listed = f"({', '.join(model.points)})"
            faults.append(Fault(UNDEFINED, "undefined vector", (node.value, listed), node.place))
        else:
            found[node.value] = made
    return found, faults


def _arrow(model: Model, written: str) -> Array | None:
    if written == "g":
        return expressions(model.mechanism.gravity)
    for k in range(1, len(written)):
        first, second = written[:k], written[k:]
        if first in model.points and second in model.points:
            return expressions(model.position(second) - model.position(first))
    return None


# --- dimensions -----------------------------------------------------------------------------------


def _dimensions(model: Model, tree: Node, wanted: Asked) -> list[Fault]:
    known = symbol_dimensions(model)
    for node in tree.walk():
        if node.kind == "vector" and node.value != "g":
            metre = known.of_symbol(f"vec({node.value})")
            known.equate(metre, known.metre)
    form, faults = known.read(tree)
    if faults or wanted.unit is None or tree.kind == "number":
        return faults
    if not known.equate(form, Form(wanted.unit)):
        parts = (str(known.reduced(form)), wanted.name, str(wanted.unit))
        return [Fault(DIMENSIONS, "another dimension", parts)]
    return []
