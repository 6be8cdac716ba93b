"""The entry points of a loop kernel with the forces of the description, which are straight code.

Inverse dynamics takes them from what the loop gives; forward dynamics adds them to the Q it takes.
"""

import math
from dataclasses import dataclass
from typing import final

from torseur.equations.functions.kernel import Kernel
from torseur.machine.llvm.emit import Body
from torseur.machine.llvm.module import assembled, single_entry, table_pointers
from torseur.machine.llvm.python_entry import python_entry
from torseur.machine.tree.entry_points import HEAP, call_loop, nothing_once


@final
@dataclass(frozen=True)
class Forces:
    """Code that gives what is applied: its address, and where its constants begin."""

    address: int  # of a function of the addresses [constants, q, v, (t), output]
    constants: int  # doubles after the start of the model
    added: bool  # to the last input, before the loop; else taken from its output


def forced_entry_points(kernel: Kernel, loop: int, room: int, forces: Forces) -> str:
    """The IR of `constants`, `single`, `batch` and `python`."""
    bodies = [
        nothing_once(),
        _row(kernel, loop, room, forces),
        single_entry(kernel),
        _batch(kernel),
        python_entry(kernel),
    ]
    return assembled(bodies, HEAP)


def _row(kernel: Kernel, loop: int, room: int, forces: Forces) -> tuple[str, Body]:
    body = Body(1)
    n = math.prod(kernel.shape)
    names = [f"%a{k}" for k in range(len(kernel.inputs) + 2)]
    model, q, v, given, *time, output = names
    pushed = body.do(f"call ptr @malloc(i64 {8 * n})")
    _apply(body, forces, [model, q, v, *time, pushed])
    if forces.added:
        _combine(body, "fadd", given, pushed, pushed, n)
    call_loop(body, loop, room, ["1", model, q, v, pushed if forces.added else given, output])
    if not forces.added:
        _combine(body, "fsub", output, pushed, output, n)
    body.lines += [f"  call void @free(ptr {pushed})", "  ret void"]
    return f"define internal void @row({', '.join(f'ptr {name}' for name in names)})", body


def _apply(body: Body, forces: Forces, pointers: list[str]) -> None:
    """The table of addresses on the stack, then the call."""
    model, *others = pointers
    constants = body.do(f"getelementptr double, ptr {model}, i64 {forces.constants}")
    table = body.do(f"alloca ptr, i64 {len(pointers)}")
    for k, pointer in enumerate((constants, *others)):
        place = body.do(f"getelementptr ptr, ptr {table}, i64 {k}")
        body.lines.append(f"  store ptr {pointer}, ptr {place}")
    body.lines.append(f"  call void inttoptr (i64 {forces.address} to ptr)(ptr {table})")


def _combine(body: Body, operation: str, first: str, second: str, result: str, n: int) -> None:
    """result ← first ± second, entry by entry."""
    body.lines += [
        "  br label %entries",
        "entries:",
        "  %k = phi i64 [0, %entry], [%following, %entries]",
    ]
    x, y = (
        body.do(f"load double, ptr {body.do(f'getelementptr double, ptr {p}, i64 %k')}")
        for p in (first, second)
    )
    place = body.do(f"getelementptr double, ptr {result}, i64 %k")
    body.lines += [
        f"  store double {body.do(f'{operation} double {x}, {y}')}, ptr {place}",
        "  %following = add i64 %k, 1",
        f"  %more = icmp slt i64 %following, {n}",
        "  br i1 %more, label %entries, label %combined",
        "combined:",
    ]


def _batch(kernel: Kernel) -> tuple[str, Body]:
    """One row after the other."""
    body = Body(1)
    rows, model, *others = table_pointers(body, "%t", len(kernel.inputs) + 3)
    body.lines += [
        f"  %rows = load i64, ptr {rows}",
        "  br label %row",
        "row:",
        "  %i = phi i64 [0, %entry], [%next, %row]",
    ]
    sizes = [*(len(names) for _, names in kernel.inputs), math.prod(kernel.shape)]
    moved = [model]
    for pointer, size in zip(others, sizes, strict=True):
        start = body.do(f"mul i64 %i, {size}")
        moved.append(body.do(f"getelementptr double, ptr {pointer}, i64 {start}"))
    body.lines += [
        f"  call void @row({', '.join(f'ptr {p}' for p in moved)})",
        "  %next = add i64 %i, 1",
        "  %more = icmp slt i64 %next, %rows",
        "  br i1 %more, label %row, label %end",
        "end:",
        "  ret void",
    ]
    return "define void @batch(ptr noalias %t)", body
