"""C sources of an FMU: the functions of the mechanism, their sizes, and the layers around them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files

import numpy as np
from scipy.integrate import DOP853

from torseur.algebra.core.graph import free_symbols
from torseur.equations.functions.motion import WORK
from torseur.errors import ModelError
from torseur.export.c import C
from torseur.export.exported_model import Model, model
from torseur.export.routine import ArgumentEntry
from torseur.tools.fmu.model import STATE, FmuModel
from torseur.words.sentence import say, worded

Array = np.ndarray
TOLERANCE = 1e-10  # of an importer that gives none
TOKEN = "{token}"  # stands for that of the FMU, which depends on all texts
_LAYERS = ("motion.h", "crossing.c", "fmu.h", "fmu.c")
_NEVER = 2  # direction of an indicator whose changes of sign are no events
_HUGE = 1e300


def written_model(fmu: FmuModel) -> Model:
    """The functions of the mechanism as C code will have them, with values for all parameters."""
    described = with_state(model(fmu.system, (), C, name="model"), fmu)
    routines = [described.routine(x, worded(x.name), {}) for x in fmu.kernels.values()]
    return replace(described, routines=tuple(routines))


def with_state(described: Model, fmu: FmuModel) -> Model:
    """The model with the whole state as one argument, and independent parameters."""
    arrays, take = dict(described.arrays), described.identifiers.take
    arrays["p"] = tuple(_parameters(fmu, arrays["p"], take))
    if missing := [x.name for x in arrays["p"] if x.value is None]:
        raise ModelError(
            fmu.place,
            say("parameters have no value: {names}.", ", ".join(missing)),
            say("Give them: --set {name}=1.0, or parameters={{…}}.", missing[0]),
        )
    known = {x.name: x for letter in "qvu" for x in arrays[letter]}
    names_of_y = (*fmu.system.coordinates, *fmu.system.speeds, WORK.name)
    names_of_y = (*names_of_y, *(x.name for x in fmu.system.signals))
    arrays[STATE] = tuple(known.get(x) or ArgumentEntry(x, take(x), "") for x in names_of_y)
    return replace(described, arrays=arrays, routines=())


def _parameters(
    fmu: FmuModel, known: Sequence[ArgumentEntry], take: Callable[[str], str]
) -> Iterator[ArgumentEntry]:
    """The parameters that functions depend on, in the order of the description.

    Those that others define are computed, and no variables.
    """
    entries, values = {x.name: x for x in known}, fmu.mechanism.parameters
    outputs = [x for kernel in fmu.kernels.values() for x in kernel.outputs]
    used, defined = {x.name for x in free_symbols(outputs)}, {x.name for x in fmu.defined}
    for name, p in fmu.mechanism.parameter_table.items():
        if name not in defined and (name in entries or name in used):
            new = ArgumentEntry(name, "", p.unit, values[name], meaning=p.meaning)
            yield entries.get(name) or replace(new, identifier=take(name))


def sources(fmu: FmuModel, written: Model, fmi: int) -> dict[str, str]:
    """Texts by file name; those that end in .c are compiled."""
    texts = dict(C.files(written))
    texts["sizes.h"] = _sizes(fmu, written)
    texts["tableau.h"] = _tableau()
    motion = "straight.c" if fmu.engine is None else "engine.c"
    if fmu.engine is not None:
        texts |= fmu.engine.files(fmu.all_parameters)
    for name in (*_LAYERS, motion, f"fmi{fmi}.c"):
        texts[name] = (files("torseur.tools.fmu") / "c" / name).read_text(encoding="utf-8")
    return texts


def _sizes(fmu: FmuModel, written: Model) -> str:
    """Numbers of the mechanism that the layers need."""
    mechanism, y = fmu.mechanism, fmu.start
    nq, nv, ns = len(fmu.system.coordinates), len(fmu.system.speeds), len(mechanism.states)
    ranges = fmu.input_ranges
    events = fmu.indicators
    counts = {
        "N_Q": nq, "N_V": nv, "N_U": len(fmu.inputs), "N_S": ns, "N_X": nq + nv + ns,
        "N_Y": len(y), "N_P": len(written.parameters), "N_O": len(fmu.outputs), "N_Z": len(events),
        "N_ALL": len(fmu.all_parameters), "N_CONTACT": len(events) - len(mechanism.events),
    }  # fmt: skip
    lines = ["/* Numbers of the mechanism, written by Torseur. */", "#ifndef SIZES_H"]
    lines += ["#define SIZES_H", ""]
    lines += [f"#define {name} {value}" for name, value in counts.items()]
    lines += ["", f'#define TOKEN "{TOKEN}"', f"#define TOLERANCE {TOLERANCE!r}"]
    arrays: dict[str, Iterable[float]] = {
        "START_Y": y,
        "START_P": [float(x.value or 0.0) for x in written.parameters],
        "USUAL_SIZES": fmu.sizes.usual,
        "MOST_SIZES": fmu.sizes.most,
        "LEAST_INPUTS": ranges[:, 0],
        "LARGEST_INPUTS": ranges[:, 1],
        "EVENT_DIRECTIONS": [x.direction if x.direction == x.direction else _NEVER for x in events],
        "EVENT_STOPS": [int(x.stops) for x in events],
    }
    lines += [_array(name, values) for name, values in arrays.items()]
    return "\n".join([*lines, "", "#endif", ""])


def _tableau() -> str:
    """Weights of the stages of the Runge-Kutta method that Torseur uses itself."""
    rows = ",\n    ".join(f"{{{_listed(row[: k + 1])}}}" for k, row in enumerate(DOP853.A))
    lines = ["/* The method of order 8 of Dormand and Prince (Hairer, Norsett and Wanner 1993). */"]
    lines += [f"#define STAGES {len(DOP853.B)}"]
    lines += [f"static const double stage_weights[STAGES][STAGES] = {{\n    {rows}}};"]
    for name, row in (
        ("nodes", DOP853.C), ("weights", DOP853.B), ("fifth", DOP853.E5), ("third", DOP853.E3)
    ):  # fmt: skip
        lines.append(f"static const double {name}[STAGES] = {{{_listed(row[: len(DOP853.B)])}}};")
    return "\n".join([*lines, ""])


def _listed(row: Iterable[float]) -> str:
    return ", ".join(repr(float(x)) for x in row)


def _array(name: str, values: Iterable[float]) -> str:
    """A macro with the entries of an array, which has one at least."""
    kind = int if name.startswith("EVENT") else float
    listed = [repr(kind(np.clip(x, -_HUGE, _HUGE))) for x in values] or ["0"]
    return f"#define {name} {{{', '.join(listed)}}}"
