"""Forces as elements: wrenches at the centres of bodies, generalised forces of measures, energy.

The outputs of a force are its potential, its power without potential, for each body the force in
ground axes and the couple at its centre in body axes, then for each measure its generalised force.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.derivative import time_derivative
from torseur.algebra.expr import ZERO, Expr, expression, symbol
from torseur.algebra.graph import evaluate, expressions, free_symbols
from torseur.backends.absolute.forms import Element, body_part, element, spoken
from torseur.backends.motion import smoothed
from torseur.formalisms.absolute import free_system
from torseur.formalisms.applied import drive
from torseur.formalisms.constraints import coordinate_rates
from torseur.formalisms.moving_frame import entrainment_potential, inertia_forces
from torseur.formalisms.places import Places
from torseur.formalisms.system import System
from torseur.mechanism.description import GROUND, JointLoad, Mechanism
from torseur.mechanism.forces.protocol import Action, Attachment, Effect, Force, Kind, bodies_of
from torseur.topology.structure import TIME

Array = np.ndarray


@final
@dataclass(frozen=True)
class Naming:
    """The names by which the coordinates and speeds of joints are measured, and known numbers."""

    measured: Mapping[str, str]  # coordinate or speed → measure
    speeds: Mapping[str, str]  # measure → speed
    values: Mapping[str, Any]  # of the parameters

    def rates(self, outputs: Any) -> dict[Expr, Expr]:
        """The rate of every joint coordinate that expressions speak of."""
        return {
            x: symbol(self.speeds[x.name], "speed")
            for x in free_symbols(outputs)
            if x.kind == "coordinate" and x.name in self.speeds
        }


def load_elements(mechanism: Mechanism, naming: Naming) -> list[Element]:
    """An element for every force, motor and, if the ground moves, every body."""
    bare = replace(mechanism, joints={}, constraints={}, motions={})
    found = [_force(mechanism, bare, load, naming) for load in _loads(mechanism)]
    if mechanism.frame is not None:
        found += [_carried(bare, name, naming) for name in mechanism.bodies]
    return found


def _loads(mechanism: Mechanism) -> Iterator[Force]:
    """Every force; one that acts on several bodies alike is a force for each; motors are forces."""
    for motor in mechanism.motors.values():
        joint = mechanism.joints[motor.joint]
        value = drive(motor, symbol(joint.speeds[0], "speed"))
        if value is not ZERO:
            yield JointLoad(motor.name, motor.joint, value, motor.place)
    for load in mechanism.loads.values():
        several = next((key.attribute for key in load.keys if key.kind is Kind.BODIES), None)
        if several is None:
            yield load
            continue
        centre = {end.body for end in _attachments(load)}
        for name in getattr(load, several) or (b for b in mechanism.bodies if b not in centre):
            yield replace(load, **{several: (name,)})  # type: ignore[type-var]


def _attachments(load: Force) -> Iterator[Attachment]:
    for key in load.keys:
        if key.kind is Kind.CENTRE:
            yield getattr(load, key.attribute)


# --- one force ----------------------------------------------------------------------------------


@final
class _Numbers:
    """Symbols in place of constants, so that forces that differ by them have the same form."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = dict(values)

    def __call__(self, name: str, x: Any) -> Any:
        """A symbol for a constant; zero stays zero, what depends on the motion stays as it is."""
        value = expression(x)
        if value is ZERO or any(s.kind != "parameter" for s in free_symbols(value)):
            return value
        self.values[name] = float(evaluate(value, self.values))
        return symbol(name)

    def array(self, name: str, values: Any) -> Array:
        """The same for every entry."""
        given = expressions(values)
        made = [self(f"{name} {k}", x) for k, x in enumerate(given.ravel())]
        return np.array(made, dtype=object).reshape(given.shape)

    def end(self, name: str, end: Attachment) -> Attachment:
        """The same for a point of a body."""
        return Attachment(end.body, self.array(name, end.point))


