"""Content of pages: bodies, joints and parameters of a mechanism as tables of cells."""

from collections.abc import Callable, Iterable

from torseur.algebra.core.expr import ZERO, expression
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.program import Program
from torseur.algebra.printing.text import digits
from torseur.algebra.printing.unicode import RAISED
from torseur.model.description import GROUND, Body, Mechanism, Parameter
from torseur.model.values.named_numbers import name_ranks
from torseur.named_words import Words
from torseur.report.documents.page_parts import Inline, Items, Math, Parts, TablePart, Text
from torseur.report.pages import cells
from torseur.teach.derivation.step_formulas import Prose, pieces
from torseur.words.sentence import marked, meaning_text, said, type_words


def sentence(words: str, lang: str) -> str:
    """A notice in the language of the page, with a capital."""
    return capitalised(said(words, lang))


def capitalised(text: str) -> str:
    """A text whose first letter is a capital, and whose others stay."""
    return text[:1].upper() + text[1:]


def inline(text: str) -> tuple[Inline, ...]:
    """A sentence with its formulas."""
    return tuple(Math(x) if formula else x for formula, x in pieces(text))


def typeset(write: Callable[..., str], *given: object, within: str = "{}") -> Text:
    """Text of a writing function with its formulas typeset, within a sentence."""
    text = Prose(within.format(marked(write, *given)))
    return inline(text) if "$" in text.marked else str(text)


def noticed(notices: Iterable[str], lang: str) -> Parts:
    """A list of notices, if there are any."""
    listed = tuple(typeset(sentence, notice, lang) for notice in notices)
    return (Items(listed),) if listed else ()


def moving_bodies(mechanism: Mechanism) -> dict[str, Body]:
    """The bodies but the ground."""
    return {name: body for name, body in mechanism.bodies.items() if name != GROUND}


def components(bodies: Iterable[Body]) -> list[tuple[int, int]]:
    """The indices of the moments of inertia; those of products too, if a body has one."""
    products = [(0, 1), (0, 2), (1, 2)]
    full = any(expression(body.inertia[i]) is not ZERO for body in bodies for i in products)
    return [(0, 0), (1, 1), (2, 2), *(products if full else [])]


def operations(program: Program, words: Words) -> tuple[tuple[str, ...], ...]:
    """The cost of a program, stage by stage; the header comes first."""
    header = ("", *(words[key] for key in ("products", "sums", "sines, cosines", "total")))
    rows = (
        (words[f"stage {stage}"], *map(str, (count.mul, count.add, count.trig, count.total)))
        for stage, count in program.operations_by_stage.items()
    )
    return header, *rows


def bodies(mechanism: Mechanism, words: Words) -> TablePart:
    """Mass, centre of mass and inertia of each body."""
    moving, ranks = moving_bodies(mechanism), name_ranks(mechanism)
    entries = components(moving.values())
    rows = tuple(
        (
            name,
            cells.value(body.mass, ranks),
            cells.vector(body.centre, ranks),
            cells.vector((body.inertia[index] for index in entries), ranks),
        )
        for name, body in moving.items()
    )
    last = (
        "inertia at the centre (xx, yy, zz, xy, xz, yz)"
        if len(entries) > 3
        else "inertia at the centre (xx, yy, zz)"
    )
    return TablePart((words["body"], words["mass"], words["centre of mass"], words[last]), rows)


def joints(mechanism: Mechanism, words: Words, lang: str) -> TablePart:
    """Type, bodies, coordinates and limits of each joint."""
    header = tuple(words[key] for key in ("joint", "type", "links", "coordinates", "limits"))
    rows = tuple(
        (
            joint.name,
            type_words(joint.kind.words, lang),
            " → ".join(words["ground"] if b == GROUND else b for b in (joint.first, joint.second)),
            cells.joined(map(cells.name, joint.coordinates)),
            cells.joined(cells.between(*limits) for limits in joint.limits if limits),
        )
        for joint in mechanism.joints.values()
    )
    limited = any(limits for joint in mechanism.joints.values() for limits in joint.limits)
    return (
        TablePart(header, rows)
        if limited
        else TablePart(header[:-1], tuple(row[:-1] for row in rows))
    )


def parameters(mechanism: Mechanism, lang: str) -> list[tuple[Text, Text, str, str]]:
    """Symbol, value (empty while it has none), unit and meaning of every parameter.

    They are in the order in which they were given, limits of joints last.
    """
    numbers = mechanism.parameters
    ranges = (limits for joint in mechanism.joints.values() for limits in joint.limits if limits)
    last = {x.name for limits in ranges for x in free_symbols(limits)}
    return [
        (
            cells.name(name),
            "" if (number := numbers[name]) is None else _value(number),
            unit(_unit_of(parameter)),
            meaning_text(parameter.meaning, lang),
        )
        for name, parameter in sorted(
            mechanism.parameter_table.items(), key=lambda item: item[0] in last
        )
    ]


def _value(number: float) -> Text:
    """A number as people write it, powers of ten included."""
    plain = digits(cells.short(number))
    return cells.number(number) if "e" in plain else plain


def _unit_of(parameter: Parameter) -> str:
    """The unit that was given, else the one that follows from where the parameter is used."""
    known = parameter.dimension
    given = "" if parameter.unit == "1" else parameter.unit
    return given or (str(known) if known is not None and any(known.powers) else "")


def unit(name: str) -> str:
    """A unit as it is printed: kg·m², m/s²."""
    head, *powers = name.replace(".", "·").replace("*", "·").split("^")
    for part in powers:
        digits = part[: len(part) - len(part.lstrip("-0123456789"))]
        head += digits.translate(RAISED) + part[len(digits) :]
    return head


def rows_of(names: Iterable[str]) -> list[str]:
    """Each joint or relation with its rows: B (1–5)."""
    by_owner: dict[str, list[int]] = {}
    for k, name in enumerate(names, start=1):
        by_owner.setdefault(name, []).append(k)
    return [
        f"{name} ({rows[0]})" if len(rows) == 1 else f"{name} ({rows[0]}–{rows[-1]})"
        for name, rows in by_owner.items()
    ]
