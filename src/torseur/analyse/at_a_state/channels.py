"""Inputs and outputs of small motions: forces, parameters, coordinates, speeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.analyse.at_a_state.chart import parameter_effect
from torseur.analyse.at_a_state.state_freedoms import StatePlaces
from torseur.analyse.at_a_state.statics import AtState
from torseur.analyse.at_a_state.tangent import Slopes
from torseur.errors import unknown
from torseur.model.actuators import pushed_coordinate
from torseur.model.description import JointLoad
from torseur.model.values.numeric import state_freedoms

Array = np.ndarray


def coordinate_rows(state: AtState) -> dict[str, Array]:
    """(n) for every coordinate of every joint: its change in a displacement.

    A body whose coordinates are a quaternion has its three small rotations instead.
    """
    model = state.tangent.model
    rows = {name: np.asarray(row, dtype=float) for name, row in state.pose.rates.items()}
    for k, name in enumerate(model.speeds):
        if not name.endswith("."):
            rows[f"∫{name}"] = np.eye(state.tangent.size)[k]
    for one in model.mechanism.chosen.values():
        parts = [c * rows[x] for x, c in one.slopes.items()]
        rows[one.name] = np.sum(parts, axis=0)
    return rows


def input_matrix(state: AtState, inputs: Slopes) -> Array:
    """B of (s, w)˙ = A (s, w) + B u, for inputs that are slopes of the equations."""
    effect = parameter_effect(state.terms, state.chart, inputs)
    upper = (state.terms.W @ effect.shifts + effect.speeds)[list(state.chart.shifts)]
    return np.concatenate([upper, -np.linalg.solve(state.reduced.M, effect.force)])


def input_forces(state: AtState, names: Sequence[str] | None) -> tuple[tuple[str, ...], Slopes]:
    """The inputs of the given names, as slopes; without names, motors, joint forces, `inputs`."""
    mechanism = state.tangent.model.mechanism
    if names is None:
        loads = (name for name, load in mechanism.loads.items() if isinstance(load, JointLoad))
        commanded = (name.removesuffix(".") for name in mechanism.inputs)
        rates = state_freedoms(mechanism)
        motors = (x for x in mechanism.motors if x not in rates)
        names = tuple(dict.fromkeys((*motors, *loads, *commanded)))
    listed = tuple(names)
    used_names = {
        *mechanism.motors,
        *mechanism.loads,
        *mechanism.every_coordinate,
        *mechanism.joints,
    }
    parameters = mechanism.parameter_table.keys() - used_names
    given = tuple(name for name in listed if name in parameters)
    of_parameters = state.slopes(given)
    slopes = zero_slopes(state, len(listed))
    for column, name in enumerate(listed):
        if name not in given:
            slopes.r[:, column] = -_force(state, name)
            continue
        for part in vars(slopes):
            column_values = getattr(of_parameters, part)[:, given.index(name)]
            getattr(slopes, part)[:, column] = column_values
    return listed, slopes


def zero_slopes(state: AtState, columns: int) -> Slopes:
    """Inputs that do nothing, before their columns are filled."""
    terms = state.terms
    return Slopes(*(np.zeros((len(x), columns)) for x in (terms.r, terms.u, terms.w, terms.gap)))


def _force(state: AtState, name: str) -> Array:
    """(n): the generalised forces of a unit input."""
    mechanism, rows = state.tangent.model.mechanism, coordinate_rows(state)
    coordinate = pushed_coordinate(mechanism, name)
    if coordinate not in rows:
        known = (*mechanism.motors, *rows, *mechanism.parameter_table)
        raise unknown("inputs", "motor, coordinate or parameter", name, known)
    if name in mechanism.motors:
        ratio = float(evaluate(mechanism.motors[name].ratio, state.tangent.model.parameters))
        return ratio * rows[coordinate]
    return rows[coordinate]


@final
@dataclass(frozen=True)
class Channels:
    """Coordinates and speeds as functions of the states x = (s, w) and the inputs."""

    places: StatePlaces
    inputs: Slopes
    states: Array | None = None  # x from states of others, where those are meant

    @cached_property
    def rows(self) -> dict[str, Array]:
        """(n) for every coordinate: its change in a displacement."""
        return coordinate_rows(self.places.here)

    @cached_property
    def positions(self) -> dict[str, Array]:
        """(states) for every coordinate."""
        at = self.places.here.chart
        columns = np.concatenate([at.P[:, self.places.lasting], np.zeros_like(at.N)], axis=1)
        return {name: row @ self._of_states(columns) for name, row in self.rows.items()}

    def _of_states(self, columns: Array) -> Array:
        spread = columns @ self.places.spread if self.places.names else columns
        return spread if self.states is None else np.asarray(spread @ self.states)

    @cached_property
    def speeds(self) -> dict[str, Array]:
        """(states) for the rate of every coordinate, with a dot."""
        at, equations = self.places.here.chart, self.places.here.reduced
        shifts = self.places.lasting
        both = self._of_states(np.concatenate([equations.L[:, shifts], at.N], axis=1))
        moving = {name: row for name, row in self.rows.items() if name not in self.places.names}
        return {_rate_name(name): row @ both for name, row in moving.items()}

    def output(self, name: str) -> tuple[Array, Array]:
        """The rows of C and D of a coordinate or a speed."""
        effect = parameter_effect(self.places.here.terms, self.places.here.chart, self.inputs)
        if name in self.positions:
            return self.positions[name], self.rows[name] @ effect.shifts
        if name in self.speeds:
            row = next(x for coordinate, x in self.rows.items() if _rate_name(coordinate) == name)
            return self.speeds[name], row @ effect.speeds
        raise unknown("outputs", "coordinate or speed", name, (*self.positions, *self.speeds))


def _rate_name(name: str) -> str:
    """The speed of a coordinate; that of a small rotation is an angular velocity."""
    return name[1:] if name.startswith("∫") else f"{name}."
