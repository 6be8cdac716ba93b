"""Julia: a module of functions of any number type."""

from collections.abc import Iterable

import numpy as np

from torseur.export.header import commented, header
from torseur.export.language import Language, words
from torseur.export.model import Model
from torseur.export.names import table_function
from torseur.export.notation import Notation
from torseur.export.routine import Load, Routine
from torseur.export.tables import (
    Lookup,
    array_name,
    arrays,
    described,
    numbers,
    tabulated,
)

_RESERVED = words(
    "abstract baremodule begin break catch const continue do else elseif end export false finally "
    "for function global if import importall in isa let local macro module mutable new nothing "
    "outer primitive quote return struct true try type using var where while eltype float "
    "promote_type Array Vector undef parameters T"
)
_INDENT = "    "
_NOTATION = Notation({"atan2": "atan"}, power="^", brackets=("(", ")"),
                     choice="ifelse({c} > 0, {a}, {b})")  # fmt: skip
_LOOKUP = Lookup(
    _NOTATION,
    find="searchsortedlast({thresholds}, {x})",
    element="{array}[{index}]",
    floor="floor({x})",
    first=1,
)


def files(model: Model) -> dict[str, str]:
    """NAME.jl."""
    name = model.identifier
    usage = (
        "c = FUNCTION_constants(p) once per parameter set, then FUNCTION(c, q, ...) for every",
        "state; FUNCTION!(result, c, q, ...) writes into an array.",
    )
    lines = [*header(model, model.routines, _element, "#", usage), "", f"module {name}", ""]
    exported = [x for r in model.routines for x in _exported(r)]
    lines += [*_NOTATION.listed("export ", exported, "", ""), ""]
    if model.values:
        values = [repr(x) for x in model.values]
        lines += [*_NOTATION.listed("const parameters = [", values, "]", ""), ""]
    lines += _tables(model)
    for routine in model.routines:
        lines += [*_constants(routine), "", *_run(routine), ""]
    return {f"{name}.jl": "\n".join([*lines, f"end # module {name}", ""])}


def _tables(model: Model) -> list[str]:
    """The arrays of the tables that are looked up, and a function for each derivative."""
    lines = []
    for table, orders in tabulated(model.routines).items():
        for array in arrays(orders):
            head = f"const {array_name(table, array)} = ["
            lines += _NOTATION.listed(head, numbers(table, array, _NOTATION), "]", "")
        for order in orders:
            lines += ["", *commented([f"The {described(table, order)}."], "#")]
            lines.append(f"function {table_function(table.name, order)}(x)")
            *steps, (_, value) = _LOOKUP.steps(table, order)
            lines += [f"{_INDENT}{left} = {formula}" for left, formula in steps]
            lines += [f"{_INDENT}return {value}", "end"]
        lines.append("")
    return lines


def _exported(routine: Routine) -> list[str]:
    name = routine.name
    return [f"{name}_constants", name, *([f"{name}!"] if routine.shape else [])]


def _element(array: str, k: int) -> str:
    return f"{array}[{k + 1}]"


def _loads(loads: Iterable[Load]) -> list[str]:
    return [f"{_INDENT}{x.identifier} = {_element(x.argument, x.index)}" for x in loads]


def _constants(routine: Routine) -> list[str]:
    lines = [f"function {routine.name}_constants(p)", *_loads(routine.parameters)]
    for step in routine.once:
        lines += _NOTATION.assignment(step.name, step.value, _INDENT)
    lines.append(f"{_INDENT}c = Vector{{float(eltype(p))}}(undef, {len(routine.constants)})")
    lines += [f"{_INDENT}c[{k + 1}] = {name}" for k, name in enumerate(routine.constants)]
    return [*lines, f"{_INDENT}return c", "end"]


def _run(routine: Routine) -> list[str]:
    arrays = ["c", *(letter for letter, _ in routine.arguments)]
    body = _loads((*routine.kept, *routine.inputs))
    for heading, steps in routine.by_stage():
        body += ["", *commented([heading], f"{_INDENT}#")]
        for step in steps:
            body += _NOTATION.assignment(step.name, step.value, _INDENT)
    body.append("")
    listed = ", ".join(arrays)
    if not routine.shape:
        [value] = routine.results
        body += _NOTATION.assignment("result", value, _INDENT)
        return [f"function {routine.name}({listed})", *body, f"{_INDENT}return result", "end"]
    for place, tree in zip(np.ndindex(routine.shape), routine.results, strict=True):
        index = ", ".join(str(k + 1) for k in place)
        body += _NOTATION.assignment(f"result[{index}]", tree, _INDENT)
    types = ", ".join(f"eltype({array})" for array in arrays)
    rank, sizes = len(routine.shape), ", ".join(str(n) for n in routine.shape)
    return [
        f"function {routine.name}!(result, {listed})",
        *body,
        f"{_INDENT}return result",
        "end",
        "",
        f"function {routine.name}({listed})",
        f"{_INDENT}T = float(promote_type({types}))",
        f"{_INDENT}return {routine.name}!(Array{{T, {rank}}}(undef, {sizes}), {listed})",
        "end",
    ]


JULIA: Language = Language("julia", _RESERVED, files)
