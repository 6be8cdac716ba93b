"""A kernel as a built-in function of Python: no wrapper, no copy, no look-up.

The entry has the signature of a METH_FASTCALL | METH_KEYWORDS function. Its `self` is a tuple whose
first item is an array of addresses (see `Slot`) and whose second is the careful Python function
that takes any other call: other shapes, other types, batches, keywords. It also takes over where a
function that solves for its result finds none that is finite, to say why.
"""

import math
from collections.abc import Callable
from enum import IntEnum

from torseur.equations.functions.kernel import Kernel
from torseur.machine.llvm import layout
from torseur.machine.llvm.emit import Body


class Slot(IntEnum):
    """What the array of addresses holds."""

    CONSTANTS = 0
    ARRAY_TYPE = 1  # numpy.ndarray
    FLOAT_TYPE = 2  # numpy.dtype(float)
    SHAPE = 3  # of the output
    NEW_ARRAY = 4  # PyArray_Empty
    NEW_FLOAT = 5  # PyFloat_FromDouble
    HOLD = 6  # Py_IncRef
    CALL = 7  # PyObject_Vectorcall
    RELEASE = 8  # Py_DecRef


_MANY = 256  # numbers whose code would take long to compile, were it not a loop
Slots = Callable[[Slot], str]  # the register that holds an address
Returned = Callable[[Body, Kernel, list[str], Slots], None]


def python_entry(kernel: Kernel) -> tuple[str, Body]:
    """The IR of the entry `python`; it calls `@row`."""
    returned = _return_array if kernel.shape else _return_number
    return _entry("python", kernel, returned)


def judged_entry(kernel: Kernel) -> tuple[str, Body]:
    """The IR of the entry `judged`, whose result has no numbers to be judged by: it is right."""
    return _entry("judged", kernel, _return_judged)


def _entry(name: str, kernel: Kernel, returned: Returned) -> tuple[str, Body]:
    """An entry that reads the arguments, computes `@row` and returns a result of it."""
    body = Body(1)
    table = _field(body, "%self", layout.TUPLE_ITEMS)
    careful = _field(body, "%self", layout.TUPLE_ITEMS + layout.POINTER)
    addresses = _field(body, table, layout.ARRAY_DATA)

    def slot(which: Slot) -> str:
        return _field(body, addresses, layout.POINTER * which)

    pointers = [slot(Slot.CONSTANTS)]
    array_type, float_type = slot(Slot.ARRAY_TYPE), slot(Slot.FLOAT_TYPE)
    plain = body.do("icmp eq ptr %names, null")
    count = body.do(f"icmp eq i64 %count, {len(kernel.inputs)}")
    _branch(body, body.do(f"and i1 {plain}, {count}"), "in0")
    for k, (_, names) in enumerate(kernel.inputs):
        given = _field(body, "%given", layout.POINTER * k)
        is_array = body.do(f"icmp eq ptr {_field(body, given, layout.OBJECT_TYPE)}, {array_type}")
        _branch(body, is_array, f"is{k}")
        fits = _fits(body, given, float_type, len(names))
        pointers.append(_field(body, given, layout.ARRAY_DATA))
        _branch(body, fits, f"in{k + 1}")
    returned(body, kernel, pointers, slot)
    body.lines.append("careful:")
    call = slot(Slot.CALL)
    answer = body.do(f"call ptr {call}(ptr {careful}, ptr %given, i64 %count, ptr %names)")
    body.lines.append(f"  ret ptr {answer}")
    return f"define ptr @{name}(ptr %self, ptr %given, i64 %count, ptr %names)", body


def _return_array(body: Body, kernel: Kernel, pointers: list[str], slot: Slots) -> None:
    """A new array for the output, or the careful way where a result is not finite."""
    made = _new_array(body, len(kernel.shape), slot)
    data = _field(body, made, layout.ARRAY_DATA)
    body.lines.append(f"  call void @row({', '.join(f'ptr {p}' for p in (*pointers, data))})")
    if kernel.solves and kernel.shape[0]:
        finite = _is_finite(body, data, math.prod(kernel.shape))
        body.lines += [f"  br i1 {finite}, label %good, label %bad", "bad:"]
        body.lines.append(f"  call void {slot(Slot.RELEASE)}(ptr {made})")
        body.lines += ["  br label %careful", "good:"]
    body.lines.append(f"  ret ptr {made}")


def _return_judged(body: Body, kernel: Kernel, pointers: list[str], slot: Slots) -> None:
    """A new array for what is right, or the careful way where equations or loops are off."""
    found = body.do(f"alloca double, i32 {kernel.size}")
    body.lines.append(f"  call void @row({', '.join(f'ptr {p}' for p in (*pointers, found))})")
    first = kernel.size - 4

    def number(k: int) -> str:
        return body.do(f"load double, ptr {_place(body, found, 8 * k)}")

    def within(x: str, limit: float, size: str) -> str:
        return body.do(f"fcmp ole double {x}, {body.do(f'fmul double {size}, {limit:e}')}")

    excess, size, gap, opening = (number(first + k) for k in range(4))
    solved, closed, kept = kernel.limits
    more = body.do(f"fadd double {size}, 1.0")
    right = within(excess, solved, size)
    for one in (within(gap, closed, "1.0"), within(opening, kept, more)):
        right = body.do(f"and i1 {right}, {one}")
    _branch(body, right, "right")
    made = _new_array(body, 1, slot)
    data = _field(body, made, layout.ARRAY_DATA)
    for k in range(first):
        body.lines.append(f"  store double {number(k)}, ptr {_place(body, data, 8 * k)}")
    body.lines.append(f"  ret ptr {made}")


