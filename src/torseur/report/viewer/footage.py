"""Movements as a film: a GIF by itself, or an MP4 through ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFont

from torseur.errors import SolveError
from torseur.output import WrittenFile, replacing
from torseur.packages import package
from torseur.report.drawing.pencil import Disc, bounds, edge_strip, fitted, seen_faces
from torseur.report.scene.camera import Camera
from torseur.report.scene.movement import Movement
from torseur.report.scene.scene import scene
from torseur.report.scene.scene_solids import (
    BallPart,
    CylinderPart,
    Limb,
    MeshPart,
    Polyline,
    Solid,
)
from torseur.report.scene.snapshot import outlook
from torseur.report.scene.snapshot import places as places_of
from torseur.report.scene.ties import TieLine, strands_on_page
from torseur.report.viewer.stage import common_span
from torseur.spatial.hulls import outline as convex
from torseur.words.sentence import say

Colour = tuple[int, int, int]
Shades = tuple[Colour, Colour]  # light and dark
PAPER, INK, SOFT, GLYPH = (255, 255, 255), (43, 58, 75), (93, 108, 128), (29, 39, 51)
GROUND_SHADES: Shades = ((230, 233, 237), (165, 175, 186))
_JOINT: Shades = ((255, 230, 189), (223, 148, 51))
_OWN: tuple[Shades, ...] = (
    ((226, 236, 249), (124, 154, 196)),
    ((222, 243, 233), (110, 178, 150)),
    ((241, 228, 247), (170, 128, 190)),
    ((222, 240, 243), (112, 168, 178)),
    ((248, 226, 234), (194, 122, 148)),
    ((229, 244, 222), (132, 180, 112)),
)
WAYS: tuple[Colour, ...] = ((31, 111, 209), (194, 65, 12), (21, 128, 61), (139, 47, 201))
_ROUND = np.linspace(0, 2 * np.pi, 65)[:-1]
_HATCHES = 14  # between lines of hatching [px]
_FINER = 2  # pixels painted for each that is shown, across


@final
@dataclass(frozen=True)
class Fill:
    """A polygon of one colour on the page; a line where it has none."""

    depth: float
    corners: Array  # (n, 2)
    colour: Colour | None
    edge: Colour | None = INK
    width: int = 1
    hatched: bool = False


def body_shades(index: int) -> Shades:
    """The shades of a body by its number, the ground 0."""
    return _OWN[(index - 1) % len(_OWN)] if index else GROUND_SHADES


def fills(solid: Solid | TieLine, view: Camera, colour: Shades) -> Iterator[Fill]:
    """The pieces of a solid or of a line, in the shades of its body."""
    if isinstance(solid, TieLine):
        yield from _tie(solid, view)
        return
    shades = {"joint": _JOINT, "ground": GROUND_SHADES}.get(solid.style, colour)
    if isinstance(solid, Limb):
        yield from _limb(solid, view, shades)
    elif isinstance(solid, CylinderPart):
        yield from _cylinder(solid, view, shades)
    elif isinstance(solid, BallPart):
        yield from _ball(view.at(solid.centre), view.scale * solid.radius,
                         view.depth(solid.centre) + solid.lift, shades)  # fmt: skip
    elif isinstance(solid, MeshPart):
        yield from _mesh(solid, view, shades)
    else:
        yield _path(solid, view)


def _mixed(shades: Shades, share: float) -> Colour:
    light, dark = (np.array(x) for x in shades)
    red, green, blue = (dark + share * (light - dark)).round().astype(int).tolist()
    return red, green, blue


def _circle(centre: Array, radius: float) -> Array:
    return centre + radius * np.column_stack([np.cos(_ROUND), np.sin(_ROUND)])


def _limb(limb: Limb, view: Camera, shades: Shades) -> Iterator[Fill]:
    """A rod, cut where it comes towards the reader; a light strip along it."""
    deep = abs(view.depth(limb.b) - view.depth(limb.a))
    count = int(np.clip(np.ceil(deep / (2.5 * max(limb.thick, limb.thin))), 1, 8))
    for k in range(count):
        ends = []
        for share in (k / count, (k + 1) / count):
            at = limb.a + share * (limb.b - limb.a)
            radius = view.scale * (limb.thick + share * (limb.thin - limb.thick))
            ends.append((view.at(at), radius))
        middle = limb.a + (k + 0.5) / count * (limb.b - limb.a)
        depth = view.depth(middle) + limb.lift
        for width, shift, share in ((1.0, 0.0, 0.2), (0.75, 0.1, 0.6), (0.35, 0.25, 1.0)):
            away = shift * np.array([-0.55, -0.83])
            outline = [_circle(at + r * away, width * r) for at, r in ends]
            edge = INK if width == 1.0 and count == 1 else None
            yield Fill(depth, convex(np.concatenate(outline)), _mixed(shades, share), edge)


def _cylinder(solid: CylinderPart, view: Camera, shades: Shades) -> Iterator[Fill]:
    """Its side, and the end that is seen."""
    towards = solid.axis if solid.axis @ view.reader >= 0 else -solid.axis
    u = np.cross(towards, np.eye(3)[np.argmin(np.abs(towards))])
    u = solid.radius * u / np.linalg.norm(u)
    rim = np.outer(np.cos(_ROUND), u) + np.outer(np.sin(_ROUND), np.cross(towards, u))
    far, near = (view.at(solid.centre + end * solid.half * towards + rim) for end in (-1, 1))
    depth = view.depth(solid.centre) + solid.lift
    yield Fill(depth, convex(np.concatenate([far, near])), _mixed(shades, 0.35))
    yield Fill(depth, near, _mixed(shades, 0.75))


def _ball(at: Array, radius: float, depth: float, shades: Shades) -> Iterator[Fill]:
    for width, share in ((1.0, 0.1), (0.8, 0.45), (0.55, 0.75), (0.28, 1.0)):
        centre = at + (1 - width) * radius * np.array([-0.45, -0.55])
        edge = INK if width == 1.0 else None
        yield Fill(depth, _circle(centre, width * radius), _mixed(shades, share), edge)


def _mesh(mesh: MeshPart, view: Camera, shades: Shades) -> Iterator[Fill]:
    for places, depth, lit in seen_faces(mesh, view):
        colour = _mixed(shades, lit)
        yield Fill(depth, places, colour, INK if mesh.edges else colour)


def _path(path: Polyline, view: Camera) -> Fill:
    corners = np.array(path.points)
    depth = float(np.mean(corners @ view.reader)) + path.lift
    if path.closed:
        return Fill(depth, view.at(corners), None, SOFT, 1, hatched=True)
    return Fill(depth, view.at(corners), None, SOFT, 3 if path.style == "belt" else 1)


def on_edge(strip: Array, depth: float) -> list[Fill]:
    """A plate that is seen edge-on: hatching beside its line."""
    return [
        Fill(depth, strip, None, None, hatched=True),
        Fill(depth, strip[:2], None, SOFT, 2),
    ]


def _tie(line: TieLine, view: Camera) -> Iterator[Fill]:
    """A spring, a damper or a rod, on the page."""
    depth = view.depth((line.a + line.b) / 2)
    for places in strands_on_page(line, view):
        yield Fill(depth, places, None, SOFT, 3 if line.style == "rod" else 2)


@final
class Canvas:
    """An image that is painted finer than it is shown."""

    def __init__(self, size: tuple[int, int], corner: Array) -> None:
        self.size, self.corner = size, corner  # the place of the page at the upper left
        self._image = Image.new("RGB", (_FINER * size[0], _FINER * size[1]), PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def _at(self, places: Array) -> list[float]:
        """Places of the page as pixels: x, y, x, y, …"""
        flat: list[float] = (_FINER * (places - self.corner)).ravel().tolist()
        return flat

    def paint(self, pieces: Sequence[Fill]) -> None:
        """The pieces from far to near."""
        for piece in sorted(pieces, key=lambda one: one.depth):
            corners = self._at(piece.corners)
            if piece.hatched:
                self._hatch(corners)
            if piece.colour is not None and len(corners) > 4:
                self._draw.polygon(corners, fill=piece.colour)
            if piece.edge is not None:
                closed = [*corners, *corners[:2]] if piece.colour or piece.hatched else corners
                self._draw.line(closed, fill=piece.edge, width=_FINER * piece.width, joint="curve")

    def _hatch(self, corners: list[float]) -> None:
        """Slanting lines inside of an outline."""
        places = np.array(corners).reshape(-1, 2)
        left, top = places.min(axis=0).astype(int).tolist()
        wide, tall = (np.ptp(places, axis=0).astype(int) + 2).tolist()
        mask, lines = (Image.new("1", (wide, tall)) for _ in range(2))
        ImageDraw.Draw(mask).polygon((places - [left, top]).ravel().tolist(), fill=1)
        pen = ImageDraw.Draw(lines)
        for s in range(-(left + top) % _HATCHES, wide + tall, _HATCHES):
            pen.line([(s - tall, tall), (s, 0)], fill=1, width=1)
        self._image.paste(SOFT, (left, top), ImageChops.logical_and(mask, lines))

    def way(self, places: Array, index: int) -> None:
        """The way of a point, and where it is now."""
        colour = WAYS[index % len(WAYS)]
        if len(places) > 1:
            self._draw.line(self._at(places), fill=colour, width=2 * _FINER - 1)
        x, y = self._at(places[-1:])
        r = 3.5 * _FINER
        self._draw.ellipse((x - r, y - r, x + r, y + r), fill=colour, outline=PAPER)

    def text(self, words: str) -> None:
        """A line at the lower left."""
        font: Any = ImageFont.load_default(_FINER * 14)
        place = (_FINER * 12, _FINER * (self.size[1] - 28))
        self._draw.text(place, words, fill=GLYPH, font=font)

    def image(self) -> Image.Image:
        """The image as an array."""
        return self._image.reduce(_FINER)


Array = np.ndarray
_RATE = 25  # images a second
_SHORTEST, _LONGEST = 2.0, 12.0  # films [s]: a shorter motion is slowed down, a longer one hastened
_SIZE = (640, 480)
_ROOM = 30.0  # around what moves [px]
_FITTED = 25  # samples at which everything must be on the image
_COLOURS, _NEARLY_WHITE = 96, 246


def footage(movements: Sequence[Movement], path: Path) -> Path:
    """The film of one movement, or of several side by side; it shows their time."""
    is_video = path.suffix.lower() == ".mp4"
    program = _ffmpeg(path) if is_video else None
    images = _images([_Shot(one) for one in movements], common_span(movements))
    with replacing(path) as place:
        if program is not None:
            _encode(program, images, place)
        else:
            _write_gif(images, place)
    return WrittenFile(path)


def _ffmpeg(path: Path) -> str:
    """The program ffmpeg: that of the PATH, or the one that the extra `video` brings."""
    installed = shutil.which("ffmpeg")
    if installed is not None:
        return installed
    need = say('"{path}" needs ffmpeg, which is not on the PATH.', path)
    program: str = package(
        "imageio_ffmpeg", "video", "view", need, "Or install ffmpeg, or write a .gif or .html."
    ).get_ffmpeg_exe()
    return program


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
