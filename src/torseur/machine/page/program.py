"""Program of a page: modules, memory with final addresses, and where a script finds what in it.

The memory of a page starts at 0: what the modules bring, the stack, then the blocks of the image.
Addresses are final when the program is made, so that a page copies bytes and patches nothing.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any, final

import numpy as np

from torseur.machine.integrators.motion_memory import MotionMemory
from torseur.machine.integrators.problem import Entry
from torseur.machine.page.page_code import FIRST_INDEX, PageCode, page_code
from torseur.machine.runtime.image import LINE, Image, image
from torseur.machine.runtime.memory import Called, Columns, Layout, Record
from torseur.machine.wasm.binary import data_size, imported
from torseur.machine.wasm.elementary import SYMBOLS, elementary_module

Array = np.ndarray
DATA = 4096  # bytes from 0 on for what modules bring
STACK = 1 << 20  # bytes of the stack, which ends where the image begins
_PAGE = 1 << 16  # bytes by which memory of WebAssembly grows
_FIELDS = ("budget", "end", "samples", "recorded")
_ARRAYS = (
    *("y", "t", "row", "counter", "codes"),
    *("times", "states", "filled", "accepted", "rejected", "records"),
)
_IF_GIVEN = ("acting", "limits")


@final
@dataclass(frozen=True)
class PageProgram:
    """A motion as a page needs it."""

    code: PageCode
    start: int  # of the image in memory
    memory: bytes
    places: Mapping[str, Any]  # what is where

    def document(self) -> dict[str, Any]:
        """The program as plain data, packed."""
        return {
            "elementary": [packed(x) for x in self.elementary],
            "modules": [packed(x) for x in self.code.modules],
            "data": self._places_of_data(),
            "table": self.code.table,
            "first": FIRST_INDEX,
            "stack": self.start,
            "start": self.start,
            "memory": packed(self.memory),
            "pages": -(-(self.start + len(self.memory)) // _PAGE),
            **self.places,
        }

    @property
    def size(self) -> int:
        """Bytes of all modules."""
        return sum(map(len, [*self.elementary, *self.code.modules]))

    @cached_property
    def elementary(self) -> list[bytes]:
        """Modules of the elementary functions that others import."""
        needed = dict.fromkeys(name for x in self.code.modules for name in imported(x))
        return [elementary_module(SYMBOLS[name]) for name in needed]

    def _places_of_data(self) -> list[int]:
        """Where the data of each module stand."""
        places = [0]
        for module in self.code.modules:
            places.append(-(-(places[-1] + data_size(module)) // LINE) * LINE)
        assert places.pop() <= DATA, "data of modules have room"
        return places


def script(name: str) -> str:
    """A script that runs programs: motion.js or course.js."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def packed(content: bytes) -> str:
    """Deflated bytes as base64."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(packer.compress(content) + packer.flush()).decode()


def program(
    motion: MotionMemory, called: Mapping[str, Entry], arrays: Mapping[str, Array]
) -> PageProgram:
    """The program of a motion before its first step.

    `called` are functions that the script of the page calls besides those of the motion, and
    `arrays` memory that it reads, by name.
    """
    run, record = motion.record, leading_record(motion.record, called, arrays)
    content = image(record)
    code = page_code(record, content.functions, motion.kernel.moving)
    starts, size = starts_of(content)
    blocks = content.at(starts, code.indices)
    memory = np.zeros(size - starts[0], dtype=np.uint8)
    for start, words in zip(starts, blocks, strict=True):
        place = start - starts[0]
        memory[place : place + words.nbytes] = words.view(np.uint8)
    of = PlacedImage(content, starts)
    known = (*_ARRAYS, *_IF_GIVEN)
    named = {name: run.arrays[name] for name in known if name in run.arrays}
    places = {
        "kernel": code.indices[""],
        "record": [of.address(run.address), run.words.nbytes],
        "fields": {name: run.layout.words[name] for name in _FIELDS},
        "arrays": {name: of.array(x) for name, x in {**named, **arrays}.items()},
        "functions": {
            name: of.function(x, code.indices[name])
            for name, x in {**run.called, **record.called}.items()
        },
        "constants": [
            [x.function, of.address(x.constants.ctypes.data), x.parameters, x.values.tolist()]
            for x in code.constants
        ],
        "free": size,
    }
    return PageProgram(code, starts[0], memory.tobytes(), places)


def leading_record(run: Record, called: Mapping[str, Entry], arrays: Mapping[str, Array]) -> Record:
    """A record that leads to that of a motion and to all that is called besides."""
    layout = Layout(
        functions=tuple(called),
        arrays=tuple(arrays),
        wholes=("motion",),
        columns={"motion": Columns(1, (0,))},
    )
    record = Record(layout)
    record.hold(motion=np.array([run.address]))
    record.keep(**arrays)
    for name, entry in called.items():
        record.call(name, entry)
    record.further.append(("", run))
    return record


def starts_of(content: Image, first: int = DATA + STACK) -> tuple[list[int], int]:
    """Addresses of the blocks, as far from the start of a line as they were, and the end."""
    place, starts = first, list[int]()
    for block in content.blocks:
        place = -(-place // LINE) * LINE + block.shift
        starts.append(place)
        place += block.words.nbytes
    return starts, -(-place // LINE) * LINE


@final
@dataclass(frozen=True)
class PlacedImage:
    """Addresses in memory that is placed elsewhere."""

    content: Image
    starts: list[int]

    def address(self, address: int) -> int:
        """That of memory which stands at an address here."""
        block, offset = self.content.where(address)
        return self.starts[block] + offset

    def array(self, x: Array) -> list[int]:
        """That of an array, and how many numbers it has."""
        return [self.address(x.ctypes.data) if x.size else 0, x.size]

    def function(self, called: Called, index: int) -> list[int]:
        """The index of a function, the address of its table and that of its clock."""
        places = called.table.ctypes.data, called.clock.ctypes.data
        return [index, *map(self.address, places)]
