"""MATLAB and Octave: one function file per function."""

from collections.abc import Iterable

from torseur.export.header import header
from torseur.export.language import Language
from torseur.export.matlab_fcn import state_derivative
from torseur.export.matlab_text import NOTATION, RESERVED, tables
from torseur.export.model import Model
from torseur.export.notation import INDENT
from torseur.export.routine import Routine, called
from torseur.words.sentence import say


def files(model: Model) -> dict[str, str]:
    """NAME_FUNCTION_constants.m and NAME_FUNCTION.m for each function.

    With forward_dynamics also NAME_fcn.m, the state derivative for a solver; with values for every
    parameter also NAME_parameters.m.
    """
    texts = {}
    for routine in model.routines:
        name = f"{model.prefix}_{routine.name}"
        usage = (
            say("c = {name}_constants(p) once per parameter set, then", name),
            say("result = {call} for every state.", _call(name, routine)),
        )
        top = header(model, [routine], NOTATION, usage)
        once = tables(routine, called(step.value for step in routine.once))
        texts[f"{name}_constants.m"] = _text(top, _constants(name, routine), once)
        run = tables(routine, called([*(step.value for step in routine.steps), *routine.results]))
        texts[f"{name}.m"] = _text(top, _run(name, routine), run)
        if routine.name == "forward_dynamics":
            texts[f"{model.prefix}_fcn.m"] = state_derivative(model)
    if model.values:
        texts[f"{model.prefix}_parameters.m"] = _values(model)
    return texts


def _text(top: list[str], body: Iterable[str], after: Iterable[str] = ()) -> str:
    return "\n".join([*top, "", *body, "end", *after, ""])


def _call(name: str, routine: Routine) -> str:
    return f"{name}({', '.join(routine.arrays)})"


def _constants(name: str, routine: Routine) -> list[str]:
    lines = [f"function c = {name}_constants(p)", *NOTATION.once(routine)]
    return [*lines, f"{INDENT}c = zeros({len(routine.constants)}, 1);", *NOTATION.filled(routine)]


def _run(name: str, routine: Routine) -> list[str]:
    lines = [f"function result = {_call(name, routine)}", *NOTATION.run(routine)]
    size = (*routine.shape, 1, 1)[: max(len(routine.shape), 2)]
    lines.append(f"{INDENT}result = zeros({', '.join(str(n) for n in size)});")
    return [*lines, *NOTATION.results(routine, routine.shape or (1,))]


def _values(model: Model) -> str:
    """The values of the parameters as a column."""
    name = f"{model.prefix}_parameters"
    lines = [f"function p = {name}()"]
    for k, parameter in enumerate(model.parameters):
        lines.append(f"{INDENT}p({k + 1}, 1) = {parameter.value!r}; % {parameter.identifier}")
    return _text(header(model, (), NOTATION, ["p holds the parameters."]), lines)


MATLAB: Language = Language("matlab", RESERVED, files)
