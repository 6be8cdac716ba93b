"""What a report says of a mechanism before any computation: pictures and tables."""

from __future__ import annotations

from torseur.model.description import Mechanism
from torseur.model.values.name_ranks import name_ranks
from torseur.named_words import counted, dossier_words, report_words
from torseur.report.documents.parts import Heading, Items, Math, Paragraph, Parts, Picture, Table
from torseur.report.dossier import cells
from torseur.report.dossier.joint_torseurs import action, has_torseurs, motion
from torseur.report.drawing.joint_graph import graph_svg, graph_tikz
from torseur.report.pages import content
from torseur.report.pages.content import Grid, sentence
from torseur.report.schemes.lines import extent, svg, tikz
from torseur.report.schemes.scheme import Sheet


def scheme(mechanism: Mechanism, lang: str) -> Parts:
    """The normalised scheme."""
    marks = Sheet(mechanism, None, None, "auto").marks(True)
    box = extent(marks, 14.0)
    drawn = svg(marks, box, mechanism.name), tikz(marks, box, standalone=False)
    return (Picture(*drawn, dossier_words(lang)["scheme caption"]),)


def graph(mechanism: Mechanism, lang: str) -> Parts:
    """The joint graph."""
    drawn = graph_svg(mechanism, lang), graph_tikz(mechanism, lang)
    return (Picture(*drawn, dossier_words(lang)["graph caption"]),)


def notices(mechanism: Mechanism, lang: str) -> Parts:
    """What was assumed, and what is seldom meant."""
    told = [sentence(notice, lang) for notice in mechanism.notices]
    return (Heading(dossier_words(lang)["Worth knowing"], 2), Items(tuple(told))) if told else ()


def tables(mechanism: Mechanism, lang: str) -> Parts:
    """Bodies, joints with their torseurs, parameters."""
    words, named = dossier_words(lang), report_words(lang)
    parts = [
        Heading(words["Bodies"], 2),
        _table(content.bodies(mechanism, named, cells)),
        Heading(words["Joints"], 2),
        _table(content.joints(mechanism, named, lang, cells)),
        *joint_torseurs(mechanism, lang),
        *parameters(mechanism, lang),
    ]
    return tuple(parts)


def joint_torseurs(mechanism: Mechanism, lang: str) -> Parts:
    """The motion that each joint allows and the action it transmits, in its frame."""
    words, ranks = dossier_words(lang), name_ranks(mechanism)
    rows = tuple(
        (joint.name, cells.vector(joint.X_BM.p, ranks), Math(motion(joint)), Math(action(joint)))
        if has_torseurs(joint.kind)
        else (
            joint.name,
            cells.vector(joint.X_BM.p, ranks),
            words["given by its law"],
            counted(words["1 unknown|{} unknowns"], 6 - joint.kind.nv),
        )
        for joint in mechanism.joints.values()
    )
    if not rows:
        return ()
    header = tuple(words[key] for key in ("joint", "point, in the second body", "motion", "action"))
    return (
        Heading(words["Torseurs of the joints"], 2),
        Paragraph(words["joint torseurs text"]),
        Table(header, rows),
    )


def parameters(mechanism: Mechanism, lang: str) -> Parts:
    """Every parameter with its value, unit and meaning."""
    words = dossier_words(lang)
    named = content.parameters(mechanism, lang, cells)
    if not named:
        return ()
    told = any(x.meaning for x in named)
    header = ("parameter", "value", "unit", *(("meaning",) if told else ()))
    rows = tuple((x.symbol, x.value or "–", x.unit, *((x.meaning,) if told else ())) for x in named)
    return Heading(words["Parameters"], 2), Table(tuple(words[key] for key in header), rows)


def _table(grid: Grid) -> Table:
    return Table(grid.header, grid.rows)
