"""Coordinates that were read from poses, followed beyond half a turn from sample to sample."""

from __future__ import annotations

import numpy as np

from torseur.model.joints.protocol import JointType
from torseur.spatial import quaternion
from torseur.spatial.attitude_steps import exponential

Array = np.ndarray


def followed(joint: JointType, t: Array, samples: Array, speeds: Array) -> Array:
    """The coordinates of a joint (samples, nq) without jumps, which its speeds foretell.

    Whole turns are added to angles; of a quaternion a and −a, the one that is nearer to what the
    speeds between two samples lead to. It has w ≥ 0 at first.
    """
    found, mean = samples.copy(), (speeds[1:] + speeds[:-1]) / 2 * np.diff(t)[:, np.newaxis]
    if joint.turning:
        flips = np.cumprod(_signs(found[:-1, -4:], mean[:, -3:], found[1:, -4:]))
        found[1:, -4:] *= flips[:, np.newaxis]
    for k in angles(joint):
        found[1:, k] += np.cumsum(_turns(found[:-1, k] + mean[:, k], found[1:, k]))
    return found


def beside(joint: JointType, samples: Array, known: Array, ahead: Array) -> Array:
    """The coordinates of a joint (samples, nq), each beside known ones from which it moved on.

    `ahead` (samples, nv) is what the speeds have made of the way since then.
    """
    found = samples.copy()
    if joint.turning:
        signs = _signs(known[:, -4:], ahead[:, -3:], found[:, -4:])
        found[:, -4:] *= signs[:, np.newaxis]
    for k in angles(joint):
        found[:, k] += _turns(known[:, k] + ahead[:, k], found[:, k])
    return found


def angles(joint: JointType) -> list[int]:
    """The coordinates of a joint that whole turns leave as they are."""
    units = enumerate(joint.coordinate_units)
    return [k for k, unit in units if unit == "rad" and k < joint.nv]


def _turns(foretold: Array, angles: Array) -> Array:
    """Whole turns between angles and what was foretold of them [rad]."""
    return 2 * np.pi * np.round((foretold - angles) / (2 * np.pi))


def _signs(before: Array, ahead: Array, after: Array) -> Array:
    """−1 where the speeds lead from one attitude to minus the other."""
    foretold = quaternion.product(before.T, exponential(ahead.T))
    return np.where((foretold * after.T).sum(axis=0) < 0, -1.0, 1.0)
