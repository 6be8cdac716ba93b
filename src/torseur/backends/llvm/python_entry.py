"""An entry that takes Python's own arrays: one pointer in, no look-up, no copy.

The pointer is that of a tuple (table, output, arguments): `table` an array that holds the addresses
of the constants, of NumPy's array type and of its float64 type; `output` a new array; `arguments`
the tuple of input arrays. The entry answers 0 when it did its work and 1 when an argument is not a
contiguous float array of the right length, which the caller then treats with more care.
"""

from torseur.backends.kernel import Kernel
from torseur.backends.llvm import layout
from torseur.backends.llvm.emit import Body


def python_entry(kernel: Kernel) -> tuple[str, Body]:
    """The IR of the entry `python`; it calls `@row`."""
    body = Body(1)
    table, output, arguments = (
        _field(body, "%t", layout.TUPLE_ITEMS + layout.POINTER * k) for k in range(3)
    )
    known = _field(body, table, layout.ARRAY_DATA)
    constants, array_type, float_type = (
        _field(body, known, layout.POINTER * k) for k in range(3)
    )
    count = _number(body, arguments, layout.TUPLE_SIZE)
    right = body.do(f"icmp eq i64 {count}, {len(kernel.inputs)}")
    body.lines += [f"  br i1 {right}, label %in0, label %no"]
    pointers = [constants]
    for k, (_, names) in enumerate(kernel.inputs):
        body.lines += [f"in{k}:"]
        given = _field(body, arguments, layout.TUPLE_ITEMS + layout.POINTER * k)
        is_array = body.do(f"icmp eq ptr {_field(body, given, layout.OBJECT_TYPE)}, {array_type}")
        body.lines += [f"  br i1 {is_array}, label %is{k}, label %no", f"is{k}:"]
        fits = _fits(body, given, float_type, len(names))
        following = f"in{k + 1}" if k + 1 < len(kernel.inputs) else "work"
        pointers.append(_field(body, given, layout.ARRAY_DATA))
        body.lines += [f"  br i1 {fits}, label %{following}, label %no"]
    body.lines += ["work:"]
    pointers.append(_field(body, output, layout.ARRAY_DATA))
    body.lines += [
        f"  call void @row({', '.join(f'ptr {p}' for p in pointers)})",
        "  ret i32 0",
        "no:",
        "  ret i32 1",
    ]
    return "define i32 @python(ptr %t)", body


def _place(body: Body, pointer: str, offset: int) -> str:
    return body.do(f"getelementptr i8, ptr {pointer}, i64 {offset}")


def _field(body: Body, pointer: str, offset: int) -> str:
    return body.do(f"load ptr, ptr {_place(body, pointer, offset)}")


def _number(body: Body, pointer: str, offset: int) -> str:
    return body.do(f"load i64, ptr {_place(body, pointer, offset)}")


def _fits(body: Body, array: str, float_type: str, size: int) -> str:
    """One dimension, of the right length, contiguous, of floats.

    The length is read only through the pointer that an array of one dimension has: an array of no
    dimension is sorted out by a choice between the two, so that nothing is read from nowhere.
    """
    ndim = body.do(f"load i32, ptr {_place(body, array, layout.ARRAY_NDIM)}")
    flat = body.do(f"icmp eq i32 {ndim}, 1")
    held = _place(body, array, layout.ARRAY_SHAPE)
    shape = body.do(f"select i1 {flat}, ptr {_field(body, array, layout.ARRAY_SHAPE)}, ptr {held}")
    strides = body.do(
        f"select i1 {flat}, ptr {_field(body, array, layout.ARRAY_STRIDES)}, ptr {held}"
    )
    length = body.do(f"load i64, ptr {shape}")
    step = body.do(f"load i64, ptr {strides}")
    dtype = _field(body, array, layout.ARRAY_DTYPE)
    conditions = [
        body.do(f"icmp eq i64 {length}, {size}"),
        body.do(f"icmp eq i64 {step}, 8"),
        body.do(f"icmp eq ptr {dtype}, {float_type}"),
    ]
    fits = flat
    for condition in conditions:
        fits = body.do(f"and i1 {fits}, {condition}")
    return fits
