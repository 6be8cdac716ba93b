"""Binary format of WebAssembly: numbers, names and sections, read and written.

Reference: WebAssembly Core Specification (binary format).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

MAGIC = b"\0asm\1\0\0\0"
CUSTOM, TYPE, IMPORT, FUNCTION, EXPORT, CODE, DATA, DATA_COUNT = 0, 1, 2, 3, 7, 10, 11, 12
_ORDER = (TYPE, IMPORT, FUNCTION, 4, 5, 6, EXPORT, 8, 9, DATA_COUNT, CODE, DATA)  # of sections
_SHARED_LIBRARY, _MEMORY_NEEDS = "dylink.0", 1  # a custom section, and its part about memory


class Reader:
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

    def rest(self) -> bytes:
        return self.content[self.place :]


def sections(code: bytes) -> Iterator[tuple[int, bytes]]:
    """Kind and content of each section."""
    reader = Reader(code)
    reader.take(len(MAGIC))
    while reader:
        kind = reader.byte()
        yield kind, reader.take(reader.number())


def number(value: int) -> bytes:
    """A whole number that is not negative."""
    groups = bytearray()
    while value > 127:
        groups.append(value & 127 | 128)
        value >>= 7
    return bytes([*groups, value])


def signed(value: int) -> bytes:
    """A whole number with its sign."""
    groups = bytearray()
    while not -64 <= value < 64:
        groups.append(value & 127 | 128)
        value >>= 7
    return bytes([*groups, value & 127])


def text(name: str) -> bytes:
    """A name."""
    return number(len(name.encode())) + name.encode()


def vector(entries: Iterable[bytes]) -> bytes:
    """Entries after their number."""
    listed = list(entries)
    return number(len(listed)) + b"".join(listed)


def exports(functions: Mapping[str, int]) -> bytes:
    """The content of a section that exports functions by name."""
    return vector(text(name) + b"\0" + number(index) for name, index in functions.items())


def module(content: Mapping[int, bytes], data: int = 0) -> bytes:
    """A module of sections, which fills so many bytes of memory where it is placed.

    Its first section is that of a shared library of Emscripten, so that Pyodide can load it.
    """
    needs = number(data) + number(4 if data else 0) + number(0) + number(0)  # aligned to 16 bytes
    library = text(_SHARED_LIBRARY) + bytes([_MEMORY_NEEDS]) + number(len(needs)) + needs
    listed = [(CUSTOM, library), *((kind, content[kind]) for kind in _ORDER if kind in content)]
    return MAGIC + b"".join(bytes([kind]) + number(len(x)) + x for kind, x in listed)


def data_size(code: bytes) -> int:
    """Bytes of memory that a module of a library needs."""
    reader = Reader(next(sections(code))[1])
    reader.name()
    reader.take(2)  # the kind of the part and its length
    return reader.number()


def imported(code: bytes) -> list[str]:
    """The names of the functions that a module imports."""
    return [
        name for _, name, described in imports(dict(sections(code))[IMPORT]) if not described[0]
    ]


def imports(section: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Home, name and description of each import."""
    reader = Reader(section)
    for _ in range(reader.number()):
        home, name, start = reader.name(), reader.name(), reader.place
        kind = reader.byte()
        if kind == 0:  # a function of a type
            reader.number()
        elif kind == 3:  # a global number, which may change
            reader.take(2)
        else:  # a table of a kind, or memory, with limits
            if kind == 1:
                reader.byte()
            for _ in range(1 + (reader.byte() & 1)):
                reader.number()
        yield home, name, reader.content[start : reader.place]
