"""The mobility of a mechanism and its balance of unknowns, as parts of a report."""

from __future__ import annotations

from torseur.analyse.mobility.balance import Balance, BalanceLine
from torseur.analyse.mobility.mobility import Mobility
from torseur.named_words import Words, dossier_words
from torseur.report.documents.page_parts import (
    Heading,
    Items,
    Math,
    Paragraph,
    Part,
    Parts,
    TablePart,
    Text,
)
from torseur.report.pages import cells
from torseur.words.sentence import said


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
