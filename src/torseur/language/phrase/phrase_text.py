"""The description phrase: from text to the changes of frame it lists, with their places.

Liégeois and Aldon (1980), §4.1: `RY(q1MIN,q1MAX), TYK(L1), RX(q2MIN,q2MAX), TYK(L2);`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

from torseur.algebra.core.expr import Expr
from torseur.errors import ModelError, all_faults, suggestion
from torseur.language.text.expression import RESERVED, Names, evaluated, unit_behind
from torseur.language.text.grammar import parse
from torseur.language.text.measures import Measures
from torseur.language.text.place import Place, WrittenText
from torseur.words.sentence import say

OPERATORS = tuple(f"{kind}{axis}{k}" for k in ("", "K") for kind in "RT" for axis in "XYZ")
PHRASE = Place("phrase", 1, 1)
START = -1  # the frame of the ground
DEEPEST = 200  # brackets within brackets
EXAMPLE = "Example: RY(q1), TYK(L1), RX(q2), TYK(L2);"

_UNITS = {"R": "rad", "T": "m"}
_MOVEMENTS = {"R": "rotation", "T": "translation"}


@final
@dataclass(frozen=True)
class FrameChange:
    """One change of frame: a constant of a body's shape, or the variable of a joint."""

    kind: str  # "R" rotation, "T" translation
    axis: int  # 0, 1, 2: x, y, z of the frame before
    value: Expr | None  # of a constant [rad or m]; None for a joint
    previous: int  # the change whose frame it starts from, or START
    line: int
    column: int
    name: str = ""  # of a joint's coordinate
    limits: tuple[Expr, Expr] | None = None  # [rad or m]
    number: int = 0  # of a joint, from 1 in the order of the text

    @property
    def constant(self) -> bool:
        """Whether it belongs to the shape of a body."""
        return self.value is not None

    @property
    def operator(self) -> str:
        """Its name in a phrase."""
        return f"{self.kind}{'XYZ'[self.axis]}{'K' if self.constant else ''}"


@final
@dataclass(frozen=True)
class Phrase:
    """The changes of frame of a mechanism without loops, each after the one it starts from."""

    changes: tuple[FrameChange, ...]
    end: int  # the last change outside the brackets
    written: WrittenText
    measures: Measures  # dimensions of its symbols

    @property
    def joints(self) -> tuple[FrameChange, ...]:
        """The variable changes: one a body, in order."""
        return tuple(change for change in self.changes if not change.constant)

    def place(self, change: FrameChange) -> Place:
        """The place of a change, with its operator or the number of its joint."""
        where = self.written.place.at(change.line, change.column)
        return where.inside(f'joint "{change.number}"' if change.number else change.operator)


def parse_phrase(text: str, place: Place = PHRASE) -> Phrase:
    """The changes of frame of a phrase; a ModelError shows every error with its line and column."""
    written = WrittenText(text, place)
    if not text.strip(" \t\r\n;"):
        raise ModelError(str(place), "the phrase is empty.", EXAMPLE)
    reader = _PhraseReader(written)
    reader.read(parse(written, "phrase"))
    if reader.faults:
        raise all_faults(reader.faults)
    return Phrase(tuple(reader.changes), reader.end, written, reader.measures)


