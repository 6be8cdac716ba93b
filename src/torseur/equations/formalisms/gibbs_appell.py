"""Gibbs and Appell: the energy of accelerations, differentiated with respect to accelerations."""

import numpy as np

from torseur.algebra.calculus.derivative import gradient, jacobian
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import substitute
from torseur.dynamics.tree.kinematics import Motion, accelerations, ground_poses
from torseur.equations.actions.applied import actions_of, combined, frozen_gradient
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System
from torseur.spatial.vectors import cross

Array = np.ndarray


def derive(system: System) -> Equations:
    """∂S/∂a = Q, with S = ½ ∫ γ² dm (Appell 1899); no derivative with respect to q is taken.

    Forces enter by the function P = Σ F · γ + C · ω̇ of the accelerations, whose derivative is Q;
    S − P is least for the true accelerations (Gauss).
    """
    tree, a = system.tree, system.a
    motions = accelerations(tree, system.q, system.v, a, np.zeros(3))
    S = acceleration_energy(system, motions)
    needed = gradient(S, a)
    still = dict.fromkeys(a, ZERO)
    M, h = jacobian(needed, a).reshape(len(a), len(a)), substitute(needed, still)
    weight = ZERO
    for X, motion, link in zip(ground_poses(tree, system.q), motions, tree.links, strict=True):
        field = X.R.into(system.gravity)
        weight = weight + field @ (link.inertia.m * motion.acc + motion.U @ link.inertia.h)
    g = -gradient(expression(weight), a)
    applied = actions_of(system)
    felt = [(motion.acc, motion.dw) for motion in motions]
    Q = frozen_gradient(combined(applied.parts.values()), felt, a)
    Q = applied.opened(Q)
    return Equations(system, "gibbs-appell", M, h, g, Q, needed + g, tables={"S": S})


def acceleration_energy(system: System, motions: list[Motion]) -> Expr:
    """S: a point at r from O accelerates by γ + U r, so that 2 S = m γ² + 2 γ · U h + tr(U K Uᵀ).

    The spin of a rotor gives j (α q̈)² + 2 j α (q̈ ε + q̇ ω × ε) · ω̇ besides.
    """
    twice = ZERO
    for i, link in system.tree:
        body, acc, U = link.inertia, motions[i].acc, motions[i].U
        UK = U @ body.K
        moments = sum(UK[j] @ U[j] for j in range(3))
        twice = twice + body.m * (acc @ acc) + 2 * (acc @ (U @ body.h)) + moments
        rotor, row = link.rotor, link.v.start
        if rotor is not None:
            reflected = rotor.ratio * rotor.j
            twice = twice + rotor.ratio * reflected * system.a[row] ** 2
            if rotor.axis is not None and link.parent >= 0:
                carrier, e = motions[link.parent], rotor.axis
                spin = system.a[row] * e + system.v[row] * cross(carrier.w, e)
                twice = twice + 2 * reflected * (spin @ carrier.dw)
    return expression(twice) / 2
