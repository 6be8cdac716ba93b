"""Mobility and over-constraint, from ranks at the assembled configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.backends.compiled import CompiledModel
from torseur.dynamics.closure import closures
from torseur.mechanism.description import Mechanism
from torseur.mechanism.numeric import numeric_mechanism
from torseur.simulation.assemble import Assembled, assemble
from torseur.topology.structure import structure

Array = np.ndarray
# Entries of J are lengths of about a metre or cosines; a real constraint is far above this.
_RANK = 1e-9


@final
@dataclass(frozen=True)
class Mobility:
    """m, h and γ of a mechanism, with what is constrained twice."""

    degree: int  # m: the mobility
    overconstraint: int  # h: the degree of hyperstatism
    loops: int  # γ: the independent loops
    freedoms: int  # I_c: the freedoms of all the joints
    directions: tuple[str, ...]  # what is constrained more than once, in words
    moving: Array  # (n, m): the motions that remain, in the speeds of the tree

    def __str__(self) -> str:
        lines = [
            f"mobility m = {self.degree}",
            f"over-constraint h = m + 6 γ − I_c = {self.degree} + 6×{self.loops} − "
            f"{self.freedoms} = {self.overconstraint}",
        ]
        return "\n".join([*lines, *(f"  constrained twice: {text}" for text in self.directions)])


def mobility(mechanism: Mechanism | Assembled) -> Mobility:
    """The mobility at the assembled configuration, never from counting alone."""
    found = mechanism if isinstance(mechanism, Assembled) else assemble(mechanism)
    model = found.model
    cuts, n = model.system.cuts, len(model.speeds)
    freedoms = n + sum(cut.joint.nv for cut in cuts)
    if not cuts:
        return Mobility(n, 0, 0, freedoms, (), np.eye(n))
    J = np.asarray(model.constraint_jacobian(found.q), dtype=float)
    left, sizes, right = np.linalg.svd(J)
    rank = int((sizes > _RANK * max(sizes.max(initial=0.0), 1.0)).sum())
    return Mobility(
        degree=n - rank,
        overconstraint=len(J) - rank,
        loops=len(cuts),
        freedoms=freedoms,
        directions=_directions(model, found.q, left[:, rank:]),
        moving=right[rank:].T,
    )


def _directions(model: CompiledModel, q: Array, redundant: Array) -> tuple[str, ...]:
    """The wrenches that loops can hold in themselves, told joint by joint in ground axes."""
    numbers = structure(numeric_mechanism(model.mechanism, model.parameters))
    found, start = [], 0
    for closure in closures(numbers.tree, numbers.cuts, q):
        rows = redundant[start : start + closure.cut.rows]
        start += closure.cut.rows
        into = closure.X_WM.R.out
        for what, part in (("rotation about", closure.T[:3]), ("translation along", closure.T[3:])):
            held = np.asarray(into(part @ rows), dtype=float)
            found += [f'{what} {axis} (joint "{closure.cut.name}")' for axis in _spanned(held)]
    return tuple(dict.fromkeys(found))


def _spanned(vectors: Array) -> list[str]:
    """The directions a set of vectors spans: coordinate axes by name, others by components."""
    if not vectors.size:
        return []
    axes, sizes, _ = np.linalg.svd(vectors)
    rank = int((sizes > 1e-7).sum())
    space = axes[:, :rank]
    inside = [k for k in range(3) if np.linalg.norm(space[k]) > 1 - 1e-7]
    if len(inside) == rank:
        return ["xyz"[k] for k in inside]
    return [_components(space[:, k]) for k in range(rank)]


def _components(direction: Array) -> str:
    largest = direction[np.argmax(np.abs(direction))]
    return "(" + ", ".join(f"{x:.3g}" for x in direction * np.sign(largest)) + ")"
