"""Configurations close to one, reached by small motions that the mechanism allows."""

from __future__ import annotations

import numpy as np

from torseur.analyse.at_a_state.pose import Posed

Array = np.ndarray
STEP = 0.03  # rad, or part of the size of the mechanism
# A displacement that closing undoes was no motion.
_REACHED = 0.2


def neighbours(here: Posed, count: int = 4) -> list[Posed]:
    """Configurations about STEP away, both ways along seeded directions of the free motions."""
    motions = here.scale[:, np.newaxis] * _orthonormal(here)
    if not motions.shape[1]:
        return []
    rng = np.random.default_rng(0)
    starts = []
    for _ in range(count):
        step = motions @ rng.normal(size=motions.shape[1])
        step *= STEP / np.linalg.norm(step / here.scale)
        for way in (step, -step):
            there = here.moved(way)
            if there is not None and here.distance(there) > _REACHED * STEP:
                starts.append(there)
    return starts


def _orthonormal(here: Posed) -> Array:
    """The free motions with lengths in units of the mechanism's size."""
    scaled = here.ranks.kernel / here.scale[:, np.newaxis]
    return np.linalg.qr(scaled)[0] if scaled.shape[1] else scaled
