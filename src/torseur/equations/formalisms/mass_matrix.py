"""The mass matrix: by Mampey's recursion, Christoffel's symbols of it, and its Coriolis matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative, time_derivative
from torseur.algebra.core.graph import expressions
from torseur.brief import brief
from torseur.dynamics.tree.mampey import mass_matrix
from torseur.equations.formalisms.newton_euler import derive
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.parametrisation import chosen_coordinates, in_variables
from torseur.equations.symbols.system import System, require_rates, system
from torseur.model.description import Mechanism
from torseur.topology.tree import elementary
from torseur.words.sentence import say

Array = np.ndarray


def mampey(mechanism: Mechanism) -> Array:
    """M (nv × nv) as expressions by Mampey's recursion, motors and transmissions included.

    Joints with several freedoms go through massless bodies. Reference: Llibre (2009) §3.2.2.
    """
    described = system(mechanism)
    A = expressions(mass_matrix(elementary(described.tree, "mampey"), described.q))
    coordinates = chosen_coordinates(described)
    if not coordinates.changed:
        return A
    return expressions(coordinates.B.T @ coordinates.written(A) @ coordinates.B)


@final
@dataclass(frozen=True, eq=False)
class Christoffel:
    """b_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i) (Llibre 2009, §3.1)."""

    __repr__ = brief

    system: System
    M: Array

    @cached_property
    def symbols(self) -> Array:
        """b (n × n × n), of the first kind, symmetric in the last two indices."""
        n = len(self.M)
        slopes = [derivative(self.M, x) for x in self.system.q]
        dM = np.array(slopes, dtype=object).reshape(n, n, n)  # dM[k, i, j]
        return expressions((dM.transpose(1, 2, 0) + dM.transpose(1, 0, 2) - dM) / 2)

    @cached_property
    def C(self) -> Array:
        """C_ij = Σ_k b_ijk v_k: C v are the velocity terms, and Ṁ − 2 C is antisymmetric."""
        return expressions(self.symbols @ self.system.v)

    @cached_property
    def M_rate(self) -> Array:
        """Ṁ along the speeds."""
        return np.asarray(
            time_derivative(self.M, dict(zip(self.system.q, self.system.v, strict=True)))
        )

    @property
    def passive(self) -> Any:
        """Ṁ − 2 C, an antisymmetric matrix: inertia forces bring no energy."""
        return expressions(self.M_rate - 2 * self.C)


def christoffel(source: Mechanism | Equations) -> Christoffel:
    """Christoffel's symbols of a mechanism, or of equations in the rates of their coordinates."""
    if isinstance(source, Equations):
        require_rates(source.system, say("Christoffel's symbols"))
        return Christoffel(source.system, source.M)
    described = system(source)
    require_rates(described, say("Christoffel's symbols"))
    equations = in_variables(derive(described), chosen_coordinates(described))
    return Christoffel(equations.system, expressions(equations.M))
