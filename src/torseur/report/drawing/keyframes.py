"""Plane bodies and lines that move on the page, as animations of a style sheet."""

from collections.abc import Sequence

import numpy as np

from torseur.report.scene.camera import Camera, Frames, angles_on_page
from torseur.report.scene.ties import TieLine

_SECONDS = (3.0, 12.0)  # that a picture takes at least, and at most
_MOST = 90  # poses in a turn of the animation
_SAME = 1e-2  # of the size on the page: a movement that comes back to its start


def samples(count: int) -> list[int]:
    """The poses that are shown, the first and the last among them."""
    return sorted({round(x) for x in np.linspace(0, count - 1, min(count, _MOST))})


def of_body(frames: Frames, view: Camera, now: int, samples: Sequence[int]) -> list[str]:
    """The changes of place, from that of the sample `now`, of what a body carries."""
    R, p = frames
    at, angles = view.at(p), np.degrees(angles_on_page(R, view))
    x, y = at[now]
    return [
        f"translate({at[k, 0]:.1f}px,{at[k, 1]:.1f}px)rotate({angles[k] - angles[now]:.2f}deg)"
        f"translate({-x:.1f}px,{-y:.1f}px)"
        for k in samples
    ]


def of_line(lines: Sequence[TieLine], view: Camera, now: TieLine) -> list[str]:
    """Keyframes of a line between two bodies, whose length changes."""
    a, b = view.at(now.a), view.at(now.b)
    ends = np.array([[view.at(line.a), view.at(line.b)] for line in lines])
    spans = ends[:, 1] - ends[:, 0]
    angles = np.degrees(np.unwrap(np.arctan2(spans[:, 1], spans[:, 0])))
    heading, length = np.degrees(np.arctan2(*(b - a)[::-1])), float(np.hypot(*(b - a))) or 1.0
    return [
        f"translate({x:.1f}px,{y:.1f}px)rotate({angle:.2f}deg)scaleX({size / length:.4f})"
        f"rotate({-heading:.2f}deg)translate({-a[0]:.1f}px,{-a[1]:.1f}px)"
        for (x, y), angle, size in zip(ends[:, 0], angles, np.hypot(*spans.T), strict=True)
    ]


def sheet(name: str, steps: Sequence[str], seconds: float, back: bool) -> str:
    """The animation `name` of everything of the class `name`; `back` when it returns as it went."""
    shares = np.linspace(0, 100, len(steps))
    frames = "".join(f"{s:.4g}%{{transform:{x}}}" for s, x in zip(shares, steps, strict=True))
    time = float(np.clip(seconds, *_SECONDS))
    way = " alternate" if back else ""
    return (
        f"@keyframes {name}{{{frames}}}.{name}{{animation:{name} {time:.3g}s linear infinite{way}}}"
    )


def returns(frames: Sequence[Frames], size: float) -> bool:
    """Whether every body is at the end where it was at the start."""
    return all(
        np.abs(R[-1] - R[0]).max() < _SAME and np.abs(p[-1] - p[0]).max() < _SAME * size
        for R, p in frames
    )
