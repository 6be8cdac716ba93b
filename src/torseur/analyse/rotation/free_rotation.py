"""The rotation of a rigid body: Euler's equations, gyroscopic couples, and its free rotation.

That has an exact solution, precession and flips (Plaut 2007, problem 3.1). Rates Ω are along the
principal axes at the centre of mass.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast, final

import numpy as np
from scipy.special import ellipj, ellipk, ellipkinc

from torseur.analyse.rotation.euler_in_letters import RATES, euler_in_letters
from torseur.errors import ModelError
from torseur.plain import entries
from torseur.result import Result
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
_EQUAL = 1e-9  # of the largest moment


def euler_equations(
    moments: Array | Sequence[str],
    rates: Array | Sequence[str] = RATES,
    couple: Array | Sequence[str] | float = 0.0,
) -> Any:
    """dΩ/dt from I₁ Ω̇₁ = (I₂ − I₃) Ω₂ Ω₃ + Γ₁ and its circular permutations (…, 3) [rad/s²].

    With names of moments, ["A", "B", "C"], the equations as formulas: `EulerInLetters`.
    """
    if len(moments) and all(isinstance(x, str) for x in moments):
        acting = () if isinstance(couple, float) and not couple else cast("Sequence[str]", couple)
        return euler_in_letters(
            cast("Sequence[str]", moments), cast("Sequence[str]", rates), acting
        )
    I, w = np.asarray(moments, dtype=float), np.asarray(rates, dtype=float)
    shapes = {np.shape(x)[-1:] for x in (I, w, couple)}
    if not shapes <= {(3,), ()} or () in (I.shape, w.shape):
        problem = say(
            "moments {moments}, rates {rates} and couple {couple} are not of space.",
            moments,
            rates,
            couple,
        )
        raise ModelError("Euler's equations", problem, "Each needs three components.")
    return np.asarray((np.cross(I * w, w) + couple) / I)


def gyroscopic_couple(
    inertia: Sequence[float] | Array,
    spin: float,
    turning: Sequence[float],
    *,
    growth: Sequence[float] = (0.0, 0.0, 0.0),
    angle: float | Array = 0.0,
) -> Array:
    """The couple on a body that spins about z of a carrier that turns (samples, 3) [N m].

    In the axes of the carrier: `turning` Ω and its rate `growth` are along them, `angle` φ is the
    angle of the body about z, at a constant `spin`. `inertia` at the centre of mass, in the axes
    of the body: three moments or the tensor. The body exerts the opposite couple on its carrier.

    dσ/dt = I Ω̇ + Ω × I Ω in the axes of the body; for A = B it is C ω e_z taken round by Ω, and
    A Ω̇ across. Plaut (2007), problem 3.3.
    """
    tensor = np.asarray(inertia, dtype=float)
    tensor = np.diag(tensor) if tensor.ndim == 1 else tensor
    shapes = tensor.shape, np.shape(turning), np.shape(growth)
    if shapes != ((3, 3), (3,), (3,)):
        problem = say(
            "inertia {inertia}, turning {turning} and growth {growth} are not of space.",
            inertia,
            turning,
            growth,
        )
        raise ModelError("gyroscopic couple", problem, "Each needs three components.")
    phi = np.atleast_1d(np.asarray(angle, dtype=float))
    c, s, zero, one = np.cos(phi), np.sin(phi), np.zeros_like(phi), np.ones_like(phi)
    R = np.array([[c, -s, zero], [s, c, zero], [zero, zero, one]]).transpose(2, 0, 1)
    e, carried, rate = np.array([0.0, 0.0, 1.0]), np.asarray(turning), np.asarray(growth)
    # Ω of the body and its rate, both seen from the carrier, in its axes
    omega = np.broadcast_to(carried + spin * e, (len(phi), 3))
    omega_rate = np.broadcast_to(rate + np.cross(carried, spin * e), (len(phi), 3))
    turned = R @ tensor @ np.swapaxes(R, 1, 2)
    momentum = np.einsum("kij,kj->ki", turned, omega)
    return np.asarray(np.einsum("kij,kj->ki", turned, omega_rate) + np.cross(omega, momentum))


@final
class FreeRotation(Result):
    """The rotation of a body on which no couple acts, from its rates at t = 0."""

    moments: Array  # (3,) principal, in any order [kg m²]
    rates: Array  # (3,) [rad/s]

    @property
    def momentum(self) -> float:
        """|σ|, kept [N m s]."""
        return float(np.linalg.norm(self.moments * self.rates))

    @property
    def energy(self) -> float:
        """½ Ω·σ, kept [J]."""
        return float(self.moments @ self.rates**2 / 2)

    @property
    def axis(self) -> int | None:
        """The axis of revolution (0, 1, 2): the one whose moment is alone; None if none is."""
        I = self.moments
        near = [
            abs(I[(k + 1) % 3] - I[(k + 2) % 3]) <= _EQUAL * I.max() for k in range(3)
        ]  # of the two others
        return near.index(True) if sum(near) == 1 else None

    @property
    def body_precession(self) -> float:
        """The rate at which Ω turns about the axis of revolution in the body [rad/s].

        (I₃ − I₁) Ω₃/I₁, positive in the sense of the axis.
        """
        k, across = self._revolution()
        return float((self.moments[k] - across) * self.rates[k] / across)

    @property
    def space_precession(self) -> float:
        """The rate at which the axis of revolution turns about σ in space, |σ|/I₁ [rad/s]."""
        return self.momentum / self._revolution()[1]

    @property
    def nutation(self) -> float:
        """The constant angle between the axis of revolution and σ [rad]."""
        k, _ = self._revolution()
        return float(np.arccos(np.clip(self.moments[k] * self.rates[k] / self.momentum, -1, 1)))

    def _revolution(self) -> tuple[int, float]:
        if self.axis is None:
            listed = ", ".join(f"{x:.6g}" for x in self.moments)
            problem = say("the moments {listed} kg m² have no axis of revolution.", listed)
            raise ModelError("free rotation", problem, "Use .at(t) and .period.")
        return self.axis, float(self.moments[(self.axis + 1) % 3])

    @cached_property
    def _jacobi(self) -> tuple[list[int], float, Array, float, float]:
        """Order of axes, its sign, amplitudes of cn, sn, dn, the rate of their argument, k².

        Landau and Lifshitz, Mechanics, §37: moments increase where σ² > 2 E I₂, else they
        decrease. An odd order of axes is a reflection, in which Ω changes sign; so is the other
        order of moments, because I₂ Ω̇₂ = (I₃ − I₁) Ω₃ Ω₁.
        """
        L2, E2 = self.momentum**2, 2 * self.energy
        order = [int(k) for k in np.argsort(self.moments, kind="stable")]
        if E2 * self.moments[order[1]] > L2:
            order.reverse()
        I1, I2, I3 = self.moments[order]
        cn = (E2 * I3 - L2) / (I1 * (I3 - I1))
        sn = (E2 * I3 - L2) / (I2 * (I3 - I2)) if I3 != I2 else cn
        dn = (L2 - E2 * I1) / (I3 * (I3 - I1))
        rate = (I3 - I2) * (L2 - E2 * I1) / (I1 * I2 * I3)
        modulus = (I2 - I1) * cn * I1 * (I3 - I1) / (rate * I1 * I2 * I3) if rate > 0 else 1.0
        sign = float(np.linalg.det(np.eye(3)[order]) * np.sign(I3 - I1))
        amplitudes = np.sqrt(np.maximum([cn, sn, dn], 0.0))
        return order, sign, amplitudes, float(np.sqrt(max(rate, 0.0))), min(max(modulus, 0.0), 1.0)

    @property
    def _steady(self) -> bool:
        """Whether the rotation stays as it is: about a principal axis."""
        change = np.abs(euler_equations(self.moments, self.rates)).max()
        return bool(change <= 1e-14 * (self.rates @ self.rates))

    @property
    def period(self) -> float:
        """The time after which the rates come back, 4K(k)/rate; infinite on the separatrix [s]."""
        if self._steady:
            return 0.0
        _, _, _, rate, modulus = self._jacobi
        return float(4 * ellipk(modulus) / rate) if modulus < 1 and rate > 0 else float("inf")

    @property
    def flip_interval(self) -> float:
        """The time between two turnings over of the middle axis, half a period [s]."""
        return self.period / 2

    def at(self, t: float | Array) -> Array:
        """The rates (samples, 3) at times t, by Jacobi's elliptic functions [rad/s]."""
        times = np.atleast_1d(np.asarray(t, dtype=float))
        if self._steady:
            return np.tile(self.rates, (len(times), 1))
        order, sign, amplitudes, rate, modulus = self._jacobi
        start = sign * self.rates[order]
        side = np.array([1.0, 1.0, 1.0]) if start[2] >= 0 else np.array([-1.0, 1.0, -1.0])
        start = side * start
        begin = np.arctan2(start[1] / amplitudes[1], start[0] / amplitudes[0])
        sn, cn, dn, _ = ellipj(ellipkinc(begin, modulus) + rate * times, modulus)
        speeds = np.empty((len(times), 3))
        speeds[:, order] = sign * side * amplitudes * np.column_stack([cn, sn, dn])
        return speeds

    def growth(self, axis: int) -> complex:
        """λ of a small change of the steady rotation about an axis: real is unstable [1/s].

        λ² = (I₂ − I₃)(I₃ − I₁) Ω₃²/(I₁ I₂), with 3 the axis and |σ| of this rotation.
        """
        I3, I1, I2 = (self.moments[(axis + k) % 3] for k in range(3))
        square = (I2 - I3) * (I3 - I1) * (self.momentum / I3) ** 2 / (I1 * I2)
        return complex(np.sqrt(complex(square)))

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        about_axis = ("body_precession", "space_precession", "nutation")
        turning = () if self.axis is None else about_axis
        return entries(self, "moments", "rates", "momentum", "energy", "period", *turning)


def free_rotation(moments: Sequence[float], rates: Sequence[float]) -> FreeRotation:
    """The rotation of a free body with three principal moments [kg m²], from its rates [rad/s]."""
    I, w = np.asarray(moments, dtype=float), np.asarray(rates, dtype=float)
    if I.shape != (3,) or w.shape != (3,) or not (I > 0).all():
        problem = say(
            "three positive moments and three rates are needed, got {moments} and {rates}.",
            moments,
            rates,
        )
        raise ModelError("free rotation", problem)
    return FreeRotation(I, w)


def flips(run: Run, body: str, axis: int = 1) -> Array:
    """The instants at which the rotation of a body about one of its axes changes sense [s]."""
    if axis not in (0, 1, 2):
        raise ModelError(
            "flips", say("axis {axis} does not exist.", axis), "Axes: 0, 1 and 2 for x, y, z."
        )
    return sign_changes(run.t, run.seen.angular_velocity(body, axes=body)[:, axis])


def sign_changes(t: Array, values: Array) -> Array:
    """The instants at which samples change their sign, on straight lines between them [s]."""
    k = np.flatnonzero(values[:-1] * values[1:] < 0)
    return np.asarray(t[k] + values[k] / (values[k] - values[k + 1]) * np.diff(t)[k])
