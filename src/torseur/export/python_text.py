"""Parts shared by the Python languages: module of functions, reserved words, bodies."""

from collections.abc import Callable, Iterable, Sequence
from keyword import kwlist, softkwlist
from typing import Any

from torseur.export.exported_model import Model
from torseur.export.header import header
from torseur.export.names import table_function
from torseur.export.notation import INDENT, Notation, arrays, described, lookup, tabulated
from torseur.export.routine import Routine
from torseur.words.sentence import say

# PARAMETERS and the modules are global names of the generated file, `shape` a local one.
RESERVED = frozenset([*kwlist, *softkwlist, "np", "jnp", "ca", "shape", "PARAMETERS", "symbol"])


def notation(library: str, functions: dict[str, str], choice: str, **more: Any) -> Notation:
    """That of a module whose mathematics is in a library."""
    return Notation(
        functions,
        prefix=f"{library}.",
        brackets=("(", ")"),
        choice=f"{library}.{choice}({{c}} > 0.0, {{a}}, {{b}})",
        find=f'{library}.searchsorted({{thresholds}}, {{x}}, side="right")',
        floor=f"{library}.floor({{x}})",
        **more,
    )


def module(
    model: Model,
    imports: str,
    notation: Notation,
    usage: Sequence[str],
    functions: tuple[Callable[[Routine], list[str]], ...],
    values: str,
) -> dict[str, str]:
    """NAME.py: a comment, an import, the values of the parameters, the functions."""
    lines = [*header(model, model.routines, notation, usage), "", imports]
    if model.values:
        head = f"PARAMETERS = {values}(["
        listed = [repr(x) for x in model.values]
        lines += ["", *notation.listed(head, listed, "])", "")]
    lines += _tables(model, notation)
    for routine in model.routines:
        for written in functions:
            lines += ["", "", *written(routine)]
    return {f"{model.identifier}.py": "\n".join([*lines, ""])}


def _tables(model: Model, notation: Notation) -> list[str]:
    """The arrays of the tables that are looked up, and a function for each derivative."""
    looked_up, lines = tabulated(model.routines), []
    for table, orders in looked_up.items():
        for name, entries in arrays(table, orders, notation).items():
            start = f"{name} = {notation.prefix}array(["
            lines += ["", *notation.listed(start, entries, "])", "")]
    for table, orders in looked_up.items():
        for order in orders:
            name = table_function(table.name, order)
            lines += ["", "", *head(name, ["x"], say("the {what}", described(table, order)))]
            *steps, (_, value) = lookup(table, order, notation)
            lines += [f"{INDENT}{left} = {formula}" for left, formula in steps]
            lines.append(f"{INDENT}return {value}")
    return lines


def head(name: str, arguments: Iterable[str], result: str) -> list[str]:
    """The first two lines of a function."""
    return [f"def {name}({', '.join(arguments)}):", f'{INDENT}"""Return {result}."""']
