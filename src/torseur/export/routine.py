"""A function of a mechanism ready to be written: its arguments and its assignments by stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from torseur.algebra.core.expr import CONFIGURATION, PARAMETER, PI, Expr
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.core.tabulated import Tabulated
from torseur.algebra.forms.count import Operations, count_by_stage
from torseur.algebra.printing.tree import Call, Tree, names_of, parts_of
from torseur.equations.functions.kernel import Kernel
from torseur.errors import ModelError
from torseur.export.names import Identifiers
from torseur.export.steps import Assignment, arrange
from torseur.words.sentence import say, worded


@final
@dataclass(frozen=True)
class Entry:
    """One number of an argument: its name in the model, its identifier in the code, its unit."""

    name: str
    identifier: str
    unit: str
    value: float | None = None  # of a parameter
    definition: str = ""  # over other parameters
    meaning: str = ""


@final
@dataclass(frozen=True)
class Load:
    """identifier = argument[index]; indices count from zero."""

    identifier: str
    argument: str
    index: int


@final
@dataclass(frozen=True)
class Routine:
    """Two functions: `name`_constants, from p to c, and `name`, from c and the arguments.

    What depends on parameters only is computed by the first, once per parameter set.
    """

    name: str
    words: str  # what comes out
    shape: tuple[int, ...]
    arguments: tuple[tuple[str, int], ...]  # identifier and length of each array
    parameters: tuple[Load, ...]  # what the first function reads
    once: tuple[Assignment, ...]
    constants: tuple[str, ...]  # what it hands over, in the order of c
    inputs: tuple[Load, ...]  # what the second function reads besides c
    steps: tuple[Assignment, ...]
    results: tuple[Tree, ...]  # flattened by rows
    operations: Mapping[str, Operations]
    tables: tuple[Tabulated, ...] = ()  # what is looked up

    @property
    def stored(self) -> tuple[Load, ...]:
        """The constants as the second function reads them."""
        return tuple(Load(name, "c", k) for k, name in enumerate(self.constants))

    @property
    def arrays(self) -> list[str]:
        """The arguments of the second function."""
        return ["c", *(letter for letter, _ in self.arguments)]

    @property
    def calls(self) -> set[str]:
        """The functions that are called."""
        return called([*(s.value for s in (*self.once, *self.steps)), *self.results])

    def by_stage(self) -> list[tuple[str, tuple[Assignment, ...]]]:
        """The run-time assignments under a heading each: of q only, then the others."""
        early = tuple(step for step in self.steps if step.stage == CONFIGURATION)
        late = tuple(step for step in self.steps if step.stage > CONFIGURATION)
        stages = [("depends on q only", early), ("depends on the state", late)]
        return [(worded(heading), steps) for heading, steps in stages if steps]


def routine(
    kernel: Kernel,
    words: str,
    entries: Mapping[str, Sequence[Entry]],
    identifiers: Identifiers,
    hints: Mapping[int, str],
) -> Routine:
    """The routine of a kernel; `entries` holds the numbers of each array, those of p too."""
    loads = {
        entry.name: Load(entry.identifier, argument, k)
        for argument in ("p", *(letter for letter, _ in kernel.inputs))
        for k, entry in enumerate(entries[argument])
    }
    leaves = _identified(kernel, loads) | {PI.key: "pi"}
    arranged, results = arrange(kernel.outputs, hints, leaves, identifiers.copy())
    once = tuple(step for step in arranged if step.stage <= PARAMETER)
    steps = tuple(step for step in arranged if step.stage > PARAMETER)
    used = set(names_of([*(step.value for step in steps), *results]))
    constants = [load.identifier for load in loads.values() if load.argument == "p"]
    constants = [name for name in (*constants, *(s.name for s in once)) if name in used]
    read = {*names_of(step.value for step in once), *constants}
    return Routine(
        kernel.name,
        words,
        kernel.shape,
        tuple((letter, len(names)) for letter, names in kernel.inputs),
        _loaded(loads, read, of_parameters=True),
        once,
        tuple(constants),
        _loaded(loads, used, of_parameters=False),
        steps,
        results,
        count_by_stage(kernel.outputs),
        tuple({x.value: None for x in kernel.nodes if x.op == "table"}),
    )


def _loaded(loads: Mapping[str, Load], names: set[str], *, of_parameters: bool) -> tuple[Load, ...]:
    candidates = (x for x in loads.values() if (x.argument == "p") == of_parameters)
    return tuple(x for x in candidates if x.identifier in names)


def _identified(kernel: Kernel, loads: Mapping[str, Load]) -> dict[int, str]:
    """The identifier of each symbol, by key; a symbol that is no argument is reported."""
    symbols: list[Expr] = free_symbols(list(kernel.outputs))
    for x in symbols:
        if x.name not in loads:
            letters = ", ".join(letter for letter, _ in kernel.inputs)
            raise ModelError(
                f'function "{kernel.name}"',
                say(
                    'it depends on "{x}" ({kind}), which is not among its arguments.',
                    x.name,
                    x.kind,
                ),
                say("Its arguments are the parameters and {letters}.", letters),
            )
    return {x.key: loads[x.name].identifier for x in symbols}


def called(trees: Iterable[Tree]) -> set[str]:
    """The functions that are called in trees."""
    return {part.name for part in parts_of(trees) if isinstance(part, Call)}
