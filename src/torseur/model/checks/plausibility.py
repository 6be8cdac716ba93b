"""Notices of implausible values: millimetres or grams given as SI units, lost freedoms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np

from torseur.algebra.core.expr import TIME, ZERO
from torseur.algebra.core.graph import substitute
from torseur.model.checks.removed_parts import overhangs
from torseur.model.contact.smooth import notice_of_left_out
from torseur.model.description import Body, Joint, Mechanism
from torseur.model.moving_frame import MovingFrame
from torseur.model.values.numbers import Entry, Values, entries, place_of, values_of
from torseur.model.values.scales import scales
from torseur.words.sentence import say

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
    for joint in mechanism.joints.values():
        limits = {name: ends for name, *ends, _ in joint.limited}
        for name, unit in zip(joint.coordinates, joint.kind.coordinate_units, strict=False):
            if unit != "rad":
                continue
            sizes = (
                _known_numbers(x, value) for x in (start.get(name, 0.0), *limits.get(name, ()))
            )
            for angle in list(chain.from_iterable(map(_likely_degrees, sizes)))[:1]:
                yield say(
                    "{place_of}: {name} is {angle:g} rad, {turns:.1f} turns; is {angle:g} deg "
                    "meant?",
                    place_of(joint, "joint"),
                    name,
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
