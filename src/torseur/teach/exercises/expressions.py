"""Right answers as expressions that no equation names: inertias, pulsations, coefficients."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import substitute
from torseur.algebra.forms.dimensions import dimension
from torseur.algebra.forms.readable import readable
from torseur.analyse.efforts.body_torseurs import BodyTorseurs, body_torseurs
from torseur.analyse.integrals.integrals import first_integrals
from torseur.analyse.mobility.twists import rigidity
from torseur.equations.symbols.texts import read_text
from torseur.errors import unknown
from torseur.language.text.expression import Names
from torseur.model.mass.properties import COMPONENTS, MassProperties
from torseur.teach.answers.question import AskedQuantity
from torseur.teach.answers.right_model import RightModel
from torseur.teach.exercises.exercise_entries import Spec

_LETTERS = {"xx": "A", "yy": "B", "zz": "C"}  # of moments; products have signs of their own


def asked_expression(model: RightModel, spec: Spec) -> AskedQuantity:
    """Quantity of a question, from the row of its name."""
    name = spec["of"]
    if name not in _EXPRESSIONS:
        raise unknown("exercise", "computed expression", name, _EXPRESSIONS)
    return _EXPRESSIONS[name](model, spec)


def _inertia(model: RightModel, spec: Spec) -> AskedQuantity:
    """An entry of the inertia tensor of a body at its centre of mass, or at its origin O."""
    body, entry = model.mechanism.bodies[spec["body"]], spec["entry"]
    properties = MassProperties(body.mass, body.centre, body.inertia)
    tensor = properties.inertia_at([0, 0, 0]) if spec.get("at") == "O" else properties.inertia
    letter = _LETTERS.get(entry, "")
    names = (f"I_{entry}", f"I_{entry.upper()}", "I", "J", *letter)
    value = readable(expression(tensor[COMPONENTS[entry]]))
    return AskedQuantity(f"I_{entry}", value, False, dimension("kg.m^2"), names)


def _centre(model: RightModel, spec: Spec) -> AskedQuantity:
    """A coordinate of the centre of mass of a body in its frame."""
    axis = spec["axis"]
    value = readable(expression(model.mechanism.bodies[spec["body"]].centre["xyz".index(axis)]))
    return AskedQuantity(f"{axis}_G", value, False, dimension("m"), (f"{axis}_G", "b", "OG"))


def _squared_pulsation(model: RightModel, spec: Spec) -> AskedQuantity:
    """ω² of the small motions of one coordinate about a pose: (∂F/∂q) / (∂F/∂q̈), F the equation."""
    q, v, a = (x[0] for x in (model.system.q, model.system.v, model.system.a))
    place = expression(read_text(spec["at"], Names(), "exercise"))
    pose = {q: place, v: ZERO, a: ZERO}
    row = expression(model.rows[0])
    stiffness, inertia = (expression(substitute(derivative(row, x), pose)) for x in (q, a))
    value = readable(stiffness / inertia)
    names = ("omega^2", "omega0^2", "w^2", "omega_0^2")
    return AskedQuantity("omega^2", value, False, dimension("Hz^2"), names)


def _kinetic_moment(model: RightModel, spec: Spec) -> AskedQuantity:
    """σ of a body at a point, in the axes of a body."""
    names = ("sigma", "sigma(O)", "sigma(G)")
    return _vector(model, spec, _torseurs(model, spec).kinetic.moment, "kg.m^2/s", names)


def _dynamic_moment(model: RightModel, spec: Spec) -> AskedQuantity:
    """δ of a body at a point, in the axes of a body: the moment of all that acts on it."""
    names = ("delta", "Gamma", "Gamma(O)", "Gamma(G)", "delta(O)", "delta(G)")
    return _vector(model, spec, _torseurs(model, spec).dynamic.moment, "N.m", names)


def _kinetic_resultant(model: RightModel, spec: Spec) -> AskedQuantity:
    """m V(G) of a body, in the axes of a body."""
    return _vector(model, spec, _torseurs(model, spec).kinetic.resultant, "kg.m/s", ("p", "P"))


def _torseurs(model: RightModel, spec: Spec) -> BodyTorseurs:
    place = spec.get("at", "G")
    at = place if isinstance(place, str) else (place[0], [float(x) for x in place[1]])
    torseurs = body_torseurs(model.mechanism, spec["body"], at)
    assert isinstance(torseurs, BodyTorseurs), "it is of a mechanism"
    return torseurs


def _mass_matrix(model: RightModel, spec: Spec) -> AskedQuantity:
    """A_ij: the factor of an acceleration in an equation."""
    value = derivative(
        _inertia_force(model, spec["row"]), model.system.a[_at(model, spec["column"])]
    )
    return _factor("A", spec["row"], (spec["column"],), value)


def _factor_of_speeds(model: RightModel, spec: Spec) -> AskedQuantity:
    """B_ijk or C_ij: the factor of the product of two speeds, or of a square, in an equation."""
    first, second = (model.system.v[_at(model, name)] for name in spec["speeds"])
    value = derivative(derivative(_inertia_force(model, spec["row"]), first), second)
    square = first is second
    letter = "C" if square else "B"
    return _factor(letter, spec["row"], spec["speeds"], value / 2 if square else value)


def _inertia_force(model: RightModel, name: str) -> Expr:
    return expression(model.inertia_forces[_at(model, name)])


def _at(model: RightModel, name: str) -> int:
    if name not in model.coordinates:
        raise unknown("exercise", "coordinate", name, model.coordinates)
    return model.coordinates.index(name)


def _factor(letter: str, row: str, others: Sequence[str], value: Any) -> AskedQuantity:
    """A coefficient under its name: A23, C54 or B556 if coordinates end in a number."""
    numbers = [re.sub(r"\D", "", name) for name in (row, *dict.fromkeys(others))]
    numbered = f"{letter}{''.join(numbers)}"
    return AskedQuantity(
        numbered, readable(expression(value)), False, None, (numbered, letter, "M", "b")
    )


def _first_integral(model: RightModel, spec: Spec) -> AskedQuantity:
    """A function of the state that stays constant, whatever constant is added to it."""
    integral = first_integrals(model.mechanism)[spec["name"]]
    names = (integral.name, *integral.also)
    unit = dimension(integral.unit)
    return AskedQuantity(integral.name, integral.formula, False, unit, names, up_to_a_constant=True)


def _field_rotation(model: RightModel, spec: Spec) -> AskedQuantity:
    """Ω = ½ curl v of a velocity field."""
    rotation = readable(rigidity(spec["field"]).rotation)
    return AskedQuantity("Omega", rotation, False, dimension("rad/s"), ("Omega", "omega"))


def _vector(
    model: RightModel, spec: Spec, value: Any, unit: str, names: tuple[str, ...]
) -> AskedQuantity:
    axes = spec.get("axes", "ground")
    along = model.in_axes(model.written(value), axes)
    read = readable(along)
    return AskedQuantity(names[0], read, False, dimension(unit), names, axes=axes)


_EXPRESSIONS: Mapping[str, Callable[[RightModel, Spec], AskedQuantity]] = {
    "centre": _centre,
    "dynamic moment": _dynamic_moment,
    "factor of speeds": _factor_of_speeds,
    "first integral": _first_integral,
    "inertia": _inertia,
    "kinetic moment": _kinetic_moment,
    "kinetic resultant": _kinetic_resultant,
    "mass matrix": _mass_matrix,
    "rotation of a field": _field_rotation,
    "squared pulsation": _squared_pulsation,
}
