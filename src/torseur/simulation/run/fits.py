"""Whether what rolls or slides on a profile fits into it wherever it touches."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate
from torseur.errors import SolveError
from torseur.model.constraints.protocol import JointRows
from torseur.model.constraints.selection import one_sided, restraints
from torseur.model.description import Mechanism
from torseur.model.joints.curve_contacts import CurveContact
from torseur.model.joints.rolling import at_poses
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
_TOUCHES = 1e-6  # of the size of what touches: a gap that is closed
_FITS = 1e-6  # of the curvature of what touches: by how much it must be more than that of the track
_BETWEEN = np.linspace(0.0, 1.0, 17)  # places from one sample to the next that are looked at


def check_fits(run: Run) -> None:
    """Refuse a run in which something passes a place of its track where it does not fit."""
    for rows in _on_tracks(run.model.mechanism):
        kind, R, p = _seen(run, rows)
        gap = at_poses(kind.gap, R, p)[:, 0]
        size = max(abs(float(x)) for x in kind.lengths)
        wrong = _unfit(kind, R, p) & (np.abs(gap) < _TOUCHES * size)
        if wrong.any():
            raise SolveError(
                f"t = {run.t[int(wrong.argmax())]:.6g} s",
                say(
                    '"{name}": the track is bent more than what touches it, which does not fit '
                    "there.",
                    rows.name,
                ),
                _ADVICE,
            )


_ADVICE = (
    "Give a smaller radius, or a smoother track; what touches at two places needs two contacts."
)


def told_of_tracks(error: SolveError, mechanism: Mechanism) -> SolveError:
    """The error of a run, with what it may come from where something is on a track."""
    names = [f'"{rows.name}"' for rows in _on_tracks(mechanism)]
    if not names:
        return error
    hint = say("On a track: {names}. It may not fit there.", ", ".join(names))
    return SolveError(error.place, error.problem, *error.advice, hint, _ADVICE)


def _unfit(kind: CurveContact, R: Array, p: Array) -> Array:
    """(samples): whether between a sample and the next the track is bent too much."""
    place, own = at_poses(kind.place, R, p).T
    step = np.diff(place, append=place[-1:])
    if kind.track.closed:
        step = (step + np.pi) % (2 * np.pi) - np.pi
    passed = place[:, np.newaxis] + step[:, np.newaxis] * _BETWEEN
    margin = kind.track.curvature(passed) + own[:, np.newaxis]
    return np.asarray((margin < _FITS * own[:, np.newaxis]).any(axis=1))


def _on_tracks(mechanism: Mechanism) -> Iterator[JointRows]:
    for one in (*restraints(mechanism), *one_sided(mechanism)):
        rows = one.rows  # the tracks of a set of contacts are planes
        if isinstance(rows, JointRows) and isinstance(rows.kind, CurveContact):
            yield rows


def _seen(run: Run, rows: JointRows) -> tuple[CurveContact, Array, Array]:
    """The contact with numbers, and the poses of M in F."""

    def number(x: object) -> float:
        return float(evaluate(expression(x), run.model.parameters))

    seen, kind = run.seen, rows.kind.numeric(number)
    X_AF, X_BM = rows.X_AF.numeric(number), rows.X_BM.numeric(number)
    A, B = (seen.frame(name, derivatives=0) for name in (rows.first, rows.second))
    R_F, R_M = A.R[0] @ X_AF.R.matrix, B.R[0] @ X_BM.R.matrix
    p_F, p_M = A.p[0] + A.R[0] @ X_AF.p, B.p[0] + B.R[0] @ X_BM.p
    R = np.einsum("nji,njk->nik", R_F, R_M)
    return kind, R, np.einsum("nji,nj->ni", R_F, p_M - p_F)
