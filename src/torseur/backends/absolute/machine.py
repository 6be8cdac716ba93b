"""Machine code of the kernel: made once, then found in the cache."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from torseur.backends import integrators, loops
from torseur.backends.llvm import cache as store
from torseur.backends.llvm import jit
from torseur.backends.loops.machine import ENTRY, LoopCode
from torseur.dynamics import absolute


@cache
def motion_code() -> LoopCode:
    """The kernel in memory; its text is in several packages."""
    used = (Path(str(package.__file__)).parent for package in (absolute, integrators, loops))
    parts = [store.key(sources=folder) for folder in used]
    key = store.key("absolute", *jit.target(), *parts, sources=Path(__file__).parent)
    code = store.read(key)
    if code is None:
        kernel = import_module("torseur.backends.absolute.kernels").compiled()
        code = jit.self_contained(kernel.inspect_llvm(), kernel.native_name, ENTRY)
        store.write(key, code)
    engine = jit.engine(code)
    return LoopCode(engine, engine.get_function_address(ENTRY))