def _force(mechanism: Mechanism, bare: Mechanism, load: Force, naming: Naming) -> Element:
    numbers = _Numbers(naming.values)
    generic = _generic(load, numbers)
    bodies = tuple(dict.fromkeys(name for name in bodies_of(load) if name != GROUND))
    made = _free(bare, bodies, numbers)
    effect = generic.effect(Places(replace(made, mechanism=mechanism)))
    return _element(made, effect, naming, numbers)


def _free(bare: Mechanism, bodies: tuple[str, ...], numbers: _Numbers) -> System:
    centres = {b: numbers.array(f"centre of {b}", bare.bodies[b].centre) for b in bodies}
    return free_system(bare, bodies, named=body_part, centres=centres)


def _generic(load: Force, numbers: _Numbers) -> Force:
    """The force with symbols for its constants."""
    parts: dict[str, Any] = {}
    for key in load.keys:
        value, name = getattr(load, key.attribute), f"its {key.name}"
        if key.kind is Kind.CONSTANT and value is not None:
            parts[key.attribute] = numbers(name, value)
        elif key.kind in (Kind.POINT, Kind.TENSOR):
            parts[key.attribute] = numbers.array(name, value)
        elif key.kind is Kind.CENTRE:
            parts[key.attribute] = numbers.end(name, value)
        elif key.kind is Kind.ENDS:
            ends = enumerate(value)
            parts[key.attribute] = tuple(numbers.end(f"{name} {k}", end) for k, end in ends)
    return replace(load, **parts)  # type: ignore[type-var]


def _element(made: System, effect: Effect, naming: Naming, numbers: _Numbers) -> Element:
    """The outputs of a force in terms of the states of its bodies and of its measures."""
    places = Places(made)
    count = len(made.tree)
    force, couple = np.full((count, 3), ZERO), np.full((count, 3), ZERO)
    for action in effect.actions:
        if action.at.body != GROUND:
            i, F = places.index[action.at.body], action.force
            F = places.rotation(action.at.body).out(F) if action.follows else F
            force[i], couple[i] = force[i] + F, couple[i] + places.wrench(action)[1]
    acted: dict[str, Any] = {}
    for freedom, value in effect.joint_forces:
        name = naming.measured[freedom.q.name]
        acted[name] = acted.get(name, ZERO) + value
    stored = expression(effect.potential)
    velocities = made.v.reshape(count, 6)
    power = sum((expression(force[i] @ velocities[i, :3]) for i in range(count)), ZERO)
    power += sum((expression(couple[i] @ velocities[i, 3:]) for i in range(count)), ZERO)
    power += sum((x * symbol(naming.speeds[n], "speed") for n, x in acted.items()), ZERO)
    along = dict(zip(made.q, coordinate_rates(made), strict=True)) | naming.rates(stored)
    power += time_derivative(stored, along, TIME)
    wrenches = np.concatenate([force, couple], axis=1).ravel()
    outputs = list(smoothed(expressions([stored, power, *wrenches, *acted.values()])))
    others = [name for name in spoken(outputs, naming.measured) if name not in acted]
    bodies = [link.name for _, link in made.tree]
    return element(
        [*outputs, *(ZERO for _ in others)],
        bodies,
        [*acted, *others],
        naming.measured,
        numbers.values,
    )


# --- a ground that moves ------------------------------------------------------------------------


def _carried(bare: Mechanism, name: str, naming: Naming) -> Element:
    """The inertia forces that a body feels in a ground that moves."""
    numbers, body, frame = _Numbers(naming.values), bare.bodies[name], bare.frame
    assert frame is not None, "the ground does not move"
    generic = replace(
        body,
        mass=numbers("its mass", body.mass),
        inertia=numbers.array("its inertia", body.inertia),
    )
    made = _free(replace(bare, bodies={name: generic}), (name,), numbers)
    places = Places(made)
    force, couple = inertia_forces(made, frame, places).wrenches[0]
    at = Attachment(name, expressions(-made.tree.links[0].X_MB.p))
    stored = entrainment_potential(made, frame, places)
    effect = Effect((Action(at, force, couple, follows=True),), potential=stored)
    return _element(made, effect, naming, numbers)
