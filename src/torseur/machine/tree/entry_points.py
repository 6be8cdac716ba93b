"""Entry points of a loop kernel, called as those of every compiled function.

The caller gives room to work in, after the output, so that any number of threads may call. The
constants begin with the addresses of the functions that are called: the loop, then the code of the
forces. Forces of the description are straight code: inverse dynamics subtracts them from the result
of the loop, forward dynamics adds them to its input Q, and derivatives begin with theirs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import final

from torseur.equations.functions.kernel import Kernel
from torseur.machine.llvm.emit import Instructions
from torseur.machine.llvm.module import assembled, entry_head, table_pointers

MOST_INPUTS = 3
MEMORY = (
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
)


class Use(Enum):
    """Ways to use a result of straight code."""

    ADDED = auto()  # to the third input, before the loop
    TAKEN = auto()  # from the output, after the loop
    BEGUN_WITH = auto()  # it is in the output when the loop begins


@final
@dataclass(frozen=True)
class Forces:
    """Code that gives what is applied, at the address that follows those before it."""

    constants: int  # numbers before its own, the addresses of functions included
    use: Use
    letters: tuple[str, ...]  # its inputs: q, v, perhaps t and u


def entry_points(kernel: Kernel, forces: Sequence[Forces] = (), *, clears: bool = False) -> str:
    """The IR of `constants`, `single` and `batch`.

    The room holds the results of the forces, `forces_room` numbers, then that of the loop. `clears`
    sets the output of the loop to zero first.
    """
    row = _row(kernel, forces, clears=clears)
    return assembled([_no_constants(), row, _single(kernel), _batch(kernel)], MEMORY)


def forces_room(kernel: Kernel, forces: Sequence[Forces]) -> int:
    """Numbers that the results of forces take."""
    apart = [x for x in forces if x.use is not Use.BEGUN_WITH]
    return len(apart) * len(kernel.inputs[MOST_INPUTS - 1][1]) if apart else 0


def _no_constants() -> tuple[str, Instructions]:
    """The model is made outside: nothing is computed once per parameter set."""
    body = Instructions(1)
    body.lines.append("  ret void")
    return entry_head("constants"), body


def _row(kernel: Kernel, forces: Sequence[Forces], *, clears: bool) -> tuple[str, Instructions]:
    """One state, by the addresses of the constants, the inputs, the output and the room."""
    body = Instructions(1)
    names = [f"%a{k}" for k in range(len(kernel.inputs) + 3)]
    constants, *given, output, room = names
    known = dict(zip((letter for letter, _ in kernel.inputs), given, strict=True))
    inputs, subtracted = given[:MOST_INPUTS], []
    n = len(kernel.inputs[MOST_INPUTS - 1][1]) if forces else 0
    if clears:
        fill_with_zeros(body, output, math.prod(kernel.shape))
    for k, force in enumerate(forces):
        apart = force.use is not Use.BEGUN_WITH
        result, room = (room, item(body, room, n)) if apart else (output, room)
        first = item(body, constants, force.constants)
        call_code(body, constants, 1 + k, [first, *(known[x] for x in force.letters), result])
        if force.use is Use.ADDED:
            _combine(body, "fadd", inputs[-1], result, result, n)
            inputs[-1] = result
        subtracted += [result] if force.use is Use.TAKEN else []
    absent = ["null"] * (MOST_INPUTS - len(inputs))
    model = item(body, constants, 1 + len(forces))
    call_code(body, constants, 0, [model, room, *inputs, *absent, output])
    for result in subtracted:
        _combine(body, "fsub", output, result, output, math.prod(kernel.shape))
    body.lines.append("  ret void")
    return f"define internal void @row({', '.join(f'ptr {name}' for name in names)})", body


def _single(kernel: Kernel) -> tuple[str, Instructions]:
    """One state, by a table of addresses."""
    body = Instructions(1)
    pointers = table_pointers(body, len(kernel.inputs) + 3)
    body.lines.append(f"  call void @row({', '.join(f'ptr {p}' for p in pointers)})")
    body.lines.append("  ret void")
    return entry_head("single"), body


def item(body: Instructions, numbers: str, k: int) -> str:
    """The place of a number."""
    return body.do(f"getelementptr double, ptr {numbers}, i64 {k}")


def fill_with_zeros(body: Instructions, numbers: str, count: int) -> None:
    """Set numbers to zero."""
    call = f"@llvm.memset.p0.i64(ptr {numbers}, i8 0, i64 {8 * count}, i1 false)"
    body.lines.append(f"  call void {call}")


def call_code(body: Instructions, functions: str, k: int, pointers: list[str]) -> None:
    """Call function k of a list of addresses with a table of pointers, which is on the stack."""
    table = body.do(f"alloca i64, i64 {len(pointers)}")
    for n, pointer in enumerate(pointers):
        place = body.do(f"getelementptr i64, ptr {table}, i64 {n}")
        address = body.do(f"ptrtoint ptr {pointer} to i64")
        body.lines.append(f"  store i64 {address}, ptr {place}")
    place = body.do(f"getelementptr i64, ptr {functions}, i64 {k}")
    function = body.do(f"inttoptr i64 {body.do(f'load i64, ptr {place}')} to ptr")
    body.lines.append(f"  call void {function}(i64 {body.do(f'ptrtoint ptr {table} to i64')})")


def _combine(
    body: Instructions, operation: str, first: str, second: str, result: str, n: int
) -> None:
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


def _batch(kernel: Kernel) -> tuple[str, Instructions]:
    """One row after the other."""
    body = Instructions(1)
    rows, constants, *others, room = table_pointers(body, len(kernel.inputs) + 4)
    body.lines += [
        f"  %rows = load i64, ptr {rows}",
        "  br label %row",
        "row:",
        "  %i = phi i64 [0, %entry], [%next, %row]",
    ]
    sizes = [*(len(names) for _, names in kernel.inputs), math.prod(kernel.shape)]
    pointers = [constants]
    for pointer, size in zip(others, sizes, strict=True):
        start = body.do(f"mul i64 %i, {size}")
        pointers.append(body.do(f"getelementptr double, ptr {pointer}, i64 {start}"))
    body.lines += [
        f"  call void @row({', '.join(f'ptr {p}' for p in (*pointers, room))})",
        "  %next = add i64 %i, 1",
        "  %more = icmp slt i64 %next, %rows",
        "  br i1 %more, label %row, label %end",
        "end:",
        "  ret void",
    ]
    return entry_head("batch"), body
