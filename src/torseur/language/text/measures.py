"""Dimensions of the terms of expressions, and errors where two disagree.

A number without a unit fits anywhere, and as a factor it may stand for a quantity, as in `-40*x` or
`8/R`. It is a plain number where it is written as one: as a fraction (`2/5*m*r^2`), as a divisor
(`m*l^2/12`), with π or under a root; unless it multiplies a coordinate, a speed or the time, where
it may also be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

from torseur.algebra.core.expr import PARAMETER, PI, Expr
from torseur.algebra.forms.dimensions import (
    NONE,
    Dimension,
    DimensionForm,
    Dimensions,
    known_dimension,
)
from torseur.brief import shortened
from torseur.errors import ModelError
from torseur.language.text.literals import plain_unit
from torseur.language.text.place import START, Place, WrittenText
from torseur.words.sentence import Address, say

Expected = str | DimensionForm | None  # a unit, a dimension that is still to be found, or anything
TIME = "t"
CONSTANTS = {"pi": PI, "π": PI}
_SIMPLE = 16  # the largest whole number that a fraction or a multiple of π is made of
_HALF = Fraction(1, 2)
NO_DIMENSION = DimensionForm()
QUANTITY, MOTION = "quantity", "motion"  # contents of a term, besides the time
_SAME = ("abs", "min", "max", "clip")  # functions with the dimension of their arguments

# Expected quantities whose dimension has several names.
_WORDS = {
    "rad": say("an angle [rad]"),
    "1": say("a plain number"),
    "rad/s": say("an angular speed [rad/s]"),
    "N.m": say("a couple [N.m]"),
    "J": say("an energy [J]"),
    "N.m/rad": say("a torsion stiffness [N.m/rad]"),
    "N.m.s/rad": say("a torsion damping [N.m.s/rad]"),
}


@final
@dataclass(frozen=True)
class Term:
    """A part of an expression: its dimension, and the numbers in it that may have one."""

    form: DimensionForm = NO_DIMENSION
    number: bool = False  # made of numbers only, it fits anywhere
    value: Fraction | None = None  # of a number
    plain: bool = False  # it is a number without dimension, or has one among its factors
    holds: frozenset[str] = frozenset()  # parameters or units, the time, coordinates or speeds


@final
class Measures:
    """The dimensions of the names of a model, as its text is read."""

    def __init__(self) -> None:
        self.symbols = Dimensions({TIME: known_dimension("s")})
        self._origins: dict[str, Place | str] = {}  # where the dimension of a parameter comes from
        self._read: dict[tuple[str, str], tuple[Any, Expr]] = {}  # read before, with their names

    def declare(self, name: str, unit: str, place: str = "") -> None:
        """Declare the unit of a name; a known dimension stays."""
        self.symbols.learn(name, known_dimension(unit))
        if place:
            self._origins[name] = place

    def declare_rate(self, coordinate: str) -> None:
        """Declare the speed of a coordinate: its dimension per second."""
        rate = self.symbols.of_symbol(coordinate) * DimensionForm(known_dimension("s")) ** -1
        self.symbols.equate(self.symbols.of_symbol(f"{coordinate}."), rate)

    def known(self, name: str) -> Dimension | None:
        """The dimension of a name, if units or uses tell it."""
        return self.symbols.known(name)

    def effort(self, coordinate: str) -> DimensionForm:
        """The dimension of the force on a coordinate: an energy over its dimension."""
        return DimensionForm(known_dimension("J")) * self.symbols.of_symbol(coordinate) ** -1

    def remembered(self, text: str, names: Any, expected: Expected) -> Expr | None:
        """The expression read before from this text, with the same names and expectation."""
        known = self._read.get((text, expected)) if isinstance(expected, str) else None
        return known[1] if known is not None and known[0] is names else None

    def remember(self, text: str, names: Any, expected: Expected, value: Expr) -> None:
        """Remember the expression of a text: it fits again where it fitted once."""
        if isinstance(expected, str):
            self._read[text, expected] = names, value

    def check(self, tree: Any, names: Any, written: WrittenText, expected: Expected) -> None:
        """Refuse an expression whose terms do not go together, or that does not fit its place."""
        walk = _Walk(self.symbols, names, written)
        term = walk.closed(walk.term(tree))
        if expected is not None and not term.number:
            expected_form = (
                DimensionForm(known_dimension(expected)) if isinstance(expected, str) else expected
            )
            if not self.symbols.equate(term.form, expected_form):
                raise self._misfit(tree, term, expected_form, expected, written, names)
        for name in _names(tree):
            if name not in self._origins and self.symbols.known(name) is not None:
                self._origins[name] = written.place

    def first_use(self, name: str, names: Any, expected: Expected, place: Place) -> bool:
        """Whether a text is a parameter used for the first time: it has the expected unit."""
        known = names.known.get(name)
        if known is None or not isinstance(expected, str) or name in names.units_of:
            return False
        is_parameter = known.op == "symbol" and known.value == (name, "parameter")
        if not is_parameter or not self.symbols.is_open(name):
            return False
        self.symbols.learn(name, known_dimension(expected))
        self._origins.setdefault(name, place)
        return True

    def _misfit(
        self,
        tree: Any,
        term: Term,
        expected_form: DimensionForm,
        expected: Expected,
        written: WrittenText,
        names: Any,
    ) -> ModelError:
        source = _source_text(tree, written.text)
        measured, needed = (in_words(self.symbols.reduced(x)) for x in (term.form, expected_form))
        if isinstance(expected, str):
            needed = _WORDS.get(expected, needed)
        problem = say(
            '"{shown}" is {measured}, where {needed} is expected.', source, measured, needed
        )
        reasons = (*self._reasons(tree), *_star(tree, names))
        return written.fault(_first(tree), problem, *reasons, _ADVICE)

    def _reasons(self, tree: Any) -> Iterator[str]:
        """Known dimensions of the parameters of an expression, and their origins."""
        for name in dict.fromkeys(_names(tree)):
            known, origin = self.symbols.known(name), self._origins.get(name)
            if known is not None and (where := str(origin or "")):
                yield say(
                    '"{name}" is {in_words} according to {origin}.',
                    name,
                    known.in_words,
                    Address(where),
                )


def _star(tree: Any, names: Any) -> Iterator[str]:
    """Advice where 2m is a length and m is a parameter too."""
    for token in tokens(tree):
        if getattr(token, "type", "") == "UNIT" and str(token) in names.known:
            yield say('To multiply by the name "{name}", write a star before it.', str(token))


_ADVICE = "Correct the expression or the unit; a number may stand without a unit, in SI."


def in_words(form: DimensionForm) -> str:
    """A dimension in words, for a message."""
    return say("a quantity in {form}", form) if form.unknown else form.known.in_words


def folded(tree: Any, leaf: Callable[[Any], Any], operation: Callable[..., Any]) -> Any:
    """The value of the grammar's tuples, operands before operators, without recursion."""
    if not isinstance(tree, tuple):
        return leaf(tree)
    pending, order = [tree], []
    while pending:
        node = pending.pop()
        order.append(node)
        if isinstance(node, tuple):
            pending.extend(node[1:])
    values: list[Any] = []
    for node in reversed(order):
        if not isinstance(node, tuple):
            values.append(leaf(node))
            continue
        count = len(node) - 1
        operands = values[-count:]
        del values[-count:]
        values.append(operation(node[0], operands))
    return values[0]


