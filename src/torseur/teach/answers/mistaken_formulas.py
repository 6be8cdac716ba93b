"""Formulas that typical mistakes make of the right one, each with the lesson that it calls for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative, gradient, time_derivative
from torseur.algebra.core.expr import ONE, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, free_symbols, reachable, substitute
from torseur.algebra.forms.readable import readable
from torseur.model.description import GROUND
from torseur.model.forces.protocol import Attachment
from torseur.spatial.vectors import cross
from torseur.teach.answers.mistaken_energies import energy_mistakes, inertia_of
from torseur.teach.answers.question import AskedQuantity, usual_name
from torseur.teach.answers.right_model import RightModel
from torseur.teach.answers.vocabulary import Vocabulary

Array = np.ndarray
SMALL, RATE, SLOPE, SLOPE_SIGN = "small angle", "rate of momentum", "slope of T", "sign of slope"
LEFT, WRONG_WAY = "moment left", "moment the wrong way"
SPEED_LEFT, SPEED_WRONG_WAY = "velocity left", "velocity the wrong way"
RELATIVE, BASE, WEIGHT = "relative turning", "moving base", "weight"
OTHER_BASE, PROJECTION = "other base", "projection"
REACTION = "action and reaction"
_MOST_NODES = 300  # of a formula that is simplified first
COUPLES = 3  # the number of the first couple among X, Y, Z, L, M, N


@final
@dataclass(frozen=True)
class MistakenFormula:
    """A wrong formula, the lesson that it calls for, and the names that the lesson speaks of."""

    lesson: str
    value: Any  # an expression, or three
    names: tuple[str, ...] = ()


def mistaken_formulas(model: RightModel, question: AskedQuantity) -> Iterator[MistakenFormula]:
    """Wrong formulas for a quantity; what is typical of its kind comes first."""
    for lesson, value in question.mistakes:
        yield MistakenFormula(lesson, value)
    if question.order:
        yield from _vectors(model, question)
        return
    right = expression(question.expected)
    if question.name in model.coordinates:
        yield from _equations(model, model.coordinates.index(question.name), right)
    elif question.of_motion:
        yield MistakenFormula(REACTION, -right)
        yield from _components(model, question.names, right)
    else:
        yield from _quantities(model, question, right)
    short = len(reachable([right])) <= _MOST_NODES
    right = expression(readable(right)) if short else right  # sin² + cos² would lose its sense
    yield from _small(model, right)
    yield from projections(right)


# --- small angles ---------------------------------------------------------------------------------


def _small(model: RightModel, right: Expr) -> Iterator[MistakenFormula]:
    """Sines and cosines of what moves at first order, one after the other and together."""
    moving = {x for x in free_symbols(right) if x.kind == "coordinate"}
    angles = [
        x for x in reachable([right])
        if x.op in ("sin", "cos") and moving & set(free_symbols(x.args[0]))
    ]  # fmt: skip
    if not angles:
        return
    sines = {x: x.args[0] for x in angles if x.op == "sin"}
    cosines = {x: ONE for x in angles if x.op == "cos"}
    for exchanged in (sines | cosines, sines, cosines):
        if exchanged:
            yield MistakenFormula(SMALL, expression(substitute(right, exchanged)))
    speeds = [x for x in free_symbols(right) if x.kind == "speed"]
    if speeds:
        yield MistakenFormula(SMALL, _first_order(right, sines | cosines, speeds))


def projections(right: Expr) -> Iterator[MistakenFormula]:
    """The sine for the cosine of an angle, or neither: a weight that is not projected."""
    waves = [x for x in reachable([right]) if x.op in ("sin", "cos")]
    for angle in dict.fromkeys(x.args[0] for x in waves):
        swaps = {angle.sin(): angle.cos(), angle.cos(): angle.sin()}
        yield MistakenFormula(PROJECTION, expression(substitute(right, swaps)))
    for x in waves:
        yield MistakenFormula(PROJECTION, expression(substitute(right, {x: ONE})))


def _first_order(right: Expr, exchanged: dict[Expr, Expr], speeds: list[Expr]) -> Expr:
    """The equation of small motions: products of speeds are left out too."""
    still = dict.fromkeys(speeds, ZERO)
    linear = expression(substitute(right, still))
    for x in speeds:
        linear = linear + expression(substitute(derivative(right, x), still)) * x
    return expression(substitute(linear, exchanged))


# --- equations and energies -----------------------------------------------------------------------


def _equations(model: RightModel, row: int, right: Expr) -> Iterator[MistakenFormula]:
    """Inertia of a mistaken energy; a derivative of Lagrange's equations left out."""
    T, v, q = model.table("T"), model.system.v, model.system.q
    if T is None or len(q) != len(v):
        return
    slope = expression(gradient(T, q)[row])
    momentum = expression(gradient(T, v)[row])
    accelerated = zip(v, model.system.a, strict=True)
    frozen = sum((derivative(momentum, x) * a for x, a in accelerated), ZERO)
    rest = expression(model.inertia_forces[row]) + slope - expression(frozen)
    for lesson, added in ((RATE, -rest), (SLOPE, slope), (SLOPE_SIGN, 2 * slope)):
        if added is not ZERO:
            yield MistakenFormula(lesson, right + added)
    yield from (
        MistakenFormula(x.lesson, right + expression(inertia_of(model, x.added)[row]), x.bodies)
        for x in energy_mistakes(model)
    )
    weight = [x for x in free_symbols(right) if x.name == "g" and x.kind == "parameter"]
    if weight:
        without = expression(substitute(right, dict.fromkeys(weight, ZERO)))
        yield MistakenFormula(WEIGHT, without)


