"""Machine code of one function of one mechanism: made, or found in the cache."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import Any, final

import numpy as np

from torseur.algebra.core.called import refused
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, free_symbols, substitute
from torseur.equations.functions.kernel import Kernel, kernel_of
from torseur.equations.functions.placed import identity, named_function
from torseur.equations.symbols.system import System
from torseur.machine.llvm import cache
from torseur.machine.runtime.memory import addresses, view
from torseur.machine.wasm import pyodide
from torseur.machine.wasm.straight import module_of_text
from torseur.model.description import Mechanism

Array = np.ndarray


@final
@dataclass(frozen=True)
class Evaluator:
    """Entry points and the shapes they work on."""

    name: str
    inputs: tuple[tuple[str, tuple[str, ...]], ...]
    shape: tuple[int, ...]
    parameters: tuple[str, ...]  # those the function needs, in the order of its first array
    constants: int  # numbers for each parameter set, the address of tables first if there are any
    entries: Any  # .constants, .single, .batch: functions of one address
    make_kernel: Callable[[], Kernel]
    make_swept: Callable[[Evaluator], Evaluator] | None = None  # None: from the expressions
    room: int = 0  # numbers that a call works in, which the caller gives
    functions: tuple[tuple[int, str], ...] = ()  # places of addresses in the constants, with names
    tables: tuple[Array, ...] = field(default=(), compare=False)  # that constants lead to

    def new_constants(self, *rows: int) -> Array:
        """(rows …, constants): room for the constants, with the address of the tables."""
        constants = np.zeros((*rows, max(self.constants, 1)))
        if self.tables:
            constants[..., 0] = np.array(self.tables[0].ctypes.data, dtype=np.int64).view(float)
        return constants

    def new_room(self) -> Array:
        """Room for the calls of one thread."""
        return np.zeros(self.room)

    @cached_property
    def kernel(self) -> Kernel:
        """The expressions behind the code."""
        return self.make_kernel()

    @cached_property
    def swept(self) -> Evaluator:
        """The function with its parameters as a last input array, one set a row."""
        if self.make_swept is not None:
            return self.make_swept(self)
        return kernel_code(_with_parameters_as_inputs(self.kernel, self.parameters), "")


def wasm_module(code: Evaluator, exported: Mapping[str, str]) -> bytes:
    """Module of WebAssembly of the entries `constants` and `single`, exported by other names."""
    return _wasm_module(code.kernel, exported)


def _wasm_module(kernel: Kernel, exported: Mapping[str, str]) -> bytes:
    from torseur.machine.llvm.module import module_text

    for x in kernel.nodes:
        if x.op == "call":
            raise refused(x)
    return module_of_text(module_text(kernel, _parameters(kernel), vectors=False), exported)


def evaluator(
    mechanism: Mechanism, fingerprint: str, name: str, known_system: Callable[[], System]
) -> Evaluator:
    """The machine code of a function of the mechanism of that fingerprint."""

    def make() -> Kernel:
        return kernel_of(named_function(name, mechanism), known_system())

    return kernel_code(make, f"{identity(name, mechanism)} {fingerprint}")


def kernel_code(source: Kernel | Callable[[], Kernel], identity: str) -> Evaluator:
    """From the cache when the identity is known there, else from the kernel."""
    if pyodide.RUNS_HERE:
        return _in_pyodide(source if isinstance(source, Kernel) else source())
    jit = _jit()
    if jit is None:
        kernel = source if isinstance(source, Kernel) else source()
        entries = Interpreted(kernel, _parameters(kernel))
        return Evaluator(*_head(kernel), entries, lambda: kernel)
    from torseur.machine.llvm import levels
    from torseur.machine.llvm.loaded_code import load
    from torseur.machine.llvm.width import width

    makers = (_module_of(source), __name__)
    make: Callable[[], Kernel] = lru_cache(1)(
        (lambda: source) if isinstance(source, Kernel) else source
    )

    def wide(entry: str, lanes: int) -> tuple[bytes, levels.Keep | None]:
        count = lanes or width()
        return stored(f"{entry} {count}", partial(_wide_object, entry, count))

    def stored(part: str, code: Callable[[Kernel], bytes]) -> tuple[bytes, levels.Keep | None]:
        if not identity:
            return code(make()), None
        name = cache.key(part, identity, *jit.target(), modules=makers)
        return cache.read_or_make(name, lambda: code(make())), partial(cache.write, name)

    content, write = stored("single", _object)
    head, _, code = content.partition(b"\n")
    keep = None if write is None else lambda optimised: write(head + b"\n" + optimised)
    (name, inputs, shape, parameters, constants), tables = json.loads(head)
    return Evaluator(
        name,
        tuple((letter, tuple(names)) for letter, names in inputs),
        tuple(shape),
        tuple(parameters),
        constants + bool(tables),
        load(code, keep, wide),
        make,
        tables=(np.array(tables, dtype=float),) if tables else (),
    )


def _in_pyodide(kernel: Kernel) -> Evaluator:
    """WebAssembly of a kernel in the process of Pyodide."""
    from torseur.machine.llvm.lookup import numbers
    from torseur.machine.llvm.module import tables_of

    name, inputs, shape, parameters, constants = _head(kernel)
    code = _wasm_module(kernel, {x: x for x in ("constants", "single")})
    entries = pyodide.Linked.of(code, tuple(len(x) for _, x in kernel.inputs), kernel.size)
    listed = tables_of(kernel)
    tables = (numbers(listed),) if listed else ()
    count = constants + bool(tables)
    return Evaluator(name, inputs, shape, parameters, count, entries, lambda: kernel, tables=tables)


def _module_of(source: Any) -> str:
    """The module of what makes a kernel."""
    while isinstance(source, partial):
        source = source.func
    return str(source.__module__)


def _wide_object(entry: str, lanes: int, kernel: Kernel) -> bytes:
    """The object code of many rows, or of states in lanes."""
    from torseur.machine.llvm import jit, levels
    from torseur.machine.llvm.module import batch_text, lanes_text

    if entry == "batch":  # one call may be of a million rows
        return levels.pack(jit.object_code(batch_text(kernel, lanes)))
    return levels.packed(lanes_text(kernel, lanes), entry)


def _object(kernel: Kernel) -> bytes:
    """One line that describes the function, then its object code."""
    from torseur.machine.llvm import levels
    from torseur.machine.llvm.lookup import numbers
    from torseur.machine.llvm.module import module_text, tables_of

    code = levels.packed(module_text(kernel, _parameters(kernel)), "single")
    head = _head(kernel), numbers(tables_of(kernel)).tolist()
    return json.dumps(head).encode() + b"\n" + code


def _head(kernel: Kernel) -> tuple[str, Any, tuple[int, ...], tuple[str, ...], int]:
    """The first fields of the evaluator of a kernel."""
    constants = len(kernel.constants)
    return kernel.name, kernel.inputs, kernel.shape, _parameters(kernel), constants


def _parameters(kernel: Kernel) -> tuple[str, ...]:
    return tuple(x.name for x in free_symbols(list(kernel.outputs)) if x.kind == "parameter")


def _with_parameters_as_inputs(kernel: Kernel, parameters: tuple[str, ...]) -> Kernel:
    inputs = {symbol(name): symbol(f"parameter {name}", "input") for name in parameters}
    names = tuple(x.name for x in inputs.values())
    return replace(
        kernel,
        inputs=(*kernel.inputs, ("parameters", names)),
        outputs=tuple(substitute(list(kernel.outputs), inputs)),
    )


def _jit() -> Any:
    """The LLVM backend, or None where llvmlite is missing (said once)."""
    try:
        import llvmlite  # noqa: F401
    except ImportError:
        warnings.warn(
            "llvmlite is not installed: functions run as NumPy code, about a hundred times slower.",
            stacklevel=2,
        )
        return None
    from torseur.machine.llvm import jit

    return jit


# --- entry points in NumPy code, for machines without LLVM ----------------------------------------


@final
class Interpreted:
    """Entries that take the address of a table of addresses, as machine code does."""

    def __init__(self, kernel: Kernel, parameters: tuple[str, ...]) -> None:
        self._kernel = kernel
        self._names = parameters

    def constants(self, table: int) -> None:
        """constants ← parameters."""
        given, out = addresses(table, 2)
        values = dict(zip(self._names, view(given, (len(self._names),)), strict=True))
        formulas = self._kernel.constants
        if formulas:
            view(out, (len(formulas),))[:] = evaluate(list(formulas), values)

    def single(self, table: int) -> None:
        """output ← inputs, for one state."""
        self._rows(addresses(table, len(self._kernel.inputs) + 2), 1)

    def batch(self, table: int) -> None:
        """output ← inputs, row by row in one broadcast."""
        pointers = addresses(table, len(self._kernel.inputs) + 3)
        rows = int(view(pointers[0], (1,), np.int64)[0])
        self._rows(pointers[1:], rows)

    def _rows(self, pointers: list[int], rows: int) -> None:
        kernel = self._kernel
        constants = view(pointers[0], (len(kernel.constants),))
        known = {x.key: c for x, c in zip(kernel.constants, constants, strict=True)}
        values: dict[str, Array] = {}
        for pointer, (_, names) in zip(pointers[1:-1], kernel.inputs, strict=True):
            columns = view(pointer, (rows, len(names))).T
            values |= dict(zip(names, columns, strict=True))
        output = view(pointers[-1], (rows, kernel.size))
        for k, column in enumerate(evaluate(list(kernel.outputs), values, known)):
            output[:, k] = column
