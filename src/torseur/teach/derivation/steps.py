"""A derivation: ordered steps with sentences, formulas and theorem, as data and as documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, final

from torseur import notebook
from torseur.brief import brief
from torseur.errors import unknown
from torseur.named_words import Words, teach_words
from torseur.teach.derivation.formulas import Equation, Formula
from torseur.teach.derivation.hypotheses import Hypothesis
from torseur.teach.derivation.printing import formula_latex, formula_text, safe

_PREAMBLE = (
    r"\documentclass[11pt]{article}",
    r"\usepackage[utf8]{inputenc}",
    r"\usepackage[T1]{fontenc}",
    r"\usepackage{amsmath}",
    r"\usepackage[a4paper, margin=20mm]{geometry}",
    r"\begin{document}",
)


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


def told_step(
    said: Words,
    name: str,
    formulas: Iterable[Formula] = (),
    *,
    title: str = "",
    text: Sequence[str] = (),
    theorem: str = "",
    needs: tuple[str, ...] = (),
    warnings: tuple[str, ...] = (),
) -> Step:
    """A step by the keys of its words: the title is said by the name, the sentence by `NAME text`.

    `title` and `theorem` are other keys; `text` holds sentences in the place of the usual one.
    """
    lines = tuple(text) or (said[f"{name} text"],)
    proof = said[theorem] if theorem else ""
    return Step(name, said[title or name], lines, tuple(formulas), proof, needs, warnings)


@final
@dataclass(frozen=True)
class Derivation:
    """The way from the description of a mechanism to its equations, in a language."""

    __repr__ = brief
    _repr_html_ = notebook.html
    _repr_latex_ = notebook.latex

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
        """As plain text: numbered steps, indented formulas."""
        said = teach_words(self.lang)
        lines = [self.title, ""]
        lines += [f"{x.code}{said['colon']} {x.text}" for x in self.hypotheses]
        for k, step in enumerate(self.steps, 1):
            lines += ["", f"{k}. {step.title}"]
            lines += [f"   {line}" for line in (*step.text, *_theorem(step, said))]
            lines += [f"     {formula_text(x, said)}" for x in step.formulas]
            lines += [f"   ! {warning}" for warning in step.warnings]
        return "\n".join(lines) + "\n"

    def markdown(self) -> str:
        """As Markdown: headings, lists, and formulas between double dollar signs."""
        said = teach_words(self.lang)
        lines = [f"# {self.title}", ""]
        lines += [f"- **{x.code}** {x.text}" for x in self.hypotheses]
        for k, step in enumerate(self.steps, 1):
            blocks = [f"## {k}. {step.title}", *step.text]
            blocks += [f"*{theorem}*" for theorem in _theorem(step, said)]
            blocks += [f"$$ {formula_latex(x, said)} $$" for x in step.formulas]
            lines += ["", "\n\n".join(blocks), ""]
            lines += [f"> {said['warning']} {warning}\n" for warning in step.warnings]
        return "\n".join(lines).rstrip() + "\n"

    def latex(self, standalone: bool = False) -> str:
        """As a piece of a LaTeX document: sections and displayed formulas (it needs amsmath).

        Or as a document of its own, which LaTeX compiles as it is.
        """
        said = teach_words(self.lang)
        lines = [rf"\section*{{{safe(self.title)}}}", r"\begin{description}"]
        lines += [rf"\item[{x.code}] {safe(x.text)}" for x in self.hypotheses]
        lines.append(r"\end{description}")
        for step in self.steps:
            lines += ["", rf"\subsection*{{{safe(step.title)}}}"]
            lines += [safe(line) + r"\par" for line in step.text]
            lines += [rf"\emph{{{safe(theorem)}}}\par" for theorem in _theorem(step, said)]
            lines += [rf"\[ {formula_latex(x, said)} \]" for x in step.formulas]
            beware = rf"\textbf{{{safe(said['warning'])}}}"
            lines += [rf"{beware} {safe(warning)}\par" for warning in step.warnings]
        if standalone:
            lines = [*_PREAMBLE, *lines, r"\end{document}"]
        return "\n".join(lines) + "\n"

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
            "hypotheses": [asdict(x) for x in self.hypotheses],
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


def _theorem(step: Step, said: Words) -> list[str]:
    """The sentence on the theorem of a step and the hypotheses it needs, if it has one."""
    needs = said["under"].format(", ".join(step.hypotheses)) if step.hypotheses else ""
    return [said["theorem"].format(step.theorem) + needs] if step.theorem else []
