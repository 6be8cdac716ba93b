"""What a run reads of the samples of a motion, whatever moved it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from torseur.machine.compiled import CompiledModel
from torseur.model.description import Joint
from torseur.simulation.observe import Observer

Array = np.ndarray


class Samples(Protocol):
    """States of a mechanism at successive times, and what follows from them."""

    @property
    def model(self) -> CompiledModel: ...
    @property
    def t(self) -> Array: ...  # (samples) [s]
    @property
    def q(self) -> Array: ...  # the coordinates of the tree (samples, nq)
    @property
    def v(self) -> Array: ...  # its speeds (samples, nv)
    @property
    def a(self) -> Array: ...  # its accelerations (samples, nv)
    @property
    def work(self) -> Array: ...  # of the forces without potential (samples) [J]
    @property
    def body_states(self) -> Array | None: ...  # what must be kept besides; None: nothing
    @property
    def closing_joints(self) -> list[Joint]: ...  # that have coordinates
    def closing(self, joint: Joint, order: int) -> Array:
        """The coordinates (order 0), speeds or accelerations of a closing joint (samples, n)."""

    @property
    def seen(self) -> Observer: ...  # points and frames relative to any frame
    def point(self, name: str, derivative: int, frame: str) -> Array:
        """A named point (samples, 3), its velocity or its acceleration, relative to a frame."""

    @property
    def wrenches(self) -> Mapping[str, Array]: ...  # force, couple, frame M by the joint's name
    @property
    def owners(self) -> tuple[str, ...]: ...  # what each multiplier belongs to
    @property
    def multiplier_meanings(self) -> tuple[str, ...]: ...  # what each is, in words
    @property
    def lambdas(self) -> Array: ...  # the multipliers (samples, rows)
    @property
    def energy(self) -> dict[str, Array]: ...  # kinetic, potential, work [J]
    @property
    def gaps(self) -> Array: ...  # the largest of any loop at each sample [m or rad]
    @property
    def openings(self) -> Array: ...  # the same in parts of the size, or in radians
    def worst_gap(self, sample: int) -> tuple[str, float]:
        """What is furthest from closed at a sample, and by how much [m or rad]."""


@final
@dataclass(frozen=True)
class Happened:
    """An event that was found: its name, its instant and the state then."""

    name: str
    t: float  # [s]
    state: Array  # coordinates, speeds and work


class Readable(Protocol):
    """What is read of a run by name, to show it or to write it."""

    @property
    def samples(self) -> Samples: ...
    @property
    def model(self) -> CompiledModel: ...
    @property
    def t(self) -> Array: ...
    @property
    def q(self) -> Array: ...
    @property
    def v(self) -> Array: ...
    @property
    def a(self) -> Array: ...
    @property
    def names(self) -> dict[str, str]: ...  # coordinates and speeds with their units
    def __getitem__(self, name: str) -> Array: ...
    @property
    def energy(self) -> dict[str, Array]: ...
    @property
    def notices(self) -> tuple[str, ...]: ...
    @property
    def events(self) -> tuple[Happened, ...]: ...
    @property
    def energy_drift(self) -> float: ...
    @property
    def closure_error(self) -> float: ...
    def point(self, name: str, derivative: int = 0) -> Array: ...
    def drive(self, motion: str) -> Array: ...
    def reaction(self, joint: str) -> Array: ...
