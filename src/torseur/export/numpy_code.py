"""NumPy: a module that broadcasts over leading axes and needs nothing but NumPy."""

from torseur.export.exported_model import Model
from torseur.export.names import Language
from torseur.export.notation import INDENT
from torseur.export.python_text import RESERVED, head, module, notation
from torseur.export.routine import Routine
from torseur.words.sentence import worded

INVERSES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}
_NOTATION = notation("np", INVERSES, "where", leading=("...",), repeated=4)


def files(model: Model) -> dict[str, str]:
    """NAME.py."""
    usage = (
        "c = FUNCTION_constants(p) once per parameter set, then FUNCTION(c, q, ...) for every",
        "state. The last axis of each array holds its entries; leading axes broadcast.",
    )
    return module(model, "import numpy as np", _NOTATION, usage, (_constants, _run), "np.array")


def _constants(routine: Routine) -> list[str]:
    lines = head(f"{routine.name}_constants", ["p"], worded("what depends on parameters only"))
    lines += [f"{INDENT}p = np.asarray(p, dtype=float)", *_NOTATION.once(routine)]
    lines.append(f"{INDENT}c = np.empty((*p.shape[:-1], {len(routine.constants)}))")
    return [*lines, *_NOTATION.filled(routine), f"{INDENT}return c"]


def _run(routine: Routine) -> list[str]:
    lines = [*head(routine.name, routine.arrays, routine.words)]
    lines += [*broadcast("np", routine.arrays, ", dtype=float"), *_NOTATION.run(routine)]
    size = "".join(f", {n}" for n in routine.shape)
    lines.append(f"{INDENT}result = np.empty((*shape{size or ','}))")
    lines += _NOTATION.results(routine)
    return [*lines, f"{INDENT}return result" + ("" if routine.shape else "[()]")]


def broadcast(library: str, arrays: list[str], kind: str = "") -> list[str]:
    """The arguments of a function as arrays, and the shape of their leading axes together."""
    listed = ", ".join(arrays)
    leading = ", ".join(f"{array}.shape[:-1]" for array in arrays)
    return [
        f"{INDENT}{listed} = ({library}.asarray(x{kind}) for x in ({listed}))",
        f"{INDENT}shape = {library}.broadcast_shapes({leading})",
    ]


NUMPY: Language = Language("numpy", RESERVED, files)
