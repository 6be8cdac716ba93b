"""How MATLAB and Octave write a body: elements, formulas, assignments by stage."""

from collections.abc import Iterable

from torseur.backends.source.header import commented
from torseur.backends.source.language import words
from torseur.backends.source.notation import Notation
from torseur.backends.source.routine import Load, Routine

RESERVED = words(
    "break case catch classdef continue else elseif end endfunction endif endfor endwhile enum "
    "events for function global if methods otherwise parfor persistent properties return spmd "
    "switch try unwind_protect until do while zeros x dx dq A C F"
)
INDENT = "    "
NOTATION = Notation(power="^", going_on=" ...", end=";")


def element(array: str, k: int) -> str:
    """q(1)."""
    return f"{array}({k + 1})"


def loads(found: Iterable[Load]) -> list[str]:
    """Entries of arrays under their names."""
    return [f"{INDENT}{x.identifier} = {element(x.argument, x.index)};" for x in found]


def stages(routine: Routine) -> list[str]:
    """The run-time assignments."""
    lines = []
    for heading, steps in routine.by_stage():
        lines += ["", *commented([heading], f"{INDENT}%")]
        for step in steps:
            lines += NOTATION.assignment(step.name, step.value, INDENT)
    return lines
