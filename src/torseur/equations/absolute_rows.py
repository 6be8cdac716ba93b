"""The constraints of free bodies as expressions: joints composed of elementary rows, and the rest.

The text of the rows is that of `dynamics.absolute.elementary`, here on expressions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.dynamics.absolute.composed import Frame, joint_rows, measure_row
from torseur.dynamics.absolute.joints import readings
from torseur.dynamics.tree.closure import constraint_bias, constraint_jacobian, constraint_rate
from torseur.equations.given_rows import GivenConstraints
from torseur.equations.rows import (
    Constraints,
    check_linear,
    coordinate_rates,
    integrated,
    sliding,
)
from torseur.equations.system import System
from torseur.errors import ModelError
from torseur.model.description import GROUND, Gear, Joint, Mechanism, Motion, Relation
from torseur.spatial.pose import Pose
from torseur.topology.structure import TIME
from torseur.topology.tree import Tree

Array = np.ndarray
STILL = (0, 0, 0)


@final
class Ends:
    """The bodies of a free system as the ends of elementary rows, in ground axes."""

    def __init__(self, made: System) -> None:
        self._made = made
        self._index = {link.name: i for i, link in made.tree}

    def speeds(self, body: str) -> list[int]:
        """The columns of a body."""
        i = self._index[body]
        return list(range(6 * i, 6 * i + 6))

    def end(self, body: str) -> Any:
        """Centre, its velocity, angular velocity."""
        if body == GROUND:
            return STILL, STILL, STILL
        i = self._index[body]
        r, v = self._made.q[7 * i : 7 * i + 3], self._made.v[6 * i : 6 * i + 6]
        return tuple(r), tuple(v[:3]), tuple(self._pose(body).R.out(v[3:]))

    def _pose(self, body: str) -> Pose:
        if body == GROUND:
            return Pose()
        i = self._index[body]
        return self._made.tree.links[i].joint.transform(self._made.q[7 * i : 7 * i + 7])

    def _frame(self, body: str, X: Pose) -> tuple[Any, Array]:
        """A frame of a body: its origin from the centre, its axes as columns; ground axes."""
        X_MB = Pose() if body == GROUND else self._made.tree.links[self._index[body]].X_MB
        own, out = X_MB @ X, self._pose(body).R.out
        return tuple(out(own.p)), np.array([out(own.R.matrix[:, k]) for k in range(3)]).T

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
        made = np.full(len(self._made.v), ZERO, dtype=object)
        for body, force, couple in (
            (joint.first, -np.array(n, dtype=object), a_i),
            (joint.second, np.array(n, dtype=object), a_j),
        ):
            if body != GROUND:
                local = self._pose(body).R.into(np.array(couple, dtype=object))
                made[self.speeds(body)] += np.concatenate([force, local])
        return made


# --- all of them --------------------------------------------------------------------------------


@final
@dataclass
class _Listed:
    """Rows as they are found."""

    owners: list[str] = field(default_factory=list)
    gaps: list[Any] = field(default_factory=list)  # None for a row that holds no position
    J: list[Array] = field(default_factory=list)
    rate: list[Any] = field(default_factory=list)
    bias: list[Any] = field(default_factory=list)

    def add(self, owner: str, gap: Any, J: Array, rate: Any, bias: Any) -> None:
        """One row."""
        self.owners.append(owner)
        self.gaps.append(gap)
        self.J.append(J)
        self.rate.append(rate)
        self.bias.append(bias)


def check_composed(mechanism: Mechanism) -> None:
    """The rows of every joint must be expressions of the poses of its bodies."""
    for joint in mechanism.joints.values():
        if joint.kind.elementary is None:
            raise ModelError(
                joint.place or f'joint "{joint.name}"',
                f"a {joint.kind.names[0]} joint is not composed of elementary constraints: what it "
                f"holds depends on {', '.join(joint.coordinates)}, besides the poses of bodies.",
                "Derive the equations in the coordinates of the joints.",
            )


def absolute_constraints(made: System) -> GivenConstraints:
    """The rows of a free system: joints, contacts and imposed poses, then relations and laws."""
    found, ends = _Listed(), Ends(made)
    for joint in made.mechanism.joints.values():
        for row in joint_rows(joint.kind, *ends.frames(joint)):
            found.add(joint.name, row[0], ends.jacobian(joint, row), ZERO, row[4])
    held = Constraints(made)
    _add_closures(made, held, found)
    for name, zero, speed in _conditions(made, held):
        _add_condition(made, found, name, zero, speed)
    gaps = [(k, gap) for k, gap in enumerate(found.gaps) if gap is not None]
    return GivenConstraints(
        tuple(found.owners),
        tuple(k for k, _ in gaps),
        expressions([gap for _, gap in gaps]),
        expressions(found.J).reshape(len(found.J), len(made.v)),
        expressions(found.rate),
        expressions(found.bias),
        expressions(coordinate_rates(made)),
    )


def _add_closures(made: System, held: Constraints, found: _Listed) -> None:
    """Contacts and bodies that follow a pose: what is neither a joint nor a relation."""
    for closure in held.closures:
        if closure.cut.name in made.mechanism.joints:
            continue
        J = constraint_jacobian(made.tree, [closure], made.q)
        b = constraint_rate([closure])
        g = constraint_bias(made.tree, [closure], made.q, made.v)
        gap = [*closure.gap, *(None for _ in range(len(J) - len(closure.gap)))]
        for k in range(len(J)):
            found.add(closure.cut.name, gap[k], J[k], b[k], g[k])


def _conditions(made: System, held: Constraints) -> Iterator[tuple[str, Expr | None, Expr | None]]:
    """Name, the position that stays zero and the speed that stays zero, where there is one."""
    mechanism = made.mechanism
    for one in mechanism.constraints.values():
        if isinstance(one, Gear):
            yield one.name, None, sliding(made, one)
        elif isinstance(one, Relation):
            check_linear(one)
            zero = integrated(joint_coordinates(mechanism), one.zero)
            speaks = any(x.kind == "speed" for x in free_symbols(zero))
            opened = held.opened(zero)
            yield one.name, None if speaks else opened, opened if speaks else None
    for motion in mechanism.motions.values():
        if isinstance(motion, Motion):
            zero = symbol(motion.coordinate, "coordinate") - motion.law
            yield motion.name, held.opened(zero), None


def _add_condition(
    made: System, found: _Listed, name: str, zero: Expr | None, speed: Expr | None
) -> None:
    """u = d zero/dt, or the speed itself; both are linear in the speeds of the bodies."""
    along = dict(zip(made.q, coordinate_rates(made), strict=True))
    u = expression(time_derivative(zero, along, TIME) if speed is None else speed)
    still = substitute(u, dict.fromkeys(made.v, ZERO))
    found.add(name, zero, jacobian([u], made.v)[0], still, time_derivative(u, along, TIME))


def joint_coordinates(mechanism: Mechanism) -> System:
    """The coordinates and speeds of all joints, without a tree."""
    q = [symbol(name, "coordinate") for name in mechanism.every_coordinate]
    v = [symbol(name, "speed") for name in mechanism.every_speed]
    return System(
        mechanism,
        Tree((), 0, 0),
        np.array(q, dtype=object),
        np.array(v, dtype=object),
        np.zeros(0),
    )
