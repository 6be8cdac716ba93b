"""Augmented bodies: the condensed Lagrange equations of the 1980 report."""

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, expression
from torseur.algebra.core.graph import expressions
from torseur.algebra.forms.program import component_names
from torseur.dynamics.tree.augmented_bodies import AugmentedBody, coefficients
from torseur.equations.actions.applied import applied_forces
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System
from torseur.topology.tree import elementary

Array = np.ndarray


def derive(system: System) -> Equations:
    """Σ A_ij q̈_j + Σ_{j<k} B_ijk q̇_j q̇_k + Σ C_ij q̇_j² = Q_i + F_i (3-1)."""
    tree = elementary(system.tree, "augmented-bodies")
    terms = coefficients(tree, system.q, system.gravity)
    A = expressions(terms.A)
    B, C = velocity_coefficients(A, system.q)
    v, n = system.v, len(system.v)
    h = np.array([_velocity_force(B[i], C[i], v) for i in range(n)], dtype=object)
    names: dict[int, str] = {}
    for link, body in zip(tree.links, terms.bodies, strict=True):
        names |= _lumped_names(link.name, body)
    gravity, Q = expressions(terms.Q), applied_forces(system)
    bodies = dict(zip((link.name for link in tree.links), terms.bodies, strict=True))
    tables = {"A": A, "B": B, "C": C, "Qg": gravity, "bodies": bodies}
    whole = A @ system.a + h - gravity
    return Equations(system, "augmented-bodies", A, h, -gravity, Q, whole, names, tables)


def velocity_coefficients(A: Array, q: Array) -> tuple[Array, Array]:
    """B_ijk = ∂A_ij/∂q_k + ∂A_ik/∂q_j − ∂A_jk/∂q_i (j < k), C_ij = ∂A_ij/∂q_j − ½ ∂A_jj/∂q_i.

    The report prints C twice too large (erratum E1-4). Structural zeros need no derivative:
    C_ii = 0 and, on a chain, B_iji = 0 for j < i.
    """
    n = len(q)
    dA = np.array([derivative(A, x) for x in q], dtype=object).reshape(n, n, n)  # dA[k, i, j]
    B = np.full((n, n, n), ZERO, dtype=object)
    C = np.full((n, n), ZERO, dtype=object)
    for i in range(n):
        for j in range(n):
            if i != j:
                C[i, j] = dA[j, i, j] - dA[i, j, j] / 2
            for k in range(j + 1, n):
                B[i, j, k] = dA[k, i, j] + dA[j, i, k] - dA[i, j, k]
    return B, C


def _velocity_force(B: Array, C: Array, v: Array) -> object:
    """Σ_{j<k} B_jk q̇_j q̇_k + Σ C_j q̇_j², zero coefficients left out."""
    total = ZERO
    for j in range(len(v)):
        inner = C[j] * v[j]
        for k in range(j + 1, len(v)):
            inner = inner + B[j, k] * v[k]
        total = total + inner * v[j]
    return total


def _lumped_names(name: str, body: AugmentedBody) -> dict[int, str]:
    """VY1, WY1, JX1, JZ1 …: the names of the report."""
    levers = [axis for axis, x in zip("XYZ", body.V, strict=True) if expression(x) is not ZERO]
    names = component_names("V", body.V, "")
    lumped = {key: f"V{text[1:].upper()}{name}" for key, text in names.items()}
    for stem, tensor in (("W", body.W), ("J", body.J)):
        for key, text in component_names(stem, tensor, "").items():
            first, second = text[1].upper(), text[2].upper()
            axes = first if first == second else first + second
            if stem == "W" and len(levers) == 1:
                axes = levers[0]
            lumped.setdefault(key, f"{stem}{axes}{name}")
    return lumped
