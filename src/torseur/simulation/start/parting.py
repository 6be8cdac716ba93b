"""Forces along lines whose two ends are at one point at the start.

Such a force has no direction there. Where the ends move apart, its direction is that of their
relative motion; where it pushes with nothing, any direction will do. In both cases a motion starts
a little further, by a part of the size of the mechanism that no one sees. Where it pushes and
nothing moves, there is no one motion, and the start stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.dynamics.tree.kinematics import ground_poses, jacobian_at
from torseur.errors import SolveError
from torseur.model.description import GROUND
from torseur.model.forces.line import LENGTH, RATE, Damper, LineForce, Spring
from torseur.once import once
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import Assembled
from torseur.simulation.start.loop_closing import LoopClosing
from torseur.simulation.start.numeric_tree import NumericTree, least_step
from torseur.words.sentence import say

Array = np.ndarray
Tie = Spring | Damper | LineForce
_EMPTY = 1e-12  # of the size of the mechanism: a line without length
_APART = 1e-9  # of that size: how far ends are parted
_RANK = 1e-9


@final
@dataclass(frozen=True)
class EmptyLine:
    """A force whose ends are at one point, and how they part."""

    tie: Tie
    point: Array  # (3,): where both ends are [m]
    J: Array  # (3, nv): the velocity of the second end relative to the first
    velocity: Array  # (3,) [m/s]
    pushes: bool  # at rest, in no direction

    @property
    def has_direction(self) -> bool:
        """Whether the ends part, or any direction will do."""
        return not self.pushes or bool(self.velocity.any())


def empty_lines(tree: NumericTree, q: Array, v: Array) -> Iterator[EmptyLine]:
    """The forces along lines that have no length, except springs that are none at rest."""
    model = tree.model
    loads = model.mechanism.loads.values()
    ties = [x for x in loads if isinstance(x, Tie) and not _is_smooth(x)]
    if not ties:
        return
    spanning_tree, size = tree.structure.tree, model.sizes.scales
    placed = ground_poses(spanning_tree, q)
    index = {link.name: i for i, link in spanning_tree}
    for tie in ties:
        ends, jacobians = [], []
        for end in tie.between:
            local = np.asarray(evaluate(end.point, model.parameters), dtype=float)
            i = index.get(end.body, -1)
            at = (
                local
                if end.body == GROUND
                else placed[i].point(spanning_tree.links[i].X_MB.point(local))
            )
            ends.append(np.asarray(at, dtype=float))
            jacobian = (
                np.zeros((3, spanning_tree.nv))
                if i < 0
                else jacobian_at(spanning_tree, placed, q, i, at)[1]
            )
            jacobians.append(np.asarray(jacobian, dtype=float))
        if np.linalg.norm(ends[1] - ends[0]) > _EMPTY * size.length:
            continue
        J = jacobians[1] - jacobians[0]
        velocity = J @ v
        still = np.linalg.norm(velocity) < _EMPTY * size.length / size.time
        velocity = np.zeros(3) if still else velocity
        yield EmptyLine(tie, ends[0], J, velocity, _pushes(tie, model.parameters))


def _is_smooth(tie: Tie) -> bool:
    """A spring without length at rest pulls by k r, which has no line in it."""
    return isinstance(tie, Spring) and not free_symbols(tie.length) and not evaluate(tie.length, {})


def _pushes(tie: Tie, parameters: Any) -> bool:
    """Whether a force acts at no length and at rest."""
    if isinstance(tie, Damper):
        return False
    if isinstance(tie, Spring):
        return bool(evaluate(tie.stiffness * tie.length, parameters))
    known = {**parameters, LENGTH.name: 0.0, RATE.name: 0.0}
    if {x.name for x in free_symbols(tie.tension)} - known.keys():
        return True  # it depends on what moves
    return bool(evaluate(tie.tension, known))


def parted(start: Assembled, t: float) -> tuple[Assembled, tuple[str, ...]]:
    """A start at which lines have directions, where they can have them, and what to say of it."""
    tree, constraints = once(NumericTree)(start.model), once(NumericConstraints)(start.model)
    lines = [x for x in empty_lines(tree, start.q, start.v) if x.has_direction]
    for line in lines:
        start = _moved_on(start, constraints, line, t)
    still = {x.tie.name for x in empty_lines(tree, start.q, start.v)} if lines else set()
    names = [x.tie.name for x in lines if x.tie.name not in still]
    if not names:
        return start, ()
    notice = say(
        "The two ends of {names} are at one point at the start: the direction of the force there "
        "is that of their relative motion.",
        ", ".join(names),
    )
    return start, (notice,)


def _moved_on(
    start: Assembled, constraints: NumericConstraints, line: EmptyLine, t: float
) -> Assembled:
    """The start a little later, or with the ends a little apart where they are at rest."""
    model, sizes = start.model, start.model.sizes
    far = _APART * sizes.scales.length
    if line.velocity.any():
        step = start.v * (far / np.linalg.norm(line.velocity))
    else:
        step = _apart(constraints, line, start.q, t)
        step = step * (far / max(float(np.linalg.norm(line.J @ step)), 1e-300))
    try:
        q = advanced(model, start.q, step)
        q = LoopClosing(constraints, t).closed(q) if constraints else q
    except SolveError:
        return start
    v = start.v
    if constraints:
        J, b = (
            sizes.without_dimension(np.array(constraints.J(q, t))),
            constraints.rate(q, t) / sizes.rows,
        )
        u = v / sizes.displacements
        v = (u + least_step(J, -(J @ u + b), None)) * sizes.displacements
    return replace(start, q=q, v=v)


def _apart(constraints: NumericConstraints, line: EmptyLine, q: Array, t: float) -> Array:
    """A displacement that constraints allow and that parts the ends most."""
    along = np.eye(line.J.shape[1])
    if constraints:
        J = constraints.scaled_J(q, t)
        _, sizes, rows = np.linalg.svd(J)
        along = rows[int((sizes > _RANK * sizes.max(initial=1.0)).sum()) :].T
    along = along * constraints.model.sizes.displacements[:, np.newaxis]
    parting = np.linalg.svd(line.J @ along)[2] if along.shape[1] else np.zeros((1, 0))
    return np.asarray(along @ parting[0])
