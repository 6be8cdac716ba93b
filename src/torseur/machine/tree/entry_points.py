"""The entry points of a loop kernel: those of every compiled function, with room to work in.

The room is taken from the heap for the length of a call, so that any number of threads may call.
"""

from torseur.equations.functions.kernel import Kernel
from torseur.machine.llvm.emit import Body
from torseur.machine.llvm.module import assembled, single_entry, table_pointers
from torseur.machine.llvm.python_entry import python_entry

MOST_INPUTS = 3
HEAP = ("declare ptr @malloc(i64)", "declare void @free(ptr)")


def entry_points(kernel: Kernel, loop: int, room: int) -> str:
    """The IR of `constants`, `single`, `batch` and `python`.

    `loop` is the address of the kernel, `room` the number of doubles it works in.
    """
    bodies = [
        nothing_once(),
        _row(kernel, loop, room),
        single_entry(kernel),
        _batch(kernel, loop, room),
        python_entry(kernel),
    ]
    return assembled(bodies, HEAP)


def nothing_once() -> tuple[str, Body]:
    """The model is made outside: nothing is computed once per parameter set here."""
    body = Body(1)
    body.lines.append("  ret void")
    return "define void @constants(ptr %t)", body


def _row(kernel: Kernel, loop: int, room: int) -> tuple[str, Body]:
    body = Body(1)
    model, *inputs, output = (f"%a{k}" for k in range(len(kernel.inputs) + 2))
    call_loop(body, loop, room, ["1", model, *inputs, output])
    body.lines.append("  ret void")
    listed = ", ".join(f"ptr {name}" for name in (model, *inputs, output))
    return f"define internal void @row({listed})", body


def _batch(kernel: Kernel, loop: int, room: int) -> tuple[str, Body]:
    body = Body(1)
    rows, *others = table_pointers(body, "%t", len(kernel.inputs) + 3)
    count = body.do(f"load i64, ptr {rows}")
    call_loop(body, loop, room, [count, *others])
    body.lines.append("  ret void")
    return "define void @batch(ptr noalias %t)", body


def call_loop(body: Body, loop: int, room: int, arguments: list[str]) -> None:
    """Count, model, inputs, output: the kernel takes its room after the model."""
    count, model, *inputs, output = arguments
    absent = ["null"] * (MOST_INPUTS - len(inputs))
    work = body.do(f"call ptr @malloc(i64 {8 * room})")
    listed = ", ".join(f"ptr {p}" for p in (model, work, *inputs, *absent, output))
    body.lines += [
        f"  call void inttoptr (i64 {loop} to ptr)(i64 {count}, {listed})",
        f"  call void @free(ptr {work})",
    ]
