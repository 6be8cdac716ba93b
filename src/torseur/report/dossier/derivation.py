"""A derivation, the equations and the first integrals, as parts of a report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

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
from torseur.report.documents.page_parts import (
    FormulaLines,
    Heading,
    Inline,
    Items,
    Math,
    Paragraph,
    Part,
    Parts,
    PartsDocument,
    TablePart,
    Text,
)
from torseur.report.pages import cells, content
from torseur.report.pages import named_formulas as formulas
from torseur.report.pages.content import capitalised, inline, typeset, unit
from torseur.teach.derivation.derivation_steps import Derivation, theorem
from torseur.teach.derivation.hand import Hand, formula_latex, table_cells
from torseur.teach.derivation.step_formulas import ActionRow, ActionTable, Formula, Prose
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
    derivation = _derivation(mechanism, formalism, lang)
    return Paragraph(derivation.title), *derivation_parts(derivation)


def _derivation(mechanism: Mechanism, formalism: str | None, lang: str) -> Derivation:
    if formalism is not None:
        return tell(mechanism, formalism, lang)
    try:
        return tell(mechanism, "lagrange", lang)
    except ModelError:
        return tell(mechanism, "newton-euler", lang)


def derivation_parts(derivation: Derivation, level: int = 2) -> Parts:
    """The steps of a derivation, in its language, under headings of a level."""
    hand = derivation.hand()
    words = hand.said
    parts: list[Part] = []
    if derivation.hypotheses:
        listed = ((f"{x.code}{words['colon']} ", *inline(x.text)) for x in derivation.hypotheses)
        parts += [Heading(words["hypotheses"], level), Items(tuple(listed))]
    for step in derivation.steps:
        lines = (*step.text, *theorem(step, words))
        parts += [Heading(step.title, level), *(Paragraph(inline(x)) for x in lines)]
        parts += _formulas(step.formulas, hand)
        beware = (f"{words['warning']} ",)
        parts += [Paragraph((*beware, *inline(x)), beware=True) for x in step.warnings]
    return tuple(parts)


def _formulas(formulas: Iterable[Formula], hand: Hand) -> Iterator[Part]:
    """Displayed formulas, and balances of actions as tables."""
    for table, group in groupby(formulas, lambda x: isinstance(x, ActionTable)):
        if not table:
            yield FormulaLines(tuple(formula_latex(x, hand) for x in group))
            continue
        for x in group:
            assert isinstance(x, ActionTable)
            rows = tuple(_action(row, hand) for row in x.rows)
            yield TablePart(x.head, rows)


def _action(row: ActionRow, hand: Hand) -> tuple[Text, ...]:
    _, *formulas = table_cells(row, hand)
    return row.cause, *map(Math, formulas)


def derivation_document(derivation: Derivation) -> PartsDocument:
    """A derivation alone, its steps as sections."""
    words = dossier_words(derivation.lang)
    footer = words["footer"].format(__version__)
    parts = derivation_parts(derivation, 1)
    kicker = words["Derivation"]
    return PartsDocument(
        derivation.title, kicker, (), parts, footer, words["Contents"], derivation.lang
    )


def equations_section(mechanism: Mechanism, lang: str) -> Parts:
    """The equations, with letters for the masses that are given as numbers."""
    return equations_parts(derive(named_numbers(with_short_loops(mechanism))), lang)


def equations_parts(motion: Equations, lang: str) -> Parts:
    """A line for each coordinate and each loop; entry by entry where a line would fill a page."""
    lines = motion.formulas()
    if any(line.equation is None for line in (*lines.lines, *lines.loops)):
        return _entries(motion, lang)
    return lines_parts(lines)


def lines_parts(written: WrittenFormulas) -> Parts:
    """Lines of equations that are not longer than a page, their conditions and unknowns."""
    lines = FormulaLines(tuple("".join(row).strip() for row in written.short.latex_rows))
    return (lines, Items(tuple(map(meaning, written.legend)))) if written.legend else (lines,)


def meaning(of: Meaning) -> tuple[Inline, ...]:
    """Meaning of unknowns: their names, then the words for them."""
    return inline(Prose(marked(of.sentence, (f"${name}$" for name in of.names))))


def _entries(motion: Equations, lang: str) -> Parts:
    """M, h, g, Q and the rows of loops, entry by entry."""
    words = dossier_words(lang)
    constrained = bool(len(motion.J))
    form = r"M(q)\,a + h(q,v) + g(q) = Q"
    forms = (form + r" + J^{\mathrm{T}}\,\lambda", r"J\,a + \gamma = 0") if constrained else (form,)
    before, after = words["equations text"].split("{}")
    order = cells.joined(cells.name(x) for x in motion.speeds)
    acting = any(expression(x) is not ZERO for x in motion.Q)
    parts: list[Part] = [
        FormulaLines(forms),
        Paragraph((before, *order, after)),
        *_listed(motion, ("M", "h", "g", *("Q" * acting)), lang),
    ]
    if constrained:
        owners = listed(content.rows_of(motion.constraints.owners), report_words(lang))
        parts.append(Paragraph(words["Rows of J and γ: {}."].format(owners)))
        parts += _listed(motion, ("J", "gamma"), lang)
    return tuple(parts)


def _listed(motion: Equations, names: Iterable[str], lang: str) -> Iterator[FormulaLines]:
    arrays = {name: without_zeros(motion.output(name)) for name in names}
    for entries in formulas.entries_listed(motion, arrays, first=True).values():
        yield FormulaLines(tuple(cells.equation(x, dossier_words(lang)) for x in entries))


def integrals_parts(integrals: FirstIntegrals, lang: str) -> Parts:
    """First integrals, each with its formula and its reason."""
    words = dossier_words(lang)
    parts: list[Part] = [] if len(integrals) else [Paragraph(words["No first integral was found."])]
    for one in integrals:
        value = cells.formula(one.formula, words, one.ranks)
        formula = rf"{latex_name(one.name)} = {value}\quad [{_unit(one.unit)}]"
        where = (f"{cells.formula(x, words, one.ranks)} > 0" for x in one.positive)
        parts += [FormulaLines((formula, *where)), Paragraph(typeset(_why, one, lang))]
    for drive in integrals.drives:
        before, middle, after = words["The motion {} of {} needs, with its power:"].split("{}")
        driven = cells.name(drive.coordinate)
        parts.append(Paragraph((f"{before}{drive.motion}{middle}", driven, after)))
        force, power = (cells.formula(x, words, drive.ranks) for x in (drive.force, drive.power))
        parts.append(FormulaLines((rf"F = {force}\quad [{_unit(drive.unit)}]", f"P = {power}")))
    return tuple(parts)


def _why(one: FirstIntegral, lang: str) -> str:
    """Kind of a first integral, and the reason why it is constant."""
    reason = "".join(said(x, lang) for x in (one.kind, ": ", one.why))
    return f"{capitalised(reason).rstrip('.')}."


def _unit(name: str) -> str:
    """A unit in upright letters, with its dots and exponents between them."""
    upright = _LETTERS.sub(r"\\mathrm{\g<0>}", unit(name)).replace("·", r"\cdot ")
    return _EXPONENT.sub(lambda match: f"^{{{match[0].translate(_LEVEL)}}}", upright)
