"""Export to other languages and tools: each of them by the name of `to`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.brief import shortened
from torseur.errors import ModelError, unknown
from torseur.export.export import LANGUAGES, sources
from torseur.model.description import Mechanism
from torseur.output import writable_folder, write_bytes, write_texts
from torseur.tools.fmu.fmu import FMU
from torseur.tools.modelica import MODELICA
from torseur.tools.objects.embedded import EMBEDDED
from torseur.tools.objects.ptx import PTX
from torseur.tools.objects.webassembly import WASM
from torseur.tools.target import Target
from torseur.words.sentence import say

TARGETS: Mapping[str, Target] = {
    target.name: target for target in (FMU, MODELICA, WASM, PTX, *EMBEDDED)
}


@final
class Written(list[Path]):
    """Paths of the files that were written, and notices about them."""

    notices: tuple[str, ...] = ()


def export(
    mechanism: Mechanism,
    to: str,
    functions: Sequence[str] | None = None,
    directory: str | os.PathLike[str] = ".",
    *,
    parameters: Mapping[str, float] | None = None,
    fixed: bool = False,
    at: Sequence[float] | np.ndarray | None = None,
    actuators: Sequence[str] | None = None,
    **options: Any,
) -> list[Path]:
    """The files written in `directory`: a mechanism for another language or tool.

    Source code: c, microcontroller (C without a library), fortran, matlab, julia, numpy, jax,
    casadi or mathematica. The functions are those of a compiled model; by default
    inverse_dynamics, mass_matrix, bias and gravity of a tree, and the parts of
    M a + bias + gravity = applied + Q + Jᵀ λ, J a = −γ where constraints act. Functions of a place
    name it: "pose:tool", "jacobian:tool", "jacobian:tool:body" in its own axes.
    `parameters` are values of parameters; with `fixed`, all values are written into the code, which
    is then shorter and serves these values only. Where loops close, forward_dynamics and the
    inverse_dynamics of `actuators` are solved on the rows that hold at the closed coordinates `at`
    (the initial ones, if none are given). Options: `name` of the generated model; `real` ("double"
    or "float") for C and Fortran.

    Tools: fmu writes a functional mock-up unit, modelica text with the equations; `directory` is a
    folder or the file. Inputs are the commands of `actuators`, as in a Stepper. Options: `outputs`
    (points, energies, imposed motions), `initial` and `name`; of an FMU, `fmi` (3 or 2).

    Machine code of functions: wasm, ptx, cortex-m and risc-v.
    """
    if to in LANGUAGES:
        options |= {"parameters": parameters, "fixed": fixed, "at": at, "actuators": actuators}
        return write_texts(directory, sources(mechanism, to, functions, **options))
    if to not in TARGETS:
        raise unknown("export", "language or tool", to, (*LANGUAGES, *TARGETS))
    target = TARGETS[to]
    given = {"functions": functions, "parameters": parameters, "fixed": fixed or None, "at": at,
             "actuators": actuators, **options}  # fmt: skip
    given = {name: x for name, x in given.items() if x is not None}
    for name, value in given.items():
        if name not in target.options:
            raise unknown(f"export to {to}", "option", name, target.options)
        _check_kind(to, name, value)
    exported = target.export(mechanism, **given)
    written = Written(_written(Path(directory), exported.files))
    written.notices = exported.notices
    return written


def _check_kind(to: str, name: str, value: Any) -> None:
    """Refuse names that are no names, and values that are no values by name."""
    kinds = {"name": str, "functions": Sequence, "outputs": Sequence, "initial": Mapping}
    kind: Any = kinds.get(name, object)
    is_right = isinstance(value, kind)
    if is_right and kind is Sequence and not isinstance(value, str):
        is_right = all(isinstance(x, str) for x in value)
    if not is_right:
        problem = say('option {option} cannot be "{value}".', name, shortened(repr(value)))
        advice = {str: say("Give a name."), Mapping: say("Give values by name.")}
        raise ModelError(f"export to {to}", problem, advice.get(kind, say("Give names.")))


def _written(place: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Files in a folder, or the only one under a name that has its ending."""
    endings = {Path(name).suffix for name in files}
    if len(files) == 1 and place.suffix in endings:
        return [write_bytes(place, content) for content in files.values()]
    if place.suffix and place.suffix in endings:
        listed = ", ".join(files)
        problem = say("{file} is one file, and these are written: {names}.", str(place), listed)
        raise ModelError("export", problem, say("Give a folder."))
    folder = writable_folder(place, create=True)
    return [write_bytes(folder / name, content) for name, content in files.items()]