def _new_array(body: Body, dimensions: int, slot: Slots) -> str:
    """A new array of the shape; nothing is left behind if memory is short."""
    float_type = slot(Slot.FLOAT_TYPE)
    body.lines.append(f"  call void {slot(Slot.HOLD)}(ptr {float_type})")
    made = body.do(
        f"call ptr {slot(Slot.NEW_ARRAY)}(i32 {dimensions}, ptr {slot(Slot.SHAPE)}, "
        f"ptr {float_type}, i32 0)"
    )
    missing = body.do(f"icmp eq ptr {made}, null")
    body.lines += [f"  br i1 {missing}, label %short, label %work", "short:", "  ret ptr null"]
    body.lines.append("work:")
    return made


def _is_finite(body: Body, data: str, size: int) -> str:
    """Whether the sum of all x − x is zero, in four sums that do not wait for one another.

    Numbers are loaded one by one, as they were stored: wider loads would wait for the stores.
    """
    sums, first = ["0.0"] * min(size, 4), 0
    if size > _MANY:
        sums, first = _sums_of_many(body, data, size // 4 * 4), size // 4 * 4
    for k in range(first, size):
        sums[k % 4] = _with_difference(body, sums[k % 4], data, str(k))
    while len(sums) > 1:
        sums = [*sums[2:], body.do(f"fadd double {sums[0]}, {sums[1]}")]
    return body.do(f"fcmp oeq double {sums[0]}, 0.0")


def _sums_of_many(body: Body, data: str, size: int) -> list[str]:
    """The four sums by a loop, after the block `work`; the size is a multiple of four."""
    sums = [f"%sum{n}" for n in range(4)]
    body.lines += ["  br label %sums", "sums:", "  %k = phi i64 [0, %work], [%next, %sums]"]
    for x in sums:
        body.lines.append(f"  {x} = phi double [0.0, %work], [{x}.next, %sums]")
    for n, x in enumerate(sums):
        place = body.do(f"add i64 %k, {n}")
        found = _with_difference(body, x, data, place)
        body.lines.append(f"  {x}.next = fadd double {found}, 0.0")
    body.lines += [
        "  %next = add i64 %k, 4",
        f"  %more = icmp slt i64 %next, {size}",
        "  br i1 %more, label %sums, label %summed",
        "summed:",
    ]
    return [f"{x}.next" for x in sums]


def _with_difference(body: Body, total: str, data: str, k: str) -> str:
    """A sum and x − x, for entry k of the data."""
    place = body.do(f"getelementptr double, ptr {data}, i64 {k}")
    x = body.do(f"load double, ptr {place}")
    return body.do(f"fadd double {total}, {body.do(f'fsub double {x}, {x}')}")


def _return_number(body: Body, _: Kernel, pointers: list[str], slot: Slots) -> None:
    """A new number of Python."""
    place = body.do("alloca double")
    pointers = [*pointers, place]
    body.lines.append(f"  call void @row({', '.join(f'ptr {p}' for p in pointers)})")
    value = body.do(f"load double, ptr {place}")
    body.lines.append(f"  ret ptr {body.do(f'call ptr {slot(Slot.NEW_FLOAT)}(double {value})')}")


def _branch(body: Body, condition: str, following: str) -> None:
    """Go on, or take the careful way."""
    body.lines += [f"  br i1 {condition}, label %{following}, label %careful", f"{following}:"]


def _place(body: Body, pointer: str, offset: int) -> str:
    return body.do(f"getelementptr i8, ptr {pointer}, i64 {offset}")


def _field(body: Body, pointer: str, offset: int) -> str:
    return body.do(f"load ptr, ptr {_place(body, pointer, offset)}")


def _fits(body: Body, array: str, float_type: str, size: int) -> str:
    """One dimension, of the right length, contiguous, of floats.

    An array of no dimension has no lengths: they are then read from a field that exists, and the
    number of dimensions decides.
    """
    ndim = body.do(f"load i32, ptr {_place(body, array, layout.ARRAY_NDIM)}")
    fits = flat = body.do(f"icmp eq i32 {ndim}, 1")
    existing = _place(body, array, layout.ARRAY_SHAPE)
    expected = ((layout.ARRAY_SHAPE, size), (layout.ARRAY_STRIDES, 8))
    for offset, number in expected:
        lengths = _field(body, array, offset)
        lengths = body.do(f"select i1 {flat}, ptr {lengths}, ptr {existing}")
        same = body.do(f"icmp eq i64 {body.do(f'load i64, ptr {lengths}')}, {number}")
        fits = body.do(f"and i1 {fits}, {same}")
    floats = body.do(f"icmp eq ptr {_field(body, array, layout.ARRAY_DTYPE)}, {float_type}")
    return body.do(f"and i1 {fits}, {floats}")
