"""Coordinates that were read from poses, followed beyond half a turn from sample to sample."""

from __future__ import annotations

import numpy as np

from torseur.joints.protocol import JointType
from torseur.simulation.attitude import exponential
from torseur.spatial import quaternion

Array = np.ndarray


def followed(joint: JointType, t: Array, samples: Array, speeds: Array) -> Array:
    """The coordinates of a joint (samples, nq) without jumps, which its speeds foretell.

    Whole turns are added to angles; of a quaternion a and −a, the one that is nearer to what the
    speeds between two samples lead to. It has w ≥ 0 at first.
    """
    found, mean = samples.copy(), (speeds[1:] + speeds[:-1]) / 2 * np.diff(t)[:, np.newaxis]
    if joint.turning:
        found[:, -4:] *= _signs(found[:, -4:], mean[:, -3:])[:, np.newaxis]
    for k, unit in enumerate(joint.coordinate_units):
        if unit == "rad" and k < joint.nv:
            found[1:, k] += 2 * np.pi * np.cumsum(_turns(found[:, k], mean[:, k]))
    return found


def _turns(angles: Array, ahead: Array) -> Array:
    """Whole turns between each angle and what was foretold of it."""
    return np.round((ahead - np.diff(angles)) / (2 * np.pi))


def _signs(attitudes: Array, ahead: Array) -> Array:
    signs = [-1.0 if attitudes[0, 0] < 0 else 1.0]
    for before, after, delta in zip(attitudes[:-1], attitudes[1:], ahead, strict=True):
        foretold = quaternion.product(before, exponential(delta))
        signs.append(-signs[-1] if foretold @ after < 0 else signs[-1])
    return np.array(signs)
