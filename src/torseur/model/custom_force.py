"""Mechanisms with forces in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.core.called import PythonFunction
from torseur.algebra.core.expr import Expr, symbol
from torseur.errors import ModelError, unknown
from torseur.model.description import GROUND, Mechanism
from torseur.model.forces.custom import (
    COMPONENTS,
    CustomEffort,
    CustomWrench,
    ForceState,
    PythonLaw,
)
from torseur.model.forces.joint import freedom_index
from torseur.words.sentence import say


def custom(
    mechanism: Mechanism,
    function: Callable[[float, ForceState], Any],
    *,
    bodies: str | Sequence[str] = (),
    coordinate: str = "",
    reads: str | Sequence[str] = (),
    name: str = "custom",
) -> Mechanism:
    """The mechanism with one more force, whose law is a function in Python, f(t, state).

    On `bodies`, one or two: f returns the force on the first [N], or its force and its couple
    [N m], at the origin of that body, in ground axes; the second body gets the opposite wrench at
    the same point. Along a `coordinate` of a joint: f returns a number [N or N m]. `state[name]` is
    the state of a body (position, rotation, velocity, spin) or the value of a coordinate, a speed
    ("x.") or a state; besides what it acts on, f sees what it `reads`. It is called at every
    evaluation of the motion, which takes about a thousand times as long as an expression; the
    derivatives that stiff methods and linearisation need are differences.
    """
    place = f'force "{name}"'
    _require_free_name(mechanism, place, name)
    bodies = (bodies,) if isinstance(bodies, str) else tuple(bodies)
    read, others = _readings(mechanism, place, reads)
    if bool(bodies) == bool(coordinate):
        problem = "it acts on bodies or along a coordinate, one of both."
        raise ModelError(place, problem, 'Give bodies=("a", "b") or coordinate="x".')
    force: CustomWrench | CustomEffort
    if bodies:
        _check_bodies(mechanism, place, bodies)
        read = tuple(x for x in read if x not in bodies)
        known = tuple(x for x in (*bodies, *read) if x != GROUND)
        law = PythonLaw(function, name, known, tuple(x.name for x in others), 6)
        called = PythonFunction(law, name, tuple(f"{name}_{x}" for x in COMPONENTS))
        force = CustomWrench(name, called, bodies, read, np.array(others, dtype=object), place)
    else:
        joint, freedom = _freedom(mechanism, place, coordinate)
        others = tuple(dict.fromkeys((*freedom, *others)))
        law = PythonLaw(function, name, read, tuple(x.name for x in others), 1)
        called = PythonFunction(law, name, (name,))
        numbers = np.array(others, dtype=object)
        force = CustomEffort(name, called, joint, coordinate, read, numbers, place)
    loads = {**mechanism.loads, name: force}
    return replace(mechanism, loads=loads, form=_Unwritten(name))


@final
@dataclass(frozen=True)
class _Unwritten:
    """The form of a mechanism that no file can hold, because of a force."""

    force: str

    def text(self, mechanism: Mechanism) -> str:
        """No text: the error says so."""
        problem = say('the law of the force "{force}" is a function in Python.', self.force)
        advice = "Save the mechanism before you add the force, and add it again after reading."
        raise ModelError(f'mechanism "{mechanism.name}"', problem, advice)

    def written(self, mechanism: Mechanism, ending: str) -> str:
        """No file: the error says so."""
        return self.text(mechanism)


def _require_free_name(mechanism: Mechanism, place: str, name: str) -> None:
    if name in mechanism.loads:
        problem = say('the mechanism has a force "{name}" already.', name)
        raise ModelError(place, problem, say('Give another name: name="{name}_2".', name))


def _check_bodies(mechanism: Mechanism, place: str, bodies: tuple[str, ...]) -> None:
    for body in bodies:
        if body not in (*mechanism.bodies, GROUND):
            raise unknown(place, "body", body, mechanism.bodies)
    if len(bodies) > 2 or bodies[0] == GROUND or len(set(bodies)) < len(bodies):
        problem = say("it cannot act on {bodies}.", ", ".join(bodies))
        raise ModelError(place, problem, "Give one body, or two different ones, the ground second.")


def _readings(
    mechanism: Mechanism, place: str, reads: str | Sequence[str]
) -> tuple[tuple[str, ...], tuple[Expr, ...]]:
    """The bodies, and the symbols of numbers, that a force reads."""
    bodies, others = list[str](), list[Expr]()
    kinds = dict.fromkeys(mechanism.every_coordinate, "coordinate")
    kinds |= dict.fromkeys(mechanism.every_speed, "speed")
    kinds |= dict.fromkeys(mechanism.states, "signal")
    for name in dict.fromkeys((reads,) if isinstance(reads, str) else reads):
        if name in mechanism.bodies:
            bodies.append(name)
        elif name in kinds:
            others.append(symbol(name, kinds[name]))
        else:
            raise unknown(place, "quantity", name, (*mechanism.bodies, *kinds))
    return tuple(bodies), tuple(others)


def _freedom(mechanism: Mechanism, place: str, coordinate: str) -> tuple[str, tuple[Expr, Expr]]:
    """The joint of a coordinate, and the symbols of the coordinate and its speed."""
    for joint in mechanism.joints.values():
        if coordinate in joint.coordinates:
            k = freedom_index(place, joint, coordinate)
            symbols = symbol(coordinate, "coordinate"), symbol(joint.speeds[k], "speed")
            return joint.name, symbols
    raise unknown(place, "coordinate", coordinate, mechanism.every_coordinate)
