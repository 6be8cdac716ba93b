"""Forces as elements: wrenches at the centres of bodies, generalised forces of measures, energy.

The outputs of a force are its potential, its power without potential, for each body the force in
ground axes and the couple at its centre in body axes, then for each measure its generalised force.

A force gets roles in place of its bodies, its joint and its numbers: forces that differ by these
alone become the same, and their expressions are made once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.equations.actions.applied import drive
from torseur.equations.actions.inertia_forces import entrainment_potential, inertia_forces
from torseur.equations.constraints.constraint_rows import coordinate_rates
from torseur.equations.functions.kernel import smoothed
from torseur.equations.symbols.system import System
from torseur.equations.symbols.system_places import places_of
from torseur.machine.absolute.forms import FormElement, Template, free_bodies, spoken, template
from torseur.model.description import GROUND, Body, Joint, JointLoad, Mechanism
from torseur.model.forces.joint import freedom_index
from torseur.model.forces.protocol import (
    ALONG_A_LINE,
    Action,
    Attachment,
    Effect,
    Force,
    Kind,
    Sheave,
    bodies_of,
    joints_of,
    place_of,
)
from torseur.model.forces.wrapping import Obstacle, PathPart, Pulley

Array = np.ndarray
OWN = "own joint"
_NOT_PART = ("name", "place")


@final
class Numbers:
    """Symbols in place of constants, and the constants."""

    def __init__(self) -> None:
        self.given: dict[str, Expr] = {}

    def __call__(self, name: str, x: Any) -> Any:
        """A symbol for a constant; zero stays zero, what depends on the motion stays as it is."""
        value = expression(x)
        if value is ZERO or any(s.kind != "parameter" for s in free_symbols(value)):
            return value
        self.given[name] = value
        return symbol(name)

    def array(self, name: str, values: Any) -> Array:
        """Symbols for the entries of an array."""
        given = expressions(values)
        entries = [self(f"{name} {k}", x) for k, x in enumerate(given.ravel())]
        return np.array(entries, dtype=object).reshape(given.shape)

    def values(self, parameters: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
        """Numbers that symbols of these names stand for."""
        numbers = {}
        for name in names:
            x = self.given.get(name)
            if x is None:
                numbers[name] = parameters[name]
            elif x.op == "number":
                numbers[name] = float(x.value[1])
            else:
                numbers[name] = float(evaluate(x, parameters))
        return numbers


def _body(k: int) -> str:
    return f"body {k}"


def own_coordinate(k: int) -> str:
    """The name of a coordinate of the joint of a force."""
    return f"coordinate {k} of its joint"


@final
@dataclass(frozen=True)
class Roles:
    """Bodies and joint of a force, each by its role."""

    bodies: tuple[str, ...]
    joint: Joint | None

    def _role(self, body: str) -> str:
        return body if body == GROUND else _body(self.bodies.index(body))

    def played(self, load: Force, numbers: Numbers) -> Force:
        """The force with roles and symbols."""
        known = self._symbols()
        parts: dict[str, Any] = {}
        for key in load.keys:
            value, name = getattr(load, key.attribute), f"its {key.name}"
            if value is not None:
                part = self._part(key.kind, value, name, numbers, known)
                parts[key.attribute] = value if part is None else part
        return replace(load, **parts)  # type: ignore[type-var]

    def _part(
        self, kind: Kind, value: Any, name: str, numbers: Numbers, known: dict[Expr, Expr]
    ) -> Any:
        """An entry of a force; None leaves it as it is."""
        if kind is Kind.CONSTANT:
            return numbers(name, value)
        if kind in (Kind.POINT, Kind.MOVING_POINT, Kind.TENSOR, Kind.SIX_TENSOR):
            return numbers.array(name, value)
        if kind in (Kind.VARYING, Kind.VECTOR):
            return substitute(value, known) if known else None
        if kind is Kind.BODY:
            return self._role(value)
        if kind in (Kind.BODIES, Kind.TWO_MASSES, Kind.ACTED_ON):
            return tuple(self._role(body) for body in value)
        if kind is Kind.CENTRE:
            return self._end(value, name, numbers)
        if kind in ALONG_A_LINE:
            parts = enumerate(value)
            return tuple(self._path_part(part, f"{name} {k}", numbers) for k, part in parts)
        if kind is Kind.JOINT:
            return OWN
        if kind is Kind.COORDINATE and value and self.joint is not None:
            return own_coordinate(self.joint.coordinates.index(value))
        return None

    def _end(self, end: Attachment | Sheave, name: str, numbers: Numbers) -> Attachment | Sheave:
        if isinstance(end, Sheave):  # the sign of the wrap makes the equations
            body, point = self._role(end.body), numbers.array(name, end.point)
            return replace(
                end, body=body, point=point, radius=numbers(f"{name} radius", end.radius)
            )
        return Attachment(self._role(end.body), numbers.array(name, end.point))

    def _path_part(self, part: PathPart | Sheave, name: str, numbers: Numbers) -> PathPart | Sheave:
        if isinstance(part, Attachment | Sheave):
            return self._end(part, name, numbers)
        if isinstance(part, Pulley):
            return Pulley(numbers(name, part.parts))
        side, axis = part.side, part.axis
        return Obstacle(
            self._role(part.body),
            numbers.array(f"{name} centre", part.centre),
            numbers(f"{name} radius", part.radius),
            None if axis is None else numbers.array(f"{name} axis", axis),
            None if side is None else self._attachment(side, f"{name} side", numbers),
        )

    def _attachment(self, end: Attachment, name: str, numbers: Numbers) -> Attachment:
        return Attachment(self._role(end.body), numbers.array(name, end.point))

    def _symbols(self) -> dict[Expr, Expr]:
        """The coordinates and speeds of the joint, and those of its role."""
        symbols, joint = {}, self.joint
        for k in range(joint.kind.nv if joint is not None else 0):
            assert joint is not None
            if k < len(joint.coordinates) and joint.kind.nq == joint.kind.nv:
                q, role = joint.coordinates[k], own_coordinate(k)
                symbols[symbol(q, "coordinate")] = symbol(role, "coordinate")
                symbols[symbol(joint.speeds[k], "speed")] = symbol(f"{role}.", "speed")
        return symbols

    def stage(self, mechanism: Mechanism, numbers: Numbers) -> Mechanism:
        """A mechanism of the roles: its bodies have symbols for mass, centre and inertia."""
        bodies = {}
        for k, name in enumerate(self.bodies):
            given, role = mechanism.bodies[name], _body(k)
            bodies[role] = Body(
                role,
                numbers(f"mass of {role}", given.mass),
                numbers.array(f"centre of {role}", given.centre),
                numbers.array(f"inertia of {role}", given.inertia),
            )
        joints: Mapping[str, Joint] = mechanism.joints
        if self.joint is not None:
            count = range(len(self.joint.coordinates))
            names = tuple(own_coordinate(k) for k in count)
            speeds = tuple(f"{name}." for name in names)
            joints = {OWN: replace(self.joint, name=OWN, coordinates=names, speeds=speeds)}
        return replace(mechanism, bodies=bodies, joints=joints)

    def real(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Measures by their real names."""
        if self.joint is None:
            return names
        real_names = {own_coordinate(k): name for k, name in enumerate(self.joint.coordinates)}
        return tuple(real_names.get(name, name) for name in names)


