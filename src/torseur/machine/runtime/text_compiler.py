"""numba as a maker of IR, and bitcode of it: the one file that uses private passes of numba.

As numba comes, every function that a kernel calls is linked with all it calls, optimised and made
machine code of its own, which is never run. Here each is lowered once and stays IR; the IR of a
kernel is put together at the end and optimised. `llvm/jit.py` emits machine code of it.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

import llvmlite.binding as llvm
from numba import njit
from numba.core.codegen import AOTCodeLibrary, AOTCPUCodegen
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    TranslateByteCode,
)

_FROM_C = "sin|cos|tan|asin|acos|atan|sinh|cosh|tanh|exp|log|pow"  # LLVM would ask the C library
_OURS = re.compile(rf"torseur\.|llvm\.(?!{_FROM_C})")  # what a kernel may call


class _Library(AOTCodeLibrary):
    """The IR of one function, and the libraries of those it calls."""

    def add_llvm_module(self, ll_module: Any) -> None:
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        self._finalized = True

    def linked(self) -> Any:
        """One module of everything that is called from here."""
        visited: dict[Any, None] = {}
        waiting = [self]
        while waiting:
            library = waiting.pop()
            if library not in visited:
                visited[library] = None
                waiting += library._linking_libraries
        module = llvm.parse_assembly("")
        for library in reversed(visited):
            module.link_in(library._final_module, preserve=True)
        return module


class _Codegen(AOTCPUCodegen):
    _library_class = _Library


_CODEGEN = _Codegen("torseur")


@register_pass(mutates_CFG=True, analysis_only=False)
class _TextLowering(NativeLowering):
    """IR from typed code, under a name that numba takes for the compiled function."""

    _name = "text_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _CODEGEN.create_library(state.func_id.func_qualname)
        state.flags.no_compile = True
        NativeLowering.run_pass(self, state)
        stand_in: Any = [].append  # built in, as numba wants it, and equal to itself only
        state.targetctx.insert_user_function(stand_in, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=stand_in)
        return True


# those that kernels need: no closures, no object mode, no parallel loops
_PASSES = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    GenericRewrites,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    IRLegalization,
    _TextLowering,
    NoPythonBackend,
)


class TextCompiler(CompilerBase):
    """The passes that a kernel goes through."""

    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("text")
        for one in _PASSES:
            manager.add_pass(one, one.__name__)
        manager.finalize()
        return [manager]


OPTIONS: Any = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "pipeline_class": TextCompiler,
}


def make_bitcode(module: str, name: str, entry: str, lanes: int = 1) -> bytes:
    """Optimised bitcode of a kernel under the name `entry`, for a number of lanes."""
    with imported_for(lanes):
        home: Any = import_module(module)
    assert name in home.ENTRIES, f"{name} is not in ENTRIES of {module}"
    kernel = njit(home.SIGNATURE, **OPTIONS)(getattr(home, name)).overloads[home.SIGNATURE.args]
    linked = kernel.library.linked()
    linked.get_function(kernel.fndesc.llvm_cfunc_wrapper_name).name = linked.name = entry
    return _optimised(linked, entry)


def _optimised(module: Any, entry: str) -> bytes:
    """Bitcode of a module of which only `entry` is called.

    Everything else is made internal, so that what the entry does not need goes away, and has no
    name: numba's names hold numbers of the process.
    """
    for part in (*module.functions, *module.global_variables):
        if not part.is_declaration and part.name != entry:
            part.linkage = llvm.Linkage.internal
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2, reloc="pic")
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, options)
    manager = passes.getModulePassManager()
    manager.add_strip_symbols_pass()
    manager.run(module, passes)
    outside = [f.name for f in module.functions if f.is_declaration]
    foreign = [name for name in outside if not _OURS.match(name)]
    assert not foreign, f"a kernel calls {', '.join(foreign)}"
    return bytes(module.as_bitcode())


# --- number of lanes of the kernels whose modules are being imported ------------------------------


KERNELS = "torseur.machine.integrators.kernels"  # imported anew for each number of lanes
_LOCK = threading.RLock()
_NOW = [1]
_IMPORTED: dict[int, dict[str, ModuleType]] = {}  # the modules for other numbers of lanes


def lanes() -> int:
    """Return the number of lanes that a module is imported for."""
    return _NOW[-1]


@contextmanager
def imported_for(count: int) -> Iterator[None]:
    """Import kernels for a number of lanes; the modules for one lane are put back at the end.

    numba compiles a function once for the types of its arguments, and the number of lanes is no
    type: every number has functions of its own.
    """
    with _LOCK:
        if count == lanes():
            yield
            return
        _NOW.append(count)
        before = _exchanged(_IMPORTED.get(count, {}))
        try:
            yield
        finally:
            _IMPORTED[count] = _exchanged(before)
            _NOW.pop()


def _exchanged(modules: dict[str, ModuleType]) -> dict[str, ModuleType]:
    """Put modules of kernels in the place of those that are known, which are returned."""
    known = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_kernel(name)}
    sys.modules.update(modules)
    home, _, name = KERNELS.rpartition(".")
    if home in sys.modules and KERNELS in modules:
        setattr(sys.modules[home], name, modules[KERNELS])
    return known


def _is_kernel(name: str) -> bool:
    return name == KERNELS or name.startswith(f"{KERNELS}.")
