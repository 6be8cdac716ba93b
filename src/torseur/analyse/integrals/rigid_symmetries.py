"""Components of the total momentum along and about fixed axes, that nothing outside works on.

A twist fixed in the ground, {u; w} at O, moves all bodies as one solid: the actions between them do
not work in it. If the actions from outside do not either, {C}·{u; w} = σ_O·u + p·w is constant. A
translation gives a linear momentum, a rotation an angular momentum about an axis, a screw both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import TIME, ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, expressions
from torseur.algebra.forms.normal_form import vanishes
from torseur.algebra.forms.readable import readable
from torseur.analyse.at_a_state.random_motion import MovingState
from torseur.analyse.efforts.body_torseurs import momentum
from torseur.equations.actions.efforts import Efforts
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.model.description import GROUND
from torseur.spatial.torseur import Torseur, total
from torseur.spatial.vectors import cross
from torseur.words.sentence import say

Array = np.ndarray
ORIGIN = np.zeros(3)
LINEAR, ANGULAR = "kg.m/s", "kg.m^2/s"
_AXES = tuple(zip("xyz", np.eye(3, dtype=int), strict=True))
_ZERO = 1e-9


@final
@dataclass(frozen=True)
class Candidate:
    """A quantity, and whether the condition under which it is constant is seen to hold."""

    name: str
    kind: str
    value: Expr
    unit: str
    why: str
    proved: Callable[[], bool]
    unless: tuple[str, ...] = ()  # names of integrals that make this one idle


def rigid_symmetries(system: System) -> Iterator[Candidate]:
    """Momenta along x, y, z, about axes through O and the joints of the ground, and about G."""
    efforts = Efforts(system)
    C = total((momentum(efforts, i) for i, _ in system.tree), ORIGIN)
    mass = sum((link.inertia.m for _, link in system.tree), ZERO)
    yield from _linear(system, efforts, C, expression(mass))
    places = {"O": ORIGIN, **_ground_places(system)}
    about: dict[str, tuple[str, ...]] = {}
    for label, point in places.items():
        for axis, u in _directions(system, label):
            name = f"sigma_{label}_{axis}"
            about[axis] = (*about.get(axis, ()), name)
            yield _about(efforts, C, name, label, point, (axis, u))
    yield from _about_centre(system, efforts, C, expression(mass), about)


def _linear(system: System, efforts: Efforts, C: Torseur, mass: Expr) -> Iterator[Candidate]:
    for axis, u in _AXES:
        twist = Torseur(ORIGIN, u, ORIGIN)
        value = expression(C.resultant @ u)
        outside = _outside(efforts, twist)
        why = say("no action from outside has a component along ${axis}$", axis)
        yield Candidate(f"P_{axis}", "linear momentum", value, LINEAR, why, outside)
        pull = expression(mass * (np.asarray(system.gravity, dtype=object) @ u))
        if pull is not ZERO:
            yield Candidate(
                f"P_{axis}_t",
                "linear momentum less the impulse of the weight",
                value - pull * TIME,
                LINEAR,
                say("the weight alone acts along ${axis}$", axis),
                _outside(efforts, twist, pull),
                (f"P_{axis}",),
            )


def _about(
    efforts: Efforts, C: Torseur, name: str, label: str, point: Array, axis: tuple[str, Array]
) -> Candidate:
    letter, u = axis
    where = say("the origin") if label == "O" else say('the joint "{label}"', label)
    why = say("the moment from outside at {where} has no component along gravity", where)
    if letter != "g":
        direction = (
            say("${axis}$", letter) if letter in "xyz" else say("the axis of {label}", label)
        )
        why = say(
            "the moment from outside at {where} has no component along {direction}",
            where,
            direction,
        )
    return Candidate(
        name,
        "angular momentum",
        expression(C.at(point).moment @ u),
        ANGULAR,
        why,
        _outside(efforts, Torseur(u, cross(point, u), ORIGIN)),
    )


def _about_centre(
    system: System, efforts: Efforts, C: Torseur, mass: Expr, about: dict[str, tuple[str, ...]]
) -> Iterator[Candidate]:
    """dσ_G/dt is the moment at G, although G moves: V_G × m V_G is zero."""
    if mass is ZERO:
        return
    weighed: Any = np.zeros(3)
    for i, link in system.tree:
        X = efforts.places.poses[i]
        weighed = weighed + link.inertia.m * X.p + X.R.out(link.inertia.h)
    G = expressions(weighed / mass)
    for axis, u in _AXES:
        yield Candidate(
            f"sigma_G_{axis}",
            "angular momentum about the centre of mass",
            expression(C.at(G).moment @ u),
            ANGULAR,
            say("the moment from outside at G has no component along ${axis}$", axis),
            lambda: False,
            about.get(axis, ()),
        )


def _ground_places(system: System) -> dict[str, Array]:
    """The points where joints meet the ground, other than its origin."""
    places = {}
    for joint in system.mechanism.joints.values():
        X = joint.X_AF if joint.first == GROUND else joint.X_BM
        if GROUND in (joint.first, joint.second) and any(expression(x) is not ZERO for x in X.p):
            places[joint.name] = X.p
    return places


def _directions(system: System, label: str) -> Iterator[tuple[str, Array]]:
    """x, y, z, gravity's, and those of the joint's frame on the ground, if they are others."""
    yield from _AXES
    gravity = expressions(system.gravity)
    if sum(x is not ZERO for x in gravity) > 1:
        yield "g", readable(gravity / np.sqrt(gravity @ gravity))
    joint = system.mechanism.joints.get(label)
    if joint is None:
        return
    R = (joint.X_AF if joint.first == GROUND else joint.X_BM).R
    for k in range(3):
        u = expressions(R.out(np.eye(3)[k]))
        if not all(x.op == "number" and x.value[1] in (0, 1, -1) for x in u):
            yield f"{'xyz'[k]}1", u


def _outside(efforts: Efforts, twist: Torseur, pull: Expr = ZERO) -> Callable[[], bool]:
    """Whether the power of the actions from outside in a twist is seen to be zero, or `pull`."""

    def proved() -> bool:
        try:
            through = [x for x in efforts.transmitted if -1 in (x.first, x.second)]
        except ModelError:  # a defined joint does not say which reactions it carries
            return False
        power: Any = -pull
        for x in through:
            acting = x.reaction + x.driven
            power = power + twist.comoment(acting if x.first == -1 else -acting)
        for i, _ in efforts.system.tree:
            power = power + twist.comoment(efforts.weight(i)) + twist.comoment(efforts.given(i))
        return vanishes(expression(power))

    return proved


# --- other fixed twists ---------------------------------------------------------------------------


def further_symmetries(
    system: System, states: Sequence[MovingState], known: Sequence[Expr]
) -> Iterator[Candidate]:
    """Momenta along other fixed twists, found as the kernel of the rates of p and σ_O."""
    efforts = Efforts(system)
    C = total((momentum(efforts, i) for i, _ in system.tree), ORIGIN)
    parts = [expression(x) for x in (*C.moment, *C.resultant)]
    rates = np.array([state.rates_of(parts) for state in states])
    values, table, sizes = (rates[:, :, k] for k in range(3))
    scale = np.maximum(sizes.max(axis=0), 1e-300)
    _, s, Vt = np.linalg.svd(table / scale)
    rank = int((s > _ZERO).sum())
    kernel = (Vt[rank:] / scale).T
    moving = sizes.max(axis=0) > 1e-12
    known_values = np.array([[float(evaluate(x, y.values)) for x in known] for y in states])
    for k, twist in enumerate(_new_directions(kernel, moving, values, known_values)):
        value = sum((float(c) * x for c, x in zip(twist, parts, strict=True)), ZERO)
        u, w = twist[:3], twist[3:]
        yield Candidate(
            f"C_{k + 1}",
            "momentum along a twist" if np.abs(u).max() > 0 else "linear momentum",
            expression(value),
            ANGULAR if np.abs(u).max() > 0 else LINEAR,
            say(
                "no external action does work in the motion with rotation {rotation} and velocity "
                "{velocity} at O",
                _vector_text(u),
                _vector_text(w),
            ),
            lambda: False,
        )


def _new_directions(
    kernel: Array, moving: Array, values: Array, known_values: Array
) -> list[Array]:
    """Combinations in the kernel whose values are not combinations of those already known."""
    directions: list[Array] = []
    constant = np.ones((len(values), 1))
    columns = np.column_stack([known_values, constant]) if known_values.size else constant
    for column in _echelon(kernel.T * moving):
        if not np.abs(column).max() > 0:
            continue
        mine = values @ column
        fit, *_ = np.linalg.lstsq(columns, mine, rcond=None)
        if np.abs(mine - columns @ fit).max() <= 1e-8 * max(np.abs(mine).max(), 1e-300):
            continue
        if columns.shape[1] + 1 >= len(values):
            break
        directions.append(column)
        columns = np.column_stack([columns, mine])
    return directions


def _echelon(rows: Array) -> Array:
    """Rows reduced so that each leads with a 1: the simplest basis of their span."""
    echelon = rows.copy()
    lead = 0
    for k in range(echelon.shape[1]):
        if lead == len(echelon):
            break
        pivot = lead + int(np.abs(echelon[lead:, k]).argmax())
        if abs(echelon[pivot, k]) <= 1e-9 * max(np.abs(echelon).max(), 1e-300):
            continue
        echelon[[lead, pivot]] = echelon[[pivot, lead]]
        echelon[lead] /= echelon[lead, k]
        for other in range(len(echelon)):
            if other != lead:
                echelon[other] -= echelon[other, k] * echelon[lead]
        lead += 1
    echelon[np.abs(echelon) < 1e-9] = 0.0
    return np.round(echelon[:lead], 12)


def _vector_text(vector: Array) -> str:
    return f"({', '.join(f'{x:.6g}' for x in vector)})"
