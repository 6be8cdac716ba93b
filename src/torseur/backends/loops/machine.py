"""Machine code of the loop kernels: made by numba and LLVM once, then found in the cache.

numba gives the IR of a kernel. Once everything in it but its entry is made internal, nothing is
left that calls Python or numba, and it is compiled, kept and loaded as all other machine code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
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


def loop_code(name: str) -> LoopCode:
    """The machine code of a loop kernel; it serves every mechanism."""
    return package_kernel("torseur.backends.loops", name)


@cache
def package_kernel(package: str, name: str) -> LoopCode:
    """The machine code of a kernel of a package whose module `kernels` compiles it."""
    own = Path(str(import_module(package).__file__)).parent
    common = store.key(sources=Path(__file__).parent)  # what kernels of all packages are made of
    key = store.key("kernel", name, *jit.target(), common, sources=own)
    code = store.read(key)
    if code is None:
        kernel = import_module(f"{package}.kernels").compiled(name)
        code = jit.self_contained(kernel.inspect_llvm(), kernel.native_name, ENTRY)
        store.write(key, code)
    engine = jit.engine(code)
    return LoopCode(engine, engine.get_function_address(ENTRY))
