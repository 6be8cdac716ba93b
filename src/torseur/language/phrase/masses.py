"""Mass data of the bodies of a phrase: none, on the lever as in the report, or ten symbols each.

Liégeois and Aldon (1980), §4.1.2 and §4.2: the centre of mass lies on the lever, the inertia is
diagonal and is nil about the lever, and a body without a lever has no mass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np

from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.errors import ModelError, suggestion
from torseur.model.description import Parameter
from torseur.words.sentence import say

Array = np.ndarray
ASSUMPTIONS = ("lever", "full")


@final
@dataclass(frozen=True)
class MassData:
    """Mass, centre and inertia of a body, and the parameters that stand for them."""

    mass: Expr = ZERO
    centre: tuple[Expr, Expr, Expr] = (ZERO, ZERO, ZERO)
    inertia: tuple[Expr, ...] = (ZERO,) * 6  # xx, yy, zz, xy, xz, yz
    parameters: tuple[Parameter, ...] = field(default=())

    @property
    def tensor(self) -> Array:
        """The inertia (3, 3)."""
        xx, yy, zz, xy, xz, yz = self.inertia
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=object)


def mass_data(assumption: str | None, body: int, levers: list[Array]) -> MassData:
    """The mass data of a body by its number and its levers, under an assumption."""
    if assumption is None:
        return MassData()
    if assumption == "lever":
        return on_lever(body, levers[0]) if levers else MassData()
    if assumption == "full":
        return full(body)
    raise ModelError(
        "masses",
        say('the assumption "{assumption}" does not exist.', assumption),
        'Assumptions: "lever", "full", or None for bodies without mass.',
        *suggestion(str(assumption), ASSUMPTIONS),
    )


def on_lever(body: int, lever: Array) -> MassData:
    """Centre at the distance D on the lever, and no inertia about it.

    A lever that is not along an axis of the body gives one distance and one moment an axis.
    """
    axes = [k for k in range(3) if lever[k] is not ZERO]
    single = len(axes) == 1
    mass = Parameter(f"M{body}", None, "kg", say("mass of body {body}", body))
    made, centre, moments = [mass], [ZERO] * 3, [ZERO] * 3
    for k in axes:
        name = f"D{body}" if single else f"D{'XYZ'[k]}{body}"
        along = say("centre of mass of body {body} along {axis}", body, "XYZ"[k])
        on_lever = say("centre of mass of body {body} along its lever", body)
        made.append(Parameter(name, None, "m", on_lever if single else along))
        centre[k] = symbol(name) if split(lever[k])[0] > 0 else -symbol(name)
    for k in range(3):
        if not single or k not in axes:
            name = f"I{'XYZ'[k]}{body}"
            meaning = say(
                "moment of inertia of body {body} about {axis}, at its centre of mass",
                body,
                "XYZ"[k],
            )
            made.append(Parameter(name, None, "kg.m^2", meaning))
            moments[k] = symbol(name)
    x, y, z = centre
    return MassData(symbol(mass.name), (x, y, z), (*moments, ZERO, ZERO, ZERO), tuple(made))


def full(body: int) -> MassData:
    """Ten symbols: mass, centre, and the components of the inertia at the centre."""
    made = [Parameter(f"M{body}", None, "kg", say("mass of body {body}", body))]
    made += [
        Parameter(
            f"{axis}{body}",
            None,
            "m",
            say("centre of mass of body {body} along {axis}", body, axis),
        )
        for axis in "XYZ"
    ]
    made += [
        Parameter(
            f"I{component}{body}",
            None,
            "kg.m^2",
            say(
                "component {component} of the inertia of body {body} at its centre of mass",
                component,
                body,
            ),
        )
        for component in ("XX", "YY", "ZZ", "XY", "XZ", "YZ")
    ]
    mass, x, y, z, *inertia = (symbol(parameter.name) for parameter in made)
    return MassData(mass, (x, y, z), tuple(inertia), tuple(made))


def remarks(assumption: str | None, levers: dict[int, list[Array]]) -> tuple[str, ...]:
    """What the assumption means for these bodies, in sentences."""
    if assumption is None:
        return ('No masses were asked for: every body is massless (masses="lever" or "full").',)
    if assumption != "lever":
        return ()
    bare = [str(body) for body, found in levers.items() if not found]
    several = [str(body) for body, found in levers.items() if len(found) > 1]
    oblique = [
        str(body)
        for body, found in levers.items()
        if found and sum(x is not ZERO for x in found[0]) > 1
    ]
    notes = []
    if bare:
        notes.append(say("No lever, therefore no mass: {bodies}.", _bodies(bare)))
    if several:
        notes.append(
            say(
                "Several levers, the centre of mass is on the first: {bodies}.",
                _bodies(several),
            )
        )
    if oblique:
        notes.append(
            say(
                "The lever is not along an axis, so that it has one distance and one moment an "
                "axis: {bodies}.",
                _bodies(oblique),
            )
        )
    return tuple(notes)


def _bodies(numbers: list[str]) -> str:
    if len(numbers) == 1:
        return say("body {body}", numbers[0])
    return say("bodies {bodies}", ", ".join(numbers))
