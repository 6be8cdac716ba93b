"""Eigenvalues of small motions, each with what rounding can do to it, and the modes they belong to.

Where nothing damps and nothing circulates, M s̈ + K s = 0 is solved as it is, with symmetric
matrices: N⁻¹ K N⁻¹ with M = N² (Plaut 2007, §4.3), by a Cholesky factor instead of the root.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
import scipy

from torseur.result import Result
from torseur.words.sentence import enumerated, say, worded

Array = np.ndarray
_ROUNDING = 100 * np.finfo(float).eps
_NEGLIGIBLE = 1e-12  # relative to what it is compared with


@final
@dataclass(frozen=True)
class Eigensystem:
    """Eigenvalues with right vectors as columns, and how far rounding may have moved each."""

    values: Array  # (k), conjugate pairs next to each other, the one with Im > 0 first
    vectors: Array  # (states, k)
    doubt: Array  # (k)
    flat: int = 0  # independent vectors that do not change at all

    @cached_property
    def zero(self) -> Array:
        """Which are zero but for rounding."""
        return np.asarray(np.abs(self.values) <= self.doubt)

    @cached_property
    def growing(self) -> Array:
        """Which have a positive real part, beyond rounding."""
        return ~self.zero & (self.values.real > self.doubt)

    @cached_property
    def decaying(self) -> Array:
        """Which have a negative real part, beyond rounding."""
        return ~self.zero & (self.values.real < -self.doubt)


def general(A: Array, errors: Array | float = 0.0) -> Eigensystem:
    """The spectrum of a matrix whose entries may be wrong by `errors`.

    To first order that moves an eigenvalue by |y|ᵀ errors |x| / |y·x|, with its left and right
    vectors y and x; rounding in the solution adds its part.
    """
    if not len(A):
        return Eigensystem(np.zeros(0, complex), np.zeros((0, 0), complex), np.zeros(0))
    balanced, (scale, _) = scipy.linalg.matrix_balance(A, permute=False, separate=True)
    values, left, right = scipy.linalg.eig(balanced, left=True, right=True)
    cosines = np.maximum(np.abs(np.einsum("ik,ik->k", left.conj(), right)), 1e-12)
    wrong = np.broadcast_to(errors, A.shape) * scale / scale[:, np.newaxis]
    shift = np.einsum("ik,ij,jk->k", np.abs(left), wrong, np.abs(right))
    doubt = (_ROUNDING * np.linalg.norm(balanced, 2) + shift) / cosines
    order = np.lexsort((-np.sign(values.imag), np.round(values.real, 12), np.abs(values.imag)))
    vectors = scale[:, np.newaxis] * right
    sizes = scipy.linalg.svdvals(balanced)
    flat = int((sizes <= 1e-9 * sizes[0] + np.abs(wrong).max()).sum())
    return Eigensystem(values[order], vectors[:, order], doubt[order], flat)


def conservative(M: Array, K: Array, error: float = 0.0) -> Eigensystem:
    """The spectrum of M s̈ + K s = 0: pairs ± i ω, ± σ, or twice zero (a + b t).

    Entries of M⁻¹ K may be wrong by `error`.
    """
    squares, shapes = scipy.linalg.eigh((K + K.T) / 2, (M + M.T) / 2)
    values, vectors, doubt = [], [], []
    error = error + _ROUNDING * np.abs(squares).max(initial=0.0)
    for square, shape in zip(squares, shapes.T, strict=True):
        flat = abs(square) <= error
        root = np.sqrt(complex(-square)) if not flat else 0j
        for value in (root, -root):
            values.append(value)
            vectors.append(np.concatenate([shape, value * shape]))
            doubt.append(max(np.sqrt(error), 1e-300) if flat else error / abs(root))
    return Eigensystem(np.array(values), np.array(vectors).T, np.array(doubt))


def negligible(part: Array, whole: float) -> bool:
    """Whether a matrix is nothing but rounding."""
    return bool(np.abs(part).max(initial=0.0) <= _NEGLIGIBLE * whole)


@final
class Mode(Result):
    """A motion in which every coordinate changes as exp(λ t)."""

    eigenvalue: complex  # λ [1/s]; of a conjugate pair, that with Im > 0
    shape: dict[str, complex]  # of every coordinate; the largest is 1
    doubt: float = 0.0  # of the eigenvalue, by rounding [1/s]

    @property
    def frequency(self) -> float:
        """|λ| [rad/s], the pulsation that the mode would have undamped."""
        return abs(self.eigenvalue)

    @property
    def hertz(self) -> float:
        """|λ|/2π [Hz]."""
        return self.frequency / (2 * np.pi)

    @property
    def damping(self) -> float:
        """ζ = −Re λ/|λ|: 0 undamped, 1 without oscillation, negative when it grows."""
        rate = self.eigenvalue.real
        return -rate / self.frequency if abs(rate) > self.doubt else 0.0

    @property
    def oscillates(self) -> bool:
        """Whether the eigenvalue is one of a conjugate pair."""
        return abs(self.eigenvalue.imag) > self.doubt

    @property
    def kind(self) -> str:
        """ "drift" (a + b t), "oscillation", "growth" or "decay"."""
        if abs(self.eigenvalue) <= self.doubt:
            return "drift"
        if self.eigenvalue.real > self.doubt:
            return "growth"
        return "oscillation" if self.oscillates else "decay"

    def __str__(self) -> str:
        if self.kind == "drift":
            what = say("drift a + b t")
        elif self.oscillates:
            what = self.say("{frequency:.6g} rad/s ({hertz:.6g} Hz), damping {damping:.3g}")
        else:
            what = f"exp({self.eigenvalue.real:+.6g} t)"
        moving = [(name, x) for name, x in self.shape.items() if abs(x) > 1e-6]
        return f"{what}{worded(': ')}" + ", ".join(f"{name} {_amplitude(x)}" for name, x in moving)


def _amplitude(x: complex) -> str:
    if abs(x.imag) < 1e-6 * abs(x):
        return f"{x.real:.4g}"
    return f"{abs(x):.4g}∠{np.degrees(np.angle(x)):.0f}°"


def modes(eigensystem: Eigensystem, rows: dict[str, Array]) -> tuple[Mode, ...]:
    """One mode for each conjugate pair, each real eigenvalue and each pair of zeros.

    `rows` tells every coordinate from the states.
    """
    result: list[Mode] = []
    used = np.zeros(len(eigensystem.values), dtype=bool)
    for k in np.lexsort((eigensystem.values.real, np.abs(eigensystem.values))):
        if used[k]:
            continue
        used[k] = True
        value = eigensystem.values[k]
        if eigensystem.zero[k]:
            value = 0j
            _used_with(eigensystem, used, k, 0.0)
        elif abs(value.imag) > eigensystem.doubt[k]:
            _used_with(eigensystem, used, k, np.conj(value))
        vector = eigensystem.vectors[:, k]
        if value.imag < 0:
            value, vector = np.conj(value), np.conj(vector)
        shape = {name: complex(row @ vector) for name, row in rows.items()}
        largest = max(shape.values(), key=abs, default=1.0) or 1.0
        shape = {name: x / largest for name, x in shape.items()}
        result.append(Mode(complex(value), shape, float(eigensystem.doubt[k])))
    return tuple(result)


def _used_with(eigensystem: Eigensystem, used: Array, k: int, partner: complex) -> None:
    """The eigenvalue that belongs to the same mode is not told again."""
    left = np.flatnonzero(~used)
    if eigensystem.zero[k]:
        left = left[eigensystem.zero[left]]
    if len(left):
        used[left[int(np.abs(eigensystem.values[left] - partner).argmin())]] = True


# --- verdict --------------------------------------------------------------------------------------

# Stability of a state: verdict, reason, and limits of the proof.
#
# A strict minimum of E_p (of E_p − K0 with imposed motions) is stable when no force adds energy
# (Lagrange-Dirichlet), and so is one of the potential at constant cyclic momenta (Routh); a
# growing eigenvalue is unstable; eigenvalues that all decay are asymptotically stable. The rest is
# not decided by linear terms (Plaut 2007, (4.74) with erratum E4-9); where the curvature vanishes
# in one direction, terms of third and fourth order are looked at.


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
