"""Machine code as a built-in function of Python: no wrapper, no copy, no look-up.

A few entries serve all compiled functions: what differs from one function to another stands in an
array (see `Slot`). An entry has the signature of a METH_FASTCALL | METH_KEYWORDS function. Its
`self` is a tuple whose first item is that array and whose second is the careful Python function
that takes any other call: other shapes, other types, batches, keywords. It also takes over where a
function that solves for its result finds none that is finite, to say why.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import final

from torseur.equations.functions.closed_system import CLOSED, JUDGED, KEPT, SOLVED
from torseur.machine.llvm import object_fields
from torseur.machine.llvm.emit import Instructions, literal
from torseur.machine.llvm.module import assembled


class Slot(IntEnum):
    """Places of the array: addresses and counts, the last of them for each input."""

    CODE = 0  # a function of the addresses [constants, inputs …, output, room]
    CONSTANTS = 1
    ARRAY_TYPE = 2  # numpy.ndarray
    FLOAT_TYPE = 3  # numpy.dtype(float)
    NEW_ARRAY = 4  # PyArray_Empty
    NEW_FLOAT = 5  # PyFloat_FromDouble
    HOLD = 6  # Py_IncRef
    CALL = 7  # PyObject_Vectorcall
    RELEASE = 8  # Py_DecRef
    DIMENSIONS = 9  # of the result
    SHAPE = 10  # of the result: where its lengths are
    SIZE = 11  # how many numbers the result has
    INPUTS = 12  # how many there are
    ROOM = 13  # that the code works in
    LENGTHS = 14  # of the inputs: this slot and the next ones


MOST_INPUTS = 14
MOST_JUDGED = 256  # numbers of a judged result
_NOT_FINITE = 0x7FF << 52  # the exponent of infinities and of what is no number


def library() -> str:
    """The IR of the entries, each called after what it returns.

    `solved` returns an array of finite numbers, `judged` one that is right by what follows it.
    """
    entries = [
        _entry("number", 1, _return_number),
        _entry("array", 0, _return_array),
        _entry("solved", 0, _return_solved),
        _entry("judged", MOST_JUDGED + len(JUDGED), _return_judged),
    ]
    return assembled(entries)


@final
class _Call:
    """The instructions of an entry, with room for some numbers on the stack."""

    def __init__(self, room: int) -> None:
        self.body = body = Instructions(1)
        self.table = body.do(f"alloca i64, i32 {MOST_INPUTS + 3}")
        self.room = body.do(f"alloca double, i32 {room}") if room else ""
        self.careful = _field(body, "%self", object_fields.TUPLE_ITEMS + object_fields.POINTER)
        self._slots = _field(
            body, _field(body, "%self", object_fields.TUPLE_ITEMS), object_fields.ARRAY_DATA
        )

    def place(self, slot: Slot) -> str:
        """Where an entry of the array is."""
        return _place(self.body, self._slots, object_fields.POINTER * slot)

    def address(self, slot: Slot) -> str:
        """An address of the array."""
        return self.body.do(f"load ptr, ptr {self.place(slot)}")

    def count(self, slot: Slot) -> str:
        """A count of the array."""
        return self.body.do(f"load i64, ptr {self.place(slot)}")

    def put(self, k: str, pointer: str) -> None:
        """An address of the table with which the code is called."""
        place = _item(self.body, "i64", self.table, k)
        address = self.body.do(f"ptrtoint ptr {pointer} to i64")
        self.body.lines.append(f"  store i64 {address}, ptr {place}")

    def compute(self, output: str) -> None:
        """Call the code."""
        self.put(self.body.do("add i64 %count, 1"), output)
        self.put(self.body.do("add i64 %count, 2"), self.address(Slot.ROOM))
        table = self.body.do(f"ptrtoint ptr {self.table} to i64")
        self.body.lines.append(f"  call void {self.address(Slot.CODE)}(i64 {table})")


def _entry(name: str, room: int, returned: Callable[[_Call], None]) -> tuple[str, Instructions]:
    """An entry that reads the arguments, calls the code and returns a result of it."""
    call = _Call(room)
    body = call.body
    plain = body.do("icmp eq ptr %names, null")
    all_given = body.do(f"icmp eq i64 %count, {call.count(Slot.INPUTS)}")
    _branch(body, body.do(f"and i1 {plain}, {all_given}"), "start")
    _read_inputs(call)
    returned(call)
    body.lines.append("careful:")
    answer = f"{call.address(Slot.CALL)}(ptr {call.careful}, ptr %given, i64 %count, ptr %names)"
    body.lines.append(f"  ret ptr {body.do(f'call ptr {answer}')}")
    return f"define ptr @{name}(ptr %self, ptr %given, i64 %count, ptr %names)", body


def _read_inputs(call: _Call) -> None:
    """The data of each array that fits go into the table, after the constants."""
    body = call.body
    call.put("0", call.address(Slot.CONSTANTS))
    array_type, float_type = call.address(Slot.ARRAY_TYPE), call.address(Slot.FLOAT_TYPE)
    body.lines += [
        "  br label %inputs",
        "inputs:",
        "  %k = phi i64 [0, %start], [%next, %fits]",
        "  %all = icmp eq i64 %k, %count",
        "  br i1 %all, label %read, label %input",
        "input:",
    ]
    array = body.do(f"load ptr, ptr {_item(body, 'ptr', '%given', '%k')}")
    is_array = body.do(
        f"icmp eq ptr {_field(body, array, object_fields.OBJECT_TYPE)}, {array_type}"
    )
    _branch(body, is_array, "array")
    length = body.do(f"load i64, ptr {_item(body, 'i64', call.place(Slot.LENGTHS), '%k')}")
    _branch(body, _fits(body, array, float_type, length), "fits")
    body.lines.append("  %next = add i64 %k, 1")
    call.put("%next", _field(body, array, object_fields.ARRAY_DATA))
    body.lines += ["  br label %inputs", "read:"]


def _return_number(call: _Call) -> None:
    """A new number of Python."""
    call.compute(call.room)
    value = call.body.do(f"load double, ptr {call.room}")
    number = call.body.do(f"call ptr {call.address(Slot.NEW_FLOAT)}(double {value})")
    call.body.lines.append(f"  ret ptr {number}")


def _return_array(call: _Call) -> None:
    """A new array."""
    array = _new_array(call)
    call.compute(_field(call.body, array, object_fields.ARRAY_DATA))
    call.body.lines.append(f"  ret ptr {array}")


def _return_solved(call: _Call) -> None:
    """A new array, or the careful way where a number of it is not finite."""
    body, array = call.body, _new_array(call)
    data = _field(body, array, object_fields.ARRAY_DATA)
    call.compute(data)
    release = call.address(Slot.RELEASE)

    def require_finite(k: str) -> None:
        bits = body.do(f"load i64, ptr {_item(body, 'i64', data, k)}")
        exponent = body.do(f"and i64 {bits}, {_NOT_FINITE}")
        finite = body.do(f"icmp ne i64 {exponent}, {_NOT_FINITE}")
        body.lines += [f"  br i1 {finite}, label %finite, label %bad", "finite:"]

    _for_each(call, require_finite)
    body.lines += [f"  ret ptr {array}", "bad:", f"  call void {release}(ptr {array})"]
    body.lines.append("  br label %careful")


def _return_judged(call: _Call) -> None:
    """A new array for what is right, or the careful way where equations or loops are off."""
    body = call.body
    call.compute(call.room)
    size = call.count(Slot.SIZE)

    def number(k: str) -> str:
        return body.do(f"load double, ptr {_item(body, 'double', call.room, k)}")

    def within(x: str, limit: float, size: str) -> str:
        return body.do(f"fcmp ole double {x}, {body.do(f'fmul double {size}, {literal(limit)}')}")

    excess, scale, gap, opening = (
        number(body.do(f"add i64 {size}, {k}")) for k in range(len(JUDGED))
    )
    more = body.do(f"fadd double {scale}, 1.0")
    right = within(excess, SOLVED**2, scale)
    for other in (within(gap, CLOSED**2, "1.0"), within(opening, KEPT**2, more)):
        right = body.do(f"and i1 {right}, {other}")
    _branch(body, right, "right")
    array = _new_array(call)
    data = _field(body, array, object_fields.ARRAY_DATA)

    def copy(k: str) -> None:
        place = _item(body, "double", data, k)
        body.lines.append(f"  store double {number(k)}, ptr {place}")

    _for_each(call, copy)
    body.lines.append(f"  ret ptr {array}")


def _new_array(call: _Call) -> str:
    """A new array of the shape; nothing is left behind if memory is short."""
    body, float_type = call.body, call.address(Slot.FLOAT_TYPE)
    body.lines.append(f"  call void {call.address(Slot.HOLD)}(ptr {float_type})")
    dimensions = body.do(f"load i32, ptr {call.place(Slot.DIMENSIONS)}")
    array = body.do(
        f"call ptr {call.address(Slot.NEW_ARRAY)}(i32 {dimensions}, "
        f"ptr {call.address(Slot.SHAPE)}, ptr {float_type}, i32 0)"
    )
    missing = body.do(f"icmp eq ptr {array}, null")
    body.lines += [f"  br i1 {missing}, label %short, label %work", "short:", "  ret ptr null"]
    body.lines.append("work:")
    return array


def _for_each(call: _Call, do: Callable[[str], None]) -> None:
    """Instructions for every number of the result, after the block `work`."""
    body, size = call.body, call.count(Slot.SIZE)
    body.lines += [
        "  br label %numbers",
        "numbers:",
        "  %i = phi i64 [0, %work], [%following, %step]",
        f"  %end = icmp eq i64 %i, {size}",
        "  br i1 %end, label %done, label %number",
        "number:",
    ]
    do("%i")
    body.lines += [
        "  br label %step",
        "step:",
        "  %following = add i64 %i, 1",
        "  br label %numbers",
        "done:",
    ]


def _branch(body: Instructions, condition: str, following: str) -> None:
    """Go on, or take the careful way."""
    body.lines += [f"  br i1 {condition}, label %{following}, label %careful", f"{following}:"]


def _place(body: Instructions, pointer: str, offset: int) -> str:
    return body.do(f"getelementptr i8, ptr {pointer}, i64 {offset}")


def _item(body: Instructions, kind: str, pointer: str, k: str) -> str:
    return body.do(f"getelementptr {kind}, ptr {pointer}, i64 {k}")


def _field(body: Instructions, pointer: str, offset: int) -> str:
    return body.do(f"load ptr, ptr {_place(body, pointer, offset)}")


def _fits(body: Instructions, array: str, float_type: str, size: str) -> str:
    """One dimension, of the right length, contiguous, of floats.

    An array of no dimension has no lengths: they are then read from a field that exists, and the
    number of dimensions decides.
    """
    ndim = body.do(f"load i32, ptr {_place(body, array, object_fields.ARRAY_NDIM)}")
    fits = flat = body.do(f"icmp eq i32 {ndim}, 1")
    existing = _place(body, array, object_fields.ARRAY_SHAPE)
    expected = ((object_fields.ARRAY_SHAPE, size), (object_fields.ARRAY_STRIDES, "8"))
    for offset, number in expected:
        lengths = _field(body, array, offset)
        lengths = body.do(f"select i1 {flat}, ptr {lengths}, ptr {existing}")
        same = body.do(f"icmp eq i64 {body.do(f'load i64, ptr {lengths}')}, {number}")
        fits = body.do(f"and i1 {fits}, {same}")
    floats = body.do(f"icmp eq ptr {_field(body, array, object_fields.ARRAY_DTYPE)}, {float_type}")
    return body.do(f"and i1 {fits}, {floats}")
