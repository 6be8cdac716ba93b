"""The entry points of a loop kernel: those of every compiled function, with room to work in.

The room is taken from the heap for the length of a call, so that any number of threads may call.
The forces of the description are straight code: inverse dynamics takes them from what the loop
gives, forward dynamics adds them to the Q it takes, and derivatives begin with theirs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import final

from torseur.equations.functions.kernel import Kernel
from torseur.machine.llvm.emit import Body
from torseur.machine.llvm.module import assembled, table_pointers

MOST_INPUTS = 3
_HEAP = (
    "declare ptr @malloc(i64)",
    "declare void @free(ptr)",
    "declare ptr @memset(ptr, i32, i64)",
)


class Use(Enum):
    """What becomes of a result that is straight code."""

    ADDED = auto()  # to the third input, before the loop
    TAKEN = auto()  # from the output, after the loop
    BEGUN_WITH = auto()  # it is in the output when the loop begins


@final
@dataclass(frozen=True)
class Forces:
    """Code that gives what is applied: its address, and where its constants begin."""

    address: int  # of a function of the addresses [constants, its inputs, output]
    constants: int  # doubles after the start of the model
    use: Use
    letters: tuple[str, ...]  # its inputs: q, v, perhaps t and u


def entry_points(
    kernel: Kernel, loop: int, room: int, forces: Sequence[Forces] = (), *, clears: bool = False
) -> str:
    """The IR of `constants`, `single` and `batch`.

    `loop` is the address of the kernel, `room` the number of doubles it works in; `clears` says
    that its output must be zero before.
    """
    bodies = [
        _nothing_once(),
        _row(kernel, loop, room, forces, clears=clears),
        _single(kernel),
        _batch(kernel),
    ]
    return assembled(bodies, _HEAP)


def _nothing_once() -> tuple[str, Body]:
    """The model is made outside: nothing is computed once per parameter set here."""
    body = Body(1)
    body.lines.append("  ret void")
    return "define void @constants(ptr %t)", body


def _row(
    kernel: Kernel, loop: int, room: int, forces: Sequence[Forces], *, clears: bool
) -> tuple[str, Body]:
    """One state, by the addresses of the model, the inputs and the output."""
    body = Body(1)
    names = [f"%a{k}" for k in range(len(kernel.inputs) + 2)]
    model, *given, output = names
    known = dict(zip((letter for letter, _ in kernel.inputs), given, strict=True))
    inputs, results = given[:MOST_INPUTS], []
    if clears:
        body.do(f"call ptr @memset(ptr {output}, i32 0, i64 {8 * math.prod(kernel.shape)})")
    for own in forces:
        n = len(kernel.inputs[MOST_INPUTS - 1][1])
        apart = own.use is not Use.BEGUN_WITH
        result = body.do(f"call ptr @malloc(i64 {8 * n})") if apart else output
        constants = body.do(f"getelementptr double, ptr {model}, i64 {own.constants}")
        call_code(body, own.address, [constants, *(known[x] for x in own.letters), result])
        if own.use is Use.ADDED:
            _combine(body, "fadd", inputs[-1], result, result, n)
            inputs[-1] = result
        results += [result] if apart else []
    _call_loop(body, loop, room, [model, *inputs, output])
    for own, result in zip(forces, results, strict=False):
        if own.use is Use.TAKEN:
            _combine(body, "fsub", output, result, output, math.prod(kernel.shape))
        body.lines.append(f"  call void @free(ptr {result})")
    body.lines.append("  ret void")
    return f"define internal void @row({', '.join(f'ptr {name}' for name in names)})", body


def _single(kernel: Kernel) -> tuple[str, Body]:
    """One state, by a table of addresses."""
    body = Body(1)
    pointers = table_pointers(body, "%t", len(kernel.inputs) + 2)
    body.lines.append(f"  call void @row({', '.join(f'ptr {p}' for p in pointers)})")
    body.lines.append("  ret void")
    return "define void @single(ptr noalias %t)", body


def call_code(body: Body, address: int, pointers: list[str]) -> None:
    """Code at an address is called with a table of pointers, which is on the stack."""
    table = body.do(f"alloca ptr, i64 {len(pointers)}")
    for k, pointer in enumerate(pointers):
        place = body.do(f"getelementptr ptr, ptr {table}, i64 {k}")
        body.lines.append(f"  store ptr {pointer}, ptr {place}")
    body.lines.append(f"  call void inttoptr (i64 {address} to ptr)(ptr {table})")


def _call_loop(body: Body, loop: int, room: int, arguments: list[str]) -> None:
    """Model, inputs, output: the kernel takes its room after the model."""
    model, *inputs, output = arguments
    absent = ["null"] * (MOST_INPUTS - len(inputs))
    work = body.do(f"call ptr @malloc(i64 {8 * room})")
    listed = ", ".join(f"ptr {p}" for p in (model, work, *inputs, *absent, output))
    body.lines += [
        f"  call void inttoptr (i64 {loop} to ptr)({listed})",
        f"  call void @free(ptr {work})",
    ]


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
