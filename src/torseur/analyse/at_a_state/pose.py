"""A mechanism at one configuration, in numbers: how each body and coordinate moves with the speeds.

Imposed motions are left out: what is analysed is what the joints, contacts and gears allow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.dynamics.tree.closure import Closure, closures
from torseur.dynamics.tree.kinematics import ground_poses, jacobian_at
from torseur.errors import ModelError, require_known
from torseur.machine.compiled import CompiledModel, compile
from torseur.model.description import GROUND, Mechanism
from torseur.model.values.numeric import numeric_mechanism
from torseur.model.values.scales import chosen_units, state_units
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.newton import Look, returned
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import Assembled, assemble
from torseur.spatial.pose import Pose
from torseur.topology.structure import Cut, Structure, structure
from torseur.words.sentence import say

Array = np.ndarray
# From a shaky pose Newton's method returns slowly: each step halves the distance.
_STEPS = 60
_STEP = 0.03  # to a neighbour [rad, or part of the size of the mechanism]
_REACHED = 0.2  # of that step: a displacement that closing undoes was no motion


@final
@dataclass(frozen=True)
class Posed:
    """Where everything is; motions are (ω; v) in ground axes, v at the origin of the ground."""

    held: NumericConstraints
    numbers: Structure
    q: Array
    length: float = 0.0  # what lengths are compared with, 0 for the size of this configuration

    @cached_property
    def placed(self) -> list[Pose]:
        """X_WM of every body of the tree."""
        return ground_poses(self.numbers.tree, self.q)

    @property
    def mechanism(self) -> Mechanism:
        """Mechanism that is analysed."""
        return self.held.model.mechanism

    @cached_property
    def closures(self) -> list[Closure]:
        """The joints and contacts that close loops."""
        cuts = tuple(cut for cut in self.numbers.cuts if cut.name not in self.mechanism.motions)
        return closures(self.numbers.tree, cuts, self.q)

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """The joint, contact, gear or relation of each row of J."""
        return tuple(name for name in self.held.owners if name not in self.mechanism.motions)

    @cached_property
    def J(self) -> Array:
        """(rows, n): what the constraints forbid."""
        return self._all_rows[_free_rows(self.held)]

    @property
    def _all_rows(self) -> Array:
        J = np.asarray(self.held.J(self.q, 0.0), dtype=float)
        return J.reshape(len(self.held.owners), len(self.numbers.speeds))

    @cached_property
    def plain_J(self) -> Array:
        """J without dimension: lengths in units of that of the mechanism."""
        return np.asarray(self.J / self._row_sizes[:, np.newaxis] * self.scale)

    @property
    def _row_sizes(self) -> Array:
        return self.held.model.sizes.rows[_free_rows(self.held)]

    @cached_property
    def ranks(self) -> Ranks:
        """Rank, remaining motions and self-stresses; of unit size with lengths in units of ours."""
        result, length = ranks(self.plain_J), self.held.model.sizes.scales.length
        kernel = self.scale[:, np.newaxis] * result.kernel
        stresses = length / self._row_sizes[:, np.newaxis] * result.cokernel
        return replace(result, kernel=kernel, cokernel=stresses)

    @cached_property
    def driven(self) -> int:
        """Number of the remaining motions that imposed motions decide."""
        free_rows = set(_free_rows(self.held))
        rows = [k for k in range(len(self.held.owners)) if k not in free_rows]
        images = self._all_rows[rows] @ self.ranks.kernel
        return int(np.linalg.matrix_rank(images, 1e-9 * np.abs(images).max(initial=0.0)))

    def at(self, q: Array) -> Posed:
        """Mechanism at another configuration."""
        return replace(self, q=q, length=self.size)

    # --- motions --------------------------------------------------------------------------------

    @cached_property
    def twists(self) -> dict[str, Array]:
        """(6, n) for every body, the ground included."""
        tree, origin = self.numbers.tree, np.zeros(3)
        twists = {GROUND: np.zeros((6, tree.nv))}
        for i, link in tree:
            w, v = jacobian_at(tree, self.placed, self.q, i, origin)
            twists[link.name] = np.concatenate([w, v]).astype(float)
        return twists

    @cached_property
    def plain_twists(self) -> dict[str, Array]:
        """(6, n) for every body, lengths in units of the size."""
        units = np.repeat([1.0, self.size], 3)[:, np.newaxis]
        return {name: twist / units for name, twist in self.twists.items()}

    def relative(self, first: str, second: str) -> Array:
        """(6, n): the motion of the second body relative to the first."""
        require_known("mechanism", "body", (first, second), self.twists)
        return np.asarray(self.twists[second] - self.twists[first])

    @cached_property
    def rates(self) -> dict[str, Array]:
        """(n,) for every coordinate that is not part of a quaternion: its rate."""
        speeds = self.numbers.speeds
        rates = {
            name.removesuffix("."): row
            for name, row in zip(speeds, np.eye(len(speeds)), strict=True)
            if name.endswith(".")
        }
        bodies = [link.name for _, link in self.numbers.tree]
        for closure in self.closures:
            cut = closure.cut
            if not cut.coordinates or cut.joint.nq != cut.joint.nv:
                continue
            A, B = (GROUND if i < 0 else bodies[i] for i in (cut.A, cut.B))
            S = np.asarray(cut.joint.motion_subspace(closure.coordinates), dtype=float)
            rows = np.linalg.pinv(S) @ seen_from(closure.X_WM, self.relative(A, B))
            rates |= dict(zip(cut.coordinates, rows, strict=True))
        return rates

    @cached_property
    def coordinates(self) -> dict[str, float]:
        """Every coordinate by name, those of closing joints too."""
        values = dict(zip(self.numbers.coordinates, map(float, self.q), strict=True))
        for closure in self.closures:
            if closure.cut.coordinates:
                numbers = map(float, closure.coordinates)
                values |= dict(zip(closure.cut.coordinates, numbers, strict=True))
        return {name: values[name] for name in self.mechanism.every_coordinate if name in values}

    # --- places ---------------------------------------------------------------------------------

    def pose_of(self, body: str) -> Pose:
        """The frame of a body, as the user gave it, in the ground."""
        if body == GROUND:
            return Pose()
        i = next(i for i, link in self.numbers.tree if link.name == body)
        return self.placed[i] @ self.numbers.tree.links[i].X_MB

    @cached_property
    def joint_points(self) -> dict[str, Array]:
        """The origin of frame M of every joint, in the ground."""
        points = {link.joint_name: self.placed[i].p for i, link in self.numbers.tree}
        points |= {closure.cut.name: closure.X_WM.p for closure in self.closures}
        return {name: np.asarray(p, dtype=float) for name, p in points.items()}

    @cached_property
    def centre(self) -> Array:
        """The middle of the joints."""
        points = list(self.joint_points.values())
        return np.mean(points, axis=0) if points else np.zeros(3)

    @cached_property
    def size(self) -> float:
        """The largest distance of a joint from their middle [m], or any length if there is none."""
        if self.length:
            return self.length
        arms = [np.linalg.norm(p - self.centre) for p in self.joint_points.values()]
        return float(max(arms, default=0.0)) or self.held.model.sizes.scales.length

    @cached_property
    def units(self) -> dict[str, str]:
        """The unit of every coordinate and speed, those of the user too."""
        return state_units(self.mechanism) | chosen_units(self.mechanism)

    def unit(self, name: str) -> float:
        """Reference value of a coordinate or a speed: the size for a length, 1 for an angle."""
        return self.size if self.units[name] in ("m", "m/s") else 1.0

    @cached_property
    def scale(self) -> Array:
        """(n,): the units of the speeds."""
        return np.array([self.unit(name) for name in self.numbers.speeds])

    def distance(self, other: Posed) -> float:
        """Distance to another configuration, in coordinates; lengths in units of the size."""
        lengths = [self.unit(name) for name in self.numbers.coordinates]
        return float(np.linalg.norm((other.q - self.q) / lengths))

    def turned(self, name: str, change: float) -> float:
        """A change of a coordinate in its unit, an angle without whole turns."""
        if self.units[name] != "rad":
            return change / self.unit(name)
        return (change + np.pi) % (2 * np.pi) - np.pi

    # --- neighbours -----------------------------------------------------------------------------

    def neighbour(self, step: Array, pinned: tuple[str, ...] = ()) -> Posed | None:
        """The configuration after a small displacement, its loops closed again if they can be.

        Pinned coordinates keep the value they have here.
        """
        lengths = np.array([self.unit(name) for name in pinned])

        def look(there: Posed) -> Look[Posed]:
            gap, J = there._opening
            off = np.array([there.coordinates[name] - self.coordinates[name] for name in pinned])
            rates = (there.rates[name] * self.scale for name in pinned)
            J = np.vstack([J, *(x / length for x, length in zip(rates, lengths, strict=True))])
            opening = np.concatenate([gap, off / lengths])
            return Look(
                opening,
                lambda: np.linalg.lstsq(J, -opening, rcond=1e-12)[0],
                lambda back: self.at(advanced(self.held.model, there.q, self.scale * back)),
            )

        def within(there: Posed, factor: float) -> float:
            return float(10 * self.held.closed_within(there.q, factor))

        ahead = self.at(advanced(self.held.model, self.q, step))
        result = returned(look, ahead, within, steps=_STEPS, growth=np.inf, loose=1.0)
        return result.q if result.is_closed else None

    def neighbours(self) -> list[Posed]:
        """Configurations about a step away, both ways along seeded directions of free motions."""
        plain = self.ranks.kernel / self.scale[:, np.newaxis]
        if not plain.shape[1]:
            return []
        motions = self.scale[:, np.newaxis] * np.linalg.qr(plain)[0]
        rng, result = np.random.default_rng(0), []
        for _ in range(4):
            step = motions @ rng.normal(size=motions.shape[1])
            step *= _STEP / np.linalg.norm(step / self.scale)
            for way in (step, -step):
                there = self.neighbour(way)
                if there is not None and self.distance(there) > _REACHED * _STEP:
                    result.append(there)
        return result

    @property
    def _opening(self) -> tuple[Array, Array]:
        """Gaps of the loops and the rows of J that close them, without dimension."""
        free_rows = set(_free_rows(self.held))
        rows = [row in free_rows for row in self.held.positions]
        gap = np.asarray(self.held.opening(self.q, 0.0), dtype=float)[rows]
        J = self._all_rows[np.array(self.held.positions, dtype=int)[rows]]
        return gap, J / self.held.gap_sizes[rows, np.newaxis] * self.scale


def _free_rows(constraints: NumericConstraints) -> list[int]:
    """The rows of J that are not imposed motions."""
    motions = constraints.model.mechanism.motions
    return [k for k, name in enumerate(constraints.owners) if name not in motions]


def posed(mechanism: Mechanism | Assembled | Posed) -> Posed:
    """The mechanism where its initial values put it, loops closed; or where it was assembled."""
    if isinstance(mechanism, Posed):
        return mechanism
    state = mechanism if isinstance(mechanism, Assembled) else assembled(mechanism)
    model = state.model
    numbers = structure(numeric_mechanism(model.mechanism, model.parameters))
    cuts = tuple(_numeric(cut, model) for cut in numbers.cuts)
    return Posed(NumericConstraints(model), replace(numbers, cuts=cuts), state.q)


def _numeric(cut: Cut, model: CompiledModel) -> Cut:
    """Closing joint with numbers in place of parameters; motions keep their laws."""

    def number(x: Any) -> float:
        return float(evaluate(x, model.parameters))

    if cut.name not in model.mechanism.constraints:
        return cut
    kind, X_AF, X_BM = cut.joint.numeric(number), cut.X_AF, cut.X_BM
    return replace(cut, joint=kind, X_AF=X_AF.numeric(number), X_BM=X_BM.numeric(number))


def assembled(mechanism: Mechanism) -> Assembled:
    """Closed loops; initial values are kept as far as they can be.

    What depends on the configuration needs a number for every parameter.
    """
    table = mechanism.parameter_table
    for name, value in mechanism.parameters.items():
        if value is None:
            place = table[name].place or f'parameter "{name}"'
            problem = "it has no value, and the mechanism cannot be put together without it."
            raise ModelError(place, problem, say("Give it one, for instance  {name}: 0.1 .", name))
    return assemble(compile(mechanism))


def initial_value(model: CompiledModel, name: str) -> float:
    """Initial value of a coordinate, as described."""
    return float(evaluate(model.mechanism.initial[name], model.parameters))


def seen_from(X: Pose, motions: Array) -> Array:
    """Motions (6, n) given in ground axes at its origin, in the axes and at the origin of X."""
    w, v = motions[:3], motions[3:]
    there = v + np.cross(w, np.asarray(X.p, dtype=float), axis=0)
    return np.concatenate([X.R.into(w), X.R.into(there)]).astype(float)


# --- rank, kernel and cokernel of a matrix without dimension --------------------------------------

# Entries are cosines, or lengths beside that of the mechanism; a real constraint is far above this.
RANK = 1e-9


@final
@dataclass(frozen=True)
class Ranks:
    """Rank of a matrix of constraints, free motions and redundant rows."""

    rank: int
    kernel: Array  # (n, m) orthonormal: the motions that remain
    cokernel: Array  # (rows, h) orthonormal: the multipliers that do nothing
    smallest: float  # the smallest singular value that counts, relative to the largest


def ranks(J: Array, tolerance: float = RANK) -> Ranks:
    """The ranks of a matrix, by singular values; an empty matrix leaves everything free."""
    left, sizes, right = np.linalg.svd(J)
    largest = max(sizes.max(initial=0.0), 1.0)
    rank = int((sizes > tolerance * largest).sum())
    smallest = float(sizes[rank - 1] / largest) if rank else 1.0
    return Ranks(rank, right[rank:].T, left[:, rank:], smallest)


def inside(space: Array, rows: Array, tolerance: float = 1e-7) -> Array:
    """The part of a space (n, m), given by a basis of unit size, on which all `rows` vanish."""
    if not space.shape[1]:
        return space
    return np.asarray(space @ ranks(rows @ space, tolerance).kernel)
