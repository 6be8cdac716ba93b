"""Notices of implausible values, and checks of constraints, motions and frames.

Values are millimetres or grams given as SI units; freedoms may be lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from torseur.algebra.core.expr import TIME, ZERO
from torseur.algebra.core.graph import substitute
from torseur.brief import shortened
from torseur.model.contact.smooth import notice_of_left_out
from torseur.model.description import Body, Joint, Mechanism, MovingFrame, Part
from torseur.model.values.numbers import Entry, Values, entries, place_of, values_of
from torseur.model.values.scales import scales
from torseur.words.entries import shown_key
from torseur.words.sentence import say

if TYPE_CHECKING:
    from torseur.model.mass.solids import PlacedExtent
from torseur.errors import ModelError, unknown
from torseur.model.constraints.protocol import (
    ExpressionRow,
    JointRows,
    MeetingRows,
    Rows,
    bodies_of,
)
from torseur.model.description import GROUND

STRONG = 50.0  # gravity [m/s²]: twice that of Jupiter
LONG = 100.0  # a length on a body [m]
DENSE = 25_000.0  # [kg/m³]: more than osmium, the densest metal

_MOTION = ("rad",) * 3 + ("m",) * 3  # turns about axes and slides along them
_UNIT = say("is a length in mm instead of m?")


def remarks(mechanism: Mechanism, listed: Iterable[Entry] | None = None) -> tuple[str, ...]:
    """Notices of implausible values in a mechanism that is accepted.

    `listed` are its `entries`, where they are known already.
    """
    value = values_of(mechanism)
    return (
        *notice_of_left_out(mechanism),
        *_gravity(mechanism, value),
        *_ground(mechanism.frame, value),
        *_lengths(entries(mechanism) if listed is None else listed, value),
        *_starts(mechanism, value),
        *starts_in_degrees(mechanism, {}, value),
        *(note for body in mechanism.bodies.values() for note in _density(body, value)),
        *(
            say("{place_of}: {problem}", place_of(body, "body"), problem)
            for body in mechanism.bodies.values()
            for problem in overhangs(body, value)
        ),
        *(
            note
            for joint in mechanism.joints.values()
            for note in _freedoms(joint, mechanism, value)
        ),
    )


def _gravity(mechanism: Mechanism, value: Values) -> Iterator[str]:
    size = math.hypot(*(value(x) or 0.0 for x in mechanism.gravity))
    if size > STRONG:
        yield say("gravity: {size:.4g} m/s² is more than {strong:g}; {unit}", size, STRONG, _UNIT)


def _ground(frame: MovingFrame | None, value: Values) -> Iterator[str]:
    """The size of inertia forces at the start, where the ground moves."""
    if frame is None:
        return
    start = (substitute(x, {TIME: ZERO}) for x in (frame.rotation, frame.acceleration))
    spin, origin = (math.hypot(*(value(x) or 0.0 for x in vector)) for vector in start)
    coriolis = 2 * spin
    if spin and frame.entrainment:
        yield say(
            "The ground turns at {spin:.3g} rad/s: at 1 m/s Coriolis's acceleration is up to "
            "{coriolis:.2g} m/s², at 1 m from the axis that of entrainment {carried:.2g} m/s².",
            spin,
            coriolis,
            spin**2,
        )
    elif spin:
        yield say(
            "The ground turns at {spin:.3g} rad/s: at 1 m/s Coriolis's acceleration is up to "
            "{coriolis:.2g} m/s²; that of entrainment is left to gravity.",
            spin,
            coriolis,
        )
    if origin and frame.entrainment:
        yield say("The origin of the ground accelerates at {origin:.3g} m/s².", origin)


def _lengths(listed: Iterable[Entry], value: Values) -> Iterator[str]:
    reported = set()
    for place, what, x in listed:
        size = value(x) if what in ("centre", "point", "position") else None
        if size is not None and abs(size) > LONG and (place, what) not in reported:
            reported.add((place, what))
            yield say(
                "{place}: the {what} is at {size:.4g} m, more than {long:g}; {unit}",
                place,
                what,
                size,
                LONG,
                _UNIT,
            )


def _starts(mechanism: Mechanism, value: Values) -> Iterator[str]:
    """Coordinates that start outside the limits of their joint."""
    for joint in mechanism.joints.values():
        for name, *ends, unit in joint.limited:
            if name not in mechanism.initial:
                continue
            start, low, high = map(value, (mechanism.initial[name], *ends))
            if start is None or low is None or high is None or low <= start <= high:
                continue
            yield say(
                "{place_of}: {name} starts at {start:.4g} {unit}, outside its limits, "
                "{low:.4g} to {high:.4g} {unit}.",
                place_of(joint, "joint"),
                name,
                start,
                unit,
                low,
                high,
            )


def starts_in_degrees(
    mechanism: Mechanism, given: Mapping[str, Any], value: Values | None = None
) -> Iterator[str]:
    """Angles that start or end at 30, 45, 90, … rad: these are numbers of degrees.

    `given` stands for initial values of the description: expressions, numbers or arrays of them.
    """
    value, start = value or values_of(mechanism), {**mechanism.initial, **given}
    likely: dict[float, list[tuple[str, str]]] = {}  # names with their places, by angle
    for joint in mechanism.joints.values():
        limits = {name: ends for name, *ends, _ in joint.limited}
        for name, unit in zip(joint.coordinates, joint.kind.coordinate_units, strict=False):
            if unit != "rad":
                continue
            sizes = (
                _known_numbers(x, value) for x in (start.get(name, 0.0), *limits.get(name, ()))
            )
            for angle in list(chain.from_iterable(map(_likely_degrees, sizes)))[:1]:
                likely.setdefault(angle, []).append((place_of(joint, "joint"), name))
    for angle, names in likely.items():
        place, _ = names[0]
        yield say(
            "{place_of}: {name} is {angle:g} rad, {turns:.1f} turns; is {angle:g} deg meant?",
            place,
            shortened(", ".join(name for _, name in names)),
            angle,
            angle / (2 * math.pi),
        )


def _known_numbers(given: Any, value: Values) -> np.ndarray:
    """The numbers of an entry; one that is not known is none."""
    if isinstance(given, np.ndarray):
        return given.astype(float)
    size = value(given)
    return np.array([] if size is None else [size])


def _likely_degrees(angles: np.ndarray) -> list[float]:
    """Numbers of radians that are multiples of 5 from 10 to 360: few mean such an angle."""
    sizes = abs(angles)
    return [float(x) for x in angles[(sizes >= 10) & (sizes <= 360) & (angles % 5 == 0)]]


def _density(body: Body, value: Values) -> Iterator[str]:
    if body.shape is None:
        return
    from torseur.model.mass.solids import SOLIDS

    name, dimensions = body.shape
    solid = SOLIDS.get(name)
    if solid is None or solid.dimension != 3:
        return
    sizes = {key: size for key, size in dimensions.items() if key in solid.parameters}
    volume, mass = value(solid.geometry(**sizes).measure), value(body.mass)
    if volume and mass and mass / volume > DENSE:
        yield say(
            "{place_of}: the density {mass:.4g} kg/m³ is above {dense:g}, that of every "
            "material; {unit}",
            place_of(body, "body"),
            mass / volume,
            DENSE,
            _UNIT,
        )


def _freedoms(joint: Joint, mechanism: Mechanism, value: Values) -> Iterator[str]:
    """A joint that starts at coordinates where it loses freedoms, as angles may."""
    if joint.kind.freedoms is not None or not joint.kind.carries:
        return
    unknown: list[Any] = []

    def number(x: Any) -> float:
        known = value(x)
        unknown.extend([x] if known is None else [])
        return known or 0.0

    start = [number(mechanism.initial.get(name, 0)) for name in joint.coordinates]
    kind = joint.kind.numeric(number)
    if unknown:
        return
    with np.errstate(all="ignore"):
        S = kind.motion_subspace(np.array(start))
        known = scales(mechanism, mechanism.parameters)
        S = S / known.of(_MOTION)[:, np.newaxis] * known.of(joint.kind.coordinate_units)
        directions = S / np.maximum(np.linalg.norm(S, axis=0), 1e-9)
    left = np.linalg.matrix_rank(directions, tol=1e-6) if np.isfinite(S).all() else 0
    if left < joint.kind.nv:
        at = ", ".join(f"{n} = {x:.4g}" for n, x in zip(joint.coordinates, start, strict=True))
        yield say(
            "{place_of}: at its initial coordinates ({at}) it has {left} of its {nv} freedoms; "
            "start elsewhere, or choose other coordinates.",
            place_of(joint, "joint"),
            at,
            left,
            joint.kind.nv,
        )


# --- removed parts that reach beyond the other parts ----------------------------------------------


_ROUNDED = 1e-9  # of the size of a body


def overhangs(body: Body, value: Values) -> Iterator[str]:
    """Parts that are removed and reach beyond those they are removed from, as far as is known."""
    from torseur.model.mass.solids import beyond

    if not any(part.removed for part in body.parts):
        return
    placed = [(part, _extent(part, value)) for part in body.parts]
    remaining = [extent for part, extent in placed if not part.removed]
    if not remaining or None in remaining:
        return
    size = max(abs(x.reach(u)) for x in remaining if x for u in np.eye(3))
    for part, extent in placed:
        out = beyond(extent, filter(None, remaining)) if part.removed and extent else 0.0
        if out > _ROUNDED * size and part.shape is not None:
            yield say(
                "the removed part ({shape}) reaches {out:.4g} m beyond the other parts: mass that "
                "does not exist is removed.",
                shown_key(part.shape[0]),
                out,
            )


def _extent(part: Part, value: Values) -> PlacedExtent | None:
    """The extent of a part; None where its shape or a value is unknown."""
    from torseur.model.mass.solids import SOLIDS

    if part.shape is None:
        return None
    name, dimensions = part.shape
    known = {key: _numbers(x, value) for key, x in dimensions.items()}
    R, p = (_numbers(x, value) for x in (part.pose.R.matrix, part.pose.p))
    if any(x is None for x in (*known.values(), R, p)):
        return None
    return SOLIDS[name].placed(known, R, p)


def _numbers(x: Any, value: Values) -> Any:
    """A dimension or an array of them in numbers, or a direction; None where one is not known."""
    if isinstance(x, str):
        return x
    array = np.asarray(x, dtype=object)
    numbers = [value(y) for y in array.flat]
    if None in numbers:
        return None
    return np.array(numbers, dtype=float).reshape(array.shape) if array.shape else numbers[0]


# --- constraints: names that exist, nothing moved twice -------------------------------------------


def restraint_faults(mechanism: Mechanism) -> Iterator[ModelError]:
    """The errors of constraints, imposed motions and named frames."""
    bodies = {GROUND, *mechanism.bodies}
    both = (*mechanism.constraints.values(), *mechanism.contacts.values())
    for constraint in both:
        place, rows = place_of(constraint, "constraint"), constraint.rows
        for name in bodies_of(rows):
            if name not in bodies:
                yield unknown(place, "body", name, bodies)
        if isinstance(rows, JointRows) and rows.first == rows.second:
            itself = say('"{first}" is constrained to itself.', rows.first)
            problem = say('"{first}" rolls on itself.', rows.first) if rows.rolls else itself
            yield ModelError(place, problem, "Name two different bodies.")
    for frame in mechanism.frames.values():
        if frame.body not in bodies:
            yield unknown(place_of(frame, "frame"), "body", frame.body, bodies)
    yield from _motions(mechanism)


def _target(rows: Rows | MeetingRows) -> tuple[str, str] | None:
    """The target of a motion: "body" or "coordinate", and its name."""
    if isinstance(rows, JointRows):
        return "body", rows.second
    moves = isinstance(rows, ExpressionRow) and rows.coordinate
    return ("coordinate", moves) if moves else None


def _motions(mechanism: Mechanism) -> Iterator[ModelError]:
    known = {"body": tuple(mechanism.bodies), "coordinate": mechanism.every_coordinate}
    targets: dict[tuple[str, str], str] = {}
    for motion in mechanism.motions.values():
        place, key = place_of(motion, "motion"), _target(motion.rows)
        if key is None:
            continue
        kind, what = key
        if what not in known[kind]:
            yield unknown(place, kind, what, known[kind])
        if key in targets:
            yield ModelError(
                place,
                say(
                    'the {kind} "{what}" already follows the motion "{moved}".',
                    kind,
                    what,
                    targets[key],
                ),
                "Two laws cannot hold at once: keep one of them.",
            )
        targets[key] = motion.name
