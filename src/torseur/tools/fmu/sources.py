"""C sources of an FMU: the functions of the mechanism, their sizes, and the layers around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib.resources import files

import numpy as np

from torseur.equations.functions.motion import WORK
from torseur.equations.functions.placed import place_names
from torseur.errors import ModelError
from torseur.export.c import C
from torseur.export.exported_model import Model, model
from torseur.export.routine import ArgumentEntry
from torseur.tools.fmu.model import FmuModel
from torseur.words.sentence import say, worded

Array = np.ndarray
TOLERANCE = 1e-10  # of an importer that gives none
_LAYERS = ("motion.h", "crossing.c", "fmu.h", "fmu.c")
_NEVER = 2  # direction of an indicator whose changes of sign are no events
_HUGE = 1e300


def written_model(fmu: FmuModel) -> Model:
    """The functions of the mechanism as C code will have them, with values for all parameters."""
    names = [f"point:{x}" for x in fmu.chosen if x in place_names(fmu.mechanism)]
    described = model(fmu.system, names, C, name="model")
    defined = {x.name for x in fmu.defined}
    arrays = dict(described.arrays)
    arrays["p"] = tuple(x for x in arrays["p"] if x.name not in defined)
    if missing := [x.name for x in arrays["p"] if x.value is None]:
        raise ModelError(
            "fmu",
            say("parameters have no value: {names}.", ", ".join(missing)),
            say("Give them: --set {name}=1.0, or parameters={{…}}.", missing[0]),
        )
    known = {x.name: x for letter in "qvu" for x in arrays[letter]}
    take = described.identifiers.take
    names_of_y = (*fmu.system.coordinates, *fmu.system.speeds, WORK.name)
    names_of_y = (*names_of_y, *(x.name for x in fmu.system.signals))
    arrays["y"] = tuple(known.get(x) or ArgumentEntry(x, take(x), "") for x in names_of_y)
    described = replace(described, arrays=arrays, routines=())
    routines = [described.routine(x, worded(x.name), {}) for x in fmu.kernels.values()]
    return replace(described, routines=tuple(routines))


def sources(fmu: FmuModel, written: Model, fmi: int, token: str) -> dict[str, str]:
    """Texts by file name; those that end in .c are compiled."""
    texts = dict(C.files(written))
    texts["sizes.h"] = _sizes(fmu, written, token)
    motion = ("straight.c",)
    for name in (*_LAYERS, *motion, f"fmi{fmi}.c"):
        texts[name] = (files("torseur.tools.fmu") / "c" / name).read_text(encoding="utf-8")
    return texts


def _sizes(fmu: FmuModel, written: Model, token: str) -> str:
    """Numbers of the mechanism that the layers need."""
    begin, mechanism = fmu.begin, fmu.mechanism
    y = begin.y
    nq, nv, ns = len(fmu.system.coordinates), len(fmu.system.speeds), len(mechanism.states)
    usual, most = _state_sizes(fmu)
    ranges = fmu.input_ranges
    events = list(mechanism.events.values())
    counts = {
        "N_Q": nq, "N_V": nv, "N_U": len(fmu.inputs), "N_S": ns, "N_X": nq + nv + ns,
        "N_Y": len(y), "N_P": len(written.parameters), "N_O": len(fmu.outputs), "N_Z": len(events),
    }  # fmt: skip
    lines = ["/* Numbers of the mechanism, written by Torseur. */", "#ifndef SIZES_H"]
    lines += ["#define SIZES_H", ""]
    lines += [f"#define {name} {value}" for name, value in counts.items()]
    lines += ["", f'#define TOKEN "{token}"', f"#define TOLERANCE {TOLERANCE!r}"]
    arrays: dict[str, Iterable[float]] = {
        "START_Y": y,
        "START_P": [float(x.value or 0.0) for x in written.parameters],
        "USUAL_SIZES": usual,
        "MOST_SIZES": most,
        "LEAST_INPUTS": ranges[:, 0],
        "LARGEST_INPUTS": ranges[:, 1],
        "EVENT_DIRECTIONS": [x.direction if x.direction == x.direction else _NEVER for x in events],
        "EVENT_STOPS": [int(x.stop) for x in events],
    }
    lines += [_array(name, values) for name, values in arrays.items()]
    return "\n".join([*lines, "", "#endif", ""])


def _array(name: str, values: Iterable[float]) -> str:
    """A macro with the entries of an array, which has one at least."""
    kind = int if name.startswith("EVENT") else float
    listed = [repr(kind(np.clip(x, -_HUGE, _HUGE))) for x in values] or ["0"]
    return f"#define {name} {{{', '.join(listed)}}}"


def _state_sizes(fmu: FmuModel) -> tuple[Sequence[float], Sequence[float]]:
    """Sizes that components of a state are compared with, and how much of them counts."""
    from torseur.simulation.formulations.joint import JointFormulation

    sizes = fmu.begin.sizes(JointFormulation(fmu.begin), fmu.begin.y, np.array([0.0, 1.0]))
    return sizes.usual, sizes.most
