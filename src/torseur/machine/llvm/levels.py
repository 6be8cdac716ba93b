"""Levels of compiling: quick code at once, optimised code where it is called often.

Quick code takes about a fifth of the time to make and runs half as fast, with the same bits: every
operation rounds by itself. It counts its calls. After as many as make up for the optimiser, it has
itself compiled again and from there on passes calls to the optimised code.
"""

from __future__ import annotations

import ctypes
import struct
import threading
from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any, final
from weakref import WeakValueDictionary

from torseur.machine.llvm import jit

SHORT = 100  # lines of IR that the optimiser takes no longer for
# The optimiser takes 20 µs an instruction, quick code half a nanosecond more to run one.
CALLS = 40_000
_QUICK = 0
_LENGTH = struct.Struct("<q")
_NUMBERS = count(1)
Keep = Callable[[bytes], None]  # puts packed code in the place of what was found in the cache

# The cell: calls until the code is optimised, the number of its `_Warming`, the optimised code.
_COUNTED = """
@warmth = global [3 x i64] [i64 {calls}, i64 0, i64 0]
declare void @{entry}.quick(i64)
declare i64 @torseur_optimise(i64)
declare void @PyErr_SetInterrupt()
define void @{entry}(i64 %t) {{
entry:
  %place = getelementptr i64, ptr @warmth, i64 2
  %address = load i64, ptr %place
  %cold = icmp eq i64 %address, 0
  br i1 %cold, label %counted, label %optimised
optimised:
  %function = inttoptr i64 %address to ptr
  tail call void %function(i64 %t)
  ret void
counted:
  %before = load i64, ptr @warmth
  %left = sub i64 %before, 1
  store i64 %left, ptr @warmth
  %often = icmp eq i64 %left, 0
  br i1 %often, label %warm, label %quick
warm:
  %own = getelementptr i64, ptr @warmth, i64 1
  %number = load i64, ptr %own
  %code = call i64 @torseur_optimise(i64 %number)
  %interrupted = icmp ne i64 %code, 0
  br i1 %interrupted, label %again, label %quick
again:
  call void @PyErr_SetInterrupt()
  br label %quick
quick:
  tail call void @{entry}.quick(i64 %t)
  ret void
}}
"""


def packed(text: str, entry: str) -> bytes:
    """Machine code of IR text, with the bitcode by which its entry can be optimised later on."""
    lines = text.count("\n")
    if not SHORT < lines <= jit.LARGE:
        return pack(jit.object_code(text))
    module = jit.parsed(text)
    bitcode = bytes(module.as_bitcode())
    module.get_function(entry).name = f"{entry}.quick"
    module.link_in(jit.parsed(_COUNTED.format(entry=entry, calls=CALLS)))
    return pack(jit.object_of(module, _QUICK), bitcode)


def pack(code: bytes, bitcode: bytes = b"") -> bytes:
    """Object code that is optimised, or by its bitcode can be."""
    return _LENGTH.pack(len(code)) + code + bitcode


def optimised(bitcode: bytes) -> bytes:
    """Optimised machine code of bitcode."""
    return jit.object_of(jit.from_bitcode(bitcode), jit.OPTIMISED)


def engine(content: bytes, keep: Keep | None, entry: str) -> Any:
    """Packed code in memory, as long as the engine lives."""
    (length,) = _LENGTH.unpack_from(content)
    code, bitcode = content[_LENGTH.size :][:length], content[_LENGTH.size + length :]
    if not bitcode:
        return jit.engine(code)
    _make_known()
    holder = jit.engine(code)
    if not hasattr(holder, "warming"):  # code of another model may be the same
        holder.warming = _Warming(holder, entry, bitcode, keep)
    return holder


@final
class _Warming:
    """Quick code in memory, and what it takes to optimise it."""

    def __init__(self, quick: Any, entry: str, bitcode: bytes, keep: Keep | None) -> None:
        self._entry, self._bitcode, self._keep = entry, bitcode, keep
        self._cell = (ctypes.c_int64 * 3).from_address(quick.get_global_value_address("warmth"))
        self._lock = threading.Lock()
        self._engine: Any = None  # of the optimised code, kept alive
        self._cell[1] = number = next(_NUMBERS)
        _WARMING[number] = self

    def optimise(self) -> None:
        """Compile the code again, unless another thread does so now."""
        if not self._lock.acquire(blocking=False):
            return
        try:
            code = optimised(self._bitcode)
            self._engine = jit.engine(code)
            self._cell[2] = self._engine.get_function_address(self._entry)
            if self._keep is not None:
                self._keep(pack(code))
        except KeyboardInterrupt:
            self._lock.release()
            self._cell[0] = CALLS
            raise


_WARMING: WeakValueDictionary[int, _Warming] = WeakValueDictionary()  # by number


def _optimise(number: int) -> int:
    """Optimise the code of a number; 1 where the keyboard interrupted that, for the caller."""
    try:
        warming = _WARMING.get(number)
        if warming is not None:
            warming.optimise()
    except KeyboardInterrupt:
        return 1
    return 0


_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(_optimise)


@cache
def _make_known() -> None:
    """Tell the loader the two functions that quick code calls."""
    functions = {
        "torseur_optimise": _CALLBACK,
        "PyErr_SetInterrupt": ctypes.pythonapi.PyErr_SetInterrupt,
    }
    for name, function in functions.items():
        jit.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value or 0)
