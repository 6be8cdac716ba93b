"""A compiled loop that calls a function of one state for each row of arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache

import llvmlite.binding as llvm
import numpy as np

Array = np.ndarray

# The function takes a table of addresses; those that move are advanced by one row after each call.
_TEXT = """
define void @rows(ptr %function, ptr %table, ptr %steps, i64 %columns, i64 %count) {
entry:
  br label %row
row:
  %i = phi i64 [0, %entry], [%next, %moved]
  call void %function(ptr %table)
  br label %column
column:
  %k = phi i64 [0, %row], [%after, %column]
  %place = getelementptr i64, ptr %table, i64 %k
  %step = getelementptr i64, ptr %steps, i64 %k
  %address = load i64, ptr %place
  %size = load i64, ptr %step
  %further = add i64 %address, %size
  store i64 %further, ptr %place
  %after = add i64 %k, 1
  %some = icmp slt i64 %after, %columns
  br i1 %some, label %column, label %moved
moved:
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %row, label %end
end:
  ret void
}
"""


@cache
def _rows() -> tuple[object, Callable[..., None]]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(_TEXT), machine)
    engine.finalize_object()
    kinds = [ctypes.c_void_p] * 3 + [ctypes.c_int64] * 2
    return engine, ctypes.CFUNCTYPE(None, *kinds)(engine.get_function_address("rows"))


def table_loop(address: int) -> Callable[[int, Sequence[Array], Sequence[Array]], None]:
    """A function of (rows, arrays that stay, arrays of rows): calls `address` for each row."""
    _, rows = _rows()

    def run(count: int, still: Sequence[Array], moving: Sequence[Array]) -> None:
        table = np.array([x.ctypes.data for x in (*still, *moving)], dtype=np.int64)
        steps = np.array([0] * len(still) + [x[0].nbytes for x in moving], dtype=np.int64)
        rows(address, table.ctypes.data, steps.ctypes.data, len(table), count)

    return run
