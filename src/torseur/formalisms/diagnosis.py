"""Ill-posed equations named: which coordinates no inertia resists."""

import numpy as np

from torseur.algebra.graph import evaluate, free_symbols
from torseur.formalisms.equations import Equations

# A mass matrix is singular for every configuration exactly when it is at a random one: its
# determinant is an analytic function. Rank is judged against rounding, far below any real inertia.
_ROUNDING = 1e-11


def free_directions(equations: Equations, seed: int = 0) -> np.ndarray:
    """The combinations of speeds that carry no kinetic energy at any configuration (n × r)."""
    rng = np.random.default_rng(seed)
    M = equations.M
    values = {x.name: rng.uniform(0.5, 2.0) for x in free_symbols(M)}
    table = equations.system.mechanism.parameters
    values |= {name: value for name, value in table.items() if value is not None}
    numbers = np.asarray(evaluate(M, values), dtype=float).reshape(M.shape)
    if not numbers.size:
        return np.zeros((0, 0))
    _, sizes, rows = np.linalg.svd(numbers)
    return rows[sizes <= _ROUNDING * max(sizes[0], 1e-300)].T


def inertia_notices(equations: Equations) -> tuple[str, ...]:
    """A sentence for each motion without inertia: the mass matrix is singular."""
    directions = free_directions(equations)
    names = {speed: joint for joint in equations.system.mechanism.joints.values()
             for speed in joint.speeds}  # fmt: skip
    notices = []
    for direction in directions.T:
        moving = [
            s for s, size in zip(equations.speeds, direction, strict=True) if abs(size) > 1e-6
        ]
        joints = ", ".join(dict.fromkeys(f'"{names[s].name}"' for s in moving))
        coordinates = ", ".join(s.removesuffix(".") for s in moving)
        notices.append(
            f"singular mass matrix: coordinate {coordinates} (joint {joints}) carries no inertia. "
            "Accelerations cannot be computed. Give the body it moves a moment of inertia about "
            "its axis, or give its motor a rotor inertia."
        )
    return tuple(notices)
