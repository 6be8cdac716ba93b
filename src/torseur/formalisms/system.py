"""A mechanism ready for the recursions: its tree, its symbols and what is applied to it."""

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.expr import Expr, symbol
from torseur.dynamics.kinematics import ground_poses
from torseur.dynamics.newton_euler import Wrench, inverse_dynamics
from torseur.mechanism.description import BodyLoad, JointLoad, Mechanism, Motor
from torseur.spatial.vectors import cross
from torseur.topology.spanning import spanning_tree
from torseur.topology.tree import Tree

Array = np.ndarray


@final
@dataclass(frozen=True)
class System:
    """The symbols of the state, in the order of the mechanism's names, and the tree."""

    mechanism: Mechanism
    tree: Tree
    q: Array
    v: Array
    a: Array

    @property
    def gravity(self) -> Array:
        """The field in ground axes."""
        return self.mechanism.gravity


def system(mechanism: Mechanism) -> System:
    """The system of a mechanism without loops."""
    return System(
        mechanism,
        spanning_tree(mechanism),
        _symbols(mechanism.coordinates, "coordinate"),
        _symbols(mechanism.speeds, "speed"),
        _symbols([f"{name}." for name in mechanism.speeds], "acceleration"),
    )


def _symbols(names: tuple[str, ...] | list[str], kind: str) -> Array:
    return np.array([symbol(name, kind) for name in names], dtype=object)


def applied_forces(system: System) -> Array:
    """Q: motors less friction, forces on joints, and wrenches on bodies through their Jacobians."""
    Q = np.zeros(system.tree.nv, dtype=object)
    rows = {link.joint_name: link.v.start for _, link in system.tree}
    for motor in system.mechanism.motors.values():
        row = rows[motor.joint]
        Q[row] = Q[row] + drive(motor, system.v[row])
    for load in system.mechanism.loads.values():
        if isinstance(load, JointLoad):
            Q[rows[load.joint]] = Q[rows[load.joint]] + load.value
    wrenches = external_wrenches(system)
    if wrenches:
        still = np.zeros(system.tree.nv)
        pushed = inverse_dynamics(
            system.tree, system.q, still, still, np.zeros(3), external=wrenches
        )
        Q = Q - pushed.Q
    return Q


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
    loads = [x for x in system.mechanism.loads.values() if isinstance(x, BodyLoad)]
    if not loads:
        return {}
    index = {link.name: i for i, link in system.tree}
    placed = ground_poses(system.tree, system.q)
    found: dict[int, Wrench] = {}
    for load in loads:
        i = index[load.body]
        X_MB = system.tree.links[i].X_MB
        force, couple = load.force, load.couple
        if load.follows:
            force, couple = X_MB.R.out(force), X_MB.R.out(couple)
        else:
            force, couple = placed[i].R.into(force), placed[i].R.into(couple)
        before = found.get(i, (np.zeros(3), np.zeros(3)))
        couple = couple + cross(X_MB.point(load.point), force)
        found[i] = (before[0] + force, before[1] + couple)
    return found
