"""Sample interface common to all formulations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from torseur import notebook
from torseur.brief import brief
from torseur.machine.compiled import CompiledModel
from torseur.simulation.run.absolute_samples import AbsoluteSamples
from torseur.simulation.run.freed_samples import FreedSamples
from torseur.simulation.run.joint_samples import JointSamples

Array = np.ndarray


Samples = JointSamples | AbsoluteSamples | FreedSamples  # a run reads the same of each


@final
@dataclass(frozen=True, eq=False)
class Happened:
    """An event that was found: its name, its instant and the state then.

    At a contact it has a cause (touch, lift-off, limit of friction, end of sliding, shock) and an
    effect (open, stick, slip), a shock its normal impulse.
    """

    __repr__ = brief
    _repr_html_ = notebook.html

    name: str
    t: float  # [s]
    state: Array  # coordinates, speeds and work
    cause: str = ""
    effect: str = ""
    impulse: float = 0.0  # [N s or N m s]


class Readable(Protocol):
    """Quantities of a run that plots and files read by name."""

    @property
    def samples(self) -> Samples: ...
    @property
    def model(self) -> CompiledModel: ...
    @property
    def t(self) -> Array: ...
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
