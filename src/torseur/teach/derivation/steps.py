"""A derivation as data: ordered steps, each with its sentences, its formulas and its theorem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from torseur.errors import unknown
from torseur.teach.derivation.formulas import Equation, Formula

if TYPE_CHECKING:
    from torseur.teach.derivation.hypotheses import Hypothesis

Array = np.ndarray


@final
@dataclass(frozen=True)
class Step:
    """One step: what is done, by which theorem, under which hypotheses, and what comes out."""

    name: str  # such as "kinematics", the same in every language
    title: str
    text: tuple[str, ...] = ()
    formulas: tuple[Formula, ...] = ()
    theorem: str = ""
    hypotheses: tuple[str, ...] = ()  # codes of those the theorem needs
    warnings: tuple[str, ...] = ()  # traps that lie here


@final
@dataclass(frozen=True)
class Derivation:
    """The way from the description of a mechanism to its equations, in a language."""

    name: str
    formalism: str
    lang: str
    title: str
    hypotheses: tuple[Hypothesis, ...]
    steps: tuple[Step, ...]

    def step(self, name: str) -> Step:
        """A step by name."""
        for one in self.steps:
            if one.name == name:
                return one
        raise unknown("derivation", "step", name, [one.name for one in self.steps])

    @property
    def equations(self) -> dict[str, Equation]:
        """The equations of motion by coordinate."""
        own = self.step("equations").formulas
        return {x.name: x for x in own if isinstance(x, Equation)}

    @property
    def warnings(self) -> tuple[str, ...]:
        """The traps of all steps."""
        return tuple(dict.fromkeys(w for step in self.steps for w in step.warnings))

    def text(self) -> str:
        """As plain text."""
        from torseur.teach.derivation.printing import as_text

        return as_text(self)

    def markdown(self) -> str:
        """As Markdown, formulas between dollar signs."""
        from torseur.teach.derivation.printing import as_markdown

        return as_markdown(self)

    def latex(self) -> str:
        """As a piece of a LaTeX document (it needs amsmath)."""
        from torseur.teach.derivation.printing import as_latex

        return as_latex(self)

    def __str__(self) -> str:
        return self.text()

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        from torseur.teach.derivation.printing import formula_text
        from torseur.teach.words import words

        said = words(self.lang)
        return {
            "name": self.name,
            "formalism": self.formalism,
            "lang": self.lang,
            "hypotheses": [x.document for x in self.hypotheses],
            "steps": [
                {
                    "name": step.name,
                    "title": step.title,
                    "text": list(step.text),
                    "theorem": step.theorem,
                    "hypotheses": list(step.hypotheses),
                    "formulas": [formula_text(x, said) for x in step.formulas],
                    "warnings": list(step.warnings),
                }
                for step in self.steps
            ],
        }