def roles_of(mechanism: Mechanism, load: Force) -> Roles:
    """The bodies and the joint that a force names."""
    bodies = tuple(dict.fromkeys(name for name in bodies_of(load) if name != GROUND))
    joint = next((mechanism.joints[name] for name in joints_of(load)), None)
    if joint is not None:
        given: Any = load
        freedom_index(place_of(load), joint, given.coordinate, given.unit)
    return Roles(bodies, joint)


def written(value: Any) -> Any:
    """Comparable form of a force: equal for two forces that differ by their names only."""
    if isinstance(value, Expr):
        return value.key
    if isinstance(value, np.ndarray):
        return tuple(written(x) for x in value.ravel())
    if isinstance(value, tuple):
        return tuple(written(x) for x in value)
    if hasattr(value, "__dataclass_fields__"):
        names = (field.name for field in fields(value) if field.name not in _NOT_PART)
        return (type(value).__name__, *(written(getattr(value, name)) for name in names))
    return value


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


def load_elements(mechanism: Mechanism, naming: Naming) -> list[FormElement]:
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

    def of_force(self, load: Force) -> FormElement:
        """The element of a force."""
        roles, numbers = roles_of(self._mechanism, load), Numbers()
        stage = roles.stage(self._mechanism, numbers)
        played = roles.played(load, numbers)
        kind = None if roles.joint is None else roles.joint.kind

        def derive() -> Template:
            naming, free = self._naming.with_own(kind.nv if kind else 0), _free(stage)
            return _template(free, played.effect(places_of(free)), naming)

        return self._cast((written(played), written(kind)), derive, roles, numbers)

    def of_ground(self, name: str) -> FormElement:
        """The inertia forces that a body feels in a ground that moves."""
        roles, numbers = Roles((name,), None), Numbers()
        stage = roles.stage(self._mechanism, numbers)
        return self._cast("ground", lambda: _entrained(stage, self._naming), roles, numbers)

    def _cast(
        self, what: Any, derive: Callable[[], Template], roles: Roles, numbers: Numbers
    ) -> FormElement:
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
    places, (link,) = places_of(free), free.tree.links
    force, couple = inertia_forces(free, frame, places)[0][0]
    at = Attachment(link.name, expressions(-link.X_MB.p))
    stored = entrainment_potential(free, frame, places)
    effect = Effect((Action(at, force, couple, follows=True),), potential=stored)
    return _template(free, effect, naming)


def _template(free: System, effect: Effect, naming: Naming) -> Template:
    """The outputs of a force in terms of the states of its bodies and of its measures."""
    places = places_of(free)
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
