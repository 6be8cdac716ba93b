"""Machine code of the loop kernels: emitted from their bitcode once, then found in the cache."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from typing import Any, final

from torseur.machine.llvm import cache as store
from torseur.machine.llvm import jit
from torseur.machine.runtime import bitcode
from torseur.machine.runtime.memory import Record
from torseur.machine.runtime.wasm_kernels import AS_FUNCTION, HELPER, kernel_module
from torseur.machine.wasm import pyodide


@final
@dataclass(frozen=True)
class LoopKernel:
    """A kernel in memory."""

    engine: Any  # kept alive as long as its code is used
    address: int  # as a function of a table, whose code nobody reads
    moving: int  # as what moves a record, and tells a code


def loop_kernel(module: str, name: str, lanes: int = 1) -> LoopKernel:
    """The machine code of the function `name` of a module; it serves every mechanism."""
    return _load(module, name, lanes, *(() if pyodide.RUNS_HERE else jit.target()))


@cache
def _load(module: str, name: str, lanes: int, *processor: str) -> LoopKernel:
    engine: Any
    if pyodide.RUNS_HERE:
        engine = pyodide.library(kernel_module(module, name, lanes))
    else:
        key = store.key("kernel", name, str(lanes), *processor, modules=(module,))
        code = store.read_or_make(key, lambda: jit.emitted(bitcode.bitcode(module, name, lanes)))
        engine = jit.engine(code)
    address = moving = engine.get_function_address(bitcode.ENTRY)
    if pyodide.RUNS_HERE and name != HELPER:
        address = engine.get_function_address(AS_FUNCTION)
    _SOURCES[moving] = _SOURCES[address] = KernelSource(module, name, lanes)
    return LoopKernel(engine, address, moving)


@final
@dataclass(frozen=True)
class KernelSource:
    """Text that a kernel is made of: a function of a module, for a number of lanes."""

    module: str
    name: str
    lanes: int


_SOURCES: dict[int, KernelSource] = {}  # by address: a kernel stays in memory


def source_at(address: int) -> KernelSource | None:
    """The source of the kernel at an address; None: there is none."""
    return _SOURCES.get(address)


# --- a motion in memory ---------------------------------------------------------------------------


_MOVES = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)


@final
class KernelMotion:
    """A record that one kernel moves; the record has a field `budget`."""

    def __init__(self, record: Record, kernel: LoopKernel) -> None:
        self.record, self.kernel = record, kernel
        self._words, self._budget = record.words, record.layout.words["budget"]
        self._place = record.address
        self._move = _MOVES(kernel.moving)

    def advance(self, budget: int) -> int:
        """Make so many steps at most; the code says why no more were made."""
        self._words[self._budget] = budget  # quicker than the field
        code: int = self._move(self._place)
        return code
