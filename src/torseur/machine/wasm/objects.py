"""Modules of WebAssembly from the object code that LLVM emits: no linker is needed.

The indices in an object of one module are final. What is for a linker goes away, and the functions
that are called from outside are exported by their names. Memory, table, stack pointer, the place of
data and functions of other modules are imports from "env", by the names of shared libraries of
Emscripten.

Reference: WebAssembly Core Specification (binary format), and the tool conventions for linking.
"""

from __future__ import annotations

from collections.abc import Iterable

from torseur.machine.wasm.binary import (
    CUSTOM,
    DATA,
    DATA_COUNT,
    EXPORT,
    IMPORT,
    MAGIC,
    Reader,
    exports,
    imports,
    module,
    number,
    sections,
    text,
    vector,
)

_SYMBOLS, _FUNCTION = 8, 0  # the table of symbols in the section "linking"; a kind of symbol
_UNDEFINED, _NAMED = 0x10, 0x40  # flags of a symbol
_NAMES = {"__linear_memory": "memory"}  # of imports: as a linker knows them, as a library does
_GLOBAL = 3  # kind of an import
_BASE = "__memory_base"  # the import that says where data stand
_GLOBAL_VALUE, _CONSTANT, _END = 0x23, 0x41, 0x0B  # instructions


def module_of(code: bytes, exported: Iterable[str]) -> bytes:
    """The module of an object, with the functions of these names exported."""
    assert code.startswith(MAGIC), "this is no object of WebAssembly"
    content, linking = dict[int, bytes](), b""
    for kind, section in sections(code):
        if kind != CUSTOM:
            content[kind] = section
        elif (reader := Reader(section)).name() == "linking":
            linking = reader.rest()
    functions = _functions(linking)
    content[EXPORT] = exports({name: functions[name] for name in exported})
    content[IMPORT], base = _imports(content[IMPORT])
    size = 0
    if DATA in content:
        content[DATA], size = _based(content[DATA], base)
        content[DATA_COUNT] = number(1)
    return module(content, size)


def _imports(section: bytes) -> tuple[bytes, int]:
    """Imports by the names of libraries, and the index of the global with the place of data."""
    listed = list(imports(section))
    globals_ = [name for _, name, described in listed if described[0] == _GLOBAL]
    base = globals_.index(_BASE) if _BASE in globals_ else -1
    renamed = (text(home) + text(_NAMES.get(name, name)) + x for home, name, x in listed)
    return vector(renamed), base


def _based(section: bytes, base: int) -> tuple[bytes, int]:
    """Data as one segment from the place of data on, and how many bytes that is."""
    reader, memory = Reader(section), bytearray()
    for _ in range(reader.number()):
        assert (reader.number(), reader.byte()) == (0, _CONSTANT), "a segment at a known place"
        start = reader.number()
        assert reader.byte() == _END, "the end of the place"
        content = reader.take(reader.number())
        memory.extend(bytes(start + len(content) - len(memory)))
        memory[start : start + len(content)] = content
    assert base >= 0, "data without a place"
    place = bytes([0, _GLOBAL_VALUE]) + number(base) + bytes([_END])
    return vector([place + number(len(memory)) + bytes(memory)]), len(memory)


def _functions(linking: bytes) -> dict[str, int]:
    """The index of each function that is defined, by name."""
    reader, indices = Reader(linking), dict[str, int]()
    reader.number()  # the version
    while reader:
        kind, content = reader.byte(), Reader(reader.take(reader.number()))
        if kind == _SYMBOLS:
            for _ in range(content.number()):
                _read_symbol(content, indices)
    return indices


def _read_symbol(reader: Reader, indices: dict[str, int]) -> None:
    kind, flags = reader.byte(), reader.number()
    is_named = not flags & _UNDEFINED or bool(flags & _NAMED)
    if kind == 1:  # data
        reader.name()
        if not flags & _UNDEFINED:
            for _ in range(3):
                reader.number()
        return
    index = reader.number()
    if is_named and kind != 3:  # a section has no name
        name = reader.name()
        if kind == _FUNCTION and not flags & _UNDEFINED:
            indices[name] = index
