"""Forces given by a function in Python, of the time and the states of bodies and coordinates."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.algebra.core.called import PythonFunction
from torseur.algebra.core.expr import TIME, Expr, expression
from torseur.errors import ModelError
from torseur.model.forces.joint import JOINT, JointForce
from torseur.model.forces.protocol import (
    GROUND,
    Action,
    Array,
    Attachment,
    Effect,
    Force,
    Key,
    Kind,
    Places,
    no_vector,
)
from torseur.words.sentence import say

COMPONENTS = ("Fx", "Fy", "Fz", "Cx", "Cy", "Cz")
_NUMBERS = 18  # of a body: position, rotation, velocity, spin


@final
@dataclass(frozen=True, eq=False)
class BodyState:
    """Place and motion of a body, in ground axes."""

    position: Array  # (3,): its origin [m]
    rotation: Array  # (3, 3): from body axes to ground axes
    velocity: Array  # (3,): of its origin [m/s]
    spin: Array  # (3,): its angular velocity [rad/s]


@final
class ForceState(Mapping[str, Any]):
    """View of a force in Python: a `BodyState` for a body, a number for a coordinate, by name."""

    def __init__(self, bodies: tuple[str, ...], names: tuple[str, ...], numbers: Array) -> None:
        self._bodies, self._names, self._numbers = bodies, names, numbers

    def __getitem__(self, name: str) -> Any:
        if name in self._bodies:
            first = _NUMBERS * self._bodies.index(name)
            x = self._numbers[first : first + _NUMBERS]
            return BodyState(x[:3], x[3:12].reshape(3, 3), x[12:15], x[15:])
        if name in self._names:
            place = len(self._bodies) * _NUMBERS + self._names.index(name)
            return float(self._numbers[place])
        raise KeyError(say('the force does not read "{name}"; it reads {names}.', name, [*self]))

    def __iter__(self) -> Iterator[str]:
        return iter((*self._bodies, *self._names))

    def __len__(self) -> int:
        return len(self._bodies) + len(self._names)


@final
@dataclass(frozen=True)
class PythonLaw:
    """A function of the time and a `ForceState` as one of an array of numbers."""

    function: Callable[[float, ForceState], Any]
    name: str
    bodies: tuple[str, ...]
    names: tuple[str, ...]
    size: int  # of the value

    def __call__(self, numbers: Array) -> Array:
        t = float(numbers[0])
        try:
            value = self.function(t, ForceState(self.bodies, self.names, numbers[1:]))
        except BaseException as error:
            error.add_note(
                say('It was raised by the force "{name}" at t = {t:.9g} s.', self.name, t)
            )
            raise
        return self._checked(value, t)

    def _checked(self, value: Any, t: float) -> Array:
        try:
            given = np.ravel(np.asarray(value, dtype=float))
        except (TypeError, ValueError):
            given = np.zeros(0)
        if self.size == 6 and len(given) == 3:
            given = np.concatenate([given, np.zeros(3)])
        place = f'force "{self.name}"'
        if len(given) != self.size:
            problem = say("at t = {t:.9g} s the function returned {value!r}.", t, value)
            advice = (
                "Return a number [N or N m]."
                if self.size == 1
                else ("Return three numbers [N], or a force and a couple: two times three numbers.")
            )
            raise ModelError(place, problem, advice)
        if not np.isfinite(given).all():
            problem = say("at t = {t:.9g} s the function returned {value!r}.", t, value)
            raise ModelError(place, problem, "A force is finite; look at the state it was given.")
        return given


@final
@dataclass(frozen=True)
class CustomWrench(Force):
    """A wrench at the origin of a body, in ground axes; a second body gets the opposite one."""

    name: str
    function: PythonFunction
    bodies: tuple[str, ...]  # the one that it acts on, and the one that gets the opposite
    read: tuple[str, ...] = ()  # bodies that it reads besides
    others: Array = field(default_factory=no_vector)  # symbols of numbers that it reads
    place: str = ""

    names = ("custom",)
    keys = (
        Key("bodies", Kind.ACTED_ON),
        Key("reads", Kind.ACTED_ON, of_class="read"),
        Key("others", Kind.VECTOR),
    )

    def effect(self, places: Places) -> Effect:
        arguments = _arguments(places, (*self.bodies, *self.read), self.others)
        six = [self.function.node(k, arguments) for k in range(6)]
        force, couple = np.array(six[:3], dtype=object), np.array(six[3:], dtype=object)
        at = Attachment(self.bodies[0], no_vector())
        actions = [Action(at, force, couple)]
        if len(self.bodies) > 1 and self.bodies[1] != GROUND:
            second = self.bodies[1]
            apart = places.position(at) - places.position(Attachment(second, no_vector()))
            there = Attachment(second, np.asarray(places.rotation(second).into(apart)))
            actions.append(Action(there, -force, -couple))
        return Effect(tuple(actions))


@final
@dataclass(frozen=True)
class CustomEffort(JointForce):
    """A force or a couple along a coordinate of a joint."""

    name: str
    function: PythonFunction
    joint: str
    coordinate: str
    read: tuple[str, ...] = ()  # bodies that it reads
    others: Array = field(default_factory=no_vector)
    place: str = ""

    names = ("custom effort",)
    keys = (*JOINT, Key("reads", Kind.ACTED_ON, of_class="read"), Key("others", Kind.VECTOR))

    def effect(self, places: Places) -> Effect:
        value = self.function.node(0, _arguments(places, self.read, self.others))
        return Effect(joint_forces=((self.freedom(places), value),))


def calls_python(mechanism: Any) -> bool:
    """Whether a force of a mechanism is a function in Python."""
    return bool(slow_forces(mechanism))


def slow_forces(mechanism: Any) -> tuple[str, ...]:
    """A notice that names the forces of a mechanism that are functions in Python."""
    loads = mechanism.loads.values()
    names = [x.name for x in loads if isinstance(x, CustomWrench | CustomEffort)]
    if not names:
        return ()
    notice = say(
        "Python is called at every evaluation of the force {names}: the motion takes far longer "
        "than with an expression.",
        ", ".join(names),
    )
    return (notice,)


def _arguments(places: Places, bodies: tuple[str, ...], others: Array) -> tuple[Expr, ...]:
    """The arguments of a function: the time, the states of bodies, numbers by name."""
    numbers: list[Any] = [TIME]
    for body in (x for x in bodies if x != GROUND):
        origin, R = Attachment(body, no_vector()), places.rotation(body)
        spin = R.out(places.twist(origin)[0])
        numbers += [*places.position(origin), *R.matrix.ravel(), *places.velocity(origin), *spin]
    return tuple(map(expression, (*numbers, *others)))
