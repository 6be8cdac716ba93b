"""A derivation: ordered steps with sentences, formulas and theorem, as data and as documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from torseur import notebook
from torseur.algebra.printing.reading_order import Ranks
from torseur.brief import brief
from torseur.errors import unknown
from torseur.named_words import Words, teach_words
from torseur.plain import entries
from torseur.teach.derivation.hand import Hand, formula_latex, formula_rows, formula_text
from torseur.teach.derivation.hypotheses import Hypothesis
from torseur.teach.derivation.step_formulas import Equation, Formula, Prose, typeset


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
    words: Words,
    name: str,
    formulas: Iterable[Formula] = (),
    *,
    title: str = "",
    text: Sequence[str] = (),
    theorem: str = "",
    needs: tuple[str, ...] = (),
    warnings: tuple[str, ...] = (),
) -> Step:
    """A step from the keys of its words: the title from the name, the sentence from `NAME text`.

    `title` and `theorem` are other keys; `text` holds sentences in the place of the usual one.
    """
    lines = map(Prose, text or (words[f"{name} text"],))
    proof = Prose(words[theorem]) if theorem else ""
    beware = tuple(map(Prose, warnings))
    return Step(name, words[title or name], tuple(lines), tuple(formulas), proof, needs, beware)


@final
@dataclass(frozen=True, eq=False)
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
    ranks: Ranks = field(default_factory=dict)  # of parameters: the order of books

    def step(self, name: str) -> Step:
        """A step by name."""
        for one in self.steps:
            if one.name == name:
                return one
        raise unknown("derivation", "step", name, [one.name for one in self.steps])

    @property
    def equations(self) -> dict[str, Equation]:
        """The equations of motion by coordinate."""
        formulas = self.step("equations").formulas
        return {x.name: x for x in formulas if isinstance(x, Equation)}

    @property
    def warnings(self) -> tuple[str, ...]:
        """The traps of all steps."""
        return tuple(dict.fromkeys(w for step in self.steps for w in step.warnings))

    def hand(self, *, ascii_only: bool = True) -> Hand:
        """Style of its formulas."""
        return Hand(teach_words(self.lang), self.ranks, ascii_only)

    def text(self, *, ascii_only: bool = True) -> str:
        """The derivation as plain text: numbered steps, indented formulas.

        In plain letters, which can be read back, or in Unicode, as `print` shows it.
        """
        hand = self.hand(ascii_only=ascii_only)
        words = hand.said
        lines = [self.title, ""]
        lines += [f"{x.code}{words['colon']} {hand.sentence(x.text)}" for x in self.hypotheses]
        for k, step in enumerate(self.steps, 1):
            lines += ["", f"{k}. {hand.sentence(step.title)}"]
            prose = (*step.text, *theorem(step, words))
            lines += [f"   {hand.sentence(line)}" for line in prose]
            lines += [f"     {y}" for x in step.formulas for y in formula_rows(x, hand)]
            lines += [f"   ! {hand.sentence(warning)}" for warning in step.warnings]
        return "\n".join(lines) + "\n"

    def markdown(self) -> str:
        """The derivation as Markdown: headings, lists, formulas between double dollar signs."""
        hand = self.hand()
        words = hand.said
        lines = [f"# {self.title}", ""]
        lines += [f"- **{x.code}** {typeset(x.text)}" for x in self.hypotheses]
        for k, step in enumerate(self.steps, 1):
            blocks = [f"## {k}. {typeset(step.title)}", *map(typeset, step.text)]
            blocks += [f"*{typeset(line)}*" for line in theorem(step, words)]
            blocks += [f"$$ {formula_latex(x, hand)} $$" for x in step.formulas]
            lines += ["", "\n\n".join(blocks), ""]
            lines += [f"> {words['warning']} {typeset(x)}\n" for x in step.warnings]
        return "\n".join(lines).rstrip() + "\n"

    def latex(self, standalone: bool = False) -> str:
        """The derivation as LaTeX sections and displayed formulas (they need amsmath).

        Or as a document of its own, which LaTeX compiles as it is.
        """
        return notebook.document("whole" if standalone else "piece", self)

    def html(self) -> str:
        """The derivation as one page that opens offline."""
        return notebook.document("page", self)

    def __str__(self) -> str:
        return self.text(ascii_only=False)

    @property
    def document(self) -> dict[str, Any]:
        """The result as plain data."""
        hand = self.hand()
        steps = [
            {
                **entries(step, "name", "title", "text", "theorem", "hypotheses"),
                "formulas": [formula_text(x, hand) for x in step.formulas],
                "warnings": list(step.warnings),
            }
            for step in self.steps
        ]
        return entries(self, "name", "formalism", "lang", "hypotheses") | {"steps": steps}


def theorem(step: Step, words: Words) -> list[str]:
    """The sentence on the theorem of a step and the hypotheses it needs, if it has one."""
    needs = words["under"].format(", ".join(step.hypotheses)) if step.hypotheses else ""
    proof = step.theorem.marked if isinstance(step.theorem, Prose) else step.theorem
    return [Prose(words["theorem"].format(proof) + needs)] if proof else []
