"""Ill-posed equations named: which coordinates no inertia resists."""

from typing import Any

import numpy as np

from torseur.algebra.graph import evaluate, free_symbols
from torseur.formalisms.equations import Equations
from torseur.formalisms.system import System
from torseur.mechanism.description import Mechanism

Array = np.ndarray

# A mass matrix is singular for every configuration exactly when it is at a random one: its
# determinant is an analytic function. Rank is judged against rounding, far below any real inertia.
_ROUNDING = 1e-11


def free_directions(M: Array, mechanism: Mechanism, seed: int = 0) -> Array:
    """The combinations of speeds that carry no kinetic energy at any configuration (n × r)."""
    rng = np.random.default_rng(seed)
    values: dict[str, Any] = {x.name: rng.uniform(0.5, 2.0) for x in free_symbols(M)}
    given = mechanism.parameters
    values |= {name: value for name, value in given.items() if value is not None}
    numbers = np.asarray(evaluate(M, values), dtype=float).reshape(M.shape)
    if not numbers.size:
        return np.zeros((0, 0))
    _, sizes, rows = np.linalg.svd(numbers)
    return rows[sizes <= _ROUNDING * max(sizes[0], 1e-300)].T


def inertia_notices(equations: Equations) -> tuple[str, ...]:
    """A sentence for each motion without inertia: the mass matrix is singular."""
    return singular_notices(equations.M, equations.system)


def singular_notices(M: Array, system: System) -> tuple[str, ...]:
    """A sentence for each motion that a mass matrix gives no inertia to.

    In absolute coordinates there is none to say: what has no inertia is held by constraints.
    """
    mechanism = system.mechanism
    joints = {speed: joint for joint in mechanism.joints.values() for speed in joint.speeds}
    if not set(system.speeds) <= set(joints):
        return ()
    notices = []
    for direction in free_directions(M, mechanism).T:
        sizes = zip(system.speeds, np.abs(direction), strict=True)
        moving = [speed for speed, size in sizes if size > 1e-6]
        named = ", ".join(dict.fromkeys(f'"{joints[speed].name}"' for speed in moving))
        coordinates = ", ".join(speed.removesuffix(".") for speed in moving)
        notices.append(
            f"singular mass matrix: coordinate {coordinates} (joint {named}) carries no inertia. "
            "Accelerations cannot be computed. Give the body it moves a moment of inertia about "
            "its axis, or give its motor a rotor inertia."
        )
    return tuple(notices)
