"""Joints that their users define: rows that hold them, and rows of the rates of their coordinates.

Their coordinates follow the bodies as part of the state; see `dynamics.absolute.defined`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, symbol
from torseur.dynamics.absolute.defined import defined_rows
from torseur.equations.absolute_rows import Ends
from torseur.equations.formalisms.absolute import free_system
from torseur.machine.absolute.forms import Element, body_part, template
from torseur.machine.absolute.loads import Naming
from torseur.model.description import GROUND, Joint, Mechanism

ROW = 11  # value, second rate without accelerations, n, a_i and a_j of a row


@final
@dataclass(frozen=True)
class Guided:
    """A defined joint between two bodies that are free."""

    mechanism: Mechanism
    joint: Joint
    naming: Naming

    @cached_property
    def _bodies(self) -> tuple[str, ...]:
        return tuple(name for name in (self.joint.first, self.joint.second) if name != GROUND)

    @cached_property
    def _ends(self) -> Ends:
        alone = replace(self.mechanism, joints={}, constraints={}, motions={})
        return Ends(free_system(alone, self._bodies, named=body_part))

    @cached_property
    def _rows(self) -> list[Any]:
        q = np.array([symbol(name, "coordinate") for name in self.joint.coordinates])
        kind: Any = self.joint.kind
        return defined_rows(kind, q, *self._ends.frames(self.joint))

    def _element(self, outputs: list[Any]) -> Element:
        measures, measured = self.joint.coordinates, self.naming.measured
        return template(outputs, self._bodies, measures, measured).at(self.naming.values)

    @cached_property
    def all_rows(self) -> Element:
        """The rows of the coordinates, then those that hold the joint."""
        return self._element([x for row in self._rows for x in _written(row)])

    @property
    def coordinates(self) -> Element:
        """The rows of the coordinates alone."""
        return self._element([x for row in self._rows[: self.joint.kind.nv] for x in _written(row)])

    @property
    def held(self) -> tuple[Element, list[bool]]:
        """The rows that hold it as constraints, see `held`, and which of them hold lengths."""
        outputs, rows = [], self._rows[self.joint.kind.nv :]
        for row in rows:
            partials = [ZERO for _ in self.joint.coordinates]
            outputs += [row[0], ZERO, row[4], *partials, *self._ends.jacobian(self.joint, row)]
        return self._element(outputs), [any(x != 0 for x in row[1]) for row in rows]


def _written(row: Any) -> Iterator[Any]:
    value, n, a_i, a_j, bias = row
    yield from (value, bias, *n, *a_i, *a_j)


def guided(mechanism: Mechanism, naming: Naming) -> dict[str, Guided]:
    """The defined joints of a mechanism, by name."""
    return {
        name: Guided(mechanism, joint, naming)
        for name, joint in mechanism.joints.items()
        if joint.kind.elementary is None
    }
