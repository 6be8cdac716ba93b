"""Modules of WebAssembly for all functions that a record calls: kernels and those of a mechanism.

Every kernel is a module of its own, made once for all pages; the functions of a mechanism are one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.errors import ModelError
from torseur.machine.control.sampler import Sampler
from torseur.machine.evaluator import Evaluator, module_elsewhere
from torseur.machine.integrators.problem import Entry
from torseur.machine.llvm import cache as store
from torseur.machine.llvm import jit
from torseur.machine.page.wasm_object import module_of
from torseur.machine.runtime.bitcode import ENTRY, bitcode
from torseur.machine.runtime.loop_kernel import KernelSource, source_at
from torseur.machine.runtime.memory import Record, below
from torseur.words.sentence import say

Array = np.ndarray
FIRST_INDEX = 1  # in the table of functions; 0 says that there is none
_MECHANISM = "mechanism"  # the module of its functions
_AS_FUNCTION = "function"  # a kernel as a function of a table, whose code nobody reads
_ELEMENTARY = re.compile(r"torseur\.(\w+)\.(\d)")
# Kernels tell a code; who calls them by a table expects nothing, and a page is strict about that.
_WRAPPED = f"""
declare i64 @{ENTRY}(i64)
define void @{_AS_FUNCTION}(i64 %t) {{
  %code = call i64 @{ENTRY}(i64 %t)
  ret void
}}
"""


@final
@dataclass(frozen=True)
class Parametrised:
    """Constants in memory that a function makes of values of parameters."""

    function: str  # exported by the module of the mechanism
    constants: Array
    parameters: tuple[str, ...]
    values: Array


@final
@dataclass(frozen=True)
class Processor:
    """A processor that code of a motion is compiled for, from a module and the names it exports."""

    name: str  # in the cache
    compiled: Callable[[Any, list[str], str], bytes]  # the last argument names the module


@final
@dataclass
class PageCode:
    """The modules of a motion, and the place of each function in the table they share."""

    modules: list[bytes] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # of the modules
    table: list[tuple[int, str]] = field(default_factory=list)  # module and export, from 1 on
    indices: dict[str, int] = field(default_factory=dict)  # of functions, by path
    constants: list[Parametrised] = field(default_factory=list)

    def add(self, module: int, export: str) -> int:
        """The index of an exported function."""
        place = module, export
        if place not in self.table:
            self.table.append(place)
        return self.table.index(place) + FIRST_INDEX


def page_code(
    record: Record, functions: Mapping[str, int], kernel: int, processor: Processor | None = None
) -> PageCode:
    """The modules of the functions of a record, by path and address, and of the kernel that moves.

    That kernel is the function "" of the result. Without a processor they are WebAssembly.
    """
    processor = processor or Processor("page", _compiled)
    code, straight = PageCode(), dict[str, Evaluator]()
    sources = {path: entry.owner for path, entry in _entries(record, "")}
    kernels: dict[KernelSource, int] = {}
    for path, address in {"": kernel, **functions}.items():
        evaluator, source = _evaluator(sources.get(path)), source_at(address)
        if source is not None:
            place = kernels.setdefault(source, len(kernels))
            is_helper = path == "" or path.endswith("impel")
            code.indices[path] = code.add(place, ENTRY if is_helper else _AS_FUNCTION)
        elif evaluator is not None and evaluator.entries.addresses["single"] == address:
            straight[path] = evaluator
        else:
            raise not_in_a_page(
                say('"{path}" is a function of Python, or of a loop over many bodies.', path)
            )
    code.modules += [_kernel_module(source, processor) for source in kernels]
    code.names += map(_kernel_name, kernels)
    if straight:
        _add_straight(code, straight, processor)
    code.constants += _parametrised(record, straight)
    return code


def not_in_a_page(reason: str, *advice: str) -> ModelError:
    """The error of a motion that a page cannot compute."""
    otherwise = "Show a computed run instead: ts.simulate, then ts.view."
    return ModelError("live page", reason, *advice, otherwise)


def _entries(reached: Any, path: str) -> Iterator[tuple[str, Entry]]:
    """The functions that are called from a record, by path."""
    if isinstance(reached, Record):
        called: dict[str, Any] = {name: x.code for name, x in reached.called.items()}
        further = reached.further
    else:
        called, further = (reached.functions if isinstance(reached, Sampler) else {}), []
    for name, entry in called.items():
        place = below(path, name)
        if isinstance(entry, Entry):
            yield place, entry
            yield from _entries(entry.record, place)
    for name, other in further:
        yield from _entries(other, below(path, name))


def _evaluator(owner: Any) -> Evaluator | None:
    """The evaluator among the owners of a function."""
    listed = owner if isinstance(owner, tuple) else (owner,)
    return next((x for x in listed if isinstance(x, Evaluator)), None)


def _add_straight(code: PageCode, straight: Mapping[str, Evaluator], processor: Processor) -> None:
    """One module of the functions of a mechanism."""
    names: dict[int, str] = {}
    place, whole, exported = len(code.modules), jit.parsed(""), list[str]()
    for path, evaluator in straight.items():
        if id(evaluator) not in names:
            names[id(evaluator)] = name = str(len(names))
            module = module_elsewhere(evaluator)
            for entry in ("single", "constants"):
                module.get_function(entry).name = f"{entry}{name}"
                exported.append(f"{entry}{name}")
            whole.link_in(module)
        code.indices[path] = code.add(place, f"single{names[id(evaluator)]}")
    code.modules.append(processor.compiled(whole, exported, _MECHANISM))
    code.names.append(_MECHANISM)


def _parametrised(record: Record, straight: Mapping[str, Evaluator]) -> Iterator[Parametrised]:
    """The constants of the functions of a mechanism, each memory once."""
    numbers, places = dict[int, int](), set[int]()
    for evaluator in straight.values():
        numbers.setdefault(id(evaluator), len(numbers))
    for path, entry in _entries(record, ""):
        place = entry.constants.ctypes.data
        if path in straight and entry.values is not None and place not in places:
            places.add(place)
            name = f"constants{numbers[id(straight[path])]}"
            yield Parametrised(name, entry.constants, straight[path].parameters, entry.values)


def _kernel_name(source: KernelSource) -> str:
    """A name that no other kernel has."""
    return f"{source.module}.{source.name}.{source.lanes}".replace(".", "_")


def _kernel_module(source: KernelSource, processor: Processor) -> bytes:
    """The module of a kernel, which serves every mechanism."""
    known = processor.name, source.name, str(source.lanes)
    key = store.key(*known, modules=(source.module, __name__))

    def make() -> bytes:
        module = jit.from_bitcode(bitcode(source.module, source.name, source.lanes))
        exported = [ENTRY]
        if len(list(module.get_function(ENTRY).arguments)) == 1:
            module.link_in(jit.parsed(_WRAPPED))
            exported.append(_AS_FUNCTION)
        return processor.compiled(module, exported, _kernel_name(source))

    return store.read_or_make(key, make)


def with_elementary(module: Any) -> Any:
    """A module with the elementary functions that it calls."""
    from torseur.machine.llvm.elementary.catalogue import function_text

    for function in [x.name for x in module.functions if x.is_declaration]:
        if known := _ELEMENTARY.fullmatch(function):
            module.link_in(jit.parsed(function_text(known[1], int(known[2]))))
    return module


def _compiled(module: Any, exported: list[str], name: str) -> bytes:
    """WebAssembly of a module."""
    with_elementary(module)
    return module_of(jit.object_elsewhere(module, jit.PAGE), exported)