# --- terms --------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class _Walk:
    """The terms of one expression."""

    symbols: Dimensions
    names: Any  # Names
    written: WrittenText

    def term(self, tree: Any) -> Term:
        result: Term = folded(tree, self._leaf, self._operation)
        return result

    def closed(self, term: Term) -> Term:
        """A complete product: a number that multiplies a motion may stand for a quantity.

        It may be left out when it is 1, before the time, in forces and in the positions of defined
        joints: `sin(t)`, `-x.`, `x^2`.
        """
        moving = term.holds - {QUANTITY}
        left_out = TIME in moving or self.names.implied
        if moving and (term.plain or (QUANTITY not in term.holds and left_out)):
            return replace(term, form=term.form * self.symbols.fresh(), plain=False)
        return term if term.number else replace(term, plain=False)

    def _leaf(self, token: Any) -> Term:
        kind = getattr(token, "type", "NAME")
        if kind == "NUMBER":
            return Term(number=True, value=Fraction(str(token)) if len(token) < 30 else None)
        if kind == "NOTHING":
            return Term(number=True)
        name = "".join(token.split())
        if name in CONSTANTS:
            return Term(number=True, plain=True)
        known: Expr | None = self.names.known.get(name)
        if name in self.names.units_of:
            return Term(self._entry_dimension(self.names.units_of[name]), holds=frozenset({MOTION}))
        return Term(self.symbols.of_symbol(name), holds=_kinds(name, known))

    def _entry_dimension(self, unit: Expected) -> DimensionForm:
        if isinstance(unit, str):
            return DimensionForm(known_dimension(unit))
        return self.symbols.fresh() if unit is None else unit

    def _operation(self, token: Any, terms: list[Term]) -> Term:
        if token.type == "UNIT":
            unit = known_dimension(plain_unit(str(token)))
            return Term(DimensionForm(unit), holds=frozenset({QUANTITY}))
        if token.type in ("PLUS", "MINUS"):
            return terms[0] if len(terms) == 1 else self._sum(token, terms)
        if token.type == "TIMES":
            return self._product(terms[0], terms[1])
        if token.type == "OVER":
            return self._product(terms[0], self._power(terms[1], Fraction(-1)))
        if token.type == "POWER":
            return self._power_of(token, *terms)
        return self._call(token, [self.closed(x) for x in terms])

    def _sum(self, token: Any, terms: list[Term]) -> Term:
        """The sum of terms; numbers take the dimension of the others."""
        measured = [self.closed(x) for x in terms if not x.number]
        holds = _together(terms)
        if not measured:
            return Term(number=True)
        first = measured[0]
        for other in measured[1:]:
            if not self.symbols.equate(first.form, other.form):
                a, b = (in_words(self.symbols.reduced(x.form)) for x in (first, other))
                problem = say('"{token}" joins {a} and {b}.', token, a, b)
                raise self.written.fault(token, problem, _ADVICE)
        return Term(self.symbols.reduced(first.form), holds=holds)

    def _product(self, a: Term, b: Term) -> Term:
        if a.number and b.number:
            known = a.value is not None and b.value is not None
            value = a.value * b.value if known else None  # type: ignore[operator]
            plain = (a.plain or b.plain) and _simple(a) and _simple(b)
            return Term(number=True, value=value, plain=plain)
        form = DimensionForm()
        for part in (a, b):
            hidden = part.number and not part.plain
            form = form * (self.symbols.fresh() if hidden else part.form)
        return Term(form, plain=a.plain or b.plain, holds=a.holds | b.holds)

    def _power(self, base: Term, exponent: Fraction) -> Term:
        if not base.number:
            return replace(base, form=base.form**exponent)
        plain = base.plain or exponent.denominator > 1 or (exponent < 0 and _simple(base))
        small = base.value and abs(exponent) <= _SIMPLE and exponent.denominator == 1
        value = base.value ** int(exponent) if base.value and small else None
        return replace(base, value=value, plain=plain)

    def _power_of(self, token: Any, base: Term, exponent: Term) -> Term:
        if exponent.number and exponent.value is not None:
            return self._power(base, exponent.value)
        self._pure(token, say("the exponent"), self.closed(exponent))
        if base.number or self.symbols.reduced(base.form) == DimensionForm():
            return Term(holds=base.holds | exponent.holds)
        return Term(self.symbols.fresh(), holds=base.holds | exponent.holds)

    def _call(self, token: Any, terms: list[Term]) -> Term:
        name, holds = str(token).rstrip("'"), _together(terms)
        if name in self.names.functions:
            return self._looked_up(token, name, terms[0])
        if name == "sqrt":
            return self._power(terms[0], _HALF)
        if name == "if":
            self._sum(token, terms[:1])
            return replace(self._sum(token, terms[1:]), holds=holds)
        if name in _SAME or name == "atan2":
            same = self._sum(token, terms)
            return same if name in _SAME else Term(holds=holds)
        if name == "sign":
            return Term(holds=holds)
        for term in terms:
            self._pure(token, say("the argument of {name}", name), term)
        if all(x.number for x in terms):
            return Term(number=True, plain=True)
        return Term(holds=holds)

    def _looked_up(self, token: Any, name: str, term: Term) -> Term:
        """The dimension of a table's value, where units are stated; its numbers may have any."""
        stated, value = (self.symbols.known(key) for key in table_names(name))
        argument = term.form if stated is None else DimensionForm(stated)
        if not term.number and not self.symbols.equate(term.form, argument):
            a, b = (in_words(self.symbols.reduced(x)) for x in (term.form, argument))
            problem = say(
                "the argument of {name} is {a}, but its points are given for {b}.", name, a, b
            )
            raise self.written.fault(token, problem, _ADVICE)
        form = self.symbols.fresh() if value is None else DimensionForm(value)
        form = form * argument ** -str(token).count("'")
        return Term(form, holds=term.holds | {QUANTITY})

    def _pure(self, token: Any, what: str, term: Term) -> None:
        """An exponent or an argument has no dimension."""
        if not term.number and not self.symbols.equate(term.form, DimensionForm()):
            problem = say("{what} is {in_words}.", what, in_words(self.symbols.reduced(term.form)))
            advice = say(
                "It must be {in_words}: divide by a quantity of the same kind.", NONE.in_words
            )
            raise self.written.fault(token, problem, advice)


