"""Expressions from text: exact numbers, units, names, functions, + − × / ^ and parentheses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

from torseur.algebra.core.expr import ZERO, Expr, number, symbol
from torseur.algebra.core.tabulated import Table, Tabulated
from torseur.errors import ModelError, suggestion, unknown
from torseur.language.text.arithmetic import ARGUMENTS, OPERATIONS, bounded, called, real
from torseur.language.text.grammar import parse
from torseur.language.text.literals import literal, plain_unit, written_number, written_unit
from torseur.language.text.measures import CONSTANTS, TIME, Expected, Measures, folded, tokens
from torseur.language.text.place import NOWHERE, Place, WrittenText
from torseur.language.text.text_mistakes import (
    factor_meant,
    fraction_meant,
    product_meant,
    unit_meant,
)
from torseur.model.values.numbers import Values
from torseur.units import is_unit
from torseur.words.sentence import say, worded

_SHORT_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,8})?")
_LONG_NUMBER = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,20})?(?:e-[0-9]{2})?")  # as floats are written
NOT_FINITE = ("nan", "inf", "infinity")
RESERVED = frozenset({*CONSTANTS, *ARGUMENTS, TIME, *NOT_FINITE})  # names that nothing may have


@final
@dataclass(frozen=True)
class Names:
    """Meanings of the names of an expression."""

    known: Mapping[str, Expr] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)  # names of elsewhere, and why not here
    open: bool = False  # an unknown name is a new parameter
    functions: Mapping[str, Table] = field(default_factory=dict)  # tables, called as functions
    units: bool = True  # numbers may have units
    measures: Measures | None = None  # dimensions of names; None: not checked
    implied: bool = False  # a factor 1 before a coordinate may stand for a quantity
    units_of: Mapping[str, Expected] = field(default_factory=dict)  # of names of this entry only
    value: Values = field(default_factory=lambda: Values({}))  # values of expressions of them

    def also(self, more: Mapping[str, Expr]) -> Names:
        """These names and others."""
        return replace(self, known={**self.known, **more})

    @property
    def kind(self) -> str:
        """Kind of one of them in a message."""
        parameters = all(x.op == "symbol" and x.kind == "parameter" for x in self.known.values())
        return "parameter" if parameters else "name"


def parse_expression(
    text: str, names: Names | Mapping[str, Expr], place: Place = NOWHERE, expected: Expected = None
) -> Expr:
    """The expression a text stands for, in SI units and radians.

    Decimals are exact, degrees are multiples of π, names are looked up in `names`; the
    dimensions must go together and give what is `expected`. An error is a ModelError at its line
    and column; `place` is where the text starts.
    """
    plain = plain_number(text)
    if plain is not None:
        return plain
    known = names if isinstance(names, Names) else Names(names)
    measures = known.measures
    if measures is not None and measures.first_use(text, known, expected, place):
        return known.known[text]
    remembered = None if measures is None else measures.remembered(text, known, expected)
    if remembered is not None:
        return remembered
    written = WrittenText(text, place)
    if text not in known.known:
        tree = unit_behind(parse(written, "expression"), written)
        value = evaluated(tree, known, written)
    else:
        tree, value = text, known.known[text]
    if measures is not None:
        measures.check(tree, known, written, expected)
        measures.remember(text, known, expected, value)
    return value


@lru_cache(maxsize=4096)
def plain_number(text: str) -> Expr | None:
    """The number that a text is, without a unit; most entries are one: no need to parse."""
    if _SHORT_NUMBER.fullmatch(text):
        return number(Fraction(text) if "." in text else int(text))
    if not _LONG_NUMBER.fullmatch(text):
        return None
    size = literal(text.removeprefix("-"))
    return -size if text.startswith("-") else size


def evaluated(tree: Any, names: Names, written: WrittenText) -> Expr:
    """The value of the grammar's tuples."""
    lone = _lone_unit(tree)
    value = folded(
        tree,
        lambda token: _leaf(token, names, written),
        lambda token, operands: _operation(token, operands, names, written, token is lone),
    )
    return _compute(real, [value], tree[0], written) if isinstance(tree, tuple) else value


