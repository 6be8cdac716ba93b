"""One self-contained HTML page: a mechanism, its drawing, its equations and what they cost."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

import torseur
from torseur.algebra.core.expr import ZERO, expression
from torseur.algebra.core.graph import reachable
from torseur.algebra.forms.count import Operations
from torseur.algebra.forms.identities import without_zeros
from torseur.algebra.forms.listing import ListedEquation
from torseur.algebra.forms.listing import sections as program_sections
from torseur.algebra.forms.program import program
from torseur.algebra.printing.reading_order import layout
from torseur.analyse.mobility.mobility import mobility
from torseur.equations.formalisms.compare import EQUAL, STATES, largest_difference
from torseur.equations.formalisms.derive import derive
from torseur.equations.motion.diagnosis import inertia_notices
from torseur.equations.motion.equations import Equations
from torseur.errors import ModelError
from torseur.language.packaged import described
from torseur.model.description import Mechanism
from torseur.named_words import Words, counted, listed, report_words
from torseur.output import writable, write_text
from torseur.report.assets import paragraph, rendered, style
from torseur.report.documents import html, mathml
from torseur.report.documents.page_parts import TablePart
from torseur.report.drawing.drawing import SHEET, caption, figure
from torseur.report.pages import cells, content, typeset
from torseur.report.pages import named_formulas as formulas
from torseur.report.pages.listing_1980 import coefficients
from torseur.report.pages.named_formulas import abbreviations, backwards
from torseur.report.scene.geometry import geometry
from torseur.report.scene.movement_sources import assembled, constrained
from torseur.words.language import chosen

_LARGEST_MATRIX = 9  # rows of a mass matrix that is shown as a matrix


Block = tuple[str, tuple[Markup, ...]]  # formulas under a title


def page(
    mechanism: Mechanism,
    path: str | os.PathLike[str],
    *,
    formalism: str | None = None,
    lang: str | None = None,
) -> Path:
    """Write a mechanism, its drawing and its equations as one HTML page, in "en" or "fr".

    Without a formalism: "augmented-bodies" where it applies, otherwise "newton-euler".
    """
    place, drawn = writable(path), figure(mechanism)
    text = page_with(
        mechanism, Markup(drawn.svg), SHEET, apart=drawn.apart, formalism=formalism, lang=lang
    )
    return write_text(place, text)


def page_with(
    mechanism: Mechanism,
    drawing: Markup,
    css: str,
    *,
    apart: bool = False,
    formalism: str | None = None,
    lang: str | None = None,
) -> str:
    """The page with a drawing and the style sheet that it needs; joints may be drawn apart."""
    lang = chosen(lang)
    words = report_words(lang)
    equations = _derived(mechanism, formalism)
    recursion = equations if equations.formalism == "newton-euler" else derive(mechanism)
    notices = dict.fromkeys((*inertia_notices(equations), *mechanism.notices))
    freedoms = _freedoms(mechanism)
    condensed = equations.formalism == "augmented-bodies"  # each coordinate has its rate as a speed
    order = equations.coordinates if condensed else equations.speeds
    return rendered(
        "pages/page.html.jinja",
        lang=lang,
        words=words,
        mechanism=mechanism,
        described=described(mechanism.name, mechanism.description, lang),
        title=_title(mechanism, freedoms, words),
        summary=_summary(mechanism, freedoms, equations, recursion, words),
        drawing=drawing,
        caption=caption(geometry(mechanism).assumed, apart, lang),
        sheets=Markup(style(css) + style("pages/page.css")),
        notices=[content.sentence(notice, lang) for notice in notices],
        bodies=_table(content.bodies(mechanism, words)),
        joints=_table(content.joints(mechanism, words, lang)),
        parameters=[
            (Markup(html.line(symbol)), *others)
            for symbol, *others in content.parameters(mechanism, lang)
        ],
        condensed=condensed,
        order=Markup(html.line(cells.joined(map(cells.name, order)))),
        **_model(equations, words),
        **_constraints(equations, words),
        program=_program(recursion, words),
        operations=_operations(equations, recursion, words),
        made_by=words["Written by Torseur {}."].format(torseur.__version__),
        checked=_checked(equations, recursion, words),
    )


def _derived(mechanism: Mechanism, formalism: str | None) -> Equations:
    if formalism is not None:
        return derive(mechanism, formalism)
    try:
        return derive(mechanism, "augmented-bodies")
    except ModelError:
        return derive(mechanism)


# --- sentences ----------------------------------------------------------------------------------


def _freedoms(mechanism: Mechanism) -> int:
    """The degrees of freedom: speeds of a tree, the mobility of a closed mechanism."""
    if not constrained(mechanism):
        return len(mechanism.speeds)
    return mobility(assembled(geometry(mechanism))).degree


def _title(mechanism: Mechanism, freedoms: int, words: Words) -> str:
    if mechanism.name and mechanism.name != "phrase":
        return mechanism.name
    return words["Mechanism with {}"].format(
        counted(words["1 degree of freedom|{} degrees of freedom"], freedoms)
    )


def _summary(
    mechanism: Mechanism,
    freedoms: int,
    equations: Equations,
    recursion: Equations,
    words: Words,
) -> str:
    sizes = (
        counted(words["1 body|{} bodies"], len(content.moving_bodies(mechanism))),
        counted(words["1 joint|{} joints"], len(mechanism.joints)),
        counted(words["1 degree of freedom|{} degrees of freedom"], freedoms),
    )
    model = _cost(equations.operations, words)
    inverse = _cost(recursion.program(["inverse_dynamics"]).operations, words)
    return " ".join(
        [
            words["{} linked by {}: {}."].format(*sizes),
            words["At run time its equations cost {};"].format(model),
            words["cost of the recursion"].format(inverse),
        ]
    )


def _cost(operations: Operations, words: Words) -> str:
    counts = {
        "1 multiplication|{} multiplications": operations.mul,
        "1 addition|{} additions": operations.add,
        "1 sine or cosine|{} sines and cosines": operations.trig,
    }
    nonzero = {key: number for key, number in counts.items() if number} or dict(
        [*counts.items()][:1]
    )
    return listed([counted(words[key], number) for key, number in nonzero.items()], words)


def _checked(equations: Equations, recursion: Equations, words: Words) -> str:
    """That another formalism agrees, with the largest difference; nothing if it does not.

    Equations in other variables, such as absolute ones, are not compared.
    """
    if equations.speeds != recursion.speeds:
        return ""
    other = recursion
    if equations is recursion:
        other = derive(equations.system.mechanism, "lagrange")
    difference = largest_difference(equations, other)
    if difference > EQUAL:
        return ""
    return words["checked"].format(other.formalism, STATES, f"{difference:.0e}")


# --- equations ----------------------------------------------------------------------------------


def _model(equations: Equations, words: Words) -> dict[str, Any]:
    """The formulas of the page: constants, gravity, inertia, velocity, applied forces."""
    if equations.formalism == "augmented-bodies":
        sections = {section.key: section for section in coefficients(equations, words)}
        lumped = (sections[key] for key in ("V", "W", "J", "moving"))
        constants = [(section.title, _typeset(section.equations)) for section in lumped]
        gravity, inertia, velocity = (sections[key].equations for key in "QAB")
        letter, force = "A", "F"
    else:
        constants, letter, force = [], "M", "Q"
        arrays = {name: without_zeros(equations.output(name)) for name in "gMh"}
        gravity, inertia, velocity = formulas.entries_listed(equations, arrays).values()
    (applied,) = formulas.entries_listed(equations, {force: equations.Q}).values()
    moving = any(expression(x) is not ZERO for x in equations.Q)
    return {
        "constants": [(title, table) for title, table in constants if table],
        "lines": () if constants else _lines(equations),
        "gravity": _typeset(gravity),
        "inertia": _typeset(inertia),
        "velocity": _typeset(velocity),
        "applied": _typeset(applied) if moving else (),
        "matrix": _matrix(equations, letter),
        "abbreviations": _abbreviations(equations, words),
        "shares": any(name.startswith("P") for e in (*inertia, *velocity) for name in e.names),
    }


def _lines(equations: Equations) -> tuple[Markup, ...]:
    """The equations as a book writes them, without those that are longer than a page.

    The conditions under which they hold come last.
    """
    short = equations.in_letters.formulas().short
    rows = short.latex_rows if short.lines or short.loops else ()
    return tuple(Markup(mathml.display("".join(row))) for row in rows)


def _constraints(equations: Equations, words: Words) -> dict[str, Any]:
    """The rows of J and γ that are not zero, and what they belong to; none without loops."""
    rows = len(equations.J)
    if not rows:
        return {"jacobian": (), "bias": (), "owners": ""}
    arrays = {name: without_zeros(equations.output(name)) for name in ("J", "gamma")}
    jacobian, bias = formulas.entries_listed(equations, arrays, first=True).values()
    return {
        "jacobian": _typeset(jacobian),
        "bias": _typeset(bias),
        "owners": listed(content.rows_of(equations.constraints.owners), words),
    }


def _typeset(equations: tuple[ListedEquation, ...]) -> tuple[Markup, ...]:
    return tuple(typeset.formula(equation) for equation in equations)


def _matrix(equations: Equations, letter: str) -> Markup | None:
    n = len(equations.M)
    if not 1 < n <= _LARGEST_MATRIX:
        return None
    names = np.full((n, n), "", dtype=object)
    for x in backwards(letter, without_zeros(equations.M), equations.symbols):
        if x.value is not ZERO:
            names[x.index] = names[x.index[::-1]] = x.label
    return typeset.matrix("M", names)


def _abbreviations(equations: Equations, words: Words) -> Markup | None:
    """Meaning of C23, for the longest abbreviation of these equations."""
    nodes = [expression(x) for array in (equations.M, equations.g) for x in np.ravel(array)]
    names = abbreviations(nodes, equations.symbols)
    if not names:
        return None
    key, name = max(names.items(), key=lambda item: (len(item[1]), item[1]))
    node = next(x for x in reachable(nodes) if x.key == key)
    example = typeset.formula(ListedEquation((name,), layout(node, {}), upright=True))
    return paragraph(words["abbreviations"], example)


def _program(recursion: Equations, words: Words) -> list[Block]:
    steps = program({"tau": recursion.inverse_dynamics}, recursion.hints, recursion.symbols)
    return [
        (words[f"{section.key} stage"], _typeset(section.equations))
        for section in program_sections(steps)
    ]


def _operations(
    equations: Equations, recursion: Equations, words: Words
) -> list[tuple[str, Markup]]:
    """The cost of the model and of the recursion, stage by stage."""
    programs = {
        f"by {equations.formalism}": equations.program(),
        "Joint forces of a motion, by Newton-Euler": recursion.program(["inverse_dynamics"]),
    }
    counts_by_stage = []
    for key, steps in programs.items():
        header, *rows = content.operations(steps, words)
        counts_by_stage.append((words[key], _table(TablePart(header, tuple(rows), numbers=True))))
    return counts_by_stage


def _table(table: TablePart) -> Markup:
    return Markup(html.fragment((table,)))
