"""Logs of a motion and of the forces that made it, from arrays or from CSV files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import final

import numpy as np

from torseur.errors import ModelError
from torseur.language.text.files import NumberColumn, needed_column, read_columns
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.output import write_table
from torseur.result import Result
from torseur.robotics.identification.base_parameters import numbers_of
from torseur.words.sentence import say

Array = np.ndarray
FORCE = "Q_"


@final
class Log(Result):
    """Measured coordinates and forces; speeds and accelerations are optional."""

    t: Array  # (samples) [s]
    q: Array  # (samples, nq), in the order of the coordinates
    Q: Array  # (samples, nv): what was applied on top of the forces of the description
    v: Array | None = None  # (samples, nv)
    a: Array | None = None  # (samples, nv)

    def checked(self, model: CompiledModel) -> Log:
        """Log as arrays that fit a model; a ModelError if they do not."""
        nq, nv = len(model.coordinates), len(model.speeds)
        t = np.asarray(self.t, dtype=float)
        arrays = {"t": t}
        for name, width in (("q", nq), ("Q", nv), ("v", nv), ("a", nv)):
            given = getattr(self, name)
            if given is None:
                continue
            arrays[name] = np.asarray(given, dtype=float)
            if t.ndim != 1 or arrays[name].shape != (len(t), width):
                problem = say(
                    "{name} has the shape {shape} for {number} times and {width} names.",
                    name,
                    arrays[name].shape,
                    t.size,
                    width,
                )
                raise ModelError("log", problem, "Give arrays (samples, names).")
        return Log(**_finite(arrays))

    def save(self, model: CompiledModel | Mechanism, path: str | Path) -> Path:
        """Write comma-separated values that `read_log` reads, in SI units."""
        names = compiled_at(model)
        bare = [speed.removesuffix(".") for speed in names.speeds]
        heads, columns = ["t", *names.coordinates], [self.t[:, np.newaxis], self.q]
        if self.v is not None:
            heads, columns = [*heads, *names.speeds], [*columns, self.v]
        if self.a is not None:
            heads += [f"{speed}." for speed in names.speeds]
            columns.append(self.a)
        heads += [f"{FORCE}{name}" for name in bare]
        return write_table(path, heads, np.column_stack([*columns, self.Q]))


def _finite(arrays: dict[str, Array]) -> dict[str, Array]:
    for name, values in arrays.items():
        if not np.isfinite(values).all():
            problem = say("{name} contains values that are not numbers.", name)
            raise ModelError("log", problem, "Leave samples out that have no value.")
    if len(arrays["t"]) < 2 or not (np.diff(arrays["t"]) > 0).all():
        problem = say("{number} samples whose times do not increase.", len(arrays["t"]))
        raise ModelError("log", problem, "Give samples in the order of time.")
    return arrays


def read_log(mechanism: Mechanism | CompiledModel, path: str | Path) -> Log:
    """A log from a CSV file: a row of names, with units in brackets, then samples.

    `t`, every coordinate by its name, its force by `Q_` and the name, or the torque on the side of
    the motor by the name of the motor. Speeds (`q1.`) and accelerations (`q1..`) may be there too.
    """
    model = compiled_at(mechanism)
    columns = read_columns(path)
    forces = [_force(model, speed, columns, path) for speed in model.speeds]
    log = Log(
        needed_column("t", columns, path).si,
        _table(model.coordinates, columns, path),
        np.column_stack(forces),
        _if_all(model.speeds, columns, path),
        _if_all([f"{speed}." for speed in model.speeds], columns, path),
    )
    return log.checked(model)


def _table(names: Sequence[str], columns: Mapping[str, NumberColumn], path: str | Path) -> Array:
    return np.column_stack([needed_column(name, columns, path).si for name in names])


def _if_all(
    names: Sequence[str], columns: Mapping[str, NumberColumn], path: str | Path
) -> Array | None:
    """The columns of names if one of them is there, then all must be."""
    return _table(names, columns, path) if any(name in columns for name in names) else None


def _force(
    model: CompiledModel, speed: str, columns: Mapping[str, NumberColumn], path: str | Path
) -> Array:
    """Force along a speed: from its column, or from that of the motor of its joint."""
    name, mechanism = f"{FORCE}{speed.removesuffix('.')}", model.mechanism
    for motor in mechanism.motors.values() if name not in columns else ():
        if motor.name in columns and speed in mechanism.joints[motor.joint].speeds:
            return np.asarray(columns[motor.name].si * numbers_of(model)(motor.ratio))
    return needed_column(name, columns, path).si
