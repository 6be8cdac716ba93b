"""Self-checks of a run: open loops, lost energy and points off their track are errors."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate, reachable
from torseur.errors import SolveError
from torseur.model.constraints.protocol import JointRows
from torseur.model.constraints.selection import one_sided, restraints
from torseur.model.description import Mechanism
from torseur.model.forces.joint import GeneralisedPotential
from torseur.model.forces.protocol import Force
from torseur.model.joints.curve_contacts import CurveContact
from torseur.model.joints.rolling import at_poses
from torseur.simulation.run.quantities import energy_error
from torseur.simulation.run.rope_check import check_ropes
from torseur.simulation.run.run import Run
from torseur.spatial.in_words import listed
from torseur.words.sentence import say

Array = np.ndarray
OPEN = 1e-6  # a gap, beside the size of the mechanism or a radian, from which a loop is open
LOST = 0.05  # of the energies exchanged: a balance so wrong is no motion of the mechanism
# An error of the balance that a relative tolerance explains, and one that no one need be told of.
EXPLAINED, _SMALL = 1e4, 1e-5
_TOUCHES = 1e-6  # of the size of what touches: a gap that is closed
_FITS = 1e-6  # of the curvature of what touches: by how much it must be more than that of the track
_BETWEEN = np.linspace(0.0, 1.0, 17)  # places from one sample to the next that are looked at
_ADVICE = (
    "Give a smaller radius, or a smoother track; a body that touches at two places needs two "
    "contacts."
)


def check_run(run: Run, rtol: float | None) -> Run:
    """The run, with a notice where its energy is off; an error if it is no motion at all.

    `rtol` is the tolerance of a method that controls its error, None for steps of a given length,
    whose error is what the user asked for.
    """
    _check_finite(run)
    _check_fits(run)
    _check_closed(run)
    check_ropes(run)
    drift = run.energy_drift
    if rtol is not None and drift > max(LOST, EXPLAINED * rtol):
        raise SolveError(
            _when(run, np.abs(energy_error(run))),
            say(
                "the balance of energy is off by {drift:.2g} of the energies exchanged: this is no "
                "motion of the mechanism.",
                drift,
            ),
            _energy_advice(run.model.mechanism),
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


def _energy_advice(mechanism: Mechanism) -> str:
    """Cure for a wrong balance of energy: potentials that jump, or steps that are too long."""
    jumping = [say('"{value}"', f.name) for f in mechanism.loads.values() if _may_jump(f)]
    if jumping:
        return say(
            "Where a potential jumps it has no force: make the potential of {names} continuous, "
            "or give the force by its own law.",
            listed(jumping),
        )
    return say(
        "A smaller rtol may help; a force that jumps, or that is far stiffer than the rest, "
        "can cause it."
    )


def _may_jump(force: Force) -> bool:
    """Whether the potential given for a force has pieces."""
    whole = isinstance(force, GeneralisedPotential)
    given = getattr(force, "value" if whole else "potential", None)
    return given is not None and any(x.op in ("if", "sign") for x in reachable([given]))


def _when(run: Run, sizes: Array) -> str:
    """The instant at which something is largest."""
    return f"t = {run.t[int(sizes.argmax())]:.6g} s"


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
            _advice(run, name),
        )


def _advice(run: Run, name: str) -> str:
    """Advice for open loops: an imposed motion that something blocks needs another law."""
    mechanism = run.model.mechanism
    stops = mechanism.contacts or any(joint.stop for joint in mechanism.joints.values())
    if name in mechanism.motions and stops:
        return say(
            "Does a contact or a stop hold it up? Let the law end before it, or drive by a motor "
            "or a force."
        )
    return "A smaller rtol may help, or other coordinates."


# --- whether what rolls or slides on a profile fits into it wherever it touches -------------------


def _check_fits(run: Run) -> None:
    """Refuse a run in which something passes a place of its track where it does not fit."""
    for rows in _on_tracks(run.model.mechanism):
        kind, R, p = _contact_motion(run, rows)
        gap = at_poses(kind.gap, R, p)[:, 0]
        size = max(abs(float(x)) for x in kind.lengths)
        wrong = _unfit(kind, R, p) & (np.abs(gap) < _TOUCHES * size)
        if wrong.any():
            raise SolveError(
                _when(run, wrong),
                say(
                    '"{name}": the track is more curved than the body that touches it, which '
                    "does not fit there.",
                    rows.name,
                ),
                _ADVICE,
            )


def with_track_advice(error: SolveError, mechanism: Mechanism) -> SolveError:
    """The error of a run, with what it may come from where something is on a track."""
    names = [say('"{value}"', rows.name) for rows in _on_tracks(mechanism)]
    if not names:
        return error
    hint = say("On a track: {names}. It may not fit there.", ", ".join(names))
    return SolveError(error.place, error.problem, *error.advice, hint, _ADVICE)


def _unfit(kind: CurveContact, R: Array, p: Array) -> Array:
    """(samples): whether between a sample and the next the track is bent too much."""
    place, position = at_poses(kind.place, R, p).T
    step = np.diff(place, append=place[-1:])
    if kind.track.closed:
        step = (step + np.pi) % (2 * np.pi) - np.pi
    passed = place[:, np.newaxis] + step[:, np.newaxis] * _BETWEEN
    margin = kind.track.curvature(passed) + position[:, np.newaxis]
    return np.asarray((margin < _FITS * position[:, np.newaxis]).any(axis=1))


def has_tracks(mechanism: Mechanism) -> bool:
    """Whether something is on a track, in which it must fit."""
    return any(True for _ in _on_tracks(mechanism))


def _on_tracks(mechanism: Mechanism) -> Iterator[JointRows]:
    for one in (*restraints(mechanism), *one_sided(mechanism)):
        rows = one.rows  # the tracks of a set of contacts are planes
        if isinstance(rows, JointRows) and isinstance(rows.kind, CurveContact):
            yield rows


def _contact_motion(run: Run, rows: JointRows) -> tuple[CurveContact, Array, Array]:
    """The contact with numbers, and the poses of M in F."""

    def number(x: object) -> float:
        return float(evaluate(expression(x), run.model.parameters))

    observer, kind = run.seen, rows.kind.numeric(number)
    X_AF, X_BM = rows.X_AF.numeric(number), rows.X_BM.numeric(number)
    A, B = (observer.frame(name, derivatives=0) for name in (rows.first, rows.second))
    R_F, R_M = A.R[0] @ X_AF.R.matrix, B.R[0] @ X_BM.R.matrix
    p_F, p_M = A.p[0] + A.R[0] @ X_AF.p, B.p[0] + B.R[0] @ X_BM.p
    R = np.einsum("nji,njk->nik", R_F, R_M)
    return kind, R, np.einsum("nji,nj->ni", R_F, p_M - p_F)
