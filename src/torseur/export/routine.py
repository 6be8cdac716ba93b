"""A function of a mechanism ready to be written: its arguments and its assignments by stage.

The nodes of a kernel become ordered assignments with readable names, the same in every run. Nodes
used once are written where they are used, as long as a line stays readable. The order is that of
the height above the symbols, then that of the text: it does not depend on when a node was created.
Two assignments that would read the same are one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from torseur.algebra.core.called import refused
from torseur.algebra.core.coefficients import negative
from torseur.algebra.core.expr import CONFIGURATION, PARAMETER, PI, STATE, Expr
from torseur.algebra.core.graph import free_symbols, reachable
from torseur.algebra.core.tabulated import Tabulated
from torseur.algebra.forms.count import Operations, count_by_stage
from torseur.algebra.forms.program import program, trigonometric_name, unsigned
from torseur.algebra.printing.names import natural
from torseur.algebra.printing.reading_order import layout
from torseur.algebra.printing.text import EXACT
from torseur.algebra.printing.tree import FunctionCall, Name, Tree, names_of, parts_of, written
from torseur.equations.functions.kernel import Kernel
from torseur.errors import ModelError
from torseur.export.names import Identifiers
from torseur.words.sentence import say, worded

LONGEST = 14  # names and numbers in one assignment
_PREFIX = {PARAMETER: "p", CONFIGURATION: "k", STATE: "t"}


@final
@dataclass(frozen=True)
class Assignment:
    """name = value, computed once per parameter set, per configuration or per state."""

    name: str
    value: Tree
    stage: int


def arrange(
    outputs: Sequence[Expr],
    hints: Mapping[int, str],
    symbols: Mapping[int, str],
    identifiers: Identifiers,
) -> tuple[tuple[Assignment, ...], tuple[Tree, ...]]:
    """The assignments of the outputs in order, nothing unused, and the results by their names.

    `symbols` gives the identifier of each leaf (key → name).
    """
    naming = _Naming(hints, dict(symbols), identifiers)
    for group in _levels(outputs, _named_nodes(outputs, hints)):
        naming.name(group)
    results = tuple(layout(x, naming.names, extremes=False) for x in outputs)
    return _used_steps(naming.steps, results), results


def _named_nodes(outputs: Sequence[Expr], hints: Mapping[int, str]) -> set[int]:
    """The nodes that get a name: those of the program, bases of powers, parts of long lines."""
    chosen = set(program({"result": list(outputs)}, hints).names)
    constant = (unsigned(x) for x in outputs if x.stage == PARAMETER)
    chosen.update(x.key for x in constant if x.args)
    sizes: dict[int, int] = {}
    for x in reachable(outputs):
        parts = [unsigned(a) for a in x.args]
        if x.op == "pow" and isinstance(x.value, int) and abs(x.value) > 1 and parts[0].args:
            chosen.add(parts[0].key)
        share = {a.key: 1 if a.key in chosen else sizes[a.key] for a in parts}
        while sum(share.values()) > LONGEST and max(share.values()) > 1:
            largest = max(share, key=lambda key: share[key])
            chosen.add(largest)
            share[largest] = 1
        sizes[x.key] = max(1, sum(share.values()))
    return chosen


def _levels(outputs: Sequence[Expr], chosen: set[int]) -> list[list[Expr]]:
    """The chosen nodes by stage, then by the number of assignments below them."""
    height: dict[int, int] = {}
    groups: defaultdict[tuple[int, int], list[Expr]] = defaultdict(list)
    for x in reachable(outputs):
        below = max((height[a.key] for a in x.args), default=0)
        height[x.key] = below + (x.key in chosen)
        if x.key in chosen:
            groups[max(x.stage, PARAMETER), height[x.key]].append(x)
    return [groups[level] for level in sorted(groups)]


@final
class _Naming:
    """The names given so far and the assignments they stand for."""

    def __init__(
        self, hints: Mapping[int, str], names: dict[int, str], identifiers: Identifiers
    ) -> None:
        self.names = names  # node key → identifier, with a minus for the opposite of a quantity
        self.steps: list[Assignment] = []
        self._hints = hints
        self._identifiers = identifiers
        self._known: dict[str, str] = {}  # text → identifier
        self._next: Counter[str] = Counter()

    def name(self, group: Iterable[Expr]) -> None:
        """Name nodes of one level, in the order of their texts."""
        ready = [(x, self._hints.get(x.key) or trigonometric_name(x)) for x in group]
        forms = [(*_form(x, self.names, oriented=bool(wish)), x, wish) for x, wish in ready]
        for text, sign, tree, x, wish in sorted(forms, key=lambda form: natural(form[0])):
            if isinstance(tree, Name):
                name = tree.text
            elif text in self._known:
                name = self._known[text]
            else:
                name = self._new(x, wish)
                self._known[text] = name
                self.steps.append(Assignment(name, tree, max(x.stage, PARAMETER)))
            self.names[x.key] = name if sign > 0 else f"-{name}"

    def _new(self, x: Expr, wish: str | None) -> str:
        if wish is not None:
            return self._identifiers.take(wish)
        prefix = _PREFIX[max(x.stage, PARAMETER)]
        name, following = self._identifiers.number(prefix, self._next[prefix] or 1)
        self._next[prefix] = following
        return name


def _form(x: Expr, names: Mapping[int, str], *, oriented: bool) -> tuple[str, int, Tree]:
    """Text, sign and tree of x, or of −x when that is written more simply and x may be turned."""
    tree = layout(x, names, extremes=False)
    text = written(tree, EXACT)
    if oriented or x.op not in ("add", "mul") or "-" not in text:
        return text, 1, tree
    turned = layout(negative(x), names, extremes=False)
    other = written(turned, EXACT)
    if (text.startswith("-"), text) <= (other.startswith("-"), other):
        return text, 1, tree
    return other, -1, turned


def _used_steps(steps: Sequence[Assignment], results: Iterable[Tree]) -> tuple[Assignment, ...]:
    """The assignments that the results need."""
    needed = set(names_of(results))
    used = []
    for step in reversed(steps):
        if step.name in needed:
            used.append(step)
            needed.update(names_of([step.value]))
    return tuple(reversed(used))


@final
@dataclass(frozen=True)
class ArgumentEntry:
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
    entries: Mapping[str, Sequence[ArgumentEntry]],
    identifiers: Identifiers,
    hints: Mapping[int, str],
) -> Routine:
    """The routine of a kernel; `entries` holds the numbers of each array, those of p too."""
    loads = {
        entry.name: Load(entry.identifier, argument, k)
        for argument in ("p", *(letter for letter, _ in kernel.inputs))
        for k, entry in enumerate(entries[argument])
    }
    for x in kernel.nodes:
        if x.op == "call":
            raise refused(x)
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
        _used_loads(loads, read, of_parameters=True),
        once,
        tuple(constants),
        _used_loads(loads, used, of_parameters=False),
        steps,
        results,
        count_by_stage(kernel.outputs),
        tuple({x.value: None for x in kernel.nodes if x.op == "table"}),
    )


def _used_loads(
    loads: Mapping[str, Load], names: set[str], *, of_parameters: bool
) -> tuple[Load, ...]:
    candidates = (x for x in loads.values() if (x.argument == "p") == of_parameters)
    return tuple(x for x in candidates if x.identifier in names)


def _identified(kernel: Kernel, loads: Mapping[str, Load]) -> dict[int, str]:
    """The identifier of each symbol, by key; a symbol that is no argument is reported."""
    symbols: list[Expr] = free_symbols(list(kernel.outputs))
    for x in symbols:
        if x.name not in loads:
            letters = ", ".join(letter for letter, _ in kernel.inputs)
            problem = say(
                'it depends on "{x}" ({kind}), which is not among its arguments.',
                x.name,
                x.kind,
            )
            advice = say("Its arguments are the parameters and {letters}.", letters)
            raise ModelError(f'function "{kernel.name}"', problem, advice)
    return {x.key: loads[x.name].identifier for x in symbols}


def called(trees: Iterable[Tree]) -> set[str]:
    """The functions that are called in trees."""
    return {part.name for part in parts_of(trees) if isinstance(part, FunctionCall)}
