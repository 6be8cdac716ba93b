"""The tables of the 1980 report for a phrase, as plain strings ready to be printed.

Liégeois and Aldon (1980), §4.2. The report prints 0 and 1 in the last column of MRR, for a
variable rotation and a constant translation; 2 and 3 continue its code for a variable translation
and a constant rotation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from torseur.algebra.core.expr import ZERO, Expr
from torseur.language.phrase.chain import BASE, Chain, chain, mass_data
from torseur.language.phrase.sentence import START, Phrase
from torseur.model.forces.protocol import no_vector
from torseur.spatial.vectors import Array

Row = tuple[str, ...]

_CODES = {("R", False): "0", ("T", True): "1", ("T", False): "2", ("R", True): "3"}


@final
@dataclass(frozen=True)
class CodingTables:
    """The internal coding of a mechanism, table by table; every row is of strings."""

    frames: str  # NR, the number of changes of frame
    freedoms: str  # N, the number of degrees of freedom
    mrr: tuple[Row, ...]  # NR × 4: the number of the body under its axis, then the code
    ground: Row  # the constant translation before the first joint
    translations: tuple[Row, ...]  # VLL: one lever a body, in its frame
    rotations: tuple[Row, ...]  # ANGLE: one row a body, parallel rotations merged ("2", "23")
    lengths: tuple[Row, ...]  # body, length
    limits: tuple[Row, ...]  # degree of freedom, minimum, maximum (empty where none is given)
    masses: tuple[Row, ...]  # body, mass, and the centre of mass VCG
    inertias: tuple[Row, ...]  # body and diagonal terms, for bodies that have a mass


def tables(phrase: Phrase, masses: str | None = "lever") -> CodingTables:
    """The tables of a phrase under an assumption about its masses."""
    frames = chain(phrase)
    all_levers = frames.levers()
    levers = {body: vectors[0] if vectors else no_vector() for body, vectors in all_levers.items()}
    numbers = [change.number for change in phrase.joints]
    bodies = [mass_data(masses, number, all_levers[number])[0] for number in numbers]
    return CodingTables(
        frames=str(len(phrase.changes)),
        freedoms=str(len(numbers)),
        mrr=tuple(_displacement(frames, k) for k in range(len(phrase.changes))),
        ground=tuple(map(str, levers[BASE])),
        translations=tuple(tuple(map(str, levers[number])) for number in numbers),
        rotations=tuple(_angles(frames)),
        lengths=tuple((str(number), str(_length(levers[number]))) for number in numbers),
        limits=tuple((str(x.number), *map(str, x.limits or ("", ""))) for x in phrase.joints),
        masses=tuple((x.name, str(x.mass), *map(str, x.centre)) for x in bodies),
        inertias=tuple(
            (x.name, *map(str, x.inertia.diagonal())) for x in bodies if x.mass is not ZERO
        ),
    )


def _displacement(frames: Chain, k: int) -> Row:
    change, frame = frames.phrase.changes[k], frames.after[k]
    row = ["0", "0", "0", _CODES[change.kind, change.constant]]
    row[change.axis] = str(frame.body)
    return tuple(row)


def _angles(frames: Chain) -> list[Row]:
    """For each body the rotations about one axis that lead to it, merged while they are parallel.

    A translation between two rotations does not part them; a constant rotation does.
    """
    runs: dict[int, tuple[int, tuple[int, ...]]] = {START: (-1, ())}
    separator = "" if len(frames.phrase.joints) < 10 else "."
    rows = []
    for k, change in enumerate(frames.phrase.changes):
        axis, run = runs[change.previous]
        if change.constant:
            runs[k] = (-1, ()) if change.kind == "R" else (axis, run)
            continue
        row = ["0", "0", "0"]
        if change.kind == "R":
            run = (*run, change.number) if axis == change.axis else (change.number,)
            axis = change.axis
            row[axis] = separator.join(map(str, run))
        runs[k] = (axis, run)
        rows.append(tuple(row))
    return rows


def _length(lever: Array) -> Expr:
    """The length of a lever; along an axis, its component."""
    parts = [x for x in lever if x is not ZERO]
    if not parts:
        return ZERO
    return parts[0] if len(parts) == 1 else sum((x**2 for x in parts), ZERO).sqrt()
