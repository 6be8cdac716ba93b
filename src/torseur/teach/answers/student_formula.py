"""A formula as it was handed in: read, its names found, its faults marked, its value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.algebra.forms.dimensions import DimensionForm, Dimensions, known_dimension
from torseur.errors import suggestion
from torseur.teach.answers.formula_dimensions import read as read_dimensions
from torseur.teach.answers.formula_dimensions import symbol_dimensions
from torseur.teach.answers.question import AskedQuantity, names_left, other_name
from torseur.teach.answers.right_model import RightModel
from torseur.teach.answers.stated_base import without_base
from torseur.teach.answers.tensor_orders import ORDERS, tensor_order
from torseur.teach.answers.verdicts import (
    DIMENSIONS,
    LOGIC,
    NOTATION,
    OFF_TOPIC,
    SYNTAX,
    TENSORS,
    TERMS,
    UNDEFINED,
    WRITING,
    Fault,
)
from torseur.teach.answers.vocabulary import Vocabulary
from torseur.teach.formula.nodes import Node, from_sympy, is_sympy, number, value_of
from torseur.teach.formula.parser import parse_formula
from torseur.teach.formula.tokens import (
    Definition,
    FormulaError,
    KnownNames,
    definition,
    sides,
    statements,
)
from torseur.words.sentence import say

Array = np.ndarray
_METRE, _SECOND, _JOULE = (DimensionForm(known_dimension(unit)) for unit in ("m", "s", "J"))
_USUAL = {"v": "m/s", "omega": "rad/s"}  # letters that mean the same in every course
_CONSTANT = re.compile(r"(?:\\(?:text|mathrm) ?\{ ?)?(?:c(?:s?te|st)|const(?:ante?)?)\.?(?: ?\})?")
_ITSELF = "the quantity asked for"  # as a symbol: 2 T = m v^2 is solved for it


@final
@dataclass(frozen=True)
class StudentFormula:
    """The value of a formula (left − right of an equation), and its faults."""

    value: Any  # an expression, three of them, or None if it cannot be computed
    faults: tuple[Fault, ...] = ()
    notices: tuple[str, ...] = ()
    remarks: tuple[Fault, ...] = ()  # marks that do not make it wrong
    unknown: tuple[str, ...] = ()  # names that nothing defines
    base: str = ""  # the body along whose axes the components are written, if that is stated


@final
@dataclass(frozen=True)
class Renaming:
    """Meanings of symbols that the model does not have."""

    names: Mapping[str, str] = field(default_factory=dict)  # → a name of the model
    free: tuple[str, ...] = ()  # parameters of any value

    @property
    def known(self) -> dict[str, str]:
        """The meanings as names of a vocabulary."""
        return {**self.names, **{name: name for name in self.free}}


NO_RENAMING = Renaming()


def student_formula(
    model: RightModel, question: AskedQuantity, formula: Any, renaming: Renaming = NO_RENAMING
) -> StudentFormula:
    """Read the formula of an answer."""
    words = Vocabulary(model, question.point)
    names = words.names(vectors=bool(question.order)).also(renaming.known)
    try:
        tree, read = _read(model, question, formula, names)
    except FormulaError as error:
        return StudentFormula(None, (Fault(SYNTAX, "unreadable", (error.problem,), error.place),))
    vectors, faults = _vectors(words, tree)
    faults += [*read.faults, *_undefined(tree, names)]
    order, mismatches = tensor_order(tree)
    faults += mismatches
    if order != question.order and not mismatches and not tree.is_zero:
        parts = (ORDERS[order], question.name, ORDERS[question.order])
        faults.append(Fault(TENSORS, "another order", parts))
    unknown = tuple(dict.fromkeys(str(x.value) for x in tree.walk() if x.kind == "unknown"))
    if any(fault.code != DIMENSIONS for fault in faults):
        usual = {fault.code for fault in faults} == {UNDEFINED} and set(unknown) <= {*_USUAL}
        misfits = _dimensions(model, words, tree, question) if unknown and usual else []
        return replace(read, faults=(*misfits, *faults), unknown=unknown)
    faults += _dimensions(model, words, tree, question)
    try:
        value = _value(words, question, tree, vectors, renaming, read.base)
    except FormulaError as error:
        faults.append(Fault(SYNTAX, "unreadable", (error.problem,), error.place))
        return replace(read, faults=tuple(faults), unknown=unknown)
    if value is None:
        faults.append(Fault(LOGIC, "circular", (question.name,)))
    remarks = () if faults else read.remarks
    return replace(read, value=value, faults=tuple(faults), remarks=remarks, unknown=unknown)


def names_used(model: RightModel, formula: str) -> set[str]:
    """The names of the model that stand in a formula and in the definitions beside it."""
    names = Vocabulary(model).names(vectors=True)
    used: set[str] = set()
    for part in statements(formula, vector=True):
        pair = sides(part)
        for text in (part,) if pair is None else pair:
            try:
                tree, _ = parse_formula(text, names)
            except FormulaError:
                continue
            used |= {str(node.value) for node in tree.walk() if node.kind == "symbol"}
    return used


# --- reading --------------------------------------------------------------------------------------


def _read(
    model: RightModel, question: AskedQuantity, formula: Any, names: KnownNames
) -> tuple[Node, StudentFormula]:
    """The tree of a formula, and what was noticed in reading it."""
    itself = {} if question.equation or question.order else dict.fromkeys(question.names, _ITSELF)
    if isinstance(formula, Expr):
        formula = str(formula)
    if is_sympy(formula):
        return from_sympy(formula, names.also(itself)), StudentFormula(None)
    if not isinstance(formula, str):
        problem = say("{kind} is neither text nor a SymPy expression.", type(formula).__name__)
        raise FormulaError(problem, 0)
    formula = _constant_rate(formula) if question.equation else formula
    formula, base = without_base(formula, model.mechanism.bodies if question.order else ())
    answer, given, faults = _parts(question, formula, names)
    answer, remarks, off = _after_name(model, question, answer, names)
    known = names.also({**itself, **{x.name: x.name for x in given}})
    tree, notices = parse_formula(answer, known)
    for x in reversed(given):  # a definition may use those before it
        right, more = parse_formula(x.formula, known)
        notices += more
        tree = _replaced(tree, x.name, _root(right, x.power))
    if question.equation and tree.kind != "equal" and not (faults or off):
        remarks.append(Fault(WRITING, "no equals sign"))
    return tree, StudentFormula(None, (*faults, *off), notices, tuple(remarks), base=base)


def _constant_rate(formula: str) -> str:
    """A first integral, … = constant, as the equation that it integrates."""
    pair = sides(formula)
    if pair is None:
        return formula
    for one, other in (pair, reversed(pair)):
        if _CONSTANT.fullmatch(other.strip()):
            return f"d/dt({one.strip()}) = 0"
    return formula


def _parts(
    question: AskedQuantity, formula: str, names: KnownNames
) -> tuple[str, list[Definition], list[Fault]]:
    """The answer, the definitions beside it, and those that cannot be."""
    parts = statements(formula, vector=bool(question.order))
    if len(parts) == 1:
        return parts[0], [], []
    read = [definition(part) for part in parts]
    free = [
        x is not None and names.find(x.name) is None and not names_left(question, x.name)
        for x in read
    ]
    at = free.index(False) if False in free else 0
    given: list[Definition] = []
    faults = []
    for k, x in enumerate(read):
        if k == at:
            continue
        if x is None or names_left(question, x.name):
            problem = "this is neither the answer nor a definition, name = formula."
            raise FormulaError(problem, len(parts[k]) - len(parts[k].lstrip()) + 1)
        if free[k]:
            given.append(x)
        else:
            faults.append(Fault(NOTATION, "redefined", (x.name,)))
    return parts[at], given, faults


def _after_name(
    model: RightModel, question: AskedQuantity, text: str, names: KnownNames
) -> tuple[str, list[Fault], list[Fault]]:
    """Text right of the name of the quantity, with remarks and errors on that name."""
    pair = sides(text)
    if pair is None or (question.equation and sides(pair[1]) is not None):
        return text, [], []
    left, right = pair[0], _last_side(pair[1])
    if question.equation:
        other = other_name(model, left, question) if names.find(left.strip()) is None else None
        return text, [], [Fault(OFF_TOPIC, "another quantity", (other,))] if other else []
    for name, rest in ((left, right), (right, left)):
        if names_left(question, name):
            return rest, [], []
    other = other_name(model, left, question)
    defined = definition(text) if names.find(left.strip()) is None else None
    if other is not None and names.find(left.strip()) is None:
        return right, [Fault(TERMS, "called otherwise", (left.strip(), other, question.name))], []
    if defined is not None and defined.power == 1:
        return right, [Fault(NOTATION, "own name", (left.strip(), question.name))], []
    return (text if sides(pair[1]) is None else right), [], []


def _last_side(text: str) -> str:
    """Last side of a chain of equalities: earlier sides may have other letters."""
    pair = sides(text)
    return text if pair is None else _last_side(pair[1])


def _root(x: Node, power: int) -> Node:
    """The positive quantity whose power is given."""
    if power == 1:
        return x
    if power == 2:
        return Node("call", (x,), "sqrt", x.place)
    exponent = Node("div", (number(1), number(power)))
    return Node("pow", (x, exponent), None, x.place)


def _replaced(tree: Node, name: str, by: Node) -> Node:
    if tree.kind == "symbol" and tree.value == name:
        return by
    if not tree.args:
        return tree
    return replace(tree, args=tuple(_replaced(part, name, by) for part in tree.args))


# --- names and values -----------------------------------------------------------------------------


def _undefined(tree: Node, names: KnownNames) -> list[Fault]:
    """Each name that nothing defines, where it stands first."""
    first_faults: dict[str, Fault] = {}
    for node in tree.walk():
        if node.kind == "unknown":
            hint = next(iter(suggestion(str(node.value), names.all())), "")
            fault = Fault(UNDEFINED, "undefined", (str(node.value), hint), node.place)
            first = first_faults.get(str(node.value))
            if first is None or fault.place < first.place:
                first_faults[str(node.value)] = fault
    return list(first_faults.values())


def _vectors(words: Vocabulary, tree: Node) -> tuple[dict[str, Array], list[Fault]]:
    """The components of what stands under arrows, in ground axes."""
    vectors: dict[str, Array] = {}
    faults = []
    for node in tree.walk():
        if node.kind != "vector" or node.value in vectors:
            continue
        components = words.vector(node.value)
        if components is None:
            listed = f"({', '.join(words.model.points)})"
            faults.append(Fault(UNDEFINED, "undefined vector", (node.value, listed), node.place))
        else:
            vectors[node.value] = components
    return vectors, faults


def _value(
    words: Vocabulary,
    question: AskedQuantity,
    tree: Node,
    vectors: Mapping[str, Array],
    renaming: Renaming,
    base: str = "",
) -> Any:
    """The value of a formula; None if it says nothing but that the quantity is itself."""
    itself = symbol(_ITSELF, "input")
    used = {str(node.value) for node in tree.walk() if node.kind == "symbol"}
    symbols = {_ITSELF: itself, **{name: symbol(name) for name in renaming.free}}
    symbols |= {name: words.value(name) for name in used if name not in symbols}
    model = words.model
    if (vectors or base) and question.order:  # arrows are vectors, components along some axes
        tree, vectors = _in_ground(model, base or question.axes, tree, vectors)
    value = value_of(tree, symbols, vectors, model.rates)
    if question.order:
        value = value if np.ndim(value) else expressions([value] * 3)  # a bare 0 is a zero vector
        return model.in_axes(value, question.axes) if vectors else value
    if itself not in free_symbols(value):
        return value
    slope = derivative(value, itself)
    if slope is ZERO or itself in free_symbols(slope) or tree.kind != "equal":
        return None
    return -substitute(value, {itself: ZERO}) / slope


def _in_ground(
    model: RightModel, axes: str, tree: Node, vectors: Mapping[str, Array]
) -> tuple[Node, dict[str, Array]]:
    """The formula with each triple of components as a sum on some axes."""
    in_ground = dict(vectors) | {
        f"axis {k}": column for k, column in enumerate(model.axes_of(axes).T)
    }

    def rewritten(x: Node) -> Node:
        if x.kind == "tuple":
            axes = (Node("vector", (), f"axis {k}") for k in range(3))
            terms = (Node("mul", pair) for pair in zip(x.args, axes, strict=True))
            return Node("add", tuple(terms), None, x.place)
        return replace(x, args=tuple(rewritten(part) for part in x.args))

    return rewritten(tree), in_ground


# --- dimensions -----------------------------------------------------------------------------------


def _dimensions(
    model: RightModel, words: Vocabulary, tree: Node, question: AskedQuantity
) -> list[Fault]:
    known = symbol_dimensions(model)
    for node in tree.walk():
        if node.kind == "vector" and node.value != "g":
            unit = DimensionForm() if words.is_base(node.value) else _METRE
            known.equate(known.of_symbol(f"vec({node.value})"), unit)
    for name, usual in _USUAL.items():
        if any(node.kind == "unknown" and node.value == name for node in tree.walk()):
            known.equate(known.of_symbol(name), DimensionForm(known_dimension(usual)))
    if question.unit is not None:
        known.equate(known.of_symbol(_ITSELF), DimensionForm(question.unit))
    _of_momenta(model, known)
    form, faults = read_dimensions(known, tree)
    if faults or question.unit is None or tree.kind in ("number", "equal") or tree.is_zero:
        return faults
    if not known.equate(form, DimensionForm(question.unit)):
        parts = (str(known.reduced(form)), question.name, str(question.unit))
        return [Fault(DIMENSIONS, "another dimension", parts)]
    return []


def _of_momenta(model: RightModel, known: Dimensions) -> None:
    """A momentum times a speed is an energy: p q. and m v^2 have the dimension of T."""
    for v in model.system.v:
        name = v.name.removesuffix(".")
        momentum = known.of_symbol(f"p_{name}")
        known.equate(momentum * known.of_symbol(v.name), _JOULE)
        known.equate(known.of_symbol(f"p_{name}.") * _SECOND, momentum)
