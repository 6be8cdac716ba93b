"""A kernel: arrays in, one array out, and what of it is computed once per parameter set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import PARAMETER, Expr
from torseur.algebra.core.graph import flat, reachable

_MANY = 2000  # nodes, measured on arms and trees of 6 to 30 bodies


@final
@dataclass(frozen=True)
class Kernel:
    """A function of named arrays of symbols. Nodes of parameters only are its constants."""

    name: str
    inputs: tuple[tuple[str, tuple[str, ...]], ...]  # argument → names of its entries
    shape: tuple[int, ...]  # of the output
    outputs: tuple[Expr, ...]  # the output, flattened
    solves: bool = False  # whether a result that is not finite asks for its cause

    @cached_property
    def nodes(self) -> list[Expr]:
        """Every node of the outputs, each after its arguments, few values waiting for their use."""
        return reachable(self.outputs)

    @cached_property
    def levels(self) -> list[Expr]:
        """Nodes by height, so that neighbours do not wait for each other.

        Of many nodes, too many values would wait for their use: these come by need.
        """
        if len(self.nodes) > _MANY:
            return reachable(self.outputs, lowest_first=True)
        return sorted(self.nodes, key=lambda x: x.key)

    @cached_property
    def constants(self) -> tuple[Expr, ...]:
        """The nodes of parameters only that run-time nodes or outputs need, in order."""
        needed = {x.key: x for x in self.outputs if x.stage == PARAMETER}
        for x in self.nodes:
            if x.stage > PARAMETER:
                needed |= {a.key: a for a in x.args if a.stage == PARAMETER}
        return tuple(needed[key] for key in sorted(needed))

    @property
    def size(self) -> int:
        """The number of output entries."""
        return len(self.outputs)


def kernel(name: str, inputs: Sequence[tuple[str, Sequence[str]]], output: Any) -> Kernel:
    """The kernel of an output, an expression or an array of expressions."""
    arguments = tuple((argument, tuple(names)) for argument, names in inputs)
    return Kernel(name, arguments, np.shape(output), tuple(flat(output)))
