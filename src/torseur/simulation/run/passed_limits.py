"""Limits of joints that a motion passes: they do not act on it, so that it is told."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.model.description import Joint
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

_CLOSE = 1e-9  # of the range: a motion up to a limit does not pass it


def noted(run: Run) -> Run:
    """The run, with a notice for every limit it passes."""
    joints = run.model.mechanism.joints.values()
    run.notices = (*run.notices, *(note for joint in joints for note in _passed(run, joint)))
    return run


def _passed(run: Run, joint: Joint) -> Iterator[str]:
    given = zip(joint.coordinates, joint.limits, joint.kind.coordinate_units, strict=False)
    for name, limits, unit in given:
        if limits is None:
            continue
        low, high = (float(evaluate(x, run.model.parameters)) for x in limits)
        q = run[name]
        margin = _CLOSE * max(high - low, abs(low), abs(high))
        beyond = np.maximum(low - q, q - high)
        outside = np.flatnonzero(beyond > margin)
        if not len(outside):
            continue
        first, worst = outside[0], int(np.argmax(beyond))
        side, limit = (say("below"), low) if q[first] < low else (say("above"), high)
        yield (
            say(
                'joint "{joint}": {name} is {side} its limit {limit:.6g} {unit} from t = {t:.4g} '
                "s, by up to {beyond:.4g} {unit} at t = {t2:.4g} s; limits do not act on the "
                "motion.",
                joint.name,
                name,
                side,
                limit,
                unit,
                run.t[first],
                beyond[worst],
                run.t[worst],
            )
        )
