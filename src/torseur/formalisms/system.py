"""A mechanism ready for the recursions: its tree, its symbols and what is applied to it."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.expr import Expr, symbol
from torseur.dynamics.newton_euler import Wrench, inverse_dynamics
from torseur.errors import ModelError
from torseur.formalisms.places import Places
from torseur.mechanism.description import GROUND, BodyLoad, JointLoad, Mechanism, Motor
from torseur.spatial.vectors import cross
from torseur.topology.structure import Cut, structure
from torseur.topology.tree import Tree

Array = np.ndarray


@final
@dataclass(frozen=True)
class System:
    """The tree, the joints that close it, and the symbols of the tree's state in order."""

    mechanism: Mechanism
    tree: Tree
    q: Array
    v: Array
    a: Array
    cuts: tuple[Cut, ...] = ()

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of q."""
        return tuple(x.name for x in self.q)

    @property
    def speeds(self) -> tuple[str, ...]:
        """The names of v, those of the rows of the equations."""
        return tuple(x.name for x in self.v)

    @property
    def gravity(self) -> Array:
        """The field in ground axes."""
        return self.mechanism.gravity


def system(mechanism: Mechanism) -> System:
    """The system of a mechanism; its state is that of the joints that carry bodies."""
    found = structure(mechanism)
    return System(
        mechanism,
        found.tree,
        _symbols(found.coordinates, "coordinate"),
        _symbols(found.speeds, "speed"),
        _symbols([f"{name}." for name in found.speeds], "acceleration"),
        found.cuts,
    )


def _symbols(names: tuple[str, ...] | list[str], kind: str) -> Array:
    return np.array([symbol(name, kind) for name in names], dtype=object)


def applied_forces(system: System) -> Array:
    """Q: motors less friction, forces on joints, and wrenches on bodies through their Jacobians."""
    Q = np.zeros(system.tree.nv, dtype=object)
    rows = {link.joint_name: link.v.start for _, link in system.tree}
    acting: list[Motor | JointLoad] = [*system.mechanism.motors.values()]
    acting += [x for x in system.mechanism.loads.values() if isinstance(x, JointLoad)]
    for action in acting:
        if action.joint not in rows:
            raise _in_a_closing_joint(action.place or action.name, action.joint)
        row = rows[action.joint]
        own = drive(action, system.v[row]) if isinstance(action, Motor) else action.value
        Q[row] = Q[row] + own
    wrenches = external_wrenches(system)
    if wrenches:
        still, weightless = np.zeros(system.tree.nv), np.zeros(3)
        held = inverse_dynamics(system.tree, system.q, still, still, weightless, external=wrenches)
        Q = Q - held.Q
    return Q


def _in_a_closing_joint(place: str, joint: str) -> ModelError:
    return ModelError(
        place,
        f'it acts in joint "{joint}", and every joint of that loop has a motor or a force.',
        "Leave one joint of the loop without, so that the loop can be cut there.",
    )


def drive(motor: Motor, speed: Expr) -> Expr:
    """α C_m − (α² ξ_e + ξ_s) q̇ − (α Q_e + Q_s) sign q̇ (Llibre 2009, (3.4); erratum E0-18)."""
    ratio = motor.ratio
    size = abs(ratio)
    viscous = ratio**2 * motor.viscous_motor + motor.viscous_output
    forward = size * motor.dry_motor[0] + motor.dry_output[0]
    backward = size * motor.dry_motor[1] + motor.dry_output[1]
    direction = speed.sign()
    dry = (forward + backward) / 2 * direction + (forward - backward) / 2 * abs(direction)
    return ratio * motor.torque - viscous * speed - dry


def external_wrenches(system: System) -> dict[int, Wrench]:
    """The applied wrench of each loaded body, at the origin and in the axes of its frame."""
    found: dict[int, Wrench] = {}
    places = Places(system.tree, system.q, system.v)
    for load in system.mechanism.loads.values():
        for body, point, force, couple in _actions(load, places):
            i = places.index[body]
            X_MB = system.tree.links[i].X_MB
            turned = places.into(i, force), places.into(i, couple)
            if isinstance(load, BodyLoad) and load.follows:
                turned = X_MB.R.out(force), X_MB.R.out(couple)
            before = found.get(i, (np.zeros(3), np.zeros(3)))
            moment = turned[1] + cross(X_MB.point(point), turned[0])
            found[i] = (before[0] + turned[0], before[1] + moment)
    return found


def _actions(load: Any, places: Places) -> list[tuple[str, Array, Array, Array]]:
    """Body, point, force and couple of everything a load does to a body that can move."""
    if isinstance(load, JointLoad):
        return []
    if isinstance(load, BodyLoad):
        return [(load.body, load.point, load.force, load.couple)]
    pull, nothing = places.pull(load), np.zeros(3)
    ends = ((load.first, pull), (load.second, -pull))
    return [(end.body, end.point, f, nothing) for end, f in ends if end.body != GROUND]


def stored_energy(system: System) -> Any:
    """The potential energy of springs and other forces that have one."""
    places, total = Places(system.tree, system.q, system.v), 0.0
    for load in system.mechanism.loads.values():
        if not isinstance(load, JointLoad | BodyLoad):
            total = total + load.potential(places.length(load))
    return total
