"""Right answers as expressions that no equation names: inertias, pulsations, kinetic moments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, substitute
from torseur.algebra.forms.dimensions import dimension
from torseur.algebra.forms.readable import readable
from torseur.analyse.efforts.body_torseurs import BodyTorseurs, body_torseurs
from torseur.equations.symbols.texts import read_text
from torseur.errors import unknown
from torseur.language.text.expression import Names
from torseur.model.mass.properties import MassProperties
from torseur.teach.answers.model import RightModel
from torseur.teach.answers.question import Asked
from torseur.teach.exercises.entries import Spec


def asked_expression(model: RightModel, spec: Spec) -> Asked:
    """What a question asks for, from the row of its quantity."""
    name = spec["of"]
    if name not in _EXPRESSIONS:
        raise unknown("exercise", "computed expression", name, _EXPRESSIONS)
    return _EXPRESSIONS[name](model, spec)


def _inertia(model: RightModel, spec: Spec) -> Asked:
    """An entry of the inertia tensor of a body at its centre of mass, or at a point of its frame."""
    body, entry = model.mechanism.bodies[spec["body"]], spec["entry"]
    row, column = ("xyz".index(x) for x in entry)
    properties = MassProperties(body.mass, body.centre, body.inertia)
    tensor = properties.inertia_at([0, 0, 0]) if spec.get("at") == "O" else properties.inertia
    names = (f"I_{entry}", f"I_{entry.upper()}", "I", "J", "C")
    value = readable(expression(tensor[row, column]))
    return Asked(f"I_{entry}", value, False, dimension("kg.m^2"), names)


def _centre(model: RightModel, spec: Spec) -> Asked:
    """A coordinate of the centre of mass of a body in its frame."""
    axis = spec["axis"]
    value = readable(expression(model.mechanism.bodies[spec["body"]].centre["xyz".index(axis)]))
    return Asked(f"{axis}_G", value, False, dimension("m"), (f"{axis}_G", "b", "OG"))


def _squared_pulsation(model: RightModel, spec: Spec) -> Asked:
    """ω² of the small motions of one coordinate about a pose: (∂F/∂q) / (∂F/∂q̈), F the equation."""
    q, v, a = (x[0] for x in (model.change.q, model.change.v, model.change.a))
    names = Names(dict.fromkeys(()))
    pose = {q: expression(read_text(spec["at"], names, "exercise")), v: ZERO, a: ZERO}
    row = expression(model.rows[0])
    stiffness, inertia = (expression(substitute(derivative(row, x), pose)) for x in (q, a))
    value = readable(stiffness / inertia)
    names_left = ("omega^2", "omega0^2", "w^2", "omega_0^2")
    return Asked("omega^2", value, False, dimension("Hz^2"), names_left)


def _kinetic_moment(model: RightModel, spec: Spec) -> Asked:
    """σ of a body at a point, in the axes of a body."""
    found: Any = body_torseurs(model.mechanism, spec["body"], spec.get("at", "G"))
    assert isinstance(found, BodyTorseurs), "it is of a mechanism"
    axes = spec.get("axes", "ground")
    moment = model.in_axes(model.written(found.kinetic.moment), axes)
    value = expressions([readable(expression(x)) for x in moment])
    unit = dimension("kg.m^2/s")
    return Asked("sigma", value, False, unit, ("sigma", "sigma(O)", "sigma(G)"), axes=axes)


_EXPRESSIONS: Mapping[str, Callable[[RightModel, Spec], Asked]] = {
    "centre": _centre,
    "inertia": _inertia,
    "kinetic moment": _kinetic_moment,
    "squared pulsation": _squared_pulsation,
}