def _kinds(name: str, known: Expr | None) -> frozenset[str]:
    """Kinds of quantities that a name brings into a term."""
    if name == TIME:
        return frozenset({TIME})
    if known is None or known.stage <= PARAMETER:
        return frozenset({QUANTITY})
    return frozenset({MOTION}) if known.op == "symbol" else frozenset({QUANTITY, MOTION})


def _together(terms: list[Term]) -> frozenset[str]:
    return frozenset().union(*(term.holds for term in terms))


def table_names(name: str) -> tuple[str, str]:
    """Names of the argument and the value of a table among dimensions."""
    return f"{name} argument", f"{name} value"


def _simple(term: Term) -> bool:
    """Whether a number has no dimension beside π or in a fraction: 2 or 12, not 9.81 or 7850."""
    value = term.value
    whole = value is not None and value.denominator == 1 and abs(value) <= _SIMPLE
    return term.plain or whole


def _names(tree: Any) -> Iterator[str]:
    for token in tokens(tree):
        if getattr(token, "type", "NAME") in ("NAME", "LIMIT_NAME"):
            yield "".join(token.split())


def tokens(tree: Any) -> Iterator[Any]:
    """The tokens of the grammar's tuples, operators included."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending.extend(node)
        else:
            yield node


def _first(tree: Any) -> Any:
    """The first token of an expression."""
    if not isinstance(tree, tuple):
        return tree if hasattr(tree, "line") else START
    return min(tokens(tree), key=lambda token: (token.line, token.column))


def _source_text(tree: Any, text: str) -> str:
    """The part of a text that an expression stands in."""
    placed = [token for token in tokens(tree) if hasattr(token, "start_pos")]
    if placed:
        end = max(token.end_pos for token in placed)
        text = text[min(token.start_pos for token in placed) : end]
        text += ")" * (text.count("(") - text.count(")"))
    return shortened(text)
