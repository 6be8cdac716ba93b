"""A derivation, the equations and the first integrals, as parts of a report."""

from __future__ import annotations

from torseur.algebra.core.expr import ZERO, expression
from torseur.algebra.forms.identities import without_zeros
from torseur.algebra.printing.latex import name as latex_name
from torseur.analyse.integrals.integrals import FirstIntegrals, first_integrals
from torseur.equations.formalisms.derive import derive
from torseur.equations.motion.equations import Equations
from torseur.model.description import Mechanism
from torseur.named_words import dossier_words, listed, report_words, teach_words
from torseur.report.documents.parts import Formulas, Heading, Items, Paragraph, Part, Parts
from torseur.report.dossier import cells
from torseur.report.pages import content, formulas
from torseur.report.pages.content import unit
from torseur.teach.derivation.printing import formula_latex
from torseur.teach.derivation.steps import Derivation
from torseur.teach.tell import tell
from torseur.words.sentence import said



def derivation_section(mechanism: Mechanism, formalism: str, lang: str) -> Parts:
    """The way to the equations by a formalism."""
    return derivation_parts(tell(mechanism, formalism, lang))


def derivation_parts(told: Derivation) -> Parts:
    """The steps of a derivation, in its language."""
    words = teach_words(told.lang)
    parts: list[Part] = [Paragraph(told.title)]
    if told.hypotheses:
        parts.append(Items(tuple(f"{x.code}{words['colon']} {x.text}" for x in told.hypotheses)))
    for step in told.steps:
        parts += [Heading(step.title, 2), *map(Paragraph, step.text)]
        if step.theorem:
            needs = words["under"].format(", ".join(step.hypotheses)) if step.hypotheses else ""
            parts.append(Paragraph(words["theorem"].format(step.theorem) + needs))
        if step.formulas:
            parts.append(Formulas(tuple(formula_latex(x, words) for x in step.formulas)))
        parts += [Paragraph(f"{words['warning']} {x}", beware=True) for x in step.warnings]
    return tuple(parts)


def equations_section(mechanism: Mechanism, lang: str) -> Parts:
    """M, h, g, Q and the rows of loops, entry by entry."""
    return equations_parts(derive(mechanism), lang)


def equations_parts(motion: Equations, lang: str) -> Parts:
    """The same of equations that were derived."""
    words = dossier_words(lang)
    held = bool(len(motion.J))
    form = r"M(q)\,a + h(q,v) + g(q) = Q"
    forms = (form + r" + J^{\mathrm{T}}\,\lambda", r"J\,a + \gamma = 0") if held else (form,)
    speeds = words["equations text"].split("{}")
    order = cells.joined(cells.name(x) for x in motion.speeds)
    acting = any(expression(x) is not ZERO for x in motion.Q)
    arrays = {x: without_zeros(motion.output(x)) for x in ("M", "h", "g", *("Q" * acting))}
    parts: list[Part] = [Formulas(forms), Paragraph((speeds[0], *order, speeds[1]))]
    found = formulas.entries_listed(motion, arrays, first=True)
    parts += [Formulas(tuple(cells.equation(x, words) for x in one)) for one in found.values()]
    if held:
        owners = listed(content.rows_of(motion.constraints.owners), report_words(lang))
        rows = {name: without_zeros(motion.output(name)) for name in ("J", "gamma")}
        closing = formulas.entries_listed(motion, rows, first=True)
        parts.append(Paragraph(words["rows of J"].format(owners)))
        parts += [Formulas(tuple(cells.equation(x, words) for x in x_)) for x_ in closing.values()]
    return tuple(parts)


def integrals_section(mechanism: Mechanism, lang: str) -> Parts:
    """What stays constant, and why."""
    return integrals_parts(first_integrals(mechanism), lang)


def integrals_parts(found: FirstIntegrals, lang: str) -> Parts:
    """The same of first integrals that were found."""
    words = dossier_words(lang)
    parts: list[Part] = [] if len(found) else [Paragraph(words["no integrals"])]
    for one in found:
        value = cells.formula(one.formula, words)
        shown = rf"{latex_name(one.name)} = {value}\quad [\mathrm{{{_unit(one.unit)}}}]"
        parts += [Formulas((shown,)), Paragraph(_sentence(one.kind, one.why, lang))]
    for drive in found.drives:
        parts.append(Paragraph(words["needs"].format(drive.motion, drive.coordinate)))
        force, power = (cells.formula(x, words) for x in (drive.force, drive.power))
        parts.append(Formulas((rf"F = {force}\quad [\mathrm{{{_unit(drive.unit)}}}]", f"P = {power}")))
    return tuple(parts)


def _unit(name: str) -> str:
    return unit(name).replace("·", r"\cdot ").replace("²", "^{2}")


def _sentence(kind: str, why: str, lang: str) -> str:
    told = f"{said(kind, lang)}{':' if lang == 'en' else ' :'} {said(why, lang)}"
    return told[:1].upper() + told[1:]
