"""Code and memory of a motion with contacts, as assembly and C: the machine code of Torseur itself.

The memory of the motion is an array of words with offsets in place of addresses, and the functions
that its tables call are symbols of the assembly, which the compiler of C links.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.core.graph import free_symbols
from torseur.machine.contact.element_table import element_table
from torseur.machine.evaluator import Evaluator
from torseur.machine.integrators.methods import Dop853
from torseur.machine.integrators.motion_memory import MotionMemory
from torseur.machine.llvm import cache as store
from torseur.machine.llvm import jit
from torseur.machine.llvm.module import module_text
from torseur.machine.page.page_code import FIRST_INDEX, PageCode, page_code
from torseur.machine.page.program import PlacedImage, leading_record, starts_of
from torseur.machine.runtime.bitcode import bitcode
from torseur.machine.runtime.image import LINE, Image, image
from torseur.machine.runtime.loop_kernel import KernelSource
from torseur.machine.runtime.wasm_kernels import add_function
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.request import Request

Array = np.ndarray
RTOL = 1e-11
_HORIZON = 1e6  # s: longer than a motion; a step never ends there
_FIELDS = ("budget", "end", "samples", "recorded", "first")
_ARRAYS = ("y", "t", "row", "counter", "codes", "times", "records", "h")
_OF_CONTACTS = ("notes", "noted", "progress", "measured", "known_time")
_FUNCTIONS = ("rate", "project_positions", "project_speeds", "events", "prepare", "settle")
_WORDS_A_LINE = 6
_MARK = 1e12  # stands for a number of a table, plus its place among those asked for


@final
@dataclass(frozen=True)
class Indicator:
    """An indicator of events: −1 falling, +1 rising, 0 both, nan: never an event."""

    name: str
    direction: float
    stops: bool


@final
@dataclass(frozen=True)
class TableValue:
    """A number of a table of contacts, as an expression of parameters."""

    table: str
    k: int
    value: Expr


@final
@dataclass(frozen=True)
class Engine:
    """A motion of contacts about to be written."""

    moving: ContactFormulation
    memory: MotionMemory

    @property
    def elements(self) -> int:
        """How many contact elements there are."""
        return len(self.moving.contacts.parts)

    @property
    def indicators(self) -> list[Indicator]:
        """Indicators of contacts: gaps, forces and speeds, as their state says."""
        return [
            Indicator(f"{part.name}.{k + 1}", direction, stops=False)
            for part in self.moving.contacts.parts
            for k, direction in enumerate((-1.0, -1.0, nan))
        ]

    @cached_property
    def values(self) -> list[TableValue]:
        """Numbers of tables that depend on parameters: restitutions and coefficients of friction.

        Sizes with which speeds and gaps are compared stay those of the values at export.
        """
        contacts, asked = self.moving.contacts, list[Any]()

        def numbered(x: Any) -> float:
            asked.append(expression(x))
            return _MARK + len(asked) - 1

        table = np.ravel(element_table(contacts.state, numbered))
        listed = [
            TableValue("element", int(k), asked[int(table[k] - _MARK)])
            for k in np.flatnonzero(table >= _MARK)
        ]
        for k, part in enumerate(contacts.parts):
            restitution = expression(part.restitution)
            listed.append(TableValue("restitution", k, restitution))
            listed.append(TableValue("tangential", k, expression(part.tangential)))
            if contacts["by_impulse"][k]:
                listed.append(TableValue("returns", k, restitution))
        return [x for x in listed if free_symbols([x.value])]

    def files(self, parameters: Iterable[str]) -> dict[str, str]:
        """The assembly, and a header of the memory; `parameters` in the order of their values."""
        run = self.memory.record
        arrays = {name: self.moving.contacts[name] for name in _OF_CONTACTS}
        record = leading_record(run, {}, arrays)
        content = image(record)
        code = page_code(record, content.functions, self.memory.kernel.moving, Assembly())
        texts = {f"{name}.s": x.decode() for name, x in zip(code.names, code.modules, strict=True)}
        places = PlacedImage(content, starts_of(content, 0)[0])
        lines = [*_symbols(code), *_memory(content, places, code)]
        lines += self._fields(places, code, arrays)
        lines += _constants(code, places, list(parameters))
        if self.values:
            contacts = self.moving.contacts
            words = [places.address(contacts[x.table].ctypes.data) // 8 + x.k for x in self.values]
            lines += _array("static const uint32_t value_places[]", map(str, words))
        return {**texts, "memory.h": "\n".join(["/* Memory of the motion. */", *lines, ""])}

    def _fields(
        self, places: PlacedImage, code: PageCode, arrays: Mapping[str, Array]
    ) -> list[str]:
        """Where numbers of the record, arrays and functions are, in words."""
        run = self.memory.record
        first = places.address(run.address) // 8
        lines = [f"#define KERNEL {code.indices[''] - FIRST_INDEX}"]
        lines += [f"#define RECORD {first}", f"#define RECORD_SIZE {run.words.size}"]
        lines += [f"#define FIELD_{x.upper()} {first + run.layout.words[x]}" for x in _FIELDS]
        known = {name: run.arrays[name] for name in _ARRAYS} | dict(arrays)
        for name, array in known.items():
            place = places.address(array.ctypes.data) // 8 if array.size else 0
            lines.append(f"#define AT_{name.upper()} {place}")
        for name in _FUNCTIONS:
            if name in run.called:
                index, table, clock = places.function(run.called[name], code.indices[name])
                entry = f"{{{index - FIRST_INDEX}, {table // 8}, {clock // 8}}}"
                lines.append(f"#define FUNCTION_{name.upper()} {entry}")
        return [*lines, f"#define ELEMENTS {self.elements}", f"#define WIDTH {self._width}"]

    @property
    def _width(self) -> int:
        """Numbers of a row of the table of events."""
        return len(self.moving.start) + 3


def engine(begin: JointStart) -> Engine:
    """The motion of a mechanism with contacts, from event to event."""
    moving = ContactFormulation(begin, Dop853(rtol=RTOL))
    return Engine(moving, moving.ready(Request(np.array([0.0, _HORIZON]))))


@final
class Assembly:
    """Text for the family of processors at hand."""

    def __init__(self) -> None:
        self._triple = jit.default_triple()

    def kernel(self, source: KernelSource, name: str) -> bytes:
        """The text of a kernel."""
        key = store.key("assembly", self._triple, name, modules=(source.module, __name__))

        def make() -> bytes:
            module = jit.from_bitcode(bitcode(source.module, source.name, source.lanes))
            return self._text(module, name, add_function(module))

        return store.read_or_make(key, make)

    def functions(self, evaluator: Evaluator, name: str, exported: Mapping[str, str]) -> bytes:
        """The text of the functions of a mechanism."""
        module = jit.parsed(module_text(evaluator.kernel, evaluator.parameters))
        for entry, public in exported.items():
            module.get_function(entry).name = public
        return self._text(module, name, list(exported.values()))

    def _text(self, module: Any, name: str, exported: list[str]) -> bytes:
        """The text of a module, whose functions but the exported ones are not seen."""
        for function in jit.with_elementary(module).functions:
            if function.is_declaration:
                continue
            if function.name in exported:
                function.name = symbol(name, function.name)
            else:
                function.linkage = "internal"
        return jit.assembly_elsewhere(module, self._triple).encode()


def symbol(module: str, export: str) -> str:
    """The symbol of a function of a module."""
    return f"{module}_{export}"


def _symbols(code: PageCode) -> list[str]:
    """Declarations of the functions, and their table."""
    names = [symbol(code.names[module], export) for module, export in code.table]
    makers = [symbol(code.names[x.module], x.function) for x in code.constants]
    lines = [f"extern int64_t {name}(int64_t);" for name in dict.fromkeys((*names, *makers))]
    return [*lines, f"static Code *const functions[] = {{{', '.join(names)}}};"]


def _memory(content: Image, places: PlacedImage, code: PageCode) -> list[str]:
    """The words of the blocks, where offsets stand in them, and where functions."""
    blocks = content.at(places.starts, dict.fromkeys(code.indices, 0))
    size = places.starts[-1] // 8 + blocks[-1].size
    words = np.zeros(size, dtype=np.int64)
    offsets, calls = list[int](), list[str]()
    for start, block, contents in zip(places.starts, content.blocks, blocks, strict=True):
        first = start // 8
        words[first : first + contents.size] = contents
        offsets += [first + int(word) for word, *_ in block.addresses.tolist()]
        calls += [
            f"{{{first + word}, {code.indices[name] - FIRST_INDEX}}}"
            for word, name in block.functions.items()
        ]
    written = [f"{x}" if -(2**31) < x < 2**31 else f"0x{x & (2**64 - 1):x}" for x in words.tolist()]
    return [
        f"#define LINE {LINE}",
        f"#define WORDS {size}",
        *_array("static const uint64_t words[]", written),
        *_array("static const uint32_t offsets[]", map(str, offsets)),
        *_array("static const uint32_t calls[][2]", calls),
    ]


def _constants(code: PageCode, places: PlacedImage, parameters: list[str]) -> list[str]:
    """What makes constants of values: of parameters by their place, or numbers."""
    lines, rows = list[str](), list[str]()
    for k, x in enumerate(code.constants):
        index = [parameters.index(n) if n in parameters else -1 for n in x.parameters]
        lines += _array(f"static const int chosen_{k}[]", map(str, index or [0]))
        lines += _array(f"static const double given_{k}[]", map(_number, x.values.tolist() or [0]))
        place = places.address(x.constants.ctypes.data) // 8
        name = symbol(code.names[x.module], x.function)
        rows.append(f"{{{name}, {place}, {len(index)}, chosen_{k}, given_{k}}}")
    most = max((len(x.parameters) for x in code.constants), default=0)
    return [*lines, f"#define MOST_PARAMETERS {max(most, 1)}",
            *_array("static const Making makings[]", rows)]  # fmt: skip


def _number(x: float) -> str:
    return repr(x) if x == x else "0.0"


def _array(head: str, entries: Iterable[str]) -> list[str]:
    """An array in lines of some entries."""
    listed = list(entries)
    rows = [", ".join(listed[k : k + _WORDS_A_LINE]) for k in range(0, len(listed), _WORDS_A_LINE)]
    return [f"{head} = {{", *(f"    {row}," for row in rows), "};"]
