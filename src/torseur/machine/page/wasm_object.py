"""Modules of WebAssembly from the object code that LLVM emits: no linker is needed.

The indices in an object of one module are final. What is for a linker goes away, and the functions
that are called from outside are exported by their names. Memory, table and stack pointer stay
imports from "env": all modules of a page share them.

Reference: WebAssembly Core Specification (binary format), and the tool conventions for linking.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

MAGIC = b"\0asm\1\0\0\0"
_CUSTOM, _IMPORT, _EXPORT, _CODE, _DATA = 0, 2, 7, 10, 11
_DATA_COUNT = 12
_ORDER = (1, 2, 3, 4, 5, 6, _EXPORT, 8, 9, _DATA_COUNT, _CODE, _DATA)  # of sections in a module
_SYMBOLS, _FUNCTION = 8, 0  # the table of symbols in the section "linking"; a kind of symbol
_UNDEFINED, _NAMED = 0x10, 0x40  # flags of a symbol


class _Reader:
    """Bytes that are read from the start to the end."""

    def __init__(self, content: bytes) -> None:
        self.content, self.place = content, 0

    def __bool__(self) -> bool:
        return self.place < len(self.content)

    def byte(self) -> int:
        self.place += 1
        return self.content[self.place - 1]

    def number(self) -> int:
        """A whole number in groups of seven bits, the lowest first."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def take(self, count: int) -> bytes:
        self.place += count
        return self.content[self.place - count : self.place]

    def name(self) -> str:
        return self.take(self.number()).decode()


def module_of(code: bytes, exported: Iterable[str]) -> bytes:
    """The module of an object, with the functions of these names exported."""
    assert code.startswith(MAGIC), "this is no object of WebAssembly"
    sections, linking = dict[int, bytes](), b""
    for kind, content in _sections(code):
        if kind != _CUSTOM:
            sections[kind] = content
        elif (reader := _Reader(content)).name() == "linking":
            linking = content[reader.place :]
    functions = _functions(linking)
    entries = [_text(name) + b"\0" + _number(functions[name]) for name in exported]
    sections[_EXPORT] = _number(len(entries)) + b"".join(entries)
    return MAGIC + b"".join(
        bytes([kind]) + _number(len(sections[kind])) + sections[kind]
        for kind in _ORDER if kind in sections
    )  # fmt: skip


def has_data(code: bytes) -> bool:
    """Whether a module fills memory, from its start on."""
    return any(kind == _DATA for kind, _ in _sections(code))


def _sections(code: bytes) -> Iterator[tuple[int, bytes]]:
    reader = _Reader(code)
    reader.take(len(MAGIC))
    while reader:
        kind = reader.byte()
        yield kind, reader.take(reader.number())


def _functions(linking: bytes) -> dict[str, int]:
    """The index of each function that is defined, by name."""
    reader, indices = _Reader(linking), dict[str, int]()
    reader.number()  # the version
    while reader:
        kind, content = reader.byte(), _Reader(reader.take(reader.number()))
        if kind == _SYMBOLS:
            for _ in range(content.number()):
                _read_symbol(content, indices)
    return indices


def _read_symbol(reader: _Reader, indices: dict[str, int]) -> None:
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


def _number(value: int) -> bytes:
    groups = bytearray()
    while value > 127:
        groups.append(value & 127 | 128)
        value >>= 7
    return bytes([*groups, value])


def _text(name: str) -> bytes:
    return _number(len(name.encode())) + name.encode()
