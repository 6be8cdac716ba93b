"""Stability of a state: verdict, reason, and limits of the proof.

A strict minimum of E_p (of E_p − K0 with imposed motions) is stable when no force adds energy
(Lagrange-Dirichlet), and so is one of the potential at constant cyclic momenta (Routh); a growing
eigenvalue is unstable; eigenvalues that all decay are asymptotically stable. The rest is not
decided by linear terms (Plaut 2007, (4.74) with erratum E4-9); where the curvature vanishes in one
direction, terms of third and fourth order are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.analyse.stability.vibration_modes import Eigensystem, Mode
from torseur.result import Result
from torseur.words.sentence import enumerated, say, worded

Array = np.ndarray


@final
class Verdict(Result):
    """A word, its reason, and the limits of what was shown. True when it is stable."""

    word: str  # asymptotically stable, stable, linearly stable, neutral, unstable, undecided
    reason: str
    limits: str = ""

    def __bool__(self) -> bool:
        return self.word in ("asymptotically stable", "stable", "linearly stable")

    def __str__(self) -> str:
        word, reason, limits = map(worded, (self.word, self.reason, self.limits))
        return f"{word}{worded(': ')}{reason} {limits}".rstrip()


@final
@dataclass(frozen=True)
class Evidence:
    """Data of a steady state on which the verdict is based."""

    spectrum: Eigensystem
    modes: tuple[Mode, ...]
    potential: str  # E_p, E_p − K0 with imposed motions, or Routh's at constant momenta
    curvature: Array | None  # of the potential, if the forces have one and none adds energy
    flat: float  # the size below which a curvature is rounding
    moving: bool  # cyclic coordinates turn: their displacements are left out
    # "minimum", "falls", "flat" or "level" along the one direction without stiffness
    valley: str = ""


_MINIMUM = say("(Lagrange-Dirichlet theorem).")
_ROUTH = say("(Routh's theorem); cyclic coordinates keep nearly the same speed.")
_NOT_PROVED = say("Not a proof for finite motions: terms of higher order are not examined.")


def verdict(known: Evidence) -> Verdict:
    """The verdict on a steady state."""
    spectrum = known.spectrum
    if spectrum.growing.any():
        return _unstable(known)
    if spectrum.decaying.all():
        slowest = float(spectrum.values.real.max(initial=-np.inf))
        reason = say(
            "every eigenvalue has a negative real part; the slowest decays as $exp({rate:.4g} t)$.",
            slowest,
        )
        limits = say("Proved for small disturbances (Lyapunov).")
        return Verdict("asymptotically stable", reason, limits)
    if known.curvature is not None:
        if (known.curvature > known.flat).all():
            reason = say(
                "{potential} has a strict minimum and no force adds energy {theorem}",
                known.potential,
                _ROUTH if known.moving else _MINIMUM,
            )
            return Verdict("stable", reason)
        if (known.curvature < -known.flat).any():
            return _held_by_rotation(known, known.curvature)
        if known.valley in ("minimum", "falls"):
            return _by_higher_terms(known)
    if spectrum.zero.any():
        return _with_zeros(known)
    reason = say("no eigenvalue has a positive real part: disturbances oscillate and do not grow.")
    return Verdict("linearly stable", reason, _NOT_PROVED)


def _unstable(known: Evidence) -> Verdict:
    fastest = max(known.modes, key=lambda mode: mode.eigenvalue.real)
    along = max(fastest.shape, key=lambda name: abs(fastest.shape[name]), default="")
    turning = abs(fastest.eigenvalue.imag)
    how = say(", oscillating at {rate:.4g} rad/s", turning) if fastest.oscillates else ""
    where = say(', most of all in "${along}$"', along) if along else ""
    rate = fastest.eigenvalue.real
    reason = say("a disturbance grows as $exp({rate:.4g} t)${how}{where}.", rate, how, where)
    return Verdict("unstable", reason)


def _held_by_rotation(known: Evidence, curvature: Array) -> Verdict:
    falling = int((curvature < -known.flat).sum())
    reason = say(
        "gyroscopic stabilisation: {potential} falls {where}, but no eigenvalue has a positive "
        "real part.",
        known.potential,
        say("in one direction") if falling == 1 else say("in {count} directions", falling),
    )
    limits = say("Any damping destroys it in the end (Thomson and Tait). {more}", _NOT_PROVED)
    return Verdict("linearly stable", reason, limits)


def _by_higher_terms(known: Evidence) -> Verdict:
    """The curvature vanishes in one direction, and the next terms decide."""
    limits = say("Terms of third and fourth order were computed by differences.")
    if known.valley == "minimum":
        reason = say(
            "{potential} has a strict minimum: it has no curvature in one direction, but its "
            "fourth-order term rises there, and no force adds energy {theorem}",
            known.potential,
            _MINIMUM,
        )
        return Verdict("stable", reason, limits)
    reason = say(
        "{potential} has no minimum: it has no curvature in one direction, and a term of higher "
        "order falls there (Chetaev's theorem).",
        known.potential,
    )
    return Verdict("unstable", reason, limits)


def _with_zeros(known: Evidence) -> Verdict:
    """Zero eigenvalues: a family of steady states, a drift, or a flat energy."""
    count = int(known.spectrum.zero.sum())
    if known.moving and known.spectrum.flat >= count:
        reason = say(
            "disturbances oscillate, decay, or lead to neighbouring steady motions ({zeros}).",
            say("one zero eigenvalue") if count == 1 else say("{count} zero eigenvalues", count),
        )
        return Verdict("linearly stable", reason, _NOT_PROVED)
    if known.moving:
        reason = say("{count} zero eigenvalues are coupled: disturbances may grow as $t$.", count)
        return Verdict("undecided", reason, _NOT_PROVED)
    drifting = [mode for mode in known.modes if mode.kind == "drift"]
    names = dict.fromkeys(
        name for mode in drifting for name, x in mode.shape.items() if abs(x) > 1e-6
    )
    listed = enumerated([say('"${value}$"', name) for name in names])
    reason = (
        say("one mode drifts as $a + b t$, in {listed}; the others do not grow.", listed)
        if len(drifting) == 1
        else say(
            "{count} modes drift as $a + b t$, in {listed}; the others do not grow.",
            len(drifting),
            listed,
        )
    )
    if known.valley == "level":
        level = say(
            "{reason} Along it {potential} is constant within rounding.", reason, known.potential
        )
        return Verdict("neutral", level)
    limits = say(
        "Along the drift linear terms do not decide: either nothing holds it there, or terms of "
        "higher order do."
    )
    return Verdict("neutral", reason, limits)
