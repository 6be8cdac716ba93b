"""Absolute coordinates: every body free, at its mass centre, and every joint a constraint.

Llibre (2009), chapter 4: M w' + h + g = Q + Jᵀ λ, J w' + γ = 0, with the position of each centre
and its velocity in ground axes, a unit quaternion, and the angular velocity in body axes. λ is what
the first body of a joint exerts on the second (erratum E0-24).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO, symbol
from torseur.algebra.core.graph import expressions
from torseur.dynamics.absolute.joint_rows import meanings
from torseur.equations.actions.applied import applied_forces, drive
from torseur.equations.constraints.absolute_rows import Ends, absolute_constraints, check_composed
from torseur.equations.constraints.unknowns import row_meanings
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System, symbols_of
from torseur.model.description import GROUND, JointLoad, Mechanism
from torseur.model.freed import COORDINATES, SPEEDS
from torseur.model.joints.library import Free
from torseur.spatial.inertia import inertia
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import cross
from torseur.topology.structure import closing_parts, cuts_of
from torseur.topology.tree import GROUND_INDEX, Link, Tree

Array = np.ndarray


def derive(system: System) -> Equations:
    """The equations in the speeds of all bodies, three of the centre and three of the rotation."""
    check_composed(system.mechanism)
    mechanism = _with_motors_as_loads(system.mechanism)
    free = free_system(mechanism, mechanism.bodies)
    n = len(free.tree)
    M = np.full((6 * n, 6 * n), ZERO, dtype=object)
    h, g = np.full(6 * n, ZERO, dtype=object), np.full(6 * n, ZERO, dtype=object)
    for i, link in free.tree:
        move, turn = slice(6 * i, 6 * i + 3), slice(6 * i + 3, 6 * i + 6)
        I, w = expressions(link.inertia.tensor), free.v[turn]
        M[move, move] = link.inertia.m * np.eye(3, dtype=int)
        M[turn, turn] = I
        h[turn] = cross(w, I @ w)
        g[move] = -link.inertia.m * mechanism.gravity
    _add_rotors(system.mechanism, free, M, h)
    Q, constraints = applied_forces(free), absolute_constraints(free)
    whole = M @ free.a + h + g
    return Equations(free, "absolute", M, h, g, Q, whole, given_constraints=constraints)


def _with_motors_as_loads(mechanism: Mechanism) -> Mechanism:
    """Motors exert what they would on a coordinate; their rotors are added to the masses."""
    loads: dict[str, Any] = dict(mechanism.loads)
    for motor in mechanism.motors.values():
        speed = symbol(mechanism.joints[motor.joint].speeds[0], "speed")
        loads[f"motors.{motor.name}"] = JointLoad(
            motor.name, motor.joint, drive(motor, speed), motor.place
        )
    return replace(mechanism, motors={}, loads=loads)


def _add_rotors(mechanism: Mechanism, free: System, M: Array, h: Array) -> None:
    """T = ½ α² j q̇² + α j q̇ ε·ω: the masses it adds, and what speeds ask for."""
    ends = Ends(free)
    for motor in mechanism.motors.values():
        if not motor.rotor_inertia:
            continue
        joint = mechanism.joints[motor.joint]
        row, bias = ends.measure(joint, 0)
        M += motor.ratio**2 * motor.rotor_inertia * np.outer(row, row)
        h += motor.ratio**2 * motor.rotor_inertia * bias * row
        if motor.axis is None or joint.first == GROUND:
            continue
        turn = ends.speeds(joint.first)[3:]
        spin = np.full(len(h), ZERO, dtype=object)
        spin[turn] = motor.ratio * motor.rotor_inertia * expressions(motor.axis)
        M += np.outer(row, spin) + np.outer(spin, row)
        h += bias * spin
        h[turn] += (row @ free.v) * cross(free.v[turn], spin[turn])


def _coordinate_name(body: str, part: str) -> str:
    return f"{body}_{part}"


def free_system(
    mechanism: Mechanism,
    bodies: Iterable[str],
    *,
    named: Callable[[str, str], str] = _coordinate_name,
) -> System:
    """These bodies, each free; every joint of the mechanism closes a loop between them."""
    listed, zero = tuple(bodies), np.zeros(3)
    links = []
    for k, body in enumerate(mechanism.bodies[name] for name in listed):
        links.append(
            Link(
                body.name,
                GROUND_INDEX,
                Free(),
                Pose(),
                inertia(body.mass, zero, body.inertia),
                slice(7 * k, 7 * k + 7),
                slice(6 * k, 6 * k + 6),
                X_MB=Pose(-expressions(body.centre)),
            )
        )
    tree = Tree(tuple(links), 7 * len(links), 6 * len(links))

    def symbols(parts: tuple[str, ...], kind: str, end: str = "") -> Array:
        return symbols_of((named(name, part) + end for name in listed for part in parts), kind)

    return System(
        mechanism,
        tree,
        symbols(COORDINATES, "coordinate"),
        symbols(SPEEDS, "speed"),
        symbols(SPEEDS, "acceleration", "."),
        cuts_of(tree, closing_parts(mechanism, mechanism.joints.values())),
    )


# --- what the multipliers are -------------------------------------------------------------------


def multiplier_meanings(mechanism: Mechanism, owners: Sequence[str]) -> tuple[str, ...]:
    """In words, the force or couple that each multiplier is, row by row of its owners."""
    carried = {joint.name: meanings(joint.kind) for joint in mechanism.joints.values()}
    return row_meanings(mechanism, owners, carried)
