"""CasADi: a module that builds one casadi.Function per function."""

from functools import partial

from torseur.export.exported_model import Model
from torseur.export.names import Language
from torseur.export.notation import INDENT
from torseur.export.python_text import RESERVED, head, module, notation
from torseur.export.routine import Routine
from torseur.words.sentence import say, worded

_NOTATION = notation("ca", {"abs": "fabs"}, "if_else")


def files(model: Model) -> dict[str, str]:
    """NAME.py."""
    usage = (
        "Each function here builds a casadi.Function: FUNCTION_constants() maps p to c, once per",
        "parameter set, FUNCTION() maps c, q, ... to the result. Arrays are columns.",
    )
    constants = partial(_constants, parameters=len(model.parameters))
    return module(model, "import casadi as ca", _NOTATION, usage, (constants, _run), "ca.DM")


def _constants(routine: Routine, parameters: int) -> list[str]:
    name = f"{routine.name}_constants"
    lines = head(
        name, ["symbol=ca.SX.sym"], worded("the function of what depends on parameters only")
    )
    lines.append(f'{INDENT}p = symbol("p", {parameters})')
    lines += _NOTATION.once(routine)
    lines += _NOTATION.listed("c = ca.vertcat(", list(routine.constants), ")", INDENT)
    return [*lines, f'{INDENT}return ca.Function("{name}", [p], [c], ["p"], ["c"])']


def _run(routine: Routine) -> list[str]:
    arrays = [("c", len(routine.constants)), *routine.arguments]
    lines = head(routine.name, ["symbol=ca.SX.sym"], say("the function of {what}", routine.words))
    lines += [f'{INDENT}{letter} = symbol("{letter}", {size})' for letter, size in arrays]
    lines += _NOTATION.run(routine)
    lines += _NOTATION.elements("result", routine.results, INDENT)
    lines.append(f"{INDENT}result = ca.vertcat(*result)")
    if len(routine.shape) > 1:
        rows, columns = routine.shape
        lines.append(f"{INDENT}result = ca.reshape(result, {columns}, {rows}).T")
    letters = [letter for letter, _ in arrays]
    quoted = ", ".join(f'"{letter}"' for letter in letters)
    lines.append(f"{INDENT}return ca.Function(")
    lines.append(f'{INDENT * 2}"{routine.name}", [{", ".join(letters)}], [result],')
    return [*lines, f'{INDENT * 2}[{quoted}], ["result"],', f"{INDENT})"]


CASADI: Language = Language("casadi", RESERVED, files, tables=False)
