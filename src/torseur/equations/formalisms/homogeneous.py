"""Homogeneous 4×4 matrices: where bodies are, what joints do, and how both change."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur import notebook
from torseur.algebra.core.graph import expressions
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.text import text
from torseur.brief import brief
from torseur.dynamics.tree.uicker import along_chain, twist
from torseur.equations.symbols.system import System, system
from torseur.errors import require_known
from torseur.model.description import Mechanism
from torseur.text_table import text_table
from torseur.topology.elementary import elementary
from torseur.topology.tree import Tree

Array = np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Homogeneous:
    """P of bodies, D of coordinates, and U, the derivatives of P: all 4×4, as expressions.

    A chain is a product of transforms, each with ∂P_i/∂q_i = P_i D_i, so that ∂P_j/∂q_i is the same
    product with D_i after joint i (Liégeois and Aldon 1980, §2.1 and §2.2; erratum E1-9).
    """

    __repr__ = brief
    _repr_html_ = notebook.told

    system: System
    tree: Tree  # of joints with one freedom each

    @cached_property
    def _bodies(self) -> dict[str, int]:
        """The last of the links that carry a body."""
        return {link.name: j for j, link in self.tree}

    @cached_property
    def _joints(self) -> dict[str, int]:
        """The link that a coordinate moves."""
        return {self.system.coordinates[link.q.start]: j for j, link in self.tree}

    @cached_property
    def _local(self) -> list[Array]:
        return [X.homogeneous for X in self.tree.poses(self.system.q)]

    @property
    def bodies(self) -> tuple[str, ...]:
        """Bodies that move; a body fixed to another one goes with it."""
        return tuple(self._bodies)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """One for each transform."""
        return tuple(self._joints)

    def P(self, body: str) -> Array:
        """A body in the ground: [R, OA; 0, 1]."""
        return self.U(body)

    def D(self, coordinate: str) -> Array:
        """The operator of a coordinate, ∂P/∂q = P D: [ω̃, v; 0, 0] of its unit twist."""
        link = self.tree.links[self._joint(coordinate)]
        subspace = link.joint.motion_subspace(self.system.q[link.q])
        return np.asarray(readable(twist(subspace[:, 0])))

    def U(self, body: str, *coordinates: str) -> Array:
        """∂P/∂q of a body, or ∂²P/∂q∂q'; zero where a coordinate does not move it."""
        require_known("homogeneous", "body", body, self._bodies)
        j, joints = self._bodies[body], [self._joint(name) for name in coordinates]
        if not set(joints) <= set(self.tree.ancestors(j)):
            return expressions(np.zeros((4, 4), dtype=int))
        placed = along_chain(self.tree, self.system.q, self._local, joints, j)
        return np.asarray(readable(placed @ self.tree.links[j].X_MB.homogeneous))

    def _joint(self, coordinate: str) -> int:
        require_known("homogeneous", "coordinate", coordinate, self._joints)
        return self._joints[coordinate]

    def __str__(self) -> str:
        matrices = [(f"P({body})", self.P(body)) for body in self.bodies]
        matrices += [(f"D({name})", self.D(name)) for name in self.coordinates]
        return "\n\n".join("\n".join((f"{name} =", *_lines(matrix))) for name, matrix in matrices)


def homogeneous(mechanism: Mechanism) -> Homogeneous:
    """The 4×4 matrices of a mechanism: `.P(body)`, `.D(coordinate)`, `.U(body, coordinate, …)`.

    Joints with several freedoms go through massless bodies; those that turn as quaternions do are
    refused.
    """
    described = system(mechanism)
    return Homogeneous(described, elementary(described.tree, "uicker", screws=True))


def _lines(matrix: Array) -> list[str]:
    return [f"  [ {row} ]" for row in text_table([[text(x) for x in row] for row in matrix])]
