"""Object code from IR, and its loading into the process."""

import ctypes
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any, final

from torseur.backends.llvm.library import LIBRARY_CALLS

# Above this many instructions the optimiser costs more than it gives back.
LARGE = 60_000


@final
@dataclass(frozen=True)
class Loaded:
    """Entry points of a module, as ctypes functions of one address."""

    engine: Any  # kept alive as long as its code is used
    constants: Any
    single: Any
    batch: Any
    addresses: dict[str, int]


@cache
def _llvm() -> Any:
    """llvmlite with the native target ready and the C library's functions known to it."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    library = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
    for name in {*LIBRARY_CALLS.values(), "sin", "cos", "pow"}:
        address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        llvm.add_symbol(name, address)
    return llvm


def target(*, portable: bool = False) -> tuple[str, str]:
    """The processor and its features; `portable` asks for the plainest of the family."""
    llvm = _llvm()
    if portable:
        return "", ""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def _machine(*, portable: bool, level: int) -> Any:
    cpu, features = target(portable=portable)
    found = _llvm().Target.from_default_triple()
    return found.create_target_machine(
        cpu=cpu, features=features, opt=level, reloc="pic", codemodel="jitdefault"
    )


def object_code(text: str, *, portable: bool = False) -> bytes:
    """Machine code of IR text; a very long program is compiled without optimisation."""
    llvm = _llvm()
    module = llvm.parse_assembly(text)
    level = 0 if text.count("\n") > LARGE else 2
    machine = _machine(portable=portable, level=level)
    return machine.emit_object(module)


def load(code: bytes) -> Loaded:
    """The entry points of object code."""
    llvm = _llvm()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(portable=False, level=0))
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    addresses = {
        name: engine.get_function_address(name)
        for name in ("constants", "single", "batch", "python")
    }
    entry = ctypes.CFUNCTYPE(None, ctypes.c_void_p)  # releases the interpreter lock
    return Loaded(
        engine,
        entry(addresses["constants"]),
        entry(addresses["single"]),
        entry(addresses["batch"]),
        addresses,
    )
