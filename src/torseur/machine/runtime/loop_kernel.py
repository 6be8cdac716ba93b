"""Machine code of the loop kernels: made by numba and LLVM once, then found in the cache.

numba gives the IR of a kernel. Once everything in it but its entry is made internal, nothing is
left that calls Python or numba, and it is compiled, kept and loaded as all other machine code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, final

from torseur.machine.llvm import cache as store
from torseur.machine.llvm import jit
from torseur.machine.llvm.width import lane_width

ENTRY = "loop"


@final
@dataclass(frozen=True)
class LoopKernel:
    """A kernel in memory."""

    engine: Any  # kept alive as long as its code is used
    address: int


def loop_kernel(module: str, name: str) -> LoopKernel:
    """The machine code of the function `name` of a module; it serves every mechanism."""
    return _loaded(module, name, str(lane_width()), *jit.target())


@cache
def _loaded(module: str, name: str, *processor: str) -> LoopKernel:
    key = store.key("kernel", name, *processor, modules=(module,))
    engine = jit.engine(store.kept(key, lambda: _compiled(import_module(module), name)))
    return LoopKernel(engine, engine.get_function_address(ENTRY))


def _compiled(module: Any, name: str) -> bytes:
    from torseur.machine.runtime.text_compiler import kernel_module

    return jit.self_contained(*kernel_module(module.SIGNATURE, getattr(module, name)), ENTRY)
