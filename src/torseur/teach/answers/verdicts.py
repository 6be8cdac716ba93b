"""What is to be said of an answer: its verdict, its marks, where it differs, as text and data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

from torseur.algebra.core.expr import Expr
from torseur.teach.answers.answer_text import answer_text
from torseur.teach.answers.faults import Fault
from torseur.teach.answers.groups import TermDifference
from torseur.teach.answers.sampling import EQUAL

_QUANTITIES = ("equal", "constant")
_EQUATIONS = ("equal", "sign", "factor", "consequence")


@final
@dataclass(frozen=True)
class Answer:
    """What is to be said of a formula. It prints as text; `text("fr")` is the same in French."""

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

    def text(self, lang: str = "en") -> str:
        """What is to be said, in a language."""
        return answer_text(self, lang)

    def __str__(self) -> str:
        return self.text()

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "of": self.name,
            "verdict": self.verdict,
            "right": self.right,
            "codes": list(self.codes),
            "factor": None if self.factor is None else str(self.factor),
            "constant": None if self.constant is None else str(self.constant),
            "combination": dict(self.combination),
            "defined": {name: str(value) for name, value in self.defined.items()},
            "differences": [
                {
                    "kind": x.group.kind,
                    "of": x.group.of,
                    "how": x.how,
                    "expected": str(x.group.expected),
                    "given": str(x.group.given),
                }
                for x in self.differences
            ],
            "state": dict(self.state),
            "values": None if self.values is None else list(self.values),
            "text": self.text().split("\n"),
        }
