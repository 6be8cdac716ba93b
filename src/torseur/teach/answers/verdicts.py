"""Verdicts on answers: verdict, marks, differences, as text and data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

from torseur import notebook
from torseur.algebra.core.expr import Expr
from torseur.algebra.printing.reading_order import Ranks
from torseur.algebra.printing.text import text
from torseur.brief import brief
from torseur.named_words import Words, teach_words
from torseur.plain import entries
from torseur.teach.answers.groups import FACTOR, SIGN, TermDifference
from torseur.teach.answers.sampling import EQUAL
from torseur.words.language import chosen
from torseur.words.sentence import said
from torseur.words.sentence import said as in_lang

_QUANTITIES = ("equal", "constant")
_EQUATIONS = ("equal", "sign", "factor", "consequence")
_LONGEST = 300  # characters of a formula
_SETTLED = ("equal", "sign", "factor", "constant", "consequence")
_MOST = 12  # names of a state


@final
@dataclass(frozen=True)
class Answer:
    """Verdict on a formula. It prints as text; `text("fr")` gives it in French."""

    __repr__ = brief
    _repr_html_ = notebook.preformatted

    name: str  # what was asked for
    equation: bool
    verdict: str  # equal, sign, factor, constant, combination, consequence, elsewhere, …
    expected: Any
    faults: tuple[Fault, ...] = ()
    factor: Expr | None = None  # expected = factor × given
    differences: tuple[TermDifference, ...] = ()
    state: Mapping[str, float] = field(default_factory=dict)  # where both differ
    values: tuple[float, float] | None = None  # of the right one and the given one there
    combination: Mapping[str, float] = field(default_factory=dict)
    exact: bool = False  # proved, not only tested at random states
    states: int = 0
    tolerance: float = EQUAL  # at those states, relative to the terms
    notices: tuple[str, ...] = ()
    remarks: tuple[Fault, ...] = ()  # marks that do not make it wrong
    constant: Expr | None = None  # given = expected + constant
    held: bool = False  # equal where the constraints hold, not at every state
    defined: Mapping[str, Expr] = field(default_factory=dict)  # letters that follow, by name
    ranks: Ranks = field(default_factory=dict)  # the order of symbols in print
    lessons: tuple[Lesson, ...] = field(default=(), repr=False)  # of a wrong one

    @property
    def right(self) -> bool:
        """Whether it is right: an equation may have any factor, a quantity must be equal.

        A potential may have a constant more; an equation may be a sum that contains the one asked
        for, or follow from it and the others.
        """
        if self.verdict == "combination":
            return self.name in self.combination
        return self.verdict in (_EQUATIONS if self.equation else _QUANTITIES)

    @property
    def codes(self) -> tuple[str, ...]:
        """The marks of annex B that the formula gets, those that do not make it wrong last."""
        return tuple(dict.fromkeys(fault.code for fault in (*self.faults, *self.remarks)))

    def written(self, x: Expr, limit: int | None = None) -> str:
        """A formula in the order of books: masses, lengths, angles."""
        return text(x, limit=limit, ranks=self.ranks)

    def text(self, lang: str | None = None) -> str:
        """The verdict as text, in a language."""
        return _answer_text(self, chosen(lang))

    def __str__(self) -> str:
        return self.text()

    @property
    def document(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "of": self.name,
            "verdict": self.verdict,
            "right": self.right,
            "codes": list(self.codes),
            "factor": None if self.factor is None else self.written(self.factor),
            "constant": None if self.constant is None else self.written(self.constant),
            "combination": dict(self.combination),
            "defined": {name: self.written(value) for name, value in self.defined.items()},
            "differences": [
                entries(x.group, "kind", "of")
                | {
                    "how": x.how,
                    "expected": self.written(x.group.expected),
                    "given": self.written(x.group.given),
                }
                for x in self.differences
            ],
            "lessons": [x.key for x in self.lessons],
            "state": dict(self.state),
            "values": None if self.values is None else list(self.values),
            "text": self.text().split("\n"),
        }


def _answer_text(answer: Answer, lang: str) -> str:
    """The sentences, line by line."""
    words = teach_words(lang)
    name = words["equation of"].format(answer.name) if answer.equation else answer.name
    lines = [fault.text(words, lang) for fault in answer.faults]
    lines.append(_verdict(answer, name, words))
    if answer.defined:  # letters that follow from the formula
        letters = ((name, answer.written(x, _LONGEST)) for name, x in answer.defined.items())
        lines.append(" ".join(words["with"].format(*letter) for letter in letters))
    if answer.verdict in _SETTLED:
        tested = words["tested"].format(answer.states, answer.tolerance)
        lines.append(words["proved"] if answer.exact else tested)
    if answer.verdict == "different":
        if answer.factor is not None:
            lines.append(words["rewritten"].format(answer.written(answer.factor, _LONGEST)))
        lines += [f"  {_difference_text(answer, x, words)}" for x in answer.differences]
    lines += [lesson.text(words) for lesson in answer.lessons]
    if answer.verdict == "different":
        lines += _example(answer, words)
    lines += [remark.text(words, lang) for remark in answer.remarks]
    return "\n".join([*lines, *(words["read as"].format(in_lang(x, lang)) for x in answer.notices)])


def _verdict(answer: Answer, name: str, words: Words) -> str:
    verdict = answer.verdict
    if verdict in ("sign", "factor") and not answer.equation:
        verdict = f"{verdict} of a quantity"
    if answer.verdict == "factor":
        assert answer.factor is not None, "a factor was found"
        return words[verdict].format(name, answer.written(answer.factor, _LONGEST))
    if verdict == "combination":
        key = "own combination" if answer.right else verdict
        return words[key].format(_sum(answer.combination, words))
    if verdict == "constant":
        assert answer.constant is not None, "a constant was found"
        more = answer.written(answer.constant, _LONGEST)
        sign = "- " + more.removeprefix("-") if more.startswith("-") else "+ " + more
        return words[verdict].format(name, sign)
    if verdict == "equal" and answer.held:
        return words["with constraints"].format(name)
    return words[verdict].format(name)


def _sum(parts: Mapping[str, float], words: Words) -> str:
    terms = ""
    for name, factor in parts.items():
        sign = " - " if factor < 0 else " + "
        size = "" if abs(factor) == 1 else f"{abs(factor):g} × "
        terms += f"{sign}{size}{words['equation of'].format(name)}"
    return terms.removeprefix(" + ").strip()


def _difference_text(answer: Answer, x: TermDifference, words: Words) -> str:
    label = words[x.group.kind].format(x.group.of)
    entries = {"expected": x.group.expected, "given": x.group.given, "lacking": x.lacking}
    values = {name: answer.written(y, _LONGEST) for name, y in entries.items() if y is not None}
    if x.factor is not None:
        large = abs(x.factor) > 1
        size = words["large" if large else "small"]
        values |= {"times": str(abs(x.factor) if large else 1 / abs(x.factor)), "size": size}
    wrong = x.how in (SIGN, FACTOR)
    return words[f"wrong {x.how}" if wrong else x.how].format(label=label, **values)


def _example(answer: Answer, words: Words) -> list[str]:
    if answer.values is None:
        return []
    listed = [f"{name} = {x:g}" for name, x in list(answer.state.items())[:_MOST]]
    more = ["…"] if len(answer.state) > _MOST else []
    values = words["both values"].format(*answer.values)
    return [words["at state"].format(", ".join([*listed, *more])), values]


@final
@dataclass(frozen=True)
class Lesson:
    """A typical mistake by its key, and the names of what it concerns."""

    key: str
    names: tuple[str, ...] = ()

    def text(self, words: Words) -> str:
        """The lesson in a language: with the names, if it has a sentence with room for them."""
        named = f"lesson {self.key} of"
        key = named if self.names and named in words else f"lesson {self.key}"
        return words[key].format(*self.names)


# --- faults ---------------------------------------------------------------------------------------

# Marks on a copy: what is wrong with a formula before its value is known (Plaut 2007, annex B).
#
# SE: it cannot be read. KK (késako): a symbol that nothing defines. INHT: a vector is added to a
# scalar, or taken for one. INHD: quantities of different dimensions are added, or compared. EL: the
# quantity is defined by itself. HS (hors sujet): it is the formula of something else. N: another
# letter than the model's. T: called by the name of something else. DR: an equation without "=". The
# last three are remarks; the formula may be right besides.

SYNTAX, UNDEFINED, TENSORS, DIMENSIONS = "SE", "KK", "INHT", "INHD"
LOGIC, OFF_TOPIC, NOTATION, TERMS, WRITING = "EL", "HS", "N", "T", "DR"
SCALAR, VECTOR = "order scalar", "order vector"


@final
@dataclass(frozen=True)
class Fault:
    """A mark: its code, the sentence and what goes into it, the column it points at."""

    code: str
    key: str  # of the sentence
    values: tuple[str, ...] = ()
    place: int = 0

    def text(self, words: Words, lang: str) -> str:
        """The mark in a language: code, meaning, sentence."""
        where = f" ({words['column'].format(self.place)})" if self.place else ""
        colon = words["colon"]
        values = (words[x] if x in (SCALAR, VECTOR) else said(x, lang) for x in self.values)
        sentence = words[self.key].format(*values)
        return f"{self.code}{where}{colon} {words[self.code]} {sentence}".rstrip()
