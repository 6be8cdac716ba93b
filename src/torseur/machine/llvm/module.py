"""The LLVM modules of a kernel: constants and one state, and rows as many at a time as lanes.

Every entry takes the address of an array of addresses, of 64 bits on every processor, so that a
call from Python costs one argument: [constants, inputs …, output, room] for one state,
[rows, constants, inputs …, output, room] for a batch, [parameters, constants] for the constants.
Where tables are looked up, the first constant is the address of their numbers, written by Python.
Straight-line code needs no room. Arrays are contiguous and row-major. The entry of lanes is called
like that of one state; every number of its arrays, constants too, is a vector.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from torseur.algebra.core.expr import PARAMETER, Expr
from torseur.algebra.core.graph import reachable
from torseur.algebra.core.tabulated import Table
from torseur.equations.functions.kernel import Kernel
from torseur.machine.llvm.callbacks import callbacks
from torseur.machine.llvm.emit import Instructions
from torseur.machine.llvm.lookup import lookups

# What does not fit into registers goes to the stack: there vectors may not cross lines of the
# cache, however deep the stack is on which a thread calls.
_ALIGNED = "alignstack(64)"
_Load = Callable[[Instructions, str, int], str]  # a body, an array, an index → a register


def module_text(kernel: Kernel, parameters: tuple[str, ...], *, vectors: bool = True) -> str:
    """The IR of the entries `constants` and `single`; without vectors, sines come one by one."""
    bodies = [_constants(kernel, parameters), _single(kernel, vectors)]
    return assembled(bodies, tables=tables_of(kernel))


def batch_text(kernel: Kernel, width: int) -> str:
    """The IR of the entry `batch`, which fewer ask for and which takes as long to compile."""
    return assembled([_batch(kernel, width)], tables=tables_of(kernel))


def lanes_text(kernel: Kernel, width: int) -> str:
    """The IR of the entry `lanes`: one state in each lane, with constants of its own."""
    return assembled([_lanes(kernel, width)], tables=tables_of(kernel))


def tables_of(kernel: Kernel) -> list[Table]:
    """The tables that a kernel looks up, in the order of their numbers."""
    used = (x.value.table for x in reachable(kernel.outputs) if x.op == "table")
    return [table for _, table in sorted({x.digest: x for x in used}.items())]


def assembled(
    bodies: Sequence[tuple[str, Instructions]],
    declared: Iterable[str] = (),
    tables: Sequence[Table] = (),
) -> str:
    """The IR of functions, each given by its head and its body, after what they call."""
    tabulated = {name: f for _, body in bodies for name, f in body.tables.items()}
    called = {name: f for _, body in bodies for name, f in body.called.items()}
    bodies = [*bodies, *lookups(tabulated, tables), *callbacks(called)]
    used = set(declared).union(*(body.used for _, body in bodies))
    functions = (f"{head} {{\nentry:\n" + "\n".join(body.lines) + "\n}" for head, body in bodies)
    return "\n".join([*sorted(used), *functions]) + "\n"


def entry_head(name: str) -> str:
    """The head of an entry, a function of the address of a table."""
    return f"define void @{name}(i64 %t)"


def table_pointers(body: Instructions, count: int) -> list[str]:
    """The pointers of the table of an entry."""
    table, pointers = body.do("inttoptr i64 %t to ptr"), []
    for k in range(count):
        place = body.do(f"getelementptr i64, ptr {table}, i64 {k}")
        pointers.append(body.do(f"inttoptr i64 {body.do(f'load i64, ptr {place}')} to ptr"))
    return pointers


def _element(body: Instructions, pointer: str, index: int | str) -> str:
    return body.do(f"getelementptr double, ptr {pointer}, i64 {index}")


def _load(body: Instructions, pointer: str, index: int) -> str:
    """One double, in every lane."""
    one = body.do(f"load double, ptr {_element(body, pointer, index)}")
    if body.width == 1:
        return one
    first = body.do(f"insertelement {body.type} undef, double {one}, i32 0")
    zeros = "zeroinitializer"
    return body.do(
        f"shufflevector {body.type} {first}, {body.type} undef, <{body.width} x i32> {zeros}"
    )


def _constants(kernel: Kernel, parameters: tuple[str, ...]) -> tuple[str, Instructions]:
    """constants ← parameters, once per parameter set."""
    body = Instructions(1)
    given, out = table_pointers(body, 2)
    nodes, first = reachable(kernel.constants), _bind_tables(kernel, body, out)
    for x in nodes:
        if x.op == "symbol":
            body.bind(x, _load(body, given, parameters.index(x.name)))
    body.compute(nodes)
    for k, x in enumerate(kernel.constants, first):
        body.lines.append(f"  store double {body.value(x)}, ptr {_element(body, out, k)}")
    body.lines.append("  ret void")
    return entry_head("constants"), body


def _angles(kernel: Kernel, body: Instructions) -> list[Expr]:
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


def _used_inputs(kernel: Kernel) -> dict[str, Expr]:
    """The input symbols the outputs depend on."""
    return {x.name: x for x in kernel.nodes if x.op == "symbol" and x.stage > PARAMETER}


def _bind_tables(kernel: Kernel, body: Instructions, constants: str) -> int:
    """Load the address of the numbers of tables; how many constants that takes."""
    if not tables_of(kernel):
        return 0
    body.numbers = body.do(f"inttoptr i64 {body.do(f'load i64, ptr {constants}')} to ptr")
    return 1


def _bind_constants(kernel: Kernel, body: Instructions, pointer: str, load: _Load) -> None:
    """Every constant is loaded where it is first used."""
    for k, x in enumerate(kernel.constants, _bind_tables(kernel, body, pointer)):
        body.bind_later(x, partial(load, body, pointer, k))


def _single(kernel: Kernel, vectors: bool) -> tuple[str, Instructions]:
    """output ← inputs, for one state."""
    body = Instructions(1)
    constants, *inputs, output = table_pointers(body, len(kernel.inputs) + 2)
    needed = _used_inputs(kernel)
    for pointer, (_, names) in zip(inputs, kernel.inputs, strict=True):
        for k, name in enumerate(names):
            if name in needed:
                body.bind(needed[name], _load(body, pointer, k))
    _bind_constants(kernel, body, constants, _load)
    (body.turn_together if vectors else body.turn)(_angles(kernel, body))
    body.compute(x for x in kernel.levels if x.stage != PARAMETER)
    for k, x in enumerate(kernel.outputs):
        place = _element(body, output, k)
        body.lines.append(f"  store double {body.value(x)}, ptr {place}")
    body.lines.append("  ret void")
    return entry_head("single"), body


def _lanes(kernel: Kernel, width: int) -> tuple[str, Instructions]:
    """output ← inputs, for the states in the lanes of vectors."""
    body = Instructions(width)
    constants, *inputs, output = table_pointers(body, len(kernel.inputs) + 2)
    needed = _used_inputs(kernel)
    for pointer, (_, names) in zip(inputs, kernel.inputs, strict=True):
        for k, name in enumerate(names):
            if name in needed:
                body.bind_later(needed[name], partial(_load_vector, body, pointer, k))
    _bind_constants(kernel, body, constants, _load_vector)
    body.turn(_angles(kernel, body))
    body.compute(x for x in kernel.nodes if x.stage != PARAMETER)
    for k, x in enumerate(kernel.outputs):
        place = _element(body, output, k * width)
        body.lines.append(f"  store {body.type} {body.value(x)}, ptr {place}, align 8")
    body.lines.append("  ret void")
    return f"{entry_head('lanes')} {_ALIGNED}", body


def _load_vector(body: Instructions, pointer: str, index: int) -> str:
    place = _element(body, pointer, index * body.width)
    return body.do(f"load {body.type}, ptr {place}, align 8")


def _batch(kernel: Kernel, width: int) -> tuple[str, Instructions]:
    """A loop over blocks of as many rows as lanes; beyond the end, the last row is repeated."""
    loop = Instructions(width)
    rows, constants, *inputs, output = table_pointers(loop, len(kernel.inputs) + 3)
    loop.lines += [
        f"  %rows = load i64, ptr {rows}",
        "  %last = sub i64 %rows, 1",
        "  %some = icmp sgt i64 %rows, 0",
        "  br i1 %some, label %block, label %end",
        "block:",
        "  %i = phi i64 [0, %entry], [%next, %block]",
    ]
    lanes = [loop.do(f"add i64 %i, {lane}") for lane in range(width)]
    numbers = [loop.do(f"call i64 @llvm.smin.i64(i64 {lane}, i64 %last)") for lane in lanes]
    _block(kernel, loop, constants, inputs, output, numbers)
    loop.lines += [
        f"  %next = add i64 %i, {width}",
        "  %more = icmp slt i64 %next, %rows",
        "  br i1 %more, label %block, label %end",
        "end:",
        "  ret void",
    ]
    loop.used.add("declare i64 @llvm.smin.i64(i64, i64)")
    return f"{entry_head('batch')} {_ALIGNED}", loop


def _block(
    kernel: Kernel,
    body: Instructions,
    constants: str,
    inputs: list[str],
    output: str,
    numbers: list[str],
) -> None:
    """Rows of the given numbers, as many at once as lanes."""
    needed = _used_inputs(kernel)
    for pointer, (_, names) in zip(inputs, kernel.inputs, strict=True):
        columns = _load_columns(body, _rows(body, pointer, len(names), numbers), len(names))
        for name, register in zip(names, columns, strict=True):
            if name in needed:
                body.bind(needed[name], register)
    _bind_constants(kernel, body, constants, _load)
    body.turn(_angles(kernel, body))
    body.compute(x for x in kernel.nodes if x.stage != PARAMETER)
    rows = _rows(body, output, kernel.size, numbers)
    _store_columns(body, rows, [body.value(x) for x in kernel.outputs])


def _rows(body: Instructions, pointer: str, size: int, numbers: list[str]) -> list[str]:
    """Where each of the rows begins."""
    return [_element(body, pointer, body.do(f"mul i64 {row}, {size}")) for row in numbers]


def _starts(size: int, width: int) -> list[int]:
    """Where blocks of as many columns as lanes begin; the last may overlap the one before."""
    starts = list(range(0, size - width + 1, width))
    return starts if size % width == 0 else [*starts, size - width]


def _transposed(body: Instructions, rows: list[str]) -> list[str]:
    """Rows as columns, in as many vectors as lanes: blocks of 1, 2, 4, … exchanged in turn."""
    T, width, vectors = body.type, body.width, list(rows)
    apart = 1
    while apart < width:
        low = [k if not k & apart else width + (k ^ apart) for k in range(width)]
        high = [k | apart if not k & apart else width + k for k in range(width)]
        for i in (i for i in range(width) if not i & apart):
            pair = vectors[i], vectors[i | apart]
            for place, mask in ((i, low), (i | apart, high)):
                listed = ", ".join(f"i32 {k}" for k in mask)
                vectors[place] = body.do(
                    f"shufflevector {T} {pair[0]}, {T} {pair[1]}, <{width} x i32> <{listed}>"
                )
        apart *= 2
    return vectors


def _load_columns(body: Instructions, rows: list[str], size: int) -> list[str]:
    """Column k of the rows in register k."""
    columns, width = [""] * size, body.width
    if size >= width:
        for start in _starts(size, width):
            wide = [
                body.do(f"load {body.type}, ptr {_element(body, row, start)}, align 8")
                for row in rows
            ]
            columns[start : start + width] = _transposed(body, wide)
        return columns
    for k in range(size):
        column = "undef"
        for lane, row in enumerate(rows):
            one = body.do(f"load double, ptr {_element(body, row, k)}")
            column = body.do(f"insertelement {body.type} {column}, double {one}, i32 {lane}")
        columns[k] = column
    return columns


def _store_columns(body: Instructions, rows: list[str], columns: list[str]) -> None:
    """Register k to column k of the rows."""
    width = body.width
    if len(columns) >= width:
        for start in _starts(len(columns), width):
            for row, wide in zip(
                rows, _transposed(body, columns[start : start + width]), strict=True
            ):
                place = _element(body, row, start)
                body.lines.append(f"  store {body.type} {wide}, ptr {place}, align 8")
        return
    for k, column in enumerate(columns):
        for lane, row in enumerate(rows):
            one = body.do(f"extractelement {body.type} {column}, i32 {lane}")
            body.lines.append(f"  store double {one}, ptr {_element(body, row, k)}")