def _leaf(token: Any, names: Names, written: WrittenText) -> Expr:
    if token.type == "NUMBER":
        return written_number(token, written)
    if token.type == "NOTHING":
        return ZERO
    name = "".join(token.split())
    if name in CONSTANTS:
        return CONSTANTS[name]
    known = names.known.get(name)
    if known is not None:
        return known
    if name.lower() in NOT_FINITE:
        raise written.fault(token, say('"{name}" is not a finite number, nor a name.', name))
    if names.open and token.type != "SPEED" and name not in RESERVED:
        return symbol(name)
    raise _no_such_name(token, name, names, written)


def _lone_unit(tree: Any) -> Any:
    """The unit of a text that is a number, with or without a sign, and its unit; else None."""
    if isinstance(tree, tuple) and len(tree) == 2 and tree[0].type in ("PLUS", "MINUS"):
        tree = tree[1]
    return tree[0] if isinstance(tree, tuple) and tree[0].type == "UNIT" else None


def _is_quotient(tree: Any) -> bool:
    return isinstance(tree, tuple) and tree[0].type in ("TIMES", "OVER")


def unit_behind(tree: Any, written: WrittenText) -> Any:
    """A quotient of numbers with a unit behind it, which is that of all: 1/2 m, 3*pi/4 rad."""
    if not isinstance(tree, tuple):
        return tree
    if len(tree) == 2 and tree[0].type == "MINUS" and _is_quotient(tree[1]):
        return (tree[0], unit_behind(tree[1], written))
    if not _is_quotient(tree) or not isinstance(tree[2], tuple):
        return tree
    operator, left, (unit, *last) = tree
    inside = list(tokens(left))
    plain = all(x.type in ("NUMBER", "PI", "TIMES", "OVER") for x in (*inside, *tokens(last[0])))
    first = min(x.start_pos for x in inside)
    if unit.type != "UNIT" or not plain or "(" in written.text[first : unit.start_pos]:
        return tree
    return (unit, (operator, left, last[0]))


def _operation(
    token: Any, operands: list[Expr], names: Names, written: WrittenText, lone: bool
) -> Expr:
    if token.type == "UNIT":
        factor = _unit(token, names, written, lone)
        return _compute(OPERATIONS["TIMES"], [operands[0], factor], token, written)
    if token.type not in ("NAME", "PRIMED"):
        return _compute(OPERATIONS[token.type], operands, token, written)
    table = names.functions.get(token.rstrip("'"))
    if table is None and token not in ARGUMENTS:
        raise _no_such_function(token, names, written)
    count = 1 if table is not None else ARGUMENTS[token]
    if len(operands) != count:
        expected = say("one argument") if count == 1 else say("{count} arguments", count)
        problem = say("{token} takes {wanted}, not {number}.", token, expected, len(operands))
        raise written.fault(token, problem, *_advice_on_extrema(str(token), len(operands)))
    if table is not None:
        looked_up = Tabulated(table, token.count("'"))
        return _compute(lambda x: bounded(looked_up(x)), operands, token, written)
    return _compute(lambda *args: called(str(token), *args), operands, token, written)


def _advice_on_extrema(name: str, count: int) -> tuple[str, ...]:
    """Advice on max(x), the largest value over a motion in studies."""
    if name not in ("max", "min") or count != 1:
        return ()
    return (
        say(
            "{name}(a, b) compares two values at one instant; over a motion, {name}(x) is an "
            "output of studies.",
            name,
        ),
    )


def _unit(token: Any, names: Names, written: WrittenText, lone: bool) -> Expr:
    """The factor of a unit; within a larger expression, a divisor may be a name as well."""
    unit = plain_unit(str(token))
    if not names.units:
        advice = say('Leave out either "{unit}" or the entry "unit".', unit)
        raise written.fault(token, say('the unit is given twice: here "{unit}".', unit), advice)
    divisors = [] if lone else re.findall(r"/([^/.·^*]+)", unit)  # after a dot stands a unit
    shared = [part for part in divisors if part in names.known]
    if shared:
        raise written.fault(
            token,
            say(
                '"{unit}" may be a unit or contain the {kind} "{shared}".',
                unit,
                worded(names.kind),
                shared[0],
            ),
            say('Put the number and its unit in parentheses to go on with "{shared}".', shared[0]),
            say('For the unit write "{unit}".', _without_slashes(unit)),
        )
    first = re.split(r"[./*^·]", unit)[0]
    factor = "" if is_unit(unit) else factor_meant(first, {*names.known, *CONSTANTS})
    if factor:
        problem = say('the sign of multiplication before "{factor}" is missing.', factor)
        advice = say('To multiply, write a star before "{shown}".', factor)
        raise written.fault(token, problem, advice)
    return written_unit(token, written)


