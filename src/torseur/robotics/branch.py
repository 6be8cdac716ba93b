"""One branch of the configurations of a mechanism, followed by its driven coordinates in batches.

The passive coordinates follow by J_p p + J_d d = 0: from a configuration that closes the loops to
one nearby, along the tangent and then by Newton's method, many of them at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from torseur.errors import ModelError, require_known
from torseur.machine.closed_functions import chosen_actuators, require_actuated
from torseur.machine.compiled import CompiledModel, compile
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.description import Mechanism
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import Assembled
from torseur.words.sentence import say

Array = np.ndarray
STEP = 0.1  # of driven coordinates along a tangent [rad, or part of the size]
STEEP = 30.0  # passive motions for a driven one, beyond which a branch is not followed
RANK = 1e-9  # of J without dimension
_NEWTON = 12
_CLOSED = 1e-11  # parts of the size
_MARCHES = 80  # steps towards a fold
_HALVINGS = 44


@final
@dataclass(frozen=True, eq=False)
class DrivenBranch:
    """A mechanism without its imposed motions, which of its coordinates are driven, and a start."""

    model: CompiledModel
    driven: tuple[str, ...]
    start: Array  # (nq): loops are closed there

    @cached_property
    def constraints(self) -> NumericConstraints:
        """Constraints that close the loops."""
        return NumericConstraints(self.model)

    @cached_property
    def places(self) -> list[int]:
        """Where the driven coordinates stand in q."""
        return [self.model.coordinates.index(name) for name in self.driven]

    @cached_property
    def columns(self) -> list[int]:
        """Where their rates stand in v."""
        return [self.model.speeds.index(f"{name}.") for name in self.driven]

    @cached_property
    def passive(self) -> list[int]:
        """The other speeds."""
        return [k for k in range(len(self.model.speeds)) if k not in self.columns]

    @cached_property
    def units(self) -> Array:
        """(nv): the size of the mechanism for lengths, 1 for angles."""
        return self.model.sizes.displacements

    def J(self, q: Array) -> Array:
        """(N, rows, nv) without dimension, of configurations (N, nq)."""
        if not self.constraints:
            return np.zeros((len(q), 0, len(self.model.speeds)))
        return self.constraints.scaled_J(q, np.zeros(len(q)))

    def rates(self, q: Array) -> Array:
        """(N, nv, driven): speeds for rates of driven coordinates, without dimension."""
        result = np.zeros((len(q), len(self.model.speeds), len(self.driven)))
        result[:, self.columns, range(len(self.driven))] = 1.0
        if self.passive:
            J = self.J(q)
            result[:, self.passive] = -_inverse(J[:, :, self.passive]) @ J[:, :, self.columns]
        return result

    def configurations_after(self, q: Array, step: Array) -> Array:
        """Configurations after displacements (N, nv) without dimension."""
        if not self.model.system.tree.quaternions:
            return np.asarray(q + step * self.units)
        rows = zip(q, step * self.units, strict=True)
        return np.array([advanced(self.model, one, way) for one, way in rows])

    def closed(self, q: Array, columns: Sequence[int]) -> tuple[Array, Array]:
        """Configurations with their loops closed by some speeds, and which of them are."""
        if not self.constraints:
            return q, np.ones(len(q), dtype=bool)
        q, left = q.copy(), np.arange(len(q))
        for _ in range(_NEWTON):
            opening = self.constraints.opening(q[left], np.zeros(len(left)))
            off = np.abs(opening).max(axis=1, initial=0.0) > _CLOSED
            left, opening = left[off], opening[off]
            if not len(left):
                break
            J = self.J(q[left])[:, self.constraints.positions][:, :, columns]
            step = np.zeros((len(left), len(self.model.speeds)))
            step[:, columns] = -np.einsum("nij,nj->ni", _inverse(J), opening).clip(-1.0, 1.0)
            q[left] = self.configurations_after(q[left], step)
        fine = np.ones(len(q), dtype=bool)
        fine[left] = False
        return q, fine

    def followed(self, q: Array, values: Array) -> tuple[Array, Array]:
        """From configurations to values of the driven coordinates (N, driven), and which arrive.

        Where passive coordinates would have to run away, the branch ends before.
        """
        q, fine = q.copy(), np.ones(len(q), dtype=bool)
        lengths = self.units[self.columns]
        ways = (values - q[:, self.places]) / lengths
        parts = max(1, int(np.ceil(np.abs(ways).max(initial=0.0) / STEP)))
        for _ in range(parts):
            rates = self.rates(q[fine])
            steep = np.abs(rates).max(axis=(1, 2), initial=0.0) > STEEP
            ahead = self.configurations_after(
                q[fine], np.einsum("nij,nj->ni", rates, ways[fine] / parts)
            )
            there, closed = self.closed(ahead, self.passive)
            jumped = np.abs(there - ahead).max(axis=1, initial=0.0) > STEEP * STEP
            q[fine] = there
            fine[np.flatnonzero(fine)] = closed & ~steep & ~jumped
            if not fine.any():
                break
        return q, fine


def _inverse(J: Array) -> Array:
    """Pseudo-inverses of a batch of matrices."""
    return np.asarray(np.linalg.pinv(J, rcond=RANK))


def branch(state: Assembled, driven: Sequence[str] = ()) -> DrivenBranch:
    """The branch of an assembled mechanism, its imposed motions left out.

    Without names, what is driven is what motions impose, else the inputs, else what motors drive,
    else, of a mechanism without loops, every coordinate.
    """
    mechanism = state.model.mechanism
    model = compile(replace(mechanism, motions={}), parameters=state.model.given)
    names = tuple(driven) or _driven(mechanism, model)
    coordinates = tuple(x.removesuffix(".") for x in chosen_actuators(model.mechanism, names))
    movable = [name for name in model.coordinates if f"{name}." in model.speeds]
    require_known("workspace", "coordinate", coordinates, movable)
    return DrivenBranch(model, coordinates, state.q)


def _driven(mechanism: Mechanism, model: CompiledModel) -> tuple[str, ...]:
    """Driven coordinates of the description."""
    imposed = [m.coordinate for m in imposed_coordinates(mechanism).values()]
    if imposed:
        return tuple(imposed)
    if mechanism.inputs or mechanism.motors or model.system.constrained:
        return chosen_actuators(mechanism, None)
    return tuple(x.removesuffix(".") for x in model.speeds if x.endswith("."))


def require_independent(branch: DrivenBranch) -> None:
    """The driven coordinates must decide the others, and be free themselves."""
    if not branch.constraints:
        return
    model, start = branch.model, branch.start
    require_actuated(model, tuple(f"{name}." for name in branch.driven), start, 0.0)
    freedoms = len(model.speeds) - int(np.linalg.matrix_rank(branch.J(start[np.newaxis])[0], 1e-8))
    if freedoms < len(branch.driven):
        raise ModelError(
            f'mechanism "{model.mechanism.name}"',
            say("{driven} are driven, but {count} can be chosen freely.",
                ", ".join(branch.driven), freedoms),
            say("Drive {count} of them: driven=[…].", freedoms),
        )  # fmt: skip


# --- folds: a driven coordinate turns back while the others are held -----------------------------
#
# The curve is followed along its tangent, by pseudo-arc length (Keller 1977), many at a time.


def folds(branch: DrivenBranch, q: Array, k: int, way: int, span: tuple[float, float]) -> Array:
    """The folds ahead of configurations (N, nq) as driven coordinate k grows, or falls.

    A curve that leaves the range of the coordinate before has none.
    """
    columns, column = [*branch.passive, branch.columns[k]], branch.columns[k]
    tangent = _tangents(branch, q, columns)
    tangent = tangent * (way * np.sign(tangent[:, [column]]))
    result = [q[:0]]
    for _ in range(_MARCHES):
        if not len(q):
            break
        ahead, closed = _ahead(branch, q, tangent, columns, np.full(len(q), STEP))
        turned = _like(_tangents(branch, ahead, columns), tangent)
        back = closed & (way * turned[:, column] <= 0)
        result.append(_turning(branch, q[back], tangent[back], columns, (column, way)))
        value = ahead[:, branch.places[k]]
        on = closed & ~back & (value >= span[0]) & (value <= span[1])
        q, tangent = ahead[on], turned[on]
    return np.concatenate(result)


def _turning(
    branch: DrivenBranch, q: Array, tangent: Array, columns: Sequence[int], turn: tuple[int, int]
) -> Array:
    """Within one step, where the driven coordinate stands still: by halves."""
    if not len(q):
        return q
    column, way = turn
    low, high = np.zeros(len(q)), np.full(len(q), STEP)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        there, _ = _ahead(branch, q, tangent, columns, middle)
        slope = _like(_tangents(branch, there, columns), tangent)[:, column] * way
        low, high = np.where(slope > 0, middle, low), np.where(slope > 0, high, middle)
    return _ahead(branch, q, tangent, columns, low)[0]


def _ahead(
    branch: DrivenBranch, q: Array, tangent: Array, columns: Sequence[int], steps: Array
) -> tuple[Array, Array]:
    """Configurations a step along their tangents, and which of them close their loops."""
    return branch.closed(branch.configurations_after(q, tangent * steps[:, np.newaxis]), columns)


def _tangents(branch: DrivenBranch, q: Array, columns: Sequence[int]) -> Array:
    """(N, nv): the one motion of some speeds that the loops leave free, of unit size."""
    result = np.zeros((len(q), len(branch.model.speeds)))
    if len(q):
        result[:, columns] = np.linalg.svd(branch.J(q)[:, :, columns])[2][:, -1]
    return result


def _like(tangents: Array, before: Array) -> Array:
    """Motions turned to the side of those before them."""
    same = np.einsum("ni,ni->n", tangents, before)
    return np.asarray(tangents * np.where(same < 0, -1.0, 1.0)[:, np.newaxis])
