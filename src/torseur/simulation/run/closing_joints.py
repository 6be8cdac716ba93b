"""The coordinates, speeds and accelerations of joints that close loops, all samples at once.

A joint reads its own coordinates from the pose of M in F, v_k = S_k·t / S_k·S_k from the motion
t = (ω; v), and a_k from the rate of that.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import expressions
from torseur.equations.symbols.system import System
from torseur.model.description import Joint
from torseur.model.joints.protocol import JointType
from torseur.spatial import quaternion
from torseur.spatial.attitude_steps import exponential

Array = np.ndarray


def with_coordinates(system: System) -> list[Joint]:
    """The joints that close loops and have coordinates."""
    joints = system.mechanism.joints
    closing = [joints[cut.name] for cut in system.cuts if cut.name in joints]
    return [joint for joint in closing if joint.coordinates]


def motion_values(q: Array, motions: Array) -> dict[str, Any]:
    """The symbols of `speeds_read` at samples, from the coordinates and the motions of a joint."""
    known = {f"q[{k}]": x for k, x in enumerate(q.T)}
    return known | {f"t[{k}]": x for k, x in enumerate(motions[:, 12:].T)}


@lru_cache(maxsize=256)
def speeds_read(joint: Any) -> tuple[Array, Array]:
    """The speeds of a joint and their rates, as expressions of its coordinates, of t and of ṫ."""
    q, t, rate = (
        np.array([symbol(f"{name}[{k}]", "input") for k in range(count)], dtype=object)
        for name, count in (("q", joint.nq), ("t", 6), ("t.", 6))
    )
    S = expressions(joint.motion_subspace(q))
    v = expressions([S[:, k] @ t / (S[:, k] @ S[:, k]) for k in range(joint.nv)])
    along = dict(zip(q, joint.rates(q, v), strict=True)) | dict(zip(t, rate, strict=True))
    return v, time_derivative(v, along)


# --- followed from sample to sample --------------------------------------------------------------


def followed(joint: JointType, t: Array, samples: Array, speeds: Array) -> Array:
    """The coordinates of a joint (samples, nq) without jumps, which its speeds foretell.

    Whole turns are added to angles; of a quaternion a and −a, the one that is nearer to what the
    speeds between two samples lead to. It has w ≥ 0 at first.
    """
    result, mean = samples.copy(), (speeds[1:] + speeds[:-1]) / 2 * np.diff(t)[:, np.newaxis]
    if joint.turning:
        flips = np.cumprod(_signs(result[:-1, -4:], mean[:, -3:], result[1:, -4:]))
        result[1:, -4:] *= flips[:, np.newaxis]
    for k in angles(joint):
        result[1:, k] += np.cumsum(turns(result[:-1, k] + mean[:, k], result[1:, k]))
    return result


def beside(joint: JointType, samples: Array, known: Array, ahead: Array) -> Array:
    """The coordinates of a joint (samples, nq), each beside known ones from which it moved on.

    `ahead` (samples, nv) is what the speeds have made of the way since then.
    """
    result = samples.copy()
    if joint.turning:
        signs = _signs(known[:, -4:], ahead[:, -3:], result[:, -4:])
        result[:, -4:] *= signs[:, np.newaxis]
    for k in angles(joint):
        result[:, k] += turns(known[:, k] + ahead[:, k], result[:, k])
    return result


def angles(joint: JointType) -> list[int]:
    """The coordinates of a joint that whole turns leave as they are."""
    units = enumerate(joint.coordinate_units)
    return [k for k, unit in units if unit == "rad" and k < joint.nv]


def turns(foretold: Any, angles: Any) -> Any:
    """Whole turns between angles and what was foretold of them [rad]."""
    return 2 * np.pi * np.round((foretold - angles) / (2 * np.pi))


def _signs(before: Array, ahead: Array, after: Array) -> Array:
    """−1 where the speeds lead from one attitude to minus the other."""
    foretold = quaternion.product(before.T, exponential(ahead.T))
    return np.where((foretold * after.T).sum(axis=0) < 0, -1.0, 1.0)
