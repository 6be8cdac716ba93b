"""Results of studies as files: netCDF, written and read, and Parquet with the study inside; CSV."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError
from torseur.language.yaml.source import read_text
from torseur.output import known_ending, replacing, writable, write_text
from torseur.packages import package
from torseur.simulation.run.files import WRONG, file_bytes
from torseur.simulation.run.saving import described, netcdf, variable_name
from torseur.study.block import SampleBlock
from torseur.study.study_description import TIME_AXIS, Study
from torseur.study.study_reading import read_study
from torseur.version import __version__
from torseur.words.sentence import say

Array = np.ndarray
ENDINGS = (".nc", ".csv", ".parquet")
_KIND = "study 1"
_TEXTS = ("kind", "source", "study", "digest", "model_digest")


def units_of(study: Study, outputs: SampleBlock) -> dict[str, str]:
    """The units of what varies and of what comes out."""
    return {x.name: x.unit for x in study.factors} | dict(outputs.units)


def save_result(
    study: Study, rows: Array, outputs: SampleBlock, path: str | os.PathLike[str]
) -> None:
    """The table of a study, (samples, factors) and outputs, by the ending of the file."""
    writers = {".nc": _write_netcdf, ".csv": _write_csv, ".parquet": _write_parquet}
    writers[known_ending(path, ENDINGS, str(path))](study, rows, outputs, Path(path))


def _texts(study: Study, outputs: SampleBlock) -> dict[str, str]:
    """Texts stored with the numbers: the study with its mechanism, units, reasons."""
    form, _ = described(study.mechanism)
    source = dict(study.source)
    if form is not None:
        source["model"] = read_text(form, "model").plain
    return {
        "kind": _KIND,
        "title": study.name,
        "source": f"Torseur {__version__}",
        "study": json.dumps(source, ensure_ascii=False),
        "digest": study.digest,
        "model_digest": study.model_digest,
        "reasons": json.dumps(list(outputs.reasons.items()), ensure_ascii=False),
        "units": json.dumps(dict(outputs.units), ensure_ascii=False),
    }


def columns(study: Study, rows: Array, outputs: SampleBlock) -> dict[str, Array]:
    """Columns of one number per sample."""
    names = (x.name for x in study.scalars)
    varied = dict(zip(study.names, rows.T, strict=True))
    return varied | dict(zip(names, outputs.scalars.T, strict=True))


def curves(study: Study, outputs: SampleBlock) -> dict[str, Array]:
    """Curves of each sample, (samples, times)."""
    return {x.name: outputs.curves[:, k] for k, x in enumerate(study.curves)}


def _write_netcdf(study: Study, rows: Array, outputs: SampleBlock, path: Path) -> None:
    units = units_of(study, outputs)
    with netcdf(path) as file:
        for name, text in _texts(study, outputs).items():
            setattr(file, name, text.encode())
        file.createDimension("sample", len(rows))
        for name, values in columns(study, rows, outputs).items():
            _variable(file, name, values, ("sample",), units.get(name, ""))
        if study.curves:
            file.createDimension(TIME_AXIS, len(outputs.t))
            _variable(file, TIME_AXIS, outputs.t, (TIME_AXIS,), "s")
        for name, values in curves(study, outputs).items():
            _variable(file, name, values, ("sample", TIME_AXIS), units.get(name, ""))


def _variable(file: Any, name: str, values: Array, over: tuple[str, ...], unit: str) -> None:
    variable = file.createVariable(variable_name(name).encode().decode("latin-1"), "d", over)
    variable[:] = values
    variable.units, variable.long_name = unit.encode(), name.encode()


@final
@dataclass(frozen=True)
class SavedStudy:
    """Contents of a file of results."""

    study: Study
    rows: Array  # (samples, factors)
    outputs: SampleBlock
    texts: Mapping[str, str]

    @property
    def is_of_another_model(self) -> bool:
        """Whether the mechanism is no longer the one that numbers are of.

        Other versions of Torseur write a mechanism otherwise: theirs are not compared.
        """
        before = self.texts["model_digest"]
        comparable = bool(before) and self.texts["source"] == f"Torseur {__version__}"
        return comparable and before != str(self.study.model_digest)


def read_result(path: Path) -> SavedStudy | None:
    """Contents of a netCDF file of results; None for another file."""
    from scipy.io import netcdf_file

    data = file_bytes(path)
    try:
        with netcdf_file(BytesIO(data), "r", mmap=False) as file:
            texts = {n: getattr(file, n, b"").decode() for n in _TEXTS}
            if texts["kind"] != _KIND:
                return None
            reasons = {int(k): x for k, x in json.loads(file.reasons.decode())}
            units = json.loads(file.units.decode())
            values = {
                x.long_name.decode(): np.array(x[:], dtype=float) for x in file.variables.values()
            }
        return SavedStudy(*_table(texts["study"], values, reasons, units), texts)
    except (ModelError, *WRONG):  # another file, or a damaged one
        return None


def _table(
    text: str, values: dict[str, Array], reasons: dict[int, str], units: dict[str, str]
) -> tuple[Study, Array, SampleBlock]:
    """The study of a file, its rows and its outputs."""
    study = read_study(json.loads(text))
    count = len(values[study.names[0]])
    rows = np.column_stack([values[n] for n in study.names])
    scalars = [values[x.name] for x in study.scalars]
    drawn = [values[x.name] for x in study.curves]
    outputs = SampleBlock(
        np.column_stack(scalars) if scalars else np.zeros((count, 0)),
        np.stack(drawn, axis=1) if drawn else np.zeros((count, 0, 0)),
        values.get(TIME_AXIS, np.zeros(0)) if drawn else np.zeros(0),
        reasons,
        units,
    )
    return study, rows, outputs


def _write_csv(study: Study, rows: Array, outputs: SampleBlock, path: Path) -> None:
    """Samples as lines, a column for whatever is a number, and the reasons of what is missing."""
    numbers, units = columns(study, rows, outputs), units_of(study, outputs)
    heads = [f"{n} [{units[n]}]" if units.get(n) else n for n in numbers]
    lines = StringIO()
    table = csv.writer(lines, lineterminator="\n")
    table.writerow(["sample", *heads, "reason"])
    for k, row in enumerate(np.column_stack(list(numbers.values())).tolist()):
        reason = " ".join(str(outputs.reasons.get(k, "")).split())
        table.writerow([k, *(f"{x:.17g}" for x in row), reason])
    write_text(path, lines.getvalue())


def _write_parquet(study: Study, rows: Array, outputs: SampleBlock, path: Path) -> None:
    """Numbers as columns, curves as lists, the study among the metadata."""
    pyarrow = package("pyarrow", "parquet", str(path), "", say("Or write .nc."))
    from pyarrow import parquet

    arrays = {n: pyarrow.array(x) for n, x in columns(study, rows, outputs).items()}
    arrays |= {n: pyarrow.array(list(x)) for n, x in curves(study, outputs).items()}
    arrays["reason"] = pyarrow.array([outputs.reasons.get(k) for k in range(len(rows))])
    units = units_of(study, outputs)
    fields = [
        pyarrow.field(n, x.type, metadata={"unit": units.get(n, "")}) for n, x in arrays.items()
    ]
    texts = _texts(study, outputs) | {"times": json.dumps(outputs.t.tolist())}
    schema = pyarrow.schema(fields, metadata=texts)
    with replacing(writable(path)) as place:
        parquet.write_table(pyarrow.table(list(arrays.values()), schema=schema), place)
