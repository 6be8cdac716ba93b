"""What a page says about a mechanism: its bodies, joints and parameters as tables of cells."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np
from markupsafe import Markup

from torseur.algebra.core.expr import ZERO, expression
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.program import Program
from torseur.algebra.printing.layout import Ranks
from torseur.algebra.printing.text import digits
from torseur.algebra.printing.unicode import RAISED
from torseur.model.description import GROUND, Body, Joint, Mechanism, Parameter
from torseur.model.values.name_ranks import name_ranks
from torseur.named_words import Words
from torseur.report.pages import typeset
from torseur.words.sentence import said


class Notation(Protocol):
    """How cells are written: the module `typeset` does it in MathML."""

    def value(self, x: Any, ranks: Ranks, /) -> Any: ...
    def vector(self, values: Iterable[Any], ranks: Ranks, /) -> Any: ...
    def name(self, text: str, /) -> Any: ...
    def joined(self, parts: Iterable[Any], /) -> Any: ...
    def between(self, low: Any, high: Any, /) -> Any: ...


@final
@dataclass(frozen=True)
class Grid:
    """A table of cells, text or markup."""

    header: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def sentence(words: str, lang: str) -> str:
    """A notice in the language of the page, with a capital."""
    notice = said(words, lang)
    return notice[:1].upper() + notice[1:]


def moving_bodies(mechanism: Mechanism) -> dict[str, Body]:
    """The bodies but the ground."""
    return {name: body for name, body in mechanism.bodies.items() if name != GROUND}


def components(bodies: Iterable[Body]) -> list[tuple[int, int]]:
    """The indices of the moments of inertia; those of products too, if a body has one."""
    products = [(0, 1), (0, 2), (1, 2)]
    full = any(expression(body.inertia[i]) is not ZERO for body in bodies for i in products)
    return [(0, 0), (1, 1), (2, 2), *(products if full else [])]


def operations(program: Program, words: Words) -> Grid:
    """The cost of a program, stage by stage."""
    rows = tuple(
        (words[f"stage {stage}"], *map(str, (count.mul, count.add, count.trig, count.total)))
        for stage, count in program.operations_by_stage.items()
    )
    return Grid(
        ("", *(words[key] for key in ("products", "sums", "sines, cosines", "total"))), rows
    )


def bodies(mechanism: Mechanism, words: Words, write: Notation = typeset) -> Grid:
    """Mass, centre of mass and inertia of each body."""
    moving, ranks = moving_bodies(mechanism), name_ranks(mechanism)
    shown = components(moving.values())
    rows = tuple(
        (
            name,
            write.value(body.mass, ranks),
            write.vector(body.centre, ranks),
            write.vector((body.inertia[index] for index in shown), ranks),
        )
        for name, body in moving.items()
    )
    last = (
        "inertia at the centre (xx, yy, zz, xy, xz, yz)"
        if len(shown) > 3
        else "inertia at the centre (xx, yy, zz)"
    )
    return Grid((words["body"], words["mass"], words["centre of mass"], words[last]), rows)


def joints(mechanism: Mechanism, words: Words, lang: str, write: Notation = typeset) -> Grid:
    """Type, bodies, coordinates and limits of each joint."""
    header = tuple(words[key] for key in ("joint", "type", "links", "coordinates", "limits"))
    rows = tuple(
        (
            joint.name,
            joint.kind.words[lang],
            " → ".join(words["ground"] if b == GROUND else b for b in (joint.first, joint.second)),
            write.joined(write.name(name) for name in joint.coordinates),
            _limits(joint, write),
        )
        for joint in mechanism.joints.values()
    )
    limited = any(limits for joint in mechanism.joints.values() for limits in joint.limits)
    return Grid(header, rows) if limited else Grid(header[:-1], tuple(row[:-1] for row in rows))


def _limits(joint: Joint, write: Notation) -> Any:
    return write.joined(write.between(*limits) for limits in joint.limits if limits)


@final
@dataclass(frozen=True)
class Named:
    """A parameter: its symbol, its value (empty while it has none), its unit and meaning."""

    symbol: Any
    value: str
    unit: str
    meaning: str


def parameters(mechanism: Mechanism, lang: str, write: Notation = typeset) -> list[Named]:
    """Every parameter, in the order in which they were given, limits of joints last."""
    numbers = mechanism.parameters
    ranges = (limits for joint in mechanism.joints.values() for limits in joint.limits if limits)
    last = {x.name for limits in ranges for x in free_symbols(limits)}
    return [
        Named(
            write.name(name),
            "" if (number := numbers[name]) is None else digits(_short(number)),
            unit(_unit_of(parameter)),
            said(parameter.meaning, lang),
        )
        for name, parameter in sorted(
            mechanism.parameter_table.items(), key=lambda item: item[0] in last
        )
    ]


def _unit_of(parameter: Parameter) -> str:
    """The unit that was given, else the one that follows from where the parameter is used."""
    known = parameter.dimension
    return parameter.unit or (str(known) if known is not None and any(known.powers) else "")


def _short(number: float) -> float | int:
    """Six figures, and no point after a whole number."""
    rounded = float(f"{number:.6g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e6 else rounded


def unit(name: str) -> str:
    """A unit as it is printed: kg·m², m/s²."""
    head, *powers = name.replace(".", "·").replace("*", "·").split("^")
    for part in powers:
        digits = part[: len(part) - len(part.lstrip("-0123456789"))]
        head += digits.translate(RAISED) + part[len(digits) :]
    return head


def mass_matrix(letter: str, labels: dict[tuple[int, int], str], n: int) -> Markup:
    """The matrix of the names of its entries, zeros shown as such."""
    names = np.full((n, n), "", dtype=object)
    for (i, j), label in labels.items():
        names[i, j] = names[j, i] = label
    return typeset.matrix(letter, names)


def rows_of(names: Iterable[str]) -> list[str]:
    """Each joint or relation with its rows: B (1–5)."""
    found: dict[str, list[int]] = {}
    for k, name in enumerate(names, start=1):
        found.setdefault(name, []).append(k)
    return [
        f"{name} ({rows[0]})" if len(rows) == 1 else f"{name} ({rows[0]}–{rows[-1]})"
        for name, rows in found.items()
    ]
