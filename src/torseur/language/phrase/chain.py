"""The bodies of a phrase: their carriers, the places of joints and tips on each, and mass data.

Mass data are none, on the lever as in the report, or ten symbols each. Liégeois and Aldon (1980),
§4.1.2 and §4.2: the centre of mass lies on the lever, the inertia is diagonal and is nil about the
lever, and a body without a lever has no mass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.errors import ModelError, suggestion
from torseur.language.phrase.phrase_text import START, FrameChange, Phrase
from torseur.model.description import Body, Parameter
from torseur.model.forces.protocol import no_tensor, no_vector
from torseur.spatial.inertia import tensor_of
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import turn
from torseur.spatial.vectors import Array
from torseur.words.sentence import say

LONGEST = 30  # constants in a row on one body
BASE = 0  # the number of the ground among the bodies
ASSUMPTIONS = ("lever", "full")
Massive = tuple[Body, tuple[Parameter, ...]]  # a body, and the parameters of its mass data

_ORIGIN = Pose(no_vector())


@final
@dataclass(frozen=True)
class PhraseFrame:
    """A frame of the phrase, placed on the body that carries it."""

    body: int  # its number; BASE for the ground
    X: Pose  # in the frame of the body
    constants: int = 0  # changes since the frame of the body


@final
@dataclass(frozen=True)
class Chain:
    """A phrase with the frame that each of its changes starts from and the one it leads to."""

    phrase: Phrase
    before: tuple[PhraseFrame, ...]  # one a change
    after: tuple[PhraseFrame, ...]

    @property
    def joints(self) -> list[tuple[FrameChange, PhraseFrame]]:
        """Each joint with its frame F on the body that carries it."""
        pairs = zip(self.phrase.changes, self.before, strict=True)
        return [(change, frame) for change, frame in pairs if not change.constant]

    @property
    def tips(self) -> list[PhraseFrame]:
        """The frames that nothing follows, the end of the unbracketed chain first."""
        followed = {change.previous for change in self.phrase.changes}
        ends = [k for k in range(len(self.after)) if k not in followed]
        ends.sort(key=lambda k: k != self.phrase.end)
        return [self.after[k] for k in ends]

    def levers(self) -> dict[int, list[Array]]:
        """For each body the nonzero vectors from its frame to the joints and tips it carries."""
        levers: dict[int, list[Array]] = {BASE: []}
        levers |= {change.number: [] for change, _ in self.joints}
        listed: set[tuple[int, ...]] = set()
        for frame in [*(frame for _, frame in self.joints), *self.tips]:
            key = (frame.body, *(x.key for x in frame.X.p))
            if key not in listed and any(x is not ZERO for x in frame.X.p):
                levers[frame.body].append(frame.X.p)
            listed.add(key)
        return levers


def chain(phrase: Phrase) -> Chain:
    """The frames of a phrase, on their bodies."""
    if not phrase.joints:
        raise ModelError(
            str(phrase.written.place),
            say("none of the {number} changes of frame is a joint.", len(phrase.changes)),
            "Joints are written without K: RX, RY, RZ, TX, TY, TZ.",
        )
    ground = PhraseFrame(BASE, _ORIGIN)
    before: list[PhraseFrame] = []
    after: list[PhraseFrame] = []
    for change in phrase.changes:
        start = ground if change.previous == START else after[change.previous]
        before.append(start)
        after.append(_next_frame(phrase, change, start))
    return Chain(phrase, tuple(before), tuple(after))


def _next_frame(phrase: Phrase, change: FrameChange, start: PhraseFrame) -> PhraseFrame:
    if change.value is None:
        return PhraseFrame(change.number, _ORIGIN)
    if start.constants >= LONGEST:
        problem = say(
            "body {body} has more than {longest} constant changes of frame in a row.",
            start.body,
            LONGEST,
        )
        raise phrase.written.fault(change, problem, "Put several of them in one expression.")
    if change.kind == "R":
        X = Pose(start.X.p, start.X.R @ turn(change.axis, change.value))
    else:
        X = Pose(start.X.point(_along(change.axis, change.value)), start.X.R)
    return PhraseFrame(start.body, X, start.constants + 1)


def _along(axis: int, value: Expr) -> Array:
    return np.array([value if k == axis else ZERO for k in range(3)], dtype=object)


# --- mass data ------------------------------------------------------------------------------------


def mass_data(assumption: str | None, body: int, levers: list[Array]) -> Massive:
    """A body by its number, with mass data by its levers and under an assumption."""
    if assumption == "full":
        return full(body)
    if assumption == "lever" and levers:
        return on_lever(body, levers[0])
    if assumption in (None, "lever"):
        return Body(str(body)), ()
    raise ModelError(
        "masses",
        say('the assumption "{assumption}" does not exist.', assumption),
        'Assumptions: "lever", "full", or None for bodies without mass.',
        *suggestion(str(assumption), ASSUMPTIONS),
    )


def on_lever(body: int, lever: Array) -> Massive:
    """Centre at the distance D on the lever, and no inertia about it.

    A lever that is not along an axis of the body gives one distance and one moment an axis.
    """
    axes = [k for k in range(3) if lever[k] is not ZERO]
    single = len(axes) == 1
    parameters = [Parameter(f"M{body}", None, "kg", say("mass of body {body}", body))]
    centre, inertia = no_vector().copy(), no_tensor().copy()
    for k in axes:
        name = f"D{body}" if single else f"D{'XYZ'[k]}{body}"
        along = say("centre of mass of body {body} along {axis}", body, "XYZ"[k])
        on_lever = say("centre of mass of body {body} along its lever", body)
        parameters.append(Parameter(name, None, "m", on_lever if single else along))
        centre[k] = symbol(name) if split(lever[k])[0] > 0 else -symbol(name)
    for k in range(3):
        if not single or k not in axes:
            axis = "XYZ"[k]
            meaning = say(
                "moment of inertia of body {body} about {axis}, at its centre of mass", body, axis
            )
            parameters.append(Parameter(f"I{axis}{body}", None, "kg.m^2", meaning))
            inertia[k, k] = symbol(f"I{axis}{body}")
    return Body(str(body), symbol(parameters[0].name), centre, inertia), tuple(parameters)


def full(body: int) -> Massive:
    """Ten symbols: mass, centre, and the components of the inertia at the centre."""
    parameters = [Parameter(f"M{body}", None, "kg", say("mass of body {body}", body))]
    for axis in "XYZ":
        meaning = say("centre of mass of body {body} along {axis}", body, axis)
        parameters.append(Parameter(f"{axis}{body}", None, "m", meaning))
    for component in ("XX", "YY", "ZZ", "XY", "XZ", "YZ"):
        meaning = say(
            "component {component} of the inertia of body {body} at its centre of mass",
            component,
            body,
        )
        parameters.append(Parameter(f"I{component}{body}", None, "kg.m^2", meaning))
    mass, x, y, z, *six = (symbol(parameter.name) for parameter in parameters)
    return Body(str(body), mass, np.array([x, y, z]), tensor_of(six)), tuple(parameters)


def remarks(assumption: str | None, levers: dict[int, list[Array]]) -> tuple[str, ...]:
    """Notices of the consequences of the assumption for these bodies."""
    if assumption is None:
        return ('No masses were asked for: every body is massless (masses="lever" or "full").',)
    if assumption != "lever":
        return ()
    bare = [str(body) for body, vectors in levers.items() if not vectors]
    several = [str(body) for body, vectors in levers.items() if len(vectors) > 1]
    oblique = [
        str(body)
        for body, vectors in levers.items()
        if vectors and sum(x is not ZERO for x in vectors[0]) > 1
    ]
    notes = []
    if bare:
        notes.append(say("No lever, therefore no mass: {bodies}.", _bodies(bare)))
    if several:
        more = _bodies(several)
        notes.append(say("Several levers, the centre of mass is on the first: {bodies}.", more))
    if oblique:
        note = say(
            "The lever is not along an axis, so that it has one distance and one moment an axis: "
            "{bodies}.",
            _bodies(oblique),
        )
        notes.append(note)
    return tuple(notes)


def _bodies(numbers: list[str]) -> str:
    if len(numbers) == 1:
        return say("body {body}", numbers[0])
    return say("bodies {bodies}", ", ".join(numbers))


# --- tables of the 1980 report --------------------------------------------------------------------

# Liégeois and Aldon (1980), §4.2. The report prints 0 and 1 in the last column of MRR, for a
# variable rotation and a constant translation; 2 and 3 continue its code for a variable translation
# and a constant rotation.
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
