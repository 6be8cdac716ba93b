"""Mass data of the bodies of a phrase: none, on the lever as in the report, or ten symbols each.

Liégeois and Aldon (1980), §4.1.2 and §4.2: the centre of mass lies on the lever, the inertia is
diagonal and is nil about the lever, and a body without a lever has no mass.
"""

from __future__ import annotations

import numpy as np

from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import ZERO, symbol
from torseur.errors import ModelError, suggestion
from torseur.model.description import Body, Parameter
from torseur.model.forces.protocol import no_tensor, no_vector
from torseur.spatial.inertia import tensor_of
from torseur.words.sentence import say

Array = np.ndarray
ASSUMPTIONS = ("lever", "full")


Massive = tuple[Body, tuple[Parameter, ...]]  # a body, and the parameters of its mass data


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
