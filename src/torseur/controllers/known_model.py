"""The model that a law knows: the forces it predicts, as expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import substitute
from torseur.controllers.controller import Controller, controller
from torseur.equations.functions.catalogue import FUNCTIONS, kernel_of
from torseur.equations.functions.kernel import require_free, smoothed
from torseur.equations.symbols.system import System, require_rates, system
from torseur.errors import require_known
from torseur.language.text.given import given_parameters
from torseur.model.checks.given_values import valued
from torseur.model.description import Mechanism
from torseur.model.values.numbers import values_of

Array = np.ndarray


@final
@dataclass(frozen=True)
class KnownModel:
    """A mechanism at the values that a law believes in."""

    mechanism: Mechanism

    @cached_property
    def system(self) -> System:
        """Its tree."""
        return system(self.mechanism)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Coordinates of all speeds, in order; each speed must be the rate of one."""
        require_rates(self.system, "control")
        return self.system.coordinates

    @property
    def free_coordinates(self) -> tuple[str, ...]:
        """Coordinates of a tree without constraints: forces are then known."""
        require_free(FUNCTIONS["inverse_dynamics"], self.system)
        return self.coordinates

    @property
    def initial_pose(self) -> dict[str, float]:
        """The initial values of the coordinates of the tree; zero where none are given."""
        number, given = values_of(self.mechanism), self.mechanism.initial
        return {x: float(number(given[x]) or 0.0) if x in given else 0.0 for x in self.coordinates}

    def function(self, name: str) -> Array:
        """A function of the catalogue as expressions, dry friction smoothed as in runs."""
        kernel = kernel_of(FUNCTIONS[name], self.system)
        return np.asarray(smoothed(np.array(kernel.outputs, dtype=object).reshape(kernel.shape)))

    def inverse_dynamics(self, q: Array, v: Array, a: Array) -> Array:
        """The forces that accelerate by a at q and v."""
        system = self.system
        known = zip((*system.q, *system.v, *system.a), (*q, *v, *a), strict=True)
        return np.asarray(substitute(self.function("inverse_dynamics"), dict(known)))

    def rows(self, names: tuple[str, ...]) -> tuple[Array, Array]:
        """Some coordinates, of closing joints too, and their rates."""
        require_known("reference", "coordinate", names, self.mechanism.every_coordinate)
        if any(f"{name}." not in self.mechanism.every_speed for name in names):
            require_rates(self.system, "control")
        q = np.array([symbol(name, "coordinate") for name in names], dtype=object)
        v = np.array([symbol(f"{name}.", "speed") for name in names], dtype=object)
        return q, v

    def law(self, name: str, names: tuple[str, ...], forces: Any, gains: Mapping[str, float],
            **memory: Any) -> Controller:  # fmt: skip
        """The controller of forces along coordinates."""
        along = {f"{x}.": force for x, force in zip(names, forces, strict=True)}
        return controller(name, self.mechanism, along, gains, **memory)


def known_model(mechanism: Mechanism, parameters: Mapping[str, float] | None) -> KnownModel:
    """The model of a mechanism at other values of parameters if they are given."""
    if parameters:
        mechanism = valued(mechanism, given_parameters(mechanism, parameters))
    return KnownModel(mechanism)
