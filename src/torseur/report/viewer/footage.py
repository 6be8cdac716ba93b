"""Movements as a film: a GIF by itself, or an MP4 through ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import final

import numpy as np
from PIL import Image

from torseur.errors import ModelError, SolveError
from torseur.output import WrittenFile, replacing
from torseur.report.drawing.pencil import Disc, bounds, edge_strip, fitted
from torseur.report.scene.camera import Camera
from torseur.report.scene.movement import Movement
from torseur.report.scene.outlook import outlook
from torseur.report.scene.outlook import places as places_of
from torseur.report.scene.scene import scene
from torseur.report.scene.solids import Limb, Polyline, Solid
from torseur.report.viewer.film import common_span
from torseur.report.viewer.raster import PAPER, Canvas, Fill, body_shades, fills, on_edge
from torseur.words.sentence import say

Array = np.ndarray
ENDINGS = (".gif", ".mp4")
_RATE = 25  # images a second
_SHORTEST, _LONGEST = 2.0, 12.0  # films [s]: a shorter motion is slowed down, a longer one hastened
_SIZE = (640, 480)
_ROOM = 30.0  # around what moves [px]
_FITTED = 25  # samples at which everything must be on the image
_COLOURS, _NEARLY_WHITE = 96, 246


def footage(movements: Sequence[Movement], path: Path) -> Path:
    """The film of one movement, or of several side by side; it shows their time."""
    is_video = path.suffix.lower() == ".mp4"
    program = shutil.which("ffmpeg") if is_video else None
    if is_video and program is None:
        raise ModelError(
            "view",
            say('"{path}" needs ffmpeg, which is not on the PATH.', path),
            "Install ffmpeg (https://ffmpeg.org), or write a .gif or .html.",
        )
    images = _images([_Shot(one) for one in movements], common_span(movements))
    with replacing(path) as place:
        if program is not None:
            _encode(program, images, place)
        else:
            _write_gif(images, place)
    return WrittenFile(path)


def _images(shots: list[_Shot], span: tuple[float, float]) -> Iterator[Image.Image]:
    """The images, side by side."""
    start, end = span
    timed = shots[0].movement.axis.unit == "s"
    seconds = float(np.clip(end - start if timed else 5.0, _SHORTEST, _LONGEST))
    count = round(_RATE * seconds) if end > start else 1
    for t in np.linspace(start, end, count):
        row = [shot.image(float(t)) for shot in shots]
        whole = Image.new("RGB", (sum(x.width for x in row), row[0].height), PAPER)
        for k, image in enumerate(row):
            whole.paste(image, (k * image.width, 0))
        yield whole


def _write_gif(images: Iterator[Image.Image], place: Path) -> None:
    first = next(images)
    palette = first.quantize(_COLOURS)
    colours = np.array(palette.getpalette()).reshape(-1, 3)
    colours[colours.min(axis=1) > _NEARLY_WHITE] = PAPER  # as white as the paper was
    palette.putpalette(colours.ravel().tolist())
    frames = [x.quantize(palette=palette, dither=Image.Dither.NONE) for x in images]
    interval = 1000 // _RATE  # [ms], a whole number of hundredths of a second
    palette.save(place, "GIF", save_all=True, append_images=frames, duration=interval, loop=0)


def _encode(program: str, images: Iterator[Image.Image], place: Path) -> None:
    """Raw images through a pipe; H.264 as browsers and slides play it."""
    first = next(images)
    size = f"{first.width}x{first.height}"
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", str(_RATE), "-i", "-"]
    result = ["-an", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
    arguments = [program, "-y", "-loglevel", "error", *source, *result, "-f", "mp4", str(place)]
    data = b"".join(image.tobytes() for image in (first, *images))
    done = subprocess.run(arguments, input=data, capture_output=True, check=False)
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise SolveError(
            "view", say("ffmpeg failed: {told}.", lines[-1] if lines else say("no message"))
        )


def _radius(solid: Solid) -> float:
    """Margin of a solid beyond its corners."""
    return max(solid.thick, solid.thin) if isinstance(solid, Limb) else 0.0


@final
class _Shot:
    """A movement, what is seen of it and the camera, which stays where it is."""

    def __init__(self, movement: Movement) -> None:
        self.movement, self.scene = movement, scene(movement)
        self.bodies = {body: k for k, body in enumerate(movement.frames)}
        self.last = len(movement.q) - 1
        self.places = places_of(movement, self.scene, 0)
        self.view, self.corner = self._framed()

    def _framed(self) -> tuple[Camera, Array]:
        view = outlook(self.movement, self.scene, self.last // 3)
        samples = np.unique(np.linspace(0, self.last, _FITTED).round().astype(int)).tolist()

        def covered(camera: Camera) -> list[Disc]:
            solids = (x for k in samples for _, x in self.scene.solids(self.movement, int(k)))
            return [
                (float(x), float(y), camera.scale * _radius(solid))
                for solid in solids
                for x, y in camera.at(solid.corners)
            ]

        view = fitted(view, covered, np.array(_SIZE) - 2 * _ROOM * np.array(_SIZE) / 640)
        left, top, right, bottom = bounds(covered(view))
        return view, (np.array([left + right, top + bottom]) - _SIZE) / 2

    def _pieces(self, sample: int, view: Camera) -> list[Fill]:
        solids = self.scene.solids(self.movement, sample)
        fills_drawn: list[Fill] = []
        for body, solid in solids:
            strip = None
            if isinstance(solid, Polyline) and solid.style == "ground-plate":
                strip = edge_strip(solid, view, self.places)
            pieces = fills(solid, view, body_shades(self.bodies[body]))
            fills_drawn += pieces if strip is None else on_edge(np.array(strip), next(pieces).depth)
        lines = self.scene.lines(self.movement, sample)
        return [*fills_drawn, *(x for line in lines for x in fills(line, view, body_shades(0)))]

    def image(self, t: float) -> Image.Image:
        """The image at the sample that is nearest to a time."""
        movement, axis = self.movement, self.movement.axis
        now = int(np.argmin(np.abs(axis.values - t)))
        canvas = Canvas(_SIZE, self.corner)
        canvas.paint(self._pieces(now, self.view))
        for k, point in enumerate(movement.geometry.mechanism.points.values()):
            way = movement.way(point.body, movement.geometry.numbers(point.position))
            canvas.way(self.view.at(way[: now + 1]), k)
        if axis.name:
            canvas.text(f"{axis.name} = {t:.2f} {axis.unit}")
        return canvas.image()
