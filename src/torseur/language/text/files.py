"""Contents of regular files of a limited size: texts in UTF-8, triangles, columns of numbers."""

from __future__ import annotations

import csv
import os
import re
import stat
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError, suggestion
from torseur.language.text.literals import plain_unit, si_factor, unknown_unit
from torseur.model.checks.limits import LARGEST, LARGEST_MESH, LARGEST_TABLE
from torseur.output import reason
from torseur.spatial.hulls import Triangles
from torseur.words.sentence import say


def read_file(path: Path, largest: int, place: str) -> str:
    """The text of a regular file."""
    try:
        return read_bytes(path, largest, place).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        within = "" if place == str(path) else say(' of "{path}"', path.name)
        problem = say(
            "byte {start}{within} is not UTF-8: {reason}.", error.start, within, error.reason
        )
        raise ModelError(place, problem, "Save the file as UTF-8.") from None


class _Reading(threading.local):
    """Number of files that this thread has read so far."""

    files = 0


_reading = _Reading()


def files_read() -> int:
    """Number of files that this thread has read so far."""
    return _reading.files


def read_bytes(path: Path, largest: int, place: str) -> bytes:
    """The contents of a regular file; its size is checked before it is read."""
    _reading.files += 1
    try:
        # a pipe without a writer would be waited for: it is opened without waiting, and refused
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
        with open(handle, "rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError
            if not stat.S_ISREG(status.st_mode):
                advice = "Pipes and devices are not read: save the text in a file."
                raise ModelError(place, say('"{path}" is not a regular file.', path), advice)
            if status.st_size > largest:
                problem = say(
                    '"{path}" has {st_size} bytes, more than {largest}.',
                    path,
                    status.st_size,
                    largest,
                )
                raise ModelError(
                    place, problem, "Split it, or leave out parts that are not needed."
                )
            return file.read(largest)
    except IsADirectoryError:
        raise ModelError(place, say('"{path}" is a directory, not a file.', path)) from None
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise FileNotFoundError(str(path)) from error
    except OSError as error:
        problem = say('"{path}" cannot be read: {reason}.', path, reason(error))
        raise ModelError(place, problem) from None


def beside(path: Path) -> list[Path]:
    """The files and folders of the folder of a path, in order; none where there is no folder."""
    try:
        return sorted(path.parent.iterdir())
    except (OSError, ValueError):
        return []


# --- surfaces of triangles: STL, in text or binary, and the points and faces of OBJ ---------------


Array = np.ndarray
SUFFIXES = (".stl", ".obj")
_HEADER, _RECORD = 84, 50  # bytes of a binary STL: before the triangles, and of each


def read_triangles(path: Path, place: str) -> Triangles:
    """The surface of a file; a ModelError where it is none, FileNotFoundError where it is not."""
    if path.suffix.lower() not in SUFFIXES:
        problem = say('"{path}" is neither STL nor OBJ.', path.name)
        raise ModelError(place, problem, "Save the mesh as .stl or .obj.")
    content = read_bytes(path, LARGEST_MESH, place)
    surface = _obj(content, path, place) if path.suffix.lower() == ".obj" else _stl(content, path)
    if not len(surface.faces):
        raise ModelError(place, say('"{path}" has no triangle.', path.name))
    if not (np.abs(surface.points) <= LARGEST).all():
        problem = say('"{path}" has a coordinate that is not a finite number.', path.name)
        raise ModelError(place, problem)
    return surface


def _stl(content: bytes, path: Path) -> Triangles:
    count = int.from_bytes(content[80:_HEADER], "little")
    if len(content) == _HEADER + _RECORD * count:
        record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
        corners = np.frombuffer(content, record, count, _HEADER)["corners"]
        return _from_corners(corners.reshape(-1, 3).astype(float))
    lines = enumerate(_text(content), start=1)
    rows = [_numbers(words[1:4], path, k) for k, words in lines if words[0].lower() == "vertex"]
    return _from_corners(np.array(rows, dtype=float).reshape(-1, 3)[: len(rows) // 3 * 3])


def _from_corners(corners: Array) -> Triangles:
    """Triangles by their corners, one after the other; corners at one place are one point."""
    points, which = np.unique(corners, axis=0, return_inverse=True)
    return Triangles(points, which.reshape(-1, 3))


def _obj(content: bytes, path: Path, place: str) -> Triangles:
    """Faces of more than three corners become triangles about the first."""
    points: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    for k, words in enumerate(_text(content), start=1):
        if words[0] == "v":
            points.append(_numbers(words[1:4], path, k))
        elif words[0] == "f":
            corners = [_index(word, len(points), path, k) for word in words[1:]]
            faces += [(corners[0], i, j) for i, j in pairwise(corners[1:])]
    return Triangles(np.array(points).reshape(-1, 3), np.array(faces, dtype=int).reshape(-1, 3))


def _text(content: bytes) -> Iterator[list[str]]:
    """The words of every line; of an empty line, one empty word."""
    for line in content.decode("utf-8", errors="replace").splitlines():
        yield line.split() or [""]


def _numbers(words: list[str], path: Path, line: int) -> list[float]:
    try:
        x, y, z = map(float, words)
    except ValueError:
        problem = say(
            "three coordinates are expected, not {words}.", " ".join(words) or say("none")
        )
        raise ModelError(f"{path}:{line}", problem) from None
    return [x, y, z]


def _index(word: str, count: int, path: Path, line: int) -> int:
    """A place among the points before; negative ones count from the last."""
    try:
        k = int(word.split("/")[0])
    except ValueError:
        k = 0
    if not (0 < k <= count or -count <= k < 0):
        problem = say('"{word}" is no point: there are {count} before this line.', word, count)
        raise ModelError(f"{path}:{line}", problem)
    return k - 1 if k > 0 else count + k


# --- columns of numbers: separators, decimals, heads with units -----------------------------------


_UNIT = re.compile(r"\[([^\[\]]*)\]")


def cells(line: str) -> list[str]:
    """The cells of a line between commas, semicolons (decimals may then have commas) or tabs."""
    separator = next((mark for mark in ";\t" if mark in line), ",")
    texts = [cell.strip() for row in csv.reader([line], delimiter=separator) for cell in row]
    return [cell.replace(",", ".") for cell in texts] if separator == ";" else texts


def filled_rows(text: str) -> list[tuple[int, list[str]]]:
    """The cells of each line that holds anything, with its number; # begins a comment."""
    lines = enumerate(text.splitlines(), start=1)
    filled = ((k, x) for k, x in lines if x.strip() and not x.lstrip().startswith("#"))
    return [(k, cells(line)) for k, line in filled]


def cell_number(cell: str) -> float | None:
    """The number in a cell; None if there is none."""
    try:
        return float(cell)
    except ValueError:
        return None


def head_unit(head: str) -> str:
    """The unit in brackets of a head such as `x [mm]`; empty where there is none."""
    unit = _UNIT.search(head)
    return unit[1].strip() if unit else ""


def unit_size(unit: str, place: str) -> float:
    """Factor from a unit to SI."""
    factor = si_factor(plain_unit(unit)) if unit else 1
    if factor is None:
        raise ModelError(place, *unknown_unit(unit, after_number=False))
    return float(evaluate(factor, {}))


@final
@dataclass(frozen=True, eq=False)
class NumberColumn:
    """The numbers under a name, as they were written, and the unit in brackets after the name."""

    values: Array  # (samples)
    unit: str
    place: str

    @property
    def si(self) -> Array:
        """The numbers in SI units and radians; those without a unit are so already."""
        return np.asarray(self.values * unit_size(self.unit, self.place))


def read_columns(path: str | Path) -> dict[str, NumberColumn]:
    """The columns of a file by name: heads such as `q1 [deg]`, then numbers; # begins a comment."""
    (first, heads), *rows = _rows(path)
    names = [head.split("[")[0].strip() for head in heads]
    if len(set(names)) < len(names) or cell_number(heads[0]) is not None:
        header = ",".join(heads)
        problem = say('the first row is "{header}": a name for each column is needed.', header)
        raise ModelError(f"{path}:{first}", problem, "For instance: t [s],q1 [rad].")
    table = np.array([_row_numbers(path, line, names, row) for line, row in rows])
    return {
        name: NumberColumn(table[:, k], head_unit(heads[k]), f"{path}:{first}")
        for k, name in enumerate(names)
    }


def _rows(path: str | Path) -> list[tuple[int, list[str]]]:
    """The rows that hold anything, with their lines."""
    try:
        rows = filled_rows(read_file(Path(path), LARGEST_TABLE, str(path)))
    except (OSError, ValueError, csv.Error) as error:
        raise ModelError(str(path), say("cannot be read: {said}.", reason(error))) from None
    if len(rows) < 2:
        raise ModelError(
            str(path), say("{number} rows: a row of names and samples are needed.", len(rows))
        )
    return rows


def _row_numbers(path: str | Path, line: int, names: list[str], row: list[str]) -> list[float]:
    if len(row) != len(names):
        problem = say("{number} values in a row of {width} names.", len(row), len(names))
        raise ModelError(f"{path}:{line}", problem)
    numbers = []
    for name, cell in zip(names, row, strict=True):
        number = cell_number(cell)
        if number is None:
            raise ModelError(f"{path}:{line}", say('"{cell}" is not a number.', cell))
        if not abs(number) <= LARGEST:  # NaN neither
            problem = say('"{names}" is {table} in row {number}.', name, number, line)
            raise ModelError(str(path), problem, "Leave samples out that have no value.")
        numbers.append(number)
    return numbers


def needed_column(name: str, columns: Mapping[str, NumberColumn], path: str | Path) -> NumberColumn:
    """One of the columns of a file by its name; a ModelError where it is missing."""
    if name not in columns:
        listed = ", ".join(columns)
        problem = say('a column "{name}" is needed; there are: {columns}.', name, listed)
        raise ModelError(str(path), problem, *suggestion(name, columns))
    return columns[name]
