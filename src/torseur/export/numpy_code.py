"""NumPy: a module that broadcasts over leading axes and needs nothing but NumPy."""

import numpy as np

from torseur.export.language import Language
from torseur.export.model import Model
from torseur.export.notation import Notation
from torseur.export.python_text import INDENT, RESERVED, head, module, once, run
from torseur.export.routine import Routine

INVERSES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}
_NOTATION = Notation(INVERSES, prefix="np.", repeated=4, brackets=("(", ")"),
                     choice="np.where({c} > 0.0, {a}, {b})")  # fmt: skip


def files(model: Model) -> dict[str, str]:
    """NAME.py."""
    usage = (
        "c = FUNCTION_constants(p) once per parameter set, then FUNCTION(c, q, ...) for every",
        "state. The last axis of each array holds its entries; leading axes broadcast.",
    )
    return module(model, "import numpy as np", _NOTATION, usage, _functions, "np.array")


def element(array: str, k: int) -> str:
    """An entry for every state of a batch."""
    return f"{array}[..., {k}]"


def _functions(routine: Routine) -> list[str]:
    return [*_constants(routine), "", "", *_run(routine)]


def _constants(routine: Routine) -> list[str]:
    lines = head(f"{routine.name}_constants", ["p"], "what depends on parameters only")
    lines += [f"{INDENT}p = np.asarray(p, dtype=float)", *once(routine, _NOTATION, element)]
    lines.append(f"{INDENT}c = np.empty((*p.shape[:-1], {len(routine.constants)}))")
    lines += [f"{INDENT}c[..., {k}] = {name}" for k, name in enumerate(routine.constants)]
    return [*lines, f"{INDENT}return c"]


def _run(routine: Routine) -> list[str]:
    arrays = ["c", *(letter for letter, _ in routine.arguments)]
    listed = ", ".join(arrays)
    lines = head(routine.name, arrays, routine.words)
    lines.append(f"{INDENT}{listed} = (np.asarray(x, dtype=float) for x in ({listed}))")
    leading = ", ".join(f"{array}.shape[:-1]" for array in arrays)
    lines.append(f"{INDENT}shape = np.broadcast_shapes({leading})")
    lines += run(routine, _NOTATION, element)
    size = "".join(f", {n}" for n in routine.shape)
    lines.append(f"{INDENT}result = np.empty((*shape{size or ','}))")
    for place, tree in zip(np.ndindex(routine.shape), routine.results, strict=True):
        index = ", ".join(["...", *(str(k) for k in place)])
        lines += _NOTATION.assignment(f"result[{index}]", tree, INDENT)
    return [*lines, f"{INDENT}return result" + ("" if routine.shape else "[()]")]


NUMPY: Language = Language("numpy", RESERVED, files)
