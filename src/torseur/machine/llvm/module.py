"""The LLVM module of a kernel: constants, one state, and a batch of rows four at a time.

Every entry takes one pointer to an array of pointers, so that a call from Python costs one
argument: [constants, inputs …, output] for one state, [rows, constants, inputs …, output] for a
batch, [parameters, constants] for the constants. Arrays are contiguous and row-major.
"""

from collections.abc import Iterable, Sequence

from torseur.algebra.core.expr import PARAMETER, Expr
from torseur.algebra.core.graph import reachable
from torseur.equations.functions.kernel import Kernel
from torseur.machine.llvm.emit import Body
from torseur.machine.llvm.lookup import arrays, lookups
from torseur.machine.llvm.python_entry import python_entry
from torseur.machine.llvm.sincos import sincos

LANES = 4
_EVEN, _ODD = "<i32 0, i32 4, i32 2, i32 6>", "<i32 1, i32 5, i32 3, i32 7>"
_LOW, _HIGH = "<i32 0, i32 1, i32 4, i32 5>", "<i32 2, i32 3, i32 6, i32 7>"


def module_text(kernel: Kernel, parameters: tuple[str, ...]) -> str:
    """The IR of the entries `constants`, `single`, `batch` and `python`."""
    bodies = [
        _constants(kernel, parameters),
        single_entry(kernel),
        *_batch(kernel),
        python_entry(kernel),
    ]
    library = [line for width in (1, LANES) for line in sincos(width).splitlines()]
    known = [line for line in library if line.startswith("declare")]
    return assembled(bodies, known, [line for line in library if line not in known])


def assembled(
    bodies: Sequence[tuple[str, Body]], declared: Iterable[str], library: Iterable[str] = ()
) -> str:
    """The IR of functions, each given by its head and its body, after what they call."""
    tabulated = {name: f for _, body in bodies for name, f in body.tables.items()}
    tables = {f.table.digest: f.table for f in tabulated.values()}
    bodies = [*bodies, *lookups(tabulated)]
    used = set(declared).union(*(body.used for _, body in bodies))
    functions = (f"{head} {{\nentry:\n" + "\n".join(body.lines) + "\n}" for head, body in bodies)
    return "\n".join([*sorted(used), *arrays(tables.values()), *library, *functions]) + "\n"


def table_pointers(body: Body, table: str, count: int) -> list[str]:
    """The pointers of a table."""
    found = []
    for k in range(count):
        place = body.do(f"getelementptr ptr, ptr {table}, i64 {k}")
        found.append(body.do(f"load ptr, ptr {place}"))
    return found


def _element(body: Body, pointer: str, index: int | str) -> str:
    return body.do(f"getelementptr double, ptr {pointer}, i64 {index}")


def _load(body: Body, pointer: str, index: int) -> str:
    """One double, in every lane."""
    one = body.do(f"load double, ptr {_element(body, pointer, index)}")
    if body.width == 1:
        return one
    first = body.do(f"insertelement {body.type} undef, double {one}, i32 0")
    zeros = "zeroinitializer"
    return body.do(
        f"shufflevector {body.type} {first}, {body.type} undef, <{body.width} x i32> {zeros}"
    )


def _constants(kernel: Kernel, parameters: tuple[str, ...]) -> tuple[str, Body]:
    """constants ← parameters, once per parameter set."""
    body = Body(1)
    given, out = table_pointers(body, "%t", 2)
    nodes = reachable(kernel.constants)
    for x in nodes:
        if x.op == "symbol":
            body.bind(x, _load(body, given, parameters.index(x.name)))
    body.compute(nodes)
    for k, x in enumerate(kernel.constants):
        body.lines.append(f"  store double {body.value(x)}, ptr {_element(body, out, k)}")
    body.lines.append("  ret void")
    return "define void @constants(ptr noalias %t)", body


def single_entry(kernel: Kernel) -> tuple[str, Body]:
    """output ← inputs, for one state."""
    body = Body(1)
    pointers = table_pointers(body, "%t", len(kernel.inputs) + 2)
    body.lines.append(f"  call void @row({', '.join(f'ptr {p}' for p in pointers)})")
    body.lines.append("  ret void")
    return "define void @single(ptr noalias %t)", body


def _row_body(kernel: Kernel, body: Body, pointers: list[str]) -> None:
    needed = _needed(kernel)
    for pointer, (_, names) in zip(pointers[1:-1], kernel.inputs, strict=True):
        for k, name in enumerate(names):
            if name in needed:
                body.bind(needed[name], _load(body, pointer, k))
    _bind_constants(kernel, body, pointers[0])
    body.turn_together(_angles(kernel, body))
    body.compute(x for x in kernel.levels if x.stage != PARAMETER)
    for k, x in enumerate(kernel.outputs):
        place = _element(body, pointers[-1], k)
        body.lines.append(f"  store double {body.value(x)}, ptr {place}")


def _angles(kernel: Kernel, body: Body) -> list[Expr]:
    """The angles that are inputs or made of inputs by sums and products, computed."""
    turned = {x.args[0].key: x.args[0] for x in kernel.nodes if x.op in ("sin", "cos")}
    plain: set[int] = set()
    for x in kernel.nodes:
        simple = x.op in ("symbol", "number", "constant", "add", "mul")
        if x.stage == PARAMETER or (simple and all(a.key in plain for a in x.args)):
            plain.add(x.key)
    ready = [x for key, x in sorted(turned.items()) if key in plain and x.stage > PARAMETER]
    body.compute(x for x in reachable(ready) if x.stage != PARAMETER)
    return ready


def _needed(kernel: Kernel) -> dict:
    """The input symbols the outputs depend on."""
    return {x.name: x for x in kernel.nodes if x.op == "symbol" and x.stage > PARAMETER}


