"""Machine code of the kernel: made once, then found in the cache."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from torseur.backends.llvm import cache as store
from torseur.backends.llvm import jit
from torseur.backends.loops.machine import ENTRY, LoopCode

# The files the kernel is made of, from the folder of the package torseur.
_OWN = "access blocks bodies bordered elements kernels layout measures places rotors rows tasks"
_TEXTS = (
    *(f"backends/absolute/{name}.py" for name in _OWN.split()),
    "backends/integrators/access.py",
    "backends/integrators/vectors.py",
    "dynamics/absolute/elementary.py",
)
_COMMON = "backends/loops"


@cache
def motion_code() -> LoopCode:
    """The kernel in memory; it serves every mechanism."""
    texts = [(store.TORSEUR / place).read_text(encoding="utf-8") for place in _TEXTS]
    key = store.key("absolute", *jit.target(), *texts, sources=store.TORSEUR / _COMMON)
    code = store.read(key)
    if code is None:
        kernel = import_module("torseur.backends.absolute.kernels").compiled()
        code = jit.self_contained(kernel.inspect_llvm(), kernel.native_name, ENTRY)
        store.write(key, code)
    engine = jit.engine(code)
    return LoopCode(engine, engine.get_function_address(ENTRY))
