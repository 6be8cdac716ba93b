"""Batches read from files, as `Runs.save` writes them."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import netcdf_file

from torseur.errors import ModelError
from torseur.language.saved import described
from torseur.language.yaml.form import yaml_mechanism
from torseur.model.commands import with_commanded
from torseur.simulation.batch.batch import first_start
from torseur.simulation.batch.rows import RowEvents, RowResults
from torseur.simulation.batch.runs import KIND, Runs, input_name
from torseur.simulation.batch.values import BatchValues
from torseur.simulation.constraints.moving_model import moving_model
from torseur.simulation.run import files
from torseur.simulation.run.files import WRONG, SavedRun, file_bytes
from torseur.simulation.run.run import Run
from torseur.simulation.run.saving import variable_name
from torseur.words.sentence import say

Array = np.ndarray


def load_run(path: str | Path) -> Run | SavedRun | Runs:
    """The run of a file written by `Run.save`, with its model: reactions and points follow.

    A file of a batch gives `Runs`, as by `load_runs`; one that holds no YAML form, as those of the
    first version, a SavedRun.
    """
    data = file_bytes(path)
    try:
        with netcdf_file(BytesIO(data), "r", mmap=False) as file:
            batch = _is_batch(file)
    except WRONG:
        batch = False  # what is wrong with it is told by the reader of runs
    return load_runs(path) if batch else files.load_run(path)


def load_runs(path: str | Path) -> Runs:
    """The batch of a file written by `Runs.save`, with its mechanism."""
    data = file_bytes(path)
    try:
        with netcdf_file(BytesIO(data), "r", mmap=False) as file:
            if not _is_batch(file):
                problem = say('"{path}" holds no batch of runs.', str(path))
                raise ModelError("load_runs", problem, "A single run is read by load_run.")
            return _restored(file)
    except WRONG as error:
        cause = " ".join(str(error).split())[:120]
        problem = say("it is not a netCDF file of a batch, or it is damaged ({said}).", cause)
        raise ModelError(str(path), problem) from None


def _is_batch(file: Any) -> bool:
    return bool(getattr(file, "kind", b"").decode() == KIND)


def _restored(file: Any) -> Runs:
    """The batch as it was."""
    texts = {
        name: json.loads(getattr(file, name).decode())
        for name in ("description", "given", "notices", "reasons", "initial", "parameters")
    }
    if not isinstance(texts["description"], str):
        raise ModelError("load_runs", "the file holds no mechanism.", "Read it by xarray.")
    mechanism = described(yaml_mechanism(texts["description"], ""), texts["description"])
    inputs = [_array(file, name) for name in map(input_name, range(len(mechanism.inputs)))
              if name in file.variables]  # fmt: skip
    if inputs:  # they were given while it moved
        mechanism = with_commanded(mechanism, mechanism.inputs)
    model = moving_model(mechanism, texts["given"])
    columns = [_array(file, variable_name(n)) for n in (*model.coordinates, *model.speeds)]
    states = np.stack([*columns, _array(file, "work"), *inputs], axis=-1)
    wide = [
        {n: np.array(x) if isinstance(x, list) else x for n, x in texts[kind].items()}
        for kind in ("initial", "parameters")
    ]
    reasons = {int(k): reason for k, reason in texts["reasons"].items()}
    values = BatchValues(len(states), wide[0], wide[1], reasons)
    results = RowResults(
        states,
        _array(file, "ended"),
        _array(file, "last_state")[:, : states.shape[2]],
        _array(file, "energy_drift"),
        _array(file, "stopped") > 0,
        reasons,
        _events(file, tuple(json.loads(file.events.decode())), states.shape[2]),
    )
    t = _array(file, "time")
    good = np.array([row for row in range(values.count) if row not in reasons], dtype=int)
    begin, _ = first_start(model, values.only(good), float(t[0]))
    return Runs(begin, values, t, results, tuple(texts["notices"]))


def _array(file: Any, name: str) -> Array:
    return np.array(file.variables[name.encode().decode("latin-1")][:], dtype=float)


def _events(file: Any, names: tuple[str, ...], n: int) -> RowEvents:
    if "event_t" not in file.variables:
        return RowEvents(names, np.zeros((0, 3 + n)))
    columns = [_array(file, f"event_{x}") for x in ("row", "t", "index")]
    return RowEvents(names, np.column_stack([*columns, _array(file, "event_state")]))
