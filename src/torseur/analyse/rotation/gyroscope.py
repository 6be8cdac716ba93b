"""Gyroscopic couples: what it takes to turn the axis of a body that spins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torseur.errors import ModelError
from torseur.words.sentence import say

Array = np.ndarray


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
