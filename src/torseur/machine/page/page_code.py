"""Modules of all functions that a record calls: kernels and those of a mechanism.

Every function is a module of its own. For a page they are WebAssembly: those of kernels were made
once for all pages, those of a mechanism are written without LLVM.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, final

import numpy as np

from torseur.errors import ModelError
from torseur.machine.control.sampler import Sampler
from torseur.machine.evaluator import Evaluator, wasm_module
from torseur.machine.integrators.problem import Entry
from torseur.machine.runtime.bitcode import ENTRY
from torseur.machine.runtime.loop_kernel import KernelSource, source_at
from torseur.machine.runtime.memory import Record, below
from torseur.machine.runtime.wasm_kernels import AS_FUNCTION, HELPER, kernel_module
from torseur.words.sentence import say

Array = np.ndarray
FIRST_INDEX = 1  # in the table of functions; 0 says that there is none


@final
@dataclass(frozen=True)
class Parametrised:
    """Constants in memory that a function makes of values of parameters."""

    module: int
    function: str  # exported by the module
    constants: Array
    parameters: tuple[str, ...]
    values: Array


class Processor(Protocol):
    """A processor that code of a motion is made for; `name` is that of a module."""

    def kernel(self, source: KernelSource, name: str) -> bytes:
        """The module of a kernel, which serves every mechanism."""

    def functions(self, evaluator: Evaluator, name: str, exported: Mapping[str, str]) -> bytes:
        """The module of the entries of a function, by the names under which it exports them."""


@final
class WebAssembly:
    """Pages."""

    def kernel(self, source: KernelSource, name: str) -> bytes:
        """A module that was made once for all pages."""
        return kernel_module(source.module, source.name, source.lanes)

    def functions(self, evaluator: Evaluator, name: str, exported: Mapping[str, str]) -> bytes:
        """A module that is written without LLVM."""
        return wasm_module(evaluator, exported)


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
    record: Record,
    functions: Mapping[str, int],
    kernel: int,
    processor: Processor = WebAssembly(),  # noqa: B008 — it has no state
) -> PageCode:
    """The modules of the functions of a record, by path and address, and of the kernel that moves.

    That kernel is the function "" of the result.
    """
    code, straight = PageCode(), dict[str, Evaluator]()
    sources = {path: entry.owner for path, entry in _entries(record, "")}
    kernels: dict[KernelSource, int] = {}
    for path, address in {"": kernel, **functions}.items():
        evaluator, source = _evaluator(sources.get(path)), source_at(address)
        if source is not None:
            place = kernels.setdefault(source, len(kernels))
            is_read = path == "" or path.endswith(HELPER)
            code.indices[path] = code.add(place, ENTRY if is_read else AS_FUNCTION)
        elif evaluator is not None and evaluator.entries.addresses["single"] == address:
            straight[path] = evaluator
        else:
            raise not_in_a_page(
                say('"{path}" is a function of Python, or of a loop over many bodies.', path)
            )
    for source in kernels:
        name = f"{source.module}.{source.name}.{source.lanes}".replace(".", "_")
        code.names.append(name)
        code.modules.append(processor.kernel(source, name))
    numbers = _add_straight(code, straight, processor)
    code.constants += _parametrised(record, straight, numbers, len(kernels))
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


def _add_straight(
    code: PageCode, straight: Mapping[str, Evaluator], processor: Processor
) -> dict[int, int]:
    """Modules of the functions of a mechanism; the number of each, by identity."""
    numbers, before = dict[int, int](), len(code.modules)
    for path, evaluator in straight.items():
        number = numbers.setdefault(id(evaluator), len(numbers))
        if before + number == len(code.modules):
            exported = {entry: f"{entry}{number}" for entry in ("single", "constants")}
            code.names.append(f"mechanism_{number}")
            code.modules.append(processor.functions(evaluator, code.names[-1], exported))
        code.indices[path] = code.add(before + number, f"single{number}")
    return numbers


def _parametrised(
    record: Record, straight: Mapping[str, Evaluator], numbers: Mapping[int, int], before: int
) -> Iterator[Parametrised]:
    """The constants of the functions of a mechanism, each memory once."""
    places = set[int]()
    for path, entry in _entries(record, ""):
        place = entry.constants.ctypes.data
        if path in straight and entry.values is not None and place not in places:
            places.add(place)
            number, names = numbers[id(straight[path])], straight[path].parameters
            memory = entry.constants, names, entry.values
            yield Parametrised(before + number, f"constants{number}", *memory)
