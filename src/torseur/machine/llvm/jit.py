"""Object code from IR, and its loading into the process."""

import ctypes
import os
import re
import sys
from functools import cache, lru_cache
from typing import Any

from torseur.algebra.core import called
from torseur.machine.llvm import cache as store
from torseur.machine.llvm.library import ARGUMENTS, symbol

PAGE = "wasm32-unknown-emscripten"  # the processor of a page, whose code has no address in it
LARGE = 60_000  # instructions above which the optimiser costs more than it gives back
OPTIMISED = 1  # level 2 makes the same instructions of straight-line code in a third more time
_SMALL = 1 << 16  # bytes of code that stays in memory for the next model that needs the same
_CALLED = re.compile(rf"torseur\.({'|'.join(ARGUMENTS)})\.(\d)".encode())
_ENTRY = ctypes.CFUNCTYPE(None, ctypes.c_void_p)  # releases the interpreter lock


@cache
def _llvm() -> Any:
    """llvmlite with the native target ready and what code may ask of the system known to it."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # Straight-line code of tens of thousands of instructions: this pass takes a third of the time
    # of compiling it, and the code it leaves is not quicker.
    llvm.set_option("torseur", "-enable-misched=false")
    library = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
    for name in ("floor", "malloc", "free"):
        address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        llvm.add_symbol(name, address)
    return llvm


def target() -> tuple[str, str]:
    """The processor and its features; with $TORSEUR_PORTABLE the plainest of the family."""
    return ("", "") if os.environ.get("TORSEUR_PORTABLE") else _host()


@cache
def _host() -> tuple[str, str]:
    llvm = _llvm()
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@cache
def _emitter(level: int, *processor: str) -> Any:
    """Emitter of object code for a processor: its tables take longer to make than short code."""
    return _machine(level, *processor)


def _machine(
    level: int, cpu: str, features: str, triple: str = "", reloc: str = "static", abi: str = ""
) -> Any:
    llvm = _llvm()
    if triple:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        return llvm.Target.from_triple(triple).create_target_machine(
            cpu=cpu, features=features, opt=level, reloc=reloc, codemodel="default", abiname=abi
        )
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=level, reloc="pic", codemodel="jitdefault"
    )


def object_code(text: str) -> bytes:
    """Optimised machine code of IR text; a very long program is compiled without optimisation."""
    level = 0 if text.count("\n") > LARGE else OPTIMISED
    return object_of(parsed(text), level)


def object_elsewhere(
    module: Any, triple: str, cpu: str = "", features: str = "", abi: str = ""
) -> bytes:
    """Optimised machine code of a module for another processor, the plainest of its family."""
    reloc = "pic" if triple == PAGE else "static"
    machine = _emitter(2, cpu, features, triple, reloc, abi)
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    return bytes(machine.emit_object(module))


def assembly_elsewhere(module: Any, triple: str, cpu: str = "", reloc: str = "pic") -> str:
    """Text of the machine code of a module for a processor, the plainest of its family."""
    machine = _emitter(2, cpu, "", triple, reloc)
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    return str(machine.emit_assembly(module))


def default_triple() -> str:
    """The family of processors and the system at hand."""
    return str(_llvm().get_default_triple())


def parsed(text: str) -> Any:
    """The module of IR text."""
    return _llvm().parse_assembly(text)


def with_elementary(module: Any) -> Any:
    """A module with the elementary functions that it calls."""
    from torseur.machine.llvm.elementary.catalogue import function_text

    for name in [x.name for x in module.functions if x.is_declaration]:
        if known := _CALLED.fullmatch(name.encode()):
            module.link_in(parsed(function_text(known[1].decode(), int(known[2]))))
    return module


def from_bitcode(bitcode: bytes) -> Any:
    """The module of bitcode, for the processor at hand."""
    module, machine = _llvm().parse_bitcode(bitcode), _emitter(OPTIMISED, *target())
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    return module


def object_of(module: Any, level: int) -> bytes:
    """Machine code of a module for the processor at hand."""
    return bytes(_emitter(level, *target()).emit_object(module))


def emitted(bitcode: bytes) -> bytes:
    """Machine code for the processor at hand, of optimised bitcode that suits any."""
    return object_of(from_bitcode(bitcode), 2)


def engine(code: bytes) -> Any:
    """Object code in memory, as long as the engine lives, with the functions it calls."""
    for name, width in set(_CALLED.findall(code)):
        one = name.decode(), int(width)
        address = _elementary(*one, *target()).get_function_address(symbol(*one))
        _llvm().add_symbol(symbol(*one), address)
    if called.SYMBOL.encode() in code:
        address = ctypes.cast(called.CALLBACK, ctypes.c_void_p).value
        _llvm().add_symbol(called.SYMBOL, address)
    return _shared_engine(code, target()) if len(code) <= _SMALL else _in_memory(code)


@lru_cache(maxsize=256)
def _shared_engine(code: bytes, _processor: tuple[str, str]) -> Any:
    """The engine of code that may be in memory already: code has no memory of its own."""
    return _in_memory(code)


@cache
def _elementary(name: str, width: int, *processor: str) -> Any:
    """An elementary function for a processor: compiled once, called by all other code."""
    home = "torseur.machine.llvm.elementary.catalogue"
    key = store.key("elementary", name, str(width), *processor, modules=(home,))
    return _in_memory(store.read_or_make(key, lambda: _elementary_code(name, width)))


def _elementary_code(name: str, width: int) -> bytes:
    from torseur.machine.llvm.elementary.catalogue import function_text

    return object_code(function_text(name, width))


def python_entry(name: str) -> int:
    """The address of one of the entries that Python calls."""
    return int(_python_entries(*target()).get_function_address(name))


@cache
def _python_entries(*processor: str) -> Any:
    """The entries that Python calls: compiled once, for all functions."""
    from torseur.machine.llvm import object_fields

    home = "torseur.machine.llvm.python_entry"
    key = store.key("python", str(object_fields.TUPLE_ITEMS), *processor, modules=(home,))
    return _in_memory(store.read_or_make(key, _python))


def _python() -> bytes:
    from torseur.machine.llvm.python_entry import library

    return object_code(library())


def entry(holder: Any, name: str) -> Any:
    """A function of one address, by its name in an engine."""
    return _ENTRY(holder.get_function_address(name))


def add_symbol(name: str, address: int) -> None:
    """Make a function of the process known to code that is loaded from here on."""
    _llvm().add_symbol(name, address)


def _in_memory(code: bytes) -> Any:
    llvm = _llvm()
    compiler = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(0, *target()))
    compiler.add_object_file(llvm.ObjectFileRef.from_data(code))
    compiler.finalize_object()
    return compiler
