"""Description of a mechanism and its mobility in a report: pictures and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO, expression, symbol
from torseur.algebra.core.graph import expressions
from torseur.algebra.printing.latex import latex
from torseur.algebra.printing.latex import name as latex_name
from torseur.analyse.mobility.balance import Balance, BalanceLine
from torseur.analyse.mobility.mobility import Mobility
from torseur.model.description import Mechanism
from torseur.model.joints.protocol import Joint
from torseur.model.values.named_numbers import name_ranks
from torseur.named_words import Words, counted, dossier_words, report_words
from torseur.report.documents.page_parts import (
    Heading,
    Items,
    Math,
    Paragraph,
    Part,
    Parts,
    Picture,
    TablePart,
    Text,
)
from torseur.report.drawing.graph_drawing import graph_texts
from torseur.report.pages import cells, content
from torseur.report.pages.content import noticed
from torseur.report.schemes.scheme import scheme_texts
from torseur.words.sentence import said


def scheme(mechanism: Mechanism, lang: str) -> Parts:
    """The normalised scheme."""
    return (Picture(*scheme_texts(mechanism), dossier_words(lang)["scheme caption"]),)


def graph(mechanism: Mechanism, lang: str) -> Parts:
    """The joint graph."""
    drawn = graph_texts(mechanism, lang)
    return (Picture(*drawn, dossier_words(lang)["graph caption"]),)


def notices(mechanism: Mechanism, lang: str) -> Parts:
    """Assumptions, and unusual parts of the description."""
    sentences = noticed(mechanism.notices, lang)
    return (Heading(dossier_words(lang)["Worth knowing"], 2), *sentences) if sentences else ()


def tables(mechanism: Mechanism, lang: str) -> Parts:
    """Bodies, joints with their torseurs, parameters."""
    words, named = dossier_words(lang), report_words(lang)
    parts = [
        Heading(words["Bodies"], 2),
        content.bodies(mechanism, named),
        Heading(words["Joints"], 2),
        content.joints(mechanism, named, lang),
        *joint_torseurs(mechanism, lang),
        *parameters(mechanism, lang),
    ]
    return tuple(parts)


def _unknowns(count: int, words: Words) -> str:
    return counted(words["1 unknown|{} unknowns"], count) if count else words["no unknown"]


def joint_torseurs(mechanism: Mechanism, lang: str) -> Parts:
    """The motion that each joint allows and the action it transmits, in its frame."""
    words, ranks = dossier_words(lang), name_ranks(mechanism)
    rows = tuple(
        (joint.name, cells.vector(joint.X_BM.p, ranks), Math(motion(joint)), Math(action(joint)))
        if joint.kind.freedoms is not None
        else (
            joint.name,
            cells.vector(joint.X_BM.p, ranks),
            words["given by its law"],
            _unknowns(6 - joint.kind.nv, words),
        )
        for joint in mechanism.joints.values()
    )
    if not rows:
        return ()
    header = tuple(words[key] for key in ("joint", "point, in the second body", "motion", "action"))
    return (
        Heading(words["Torseurs of the joints"], 2),
        Paragraph(words["joint torseurs text"]),
        TablePart(header, rows),
    )


def parameters(mechanism: Mechanism, lang: str) -> Parts:
    """Every parameter with its value, unit and meaning."""
    words = dossier_words(lang)
    named = content.parameters(mechanism, lang)
    if not named:
        return ()
    explained = any(meaning for *_, meaning in named)
    header = tuple(words[key] for key in ("parameter", "value", "unit", "meaning"))
    rows = tuple((symbol, value or "–", *others) for symbol, value, *others in named)
    table = (
        TablePart(header, rows)
        if explained
        else TablePart(header[:-1], tuple(row[:-1] for row in rows))
    )
    return Heading(words["Parameters"], 2), table


Array = np.ndarray
_MOTION = (r"\omega_{x}", r"\omega_{y}", r"\omega_{z}", "v_{x}", "v_{y}", "v_{z}")
_ACTION = ("L", "M", "N", "X", "Y", "Z")  # couples, then forces


def motion(joint: Joint) -> str:
    """{Ω; V} of the second body in the first, at the point of the joint, in LaTeX."""
    kind = joint.kind
    return _torseur(joint, kind.motion_subspace(kind.neutral()), _MOTION, (0, 1, 2, 3, 4, 5))


def action(joint: Joint) -> str:
    """{R; M} of the first body on the second, at the point of the joint, in LaTeX."""
    return _torseur(
        joint, joint.kind.reactions_at(np.eye(3), np.zeros(3)), _ACTION, (3, 4, 5, 0, 1, 2)
    )


def _torseur(joint: Joint, subspace: Any, letters: Sequence[str], order: Sequence[int]) -> str:
    """Components of a subspace (6, n); the rows of the resultant come first in the order."""
    components = list(_components(expressions(subspace).reshape(6, -1), letters, order))
    pairs = zip(order[:3], order[3:], strict=True)
    rows = r" \\ ".join(f"{components[i]} & {components[j]}" for i, j in pairs)
    return rf"\begin{{Bmatrix}} {rows} \end{{Bmatrix}}_{{{latex_name(joint.name)}}}"


def _components(matrix: Array, letters: Sequence[str], order: Sequence[int]) -> Iterator[str]:
    """Each of six components in the unknowns, each called by the letter of its row."""
    leading = [_first(column, order) for column in matrix.T]
    names = {k: symbol(f"unknown{k}") for k in range(6)}
    for row in matrix:
        total: Any = ZERO
        for entry, k, column in zip(row, leading, matrix.T, strict=True):
            along = -1 if column[k] is -ONE else 1  # an unknown counts along its axis
            total += entry * names[k] * along
        written = latex(expression(total))
        for k, x in names.items():
            written = written.replace(latex_name(x.name), letters[k])
        yield written


def _first(column: Array, order: Sequence[int]) -> int:
    """The row after which an unknown is called: the first in which it stands alone."""
    present = [k for k in order if column[k] is not ZERO]
    return next((k for k in present if column[k] in (ONE, -ONE)), present[0])


# --- the mobility of a mechanism and its balance of unknowns, as parts of a report ----------------


def mobility_sheet(mobility: Mobility, lang: str) -> Parts:
    """γ, I_c, r_c, m and h, what is constrained twice and what moves inside."""
    words = dossier_words(lang)
    conditions = 6 * mobility.loops + mobility.relations
    hyperstatism = rf"h = m + 6\,\gamma{' + r' if mobility.relations else ''} - I_{{c}}"
    quantities: list[tuple[str, str, int]] = [
        ("independent loops", r"\gamma", mobility.loops),
        ("freedoms of all the joints", "I_{c}", mobility.freedoms),
        *(
            [("conditions other than those of the joints", "r", mobility.relations)]
            if mobility.relations
            else []
        ),
        ("rank of the conditions of closure", "r_{c}", conditions - mobility.overconstraint),
        ("mobility", "m = I_{c} - r_{c}", mobility.degree),
        *([("of these, useful", "", mobility.useful)] if mobility.internal else []),
        *([("of these, internal", "", mobility.internal)] if mobility.internal else []),
        *(
            [("of these, driven by imposed motions", "", mobility.driven)]
            if mobility.driven
            else []
        ),
        ("degree of over-constraint", hyperstatism, mobility.overconstraint),
    ]
    rows: list[tuple[Text, ...]] = [
        (words[key], Math(latex) if latex else "", str(value)) for key, latex, value in quantities
    ]
    parts: list[Part] = [TablePart((words["quantity"], "", words["value"]), tuple(rows))]
    for key, lines in (
        ("Redundant constraints:", mobility.directions),
        ("Internal motions:", mobility.internal_motions),
    ):
        if lines:
            parts += [Paragraph(words[key]), Items(tuple(said(text, lang) for text in lines))]
    return tuple(parts)


def balance_sheet(balance: Balance, lang: str) -> Parts:
    """The unknowns and the equations, line by line."""
    words = dossier_words(lang)
    summary = words["balanced"].format(
        balance.unknown_count,
        balance.equation_count,
        balance.parameters,
        balance.relations,
        f"{balance.parameters - balance.relations}".replace("-", "−"),
    )
    return (
        Heading(words["Balance of unknowns and equations"], 2),
        _column(words["unknowns"], balance.unknowns, balance.unknown_count, words, lang),
        _column(words["equations"], balance.equations, balance.equation_count, words, lang),
        Paragraph(summary),
    )


def _column(
    title: str, lines: tuple[BalanceLine, ...], total: int, words: Words, lang: str
) -> TablePart:
    rows = [(said(x.source, lang), str(x.count), _what(x, lang)) for x in lines if x.count]
    header = (title, words["count"], words["what they are"])
    return TablePart(header, (*rows, (words["total"], str(total), "")))


def _what(line: BalanceLine, lang: str) -> Text:
    """Subject of a line of the balance: names of quantities, or words."""
    return cells.joined(map(cells.name, line.names)) or said(line.detail, lang)
