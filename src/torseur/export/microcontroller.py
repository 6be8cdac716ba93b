"""C99 for a micro-controller: float, without library, allocation or hidden state."""

from dataclasses import replace
from importlib.resources import files as resources

from torseur.export.c import RESERVED, notation_of, written
from torseur.export.exported_model import Model
from torseur.export.names import MATHEMATICS, Language, words
from torseur.export.routine import Routine
from torseur.words.sentence import say, worded

_REAL = "float"
_WORD, _POINTER, _FRAME = 4, 8, 128  # bytes: a number, an address, what calls and spills take
_OWN = frozenset(f"own_{name}" for name in (*MATHEMATICS, "floor", "fabs"))


def files(model: Model) -> dict[str, str]:
    """NAME.h and NAME.c."""
    known = notation_of(_REAL)
    functions = {name: f"own_{name}" for name in MATHEMATICS} | {
        "abs": "own_fabs",
        "sign": "sign_of",
    }
    notation = replace(known, functions=functions, power="own_pow", floor="own_floor({x})")
    more = [worded("No library is needed, nothing is allocated. Stack, at most:")]
    more += [
        say("{name}: {count} bytes", f"  {routine.name}", _stack(routine))
        for routine in model.routines
    ]
    library = resources("torseur.export").joinpath("microcontroller.c").read_text(encoding="utf-8")
    return written(model, notation, _REAL, library.rstrip().split("\n"), more)


def _stack(routine: Routine) -> int:
    """Bytes of the stack that a routine needs if no number stays in a register."""
    first = len(routine.parameters) + len(routine.once) + len(routine.constants)
    second = len(routine.stored) + len(routine.inputs) + len(routine.steps)
    numbers = max(first, second) + len(routine.results)
    return _WORD * numbers + _POINTER * (len(routine.arrays) + 1) + _FRAME


MICROCONTROLLER: Language = Language(
    "microcontroller", RESERVED | _OWN | words("own_bits own_reduced"), files
)
