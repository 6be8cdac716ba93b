"""Forces as elements: wrenches at the centres of bodies, generalised forces of measures, energy.

The outputs of a force are its potential, its power without potential, for each body the force in
ground axes and the couple at its centre in body axes, then for each measure its generalised force.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.equations.actions.applied import drive
from torseur.equations.actions.inertia_forces import entrainment_potential, inertia_forces
from torseur.equations.constraints.rows import coordinate_rates
from torseur.equations.functions.kernel import smoothed
from torseur.equations.symbols.places import SystemPlaces
from torseur.equations.symbols.system import System
from torseur.machine.absolute.forms import Element, Template, free_bodies, spoken, template
from torseur.machine.absolute.roles import Numbers, Roles, own_coordinate, roles_of, written
from torseur.model.description import GROUND, JointLoad, Mechanism
from torseur.model.forces.protocol import Action, Attachment, Effect, Force, Kind

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

    def with_own(self, count: int) -> Naming:
        """These names with those of the joint of a force, named by their roles."""
        roles = {own_coordinate(k): f"{own_coordinate(k)}." for k in range(count)}
        measured = {name: q for q, v in roles.items() for name in (q, v)}
        return replace(
            self, measured={**self.measured, **measured}, speeds={**self.speeds, **roles}
        )


def load_elements(mechanism: Mechanism, naming: Naming) -> list[Element]:
    """An element for every force, motor and, if the ground moves, every body."""
    factory = _Elements(mechanism, naming)
    elements = [factory.of_force(load) for load in _loads(mechanism)]
    if mechanism.frame is not None:
        elements += [factory.of_ground(name) for name in mechanism.bodies]
    return elements


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
        centres = (key.attribute for key in load.keys if key.kind is Kind.CENTRE)
        centre = {getattr(load, name).body for name in centres}
        for name in getattr(load, several) or (b for b in mechanism.bodies if b not in centre):
            yield replace(load, **{several: (name,)})  # type: ignore[type-var]


@final
class _Elements:
    """Makes elements; what differs by bodies, joints and numbers only is derived once."""

    def __init__(self, mechanism: Mechanism, naming: Naming) -> None:
        self._mechanism, self._naming = mechanism, naming
        self._known: dict[Any, Template] = {}

    def of_force(self, load: Force) -> Element:
        """The element of a force."""
        roles, numbers = roles_of(self._mechanism, load), Numbers()
        stage = roles.stage(self._mechanism, numbers)
        played = roles.played(load, numbers)
        kind = None if roles.joint is None else roles.joint.kind

        def derive() -> Template:
            naming, free = self._naming.with_own(kind.nv if kind else 0), _free(stage)
            return _template(free, played.effect(SystemPlaces(free)), naming)

        return self._cast((written(played), written(kind)), derive, roles, numbers)

    def of_ground(self, name: str) -> Element:
        """The inertia forces that a body feels in a ground that moves."""
        roles, numbers = Roles((name,), None), Numbers()
        stage = roles.stage(self._mechanism, numbers)
        return self._cast("ground", lambda: _entrained(stage, self._naming), roles, numbers)

    def _cast(
        self, what: Any, derive: Callable[[], Template], roles: Roles, numbers: Numbers
    ) -> Element:
        """A template, derived if it is not known, with its bodies, measures and numbers."""
        key = (what, tuple(numbers.given))
        if key not in self._known:
            self._known[key] = derive()
        derived = self._known[key]
        element = derived.at(numbers.values(self._naming.values, derived.parameters))
        return replace(element, bodies=roles.bodies, measures=roles.real(element.measures))


def _free(stage: Mechanism) -> System:
    """The bodies of a stage, each free; they know its joints."""
    return replace(free_bodies(stage, stage.bodies), mechanism=stage)


def _entrained(stage: Mechanism, naming: Naming) -> Template:
    """For the one body of a stage."""
    free, frame = _free(stage), stage.frame
    assert frame is not None, "the ground does not move"
    places, (link,) = SystemPlaces(free), free.tree.links
    force, couple = inertia_forces(free, frame, places)[0][0]
    at = Attachment(link.name, expressions(-link.X_MB.p))
    stored = entrainment_potential(free, frame, places)
    effect = Effect((Action(at, force, couple, follows=True),), potential=stored)
    return _template(free, effect, naming)


def _template(free: System, effect: Effect, naming: Naming) -> Template:
    """The outputs of a force in terms of the states of its bodies and of its measures."""
    places = SystemPlaces(free)
    count = len(free.tree)
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
    velocities = free.v.reshape(count, 6)
    power = sum((expression(force[i] @ velocities[i, :3]) for i in range(count)), ZERO)
    power += sum((expression(couple[i] @ velocities[i, 3:]) for i in range(count)), ZERO)
    power += sum((x * symbol(naming.speeds[n], "speed") for n, x in acted.items()), ZERO)
    along = dict(zip(free.q, coordinate_rates(free), strict=True)) | naming.rates(stored)
    power += time_derivative(stored, along, TIME)
    wrenches = np.concatenate([force, couple], axis=1).ravel()
    outputs = list(smoothed(expressions([stored, power, *wrenches, *acted.values()])))
    others = [name for name in spoken(outputs, naming.measured) if name not in acted]
    bodies = [link.name for _, link in free.tree]
    nothing = [ZERO for _ in others]
    return template([*outputs, *nothing], bodies, [*acted, *others], naming.measured)
