"""What the Python languages share: a module of functions, its reserved words, its bodies."""

from collections.abc import Callable, Iterable, Sequence
from keyword import kwlist, softkwlist

from torseur.export.header import commented, header
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

# PARAMETERS and the modules are global names of the generated file, `shape` a local one.
RESERVED = frozenset([*kwlist, *softkwlist, "np", "jnp", "ca", "shape", "PARAMETERS", "symbol"])
INDENT = "    "
Element = Callable[[str, int], str]


def module(
    model: Model,
    imports: str,
    notation: Notation,
    usage: Sequence[str],
    written: Callable[[Routine], list[str]],
    values: str,
) -> dict[str, str]:
    """NAME.py: a comment, an import, the values of the parameters, the functions."""
    lines = [*header(model, model.routines, _element, "#", usage), "", imports]
    if model.values:
        head = f"PARAMETERS = {values}(["
        listed = [repr(x) for x in model.values]
        lines += ["", *notation.listed(head, listed, "])", "")]
    lines += _tables(model, notation, values.split(".")[0])
    for routine in model.routines:
        lines += ["", "", *written(routine)]
    return {f"{model.identifier}.py": "\n".join([*lines, ""])}


def _tables(model: Model, notation: Notation, library: str) -> list[str]:
    """The arrays of the tables that are looked up, and a function for each derivative."""
    lookup = Lookup(
        notation,
        find=f'{library}.searchsorted({{thresholds}}, {{x}}, side="right")',
        element="{array}[{index}]",
        floor=f"{library}.floor({{x}})",
    )
    found, lines = tabulated(model.routines), []
    for table, orders in found.items():
        for array in arrays(orders):
            start = f"{array_name(table, array)} = {library}.array(["
            lines += ["", *notation.listed(start, numbers(table, array, notation), "])", "")]
    for table, orders in found.items():
        for order in orders:
            name = table_function(table.name, order)
            lines += ["", "", *head(name, ["x"], f"the {described(table, order)}")]
            *steps, (_, value) = lookup.steps(table, order)
            lines += [f"{INDENT}{left} = {formula}" for left, formula in steps]
            lines.append(f"{INDENT}return {value}")
    return lines


def _element(array: str, k: int) -> str:
    return f"{array}[{k}]"


def head(name: str, arguments: Iterable[str], result: str) -> list[str]:
    """The first two lines of a function."""
    return [f"def {name}({', '.join(arguments)}):", f'{INDENT}"""Return {result}."""']


def once(routine: Routine, notation: Notation, element: Element) -> list[str]:
    """The body of the first function."""
    lines = _loads(routine.parameters, element)
    for step in routine.once:
        lines += notation.assignment(step.name, step.value, INDENT)
    return lines


def run(routine: Routine, notation: Notation, element: Element) -> list[str]:
    """The body of the second function, results excepted."""
    lines = _loads((*routine.kept, *routine.inputs), element)
    for heading, steps in routine.by_stage():
        lines += ["", *commented([heading], f"{INDENT}#")]
        for step in steps:
            lines += notation.assignment(step.name, step.value, INDENT)
    return [*lines, ""]


def _loads(loads: Iterable[Load], element: Element) -> list[str]:
    return [f"{INDENT}{x.identifier} = {element(x.argument, x.index)}" for x in loads]
