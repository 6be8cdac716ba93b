"""Whole motions of the same mechanisms by several engines: each is a file `with_….py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, final

import numpy as np

from benchmarks import machine
from benchmarks.moving.rods import Rods

Array = np.ndarray
OURS = "Torseur"
PEERS = ("Exudyn", "MuJoCo", "Drake", "Pinocchio")


class Stopped(Exception):
    """An engine did not reach the end of a motion; why, in its words."""


@final
@dataclass(frozen=True)
class Ready:
    """A motion about to start: `go` is what the clock sees, `read` what is made of its result.

    `go` starts anew each time it is called; it raises Stopped.
    """

    go: Callable[[], Any]
    read: Callable[[Any], tuple[Array, Array]]  # → times and states (samples, rods, 6)


@final
@dataclass(frozen=True)
class Way:
    """A method of an engine, and what is turned to make it finer.

    The model of a peer is made before the clock starts, and the clock sees no measures.
    """

    engine: str
    method: str
    turned: str  # "step" [s] or "tolerance"
    settings: tuple[float, ...]  # from coarse to fine
    usual: float  # the setting of the tables
    ready: Callable[[float, Array], Ready]  # setting, times of the samples

    @property
    def name(self) -> str:
        """The engine and the method."""
        return f"{self.engine}, {self.method}"


def installed() -> list[str]:
    """Torseur, and the peers that are there."""
    return [OURS, *(name for name in PEERS if machine.version(machine.PEERS[name]))]


def ways(rods: Rods) -> list[Way]:
    """Every way of every engine to move some rods."""
    modules = [import_module(f"benchmarks.moving.with_{name.lower()}") for name in installed()]
    return [way for module in modules for way in module.ways(rods)]
