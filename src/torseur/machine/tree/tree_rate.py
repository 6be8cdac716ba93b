"""The rate of the state of a large tree: forward dynamics in a loop, forces in straight-line code.

The state y is (q, v, work of the forces without potential, forces given from outside).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from torseur.machine.evaluator import Evaluator
from torseur.machine.integrators.problem import Entry, entry
from torseur.machine.llvm import jit
from torseur.machine.llvm.emit import Instructions
from torseur.machine.llvm.module import assembled, entry_head, table_pointers
from torseur.machine.runtime.loop_kernel import LoopKernel
from torseur.machine.tree.entry_points import MEMORY, call_code, fill_with_zeros, item
from torseur.machine.tree.evaluator import is_pushed
from torseur.model.description import Mechanism

# The functions that make up the rate, each with its output: Q, then parts of ẏ.
_FORCES, _ACCELERATIONS, _RATES, _POWER = (
    ("moving_forces", "Q"),
    ("tree_forward_dynamics", "a"),
    ("rates", "q."),
    ("power", "work"),
)
Call = tuple[int, tuple[str, ...]]  # where constants begin, inputs and output


class TreeModel(Protocol):
    """The part of a compiled model that a rate needs."""

    mechanism: Mechanism

    @property
    def coordinates(self) -> tuple[str, ...]: ...
    @property
    def speeds(self) -> tuple[str, ...]: ...
    def kernel(self, name: str) -> tuple[Evaluator, Any]: ...


def tree_rate(model: TreeModel) -> Entry:
    """ẏ = (q̇, a, power of the forces without potential, 0), at the parameters of a model."""
    nq, nv, given = len(model.coordinates), len(model.speeds), len(model.mechanism.commanded)
    pushed, turning = is_pushed(model.mechanism), nq != nv
    used = [_FORCES] * pushed + [_ACCELERATIONS] + [_RATES] * turning + [_POWER] * pushed
    entries = [entry(*model.kernel(name)) for name, _ in used]
    parts = [np.array([x.address for x in entries]).view(float)]
    functions = [(k, name) for k, (name, _) in enumerate(used)]
    calls: list[Call] = []
    for part, (name, output) in zip(entries, used, strict=True):
        first = sum(map(len, parts))
        calls.append((first, (*(letter for letter, _ in model.kernel(name)[0].inputs), output)))
        functions += [(first + k, f"{name}.{called}") for k, called in part.functions]
        parts.append(part.constants)
    code, room = _code(nq, nv, given, tuple(calls)), nv + max(x.room for x in entries)
    owners, tables = (code, entries), tuple(y for x in entries for y in x.tables)
    return Entry(code.address, np.concatenate(parts), owners, room, tuple(functions), tables=tables)


@lru_cache(16)
def _code(nq: int, nv: int, given: int, calls: tuple[Call, ...]) -> LoopKernel:
    """The machine code that calls functions one after the other."""
    engine = jit.engine(jit.object_code(_rate(nq, nv, given, calls)))
    address = engine.get_function_address("rate")
    return LoopKernel(engine, address, address)


def _rate(nq: int, nv: int, given: int, calls: Sequence[Call]) -> str:
    """The IR of a function of the addresses [constants, y, t, output, room].

    The constants begin with the addresses of the functions; the room with the forces Q.
    """
    body = Instructions(1)
    constants, y, t, output, forces = table_pointers(body, 5)
    room = item(body, forces, nv)
    places = {
        "q": y,
        "v": item(body, y, nq),
        "t": t,
        "u": item(body, y, nq + nv + 1),
        "Q": forces,
        "q.": output,
        "a": item(body, output, nq),
        "work": item(body, output, nq + nv),
    }
    fill_with_zeros(body, forces, nv)
    fill_with_zeros(body, places["work"], 1 + given)  # no power unless there is, and what stays
    if nq == nv:
        copy = f"ptr {output}, ptr {places['v']}, i64 {8 * nv}, i1 false"
        body.lines.append(f"  call void @llvm.memcpy.p0.p0.i64({copy})")
    for k, (first, names) in enumerate(calls):
        place = item(body, constants, first)
        call_code(body, constants, k, [place, *(places[name] for name in names), room])
    body.lines.append("  ret void")
    return assembled([(entry_head("rate"), body)], MEMORY)
