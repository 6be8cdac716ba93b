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
from torseur.machine.integrators.methods import Moreau
from torseur.model.checks.plausibility import starts_in_degrees
from torseur.model.constraints.selection import meshes
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.notices import left_out
from torseur.once import once
from torseur.simulation.batch.at_rows import row_energies
from torseur.simulation.batch.lane_motion import swept_parameters
from torseur.simulation.batch.rows import RowResults
from torseur.simulation.batch.starts import row_starts
from torseur.simulation.batch.values import BatchValues
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.joint_start import JointStart, joint_start
from torseur.simulation.formulations.protocol import MotionStates
from torseur.simulation.formulations.request import AUTO, Beginning, Request, Settings
from torseur.simulation.formulations.sampling import Schedule
from torseur.simulation.formulations.stepped import SteppedFormulation
from torseur.simulation.run.contact_samples import ContactSamples
from torseur.simulation.run.passed_limits import with_limit_notices
from torseur.simulation.run.run import Run
from torseur.simulation.run.samples import Happened, energy_drift
from torseur.simulation.run.watch import EXPLAINED, LOST, OPEN, check_run, has_tracks

Array = np.ndarray
Moving = ContactFormulation | SteppedFormulation
Motions = dict[int, tuple[JointStart, MotionStates]]  # by row
Alone = Callable[[int], tuple[Run | None, str]]  # the run of a row as a single motion, or why not


@final
@dataclass(frozen=True)
class ContactBatch:
    """The way in which rows that touch move, if they do: from event to event or by steps."""

    settings: Settings
    sampling: Schedule
    coordinates: str

    def serves(self, mechanism: Mechanism, control: Control | None) -> bool:
        """Whether one formulation may move all rows, and only energy and loops are watched."""
        if not elements(mechanism) or meshes(mechanism) or has_tracks(mechanism):
            return False
        plain = self.coordinates != "absolute" and self.settings.multipliers == AUTO
        return plain and (control is None or not control.reactions)

    def moving(self, begin: JointStart, control: Control | None) -> Moving:
        """The formulation."""
        if isinstance(self.settings.method, Moreau):
            return SteppedFormulation(begin, self.settings, self.sampling, control)
        return ContactFormulation(begin, self.settings.stepping(self.sampling.interval), control)


@final
@dataclass(frozen=True)
class TouchingRows:
    """The rows of a batch that touch."""

    begin: JointStart  # of the first row
    values: BatchValues
    times: Array
    samples: Array | None  # whether each of the times is kept; None: all
    way: ContactBatch
    control: Control | None

    @property
    def mask(self) -> Array:
        """(times,): whether each is kept."""
        return np.ones(len(self.times), dtype=bool) if self.samples is None else self.samples

    @property
    def tolerance(self) -> float | None:
        """That of the steps; None where they have a fixed length."""
        return self.way.settings.tolerance

    def move(self, results: RowResults, alone: Alone, report: Callable[[int], None]) -> None:
        """The results of all rows but the first; one that is no plain motion moves alone."""
        moving, starts = self.way.moving(self.begin, self.control), self._starts()
        motions: Motions = {}
        for row in range(1, self.values.count):
            begin, motion = self._motion_of(moving, row, starts)
            if begin is None or motion is None:
                results.take(row, *alone(row), self.times)
            else:
                motions[row] = begin, motion
            report(row)
        if motions:
            self._keep(results, motions)
            drifts = self._drifts(results.states[list(motions)][:, self.mask], motions)
            results.drift[list(motions)] = drifts
        for row, (begin, motion) in motions.items():
            if self._is_wrong(begin, motion, float(results.drift[row])):
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
        return row_starts(self.begin, self.values, self._swept)[0]

    def _begin(self, row: int, starts: Array | None) -> JointStart:
        """The start of a row, as a single motion has it."""
        (initial, parameters), model = self.values.of(row), self.begin.model
        if any(isinstance(x, np.ndarray) for x in self.values.parameters.values()):
            model = compiled_at(model, parameters)
        if starts is None:
            return joint_start(model, Beginning(initial, self.begin.t))
        same = model is self.begin.model
        rows = self.begin.constraints if same else once(NumericConstraints)(model)
        return replace(self.begin, constraints=rows, y=starts[row], given=initial)

    # --- motions ----------------------------------------------------------------------------------

    def _motion_of(
        self, moving: Moving, row: int, starts: Array | None
    ) -> tuple[JointStart | None, MotionStates | None]:
        """The start and the motion of a row; None where the row has no plain motion."""
        try:
            moving.start_from(begin := self._begin(row, starts))
            motion = moving.move(moving.start, Request(self.times))
            motion = replace(motion, notices=[*moving.notices, *motion.notices])
        except (SolveError, ModelError):
            return None, None
        if not motion.is_whole:
            raise KeyboardInterrupt
        whole = np.array_equal(motion.t, self.times) and np.isfinite(motion.states).all()
        return begin, motion if whole else None

    def _keep(self, results: RowResults, motions: Motions) -> None:
        """Put in the states and events of rows; their runs are made when you ask for them."""
        n, times = results.states.shape[2], self.times[self.mask]
        for row, (begin, motion) in motions.items():
            results.states[row], results.last[row] = motion.states[:, :n], motion.states[-1, :n]
            results.ended[row], results.stopped[row] = self.times[-1], False
            results.events = results.events.with_those(row, motion.events)
            values = begin.model, times, motion.states[self.mask], self.values.of(row)[0]
            notes = tuple(motion.notices), motion.events, self.way.settings
            results.runs[row] = partial(touching_run, *values, *notes)

    def _is_wrong(self, begin: JointStart, motion: MotionStates, drift: float) -> bool:
        """Whether a row loses energy, or its loops open."""
        if self.tolerance is not None and drift > max(LOST, EXPLAINED * self.tolerance):
            return True
        if not begin.constraints:
            return False
        q = motion.states[self.mask, : len(begin.model.coordinates)]
        opening = begin.constraints.opening(q, self.times[self.mask])
        return bool(np.abs(opening).max(initial=0.0) > OPEN)

    def _drifts(self, states: Array, motions: Motions) -> Array:
        """(rows,): the largest error of T + V − work, beside the energies exchanged."""
        rows = list(motions)
        swept = {name: x[rows] if np.ndim(x) else x for name, x in self._swept.items()}
        energy = row_energies(self.begin.model, states, self.times[self.mask], swept)
        sizes = np.array([begin.model.sizes.energy for begin, _ in motions.values()])
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
    notes = (*left_out(mechanism.notices), *doubtful, *settings.notices, *notices)
    return with_limit_notices(check_run(Run(samples, notes, events), settings.tolerance))
