"""MATLAB and Octave: one function file per function."""

from collections.abc import Iterable

import numpy as np

from torseur.export.header import header
from torseur.export.language import Language
from torseur.export.matlab_fcn import state_derivative
from torseur.export.matlab_text import (
    INDENT,
    NOTATION,
    RESERVED,
    element,
    loads,
    stages,
    tables,
)
from torseur.export.model import Model
from torseur.export.routine import Routine, called


def files(model: Model) -> dict[str, str]:
    """NAME_FUNCTION_constants.m and NAME_FUNCTION.m for each function.

    With forward_dynamics also NAME_fcn.m, the state derivative for a solver; with values for every
    parameter also NAME_parameters.m.
    """
    found = {}
    for routine in model.routines:
        name = f"{model.prefix}_{routine.name}"
        usage = (
            f"c = {name}_constants(p) once per parameter set, then",
            f"result = {_call(name, routine)} for every state.",
        )
        top = header(model, [routine], element, "%", usage)
        once = tables(routine, called(step.value for step in routine.once))
        found[f"{name}_constants.m"] = _text(top, _constants(name, routine), once)
        found[f"{name}.m"] = _text(top, _run(name, routine), tables(routine, _run_calls(routine)))
        if routine.name == "forward_dynamics":
            found[f"{model.prefix}_fcn.m"] = state_derivative(model)
    if model.values:
        found[f"{model.prefix}_parameters.m"] = _values(model)
    return found


def _text(top: list[str], body: Iterable[str], after: Iterable[str] = ()) -> str:
    return "\n".join([*top, "", *body, "end", *after, ""])


def _call(name: str, routine: Routine) -> str:
    return f"{name}({', '.join(['c', *(letter for letter, _ in routine.arguments)])})"


def _constants(name: str, routine: Routine) -> list[str]:
    lines = [f"function c = {name}_constants(p)", *loads(routine.parameters)]
    for step in routine.once:
        lines += NOTATION.assignment(step.name, step.value, INDENT)
    lines.append(f"{INDENT}c = zeros({len(routine.constants)}, 1);")
    return [*lines, *(f"{INDENT}c({k + 1}) = {x};" for k, x in enumerate(routine.constants))]


def _run(name: str, routine: Routine) -> list[str]:
    lines = [f"function result = {_call(name, routine)}"]
    lines += [*loads((*routine.kept, *routine.inputs)), *stages(routine)]
    size = (*routine.shape, 1, 1)[: max(len(routine.shape), 2)]
    lines += ["", f"{INDENT}result = zeros({', '.join(str(n) for n in size)});"]
    for place, tree in zip(np.ndindex(routine.shape), routine.results, strict=True):
        index = ", ".join(str(k + 1) for k in place) or "1"
        lines += NOTATION.assignment(f"result({index})", tree, INDENT)
    return lines


def _run_calls(routine: Routine) -> set[str]:
    return called([*(step.value for step in routine.steps), *routine.results])


def _values(model: Model) -> str:
    """The values of the parameters as a column."""
    name = f"{model.prefix}_parameters"
    lines = [f"function p = {name}()"]
    for k, parameter in enumerate(model.parameters):
        lines.append(f"{INDENT}p({k + 1}, 1) = {parameter.value!r}; % {parameter.identifier}")
    return _text(header(model, (), element, "%", ["p holds the parameters."]), lines)


MATLAB: Language = Language("matlab", RESERVED, files)