def _quantities(
    model: RightModel, question: AskedQuantity, right: Expr
) -> Iterator[MistakenFormula]:
    """Energies, momenta and inertia forces with a mistaken kinetic energy."""
    usual = usual_name(model, question.name) or ""
    letter, _, name = usual.partition("_")
    if usual not in ("T", "L") and letter not in ("p", "S"):
        return
    row = model.coordinates.index(name) if name else 0
    for x in energy_mistakes(model):
        if letter == "p":
            added = expression(gradient(x.added, model.system.v)[row])
        elif letter == "S":
            added = expression(inertia_of(model, x.added)[row])
        else:
            added = x.added
        if added is not ZERO:
            yield MistakenFormula(x.lesson, right + added, x.bodies)


# --- vectors --------------------------------------------------------------------------------------


def _vectors(model: RightModel, question: AskedQuantity) -> Iterator[MistakenFormula]:
    """Transport of velocities and moments, rotations of the body before, rates in a base."""
    kind, _, name = question.name.removesuffix(")").partition("(")
    right = expressions(question.expected)
    if model.lagrangian is not None:
        return
    if kind == "M" and name in model.wrenches:
        yield from _moments(model, name, question.axes, right)
    if kind == "V" and name in model.points:
        yield from _velocities(model, name, question.axes, right)
    if kind == "Omega" and name in model.mechanism.bodies:
        yield from _rotations(model, name, question.axes, right)
    if kind == "gamma" and name in model.points:
        yield from _rates(model, name, question.axes)
    if kind in ("M", "R"):
        yield MistakenFormula(REACTION, -right, (name,))
    in_ground = expressions(model.axes_of(question.axes) @ right)
    for body in (GROUND, *model.mechanism.bodies):
        if body != question.axes:
            yield MistakenFormula(OTHER_BASE, model.in_axes(in_ground, body), (body,))


def _moments(model: RightModel, joint: str, axes: str, right: Array) -> Iterator[MistakenFormula]:
    """The moment at another point, and the one shift the wrong way: M(B) = M(A) + BA ∧ R."""
    resultant = model.wrench(joint)[0]
    place = model.wrench_place(joint)
    for name, other in _places(model).items():
        shift = model.in_axes(expressions(cross(place - other, resultant)), axes)
        if any(x is not ZERO for x in expressions(shift)):
            yield MistakenFormula(LEFT, right + shift, (name, joint))
            yield MistakenFormula(WRONG_WAY, right + 2 * shift, (name, joint))


def _components(
    model: RightModel, names: tuple[str, ...], right: Expr
) -> Iterator[MistakenFormula]:
    """Mistaken transport of one component of a moment, along the axes of the joint."""
    reactions = Vocabulary(model).reactions
    joint, k = next((reactions[x] for x in names if x in reactions), ("", 0))
    if k < COUPLES:
        return
    axis = model.wrench_axes(joint)[:, k - COUPLES]
    for one in _moments(model, joint, GROUND, expressions(np.zeros(3))):
        yield MistakenFormula(one.lesson, right + expression(axis @ one.value), one.names)


def _velocities(model: RightModel, name: str, axes: str, right: Array) -> Iterator[MistakenFormula]:
    """V(B) = V(A) + Ω ∧ AB with the last term left out, or of the other sign."""
    place = model.points[name]
    if place.body == GROUND:
        return
    turning, at = model.rotation(place.body), model.position(name)
    for other, position in _places(model, place.body).items():
        shift = model.in_axes(expressions(cross(turning, at - position)), axes)
        if other != name and any(x is not ZERO for x in expressions(shift)):
            yield MistakenFormula(SPEED_LEFT, right - shift, (other, name))
            yield MistakenFormula(SPEED_WRONG_WAY, right - 2 * shift, (other, name))


def _rotations(model: RightModel, body: str, axes: str, right: Array) -> Iterator[MistakenFormula]:
    """The rotation relative to the body that carries it."""
    tree = list(model.change.system.tree)
    parent = tree[model.places.index[body]][1].parent
    if parent >= 0:
        carrier = tree[parent][1].name
        carried = model.in_axes(model.rotation(carrier), axes)
        yield MistakenFormula(RELATIVE, right - carried, (body, carrier))


def _rates(model: RightModel, name: str, axes: str) -> Iterator[MistakenFormula]:
    """The rates of the components of a velocity along axes that turn."""
    velocity = model.velocity(name)
    for body in model.mechanism.bodies:
        turned = model.axes_of(body)
        along = expressions(time_derivative(expressions(turned.T @ velocity), model.rates))
        yield MistakenFormula(BASE, model.in_axes(expressions(turned @ along), axes), (body,))


def _places(model: RightModel, body: str = "") -> dict[str, Array]:
    """Points by name, with the centres of mass and the joints, of all bodies or of one."""
    named = {name: at for name, at in model.points.items() if not body or at.body == body}
    for other, x in model.mechanism.bodies.items():
        if not body or other == body:
            named.setdefault(f"G({other})", Attachment(other, x.centre))
            named.setdefault(f"O({other})", Attachment(other, np.zeros(3)))
    return {name: model.written(model.places.position(at)) for name, at in named.items()}
