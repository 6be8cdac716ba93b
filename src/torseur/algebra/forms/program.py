"""A program: the outputs as an ordered list of named assignments, nothing computed twice."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.angles import terms
from torseur.algebra.core.expr import CONFIGURATION, CONSTANT, MINUS_ONE, PARAMETER, STATE, Expr
from torseur.algebra.core.graph import evaluate, flat, free_symbols, reachable
from torseur.algebra.forms.count import Operations, count, count_by_stage

_PREFIX = {CONSTANT: "n", PARAMETER: "p", CONFIGURATION: "k", STATE: "t"}


@final
@dataclass(frozen=True)
class ProgramLine:
    """name = value, the value being written with the names of earlier assignments."""

    name: str
    value: Expr

    @property
    def stage(self) -> int:
        """When it is computed: CONSTANT, PARAMETER, CONFIGURATION or STATE."""
        return self.value.stage


@final
@dataclass(frozen=True)
class Program:
    """Named outputs and the assignments that compute them, dead code excluded.

    `names` gives the name of each node that has one; printers and code generators write that
    name wherever the node occurs.
    """

    outputs: Mapping[str, Any]  # name → expression or array of expressions
    assignments: tuple[ProgramLine, ...]
    names: Mapping[int, str]  # node key → name
    reserved: frozenset[str] = frozenset()  # names that mean something else

    @property
    def nodes(self) -> list[Expr]:
        """The output nodes, in order."""
        return [x for output in self.outputs.values() for x in flat(output)]

    @property
    def symbols(self) -> list[Expr]:
        """Symbols that are inputs of the program."""
        return free_symbols(self.nodes)

    @property
    def operations(self) -> Operations:
        """The cost of the run-time stages: what depends on parameters only is computed once."""
        return count(self.nodes)

    @property
    def operations_by_stage(self) -> dict[str, Operations]:
        """The cost per parameter set, per configuration and per state."""
        return count_by_stage(self.nodes)

    def evaluate(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The outputs at given values of the symbols."""
        return {name: evaluate(output, values) for name, output in self.outputs.items()}

    def stage(self, stage: int) -> Iterator[ProgramLine]:
        """The assignments of one stage."""
        return (step for step in self.assignments if step.stage == stage)


def program(
    outputs: Mapping[str, Any], hints: Mapping[int, str] | None = None, reserved: Iterable[str] = ()
) -> Program:
    """The program of named outputs; `hints` proposes names for nodes (key → name).

    No node gets the name of a symbol, nor one that is reserved. A node is named when it is used
    more than once (as an output too), when it is a sine or a cosine, when it has a hint, or when a
    later stage needs it.
    """
    hints, reserved = hints or {}, frozenset(reserved)
    results = {x.key: x for output in outputs.values() for x in flat(output)}
    nodes = reachable(results.values())
    operands = [(x, unsigned(a)) for x in nodes if not _is_opposite(x) for a in x.args]
    uses = Counter(a.key for _, a in operands)
    uses.update(unsigned(x).key for x in results.values())
    needed_later = {a.key for x, a in operands if a.stage < x.stage}
    used = {*reserved, *(x.name for x in nodes if x.op == "symbol")}
    names: dict[int, str] = {}
    steps = []
    serial: Counter[str] = Counter()
    for x in nodes:
        if not _deserves_name(x):
            continue
        staged = x.key in needed_later and x.stage >= PARAMETER
        if x.key in hints or x.op in ("sin", "cos") or uses[x.key] > 1 or staged:
            preferred = hints.get(x.key) or readable_name(x)
            names[x.key] = _unique(preferred, x.stage, used, serial)
            steps.append(ProgramLine(names[x.key], x))
    return Program(dict(outputs), tuple(steps), names, frozenset(reserved))


def _deserves_name(x: Expr) -> bool:
    """Leaves and changes of sign are written out."""
    return bool(x.args) and not _is_opposite(x)


def _is_opposite(x: Expr) -> bool:
    return x.op == "mul" and x.args[0] is MINUS_ONE


def unsigned(x: Expr) -> Expr:
    """Expression without its sign, which is written where the value is used."""
    return x.args[1] if _is_opposite(x) else x


def _unique(preferred: str | None, stage: int, used: set[str], serial: Counter[str]) -> str:
    """The wanted name if it is free, else the next one of its series."""
    if preferred is not None and preferred not in used:
        used.add(preferred)
        return preferred
    stem = f"{preferred}_" if preferred else _PREFIX[stage]
    while True:
        serial[stem] += 1
        name = f"{stem}{serial[stem]}"
        if name not in used:
            used.add(name)
            return name


_NUMBERED = re.compile(r"[A-Za-z_]+(\d+)$")


def readable_name(x: Expr) -> str | None:
    """C23 for cos(q2 + q3), S_alpha for sin(alpha), q23 for q2 + q3: as in the 1980 report."""
    if x.op == "add":
        return angle_name(x)
    return trigonometric_name(x)


def trigonometric_name(x: Expr) -> str | None:
    """C23 for cos(q2 + q3), S_alpha for sin(alpha)."""
    if x.op not in ("sin", "cos"):
        return None
    parts = _parts_of_angle(x.args[0])
    if parts is None:
        return None
    letter = "C" if x.op == "cos" else "S"
    numbered = all(re.fullmatch(r"m?\d+", part) for part in parts)
    return letter + ("".join(parts) if numbered else "_" + "_".join(parts))


def angle_name(x: Expr) -> str | None:
    """q23 for q2 + q3, alpha_beta for alpha + beta: a sum of coordinates."""
    parts = _parts_of_angle(x)
    if parts is None or any(core.stage != CONFIGURATION for _, core in terms(x)):
        return None
    stems = {core.name.rstrip("0123456789") for _, core in terms(x)}
    numbered = [re.fullmatch(r"m?\d+", part) is not None for part in parts]
    if all(numbered) and len(stems) == 1:
        return stems.pop() + "".join(parts)
    return None if any(numbered) else "_".join(parts)


def _parts_of_angle(x: Expr) -> list[str] | None:
    """The short names in a sum of symbols, with m for minus; None for anything else."""
    parts = []
    for coefficient, core in sorted(terms(x), key=lambda t: _order(t[1])):
        if core.op != "symbol" or abs(coefficient) != 1:
            return None
        parts.append(("" if coefficient == 1 else "m") + _short(core.name))
    return parts


def _short(name: str) -> str:
    match = _NUMBERED.match(name)
    return match.group(1) if match and len(match.group(1)) == 1 else name


def _order(x: Expr) -> tuple[str, int, str]:
    """Symbols in their natural order: q2 before q10."""
    if x.op != "symbol":
        return ("~", x.key, "")
    stem, digits = re.match(r"(.*?)(\d*)$", x.name).groups()  # type: ignore[union-attr]
    return (stem, int(digits or 0), x.name)


def component_names(stem: str, value: Any, suffix: str = "") -> dict[int, str]:
    """Hints for the components of a vector (x, y, z) or of a matrix (xx, xy, …)."""
    array = np.asarray(value, dtype=object)
    axes = "xyz" if max(array.shape, default=0) <= 3 else "123456789"
    hints: dict[int, str] = {}
    for index in np.ndindex(array.shape):
        x = array[index]
        if isinstance(x, Expr) and _deserves_name(x):
            hints.setdefault(x.key, stem + suffix + "".join(axes[i] for i in index))
    return hints
