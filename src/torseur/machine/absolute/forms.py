"""Elements of the same form: expressions that differ by their bodies, joints and numbers only.

A form is compiled once, in the symbols of its places: body 0, body 1, …, measure 0, …, number 0, ….
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import TIME, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, reachable, substitute
from torseur.equations.formalisms.absolute import free_system
from torseur.equations.functions.kernel import kernel
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.machine.evaluator import kernel_code
from torseur.machine.integrators.problem import Entry, entry
from torseur.model.description import Mechanism
from torseur.model.freed import COORDINATES, SPEEDS
from torseur.words.sentence import say

Array = np.ndarray
_KINDS = ("coordinate",) * 7 + ("speed",) * 6


@final
@dataclass(frozen=True)
class FormElement:
    """Outputs of some bodies, measures and numbers."""

    outputs: tuple[Expr, ...]  # in the symbols of the places
    bodies: tuple[str, ...]
    measures: tuple[str, ...]  # coordinates, or speeds without one
    numbers: tuple[float, ...]

    @property
    def counts(self) -> tuple[int, int, int]:
        """Number of bodies, of measures and of numbers."""
        return len(self.bodies), len(self.measures), len(self.numbers)


@final
@dataclass(frozen=True)
class Template:
    """An element with names of parameters in place of its numbers."""

    outputs: tuple[Expr, ...]
    bodies: tuple[str, ...]
    measures: tuple[str, ...]
    parameters: tuple[str, ...]

    def at(self, values: Mapping[str, Any]) -> FormElement:
        """The element with numbers for the parameters."""
        numbers = tuple(float(values[name]) for name in self.parameters)
        return FormElement(self.outputs, self.bodies, self.measures, numbers)


def body_part(body: str, part: str) -> str:
    """The name of a number of the state of a body: no name that a user may give."""
    return f"{part} of {body}"


def free_bodies(mechanism: Mechanism, bodies: Iterable[str]) -> System:
    """Some bodies of a mechanism, free and alone."""
    bare = replace(mechanism, joints={}, constraints={}, motions={})
    return free_system(bare, bodies, named=body_part)


def slot_symbols(n: int) -> list[Expr]:
    """The state of the body at a place."""
    parts = zip((*COORDINATES, *SPEEDS), _KINDS, strict=True)
    return [symbol(f"{part} of {n}", kind) for part, kind in parts]


def _of_unit_norm(state: list[Expr]) -> list[Expr]:
    """The state of a body, its quaternion divided by its norm, which stages of a step change."""
    four = np.array(state[3:7])
    return [*state[:3], *(four / np.sqrt(four @ four)), *state[7:]]


def spoken(outputs: Any, measured: Mapping[str, str]) -> list[str]:
    """The measures that expressions speak of."""
    names = [x.name for x in free_symbols(outputs) if x.kind in ("coordinate", "speed")]
    return list(dict.fromkeys(measured[name] for name in names if name in measured))


def template(
    outputs: Sequence[Any],
    bodies: Sequence[str],
    measures: Sequence[str],
    measured: Mapping[str, str],
) -> Template:
    """The form of expressions of the states of bodies, joint coordinates, parameters and t.

    `measured` gives for each coordinate and each speed of a joint the name of its measure.
    """
    given = expressions(list(outputs))
    new: dict[Expr, Expr] = {}
    for n, body in enumerate(bodies):
        parts = zip((*COORDINATES, *SPEEDS), _KINDS, _of_unit_norm(slot_symbols(n)), strict=True)
        new |= {symbol(body_part(body, part), kind): place for part, kind, place in parts}
    parameters: list[str] = []
    for x in free_symbols(given):
        if x in new or x is TIME:
            continue
        if x.kind == "parameter":
            new[x] = symbol(f"number {len(parameters)}", "input")
            parameters.append(x.name)
        elif x.name in measured:
            new[x] = symbol(f"{x.kind} {measures.index(measured[x.name])}", x.kind)
        else:
            problem = say('"{x}" cannot be read from the poses of two bodies.', x.name)
            advice = 'Simulate in the coordinates of the joints: coordinates="joint".'
            raise ModelError("absolute coordinates", problem, advice)
    substituted = tuple(substitute(given, new)) if new else tuple(given)
    outputs = tuple(map(expression, substituted))
    return Template(outputs, tuple(bodies), tuple(measures), tuple(parameters))


def grouped(elements: Sequence[FormElement]) -> list[list[FormElement]]:
    """The elements of each form."""
    groups: dict[Any, list[FormElement]] = {}
    keys: dict[int, Any] = {}
    for one in elements:
        if id(one.outputs) not in keys:
            keys[id(one.outputs)] = tuple(x.key for x in one.outputs)
        groups.setdefault((keys[id(one.outputs)], one.counts), []).append(one)
    return list(groups.values())


@lru_cache(maxsize=256)
def compiled(outputs: tuple[Expr, ...], bodies: int, measures: int, numbers: int) -> Entry:
    """The machine code of a form."""
    inputs = [(f"body {n}", [x.name for x in slot_symbols(n)]) for n in range(bodies)]
    pairs = [name for n in range(measures) for name in (f"coordinate {n}", f"speed {n}")]
    inputs.append(("measures", pairs))
    inputs.append(("numbers", [f"number {n}" for n in range(numbers)]))
    inputs.append(("t", [TIME.name]))
    element_kernel = kernel("element", inputs, np.array(outputs, dtype=object))
    return entry(kernel_code(element_kernel, f"element {_digest(outputs)} {inputs}"), np.zeros(0))


def _digest(outputs: Sequence[Expr]) -> str:
    """A text that two lists of expressions share when they are the same."""
    nodes = reachable(outputs)
    number = {x.key: k for k, x in enumerate(nodes)}
    lines = [f"{x.op} {_value(x)} {[number[a.key] for a in x.args]}" for x in nodes]
    lines.append(str([number[x.key] for x in outputs]))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _value(x: Expr) -> str:
    """Text of the value of a node, which distinguishes it from others with the same arguments."""
    return x.value.table.digest + str(x.value.order) if x.op == "table" else repr(x.value)
