"""Ill-posed equations named: which coordinates no inertia resists."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System
from torseur.model.description import GROUND, Joint, Mechanism
from torseur.model.forces.protocol import ends_of, joints_of
from torseur.model.values.fingerprint import zero_parameters
from torseur.model.values.scales import coordinate_units, scales, speed_units
from torseur.words.sentence import say

Array = np.ndarray

# A mass matrix is singular for every configuration exactly when it is at a random one: its
# determinant is an analytic function. Rank is judged against rounding, far below any real inertia.
_ROUNDING = 1e-11
NO_SIZES: Mapping[str, float] = {}
OTHER_COORDINATES = (
    "Start elsewhere, or choose other coordinates: a spherical joint passes every attitude."
)


def free_directions(
    M: Array, values: Mapping[str, float], sizes: Mapping[str, float] = NO_SIZES
) -> Array:
    """The combinations of speeds that carry no kinetic energy at any configuration (n × r).

    What has no value is taken at random, of about the size of 1 or of its own. Speeds are counted
    so that each has the inertia 1: metres beside radians, or a ship beside its compass, do not make
    a matrix singular.
    """
    rng = np.random.default_rng(0)
    known: dict[str, Any] = {
        x.name: sizes.get(x.name, 1.0) * rng.uniform(0.5, 2.0) for x in free_symbols(M)
    }
    numbers = np.asarray(evaluate(M, {**known, **values}), dtype=float).reshape(M.shape)
    if not numbers.size:
        return np.zeros((0, 0))
    diagonal = np.sqrt(np.abs(np.diag(numbers)))
    scale = 1 / np.where(diagonal > 0, diagonal, 1.0)
    _, singular_values, rows = np.linalg.svd(scale[:, np.newaxis] * numbers * scale)
    directions = (
        rows[singular_values <= _ROUNDING * max(singular_values[0], 1e-300)].T
        * scale[:, np.newaxis]
    )
    return np.asarray(directions / np.abs(directions).max(axis=0, initial=1e-300))


def lost_freedom(mass_matrix: Callable[[Array], Any], q: Array, sizes: Array) -> Array | None:
    """A combination of speeds that moves nothing at q, although it does where q is not special.

    So are the angles of Euler where two of their axes are one: the coordinates fail, not the body.
    """
    elsewhere = q + sizes * np.random.default_rng(0).uniform(0.1, 0.5, len(q))
    both = [np.array(mass_matrix(x)) for x in (q, elsewhere)]
    if not np.isfinite(both).all():
        return None
    first, there = (free_directions(M, {}) for M in both)
    return first[:, 0] if first.size and not there.size else None


def lost_along(direction: Array, speeds: Sequence[str]) -> str:
    """Message about such a combination."""
    moving = [name for name, share in zip(speeds, np.abs(direction), strict=True) if share > 1e-6]
    return say(
        "singular configuration: the coordinates lose a freedom here, nothing moves along {named}",
        ", ".join(name.removesuffix(".") for name in moving),
    )


def inertia_notices(equations: Equations) -> tuple[str, ...]:
    """A sentence for each motion without inertia at the given values of the parameters."""
    mechanism, given = equations.system.mechanism, equations.system.mechanism.parameters
    values = {name: x for name, x in given.items() if x is not None}
    return _notices(equations.M, equations.system, values, _sizes(mechanism, given))


def singular_notices(M: Array, system: System) -> tuple[str, ...]:
    """A sentence for each motion that a mass matrix gives no inertia to, whatever the values.

    Code that is made from M serves all values of the parameters, so that it must not depend on
    them; which are zero counts, and is part of the name under which code is kept. Distances are
    tried at the size of 1 and at that of the lengths given as numbers: arms of micrometres that
    carry a slide of a metre would seem to turn about one point.
    """
    zero = dict.fromkeys(zero_parameters(system.mechanism), 0.0)
    unmoved = replace(system.mechanism, initial={})
    for sizes in (NO_SIZES, _sizes(unmoved, {})):
        notices = _notices(M, system, zero, sizes)
        if not notices:
            return ()
    return notices


def _sizes(mechanism: Mechanism, parameters: Mapping[str, float | None]) -> Mapping[str, float]:
    """The size of each coordinate, at some values of the parameters."""
    units, known = coordinate_units(mechanism), scales(mechanism, parameters)
    return dict(zip(units, known.of(units.values()), strict=True))


def _notices(
    M: Array, system: System, values: Mapping[str, float], sizes: Mapping[str, float] = NO_SIZES
) -> tuple[str, ...]:
    """In absolute coordinates there is none to say: what has no inertia is held by constraints."""
    mechanism = system.mechanism
    joints = {speed: joint for joint in mechanism.joints.values() for speed in joint.speeds}
    if not set(system.speeds) <= set(joints):
        return ()
    notices = []
    for direction in free_directions(M, values, sizes).T:
        shares = zip(system.speeds, np.abs(direction), strict=True)
        moving = [speed for speed, share in shares if share > 1e-6]
        named = ", ".join(dict.fromkeys(say('"{value}"', joints[speed].name) for speed in moving))
        coordinates = ", ".join(speed.removesuffix(".") for speed in moving)
        holding = _holding(mechanism, [joints[speed] for speed in moving])
        slides = all(speed_units(mechanism)[speed] == "m/s" for speed in moving)
        notices.append(_notice(coordinates, named, holding, slides))
    return tuple(notices)


def _notice(coordinates: str, joints: str, holding: list[str], slides: bool) -> str:
    """Notice of freedoms without inertia, with the fix: a node between springs needs no rotor."""
    if holding:
        return say(
            "singular mass matrix: coordinate {coordinates} (joint {joints}) carries no inertia: "
            "forces alone ({holding}) hold it. Accelerations cannot be computed: ts.simulate, "
            "ts.equilibria and ts.linearise solve the balance of these forces. For functions of a "
            "state, give the body it moves a small mass and inertia.",
            coordinates,
            joints,
            ", ".join(holding),
        )
    if slides:
        return say(
            "singular mass matrix: coordinate {coordinates} (joint {joints}) carries no inertia. "
            "Accelerations cannot be computed. Give the body it moves a mass.",
            coordinates,
            joints,
        )
    return say(
        "singular mass matrix: coordinate {coordinates} (joint {joints}) carries no "
        "inertia. Accelerations cannot be computed. Give the body it moves a moment of "
        "inertia about its axis, or give its motor a rotor inertia.",
        coordinates,
        joints,
    )


def _holding(mechanism: Mechanism, joints: Sequence[Joint]) -> list[str]:
    """The springs, dampers and other forces along lines or in joints that hold bodies of joints."""
    names = {joint.name for joint in joints}
    bodies = {body for joint in joints for body in (joint.first, joint.second)} - {GROUND}
    return [
        force.name
        for force in mechanism.loads.values()
        if names & set(joints_of(force)) or bodies & {end.body for end in ends_of(force)}
    ]
