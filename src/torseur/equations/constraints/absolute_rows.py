"""The constraints of free bodies as expressions: joints composed of elementary rows, and the rest.

The text of the rows is that of `dynamics.absolute.elementary_rows`, here on expressions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.algebra.core.graph import expressions
from torseur.dynamics.absolute.joint_rows import Frame, joint_rows, measure_row, readings
from torseur.dynamics.tree.closure import (
    Closure,
    closures,
    constraint_bias,
    constraint_jacobian,
    constraint_rate,
)
from torseur.equations.constraints.conditions import (
    Conditions,
    GivenConstraints,
    joint_coordinates,
    stated,
)
from torseur.equations.constraints.constraint_rows import constraints_of, coordinate_rates
from torseur.equations.constraints.unknowns import multiplier_letters, row_unknowns
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.model.description import GROUND, Joint, Mechanism
from torseur.spatial.pose import Pose
from torseur.words.sentence import say

Array = np.ndarray
Row = tuple[str, Any, Array, Any, Any]  # owner, gap (None where it holds no position), J, b, γ
STILL = (0, 0, 0)


@final
class Ends:
    """The bodies of a free system as the ends of elementary rows, in ground axes."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._index = {link.name: i for i, link in system.tree}

    def speeds(self, body: str) -> list[int]:
        """The columns of a body."""
        i = self._index[body]
        return list(range(6 * i, 6 * i + 6))

    def end(self, body: str) -> Any:
        """Centre, its velocity, angular velocity."""
        if body == GROUND:
            return STILL, STILL, STILL
        i = self._index[body]
        r, v = self._system.q[7 * i : 7 * i + 3], self._system.v[6 * i : 6 * i + 6]
        return tuple(r), tuple(v[:3]), tuple(self._pose(body).R.out(v[3:]))

    def _pose(self, body: str) -> Pose:
        if body == GROUND:
            return Pose()
        i = self._index[body]
        return self._system.tree.links[i].joint.transform(self._system.q[7 * i : 7 * i + 7])

    def _frame(self, body: str, X: Pose) -> tuple[Any, Array]:
        """A frame of a body: its origin from the centre, its axes as columns; ground axes."""
        X_MB = Pose() if body == GROUND else self._system.tree.links[self._index[body]].X_MB
        pose, out = X_MB @ X, self._pose(body).R.out
        return tuple(out(pose.p)), np.array([out(pose.R.matrix[:, k]) for k in range(3)]).T

    def frames(self, joint: Joint) -> tuple[Frame, Frame]:
        """F and M of a joint."""
        return (
            (self.end(joint.first), *self._frame(joint.first, joint.X_AF)),
            (self.end(joint.second), *self._frame(joint.second, joint.X_BM)),
        )

    def measure(self, joint: Joint, k: int) -> tuple[Array, Any]:
        """The row of the Jacobian of a speed of a joint, and its rate without accelerations."""
        row = measure_row(readings(joint.kind)[k], *self.frames(joint))
        return self.jacobian(joint, row), row[4]

    def jacobian(self, joint: Joint, row: Any) -> Array:
        """A row on the speeds of all bodies."""
        _, n, a_i, a_j, _ = row
        entries = np.full(len(self._system.v), ZERO, dtype=object)
        for body, force, couple in (
            (joint.first, -np.array(n, dtype=object), a_i),
            (joint.second, np.array(n, dtype=object), a_j),
        ):
            if body != GROUND:
                local = self._pose(body).R.into(np.array(couple, dtype=object))
                entries[self.speeds(body)] += np.concatenate([force, local])
        return entries


# --- all of them --------------------------------------------------------------------------------


def check_composed(mechanism: Mechanism) -> None:
    """The rows of every joint must be expressions of the poses of its bodies."""
    for joint in mechanism.joints.values():
        if joint.kind.elementary is None:
            problem = say(
                "a {names} joint is not composed of elementary constraints: its constraints "
                "depend on {coordinates}, besides the poses of bodies.",
                joint.kind.names[0],
                ", ".join(joint.coordinates),
            )
            advice = "Derive the equations in the coordinates of the joints."
            raise ModelError(joint.place or f'joint "{joint.name}"', problem, advice)


def absolute_constraints(system: System) -> GivenConstraints:
    """The rows of a free system: joints, contacts and imposed poses, then relations and laws."""
    rates = expressions(coordinate_rates(system))
    cuts = tuple(cut for cut in system.cuts if cut.name not in system.mechanism.joints)
    closing = closures(system.tree, cuts, system.q)
    rows = [*_joints(system), *closing_rows(system, closing), *_conditions(system, rates)]
    positions = tuple(k for k, row in enumerate(rows) if row[1] is not None)
    owners = tuple(row[0] for row in rows)
    return GivenConstraints(
        owners,
        row_unknowns(owners, multiplier_letters(system.mechanism), closing),
        positions,
        expressions([rows[k][1] for k in positions]),
        expressions([row[2] for row in rows]).reshape(len(rows), len(system.v)),
        expressions([row[3] for row in rows]),
        expressions([row[4] for row in rows]),
        rates,
    )


def _joints(system: System) -> Iterator[Row]:
    ends = Ends(system)
    for joint in system.mechanism.joints.values():
        for row in joint_rows(joint.kind, *ends.frames(joint)):
            yield joint.name, row[0], ends.jacobian(joint, row), ZERO, row[4]


def closing_rows(system: System, closing: Iterable[Closure]) -> Iterator[Row]:
    """Contacts and bodies that follow a pose: what is neither a joint nor a relation."""
    for closure in closing:
        J = constraint_jacobian(system.tree, [closure], system.q)
        b = constraint_rate([closure])
        g = constraint_bias(system.tree, [closure], system.q, system.v)
        for k, gap in zip_longest(range(len(J)), closure.gap):
            yield closure.cut.name, gap, J[k], b[k], g[k]


def _conditions(system: System, rates: Array) -> Iterator[Row]:
    opened = constraints_of(system).opened
    zeros = stated(system, joint_coordinates(system.mechanism))
    along = dict(zip(system.q, rates, strict=True))
    conditions = Conditions((opened(zero) for _, zero in zeros), system.v, along)
    gaps = dict(zip(conditions.positions, conditions.gap, strict=True))
    rows = zip(conditions.J, conditions.rate, conditions.bias, strict=True)
    for k, ((name, _), row) in enumerate(zip(zeros, rows, strict=True)):
        yield name, gaps.get(k), *row
