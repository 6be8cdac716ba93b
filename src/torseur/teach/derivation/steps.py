"""A derivation: ordered steps with sentences, formulas and theorem, as data and as documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.brief import brief
from torseur.errors import unknown
from torseur.named_words import teach_words
from torseur.teach.derivation.formulas import Equation, Formula
from torseur.teach.derivation.hypotheses import Hypothesis
from torseur.teach.derivation.printing import formula_latex, formula_text, safe

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

    __repr__ = brief

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
        return _as_text(self)

    def markdown(self) -> str:
        """As Markdown, formulas between dollar signs."""
        return _as_markdown(self)

    def latex(self) -> str:
        """As a piece of a LaTeX document (it needs amsmath)."""
        return _as_latex(self)

    def __str__(self) -> str:
        return self.text()

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        said = teach_words(self.lang)
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


# --- documents ------------------------------------------------------------------------------------


def _as_text(told: Derivation) -> str:
    """Numbered steps, indented formulas."""
    said = teach_words(told.lang)
    lines = [told.title, ""]
    lines += [f"{x.code}{said['colon']} {x.text}" for x in told.hypotheses]
    for k, step in enumerate(told.steps, 1):
        lines += ["", f"{k}. {step.title}"]
        lines += [f"   {line}" for line in step.text]
        if step.theorem:
            lines.append(f"   {_theorem(step, said['theorem'], said['under'])}")
        lines += [f"     {formula_text(x, said)}" for x in step.formulas]
        lines += [f"   ! {warning}" for warning in step.warnings]
    return "\n".join(lines) + "\n"


def _theorem(step: Step, theorem: str, under: str) -> str:
    needs = under.format(", ".join(step.hypotheses)) if step.hypotheses else ""
    return theorem.format(step.theorem) + needs


def _as_markdown(told: Derivation) -> str:
    """Headings, lists, and formulas between double dollar signs."""
    said = teach_words(told.lang)
    lines = [f"# {told.title}", ""]
    lines += [f"- **{x.code}** {x.text}" for x in told.hypotheses]
    for k, step in enumerate(told.steps, 1):
        lines += ["", f"## {k}. {step.title}", ""]
        for line in step.text:
            lines += [line, ""]
        if step.theorem:
            lines += [f"*{_theorem(step, said['theorem'], said['under'])}*", ""]
        for x in step.formulas:
            lines += [f"$$ {formula_latex(x, said)} $$", ""]
        lines += [f"> {said['warning']} {warning}\n" for warning in step.warnings]
    return "\n".join(lines).rstrip() + "\n"


def _as_latex(told: Derivation) -> str:
    """Sections and displayed formulas; needs amsmath."""
    said = teach_words(told.lang)
    lines = [rf"\section*{{{safe(told.title)}}}", r"\begin{description}"]
    lines += [rf"\item[{x.code}] {safe(x.text)}" for x in told.hypotheses]
    lines.append(r"\end{description}")
    for step in told.steps:
        lines += ["", rf"\subsection*{{{safe(step.title)}}}"]
        lines += [safe(line) + r"\par" for line in step.text]
        if step.theorem:
            lines.append(rf"\emph{{{safe(_theorem(step, said['theorem'], said['under']))}}}\par")
        lines += [rf"\[ {formula_latex(x, said)} \]" for x in step.formulas]
        for warning in step.warnings:
            lines.append(rf"\textbf{{{safe(said['warning'])}}} {safe(warning)}\par")
    return "\n".join(lines) + "\n"