def _without_slashes(unit: str) -> str:
    """N/m as N.m^-1."""
    first, *below = unit.split("/")
    named = (part.partition("^") for part in below)
    return ".".join([first, *(f"{name}^-{power or 1}" for name, _, power in named)])


def _compute(
    function: Callable[..., Expr], operands: list[Expr], token: Any, written: WrittenText
) -> Expr:
    """The result of an operation; a failure is reported at the operator."""
    try:
        return function(*operands)
    except ZeroDivisionError:
        problem = say('"{token}" divides by zero.', token)
    except OverflowError:
        problem = say('"{token}" gives a number out of the range 1e-150 to 1e150.', token)
    except ArithmeticError:
        problem = say('"{token}" has no real value.', token)
    except RecursionError:
        problem = say('"{token}" has operands too long to be simplified.', token)
    raise written.fault(token, problem) from None


def _no_such_name(token: Any, name: str, names: Names, written: WrittenText) -> ModelError:
    if name in names.refused:
        return written.fault(token, names.refused[name])
    if name in ARGUMENTS or name in names.functions:
        advice = say("Write its argument in parentheses: {name}(…).", name)
        return written.fault(token, say('"{name}" is a function.', name), advice)
    if token.type == "SPEED" or name == TIME:
        what = say("the time") if name == TIME else say("a speed")
        return written.fault(
            token, say('"{name}" is {what}, but this value is constant.', name, what)
        )
    reactions = [n for n, x in names.known.items() if x.op == "symbol" and x.kind == "reaction"]
    fault = unknown("", names.kind, name, names.known.keys() - set(reactions))
    close = suggestion(name, reactions) if len(fault.advice) == 1 else ()
    if hint := _likely_meaning(token, name, names, written):
        return written.fault(token, fault.problem, fault.advice[0], hint)
    more: tuple[str, ...] = ()
    power = re.fullmatch(r"(\D+)(\d)", name)
    if power and is_unit(power.group(1)):
        more = (say('For the power of a unit write "{groups}".', "^".join(power.groups())),)
    elif is_unit(name) and len(fault.advice) == 1:
        more = (say('A unit follows a number directly, as in "3 {name}".', name),)
    if more and names.kind == "parameter" and names.measures is not None and not power:
        more = (
            say('Add "{name}" to the parameters; a unit follows a number, as in "3 {name}".', name),
        )
    return written.fault(token, fault.problem, *fault.advice, *close, *more)


def _likely_meaning(token: Any, name: str, names: Names, written: WrittenText) -> str:
    """Advice on an unknown name that is a product, a fraction, or a unit that divides."""
    if product := product_meant(name, names.known):
        return say('To multiply, write "{product}".', product)
    if fraction := fraction_meant(name):
        return say('Write "{fraction}".', fraction)
    divides = written.text[: getattr(token, "start_pos", 0)].rstrip().endswith("/")
    unit = unit_meant(name) if divides and name.isalpha() else ""
    return say('For the unit write "{unit}".', unit) if unit and unit != name else ""


def _no_such_function(token: Any, names: Names, written: WrittenText) -> ModelError:
    advice = suggestion(str(token), [*ARGUMENTS, *names.functions])
    if token in names.known:
        advice = (say('To multiply, write "{token}*(…)".', token),)
    elif re.fullmatch("[RT][XYZ]K?", token.upper()) and names.open:
        advice = (say("Is the parenthesis before {token} closed?", token),)
    listed = say("Functions: {values}.", ", ".join(sorted([*ARGUMENTS, *names.functions])))
    return written.fault(token, say('function "{name}" does not exist.', token), listed, *advice)
