"""The functions of a model at many states, each at the parameters of its row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.equations.actions.reactions import wrench_names
from torseur.equations.functions.held_rows import Rows
from torseur.machine.compiled import CompiledModel
from torseur.machine.native import Calls
from torseur.simulation.constraints.numeric_constraints import accelerations_by

Array = np.ndarray


@final
@dataclass(frozen=True)
class AtRows:
    """A model at states y (states, n), which begin with coordinates and speeds."""

    model: CompiledModel
    y: Array
    t: Array  # (states) [s]
    swept: Mapping[str, Any]  # of the parameters, those that are arrays have one for each state

    @property
    def q(self) -> Array:
        """The coordinates."""
        return self.y[:, : len(self.model.coordinates)]

    @property
    def v(self) -> Array:
        """The speeds."""
        return self.y[:, len(self.model.coordinates) :][:, : len(self.model.speeds)]

    def __call__(self, name: str, *arrays: Array) -> Array:
        """One of the functions of the model, of arrays by states."""
        timed = [self.t[:, np.newaxis]] if self.model.takes_time(name) else []
        return self._whole(self.model.function(name), (*arrays, *timed), self.swept)

    def rates(self, rows: Rows) -> Array:
        """ẏ, held by rows of J."""
        code = self.model.motion(rows)["rate"]
        calls = Calls(code, self.model.numbers(code))

        def rates(*arrays: Array, parameters: dict[str, Any] | None) -> Array:
            return np.asarray(calls.careful(arrays, 1, parameters))

        swept = {n: x for n, x in self.swept.items() if n in code.parameters}
        return self._whole(rates, (self.y, self.t[:, np.newaxis]), swept)

    def wrench(self, joint: str) -> Array:
        """(states, 6): force then couple of a joint, in ground axes, at the origin of its frame."""
        a, forces = accelerations_by(self, self.model, self.q, self.v)
        multipliers = [forces] if forces.shape[1] else []
        place = wrench_names(self.model.system).index(joint)
        return self("joint_wrenches", self.q, self.v, a, *multipliers)[:, place, :6]

    @staticmethod
    def _whole(
        function: Callable[..., Any], arrays: tuple[Array, ...], parameters: Mapping[str, Any]
    ) -> Array:
        """The result of a function of arrays by rows and of parameters by name, for every row."""
        wide = {n: x for n, x in parameters.items() if np.ndim(x)}
        return np.asarray(function(*arrays, parameters=wide or None))


def at_samples(
    model: CompiledModel,
    states: Array,
    t: Array,
    swept: Mapping[str, Any],
    function: Callable[[AtRows], Array],
) -> Array:
    """(rows, samples, …): a function of a model at all samples of rows; NaN where a state is none.

    The parameters that are arrays have one value for each row.
    """
    rows, samples, n = states.shape
    flat, times = states.reshape(-1, n), np.tile(t, rows)
    there = np.isfinite(flat).all(axis=1)
    known = {x: np.repeat(y, samples)[there] if np.ndim(y) else y for x, y in swept.items()}
    values = function(AtRows(model, flat[there], times[there], known))
    result = np.full((rows * samples, *values.shape[1:]), np.nan)
    result[there] = values
    return result.reshape(rows, samples, *values.shape[1:])


def row_energies(
    model: CompiledModel, states: Array, t: Array, swept: Mapping[str, Any]
) -> dict[str, Array]:
    """Kinetic and potential energy and the work, each (rows, samples) [J]."""
    kinetic = at_samples(model, states, t, swept, lambda at: at("kinetic_energy", at.q, at.v))
    potential = at_samples(model, states, t, swept, lambda at: at("potential_energy", at.q))
    work = states[:, :, len(model.coordinates) + len(model.speeds)]
    return {"kinetic": kinetic, "potential": potential, "work": work}