def _bind_constants(kernel: Kernel, body: Body, pointer: str) -> None:
    for k, x in enumerate(kernel.constants):
        body.bind(x, _load(body, pointer, k))


def _batch(kernel: Kernel) -> list[tuple[str, Body]]:
    """A loop over blocks of four rows, then over the rows that are left."""
    count = len(kernel.inputs) + 3
    loop = Body(LANES)
    pointers = table_pointers(loop, "%t", count)
    loop.lines += [
        f"  %rows = load i64, ptr {pointers[0]}",
        "  %blocks = and i64 %rows, -4",
        "  %some = icmp sgt i64 %blocks, 0",
        "  br i1 %some, label %four, label %rest",
        "four:",
        "  %i = phi i64 [0, %entry], [%next, %four]",
    ]
    sizes = [len(names) for _, names in kernel.inputs]
    _block(kernel, loop, pointers[1], pointers[2:-1], sizes, pointers[-1])
    loop.lines += [
        "  %next = add i64 %i, 4",
        "  %more = icmp slt i64 %next, %blocks",
        "  br i1 %more, label %four, label %rest",
        "rest:",
        "  %left = icmp slt i64 %blocks, %rows",
        "  br i1 %left, label %one, label %end",
        "one:",
        "  %j = phi i64 [%blocks, %rest], [%after, %one]",
    ]
    moved = [pointers[1]]
    for pointer, size in zip(pointers[2:], [*sizes, kernel.size], strict=True):
        moved.append(_element(loop, pointer, loop.do(f"mul i64 %j, {size}")))
    arguments = ", ".join(f"ptr {p}" for p in moved)
    loop.lines += [
        f"  call void @row({arguments})",
        "  %after = add i64 %j, 1",
        "  %again = icmp slt i64 %after, %rows",
        "  br i1 %again, label %one, label %end",
        "end:",
        "  ret void",
    ]
    row = Body(1)
    names = [f"%a{k}" for k in range(count - 1)]
    _row_body(kernel, row, names)
    row.lines.append("  ret void")
    listed = ", ".join(f"ptr noalias {name}" for name in names)
    return [
        (f"define internal void @row({listed})", row),
        ("define void @batch(ptr noalias %t)", loop),
    ]


def _block(
    kernel: Kernel,
    body: Body,
    constants: str,
    inputs: list[str],
    sizes: list[int],
    output: str,
) -> None:
    """Four rows at once."""
    needed = _needed(kernel)
    for pointer, (_, names), size in zip(inputs, kernel.inputs, sizes, strict=True):
        columns = _load_columns(body, pointer, size)
        for name, register in zip(names, columns, strict=True):
            if name in needed:
                body.bind(needed[name], register)
    _bind_constants(kernel, body, constants)
    body.compute(x for x in kernel.nodes if x.stage != PARAMETER)
    _store_columns(body, output, [body.value(x) for x in kernel.outputs])


def _rows(body: Body, pointer: str, size: int) -> list[str]:
    """Where each of the four rows begins."""
    first = body.do(f"mul i64 %i, {size}")
    start = _element(body, pointer, first)
    return [_element(body, start, lane * size) for lane in range(LANES)]


def _starts(size: int) -> list[int]:
    """Where blocks of four columns begin; the last one may overlap the one before."""
    starts = list(range(0, size - LANES + 1, LANES))
    return starts if size % LANES == 0 else [*starts, size - LANES]


def _transposed(body: Body, rows: list[str]) -> list[str]:
    """Four vectors of four, rows made columns."""
    T = body.type

    def shuffle(a: str, b: str, mask: str) -> str:
        return body.do(f"shufflevector {T} {a}, {T} {b}, <4 x i32> {mask}")

    even_low, odd_low = shuffle(rows[0], rows[1], _EVEN), shuffle(rows[0], rows[1], _ODD)
    even_high, odd_high = shuffle(rows[2], rows[3], _EVEN), shuffle(rows[2], rows[3], _ODD)
    return [
        shuffle(even_low, even_high, _LOW),
        shuffle(odd_low, odd_high, _LOW),
        shuffle(even_low, even_high, _HIGH),
        shuffle(odd_low, odd_high, _HIGH),
    ]


def _load_columns(body: Body, pointer: str, size: int) -> list[str]:
    """Column k of four rows in register k."""
    rows = _rows(body, pointer, size)
    columns = [""] * size
    if size >= LANES:
        for start in _starts(size):
            wide = [
                body.do(f"load {body.type}, ptr {_element(body, row, start)}, align 8")
                for row in rows
            ]
            columns[start : start + LANES] = _transposed(body, wide)
        return columns
    for k in range(size):
        column = "undef"
        for lane, row in enumerate(rows):
            one = body.do(f"load double, ptr {_element(body, row, k)}")
            column = body.do(f"insertelement {body.type} {column}, double {one}, i32 {lane}")
        columns[k] = column
    return columns


def _store_columns(body: Body, pointer: str, columns: list[str]) -> None:
    """Register k to column k of four rows."""
    rows = _rows(body, pointer, len(columns))
    if len(columns) >= LANES:
        for start in _starts(len(columns)):
            for row, wide in zip(
                rows, _transposed(body, columns[start : start + LANES]), strict=True
            ):
                place = _element(body, row, start)
                body.lines.append(f"  store {body.type} {wide}, ptr {place}, align 8")
        return
    for k, column in enumerate(columns):
        for lane, row in enumerate(rows):
            one = body.do(f"extractelement {body.type} {column}, i32 {lane}")
            body.lines.append(f"  store double {one}, ptr {_element(body, row, k)}")
