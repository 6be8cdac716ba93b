"""Runs in files: netCDF (classic format), written and read with SciPy alone.

The geometry of the mechanism is stored with the run, so that the file can be animated by itself.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np
from scipy.io import netcdf_file

from torseur import __version__
from torseur.errors import ModelError, unknown
from torseur.mechanism.description import Mechanism
from torseur.simulation.record import record, recorded

if TYPE_CHECKING:
    from torseur.simulation.run import Run

Array = np.ndarray


@final
@dataclass(frozen=True)
class SavedRun:
    """What a file holds: the time, coordinates and speeds by name, energies, and remarks."""

    t: Array
    values: dict[str, Array]
    energy: dict[str, Array]
    notices: tuple[str, ...]
    name: str
    units: dict[str, str] = field(default_factory=dict)
    mechanism: Mechanism | None = None  # its geometry, if the file holds it

    def __getitem__(self, name: str) -> Array:
        """A coordinate or a speed by name."""
        if name not in self.values:
            raise unknown("run", "coordinate", name, self.values)
        return self.values[name]


def save(run: Run, path: str | Path) -> None:
    """Write a run: one variable for each coordinate and speed, with its name and unit."""
    names, table = run.names, run.table
    with netcdf_file(str(path), "w") as file:
        file.title = run.model.mechanism.name
        file.source = f"Torseur {__version__}"
        file.notices = json.dumps(list(run.notices))
        file.mechanism = json.dumps(record(run.model.mechanism, run.model.parameters))
        file.createDimension("time", len(run.t))
        _variable(file, "time", run.t, "time", "s")
        for k, (name, unit) in enumerate(names.items()):
            _variable(file, f"state_{k}", table[:, k], name, unit)
        for kind, values in run.energy.items():
            _variable(file, f"energy_{kind}", values, f"{kind} energy", "J")


def _variable(file: netcdf_file, variable: str, values: Array, name: str, unit: str) -> None:
    made = file.createVariable(variable, "d", ("time",))
    made[:] = values
    made.long_name, made.units = name, unit


def load_run(path: str | Path) -> SavedRun:
    """The run of a file written by `Run.save`."""
    place = Path(path)
    if not place.is_file():
        raise ModelError(str(path), f'the file "{path}" does not exist.')
    try:
        with netcdf_file(str(place), "r", mmap=False) as file:
            variables = file.variables
            if "time" not in variables:
                raise ModelError(str(path), "it holds no variable called time: not a run.")
            states = {n: x for n, x in variables.items() if n.startswith("state_")}
            return SavedRun(
                t=_array(variables["time"]),
                values={x.long_name.decode(): _array(x) for x in states.values()},
                energy={
                    n.removeprefix("energy_"): _array(x)
                    for n, x in variables.items()
                    if n.startswith("energy_")
                },
                notices=tuple(json.loads(file.notices.decode())),
                name=file.title.decode(),
                units={x.long_name.decode(): x.units.decode() for x in states.values()},
                mechanism=_mechanism(getattr(file, "mechanism", b"null")),
            )
    except (TypeError, ValueError) as error:
        raise ModelError(str(path), f"it is not a netCDF file ({error}).") from error


def _mechanism(text: bytes) -> Mechanism | None:
    data = json.loads(text.decode())
    return None if data is None else recorded(data)


def _array(variable: object) -> Array:
    return np.array(variable[:], dtype=float)  # type: ignore[index]
