"""A whole program as text or LaTeX: assignments by stage, outputs, operation counts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import (
    CONFIGURATION,
    CONSTANT,
    PARAMETER,
    STATE,
    ZERO,
    Expr,
    expression,
)
from torseur.algebra.forms.program import Program
from torseur.algebra.printing import latex, text
from torseur.algebra.printing.breaking import aligned
from torseur.algebra.printing.reading_order import layout
from torseur.algebra.printing.tree import Tree, names_of, written

HEADINGS: Mapping[str, str] = {
    "parameters": "Computed once per parameter set",
    "configuration": "Computed once per configuration",
    "state": "Computed for every state",
    "outputs": "Results",
    "operations": "Operations",
}
_STAGES = {
    "parameters": (CONSTANT, PARAMETER),
    "configuration": (CONFIGURATION,),
    "state": (STATE,),
}


@final
@dataclass(frozen=True)
class ListedEquation:
    """name = name = … = value; `upright` for abbreviated sines and cosines."""

    names: tuple[str, ...]
    value: Tree
    upright: bool = False


@final
@dataclass(frozen=True)
class ListingSection:
    """Equations under one heading: parameters, configuration, state or outputs."""

    key: str
    equations: tuple[ListedEquation, ...]


def sections(program: Program) -> tuple[ListingSection, ...]:
    """The assignments of each stage, then the outputs; empty sections are left out.

    So are assignments that no formula needs once its terms are collected.
    """
    outputs = tuple(_outputs(program))
    needed = {program.names[x.key] for x in program.nodes if x.key in program.names}
    needed.update(names_of(equation.value for equation in outputs))
    printed: dict[str, ListedEquation] = {}
    for step in reversed(program.assignments):
        if step.name in needed:
            tree = layout(step.value, program.names, top=True)
            upright = step.value.op in ("sin", "cos")
            printed[step.name] = ListedEquation((step.name,), tree, upright=upright)
            needed.update(names_of([tree]))
    result = []
    for key, stages in _STAGES.items():
        steps = (step.name for stage in stages for step in program.stage(stage))
        result.append(
            ListingSection(key, tuple(printed[name] for name in steps if name in printed))
        )
    result.append(ListingSection("outputs", outputs))
    return tuple(section for section in result if section.equations)


def _outputs(program: Program) -> Iterator[ListedEquation]:
    """Equal entries are listed together, zeros last; one named after itself is listed above."""
    used = dict.fromkeys(program.reserved, -1) | {x.name: x.key for x in program.symbols}
    used |= {name: key for key, name in program.names.items()}
    for name, output in program.outputs.items():
        groups: dict[Expr, list[str]] = {}
        for label, x in entries(name, output, used):
            if program.names.get(x.key) != label:
                groups.setdefault(x, []).append(label)
        if list(groups) == [ZERO] and name not in used:
            groups = {ZERO: [name]}
        for x, labels in sorted(groups.items(), key=lambda group: group[0] is ZERO):
            yield ListedEquation(tuple(labels), layout(x, program.names))


def entries(name: str, output: Any, used: Mapping[str, int]) -> list[tuple[str, Expr]]:
    """Each entry with its name: M12, or M[1,2] where M12 could mean something else."""
    array = np.asarray(output, dtype=object)
    symmetric = _symmetric(array)
    indices = [i for i in np.ndindex(array.shape) if not (symmetric and i[0] > i[1])]
    nodes = [expression(array[index]) for index in indices]
    labels = [name + "".join(str(k + 1) for k in index) for index in indices]
    clash = any(used.get(label, x.key) != x.key for label, x in zip(labels, nodes, strict=True))
    ambiguous = array.ndim > 1 and max(array.shape, default=0) > 9
    if array.ndim and (clash or ambiguous or name[-1].isdigit()):
        labels = [f"{name}[{','.join(str(k + 1) for k in index)}]" for index in indices]
    return list(zip(labels, nodes, strict=True))


def _symmetric(array: np.ndarray) -> bool:
    n = len(array) if array.ndim else 0
    if n < 2 or array.shape != (n, n):
        return False
    return all(array[i, j] is array[j, i] for i in range(n) for j in range(i))


def _counts(program: Program) -> Iterator[tuple[str, str]]:
    """The stages that cost something, with what they cost."""
    for key, operations in program.operations_by_stage.items():
        if operations.total:
            yield key, str(operations)


# --- the two notations --------------------------------------------------------------------------


def text_listing(
    program: Program, headings: Mapping[str, str] = HEADINGS, *, width: int = 100
) -> str:
    """The program in plain text, an equation a line, wrapped at `width`."""
    blocks = []
    for section in sections(program):
        lines = [headings[section.key]]
        for equation in section.equations:
            value = written(equation.value, text.write)
            whole = " = ".join([*equation.names, value])
            lines += _wrapped(whole, width)
        blocks.append("\n".join(lines))
    lines = [f"  {headings[key]}: {count}" for key, count in _counts(program)]
    blocks.append("\n".join([headings["operations"], *(lines or ["  0"])]))
    return "\n\n".join(blocks) + "\n"


def _wrapped(line: str, width: int) -> list[str]:
    if len(line) + 2 <= width:
        return [f"  {line}"]
    return wrap(
        line,
        width,
        initial_indent="  ",
        subsequent_indent="      ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def latex_listing(program: Program, headings: Mapping[str, str] = HEADINGS) -> str:
    """The program as LaTeX paragraphs with align* environments (package amsmath)."""
    blocks = []
    for section in sections(program):
        lines = []
        for equation in section.equations:
            names = [latex.name(name, abbreviation=equation.upright) for name in equation.names]
            lines.append((" = ".join(names), f"= {written(equation.value, latex.write)}"))
        heading = rf"\paragraph{{{headings[section.key]}}}"
        blocks.append(f"{heading}\n{aligned(lines)}")
    counts = (f"{headings[key]}: {count}" for key, count in _counts(program))
    blocks.append(rf"\paragraph{{{headings['operations']}}} {'; '.join(counts) or 0}.")
    return "\n\n".join(blocks) + "\n"
