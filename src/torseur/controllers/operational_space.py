"""Control of a place in space: forces that accelerate it as asked, whatever moves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from torseur.algebra.core.expr import Expr, symbol
from torseur.algebra.core.graph import expressions
from torseur.controllers.controller import Controller, known_model
from torseur.controllers.reference import Gain, gains, reference_of
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.equations.expressions.linear import factorised, parents_of_speeds
from torseur.equations.functions.placed import named_function, placed_name
from torseur.errors import ModelError, require_known
from torseur.model.description import Mechanism
from torseur.words.sentence import say

Array = np.ndarray
AXES = ("x", "y", "z")
_ROTATION = 1e-9  # how far a matrix may be from a rotation


def operational_space(
    mechanism: Mechanism,
    place: str,
    reference: Any,
    kp: Gain,
    kd: Gain,
    *,
    attitude: Sequence[Sequence[float]] | None = None,
    damping: float = 0.0,
    softness: float = 0.0,
    parameters: Mapping[str, float] | None = None,
) -> Controller:
    """Forces under which a place follows a position, {"x": "0.3*cos(t)", "z": 0.4} or a point.

    Along the axes of the reference, in the ground, the error obeys ë + kd ė + kp e = 0 if the model
    is right; `attitude` is the rotation matrix in the ground that a body or a frame should have
    besides, with the gains of the first axis.
    Motions that the place does not feel are damped, v̇ = −damping v. Near singular poses, where the
    place cannot move along some direction, forces grow without bound; with a `softness` such as
    1e-3 that share of the mean mobility is added along every direction, so that they stay bounded
    and the place follows less exactly there: Nakamura and Hanafusa (1986), Inverse kinematic
    solutions with singularity robustness for robot manipulator control.
    Q = M M⁻¹Jᵀ Λ (ẍ* − J̇ v) + h + g with Λ = (J M⁻¹ Jᵀ)⁻¹: Khatib (1987), A unified approach for
    motion and force control of robot manipulators.
    """
    listed = isinstance(reference, Sequence | np.ndarray) and not isinstance(reference, str)
    if listed and np.shape(reference) == (len(AXES),):
        reference = dict(zip(AXES, reference, strict=True))
    model, target = known_model(mechanism, parameters), reference_of(reference)
    names, axes = model.free_coordinates, tuple(target.positions)
    require_known("reference", "axis", axes, AXES)
    P, D = gains("kp", kp, axes), gains("kd", kd, axes)
    system, r = model.system, target.motion(axes)
    J, rate, pose = (
        named_function(placed_name(name, place), model.mechanism).build(system)
        for name in ("jacobian", "jacobian_rate", "pose")
    )
    along = [AXES.index(axis) for axis in axes]
    rows = [len(J) - 3 + k for k in along]  # (ω; v), of a point v
    x, velocity = pose[along, 3], J[rows] @ system.v
    acceleration = r.a + D.symbols * (r.v - velocity) + P.symbols * (r.q - x)
    if attitude is not None:
        _require_attitude(place, J)
        rows = [0, 1, 2, *rows]
        turned = P.symbols[0] * _turn_left(pose[:3, :3], attitude) - D.symbols[0] * J[:3] @ system.v
        acceleration = np.concatenate([turned, acceleration])
    J, rate, loose = J[rows], rate[rows], symbol("damping")
    X = factorised(model.function("mass_matrix"), J.T, parents_of_speeds(regrouped(system.tree)))
    mobility = _softened(J @ X, symbol("softness"), len(rows) - len(axes))
    force = factorised(
        expressions(mobility), acceleration - rate @ system.v + loose * (J @ system.v)
    )
    forces = model.inverse_dynamics(system.q, system.v, X @ force - loose * system.v)
    tuned = {**P.values, **D.values, "damping": float(damping)}
    tuned["softness"] = float(softness)
    return model.law("operational_space", names, forces, tuned)


def _softened(A: Array, share: Expr, turning: int) -> Array:
    """J M⁻¹ Jᵀ and a share of its mean along every direction, of turns and of the others apart."""
    n, soft = len(A), np.array(A, dtype=object)
    for rows in (range(turning), range(turning, n)):
        mean = sum(A[k, k] for k in rows) / max(len(rows), 1)
        for k in rows:
            soft[k, k] = A[k, k] + share * mean
    return soft


def _require_attitude(place: str, J: Array) -> None:
    """A named point does not turn."""
    if len(J) < 6:
        raise ModelError(
            "attitude",
            say('"{place}" is a point, which has none.', place),
            "Name a body or a frame.",
        )


def _turn_left(R: Array, goal: Any) -> Array:
    """½ Σ rᵢ × gᵢ: about which axis, and by the sine of which angle, R must turn to be the goal."""
    G = np.asarray(goal, dtype=float)
    if G.shape != (3, 3) or np.abs(G @ G.T - np.eye(3)).max() > _ROTATION or np.linalg.det(G) < 0:
        raise ModelError(
            "attitude",
            say("{goal} is no rotation matrix.", np.array2string(G, precision=4)),
            "Give the 3×3 matrix whose columns are the axes of the place, in the ground.",
        )
    return expressions(sum(np.cross(R[:, k], G[:, k]) for k in range(3)) / 2)
