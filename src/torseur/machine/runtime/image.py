"""Image of a record: all memory that it leads to, free of addresses, to be placed anywhere.

Records, tables and arrays declare which of their words are addresses (`runtime/memory.py`). An
image lists their contents as blocks, where each address leads, and functions by name. The bytes of
an image serve wherever the same kernels run: another place of memory, process or page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.machine.runtime.memory import Piece, Record

Array = np.ndarray
LINE = 64  # bytes: blocks stand as far from the start of a line as they did


@final
@dataclass(frozen=True)
class Block:
    """A stretch of memory in words of 64 bits; addresses in it are zero."""

    name: str  # of the first array in it
    words: Array
    shift: int  # bytes between the start of a line and its own
    addresses: Array  # (…, 3): word, the block that it leads to, bytes from the start of that
    functions: Mapping[int, str]  # by word
    passing: Array  # words that are written before each use


@final
@dataclass(frozen=True)
class Image:
    """The memory of a motion."""

    blocks: tuple[Block, ...]
    start: tuple[int, int]  # of the record: its block, and bytes from the start of that
    functions: Mapping[str, int]  # the address of each where the image was taken
    origins: Array  # (blocks, 2): first and last address of each there

    def where(self, address: int) -> tuple[int, int]:
        """The block of an address where the image was taken, and bytes from its start."""
        first, last = self.origins.T
        block = int(_Blocks(first, last).of(np.array([address]))[0])
        assert block >= 0, "the image does not have this memory"
        return block, address - int(first[block])

    def at(self, places: Sequence[int], functions: Mapping[str, int]) -> list[Array]:
        """The words of the blocks for these addresses of blocks and of functions."""
        contents = []
        for block in self.blocks:
            words = block.words.copy()
            for word, other, offset in block.addresses.tolist():
                words[word] = places[other] + offset
            for word, name in block.functions.items():
                words[word] = functions[name]
            contents.append(words)
        return contents


def image(record: Record) -> Image:
    """The image of a record as it is now."""
    pieces = [x for x in record.pieces("") if x.memory.size]
    starts = np.array([x.memory.ctypes.data for x in pieces])
    ends = starts + [x.memory.nbytes for x in pieces]
    order = np.argsort(starts, kind="stable")
    first, last = list[int](), list[int]()  # of blocks: pieces that share memory are one
    for k in order:
        if first and starts[k] < last[-1]:
            last[-1] = max(last[-1], int(ends[k]))
        else:
            first.append(int(starts[k]))
            last.append(int(ends[k]))
    known = _Blocks(np.array(first), np.array(last))
    empty = {x.memory.ctypes.data for x in record.pieces("") if not x.memory.size}
    owners = known.of(starts)
    members: list[list[Piece]] = [[] for _ in first]
    for k in order:
        members[owners[k]].append(pieces[k])
    functions: dict[str, int] = {}
    blocks = tuple(
        _block(known, start, stop, listed, functions, empty)
        for start, stop, listed in zip(first, last, members, strict=True)
    )
    root = int(known.of(np.array([record.address]))[0])
    origins = np.array([first, last]).T
    return Image(blocks, (root, record.address - first[root]), functions, origins)


@final
@dataclass(frozen=True)
class _Blocks:
    """The stretches of memory, in order."""

    first: Array
    last: Array

    def of(self, addresses: Array) -> Array:
        """The block of each address; −1: none."""
        blocks = np.searchsorted(self.first, addresses, side="right") - 1
        return np.where((blocks >= 0) & (addresses < self.last[blocks]), blocks, -1)


def _block(
    known: _Blocks, start: int, stop: int, listed: list[Piece], functions: dict[str, int],
    empty: set[int],
) -> Block:  # fmt: skip
    """A block of pieces; the addresses of functions are added to those known."""
    words = np.zeros((stop - start) // 8, dtype=np.int64)
    addresses, passing, named = set[int](), set[int](), dict[int, str]()
    for piece in listed:
        shift = (piece.memory.ctypes.data - start) // 8
        content = np.ravel(piece.memory).view(np.int64)
        words[shift : shift + content.size] = content
        addresses.update(shift + k for k in piece.addresses)
        passing.update(shift + k for k in piece.passing)
        named |= {shift + k: name for k, name in piece.functions.items() if content[k]}
    functions |= {name: int(words[k]) for k, name in named.items()}
    leading = np.array(sorted(k for k in addresses if words[k]), dtype=np.int64)
    to = known.of(words[leading])
    for k in np.flatnonzero(to < 0):
        assert int(words[leading[k]]) in empty, f"{listed[0].name}, word {leading[k]}: undeclared"
    leading, to = leading[to >= 0], to[to >= 0]
    table = np.stack([leading, to, words[leading] - known.first[to]], axis=1)
    words[sorted({*addresses, *passing, *named})] = 0
    left = np.array(sorted(passing), dtype=np.int64)
    return Block(listed[0].name, words, start % LINE, table, named, left)
