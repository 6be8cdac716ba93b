"""The runs of a batch: arrays (rows, samples) by name, and every row as a run of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, final, overload

import numpy as np

from torseur.brief import numbered, shortened
from torseur.equations.actions.reactions import wrench_names
from torseur.equations.symbols.system import signal_names
from torseur.errors import ModelError, SolveError, require_known, unknown
from torseur.figures import Figure, figure, labelled, written
from torseur.machine.compiled import CompiledModel
from torseur.machine.tree.evaluator import suits
from torseur.model.constraints.selection import meshes
from torseur.model.values.scales import state_units, with_unit
from torseur.packages import package
from torseur.simulation.batch.at_rows import AtRows, at_samples, row_energies
from torseur.simulation.batch.lane_motion import swept_parameters
from torseur.simulation.batch.rows import RowEvents, RowResults
from torseur.simulation.batch.values import BatchValues
from torseur.simulation.constraints.sharing_loads import shares_loads
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.run.joint_samples import JointSamples
from torseur.simulation.run.passed_limits import with_limit_notices
from torseur.simulation.run.quantities import Curve
from torseur.simulation.run.run import Run
from torseur.simulation.run.saving import (
    add_variable,
    described,
    netcdf,
    variable_name,
)
from torseur.version import __version__
from torseur.words.sentence import say

Array = np.ndarray
KIND = "batch of runs 1"  # of files
DONE, STOPPED, FAILED = "done", "stopped", "failed"
_BANDS = ((0.05, 0.95), (0.25, 0.75))  # quantiles between which a plot is shaded


@final
class Runs:
    """Motions of the rows of a batch.

    `runs["alpha"]` is (rows, samples), as is `runs["alpha."]`, its speed, and `runs["alpha.."]`;
    `runs.row(3)` is the run of a row. What a motion did not come to is not a number: `status` tells
    which rows are "done", "stopped" by an event or "failed", `reasons` why they failed.
    """

    def __init__(
        self,
        begin: JointStart,
        values: BatchValues,
        times: Array,
        results: RowResults,
        notices: tuple[str, ...] = (),
    ) -> None:
        self.t = times  # (samples) [s]
        self.model = begin.model
        self.notices = notices
        self.values = values
        self.results = results
        self._begin = begin
        nq, nv = len(self.model.coordinates), len(self.model.speeds)
        self.q = results.states[:, :, :nq]  # (rows, samples, nq): coordinates of the tree
        self.v = results.states[:, :, nq : nq + nv]  # (rows, samples, nv): its speeds
        self.work = results.states[:, :, nq + nv]  # of the forces without potential [J]
        self.inputs = results.states[:, :, nq + nv + 1 :]  # given while they move

    def __len__(self) -> int:
        return self.values.count

    def __repr__(self) -> str:
        lasts = f"{numbered(len(self.t), 'sample')} from {self.t[0]:g} to {self.t[-1]:g} s"
        failed = f", {len(self.reasons)} failed" if self.reasons else ""
        rows = numbered(len(self), "row")
        return f'<Runs of "{self.model.mechanism.name}": {rows}{failed}, {lasts}>'

    # --- how each row ended ---------------------------------------------------------------------

    @property
    def status(self) -> Array:
        """(rows): "done", "stopped" by an event, or "failed"."""
        words = np.where(self.results.stopped, STOPPED, DONE)
        words[list(self.reasons)] = FAILED
        return words

    @property
    def reasons(self) -> dict[int, str]:
        """Why rows failed, by their numbers."""
        return self.results.reasons

    @property
    def ended(self) -> Array:
        """(rows): the time at which each motion ended [s]."""
        return self.results.ended

    @property
    def energy_drift(self) -> Array:
        """(rows): the largest error of T + V − work, beside the energies exchanged."""
        return self.results.drift

    @property
    def events(self) -> RowEvents:
        """The events of all rows: .row, .t, .index in .names, .state; of(row) as for one run."""
        return self.results.events

    def event_times(self, name: str, which: int = 0) -> Array:
        """(rows): when an event happened first, or another time; not a number where it did not."""
        names = self.events.names
        require_known("runs", "event", name, names)
        moments = np.full(len(self), np.nan)
        named = self.events.index == names.index(name)
        rows, t = self.events.row[named], self.events.t[named]
        for row in np.unique(rows):
            times = t[rows == row]
            if which < len(times):
                moments[row] = times[which]
        return moments

    # --- arrays by name -------------------------------------------------------------------------

    @property
    def names(self) -> dict[str, str]:
        """Every coordinate and speed of the tree and every first-order state, with its unit."""
        model = self.model
        units = state_units(model.mechanism)
        names = (*model.coordinates, *model.speeds, *model.mechanism.states)
        return {name: units[name] for name in names}

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter: a number, or one for each row."""
        return swept_parameters(self.model, self.values)

    @overload
    def __getitem__(self, name: str) -> Array: ...

    @overload
    def __getitem__(self, name: int) -> Run: ...

    def __getitem__(self, name: str | int) -> Array | Run:
        """A coordinate, a speed or an acceleration (rows, samples) by name; a run by its number."""
        if not isinstance(name, str):
            return self.row(int(name))
        model = self.model
        if name in model.coordinates:
            return self.q[:, :, model.coordinates.index(name)]
        if name in model.speeds:
            return self.v[:, :, model.speeds.index(name)]
        if name in model.mechanism.states:
            return self.inputs[:, :, signal_names(model.mechanism).index(name)]
        accelerations = tuple(f"{x}." for x in model.speeds)
        if name in accelerations:
            return self.a[:, :, accelerations.index(name)]
        raise unknown("runs", "coordinate", name, (*self.names, *accelerations))

    @cached_property
    def a(self) -> Array:
        """(rows, samples, nv): the accelerations of the tree."""
        n = len(self.model.coordinates)
        rates = self._at_samples(lambda at: at.rates(self._begin.rows))
        return rates[:, :, n : n + len(self.model.speeds)]

    def point(self, name: str) -> Array:
        """(rows, samples, 3): a named point in the ground frame."""
        return self._at_samples(lambda at: at(f"point:{name}", at.q))

    @cached_property
    def energy(self) -> dict[str, Array]:
        """Kinetic and potential energy and the work, each (rows, samples) [J]."""
        return row_energies(self.model, self.results.states, self.t, self.parameters)

    def reaction(self, joint: str) -> Array:
        """(rows, samples, 6): force then couple in a joint, as `reaction` of one run tells."""
        names = wrench_names(self.model.system)
        require_known("runs", "joint", joint, names)
        mechanism = self.model.mechanism
        slow = suits(mechanism, "forward_dynamics") or shares_loads(mechanism)
        slow = slow or bool(signal_names(mechanism) or meshes(mechanism))
        if self.results.runs or slow:  # not all arrays of compiled functions
            return self._reactions_by_rows(joint)
        return self._at_samples(lambda at: at.wrench(joint))

    def _reactions_by_rows(self, joint: str) -> Array:
        wrenches = np.full((len(self), len(self.t), 6), np.nan)
        for row in range(len(self)):
            if row not in self.reasons:
                values = self.row(row).reaction(joint)[: len(self.t)]
                wrenches[row, : len(values)] = values
        return wrenches

    def _at_samples(self, function: Callable[[AtRows], Array]) -> Array:
        """A function of the model at all samples of all rows."""
        return at_samples(self.model, self.results.states, self.t, self.parameters, function)

    @property
    def end(self) -> dict[str, Array]:
        """The last states by name, each (rows): another batch can start from them."""
        model, last = self.model, self.results.last
        names = (*model.coordinates, *model.speeds)
        first = len(names) + 1 + len(model.mechanism.commanded)
        places = dict(enumerate(names)) | dict(enumerate(model.mechanism.states, first))
        return {name: last[:, k].copy() for k, name in places.items()}

    def quantiles(self, name: str, shares: Sequence[float] = (0.05, 0.5, 0.95)) -> Array:
        """(shares, samples): how a coordinate or a speed spreads over the rows."""
        with np.errstate(all="ignore"):
            return np.asarray(np.nanquantile(self[name], shares, axis=0))

    # --- rows -----------------------------------------------------------------------------------

    def row_model(self, row: int) -> CompiledModel:
        """The model at the parameters of a row."""
        wide = {
            n: float(x[row]) for n, x in self.values.parameters.items() if isinstance(x, np.ndarray)
        }
        return self.model.tried(**wide) if wide else self.model

    def row(self, row: int) -> Run:
        """The run of a row, with its reactions, points and energies; up to where it failed."""
        number = range(len(self))[row] if -len(self) <= row < len(self) else None
        if number is None:
            raise ModelError(
                "runs", say("there is no row {row}.", row), say("There are {count}.", len(self))
            )
        if number in self.results.runs:
            return self.results.runs[number]
        states, t = self.results.states[number], self.t
        there = np.isfinite(states).all(axis=1)
        if not there.any():
            raise SolveError(f"row {number}", self.reasons.get(number, say("it did not move.")))
        states, t = states[there], t[there]
        if self.results.stopped[number] and self.ended[number] > t[-1]:
            t = np.append(t, self.ended[number])
            states = np.vstack([states, self.results.last[number]])
        initial, _ = self.values.of(number)
        samples = JointSamples(self.row_model(number), t, states, initial)
        notices = (self.reasons[number],) if number in self.reasons else ()
        return with_limit_notices(Run(samples, notices, self.events.of(number)))

    def __iter__(self) -> Iterator[Run]:
        return (self.row(k) for k in range(len(self)))

    # --- what is shown and written --------------------------------------------------------------

    def plot(self, *names: str, path: str | Path | None = None, rows: int = 0) -> Figure:
        """Bands of 50 and 90 % of the rows around the median, and some rows themselves."""
        curves = names or self.model.coordinates
        drawn = figure(8.0, 1.0 + 2.4 * len(curves))
        panels = np.atleast_1d(drawn.subplots(len(curves), 1, sharex=True))
        for panel, name in zip(panels, curves, strict=True):
            for low, high in _BANDS:
                band = self.quantiles(name, (low, high))
                label = f"{100 * (high - low):.0f} %"
                panel.fill_between(self.t, *band, alpha=0.25, color="tab:blue", label=label)
            panel.plot(self.t, self.quantiles(name, (0.5,))[0], color="tab:blue", label="50 %")
            for values in self[name][:rows]:
                panel.plot(self.t, values, color="0.4", linewidth=0.7)
            labelled(panel, "", with_unit(self.model.mechanism, name))
        panels[-1].set_xlabel("t [s]")
        title = say("{name}: {count} motions", self.model.mechanism.name, len(self))
        return written(drawn, path, shortened(title))

    def save(self, path: str | Path) -> None:
        """All rows as one netCDF file, with the mechanism, the values and the reasons.

        Coordinates and speeds are variables of (row, time), with units; the rest is beside them.
        """
        results, work, wide = self.results, len(self.names), ("row", "time")
        n = results.states.shape[2]
        with netcdf(path) as file:
            for name, text in self._texts.items():
                setattr(file, name, text.encode())
            sizes = {"row": len(results.states), "time": len(self.t), "state": n}
            for name, size in (sizes | {"event": len(results.events.t)}).items():
                file.createDimension(name, size)

            def add(name: str, values: Array, dimensions: tuple[str, ...], unit: str) -> None:
                add_variable(file, variable_name(name), Curve(name, unit, values), dimensions)

            add("time", self.t, ("time",), "s")
            for name, unit in self.names.items():
                add(name, self[name], wide, unit)
            add("work", results.states[:, :, work], wide, "J")
            for k in range(work + 1, n):
                add(input_name(k - work - 1), results.states[:, :, k], wide, "1")
            add("ended", results.ended, ("row",), "s")
            add("energy_drift", results.drift, ("row",), "1")
            add("stopped", results.stopped.astype(float), ("row",), "1")
            add("last_state", results.last, ("row", "state"), "")
            if len(results.events.t):
                for part in ("row", "t", "index"):
                    add(f"event_{part}", getattr(results.events, part), ("event",), "")
                add("event_state", results.events.state, ("event", "state"), "")

    @property
    def _texts(self) -> dict[str, str]:
        """The texts of a file of a batch."""
        mechanism, (description, unsaid) = self.model.mechanism, described(self.model.mechanism)
        initial, parameters = (
            {n: x.tolist() if isinstance(x, np.ndarray) else x for n, x in values.items()}
            for values in (self.values.initial, self.values.parameters)
        )
        return {
            "kind": KIND,
            "title": mechanism.name,
            "source": f"Torseur {__version__}",
            "description": json.dumps(description),
            "given": json.dumps(self.model.given),
            "notices": json.dumps([*self.notices, *unsaid]),
            "reasons": json.dumps({str(k): str(reason) for k, reason in self.reasons.items()}),
            "initial": json.dumps(initial),
            "parameters": json.dumps(parameters),
            "events": json.dumps(list(self.events.names)),
        }

    def to_xarray(self) -> Any:
        """All rows as an xarray.Dataset: curves over `row` and `time`, parameters over `row`."""
        variables: dict[str, Any] = {
            name: (("row", "time"), np.asarray(self[name]), {"units": unit})
            for name, unit in self.names.items()
        }
        variables["status"] = ("row", self.status)
        wide = {n: x for n, x in self.parameters.items() if np.ndim(x) > 0}
        variables |= {f"parameter_{name}": ("row", values) for name, values in wide.items()}
        attributes = {"title": self.model.mechanism.name, "source": f"Torseur {__version__}"}
        coords = {"time": ("time", self.t, {"units": "s"})}
        xarray = package("xarray", "xarray", "to_xarray")
        return xarray.Dataset(variables, coords=coords, attrs=attributes)


def input_name(k: int) -> str:
    """The variable of a file that holds an input."""
    return f"input_{k}"
