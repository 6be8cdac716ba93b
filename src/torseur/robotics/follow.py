"""Closed mechanisms that follow a motion of some coordinates: the others from the loops."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.machine.compiled import CompiledModel
from torseur.robotics.couplings import AFFINE, linear_rows, slopes
from torseur.robotics.trajectory import Trajectory
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.newton import Look, largest, returned
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import assemble
from torseur.words.sentence import say

Array = np.ndarray
_RANK = 1e-9
_FOLLOWED = 1e-8  # without dimension: a motion that loops allow


def followed(
    model: CompiledModel, motion: Trajectory, guess: Mapping[str, float] | None
) -> tuple[Array, Array, Array]:
    """q, v and a of the tree at the instants of a motion of some coordinates."""
    constraints = NumericConstraints(model)
    if len(constraints.positions) < len(constraints.owners):
        rolling = next(
            x for k, x in enumerate(constraints.owners) if k not in constraints.positions
        )
        raise ModelError(
            f'constraint "{rolling}"',
            "it holds speeds only: positions do not follow from those of other coordinates.",
            "Let it move with an imposed motion: motions: in the model, then ts.simulate.",
        )
    columns = [model.speeds.index(f"{name}.") for name in motion.names]
    places = [model.coordinates.index(name) for name in motion.names]
    E, c = np.eye(len(model.speeds))[columns], model.sizes.displacements
    targets, speeds, rates = motion.q(), motion.v(), motion.a()
    first = dict(zip(motion.names, map(float, targets[0]), strict=True))
    q = assemble(model, {**(guess or {}), **first}, pinned=motion.names, t=motion.t[0]).q
    if (coupled := _coupled(model, motion, q)) is not None:
        return coupled
    result = []
    for k, now in enumerate(motion.t):
        q = _closed(model, constraints, q, (places, targets[k], E), now)
        rows = np.concatenate([constraints.scaled_J(q, now), E])
        if np.linalg.matrix_rank(rows, tol=_RANK) < len(c):
            raise SolveError(
                say("t = {now:.4g} s", now),
                say("the motion of {names} does not determine that of all bodies.",
                    ", ".join(motion.names)),
                "Give the motion of more coordinates, or leave out a dead point.",
            )  # fmt: skip
        r = model.sizes.rows
        v = _solved(rows, [-constraints.rate(q, now) / r, speeds[k] / c[columns]], now) * c
        a = _solved(rows, [-constraints.bias(q, v, now) / r, rates[k] / c[columns]], now) * c
        result.append((q, v, a))
    positions, speeds, accelerations = map(np.array, zip(*result, strict=True))
    return positions, speeds, accelerations


def _coupled(
    model: CompiledModel, motion: Trajectory, q: Array
) -> tuple[Array, Array, Array] | None:
    """q, v and a where all constraints are couplings, from q at the start; None if not."""
    rows = linear_rows(model, q)
    if rows is None:
        return None
    slope, others, left = slopes(model, rows[0], motion.names)
    all_follow = len(others) + len(motion.names) == len(model.speeds) == len(q)
    if left > AFFINE or not all_follow:
        return None
    if np.linalg.matrix_rank(rows[0][:, others], tol=_RANK) < len(others):
        return None
    order = [model.speeds.index(f"{name}.") for name in model.coordinates]
    targets = motion.q()
    way = (targets - targets[0]) @ slope[order].T
    return q + way, motion.v() @ slope.T, motion.a() @ slope.T


def _closed(
    model: CompiledModel,
    constraints: NumericConstraints,
    q: Array,
    imposed: tuple[list[int], Array, Array],
    now: float,
) -> Array:
    """The coordinates near q that close every loop with some coordinates imposed."""
    places, target, E = imposed
    c = model.sizes.displacements
    lengths = c[E.argmax(axis=1)]

    def look(q: Array) -> Look[Array]:
        opening = np.concatenate([constraints.opening(q, now), (q[places] - target) / lengths])

        def step() -> Array:
            rows = np.concatenate([constraints.scaled_J(q, now), E])
            return np.asarray(np.linalg.lstsq(rows, -opening, rcond=_RANK)[0])

        return Look(opening, step, lambda x: advanced(model, q, x * c))

    result = returned(look, q, constraints.closed_within)
    if not result.is_closed:
        gap = constraints.gap(result.q, now)
        joint, size = constraints.worst(gap) if largest(gap) else ("", 0.0)
        raise SolveError(
            say("t = {now:.4g} s", now),
            say(
                'no position closes the loops: joint "{joint}" stays open by {size:.3g}.',
                joint,
                size,
            ),
            "Give a motion that the loops allow, or fewer coordinates.",
        )
    return result.q


def _solved(rows: Array, parts: list[Array], now: float) -> Array:
    """The speeds or accelerations that all rows ask for."""
    right = np.concatenate(parts)
    x = np.linalg.lstsq(rows, right, rcond=_RANK)[0]
    if np.abs(rows @ x - right).max() > _FOLLOWED * max(1.0, np.abs(right).max()):
        raise SolveError(
            say("t = {now:.4g} s", now),
            "the loops do not allow these speeds together.",
            "Give the motion of fewer coordinates, name the actuators, or leave out a dead point.",
        )
    return np.asarray(x)
