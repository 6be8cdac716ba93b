"""Elementary functions as modules of WebAssembly: shipped with a release, or made by LLVM."""

from __future__ import annotations

from functools import cache

from torseur.machine.llvm import cache as store
from torseur.machine.llvm import jit
from torseur.machine.llvm.library import ARGUMENTS, symbol
from torseur.machine.llvm.sources import RELEASED
from torseur.machine.wasm.objects import module_of

SYMBOLS = {symbol(name, 1): name for name in ARGUMENTS}  # by the names that other modules import


def file_name(name: str) -> str:
    """Name of the file in which a function is shipped."""
    return f"elementary.{name}.wasm"


@cache
def elementary_module(name: str) -> bytes:
    """The module of a function of doubles, which stands there under its symbol."""
    shipped = RELEASED.parent / file_name(name)
    if shipped.is_file():
        return shipped.read_bytes()
    home = "torseur.machine.llvm.elementary.catalogue"
    key = store.key("elementary", name, jit.PAGE, modules=(home, __name__))
    return store.read_or_make(key, lambda: make(name))


def make(name: str) -> bytes:
    """The module of a function, made by LLVM."""
    from torseur.machine.llvm.elementary.catalogue import function_text

    module = jit.parsed(function_text(name, 1))
    return module_of(jit.object_elsewhere(module, jit.PAGE), [symbol(name, 1)])
