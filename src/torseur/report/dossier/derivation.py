"""A derivation, the equations and the first integrals, as parts of a report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from torseur.algebra.core.expr import ZERO, expression
from torseur.algebra.forms.identities import without_zeros
from torseur.algebra.printing.latex import name as latex_name
from torseur.algebra.printing.unicode import RAISED
from torseur.analyse.integrals.integrals import FirstIntegral, FirstIntegrals
from torseur.equations.formalisms.derive import derive
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.formulas import Formulas as WrittenFormulas
from torseur.equations.motion.legend import Meaning
from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import named_numbers, with_short_loops
from torseur.named_words import dossier_words, listed, report_words
from torseur.report.documents.parts import (
    Document,
    Formulas,
    Heading,
    Inline,
    Items,
    Paragraph,
    Part,
    Parts,
)
from torseur.report.pages import cells, content, formulas
from torseur.report.pages.content import capitalised, inline, typeset, unit
from torseur.teach.derivation.printing import formula_latex
from torseur.teach.derivation.prose import Prose
from torseur.teach.derivation.steps import Derivation, theorem
from torseur.teach.tell import tell
from torseur.version import __version__
from torseur.words.sentence import marked, said

_LEVEL = {raised: level for level, raised in RAISED.items()}
_EXPONENT = re.compile(f"[{''.join(map(chr, _LEVEL))}]+")
_LETTERS = re.compile(r"[A-Za-z]+")


def derivation_section(mechanism: Mechanism, formalism: str | None, lang: str) -> Parts:
    """The way to the equations by a formalism.

    Without one by Lagrange, or body by body where his equations do not apply.
    """
    told = _told(mechanism, formalism, lang)
    return Paragraph(told.title), *derivation_parts(told)


def _told(mechanism: Mechanism, formalism: str | None, lang: str) -> Derivation:
    if formalism is not None:
        return tell(mechanism, formalism, lang)
    try:
        return tell(mechanism, "lagrange", lang)
    except ModelError:
        return tell(mechanism, "newton-euler", lang)


def derivation_parts(told: Derivation, level: int = 2) -> Parts:
    """The steps of a derivation, in its language, under headings of a level."""
    hand = told.hand()
    words = hand.said
    parts: list[Part] = []
    if told.hypotheses:
        listed = ((f"{x.code}{words['colon']} ", *inline(x.text)) for x in told.hypotheses)
        parts += [Heading(words["hypotheses"], level), Items(tuple(listed))]
    for step in told.steps:
        lines = (*step.text, *theorem(step, words))
        parts += [Heading(step.title, level), *(Paragraph(inline(x)) for x in lines)]
        if step.formulas:
            parts.append(Formulas(tuple(formula_latex(x, hand) for x in step.formulas)))
        beware = (f"{words['warning']} ",)
        parts += [Paragraph((*beware, *inline(x)), beware=True) for x in step.warnings]
    return tuple(parts)


def derivation_document(told: Derivation) -> Document:
    """A derivation alone, its steps as sections."""
    words = dossier_words(told.lang)
    footer = words["footer"].format(__version__)
    parts = derivation_parts(told, 1)
    kicker = words["Derivation"]
    return Document(told.title, kicker, (), parts, footer, words["Contents"], told.lang)


def equations_section(mechanism: Mechanism, lang: str) -> Parts:
    """The equations, with letters for the masses that are given as numbers."""
    return equations_parts(derive(named_numbers(with_short_loops(mechanism))), lang)


def equations_parts(motion: Equations, lang: str) -> Parts:
    """A line for each coordinate and each loop; entry by entry where a line would fill a page."""
    found = motion.formulas()
    if any(line.equation is None for line in (*found.lines, *found.loops)):
        return _entries(motion, lang)
    return lines_parts(found)


def lines_parts(found: WrittenFormulas) -> Parts:
    """Lines of equations that are not longer than a page, their conditions and unknowns."""
    lines = Formulas(tuple("".join(row).strip() for row in found.short.latex_rows))
    return (lines, Items(tuple(map(meaning, found.legend)))) if found.legend else (lines,)


def meaning(of: Meaning) -> tuple[Inline, ...]:
    """What unknowns are: their names, then the words for them."""
    return inline(Prose(marked(of.sentence, (f"${name}$" for name in of.names))))


def _entries(motion: Equations, lang: str) -> Parts:
    """M, h, g, Q and the rows of loops, entry by entry."""
    words = dossier_words(lang)
    held = bool(len(motion.J))
    form = r"M(q)\,a + h(q,v) + g(q) = Q"
    forms = (form + r" + J^{\mathrm{T}}\,\lambda", r"J\,a + \gamma = 0") if held else (form,)
    before, after = words["equations text"].split("{}")
    order = cells.joined(cells.name(x) for x in motion.speeds)
    acting = any(expression(x) is not ZERO for x in motion.Q)
    parts: list[Part] = [
        Formulas(forms),
        Paragraph((before, *order, after)),
        *_listed(motion, ("M", "h", "g", *("Q" * acting)), lang),
    ]
    if held:
        owners = listed(content.rows_of(motion.constraints.owners), report_words(lang))
        parts.append(Paragraph(words["Rows of J and γ: {}."].format(owners)))
        parts += _listed(motion, ("J", "gamma"), lang)
    return tuple(parts)


def _listed(motion: Equations, names: Iterable[str], lang: str) -> Iterator[Formulas]:
    arrays = {name: without_zeros(motion.output(name)) for name in names}
    for found in formulas.entries_listed(motion, arrays, first=True).values():
        yield Formulas(tuple(cells.equation(x, dossier_words(lang)) for x in found))


def integrals_parts(found: FirstIntegrals, lang: str) -> Parts:
    """What stays constant, and why."""
    words = dossier_words(lang)
    parts: list[Part] = [] if len(found) else [Paragraph(words["No first integral was found."])]
    for one in found:
        value = cells.formula(one.formula, words, one.ranks)
        shown = rf"{latex_name(one.name)} = {value}\quad [{_unit(one.unit)}]"
        where = (f"{cells.formula(x, words, one.ranks)} > 0" for x in one.positive)
        parts += [Formulas((shown, *where)), Paragraph(typeset(_why, one, lang))]
    for drive in found.drives:
        before, middle, after = words["The motion {} of {} needs, with its power:"].split("{}")
        driven = cells.name(drive.coordinate)
        parts.append(Paragraph((f"{before}{drive.motion}{middle}", driven, after)))
        force, power = (cells.formula(x, words, drive.ranks) for x in (drive.force, drive.power))
        parts.append(Formulas((rf"F = {force}\quad [{_unit(drive.unit)}]", f"P = {power}")))
    return tuple(parts)


def _why(one: FirstIntegral, lang: str) -> str:
    """Of what kind it is, and why it is constant."""
    told = "".join(said(x, lang) for x in (one.kind, ": ", one.why))
    return f"{capitalised(told).rstrip('.')}."


def _unit(name: str) -> str:
    """A unit in upright letters, with its dots and exponents between them."""
    upright = _LETTERS.sub(r"\\mathrm{\g<0>}", unit(name)).replace("·", r"\cdot ")
    return _EXPONENT.sub(lambda found: f"^{{{found[0].translate(_LEVEL)}}}", upright)
