"""Rows of a batch that touch, stop or rub: one formulation moves them all, one after the other.

The first row moves as a single motion does. Code, tables, memory and the loop of control exist
then: another row changes numbers in them. Its run is made of its states when you ask for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.machine.contact.model import ContactModel
from torseur.model.checks.plausibility import starts_in_degrees
from torseur.model.constraints.selection import meshes
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.model.left_out import left_out
from torseur.simulation.batch.at_rows import AtRows
from torseur.simulation.batch.lane_motion import swept_parameters
from torseur.simulation.batch.rows import RowResults
from torseur.simulation.batch.starts import row_starts
from torseur.simulation.batch.values import BatchValues
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.joint_start import JointStart, joint_start
from torseur.simulation.formulations.protocol import Moved
from torseur.simulation.formulations.request import AUTO, MOREAU, Beginning, Request, Settings
from torseur.simulation.formulations.sampling import Sampling
from torseur.simulation.formulations.stepped import SteppedFormulation
from torseur.simulation.run.contact_samples import ContactSamples
from torseur.simulation.run.run import Run, energy_drift
from torseur.simulation.run.samples import Happened
from torseur.simulation.run.watch import EXPLAINED, LOST, OPEN, has_tracks, noted, watched

Array = np.ndarray
Moving = ContactFormulation | SteppedFormulation
Alone = Callable[[int], tuple[Run | None, str]]  # the run of a row as a single motion, or why not


@final
@dataclass(frozen=True)
class Touching:
    """The way in which rows that touch move, if they do: from event to event or by steps."""

    settings: Settings
    asked: Sampling
    coordinates: str

    def serves(self, mechanism: Mechanism, control: Control | None) -> bool:
        """Whether one formulation may move all rows, and only energy and loops are watched."""
        if not elements(mechanism) or meshes(mechanism) or has_tracks(mechanism):
            return False
        plain = self.coordinates != "absolute" and self.settings.multipliers == AUTO
        return plain and (control is None or not control.reactions)

    def moving(self, begin: JointStart, control: Control | None) -> Moving:
        """The formulation."""
        if self.settings.method == MOREAU:
            return SteppedFormulation(begin, self.settings, self.asked, control)
        return ContactFormulation(begin, self.settings.stepping(self.asked.interval), control)


@final
@dataclass(frozen=True)
class TouchingRows:
    """The rows of a batch that touch."""

    begin: JointStart  # of the first row
    values: BatchValues
    times: Array
    shown: Array  # (samples): whether each is kept
    way: Touching
    control: Control | None

    @property
    def tolerance(self) -> float | None:
        """That of the steps; None where they have a fixed length."""
        return self.way.settings.tolerance

    def move(self, results: RowResults, alone: Alone, told: Callable[[int], None]) -> None:
        """The results of all rows but the first; one that is no plain motion moves alone."""
        moving, starts = self.way.moving(self.begin, self.control), self._starts()
        found: dict[int, tuple[JointStart, Moved]] = {}
        for row in range(1, self.values.count):
            begin, moved = self._moved(moving, row, starts)
            if begin is None or moved is None:
                results.take(row, *alone(row), self.times)
            else:
                found[row] = begin, moved
            told(row)
        if found:
            self._keep(results, found)
            drifts = self._drifts(results.states[list(found)][:, self.shown], found)
            results.drift[list(found)] = drifts
        for row, (begin, moved) in found.items():
            if self._is_wrong(begin, moved, float(results.drift[row])):
                results.take(row, *alone(row), self.times)

    # --- starts -----------------------------------------------------------------------------------

    @cached_property
    def _swept(self) -> dict[str, Any]:
        """Every parameter: a number, or one for each row."""
        return swept_parameters(self.begin.model, self.values)

    def _starts(self) -> Array | None:
        """(rows, n): coordinates, speeds and work; None where each is assembled by itself."""
        if self.begin.constraints:
            return None
        q, v, _ = row_starts(self.begin, self.values, self._swept)
        return np.hstack([q, v, np.zeros((len(q), 1 + len(self.begin.model.mechanism.commanded)))])

    def _begin(self, row: int, starts: Array | None) -> JointStart:
        """The start of a row, as a single motion has it."""
        (initial, parameters), model = self.values.of(row), self.begin.model
        if any(isinstance(x, np.ndarray) for x in self.values.parameters.values()):
            model = compiled_at(model, parameters)
        if starts is None:
            return joint_start(model, Beginning(initial, self.begin.t))
        held = self.begin.constraints
        held = held if model is self.begin.model else NumericConstraints(model)
        return replace(self.begin, constraints=held, y=starts[row], given=initial)

    # --- motions ----------------------------------------------------------------------------------

    def _moved(
        self, moving: Moving, row: int, starts: Array | None
    ) -> tuple[JointStart | None, Moved | None]:
        """The start and the motion of a row; None where it has to be told why there is none."""
        try:
            moving.start_from(begin := self._begin(row, starts))
            found = moving.moved(moving.start, Request(self.times))
            found = replace(found, notices=[*moving.notices, *found.notices])
        except (SolveError, ModelError):
            return None, None
        if not found.is_whole:
            raise KeyboardInterrupt
        whole = np.array_equal(found.t, self.times) and np.isfinite(found.states).all()
        return begin, found if whole else None

    def _keep(self, results: RowResults, found: dict[int, tuple[JointStart, Moved]]) -> None:
        """The states and events of rows; runs are made of them when they are asked for."""
        n, times = results.states.shape[2], self.times[self.shown]
        for row, (begin, moved) in found.items():
            results.states[row], results.last[row] = moved.states[:, :n], moved.states[-1, :n]
            results.ended[row], results.stopped[row] = self.times[-1], False
            results.events = results.events.with_those(row, moved.events)
            made = begin.model, times, moved.states[self.shown], self.values.of(row)[0]
            told = tuple(moved.notices), moved.events, self.way.settings
            results.runs[row] = partial(touching_run, *made, *told)

    def _is_wrong(self, begin: JointStart, moved: Moved, drift: float) -> bool:
        """Whether a row loses energy, or its loops open."""
        if self.tolerance is not None and drift > max(LOST, EXPLAINED * self.tolerance):
            return True
        if not begin.constraints:
            return False
        q = moved.states[self.shown, : len(begin.model.coordinates)]
        opening = begin.constraints.opening(q, self.times[self.shown])
        return bool(np.abs(opening).max(initial=0.0) > OPEN)

    def _drifts(self, states: Array, found: dict[int, tuple[JointStart, Moved]]) -> Array:
        """(rows,): the largest error of T + V − work, beside the energies exchanged."""
        model, (count, samples, n), rows = self.begin.model, states.shape, list(found)
        swept = {
            name: np.repeat(x[rows], samples) if np.ndim(x) else x
            for name, x in self._swept.items()
        }
        flat, t = states.reshape(-1, n), np.tile(self.times[self.shown], count)
        at = AtRows(model, flat, t, swept)
        kinetic, potential = at("kinetic_energy", at.q, at.v), at("potential_energy", at.q)
        energy = {
            "kinetic": kinetic.reshape(count, samples),
            "potential": potential.reshape(count, samples),
            "work": states[:, :, len(model.coordinates) + len(model.speeds)],
        }
        sizes = np.array([begin.model.sizes.energy for begin, _ in found.values()])
        return energy_drift(energy, sizes)


def touching_run(
    model: CompiledModel,
    t: Array,
    states: Array,
    initial: dict[str, float],
    notices: tuple[str, ...],
    events: tuple[Happened, ...],
    settings: Settings,
) -> Run:
    """The run of a row, read of its states."""
    samples, mechanism = ContactSamples(ContactModel(model), t, states, initial), model.mechanism
    doubtful = starts_in_degrees(mechanism, initial)
    told = (*left_out(mechanism.notices), *doubtful, *settings.notices, *notices)
    return noted(watched(Run(samples, told, events), settings.tolerance))
