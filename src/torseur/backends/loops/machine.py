"""Machine code of the loop kernels: made by numba and LLVM once, then found in the cache.

numba gives the IR of a kernel. Once everything in it but its entry is made internal, nothing is
left that calls Python or numba, and it is compiled, kept and loaded as all other machine code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, final

from torseur.backends.llvm import cache as store
from torseur.backends.llvm import jit

ENTRY = "loop"


@final
@dataclass(frozen=True)
class LoopCode:
    """A kernel in memory."""

    engine: Any  # kept alive as long as its code is used
    address: int


@cache
def loop_code(name: str) -> LoopCode:
    """The machine code of a kernel; it serves every mechanism."""
    key = store.key("loop", name, *jit.target(), sources=Path(__file__).parent)
    code = store.read(key)
    if code is None:
        code = _object_code(name)
        store.write(key, code)
    engine = jit.engine(code)
    return LoopCode(engine, engine.get_function_address(ENTRY))


def _object_code(name: str) -> bytes:
    from torseur.backends.loops.kernels import compiled

    kernel = compiled(name)
    return jit.self_contained(kernel.inspect_llvm(), kernel.native_name, ENTRY)
