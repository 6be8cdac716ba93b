"""Results of studies written: netCDF and Parquet with the study inside, comma-separated values."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from torseur.language.yaml.source import read_text
from torseur.output import known_ending, replacing, writable, write_text
from torseur.packages import package
from torseur.simulation.run.saving import described, netcdf, variable_name
from torseur.study.block import Block
from torseur.study.description import Study
from torseur.version import __version__
from torseur.words.sentence import say

Array = np.ndarray
ENDINGS = (".nc", ".csv", ".parquet")
KIND = "study 1"


class Savable(Protocol):
    """What is read of a result to write it."""

    @property
    def study(self) -> Study: ...
    @property
    def t(self) -> Array: ...
    @property
    def units(self) -> dict[str, str]: ...
    @property
    def outputs(self) -> Block: ...
    @property
    def reasons(self) -> Mapping[int, str]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> Array: ...


def save_result(result: Savable, path: str | os.PathLike[str]) -> None:
    """The table of a study, by the ending of the file."""
    writers = {".nc": _write_netcdf, ".csv": _write_csv, ".parquet": _write_parquet}
    writers[known_ending(path, ENDINGS, str(path))](result, Path(path))


def _texts(result: Savable) -> dict[str, str]:
    """What belongs to the numbers: the study with its mechanism, units, reasons."""
    form, _ = described(result.study.mechanism)
    source = dict(result.study.source)
    if form is not None:
        source["model"] = read_text(form, "model").plain
    return {
        "kind": KIND,
        "title": result.study.name,
        "source": f"Torseur {__version__}",
        "study": json.dumps(source, ensure_ascii=False),
        "digest": result.study.digest,
        "reasons": json.dumps(list(result.reasons.items()), ensure_ascii=False),
        "units": json.dumps(dict(result.outputs.units), ensure_ascii=False),
    }


def _columns(result: Savable) -> dict[str, Array]:
    names = (*result.study.names, *(x.name for x in result.study.scalars))
    return {name: result[name] for name in names}


def _write_netcdf(result: Savable, path: Path) -> None:
    with netcdf(path) as file:
        for name, text in _texts(result).items():
            setattr(file, name, text.encode())
        file.createDimension("sample", len(result))
        for name, values in _columns(result).items():
            _variable(file, name, values, ("sample",), result.units.get(name, ""))
        if result.study.curves:
            file.createDimension("time", len(result.t))
            _variable(file, "time", result.t, ("time",), "s")
            for output in result.study.curves:
                unit = result.units.get(output.name, "")
                _variable(file, output.name, result[output.name], ("sample", "time"), unit)


def _variable(file: Any, name: str, values: Array, over: tuple[str, ...], unit: str) -> None:
    made = file.createVariable(variable_name(name).encode().decode("latin-1"), "d", over)
    made[:] = values
    made.units, made.long_name = unit.encode(), name.encode()


def _write_csv(result: Savable, path: Path) -> None:
    """Samples as lines, a column for whatever is a number, and the reasons of what is missing."""
    columns = _columns(result)
    units = result.units
    heads = [f"{n} [{units[n]}]" if units.get(n) else n for n in columns]
    lines = StringIO()
    table = csv.writer(lines, lineterminator="\n")
    table.writerow(["sample", *heads, "reason"])
    for k, row in enumerate(np.column_stack(list(columns.values())).tolist()):
        reason = " ".join(str(result.reasons.get(k, "")).split())
        table.writerow([k, *(f"{x:.17g}" for x in row), reason])
    write_text(path, lines.getvalue())


def _write_parquet(result: Savable, path: Path) -> None:
    """Numbers as columns, curves as lists, the study among the metadata."""
    pyarrow = package("pyarrow", "parquet", str(path), "", say("Or write .nc."))
    from pyarrow import parquet

    columns: dict[str, Any] = {n: pyarrow.array(x) for n, x in _columns(result).items()}
    for output in result.study.curves:
        columns[output.name] = pyarrow.array(list(result[output.name]))
    columns["reason"] = pyarrow.array([result.reasons.get(k) for k in range(len(result))])
    units = result.units
    fields = [
        pyarrow.field(n, x.type, metadata={"unit": units.get(n, "")}) for n, x in columns.items()
    ]
    texts = _texts(result) | {"times": json.dumps(result.t.tolist())}
    schema = pyarrow.schema(fields, metadata=texts)
    with replacing(writable(path)) as place:
        parquet.write_table(pyarrow.table(list(columns.values()), schema=schema), place)
