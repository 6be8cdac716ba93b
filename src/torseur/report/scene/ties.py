"""Springs, dampers and rods between two points, as lines on the page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.report.scene.camera import Camera
from torseur.report.scene.solids import Stroke

Array = np.ndarray
_COILS = 9


@final
@dataclass(frozen=True)
class Line:
    """A spring, a damper or a rod from a to b."""

    a: Array
    b: Array
    style: str
    width: float
    shift: float = 0.0  # to the side, in widths

    def strokes(self, view: Camera, name: str) -> Iterator[Stroke]:
        a, b = view.at(self.a), view.at(self.b)
        length = float(np.hypot(*(b - a))) or 1e-9
        along, w = (b - a) / length, view.scale * self.width
        normal = np.array([-along[1], along[0]])

        def at(share: float, side: float) -> Array:
            return a + share * length * along + (side + 2.6 * self.shift) * w * normal

        lines = [[at(s, n) for s, n in line] for line in _lines(self.style)]
        outline = "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line) for line in lines)
        depth = view.depth((self.a + self.b) / 2)
        discs = tuple((float(x), float(y), 1.0) for line in lines for x, y in line)
        yield Stroke(depth, f'<path class="tie {self.style}" d="{outline}"/>', discs=discs)


def _lines(style: str) -> Sequence[Sequence[tuple[float, float]]]:
    """Broken lines: how far along, and how far to the side in widths."""
    if style == "spring":
        places = range(1, 2 * _COILS)
        coils = [(0.14 + 0.36 * k / _COILS, 1.0 if k % 2 else -1.0) for k in places]
        return [[(0, 0), (0.14, 0), *coils, (0.86, 0), (1, 0)]]
    if style == "damper":
        cup = [(0.68, 0.8), (0.35, 0.8), (0.35, -0.8), (0.68, -0.8)]
        return [[(0, 0), (0.35, 0)], cup, [(0.55, 0.6), (0.55, -0.6)], [(0.55, 0), (1, 0)]]
    return [[(0, 0), (1, 0)]]
