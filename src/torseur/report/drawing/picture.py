"""A moment of a run as an SVG picture, or a plane mechanism that moves in it."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import final

import numpy as np

from torseur.errors import ModelError
from torseur.model.description import GROUND, Mechanism
from torseur.output import writable, write_text
from torseur.report.assets import asset
from torseur.report.drawing.labels import paper, svg_document
from torseur.report.drawing.pencil import (
    THICKNESS,
    Disc,
    Stroke,
    bounds,
    fitted,
    hatched,
    pattern,
    points,
    polyline,
    prefix,
    strokes,
)
from torseur.report.scene.camera import Camera, Frames, angles_on_page
from torseur.report.scene.movement_sources import movement, one_pose
from torseur.report.scene.scene_solids import Polyline
from torseur.report.scene.snapshot import Moment
from torseur.report.scene.ties import TieLine
from torseur.simulation.run.files import SavedRun
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
_COLOURS = 8
_ROOM = 14.0  # around the mechanism [px]
_POSES = 24  # of a movement, to find how much room it needs


def picture(
    run: Run | SavedRun,
    path: str | os.PathLike[str],
    t: float = 0.0,
    *,
    size: tuple[int, int] = (480, 360),
    reader: Sequence[float] | Array | None = None,
    ghosts: int = 0,
    moving: bool = False,
) -> Path:
    """Write a picture of a run at the time t as SVG, with the paths of named points.

    A plane mechanism is seen along its normal, others from where they show best; `reader` is
    another direction to look from. `ghosts` other poses of the run are drawn faintly. A plane
    mechanism can be `moving`: the picture plays the run again and again, without a script.
    """
    place = writable(path)
    if reader is not None and (np.shape(reader) != (3,) or not np.any(reader)):
        raise ModelError(
            "picture", say("reader {reader} is not a direction.", reader), "Give [1, 0, 0.5]."
        )
    motion = movement(run, reactions=False)
    moment = Moment(motion, t, reader)
    if moving and not moment.is_plane:
        problem = say(
            '"{mechanism}" does not move in the plane of the page.', moment.geometry.mechanism.name
        )
        advice = "Show it with ts.view(run, path), or leave `moving` out."
        raise ModelError("picture", problem, advice)
    last = len(motion.q) - 1
    others = [round(last * (k + 1) / ghosts) for k in range(ghosts)]
    seconds = float(np.ptp(motion.axis.values)) if moving else None
    return write_text(place, _Sheet(moment, others, seconds).svg(size))


def picture_svg(mechanism: Mechanism, size: tuple[int, int]) -> str:
    """Picture of a mechanism, in a pose that shows it well."""
    return _Sheet(Moment(one_pose(mechanism), 0.0, None), [], None).svg(size)


@final
class _Sheet:
    """A moment on the page, with other poses and, when it moves, the time it takes."""

    def __init__(self, moment: Moment, others: list[int], seconds: float | None) -> None:
        self.moment, self.others, self.seconds = moment, others, seconds
        self.bodies = {body: k for k, body in enumerate(moment.frames)}
        self._places, name = moment.places(), moment.geometry.mechanism.name
        self.prefix = prefix(name, self._places.tolist(), moment.view, others)

    def svg(self, size: tuple[int, int]) -> str:
        """The document, the mechanism as large as it allows."""
        view, (x, y) = self._framed(size)
        faint = [self._bodies(k, view, f"{self.prefix}-{k}", faint=True) for k in self.others]
        ghosts = [f'<g class="ghost">{_painted(pieces)}</g>' for pieces in faint]
        bodies = self._bodies(self.moment.now, view, self.prefix)
        painted = _painted([*bodies, *self._lines(view), *self._forces(view)])
        content = "".join([*ghosts, *self._ways(view), painted, *self._dots(view)])
        sheet = asset("drawing/drawing.css") + asset("drawing/picture.css") + self._animation(view)
        box, name = (x, y, x + size[0], y + size[1]), self.moment.geometry.mechanism.name
        defined = f"<defs>{pattern(f'{self.prefix}-hatch')}</defs>"
        drawn = f'{defined}{paper(box)}<g fill="none">{content}</g>'
        return svg_document(box, name, sheet, drawn, "torseur-drawing")

    # --- pieces

    def _bodies(self, sample: int, view: Camera, name: str, *, faint: bool = False) -> list[Stroke]:
        """The pieces of bodies, joints and ground; those of bodies alone when they are faint."""
        drawn = []
        for k, (body, shape) in enumerate(self.moment.scene.solids(self.moment.movement, sample)):
            if faint and shape.style != "own":
                continue
            if isinstance(shape, Polyline) and shape.style == "ground-plate":
                pieces = [hatched(shape, view, self._places, name)]
            else:
                pieces = list(strokes(shape, view, f"{name}-{k}"))
            classes = f"own-{(self.bodies[body] - 1) % _COLOURS}"
            classes += "" if faint else self._class("b", self.bodies[body])
            drawn += [_in_class(piece, classes) for piece in pieces]
        return drawn

    def _lines(self, view: Camera) -> list[Stroke]:
        return [
            _in_class(piece, self._class("l", k).strip())
            for k, line in enumerate(self._tied(self.moment.now))
            for piece in strokes(line, view, "")
        ]

    def _forces(self, view: Camera) -> Iterator[Stroke]:
        """Contact forces at this moment, unless the picture is animated."""
        touches = self.moment.movement.touches
        if touches is not None and self.seconds is None:
            for arrow in touches.arrows(self.moment.now, self.moment.scene.size.unit):
                yield from strokes(arrow, view, self.prefix)

    def _tied(self, sample: int) -> list[TieLine]:
        return list(self.moment.scene.lines(self.moment.movement, sample))

    def _class(self, kind: str, index: int) -> str:
        """The class of what moves, after others; the ground does not."""
        moves = self.seconds is not None and (kind, index) != ("b", self.bodies[GROUND])
        return f" {self.prefix}-{kind}{index}" if moves else ""

    def _ways(self, view: Camera) -> Iterable[str]:
        for k, (_, way) in enumerate(self.moment.ways()):
            outline = polyline(view.at(way))
            yield f'<path class="way way-{k % _COLOURS}" d="{outline}"/>'

    def _dots(self, view: Camera) -> Iterable[str]:
        for k, (body, way) in enumerate(self.moment.ways()):
            x, y = view.at(way[self.moment.now])
            classes = f"dot way-{k % _COLOURS}{self._class('b', self.bodies[body])}"
            yield f'<circle class="{classes}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>'

    # --- room and time

    def _framed(self, size: tuple[int, int]) -> tuple[Camera, tuple[float, float]]:
        """The camera at the scale at which everything is seen, and the upper left corner."""
        room = np.array(size) - 2 * (_ROOM + THICKNESS)
        view = fitted(self.moment.view, self._discs, room)
        left, top, right, bottom = bounds(self._discs(view))
        return view, ((left + right - size[0]) / 2, (top + bottom - size[1]) / 2)

    def _discs(self, view: Camera) -> Iterable[Disc]:
        """The places that everything covers at every pose that is shown."""
        poses = set(self.others)
        if self.seconds is not None:
            count = len(self.moment.movement.q)
            poses |= {round(x) for x in np.linspace(0, count - 1, _POSES)}
        pieces = [*self._bodies(self.moment.now, view, ""), *self._lines(view)]
        pieces += self._forces(view)
        for k in poses:
            pieces += self._bodies(k, view, "", faint=True)
        yield from (disc for piece in pieces for disc in piece.discs)
        for _, way in self.moment.ways():
            yield from points(view.at(way))

    def _animation(self, view: Camera) -> str:
        """The style of what moves."""
        if self.seconds is None:
            return ""
        frames, now = self.moment.frames, self.moment.now
        samples = shown_samples(len(frames[GROUND][1]))
        size = float(np.ptp(self._places, axis=0).max())
        time = self.seconds, not comes_back(list(frames.values()), size)
        steps = {
            self._class("b", k): body_steps(frames[body], view, now, samples)
            for body, k in self.bodies.items()
        }
        lines = zip(*(self._tied(k) for k in samples), strict=True)
        for k, (line, moving) in enumerate(zip(self._tied(now), lines, strict=True)):
            steps[self._class("l", k)] = line_steps(moving, view, line)
        return "".join(keyframe_sheet(x.strip(), y, *time) for x, y in steps.items() if x)


def _in_class(stroke: Stroke, classes: str) -> Stroke:
    """A piece with its gradient, in the colour of its body."""
    opened = f'<g class="{classes}">' if classes else "<g>"
    return replace(stroke, svg=f"{opened}{stroke.gradient}{stroke.svg}</g>", gradient="")


def _painted(pieces: Iterable[Stroke]) -> str:
    return "".join(piece.svg for piece in sorted(pieces, key=lambda piece: piece.depth))


# --- plane bodies and lines that move on the page, as animations of a style sheet -----------------

_SECONDS = (3.0, 12.0)  # that a picture takes at least, and at most
_MOST = 90  # poses in a turn of the animation
_SAME = 1e-2  # of the size on the page: a movement that comes back to its start


def shown_samples(count: int) -> list[int]:
    """The poses that are shown, the first and the last among them."""
    return sorted({round(x) for x in np.linspace(0, count - 1, min(count, _MOST))})


def body_steps(frames: Frames, view: Camera, now: int, samples: Sequence[int]) -> list[str]:
    """The changes of place, from that of the sample `now`, of what a body carries."""
    R, p = frames
    at, angles = view.at(p), np.degrees(angles_on_page(R, view))
    x, y = at[now]
    return [
        f"translate({at[k, 0]:.1f}px,{at[k, 1]:.1f}px)rotate({angles[k] - angles[now]:.2f}deg)"
        f"translate({-x:.1f}px,{-y:.1f}px)"
        for k in samples
    ]


def line_steps(lines: Sequence[TieLine], view: Camera, now: TieLine) -> list[str]:
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


def keyframe_sheet(name: str, steps: Sequence[str], seconds: float, back: bool) -> str:
    """The animation `name` of everything of the class `name`; `back` when it returns as it went."""
    shares = np.linspace(0, 100, len(steps))
    frames = "".join(f"{s:.4g}%{{transform:{x}}}" for s, x in zip(shares, steps, strict=True))
    time = float(np.clip(seconds, *_SECONDS))
    way = " alternate" if back else ""
    return (
        f"@keyframes {name}{{{frames}}}.{name}{{animation:{name} {time:.3g}s linear infinite{way}}}"
    )


def comes_back(frames: Sequence[Frames], size: float) -> bool:
    """Whether every body is at the end where it was at the start."""
    return all(
        np.abs(R[-1] - R[0]).max() < _SAME and np.abs(p[-1] - p[0]).max() < _SAME * size
        for R, p in frames
    )
