"""Grids of heights in files: NumPy arrays, tables of numbers, pictures in shades of grey (PNG)."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np

from torseur.errors import ModelError
from torseur.language.text.files import cell_number, filled_rows, read_bytes, read_file
from torseur.model.checks.limits import LARGEST_TABLE
from torseur.words.sentence import say

Array = np.ndarray
SUFFIXES = (".npy", ".csv", ".txt", ".png")
_SIGNATURE, _MOST_PIXELS = b"\x89PNG\r\n\x1a\n", 4_000_000
_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}  # by the kind of colour; of a palette there is no height


def read_heights(path: Path, place: str) -> Array:
    """Rows of heights from the lowest y to the highest.

    Files of numbers have them in this order. A picture is seen from above with y upwards; black is
    0, white is 1.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        problem = say('"{path}" is no file of heights.', path.name)
        raise ModelError(place, problem, say("Files of heights: {known}.", ", ".join(SUFFIXES)))
    if suffix in (".csv", ".txt"):
        return _table(path, place)
    content = read_bytes(path, LARGEST_TABLE, place)
    return _array(content, path, place) if suffix == ".npy" else _picture(content, path, place)


def _table(path: Path, place: str) -> Array:
    rows = filled_rows(read_file(path, LARGEST_TABLE, place))
    table: list[list[float]] = []
    for k, cells in rows:
        row: list[float] = []
        for cell in cells:
            value = cell_number(cell)
            if value is None:
                raise ModelError(f"{path}:{k}", say('"{cell}" is not a number.', cell))
            row.append(value)
        if table and len(row) != len(table[0]):
            problem = say(
                "{count} heights are expected in a row, not {n}.", len(table[0]), len(row)
            )
            raise ModelError(f"{path}:{k}", problem, "All rows have the same number of heights.")
        table.append(row)
    return np.array(table, dtype=float)


def _array(content: bytes, path: Path, place: str) -> Array:
    try:
        loaded = np.load(BytesIO(content), allow_pickle=False)
        return np.asarray(loaded, dtype=float)
    except (ValueError, TypeError, EOFError, OSError, SyntaxError, KeyError, MemoryError):
        raise ModelError(
            place, say('"{path}" is no array of numbers as NumPy saves it.', path.name)
        ) from None


# --- pictures -------------------------------------------------------------------------------------


def _picture(content: bytes, path: Path, place: str) -> Array:
    """Brightness of a picture of 8 or 16 bits whose lines are not interlaced."""

    def fault(problem: str) -> ModelError:
        advice = "Save it in shades of grey, 8 or 16 bits, not interlaced; or as .npy or .csv."
        return ModelError(place, problem, advice)

    try:
        parts = list(_parts(content))
        head = next(x for name, x in parts if name == b"IHDR")
        packed = b"".join(x for name, x in parts if name == b"IDAT")
        width, height = (int.from_bytes(head[k : k + 4], "big") for k in (0, 4))
        bits, colour, interlaced = head[8], head[9], head[12]
        if bits not in (8, 16) or colour not in _CHANNELS or interlaced:
            raise fault(say('"{path}" has a kind of PNG that is not read.', path.name))
        if not 0 < width * height <= _MOST_PIXELS:
            raise fault(say('"{path}" has {w} × {h} pixels.', path.name, width, height))
        size = _CHANNELS[colour] * bits // 8
        length = height * (1 + width * size)
        lines = zlib.decompressobj().decompress(packed, length)
        if len(lines) < length:
            raise ValueError
    except (StopIteration, IndexError, ValueError, zlib.error):
        raise fault(say('"{path}" cannot be read as PNG.', path.name)) from None
    grid = _unfiltered(np.frombuffer(lines, dtype=np.uint8).reshape(height, -1), size)
    values = grid.reshape(height, width, -1, bits // 8).astype(float)
    values = values @ (256.0 ** np.arange(bits // 8)[::-1]) / (2.0**bits - 1)
    shades = values[:, :, : 3 if colour in (2, 6) else 1].mean(axis=2)
    return np.ascontiguousarray(shades[::-1])


def _parts(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not content.startswith(_SIGNATURE):
        raise ValueError
    place = len(_SIGNATURE)
    while place + 8 <= len(content):
        length = int.from_bytes(content[place : place + 4], "big")
        yield content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
        place += 12 + length


def _unfiltered(lines: Array, size: int) -> Array:
    """The bytes of each line; a line is written as differences from those beside and above."""
    result = np.zeros((len(lines), lines.shape[1] - 1), dtype=np.uint8)
    above = np.zeros(result.shape[1], dtype=np.int64)
    for line, target in zip(lines, result, strict=True):
        kind, given = int(line[0]), line[1:].astype(np.int64)
        if kind == 1:
            row = np.cumsum(given.reshape(-1, size), axis=0).ravel()
        elif kind in (0, 2):
            row = given + (above if kind else 0)
        else:
            row = _by_neighbours(given, above, size, kind)
        target[:] = row & 255
        above = target.astype(np.int64)
    return result


def _by_neighbours(given: Array, above: Array, size: int, kind: int) -> Array:
    """A line of differences from the mean of two neighbours (3), or from the likeliest (4)."""
    row = given.copy()
    for k in range(len(row)):
        left = int(row[k - size]) if k >= size else 0
        up, corner = int(above[k]), int(above[k - size]) if k >= size else 0
        if kind == 3:
            row[k] = (row[k] + (left + up) // 2) & 255
        else:
            guess = left + up - corner
            near = min((left, up, corner), key=lambda x: abs(guess - x))
            row[k] = (row[k] + near) & 255
    return row