@final
class _PhraseReader:
    """The changes read so far, the joints counted, the errors found."""

    def __init__(self, written: WrittenText) -> None:
        self.written = written
        self.measures = Measures()
        self.names = Names(open=True, measures=self.measures)
        self.changes: list[FrameChange] = []
        self.faults: list[ModelError] = []
        self.joints = 0
        self.end = START

    def read(self, items: list[Any]) -> None:
        """Walk through the items and their branches; a branch leaves the current frame alone."""
        walks: list[tuple[Iterator[Any], int]] = [(iter(items), START)]
        while walks:
            remaining, frame = walks.pop()
            for item in remaining:
                if isinstance(item, tuple):
                    frame = self._change(item, frame)
                    continue
                opening, *branch = item
                if len(walks) >= DEEPEST:
                    problem = say("more than {deepest} brackets are open here.", DEEPEST)
                    raise self.written.fault(opening, problem, "Close some of them before.")
                walks += [(remaining, frame), (iter(branch), frame)]
                break
            self.end = frame

    def _change(self, item: tuple[Any, ...], frame: int) -> int:
        """The new frame; after an error, a change without meaning keeps the numbering right."""
        operator, *items = item
        try:
            self.changes.append(self._read_change(operator, items, frame))
        except ModelError as fault:
            self.faults.append(fault)
            self.changes.append(FrameChange("R", 0, None, frame, operator.line, operator.column))
        return len(self.changes) - 1

    def _read_change(self, operator: Any, items: list[Any], frame: int) -> FrameChange:
        code = operator.upper()
        if code not in OPERATORS:
            raise _unknown_operator(operator, self.written)
        kind, axis, mark = code[0], "XYZ".index(code[1]), (operator.line, operator.column)
        if code.endswith("K"):
            return FrameChange(kind, axis, self._constant(operator, items), frame, *mark)
        self.joints += 1
        name, limits = self._variable(operator, items)
        return FrameChange(kind, axis, None, frame, *mark, name, limits, self.joints)

    def _constant(self, operator: Any, items: list[Any]) -> Expr:
        if len(items) != 1:
            advice = ("Decimals are written with a point, as in 0.5.",)
            problem = say(
                "{upper} takes one constant, but {number} values are given.",
                operator.upper(),
                len(items),
            )
            raise self.written.fault(operator, problem, *advice)
        return self._value(items[0], operator)

    def _variable(self, operator: Any, items: list[Any]) -> tuple[str, tuple[Expr, Expr] | None]:
        code = operator.upper()
        if len(items) > 3:
            problem = say(
                "{code} takes one to three values, but {number} are given.", code, len(items)
            )
            advice = say(
                "{code}(name), {code}(minimum, maximum) or {code}(name, minimum, maximum).", code
            )
            raise self.written.fault(operator, problem, advice)
        name = f"q{self.joints}" if len(items) == 2 else self._coordinate(operator, items[0])
        if len(items) == 1:
            return name, None
        low, high = (self._value(item, operator) for item in items[-2:])
        return name, (low, high)

    def _value(self, tree: Any, operator: Any) -> Expr:
        """An angle or a length."""
        tree = unit_behind(tree, self.written)
        value = evaluated(tree, self.names, self.written)
        self.measures.check(tree, self.names, self.written, _UNITS[operator.upper()[0]])
        return value

    def _coordinate(self, operator: Any, item: Any) -> str:
        code = operator.upper()
        if isinstance(item, tuple) or item.type not in ("NAME", "LIMIT_NAME"):
            mark, value = (
                (operator, say("an expression")) if isinstance(item, tuple) else (item, item)
            )
            problem = say(
                "{code} is a joint: its first value is its name, not {shown}.", code, value
            )
            advice = say("For a constant {movements} write {code}K(…).", _MOVEMENTS[code[0]], code)
            raise self.written.fault(mark, problem, advice)
        name = "".join(item.split())
        if name in RESERVED:
            advice = say("Choose another one, for instance {name}1.", name)
            raise self.written.fault(item, say('the name "{name}" is reserved.', name), advice)
        return name


def _unknown_operator(operator: Any, written: WrittenText) -> ModelError:
    long = re.fullmatch(r"([RT])\w*?([XYZ])(K?)", operator.upper())  # ROTX, TRANSZK
    advice = suggestion(operator.upper(), OPERATORS)
    if long:
        advice = (say('Did you mean "{name}"?', "".join(long.groups())),)
    return written.fault(
        operator,
        say('operator "{operator}" does not exist.', operator),
        say("Operators: {operators}.", ", ".join(OPERATORS)),
        *advice,
    )
