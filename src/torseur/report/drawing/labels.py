"""Labels put where they hide nothing, and the way a name is written in SVG."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import final
from unicodedata import normalize

import numpy as np

from torseur.algebra.printing.names import GREEK, identifier
from torseur.algebra.printing.unicode import DOTS
from torseur.report.drawing.pencil import Disc, Rectangle
from torseur.report.scene.camera import Camera

Array = np.ndarray

HEIGHT = {"coordinate": 17.0, "length": 15.0, "axis": 14.0}
_DIRECTIONS = 16


@final
@dataclass(frozen=True)
class Label:
    """Words to be written near a point of space, on the side of `towards` if there is room."""

    at: Array
    words: tuple[str, ...]
    style: str
    towards: Array | None = None
    distance: float = 0.0


def placed_labels(
    labels: Sequence[Label], view: Camera, discs: Iterable[Disc]
) -> list[tuple[Label, Array]]:
    """Each label with the place of its middle on the page, chosen one after the other."""
    obstacles = np.array(list(discs), dtype=float).reshape(-1, 3)
    occupied: list[Rectangle] = []
    placed = []
    for label in labels:
        width, height = extent(label)
        at, best, least = view.at(label.at), None, np.inf
        for place in _places(label, view, at, width, height):
            box = _box(place, width, height)
            cost = _overlap(box, obstacles, occupied) + _preference(label, view, at, place)
            if cost < least:
                best, least = place, cost
        assert best is not None, "a label has places to choose from"
        occupied.append(_box(best, width, height))
        placed.append((label, best))
    return placed


def extent(label: Label) -> tuple[float, float]:
    """Width and height of a label."""
    height = HEIGHT[label.style]
    letters = sum(len(word) for word in label.words) + 2 * (len(label.words) - 1)
    return 0.56 * height * max(letters, 1), height


def covered(label: Label, at: Array) -> list[Disc]:
    """The place a label covers, as discs in a row."""
    width, height = extent(label)
    steps = max(1, round(width / height))
    offsets = ((k + 0.5) / steps - 0.5 for k in range(steps))
    return [(float(at[0] + width * part), float(at[1]), height / 2) for part in offsets]


def _places(label: Label, view: Camera, at: Array, width: float, height: float) -> list[Array]:
    places = []
    for further in (0.0, 0.5, 1.2):
        for angle in 2 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS:
            way = np.array([np.cos(angle), np.sin(angle)])
            reach = view.scale * label.distance + further * height
            places.append(at + way * (reach + 0.5 * np.array([width, height]) @ np.abs(way)))
    return places


def _preference(label: Label, view: Camera, at: Array, place: Array) -> float:
    away = place - at
    cost = 0.02 * float(np.hypot(*away))
    if label.towards is not None:
        way = view.at(label.towards)
        size = float(np.hypot(*way) * np.hypot(*away))
        cost += 0.6 * (1 - float(way @ away) / size) if size > 1e-9 else 0.0
    return cost


def _box(place: Array, width: float, height: float) -> Rectangle:
    x, y = float(place[0]), float(place[1])
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _overlap(box: Rectangle, discs: Array, occupied: list[Rectangle]) -> float:
    """Area of the drawing and of earlier labels that a label hides."""
    x, y, r = discs.T
    dx = np.maximum(np.maximum(box[0] - x, x - box[2]), 0.0)
    dy = np.maximum(np.maximum(box[1] - y, y - box[3]), 0.0)
    cost = float(np.maximum(0.0, 1 - np.hypot(dx, dy) / (r + 6.0)).sum())
    for left, top, right, bottom in occupied:
        if box[0] < right + 4 and left < box[2] + 4 and box[1] < bottom + 2 and top < box[3] + 2:
            cost += 6.0
    return cost


def written(label: Label, place: Array) -> str:
    """The label as SVG text, centred on its place."""
    names = '<tspan class="upright">, </tspan>'.join(svg_name(word) for word in label.words)
    height = HEIGHT[label.style]
    return (
        f'<text class="label {label.style}" x="{place[0]:.1f}" y="{place[1] + 0.32 * height:.1f}" '
        f'font-size="{height:g}">{names}</text>'
    )


def svg_name(name: str) -> str:
    """A name with its subscript lowered and its dots above: q1 as q₁, x. as ẋ."""
    parts = identifier(name)
    stem = _dotted(GREEK.get(parts.stem, parts.stem), parts.dots)
    if not parts.subscripts:
        return stem
    below = escape(",".join(GREEK.get(word, word) for word in parts.subscripts))
    lowered = f'<tspan class="upright" dy="0.28em" font-size="72%">{below}</tspan>'
    return f'{stem}{lowered}<tspan dy="-0.2em">\u200b</tspan>'


def _dotted(letters: str, dots: int) -> str:
    """Letters with dots above: as one sign where there is one, else the dots set over them."""
    whole = normalize("NFC", letters + DOTS[min(dots, 3)])
    if not dots or len(whole) == len(letters):
        return f"<tspan>{escape(whole)}</tspan>"
    signs, wide = "\u02d9" * dots, 0.24 * len(letters) + 0.17 * dots  # [em], about
    over = f'<tspan dx="{-wide:.2f}em" dy="-0.3em">{signs}</tspan>'
    return f'<tspan>{escape(letters)}</tspan>{over}<tspan dy="0.3em">\u200b</tspan>'
