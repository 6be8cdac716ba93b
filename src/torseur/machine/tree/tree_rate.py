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
from torseur.machine.llvm.emit import Body
from torseur.machine.llvm.module import assembled, table_pointers
from torseur.machine.runtime.loop_kernel import LoopKernel
from torseur.machine.tree.entry_points import call_code
from torseur.machine.tree.evaluator import is_pushed
from torseur.model.description import Mechanism

_CALLED = (
    "declare ptr @calloc(i64, i64)",
    "declare void @free(ptr)",
    "declare ptr @memcpy(ptr, ptr, i64)",
)
# The functions that make up the rate, each with its output: Q, then parts of ẏ.
_FORCES, _ACCELERATIONS, _RATES, _POWER = (
    ("moving_forces", "Q"),
    ("tree_forward_dynamics", "a"),
    ("rates", "q."),
    ("power", "work"),
)
Call = tuple[int, int, tuple[str, ...]]  # address, where constants begin, inputs and output


class TreeModel(Protocol):
    """What is asked of a compiled model."""

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
    calls: list[Call] = []
    constants, owners = np.zeros(0), []
    for name, output in used:
        own = entry(*model.kernel(name))
        letters = (letter for letter, _ in model.kernel(name)[0].inputs)
        calls.append((own.address, len(constants), (*letters, output)))
        constants = np.append(constants, own.constants)
        owners.append(own)
    code = _code(nq, nv, given, tuple(calls))
    return Entry(code.address, constants, (code, owners))


@lru_cache(16)
def _code(nq: int, nv: int, given: int, calls: tuple[Call, ...]) -> LoopKernel:
    """The machine code that calls functions one after the other."""
    engine = jit.engine(jit.object_code(_rate(nq, nv, given, calls)))
    return LoopKernel(engine, engine.get_function_address("rate"))


def _rate(nq: int, nv: int, given: int, calls: Sequence[Call]) -> str:
    """The IR of a function of the addresses [constants, y, t, output]."""
    body = Body(1)
    constants, y, t, output = table_pointers(body, "%t", 4)
    forces = body.do(f"call ptr @calloc(i64 {nv}, i64 8)")
    places = {
        "q": y,
        "v": body.do(f"getelementptr double, ptr {y}, i64 {nq}"),
        "t": t,
        "u": body.do(f"getelementptr double, ptr {y}, i64 {nq + nv + 1}"),
        "Q": forces,
        "q.": output,
        "a": body.do(f"getelementptr double, ptr {output}, i64 {nq}"),
        "work": body.do(f"getelementptr double, ptr {output}, i64 {nq + nv}"),
    }
    for k in range(1 + given):  # the power where there is none, and what stays
        place = body.do(f"getelementptr double, ptr {places['work']}, i64 {k}")
        body.lines.append(f"  store double 0.0, ptr {place}")
    if nq == nv:
        body.do(f"call ptr @memcpy(ptr {output}, ptr {places['v']}, i64 {8 * nv})")
    for address, first, names in calls:
        own = body.do(f"getelementptr double, ptr {constants}, i64 {first}")
        call_code(body, address, [own, *(places[name] for name in names)])
    body.lines += [f"  call void @free(ptr {forces})", "  ret void"]
    return assembled([("define void @rate(ptr %t)", body)], _CALLED)
