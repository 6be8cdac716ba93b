"""Runs in files: netCDF (classic format) and comma-separated values, with SciPy alone.

A netCDF file holds the description of the mechanism beside the samples, so that the run is restored
whole: points, reactions and animations follow from it. A digest tells a damaged file.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np
from scipy.io import netcdf_file

from torseur import __version__
from torseur.errors import ModelError, unknown
from torseur.model.description import Mechanism
from torseur.output import reason, replacing, writable, write_table
from torseur.simulation.run.quantities import Curve, quantity
from torseur.simulation.run.record import record, recorded

if TYPE_CHECKING:
    from torseur.simulation.run.run import Run

Array = np.ndarray
FORMAT = 2
_WRONG = (TypeError, ValueError, KeyError, IndexError, AttributeError, AssertionError,
          ArithmeticError, MemoryError, EOFError, RecursionError)  # fmt: skip
_TEXTS = ("title", "source", "notices", "events", "description", "given")


@final
@dataclass(frozen=True)
class SavedRun:
    """What a file without a description holds: the time, quantities by name, energies, remarks."""

    t: Array
    values: dict[str, Array]
    energy: dict[str, Array]
    notices: tuple[str, ...]
    name: str
    units: dict[str, str] = field(default_factory=dict)
    mechanism: Mechanism | None = None

    def __getitem__(self, name: str) -> Array:
        """A coordinate or a speed by name."""
        if name not in self.values:
            raise unknown("run", "coordinate", name, self.values)
        return self.values[name]


@final
@dataclass(frozen=True)
class _Content:
    """What is written, and compared with its digest when it is read."""

    texts: dict[str, str]
    t: Array
    states: dict[str, Curve]  # by the name of the variable
    energies: dict[str, Curve]
    others: dict[str, Curve]
    absolute: Array | None = None  # (samples, n): the bodies of a motion in absolute coordinates

    @property
    def curves(self) -> dict[str, Curve]:
        """Every column, by the name of its variable."""
        return {**self.states, **self.energies, **self.others}

    @property
    def digest(self) -> str:
        """Of all texts and numbers."""
        made = hashlib.sha256()
        for name in _TEXTS:
            made.update(f"{name}\0{self.texts.get(name, '')}\0".encode())
        for name, curve in sorted(self.curves.items()):
            made.update(f"{name}\0{curve.name}\0{curve.unit}\0".encode())
            made.update(np.asarray(curve.values, dtype=">f8").tobytes())
        for values in (self.t, np.zeros(0) if self.absolute is None else self.absolute):
            made.update(np.asarray(values, dtype=">f8").tobytes())
        return made.hexdigest()


# --- written ------------------------------------------------------------------------------------


def save(run: Run, path: str | Path, of: Sequence[str] = ()) -> None:
    """Write a run: one variable for each coordinate and speed, called by its name, with its unit.

    `of` adds what `quantity` knows: accelerations (`alpha..`), drives, reactions (`A.force`).
    """
    writable(path)
    content = _content(run, of)
    with replacing(path) as place, netcdf_file(str(place), "w", version=2) as file:
        file.format, file.digest = FORMAT, content.digest.encode()
        for name, text in content.texts.items():
            setattr(file, name, text.encode())
        file.createDimension("time", len(run.t))
        _variable(file, "time", Curve("time", "s", content.t), "time")
        for kind in ("states", "energies", "others"):
            for name, curve in getattr(content, kind).items():
                _variable(file, name, curve, kind)
        if content.absolute is not None:
            file.createDimension("absolute", content.absolute.shape[1])
            made = file.createVariable("absolute_state", "d", ("time", "absolute"))
            made[:] = content.absolute


def to_csv(run: Run, path: str | Path, of: Sequence[str] = ()) -> None:
    """Time, coordinates, speeds and what `of` names, one row a sample, under a line of heads."""
    writable(path)
    curves = [Curve("t", "s", run.t), *_states(run), *_asked(run, of)]
    heads = [f"{curve.name} [{curve.unit}]" for curve in curves]
    write_table(path, heads, np.column_stack([curve.values for curve in curves]))


def _states(run: Run) -> list[Curve]:
    return [Curve(name, unit, run[name]) for name, unit in run.names.items()]


def _asked(run: Run, of: Iterable[str]) -> list[Curve]:
    """What is asked for beyond coordinates and speeds, once each."""
    curves = {curve.name: curve for name in of for curve in quantity(run, name)}
    return [curve for name, curve in curves.items() if name not in run.names]


def _content(run: Run, of: Sequence[str]) -> _Content:
    taken = {"time", "absolute", "absolute_state"}
    energies = [Curve(f"{kind} energy", "J", x) for kind, x in run.energy.items()]
    energy_names = _variables(energies, taken, (f"energy_{kind}" for kind in run.energy))
    states, others = _states(run), _asked(run, of)
    state_names = _variables(states, taken, (curve.name for curve in states))
    model, poses = run.model, run._poses
    texts = {
        "title": model.mechanism.name,
        "source": f"Torseur {__version__}",
        "notices": json.dumps(list(run.notices)),
        "events": json.dumps([[x.name, float(x.t), x.state.tolist()] for x in run.events]),
        "description": json.dumps(record(model.mechanism)),
        "given": json.dumps(model.given),
    }
    return _Content(
        texts=texts,
        t=run.t,
        states=state_names,
        energies=energy_names,
        others=_variables(others, taken, (curve.name for curve in others)),
        absolute=None if poses is None else poses.states,
    )


def _variables(curves: list[Curve], taken: set[str], names: Iterable[str]) -> dict[str, Curve]:
    """The names of variables, close to those of the quantities and different from each other."""
    found = {}
    for curve, wanted in zip(curves, names, strict=True):
        name = re.sub(r"[/\x00-\x1f\x7f]", "_", unicodedata.normalize("NFC", wanted)).strip()
        name = name if re.match(r"\w", name) else f"_{name}"
        while name in taken:
            name += "_"
        taken.add(name)
        found[name] = curve
    return found


def _variable(file: netcdf_file, name: str, curve: Curve, kind: str) -> None:
    """A column; SciPy writes names in Latin-1, through which the bytes of UTF-8 pass unchanged."""
    made = file.createVariable(name.encode().decode("latin-1"), "d", ("time",))
    made[:] = curve.values
    made.long_name, made.units, made.kind = curve.name.encode(), curve.unit.encode(), kind.encode()


# --- read ---------------------------------------------------------------------------------------


def load_run(path: str | Path) -> Run | SavedRun:
    """The run of a file written by `Run.save`, with its model: reactions and points follow.

    A file that holds no description, as those of the first version, gives a SavedRun.
    """
    data = _bytes(path)
    try:
        with netcdf_file(BytesIO(data), "r", mmap=False) as file:
            if getattr(file, "format", None) is None:
                return _first_version(file)
            content, digest = _read(file), file.digest.decode()
    except _WRONG as error:
        raise ModelError(
            str(path), f"it is not a netCDF file of a run, or it is damaged ({_said(error)})."
        ) from None
    if content.digest != digest:
        problem = "it is damaged: its content does not match its digest."
        raise ModelError(str(path), problem, "Use a copy, or simulate again.")
    try:
        return _restored(content)
    except _WRONG as error:
        problem = f"its description cannot be read ({_said(error)})."
        advice = f"It was written by {content.texts.get('source')}; this is Torseur {__version__}."
        raise ModelError(str(path), problem, advice) from None


def _said(error: BaseException) -> str:
    """What a library says, on one line."""
    return " ".join(str(error).split())[:120] or type(error).__name__


def _bytes(path: str | Path) -> bytes:
    if not isinstance(path, str | Path):
        problem = f"a run cannot be read from a value of type {type(path).__name__}."
        raise ModelError("load_run", problem, "Give the path of a file (.nc).")
    try:
        place = Path(path)
        if place.exists() and not place.is_file():
            raise ModelError(str(path), f'"{path}" is not a file.')
        return place.read_bytes()
    except FileNotFoundError:
        raise ModelError(str(path), f'the file "{path}" does not exist.') from None
    except (OSError, ValueError) as error:
        raise ModelError(str(path), f"it cannot be read: {reason(error)}.") from None


def _read(file: netcdf_file) -> _Content:
    """The content of a file, whatever it is worth."""
    texts = {name: getattr(file, name).decode() for name in _TEXTS}
    kinds: dict[str, dict[str, Curve]] = {"states": {}, "energies": {}, "others": {}}
    for coded, variable in file.variables.items():
        name = coded.encode("latin-1").decode()
        kind = getattr(variable, "kind", b"").decode()
        if kind in kinds:
            said = variable.long_name.decode(), variable.units.decode()
            kinds[kind][name] = Curve(*said, _array(variable))
    bodies = file.variables.get("absolute_state")
    absolute = None if bodies is None else _array(bodies)
    return _Content(texts, _array(file.variables["time"]), **kinds, absolute=absolute)


def _restored(content: _Content) -> Run | SavedRun:
    """The run as it was."""
    from torseur.machine.absolute.model import AbsoluteModel
    from torseur.machine.compiled import CompiledModel
    from torseur.simulation.run.poses import Poses
    from torseur.simulation.run.run import Happened, Run

    texts = {name: json.loads(content.texts[name]) for name in _TEXTS[2:]}
    values = {curve.name: curve for curve in content.states.values()}
    energy = {n.removeprefix("energy_"): x.values for n, x in content.energies.items()}
    notices = tuple(texts["notices"])
    if texts["description"] is None:
        return SavedRun(
            t=content.t,
            values={name: curve.values for name, curve in values.items()},
            energy=energy,
            notices=notices,
            name=content.texts["title"],
            units={name: curve.unit for name, curve in values.items()},
        )
    model = CompiledModel(recorded(texts["description"]), given=texts["given"])
    names = (*model.coordinates, *model.speeds)
    states = np.column_stack([*(values[name].values for name in names), energy["work"]])
    events = tuple(Happened(name, t, np.array(state)) for name, t, state in texts["events"])
    poses = None
    if content.absolute is not None:
        whole = AbsoluteModel(model.mechanism, model.parameters)
        poses = Poses(whole, content.t, content.absolute)
    return Run(model, content.t, states, notices, events, poses)


def _first_version(file: netcdf_file) -> SavedRun:
    """Files of version 0.1.0, with variables called state_0, state_1, …"""
    variables = file.variables
    states = [x for n, x in variables.items() if n.startswith("state_")]
    if "time" not in variables or not states:
        raise ValueError("it holds no samples of a run")
    energy = {n.removeprefix("energy_"): _array(x) for n, x in variables.items() if "energy_" in n}
    return SavedRun(
        t=_array(variables["time"]),
        values={x.long_name.decode(): _array(x) for x in states},
        energy=energy,
        notices=tuple(json.loads(file.notices.decode())),
        name=file.title.decode(),
        units={x.long_name.decode(): x.units.decode() for x in states},
    )


def _array(variable: Any) -> Array:
    return np.array(variable[:], dtype=float)
