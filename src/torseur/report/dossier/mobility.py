"""The mobility of a mechanism and its balance of unknowns, as parts of a report."""

from __future__ import annotations

from torseur.analyse.mobility.balance import Balance, BalanceLine
from torseur.analyse.mobility.mobility import Mobility
from torseur.named_words import Words, dossier_words
from torseur.report.documents.parts import Heading, Items, Math, Paragraph, Part, Parts, Table, Text
from torseur.report.pages import cells
from torseur.words.sentence import said


def mobility_sheet(found: Mobility, lang: str) -> Parts:
    """γ, I_c, r_c, m and h, what is constrained twice and what moves inside."""
    words = dossier_words(lang)
    conditions = 6 * found.loops + found.relations
    hyperstatism = rf"h = m + 6\,\gamma{' + r' if found.relations else ''} - I_{{c}}"
    quantities: list[tuple[str, str, int]] = [
        ("independent loops", r"\gamma", found.loops),
        ("freedoms of all the joints", "I_{c}", found.freedoms),
        *(
            [("conditions other than those of the joints", "r", found.relations)]
            if found.relations
            else []
        ),
        ("rank of the conditions of closure", "r_{c}", conditions - found.overconstraint),
        ("mobility", "m = I_{c} - r_{c}", found.degree),
        *([("of these, useful", "", found.useful)] if found.internal else []),
        *([("of these, internal", "", found.internal)] if found.internal else []),
        *([("of these, driven by imposed motions", "", found.driven)] if found.driven else []),
        ("degree of over-constraint", hyperstatism, found.overconstraint),
    ]
    rows: list[tuple[Text, ...]] = [
        (words[key], Math(latex) if latex else "", str(value)) for key, latex, value in quantities
    ]
    parts: list[Part] = [Table((words["quantity"], "", words["value"]), tuple(rows))]
    for key, told in (
        ("Redundant constraints:", found.directions),
        ("Internal motions:", found.internal_motions),
    ):
        if told:
            parts += [Paragraph(words[key]), Items(tuple(said(text, lang) for text in told))]
    return tuple(parts)


def balance_sheet(found: Balance, lang: str) -> Parts:
    """The unknowns and the equations, line by line."""
    words = dossier_words(lang)
    told = words["balanced"].format(
        found.unknown_count,
        found.equation_count,
        found.parameters,
        found.relations,
        f"{found.parameters - found.relations}".replace("-", "−"),
    )
    return (
        Heading(words["Balance of unknowns and equations"], 2),
        _column(words["unknowns"], found.unknowns, found.unknown_count, words, lang),
        _column(words["equations"], found.equations, found.equation_count, words, lang),
        Paragraph(told),
    )


def _column(
    title: str, lines: tuple[BalanceLine, ...], total: int, words: Words, lang: str
) -> Table:
    rows = [(said(x.source, lang), str(x.count), _what(x, lang)) for x in lines if x.count]
    header = (title, words["count"], words["what they are"])
    return Table(header, (*rows, (words["total"], str(total), "")))


def _what(line: BalanceLine, lang: str) -> Text:
    """What a line counts: quantities by their names, or words."""
    return cells.joined(map(cells.name, line.names)) or said(line.detail, lang)
