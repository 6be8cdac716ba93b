"""Loops closed by Newton's method, some coordinates keeping their values.

Which of its assemblies a mechanism is in is told by the coordinates of joints that close loops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import final

import numpy as np

from torseur.dynamics.tree.closure import Closure, closures, relative_jacobian
from torseur.dynamics.tree.kinematics import ground_poses
from torseur.errors import SolveError
from torseur.machine.compiled import CompiledModel
from torseur.model.values.numeric import numeric_mechanism
from torseur.model.values.scales import coordinate_units
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.newton import LOOSE, Look, largest, returned
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.topology.structure import Structure, structure
from torseur.words.sentence import say

Array = np.ndarray
_RANK = 1e-9


@final
class ClosingBranch:
    """The assembly in which closing joints have the given coordinates."""

    def __init__(self, model: CompiledModel, given: Mapping[str, float]) -> None:
        tree = set(model.coordinates)
        joints = [j for j in model.mechanism.joints.values() if j.kind.nq == j.kind.nv]
        names = {n for joint in joints for n in joint.coordinates} - tree
        self._given = {n: float(given[n]) for n in names if n in given}
        self.names = tuple(self._given)  # the coordinates of closing joints that are given
        self._model = model

    @cached_property
    def _structure(self) -> Structure:
        return structure(numeric_mechanism(self._model.mechanism, self._model.parameters))

    def _closing(self, q: Array) -> list[Closure]:
        if not self._given:
            return []
        found = self._structure
        cuts = tuple(cut for cut in found.cuts if self._given.keys() & set(cut.coordinates))
        return closures(found.tree, cuts, q)

    def off(self, q: Array) -> float:
        """How far closing joints are from where they are given [rad, or part of the size]."""
        sizes, length = [0.0], self._model.sizes.scales.length
        for closure in self._closing(q):
            read = np.array(closure.coordinates, dtype=float)
            named = zip(closure.cut.coordinates, read, strict=True)
            X = closure.cut.joint.transform(np.array([self._given.get(n, x) for n, x in named]))
            sizes.append(float(np.abs(np.asarray(X.R.matrix - closure.R, dtype=float)).max()))
            sizes.append(float(np.abs(np.asarray(X.p - closure.p, dtype=float)).max()) / length)
        return max(sizes)

    def changes(self, q: Array) -> dict[str, float]:
        """By how much the given coordinates differ from those at q, to the nearest turn."""
        found: dict[str, float] = {}
        for closure in self._closing(q):
            units = closure.cut.joint.coordinate_units
            named = zip(closure.cut.coordinates, closure.coordinates, units, strict=True)
            for name, x, unit in named:
                if name in self._given:
                    change = float(x) - self._given[name]
                    turns = round(change / (2 * np.pi)) if unit == "rad" else 0
                    found[name] = change - 2 * np.pi * turns
        return found

    def slopes(self, q: Array) -> dict[str, Array]:
        """(nv,) for every given coordinate: its rate by the speeds of the tree."""
        tree = self._structure.tree
        found: dict[str, Array] = {}
        placed = ground_poses(tree, q)
        for closure in self._closing(q):
            cut = closure.cut
            moved = np.concatenate(relative_jacobian(tree, placed, q, closure)).astype(float)
            S = np.asarray(cut.joint.motion_subspace(closure.coordinates), dtype=float)
            found |= dict(zip(cut.coordinates, np.linalg.pinv(S) @ moved, strict=True))
        return {name: found[name] for name in self.names}

    def sizes(self) -> dict[str, float]:
        """What every given coordinate is compared with."""
        units = coordinate_units(self._model.mechanism)
        of = self._model.sizes.scales.of
        return {name: float(of([units[name]])[0]) for name in self.names}


@final
class Loops:
    """What is to be closed: the loops, with some coordinates of closing joints where given.

    Displacements and openings are in parts of the size of the mechanism, or in radians.
    """

    def __init__(
        self,
        held: NumericConstraints,
        t: float,
        fixed: Sequence[int] = (),
        branch: ClosingBranch | None = None,
        kept: Sequence[str] = (),
    ) -> None:
        self.held, self.t, self.fixed = held, t, list(fixed)
        self._branch, self._kept = branch, kept
        self._sizes = held.model.sizes.displacements

    def opening(self, q: Array) -> Array:
        """How far everything is from where it should be."""
        found = self.held.opening(q, self.t)
        if self._branch is None or not self._kept:
            return found
        off, sizes = self._branch.changes(q), self._branch.sizes()
        return np.concatenate([found, [off[name] / sizes[name] for name in self._kept]])

    def slopes(self, q: Array) -> Array:
        """The derivative of the opening; what is fixed does not move."""
        held = self.held
        J = np.array(held.J(q, self.t))[held.positions] / held.gap_sizes[:, np.newaxis]
        if self._branch is not None and self._kept:
            own, sizes = self._branch.slopes(q), self._branch.sizes()
            J = np.concatenate([J, [own[name] / sizes[name] for name in self._kept]])
        J = J * self._sizes
        J[:, self.fixed] = 0.0
        return np.asarray(J)

    def moved(self, q: Array, step: Array) -> Array:
        """The coordinates after a small displacement."""
        return advanced(self.held.model, q, step * self._sizes)

    def closed(self, q: Array) -> Array:
        """Everything closed, by the smallest change at each step."""

        def look(place: Array) -> Look[Array]:
            opening = self.opening(place)
            return Look(
                opening,
                lambda: -np.linalg.lstsq(self.slopes(place), opening, rcond=_RANK)[0],
                lambda step: self.moved(place, step),
            )

        found = returned(look, q, self.held.closed_within)
        if not found.is_closed and np.isfinite(found.opening).all():
            raise self._open(found.q, found.opening)
        return found.q

    def _open(self, q: Array, opening: Array) -> SolveError:
        """What stays open, and by how much."""
        held, count = self.held, len(self.held.positions)
        name, size = held.worst(held.gap(q, self.t)) if count else (self._kept[0], np.nan)
        if count and largest(opening[:count]) < held.closed_within(q, LOOSE):
            name, size = self._kept[0], float(np.abs(opening[count:]).max())
        if name in held.model.mechanism.joints:
            place, problem = f'joint "{name}"', say("the loop it closes stays open")
        elif name in self._kept:
            place, problem = f'coordinate "{name}"', say("it cannot have its value: it stays off")
        else:
            place, problem = f'constraint "{name}"', say("it cannot be held: it stays off")
        return SolveError(
            place,
            say("{problem} by {size:.3g} (m or rad).", problem, size),
            "Are the lengths long enough to reach? Give a closer guess, or pin fewer coordinates.",
        )
