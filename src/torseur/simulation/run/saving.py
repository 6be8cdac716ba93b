"""Runs given away: netCDF (classic format) and comma-separated values, with SciPy alone; xarray.

A netCDF file holds the YAML form of the mechanism beside the samples, so that the run is restored
whole: points, reactions and animations follow from it. A digest tells a damaged file.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError
from torseur.model.commands import uncommanded
from torseur.model.description import Mechanism
from torseur.output import replacing, writable, write_table
from torseur.packages import package
from torseur.simulation.run.quantities import Curve, quantity
from torseur.simulation.run.samples import Happened, Readable
from torseur.version import __version__
from torseur.words.sentence import say

Array = np.ndarray
FORMAT = 3
TEXTS = ("title", "source", "notices", "events", "description", "given")


@final
@dataclass(frozen=True)
class Content:
    """Content of a file, compared with its digest when it is read."""

    texts: dict[str, str]
    t: Array
    states: dict[str, Curve]  # by the name of the variable
    energies: dict[str, Curve]
    others: dict[str, Curve]
    absolute: Array | None = None  # (samples, n): the bodies of a motion in absolute coordinates
    freed: int = 0  # how they are read where joints close loops; 0: they do not

    @property
    def curves(self) -> dict[str, Curve]:
        """Every column, by the name of its variable."""
        return {**self.states, **self.energies, **self.others}

    @property
    def digest(self) -> str:
        """Digest of all texts and numbers."""
        sha = hashlib.sha256()
        for name in TEXTS:
            sha.update(f"{name}\0{self.texts.get(name, '')}\0".encode())
        for name, curve in sorted(self.curves.items()):
            sha.update(f"{name}\0{curve.name}\0{curve.unit}\0".encode())
            sha.update(np.asarray(curve.values, dtype=">f8").tobytes())
        for values in (self.t, np.zeros(0) if self.absolute is None else self.absolute):
            sha.update(np.asarray(values, dtype=">f8").tobytes())
        return sha.hexdigest()


@contextmanager
def netcdf(path: str | Path) -> Iterator[Any]:
    """A netCDF file to fill; it takes the place of another once it is whole."""
    from scipy.io import netcdf_file  # a tenth of a second that other runs need not wait for

    with replacing(writable(path)) as place, netcdf_file(str(place), "w", version=2) as file:
        yield file


def save(run: Readable, path: str | Path, of: Sequence[str] = ()) -> None:
    """Write a run: one variable for each coordinate and speed, called by its name, with its unit.

    `of` adds what `quantity` knows: accelerations (`alpha..`), drives, reactions (`A.force`).
    """
    writable(path)
    content = _content(run, of)
    with netcdf(path) as file:
        file.format, file.digest = FORMAT, content.digest.encode()
        for name, text in content.texts.items():
            setattr(file, name, text.encode())
        file.createDimension("time", len(run.t))
        add_variable(file, "time", Curve("time", "s", content.t)).kind = b"time"
        for kind in ("states", "energies", "others"):
            for name, curve in getattr(content, kind).items():
                add_variable(file, name, curve).kind = kind.encode()
        if content.absolute is not None:
            file.createDimension("absolute", content.absolute.shape[1])
            variable = file.createVariable("absolute_state", "d", ("time", "absolute"))
            variable[:] = content.absolute
            variable.freed = content.freed


def save_curves(path: str | Path, title: str, t: Array, curves: list[Curve]) -> None:
    """Write curves over time: one variable each, called by its name, with its unit."""
    named = _variables(curves, {"time"}, (curve.name for curve in curves))
    with netcdf(path) as file:
        file.title = title.encode()
        file.createDimension("time", len(t))
        add_variable(file, "time", Curve("time", "s", t)).kind = b"time"
        for name, curve in named.items():
            add_variable(file, name, curve).kind = b"others"


def to_csv(run: Readable, path: str | Path, of: Sequence[str] = ()) -> None:
    """Time, coordinates, speeds and what `of` names, one row a sample, under a line of heads."""
    writable(path)
    curves = columns_of(run, of)
    heads = [f"{curve.name} [{curve.unit}]" for curve in curves]
    write_table(path, heads, np.column_stack([curve.values for curve in curves]))


def columns_of(run: Readable, of: Sequence[str] = ()) -> list[Curve]:
    """The columns of a table: time, coordinates, speeds and what `of` names."""
    return [Curve("t", "s", run.t), *_states(run), *_requested(run, of)]


def to_xarray(run: Readable, of: Sequence[str] = ()) -> Any:
    """Coordinates, speeds and energies over `time`; named points have the dimension `axis` too.

    `of` adds accelerations ("alpha.."), drives ("motor"), sensors ("imu", with the noise of
    seed 0) and reactions ("A.force", or all of them: "reactions").
    The name of the mechanism, its parameters, the notices and the two numbers by which a run is
    judged are attributes.
    """
    xarray = package("xarray", "xarray", "to_xarray")
    mechanism = run.model.mechanism
    variables: dict[str, Any] = {
        name: ("time", np.asarray(run[name]), {"units": unit}) for name, unit in run.names.items()
    }
    for kind, values in run.energy.items():
        variables[f"energy_{kind}"] = ("time", np.asarray(values), {"units": "J"})
    for curve in _requested(run, of):
        variables[curve.name] = ("time", np.asarray(curve.values), {"units": curve.unit})
    for point in mechanism.points:
        variables[f"point_{point}"] = (("time", "axis"), run.point(point), {"units": "m"})
    known = {name: value for name, value in run.model.parameters.items() if value is not None}
    return xarray.Dataset(
        variables,
        coords={"time": ("time", run.t, {"units": "s"}), "axis": ["x", "y", "z"]},
        attrs={
            "title": mechanism.name,
            "source": f"Torseur {__version__}",
            "notices": "\n".join(run.notices),
            "energy_drift": run.energy_drift,
            "closure_error": run.closure_error,
            **{f"parameter_{name}": value for name, value in known.items()},
        },
    )


def _states(run: Readable) -> list[Curve]:
    return [Curve(name, unit, run[name]) for name, unit in run.names.items()]


def _requested(run: Readable, of: Iterable[str]) -> list[Curve]:
    """Requested quantities beyond coordinates and speeds, once each."""
    curves = {curve.name: curve for name in of for curve in quantity(run, name)}
    return [curve for name, curve in curves.items() if name not in run.names]


def _content(run: Readable, of: Sequence[str]) -> Content:
    used = {"time", "absolute", "absolute_state"}
    energies = [Curve(f"{kind} energy", "J", x) for kind, x in run.energy.items()]
    energy_names = _variables(energies, used, (f"energy_{kind}" for kind in run.energy))
    states, others = _states(run), _requested(run, of)
    state_names = _variables(states, used, (curve.name for curve in states))
    model = run.model
    description, unsaid = described(model.mechanism)
    texts = {
        "title": model.mechanism.name,
        "source": f"Torseur {__version__}",
        "notices": json.dumps([*run.notices, *unsaid]),
        "events": json.dumps([_event(x) for x in run.events]),
        "description": json.dumps(description),
        "given": json.dumps(model.given),
    }
    return Content(
        texts=texts,
        t=run.t,
        states=state_names,
        energies=energy_names,
        others=_variables(others, used, (curve.name for curve in others)),
        absolute=run.samples.kept_states,
        freed=getattr(run.samples, "freed", 0),
    )


def _event(x: Happened) -> list[Any]:
    return [x.name, float(x.t), x.state.tolist(), x.cause, x.effect, float(x.impulse)]


def described(mechanism: Mechanism) -> tuple[str | None, list[str]]:
    """The YAML form of a mechanism, and what to say where there is none."""
    try:
        return replace(uncommanded(mechanism), inputs=mechanism.inputs).yaml(), []
    except ModelError as error:
        return None, [say("The file of this run holds no mechanism: {problem}", error.problem)]


def variable_name(name: str) -> str:
    """A name that a variable of a netCDF file may have."""
    cleaned = re.sub(r"[/\x00-\x1f\x7f]", "_", unicodedata.normalize("NFC", name)).strip()
    return cleaned if re.match(r"\w", cleaned) else f"_{cleaned}"


def _variables(curves: list[Curve], used: set[str], names: Iterable[str]) -> dict[str, Curve]:
    """The names of variables, close to those of the quantities and different from each other."""
    variables = {}
    for curve, preferred in zip(curves, names, strict=True):
        name = variable_name(preferred)
        while name in used:
            name += "_"
        used.add(name)
        variables[name] = curve
    return variables


def add_variable(
    file: Any, name: str, curve: Curve, dimensions: tuple[str, ...] = ("time",)
) -> Any:
    """A variable; SciPy writes names in Latin-1, through which bytes of UTF-8 pass unchanged."""
    variable = file.createVariable(name.encode().decode("latin-1"), "d", dimensions)
    variable[:] = curve.values
    variable.long_name, variable.units = curve.name.encode(), curve.unit.encode()
    return variable
