"""Surfaces of triangles from files: STL, in text or binary, and the points and faces of OBJ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from torseur.errors import ModelError
from torseur.language.text.files import read_bytes
from torseur.model.checks.limits import LARGEST, LARGEST_MESH
from torseur.spatial.hulls import Triangles
from torseur.words.sentence import say

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
