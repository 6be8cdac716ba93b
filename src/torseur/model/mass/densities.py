"""Forces spread over a curve, a surface or a volume, and the torseur they are reduced to.

R = ∫ f dτ and M_A = ∫ AP × f dτ, with a density f in N/m, N/m² or N/m³ (Plaut 2007, §3.3.1). Forces
at points are sliders: `ts.torseurs.wrench`, whose sum is taken by `ts.torseurs.total`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from torseur.errors import ModelError
from torseur.model.mass.domain import ORDERS, Domain, gauss_points
from torseur.spatial.torseur import Torseur
from torseur.spatial.vectors import Array, cross
from torseur.words.sentence import say

# Of what resultant and moment would be if all forces and moments pulled one way, as both may
# vanish: the change in the last doubling of the points, and what is left by rounding where they do.
TOLERANCE, ROUNDING = 1e-10, 1e-14


def distributed(
    domain: Domain,
    force: Sequence[Any],
    *,
    at: Sequence[Any] | Array = (0, 0, 0),
    values: Mapping[str, float] | None = None,
) -> Torseur:
    """The torseur at a point of a force density over a domain, three formulas of its parameters.

    Without `values` it is computed in closed form, as SymPy expressions; with values of the other
    symbols, by quadrature. The density of mass of the domain plays no part.
    """
    for given in (force, at):
        if len(given) != 3:
            problem = say("{number} components are given: {force}.", len(given), list(given))
            raise ModelError("force density", problem, "Give three: along x, y and z.")
    point = np.asarray(at)
    return (
        _closed_form(domain, force, point) if values is None else _sum(domain, force, point, values)
    )


def _closed_form(domain: Domain, force: Sequence[Any], point: Array) -> Torseur:
    import sympy

    arm = np.array(domain.position, dtype=object) - point
    f = np.array([sympy.sympify(x) for x in force], dtype=object)
    measure = domain.measure()

    def total(density: Array) -> Array:
        integrals = [domain.closed_integral(sympy.expand(measure * x)) for x in density]
        return np.array([sympy.factor(sympy.together(x)) for x in integrals], dtype=object)

    return Torseur(total(f), total(cross(arm, f)), point)


def _sum(
    domain: Domain, force: Sequence[Any], point: Array, values: Mapping[str, float]
) -> Torseur:
    function = domain.numeric_functions(values, force)

    def quadrature(order: int) -> tuple[Array, Array]:
        """Resultant and moment, then their sizes."""
        u, measure = gauss_points(function.position, function.bounds, function.measure, order)
        shape = measure.shape
        r = np.array([np.broadcast_to(c, shape) for c in function.position(*u)])
        f = np.array([np.broadcast_to(g(*u), shape) for g in function.others])
        both = np.array([f, np.cross(r - point.astype(float)[:, None], f, axis=0)])
        return both @ measure, (np.abs(both) @ measure).max(axis=1)

    last, sizes = quadrature(ORDERS[0])
    for order in ORDERS[1:]:
        before = last
        last, sizes = quadrature(order)
        if (np.abs(last - before).max(axis=1) <= TOLERANCE * sizes).all():
            R, M = np.where(np.abs(last) > ROUNDING * sizes[:, np.newaxis], last, 0.0)
            return Torseur(R, M, point.astype(float))
    raise ModelError(
        "force density",
        say("the integral has not converged with {order} points in each direction.", ORDERS[-1]),
        "Cut the domain where the density jumps, and add the torseurs.",
    )
