"""Inertias that bodies can have: the estimate nearest to the log with every pseudo-inertia ⪰ 0.

A body exists with given mass, centre and inertia if and only if its 4×4 pseudo-inertia
[K h; hᵀ m] is positive semidefinite (Wensing, Kim and Slotine, 2018). Least squares under these
linear matrix inequalities (Sousa and Cortesão, 2014) is a convex problem, solved by Clarabel.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
import scipy

from torseur.equations.functions.regressor import INERTIAL, ten_parameters
from torseur.errors import SolveError
from torseur.model.mass.properties import MassProperties, from_pseudo_inertia
from torseur.packages import package
from torseur.plain import entries, plain
from torseur.result import Result
from torseur.robotics.identification.base_parameters import (
    LENGTHS,
    described_values,
    pseudo_inertia,
)
from torseur.robotics.identification.identification import Identification, table
from torseur.spatial.inertia import Inertia
from torseur.words.sentence import say, worded

Array = np.ndarray
_TEN = len(INERTIAL)
_MARGIN = 1e-8  # of the size of an inertia, that its smallest eigenvalue is above zero
_PULL = 1.0  # what one size of an inertia away from the description counts, in deviations
_SUREST = 1e6  # sizes of an inertia in a deviation: a log without noise weighs no more
_TOLERANCE = 1e-10  # of the solver
# parameters that are no inertia of a body and cannot be negative
_POSITIVE = ("rotor inertia", "viscous friction", "dry friction")


@final
class LinkVerdict(Result):
    """The inertia of a body, and whether a body can have it."""

    name: str
    properties: MassProperties
    smallest: float  # eigenvalue of the pseudo-inertia, in units of the mechanism's length

    @property
    def consistent(self) -> bool:
        """Whether the pseudo-inertia has no negative eigenvalue."""
        return self.smallest >= 0

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        known = entries(self, "name", "consistent") | {"smallest_eigenvalue": self.smallest}
        return known | entries(self.properties, "mass", "centre", "inertia")


@final
class ConsistentEstimate(Result):
    """Physically possible standard parameters that explain a log best."""

    names: tuple[str, ...]  # the columns of the regressor
    values: Array
    links: tuple[LinkVerdict, ...]
    described: tuple[LinkVerdict, ...]  # the same of the description, where it has values
    base_values: Array  # the base parameters that they make
    worse: float  # weighted sum of squared residuals, relative to that without conditions

    def __str__(self) -> str:
        first = say(
            "{good} of {number} bodies consistent; the residual grew by {worse:.3g} %",
            sum(link.consistent for link in self.links),
            len(self.links),
            100 * (self.worse - 1),
        )
        heads = ("body", "mass", "centre", "moments", "smallest eigenvalue", "verdict")
        rows = [[worded(x) for x in row] for row in (heads, *map(_row, self.links))]
        lines = [first, "", table(rows)]
        wrong = [link.name for link in self.described if not link.consistent]
        if wrong:
            lines += ["", say("not consistent as described: {names}", ", ".join(wrong))]
        return "\n".join(lines)

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        named = {"values": dict(zip(self.names, map(plain, self.values), strict=True))}
        return named | entries(self, "links", "described", "base_values", "worse")


def _row(link: LinkVerdict) -> list[str]:
    body = link.properties
    centre = ", ".join(f"{x:.4g}" for x in body.centre)
    moments = ", ".join(f"{x:.4g}" for x in np.linalg.eigvalsh(body.inertia))
    verdict = "consistent" if link.consistent else "not consistent"
    return [link.name, f"{body.mass:.4g}", centre, moments, f"{link.smallest:.2g}", verdict]


def verdicts(result: Identification, values: Array) -> tuple[LinkVerdict, ...]:
    """Inertia of each body and its verdict; bodies without a value are left out."""
    length = result.model.sizes.scales.length
    unit = np.diag([1 / length] * 3 + [1.0])
    link_verdicts = []
    for i, (_, link) in enumerate(result.model.system.tree):
        ten = values[_TEN * i : _TEN * (i + 1)]
        if np.isnan(ten).any():
            continue
        J = pseudo_inertia(ten)
        smallest = float(np.linalg.eigvalsh(unit @ J @ unit)[0])
        if not ten[0] and ten[1:4].any():
            continue
        link_verdicts.append(LinkVerdict(link.name, from_pseudo_inertia(J), smallest))
    return tuple(link_verdicts)


def consistent_estimate(result: Identification) -> ConsistentEstimate:
    """Physically possible inertias that fit a log best; no negative rotors or friction.

    Minimises the weighted squares of residuals under one linear matrix inequality for each body.
    What the log does not show stays near the description.
    """
    clarabel = package("clarabel", "identification", "consistent_estimate", fault=SolveError)
    prior = described_values(result.model)
    start, unit = np.nan_to_num(prior), _units(result, prior)
    n, grouping = len(unit), result.base.grouping
    # with x = grouping @ π, squares of the fit are those of r = weight (x − x̂)
    weight = np.linalg.cholesky(np.linalg.inv(result.fit.covariance)).T
    factor = min(1.0, _SUREST / float(np.linalg.norm(weight @ grouping * unit, 2)))
    weight = weight * factor
    fitted = scipy.sparse.csc_matrix(np.hstack([weight @ grouping * unit, -np.eye(len(weight))]))
    bodies, least, cones = _conditions(clarabel, result, n)
    A = scipy.sparse.vstack(
        [
            fitted,
            scipy.sparse.hstack([bodies, scipy.sparse.csc_matrix((bodies.shape[0], len(weight)))]),
        ],
        "csc",
    )
    b = np.concatenate([weight @ result.values, least])
    P = scipy.sparse.diags([_PULL**2] * n + [1.0] * len(weight), format="csc")
    q = np.concatenate([-(_PULL**2) * start / unit, np.zeros(len(weight))])
    solution = _solution(clarabel, P, q, A, b, [clarabel.ZeroConeT(len(weight)), *cones])
    values = _lifted(solution[:n], len(result.model.system.tree)) * unit
    base_values = grouping @ values
    left = weight @ (base_values - result.values) / factor
    before = result.residuals.left / result.fit.sigma
    return ConsistentEstimate(
        result.base.standard,
        values,
        verdicts(result, values),
        verdicts(result, prior),
        base_values,
        1 + float(left @ left) / max(float((before**2).sum()), 1e-300),
    )


def _lifted(values: Array, bodies: int) -> Array:
    """Parameters, a little larger where the solver stopped below the margin of a body."""
    lifted = np.array(values)
    for i in range(bodies):
        columns = slice(_TEN * i, _TEN * (i + 1))
        J = pseudo_inertia(values[columns])
        lack = _MARGIN - float(np.linalg.eigvalsh(J)[0])
        if lack > 0:
            more = Inertia(J[3, 3] + lack, J[:3, 3], J[:3, :3] + lack * np.eye(3))
            lifted[columns] = ten_parameters(more)
    return lifted


def _units(result: Identification, prior: Array) -> Array:
    """Unit of each parameter: from mass and length of the mechanism, or its own size."""
    scales = result.model.sizes.scales
    bodies = np.tile(
        scales.mass * scales.length ** LENGTHS.astype(float), len(result.model.system.tree)
    )
    others = np.abs(prior[len(bodies) :])
    return np.concatenate([bodies, np.where(others > 0, others, 1.0)])


def _conditions(clarabel: Any, result: Identification, n: int) -> tuple[Any, Array, list[Any]]:
    """A π̂ + s = b: s is the pseudo-inertia of each body above the margin; others are positive."""
    bodies = len(result.model.system.tree)
    of_one = np.column_stack([_triangle(pseudo_inertia(unit)) for unit in np.eye(_TEN)])
    A = np.zeros((_TEN * bodies, n))
    A[:, : _TEN * bodies] = -np.kron(np.eye(bodies), of_one)
    signed = [k for k, name in enumerate(result.base.standard) if name.startswith(_POSITIVE)]
    A = np.concatenate([A, -np.eye(n)[signed]])
    least = np.tile(-_MARGIN * _triangle(np.eye(4)), bodies)
    cones = [clarabel.PSDTriangleConeT(4) for _ in range(bodies)]
    cones += [clarabel.NonnegativeConeT(len(signed))] if signed else []
    return scipy.sparse.csc_matrix(A), np.concatenate([least, np.zeros(len(signed))]), cones


def _triangle(J: Array) -> Array:
    """The upper triangle of a symmetric matrix, column by column, whose length is that of J."""
    j, i = np.tril_indices(len(J))
    return np.asarray(J[i, j] * np.where(i == j, 1.0, np.sqrt(2)))


def _solution(clarabel: Any, P: Any, q: Array, A: Any, b: Array, cones: list[Any]) -> Array:
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_feas = settings.tol_gap_abs = settings.tol_gap_rel = _TOLERANCE
    solution = clarabel.DefaultSolver(P, q, A, b, cones, settings).solve()
    if str(solution.status) not in ("Solved", "AlmostSolved"):
        problem = say("Clarabel stopped: {status}.", solution.status)
        raise SolveError("consistent_estimate", problem, "Look at the units of the description.")
    return np.array(solution.x)
