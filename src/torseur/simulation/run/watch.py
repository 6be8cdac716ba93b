"""A run watches itself: what opens a loop or breaks the balance of energy is no result.

Limits of joints do not act on a motion, so that it is told where it passes them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.errors import SolveError
from torseur.model.description import Joint
from torseur.simulation.run.fits import check_fits
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
OPEN = 1e-6  # a gap, beside the size of the mechanism or a radian, from which a loop is open
LOST = 0.05  # of the energies exchanged: a balance so wrong is no motion of the mechanism
# An error of the balance that a relative tolerance explains, and one that no one need be told of.
EXPLAINED, _SMALL = 1e4, 1e-5
_CLOSE = 1e-9  # of the range: a motion up to a limit does not pass it


def watched(run: Run, rtol: float | None) -> Run:
    """The run, with a notice where its energy is off; an error if it is no motion at all.

    `rtol` is the tolerance of a method that controls its error, None for steps of a given length,
    whose error is what the user asked for.
    """
    _check_finite(run)
    check_fits(run)
    _check_closed(run)
    drift = run.energy_drift
    if rtol is not None and drift > max(LOST, EXPLAINED * rtol):
        raise SolveError(
            _when(run, _imbalance(run)),
            say(
                "the balance of energy is off by {drift:.2g} of the energies exchanged: this is no "
                "motion of the mechanism.",
                drift,
            ),
            "A smaller rtol may help; a force that jumps, or that is far stiffer than the rest, "
            "can cause it.",
        )
    if drift > max(_SMALL, EXPLAINED * (rtol or 0.0)):
        remedy = say("a shorter step") if rtol is None else say("a smaller rtol")
        run.notices = (
            *run.notices,
            say(
                "The balance of energy is off by {drift:.1g} of the energies exchanged; {remedy} "
                "makes it better.",
                drift,
                remedy,
            ),
        )
    return run


def _when(run: Run, sizes: Array) -> str:
    """The instant at which something is largest."""
    return f"t = {run.t[int(sizes.argmax())]:.6g} s"


def _imbalance(run: Run) -> Array:
    total = run.energy["kinetic"] + run.energy["potential"] - run.energy["work"]
    return np.asarray(np.abs(total - total[0]))


def _check_finite(run: Run) -> None:
    """Refuse states that are not numbers."""
    wrong = ~(np.isfinite(run.q).all(axis=1) & np.isfinite(run.v).all(axis=1))
    if wrong.any():
        raise SolveError(
            _when(run, wrong),
            "the state is not a number.",
            "Look for a division by zero, a root or a logarithm of something negative.",
        )


def _check_closed(run: Run) -> None:
    """Refuse a run whose loops open."""
    openings = run.samples.openings
    if openings.max(initial=0.0) > OPEN:
        k = int(openings.argmax())
        name, gap = run.samples.worst_gap(k)
        raise SolveError(
            _when(run, openings),
            say(
                '"{name}" is open by {gap:.3g} (m or rad): this is no motion of the mechanism.',
                name,
                gap,
            ),
            "A smaller rtol may help, or other coordinates.",
        )


def noted(run: Run) -> Run:
    """The run, with a notice for every limit it passes."""
    joints = run.model.mechanism.joints.values()
    run.notices = (*run.notices, *(note for joint in joints for note in _passed(run, joint)))
    return run


def _passed(run: Run, joint: Joint) -> Iterator[str]:
    for name, *ends, unit in joint.limited if joint.stop is None else ():
        low, high = (float(evaluate(x, run.model.parameters)) for x in ends)
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
                "s, by up to {beyond:.4g} {unit} at t = {t2:.4g} s; limits act on "
                "the motion with an entry stop only.",
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
