"""Object code from IR, and its loading into the process."""

import ctypes
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any, final

from torseur.machine.llvm import cache as store
from torseur.machine.llvm.library import ARGUMENTS, symbol

# Above this many instructions the optimiser costs more than it gives back.
LARGE = 60_000
_SMALL = 1 << 16  # bytes of code that stays in memory for the next model that needs the same
_CALLED = re.compile(rf"torseur\.({'|'.join(ARGUMENTS)})\.(\d)".encode())
_ENTRY = ctypes.CFUNCTYPE(None, ctypes.c_void_p)  # releases the interpreter lock


@final
@dataclass(frozen=True)
class Loaded:
    """Entry points, as ctypes functions of one address."""

    engine: Any  # kept alive as long as its code is used
    constants: Any
    single: Any
    addresses: dict[str, int]
    more: Callable[[str, int], bytes] | None  # code of an entry, by its width; None: all is here
    wide: dict[int, tuple[Any, int]] = field(default_factory=dict)  # lanes that were asked for

    @cached_property
    def batch(self) -> Any:
        """Many rows; its code is made when it is first asked for."""
        if self.more is None:
            return _ENTRY(self.engine.get_function_address("batch"))
        own = engine(self.more("batch", 0))
        call: Any = entry(own, "batch")
        call.engine = own  # kept alive as long as it is called
        return call

    def lanes(self, width: int) -> tuple[Any, int]:
        """States in so many lanes: an engine to be kept alive, and the address there."""
        if width not in self.wide:
            assert self.more is not None, "what runs in a loop has no lanes"
            own = engine(self.more("lanes", width))
            self.wide[width] = own, own.get_function_address("lanes")
        return self.wide[width]


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
    """What makes object code for a processor: its tables take longer to make than short code."""
    return _machine(level, *processor)


def _machine(level: int, cpu: str, features: str) -> Any:
    found = _llvm().Target.from_default_triple()
    return found.create_target_machine(
        cpu=cpu, features=features, opt=level, reloc="pic", codemodel="jitdefault"
    )


def object_code(text: str) -> bytes:
    """Machine code of IR text; a very long program is compiled without optimisation.

    Level 2 makes the same instructions of straight-line code in a third more time.
    """
    llvm = _llvm()
    module = llvm.parse_assembly(text)
    level = 0 if text.count("\n") > LARGE else 1
    return bytes(_emitter(level, *target()).emit_object(module))


def emitted(bitcode: bytes) -> bytes:
    """Machine code for the processor at hand, of optimised bitcode that suits any."""
    module, machine = _llvm().parse_bitcode(bitcode), _emitter(2, *target())
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    return bytes(machine.emit_object(module))


def engine(code: bytes) -> Any:
    """Object code in memory, as long as the engine lives, with the functions it calls."""
    for name, width in set(_CALLED.findall(code)):
        called = name.decode(), int(width)
        address = _elementary(*called, *target()).get_function_address(symbol(*called))
        _llvm().add_symbol(symbol(*called), address)
    return _shared(code, target()) if len(code) <= _SMALL else _in_memory(code)


@lru_cache(maxsize=256)
def _shared(code: bytes, _processor: tuple[str, str]) -> Any:
    """The engine of code that may be in memory already: code has no memory of its own."""
    return _in_memory(code)


@cache
def _elementary(name: str, width: int, *processor: str) -> Any:
    """An elementary function for a processor: compiled once, called by all other code."""
    home = "torseur.machine.llvm.elementary.catalogue"
    key = store.key("elementary", name, str(width), *processor, modules=(home,))
    return _in_memory(store.kept(key, lambda: _elementary_code(name, width)))


def _elementary_code(name: str, width: int) -> bytes:
    from torseur.machine.llvm.elementary.catalogue import function_text

    return object_code(function_text(name, width))


def python_entry(name: str) -> int:
    """The address of one of the entries that Python calls."""
    return int(_python_entries(*target()).get_function_address(name))


@cache
def _python_entries(*processor: str) -> Any:
    """The entries that Python calls: compiled once, for all functions."""
    from torseur.machine.llvm import layout

    home = "torseur.machine.llvm.python_entry"
    key = store.key("python", str(layout.TUPLE_ITEMS), *processor, modules=(home,))
    return _in_memory(store.kept(key, _python))


def _python() -> bytes:
    from torseur.machine.llvm.python_entry import library

    return object_code(library())


def entry(holder: Any, name: str) -> Any:
    """A function of one address, by its name in an engine."""
    return _ENTRY(holder.get_function_address(name))


def _in_memory(code: bytes) -> Any:
    llvm = _llvm()
    made = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(0, *target()))
    made.add_object_file(llvm.ObjectFileRef.from_data(code))
    made.finalize_object()
    return made


def load(code: bytes, more: Callable[[str, int], bytes] | None = None) -> Loaded:
    """The entry points of object code, and of that of batches and lanes."""
    holder = engine(code)
    addresses = {name: holder.get_function_address(name) for name in ("constants", "single")}
    constants, single = _ENTRY(addresses["constants"]), _ENTRY(addresses["single"])
    return Loaded(holder, constants, single, addresses, more)
