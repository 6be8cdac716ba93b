"""Results of studies read again from their netCDF files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np

from torseur.errors import ModelError
from torseur.study.block import Block
from torseur.study.description import Study
from torseur.study.reading import read_study
from torseur.study.result import StudyResult
from torseur.study.saving import KIND
from torseur.words.sentence import say


def load_study(path: str | os.PathLike[str]) -> StudyResult:
    """The result of a study from its netCDF file."""
    found = _read_netcdf(Path(path))
    if found is None:
        raise ModelError(
            str(path),
            say('"{path}" is not the result of a study.', Path(path).name),
            'It is written by ts.study(…, out="result.nc").',
        )
    return found[0]


def kept_result(path: Path, study: Study) -> StudyResult | None:
    """What a file holds already, if it is the whole result of the same study."""
    if path.suffix.lower() != ".nc" or not path.is_file():
        return None
    found = _read_netcdf(path)
    if found is None or found[1] != study.digest:
        return None
    return StudyResult(study, found[0].rows, found[0].outputs)


def _read_netcdf(path: Path) -> tuple[StudyResult, str] | None:
    """The result and the digest of its study; None for another file."""
    from scipy.io import netcdf_file

    try:
        with netcdf_file(str(path), "r", mmap=False) as file:
            texts = {n: getattr(file, n, b"").decode() for n in ("kind", "study", "digest")}
            if texts["kind"] != KIND:
                return None
            reasons = {int(k): x for k, x in json.loads(file.reasons.decode())}
            units = json.loads(file.units.decode())
            values = {
                x.long_name.decode(): np.array(x[:], dtype=float) for x in file.variables.values()
            }
    except FileNotFoundError:
        raise ModelError(str(path), say('the file "{path}" does not exist.', path.name)) from None
    except (OSError, TypeError, ValueError, AttributeError, KeyError):
        return None
    study = read_study(json.loads(texts["study"]))
    count = len(values[study.names[0]])
    rows = np.column_stack([values[n] for n in study.names])
    scalars = [values[x.name] for x in study.scalars]
    curves = [values[x.name] for x in study.curves]
    block = Block(
        np.column_stack(scalars) if scalars else np.zeros((count, 0)),
        np.stack(curves, axis=1) if curves else np.zeros((count, 0, 0)),
        values.get("time", np.zeros(0)),
        reasons,
        units,
    )
    return StudyResult(study, rows, block), texts["digest"]
