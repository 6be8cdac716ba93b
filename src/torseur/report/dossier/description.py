"""Description of a mechanism in a report: pictures and tables."""

from __future__ import annotations

from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import name_ranks
from torseur.named_words import Words, counted, dossier_words, report_words
from torseur.report.documents.parts import Heading, Math, Paragraph, Parts, Picture, TablePart
from torseur.report.dossier.joint_torseurs import action, motion
from torseur.report.drawing.joint_graph import graph_texts
from torseur.report.pages import cells, content
from torseur.report.pages.content import noticed
from torseur.report.schemes.scheme import scheme_texts


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
