"""Built-in functions of Python made from machine code."""

import ctypes
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, final

import numpy as np

from torseur.machine.llvm import jit, object_fields
from torseur.machine.llvm.python_entry import MOST_INPUTS, MOST_JUDGED, Slot

_FASTCALL_WITH_KEYWORDS = 0x0080 | 0x0002
NEW_ARRAY_INDEX = 184  # of PyArray_Empty in NumPy's table of functions, fixed by its interface


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("documentation", ctypes.c_char_p),
    )


@final
@dataclass(frozen=True)
class WritingCode:
    """Code that writes an array of a shape, of input arrays of some lengths."""

    address: int  # of a function of the addresses [constants, inputs …, output, room]
    constants: np.ndarray
    lengths: tuple[int, ...]
    shape: tuple[int, ...]
    room: np.ndarray  # that calls work in, one after the other

    def fits(self, entry: str) -> bool:
        """Whether an entry has room for it, and its calls cannot overlap where they share room."""
        few = entry != "judged" or math.prod(self.shape) <= MOST_JUDGED
        apart = not len(self.room) or getattr(sys, "_is_gil_enabled", lambda: True)()
        return few and apart and len(self.lengths) <= MOST_INPUTS


class CompiledCode(tuple[Any, ...]):
    """Memory that the code of a function points to; another process gets where to find it there.

    The code reads it as a tuple, of which the careful function is the second.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        home = self[1].home
        return type(home), (home.model,)


@cache
def _python_functions() -> dict[Slot, int]:
    """The addresses of the functions of Python and NumPy that the entry calls."""
    api = ctypes.pythonapi
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    opened = pointer(("PyCapsule_GetPointer", api))
    table = opened(import_module("numpy._core._multiarray_umath")._ARRAY_API, None)
    numpy_functions = (ctypes.c_void_p * (NEW_ARRAY_INDEX + 1)).from_address(table)
    named = {
        Slot.NEW_FLOAT: api.PyFloat_FromDouble,
        Slot.HOLD: api.Py_IncRef,
        Slot.RELEASE: api.Py_DecRef,
        Slot.CALL: api.PyObject_Vectorcall,
    }
    addresses = {slot: _address(function) for slot, function in named.items()}
    return addresses | {Slot.NEW_ARRAY: int(numpy_functions[NEW_ARRAY_INDEX] or 0)}


def _address(function: Any) -> int:
    value = ctypes.cast(function, ctypes.c_void_p).value
    assert value is not None, "a function of the interpreter has an address"
    return value


def builtin(
    entry: str, name: str, documentation: str, code: WritingCode, careful: Callable[..., Any]
) -> Callable[..., Any] | None:
    """Code behind an entry (see `python_entry`) as a built-in function.

    None where the entry has no room for it, and where objects are laid out otherwise.

    Everything its code points to is kept alive by its `__self__`, which Python asks for the
    function by its name when it is pickled.
    """
    if not object_fields.is_known() or not code.fits(entry):
        return None
    shape = np.array([*code.shape, 0], dtype=np.int64)
    table = np.zeros(Slot.LENGTHS + len(code.lengths), dtype=np.int64)
    slots = _python_functions() | {
        Slot.CODE: code.address,
        Slot.CONSTANTS: code.constants.ctypes.data,
        Slot.ARRAY_TYPE: id(np.ndarray),
        Slot.FLOAT_TYPE: id(np.dtype(float)),
        Slot.DIMENSIONS: len(code.shape),
        Slot.SHAPE: shape.ctypes.data,
        Slot.SIZE: math.prod(code.shape),
        Slot.INPUTS: len(code.lengths),
        Slot.ROOM: code.room.ctypes.data,
    }
    for slot, value in slots.items():
        table[slot] = value
    table[Slot.LENGTHS :] = code.lengths
    address = jit.python_entry(entry)
    method = _Method(name.encode(), address, _FASTCALL_WITH_KEYWORDS, documentation.encode())
    memory = CompiledCode((table, careful, code, shape, method))
    kinds = (ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    make = ctypes.PYFUNCTYPE(*kinds)(("PyCFunction_NewEx", ctypes.pythonapi))
    function: Callable[..., Any] = make(ctypes.addressof(method), memory, None)
    return function
