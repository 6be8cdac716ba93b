"""Batches given away: netCDF (classic format) with all that belongs to them, and xarray."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from torseur.machine.compiled import CompiledModel
from torseur.simulation.batch.rows import RowResults
from torseur.simulation.batch.values import BatchValues
from torseur.simulation.run.saving import described, installed_xarray, netcdf, variable_name
from torseur.version import __version__

Array = np.ndarray
KIND = "batch of runs 1"


class Savable(Protocol):
    """What is read of a batch to write it."""

    t: Array
    model: CompiledModel
    notices: tuple[str, ...]
    values: BatchValues
    results: RowResults

    @property
    def names(self) -> dict[str, str]: ...
    @property
    def status(self) -> Array: ...
    @property
    def parameters(self) -> dict[str, Any]: ...
    def __getitem__(self, name: str, /) -> Array: ...


def save_runs(runs: Savable, path: str | Path) -> None:
    """Coordinates and speeds as variables of (row, time), with units; the rest beside them."""
    results, (description, unsaid) = runs.results, described(runs.model.mechanism)
    texts = {
        "kind": KIND,
        "title": runs.model.mechanism.name,
        "source": f"Torseur {__version__}",
        "description": json.dumps(description),
        "given": json.dumps(runs.model.given),
        "notices": json.dumps([*runs.notices, *unsaid]),
        "reasons": json.dumps({str(k): str(said) for k, said in runs.results.reasons.items()}),
        "initial": json.dumps(_plain(runs.values.initial)),
        "parameters": json.dumps(_plain(runs.values.parameters)),
        "events": json.dumps(list(results.events.names)),
    }
    with netcdf(path) as file:
        for name, text in texts.items():
            setattr(file, name, text.encode())
        n = results.states.shape[2]
        sizes = {"row": len(results.states), "time": len(runs.t), "state": n}
        for name, size in (sizes | {"event": len(results.events.t)}).items():
            file.createDimension(name, size)
        _variable(file, "time", runs.t, ("time",), "s")
        for name, unit in runs.names.items():
            _variable(file, variable_name(name), runs[name], ("row", "time"), unit, name)
        work = len(runs.names)
        _variable(file, "work", results.states[:, :, work], ("row", "time"), "J")
        for k in range(work + 1, n):
            given = results.states[:, :, k]
            _variable(file, input_name(k - work - 1), given, ("row", "time"), "1")
        _variable(file, "ended", results.ended, ("row",), "s")
        _variable(file, "energy_drift", results.drift, ("row",), "1")
        _variable(file, "stopped", results.stopped.astype(float), ("row",), "1")
        _variable(file, "last_state", results.last, ("row", "state"), "")
        _write_events(file, results)


def input_name(k: int) -> str:
    """The variable of a file that holds an input."""
    return f"input_{k}"


def _write_events(file: Any, results: RowResults) -> None:
    found = results.events
    if len(found.t):
        for name, values in (("row", found.row), ("t", found.t), ("index", found.index)):
            _variable(file, f"event_{name}", values, ("event",), "")
        _variable(file, "event_state", found.state, ("event", "state"), "")


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {n: x.tolist() if isinstance(x, np.ndarray) else x for n, x in values.items()}


def _variable(
    file: Any, name: str, values: Array, dimensions: tuple[str, ...], unit: str, said: str = ""
) -> None:
    made = file.createVariable(name.encode().decode("latin-1"), "d", dimensions)
    made[:] = values
    made.units, made.long_name = unit.encode(), (said or name).encode()


def runs_to_xarray(runs: Savable) -> Any:
    """Coordinates and speeds over `row` and `time`; parameters and status over `row`."""
    xarray = installed_xarray()
    variables: dict[str, Any] = {
        name: (("row", "time"), np.asarray(runs[name]), {"units": unit})
        for name, unit in runs.names.items()
    }
    variables["status"] = ("row", runs.status)
    wide = {n: x for n, x in runs.parameters.items() if np.ndim(x) > 0}
    variables |= {f"parameter_{name}": ("row", values) for name, values in wide.items()}
    attributes = {"title": runs.model.mechanism.name, "source": f"Torseur {__version__}"}
    coords = {"time": ("time", runs.t, {"units": "s"})}
    return xarray.Dataset(variables, coords=coords, attrs=attributes)
