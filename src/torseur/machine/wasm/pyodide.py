"""Code in the process of Pyodide, whose machine is WebAssembly: modules as shared libraries.

Memory and the table of functions are those of Python itself: arrays are read where they stand, and
the address of a function is its index in the table.
"""

from __future__ import annotations

import ctypes
import sys
import tempfile
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, final

from torseur.machine.wasm.binary import imported
from torseur.machine.wasm.elementary import SYMBOLS, elementary_module

RUNS_HERE = sys.platform == "emscripten"
_ENTRY: Any = ctypes.CFUNCTYPE(None, ctypes.c_int64)
_WORD = 8  # bytes
_KEPT = 256  # modules that stay in memory for the next model that needs the same


@final
@dataclass(frozen=True)
class Library:
    """A module in memory."""

    loaded: Any

    def get_function_address(self, name: str) -> int:
        """The index of a function in the table."""
        return int(ctypes.cast(getattr(self.loaded, name), ctypes.c_void_p).value or 0)


@lru_cache(maxsize=_KEPT)
def library(code: bytes) -> Library:
    """A module in memory, with the elementary functions that it calls."""
    for name in imported(code):
        _elementary(SYMBOLS[name])
    return Library(_loaded(code, ctypes.RTLD_LOCAL))


@cache
def _elementary(name: str) -> Any:
    """An elementary function, which modules that are loaded later find by its symbol."""
    return _loaded(elementary_module(name), ctypes.RTLD_GLOBAL)


def _loaded(code: bytes, mode: int) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "code.so"
        path.write_bytes(code)
        return ctypes.CDLL(str(path), mode=mode)


@final
@dataclass(frozen=True)
class Linked:
    """Entry points of a function of a mechanism, as ctypes functions of one address."""

    library: Library
    constants: Any
    single: Any
    addresses: dict[str, int]
    steps: tuple[int, ...]  # bytes from row to row of constants, inputs, output and room

    @staticmethod
    def of(code: bytes, inputs: tuple[int, ...], outputs: int) -> Linked:
        """The entry points in a module, with the numbers of inputs and outputs."""
        loaded = library(code)
        addresses = {x: loaded.get_function_address(x) for x in ("constants", "single")}
        constants, single = (_ENTRY(x) for x in addresses.values())
        steps = 0, *(_WORD * x for x in (*inputs, outputs)), 0
        return Linked(loaded, constants, single, addresses, steps)

    def batch(self, table: int) -> None:
        """output ← inputs, row by row."""
        first, *places = (ctypes.c_int64 * (len(self.steps) + 1)).from_address(table)
        row = (ctypes.c_int64 * len(self.steps))(*places)
        for _ in range(ctypes.c_int64.from_address(first).value):
            self.single(ctypes.addressof(row))
            for k, step in enumerate(self.steps):
                row[k] += step
