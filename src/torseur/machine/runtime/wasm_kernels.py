"""Loop kernels as modules of WebAssembly: shipped with a released package, or made of bitcode."""

from __future__ import annotations

from typing import Any

from torseur.machine.llvm import cache as store
from torseur.machine.llvm import jit
from torseur.machine.llvm.sources import RELEASED
from torseur.machine.runtime.bitcode import ENTRY, bitcode
from torseur.machine.wasm.objects import module_of

AS_FUNCTION = "function"  # a kernel as a function of a table, whose code nobody reads
HELPER = "impel"  # the kernel that takes more than a table, and whose code is read
# Most kernels tell a code; who calls them by a table expects nothing, and a page is strict here.
_WRAPPED = f"""
declare {{result}} @{ENTRY}(i64)
define void @{AS_FUNCTION}(i64 %t) {{{{
  call {{result}} @{ENTRY}(i64 %t)
  ret void
}}}}
"""


def file_name(module: str, name: str) -> str:
    """Name of the file in which a kernel is shipped."""
    return f"{module.removeprefix('torseur.machine.')}.{name}.wasm"


def kernel_module(module: str, name: str, lanes: int = 1) -> bytes:
    """The module of a kernel, which serves every mechanism."""
    shipped = RELEASED.parent / file_name(module, name)
    if lanes == 1 and shipped.is_file():
        return shipped.read_bytes()
    key = store.key("page", name, str(lanes), modules=(module, __name__))
    return store.read_or_make(key, lambda: make(bitcode(module, name, lanes)))


def make(content: bytes) -> bytes:
    """The module of the bitcode of a kernel, made by LLVM."""
    module = jit.from_bitcode(content)
    exported = add_function(module)
    return module_of(jit.object_elsewhere(module, jit.PAGE), exported)


def add_function(module: Any) -> list[str]:
    """Give the module of a kernel its entry as a function of a table; the names of its entries."""
    result, _, arguments = str(module.get_function(ENTRY).global_value_type).partition(" ")
    if arguments != "(i64)":  # HELPER
        return [ENTRY]
    module.link_in(jit.parsed(_WRAPPED.format(result=result)))
    return [ENTRY, AS_FUNCTION]
