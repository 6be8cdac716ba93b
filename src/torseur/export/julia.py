"""Julia: a module of functions of any number type."""

from torseur.export.exported_model import Model
from torseur.export.header import header
from torseur.export.names import Language, table_function, words
from torseur.export.notation import INDENT, Notation, arrays, described, lookup, tabulated
from torseur.export.routine import Routine
from torseur.words.sentence import say

_RESERVED = words(
    "abstract baremodule begin break catch const continue do else elseif end export false finally "
    "for function global if import importall in isa let local macro module mutable new nothing "
    "outer primitive quote return struct true try type using var where while eltype float "
    "promote_type Array Vector undef parameters T"
)
_NOTATION = Notation(
    {"atan2": "atan"},
    power="^",
    brackets=("(", ")"),
    choice="ifelse({c} > 0, {a}, {b})",
    first=1,
    find="searchsortedlast({thresholds}, {x})",
)


def files(model: Model) -> dict[str, str]:
    """NAME.jl."""
    name = model.identifier
    usage = (
        "c = FUNCTION_constants(p) once per parameter set, then FUNCTION(c, q, ...) for every",
        "state; FUNCTION!(result, c, q, ...) writes into an array.",
    )
    lines = [*header(model, model.routines, _NOTATION, usage), "", f"module {name}", ""]
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
        for name, entries in arrays(table, orders, _NOTATION).items():
            lines += _NOTATION.listed(f"const {name} = [", entries, "]", "")
        for order in orders:
            lines += ["", *_NOTATION.commented([say("The {what}.", described(table, order))])]
            lines.append(f"function {table_function(table.name, order)}(x)")
            *steps, (_, value) = lookup(table, order, _NOTATION)
            lines += [f"{INDENT}{left} = {formula}" for left, formula in steps]
            lines += [f"{INDENT}return {value}", "end"]
        lines.append("")
    return lines


def _exported(routine: Routine) -> list[str]:
    name = routine.name
    return [f"{name}_constants", name, *([f"{name}!"] if routine.shape else [])]


def _constants(routine: Routine) -> list[str]:
    lines = [f"function {routine.name}_constants(p)", *_NOTATION.once(routine)]
    lines.append(f"{INDENT}c = Vector{{float(eltype(p))}}(undef, {len(routine.constants)})")
    return [*lines, *_NOTATION.filled(routine), f"{INDENT}return c", "end"]


def _run(routine: Routine) -> list[str]:
    listed = ", ".join(routine.arrays)
    body = [*_NOTATION.run(routine), *_NOTATION.results(routine), f"{INDENT}return result", "end"]
    if not routine.shape:
        return [f"function {routine.name}({listed})", *body]
    types = ", ".join(f"eltype({array})" for array in routine.arrays)
    rank, sizes = len(routine.shape), ", ".join(str(n) for n in routine.shape)
    return [
        f"function {routine.name}!(result, {listed})",
        *body,
        "",
        f"function {routine.name}({listed})",
        f"{INDENT}T = float(promote_type({types}))",
        f"{INDENT}return {routine.name}!(Array{{T, {rank}}}(undef, {sizes}), {listed})",
        "end",
    ]


JULIA: Language = Language("julia", _RESERVED, files)
