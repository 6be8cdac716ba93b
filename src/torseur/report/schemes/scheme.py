"""The kinematic scheme of a mechanism: classes of bodies, levers and symbols of joints, named."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, unknown
from torseur.model.description import GROUND, Mechanism
from torseur.model.joints.freedoms import Ball, Helix, Slide, Turn
from torseur.model.joints.symbol import Plate, freedoms_of
from torseur.output import writable, write_text
from torseur.report.scene.camera import Camera, facing, from_front
from torseur.report.scene.geometry import geometry
from torseur.report.scene.movement import Movement
from torseur.report.scene.scene import Site, scene
from torseur.report.scene.skeleton import best
from torseur.report.scene.solids import Path as Way
from torseur.report.scene.sources import still
from torseur.report.scene.ties import strands_on_page
from torseur.report.scene.wheels import belt_parts, gear_pairs
from torseur.report.schemes.lines import (
    COLOURS,
    Mark,
    Name,
    Stroke,
    extent,
    svg,
    tikz,
)
from torseur.report.schemes.symbols import Cup, Hull, Outline, Wire, closed, ring, scheme_symbol
from torseur.report.schemes.views import VIEWS
from torseur.spatial.hulls import outline as convex
from torseur.spatial.pose import Pose
from torseur.words.sentence import say

Array = np.ndarray
SPAN = 560.0  # of the mechanism on the page [px]
_NEAR = 1e-9
_HELD = ("spring", "damper")  # what the ground holds besides joints
_HATCH = 9.0  # between the lines that mark the ground [px]
_AROUND = [np.array([np.cos(a), np.sin(a)]) for a in np.radians(range(0, 360, 30))]
_FAR = (20.0, 30.0, 42.0, 58.0)  # of names from what they name [px]


def scheme(
    mechanism: Mechanism,
    path: str | os.PathLike[str],
    q: Mapping[str, float] | Sequence[float] | Array | None = None,
    parameters: Mapping[str, float] | None = None,
    *,
    view: str = "auto",
    names: bool = True,
) -> Path:
    """Write the normalised scheme of a mechanism (ISO 3952) as SVG, or as TikZ (.tex).

    `view`: a plane mechanism is seen in its plane and others in perspective; "plane" looks along
    the axis about which most bodies turn, "x", "y" or "z" along an axis of the ground. Bodies that
    are fixed to each other are one class, of one colour. Without `names` it is one for an exam.
    """
    place = writable(path)
    if place.suffix not in (".svg", ".tex", ".tikz"):
        problem = say('"{suffix}" is not a format of schemes.', place.suffix)
        raise ModelError(str(path), problem, "Use .svg, .tex (a document) or .tikz (a picture).")
    if view not in VIEWS:
        raise unknown("view", "view", view, VIEWS)
    marks = Sheet(mechanism, q, parameters, view).marks(names)
    box = extent(marks, 14.0)
    if place.suffix == ".svg":
        return write_text(place, svg(marks, box, mechanism.name))
    return write_text(place, tikz(marks, box, standalone=place.suffix == ".tex"))


def scheme_texts(mechanism: Mechanism) -> tuple[str, str]:
    """The same as an SVG document, and as a TikZ picture to be included."""
    marks = Sheet(mechanism, None, None, "auto").marks(True)
    box = extent(marks, 14.0)
    return svg(marks, box, mechanism.name), tikz(marks, box, standalone=False)


def classes(mechanism: Mechanism) -> dict[str, int]:
    """The class of each body: those that fixed joints hold together share one; the ground has 0."""
    owner = {name: name for name in (GROUND, *mechanism.bodies)}

    def root(name: str) -> str:
        return name if owner[name] == name else root(owner[name])

    for joint in mechanism.joints.values():
        if joint.kind.nv == 0:
            kept, other = sorted((root(joint.first), root(joint.second)), key=[*owner].index)
            owner[other] = kept
    numbers: dict[str, int] = {}
    for name in owner:
        numbers.setdefault(root(name), len(numbers))
    return {name: numbers[root(name)] for name in owner}


@final
class Sheet:
    """What is drawn of a mechanism, on the page."""

    def __init__(self, mechanism: Mechanism, q: Any, parameters: Any, view: str) -> None:
        self.geometry = geometry(mechanism, parameters)
        choices = still(self.geometry, q)
        skeleton, around = best(choices)
        self.pose: Movement = choices.at(skeleton.sample)
        self.seen = scene(self.pose, skeleton)
        self.poses = self.pose.poses(0)
        self.classes = classes(mechanism)
        self.places = {  # of each body, in the ground
            body: [self.poses[body].point(at) for at in own]
            for body, own in self.seen.places.items()
        }
        self.points = np.array([p for own in self.places.values() for p in own])
        seen_from = self._camera(view, around)
        width = float(np.ptp(seen_from.at(self.points), axis=0).max()) or self.seen.size.unit
        self.camera = replace(seen_from, scale=SPAN / max(width, 1e-300))
        # symbols between a fiftieth and a fifteenth of the page
        wanted = 0.72 * self.seen.size.radius * self.camera.scale
        self.radius = float(np.clip(wanted, SPAN / 55, SPAN / 28)) / self.camera.scale

    def _camera(self, view: str, around: Camera) -> Camera:
        if view in ("x", "y", "z"):
            return facing(np.eye(3)["xyz".index(view)], self.geometry.up)
        if view == "perspective":
            return around
        normal = self._normal(require=view == "plane")
        return around if normal is None else from_front(normal, self.geometry.up)

    def _normal(self, require: bool) -> Array | None:
        """The axis about which all turn and across which all slide; or about which most turn."""
        about, along, balls = [], [], 0
        for joint in self.geometry.numeric.joints.values():
            freedoms = freedoms_of(joint.kind)
            F = (self.poses[joint.first] @ joint.X_AF).R.matrix
            about += [F[:, x.axis] for x in freedoms if isinstance(x, Turn | Helix)]
            along += [F[:, x.axis] for x in freedoms if isinstance(x, Slide)]
            balls += Ball() in freedoms or joint.kind.freedoms is None
        if not about:
            return np.array([0.0, 0.0, 1.0]) if require else None
        shared = [sum(abs(a @ b) > 1 - 1e-9 for b in about) for a in about]
        normal = about[int(np.argmax(shared))]
        plane = max(shared) == len(about) and not balls and not self._is_narrow(normal)
        plane = plane and all(abs(a @ normal) < 1e-9 for a in along)
        return normal if plane or require else None

    def _is_narrow(self, normal: Array) -> bool:
        """Whether everything is on one axis, as in a rotor or a screw: from its end it is a dot."""
        across = self.points - np.outer(self.points @ normal, normal)
        whole = float(np.ptp(self.points, axis=0).max()) or 1.0
        return float(np.ptp(across, axis=0).max()) < 0.1 * whole

    def marks(self, named: bool) -> list[Mark]:
        """Levers, then symbols, the farthest first, then names."""
        sites = sorted(self.seen.sites, key=lambda site: self.camera.depth(self._at(site).p))
        drawn: list[Mark] = [*self._levers(), *self._ties(), *self._wheels(), *self._belts()]
        for site in sites:
            drawn += self._symbol(site)
        return [*drawn, *self._names(drawn)] if named else drawn

    def _at(self, site: Site) -> Pose:
        return self.poses[site.joint.first] @ site.X_AF

    def _drawn_at(self, site: Site) -> Array:
        """Where the symbol of a joint is: sleeves and planes are where what slides has come to."""
        F, M = self._at(site), self.poses[site.joint.second] @ site.X_BM
        freedoms = getattr(site.joint.kind, "freedoms", None) or ()
        symbol = scheme_symbol(freedoms or None)
        if symbol is not None and symbol.second_behind:
            return M.p
        along = [F.R.matrix[:, x.axis] for x in freedoms if isinstance(x, Slide)]
        return F.p + sum(((M.p - F.p) @ e * e for e in along), np.zeros(3))

    def _colour(self, body: str) -> int:
        return 0 if body == GROUND else 1 + (self.classes[body] - 1) % (len(COLOURS) - 1)

    # --- bodies

    def _levers(self) -> Iterator[Stroke]:
        """The lines of each body from the place that carries it; the ground is hatched."""
        for body, own in self.places.items():
            colour = self._colour(body)
            if body == GROUND:
                for at in self._distinct(self._grounded()):
                    yield from self._ground(at)
                continue
            start, *others = own or [self.poses[body].p]
            ends = others or [self.poses[body].point(self.geometry.numeric.bodies[body].centre)]
            for end in self._distinct(ends):
                if np.linalg.norm(end - start) > _NEAR * self.seen.size.unit:
                    yield Stroke(self.camera.at(np.array([start, end])), colour)

    def _grounded(self) -> list[Array]:
        """The places of the ground by which it holds something."""
        held = [
            self._drawn_at(site)
            if site.joint.first == GROUND
            else (self.poses[GROUND] @ site.X_BM).p
            for site in self.seen.sites
            if GROUND in (site.joint.first, site.joint.second)
            and site.symbol.line != "free"
            and site.symbol.radius is None
        ]
        ties = [tie for tie in self.seen.ties if tie.style in _HELD]
        return held + [at for tie in ties for body, at in tie.ends if body == GROUND]

    def _distinct(self, places: Sequence[Array]) -> list[Array]:
        found: list[Array] = []
        for at in places:
            if all(np.linalg.norm(at - x) > 1e-6 * self.seen.size.unit for x in found):
                found.append(at)
        return found

    def _ground(self, at: Array) -> Iterator[Stroke]:
        """A hatched line under a place of the ground."""
        x, y = self.camera.at(at)
        low, half = y + 2.6 * self.radius * self.camera.scale, 16.0
        yield Stroke(np.array([[x, y], [x, low]]), 0)
        yield Stroke(np.array([[x - half, low], [x + half, low]]), 0)
        for k in range(4):
            left = x - half + _HATCH * k
            yield Stroke(np.array([[left + _HATCH, low], [left, low + _HATCH]]), 0, style="thin")

    def _ties(self) -> Iterator[Stroke]:
        """Springs, dampers and rods between points."""
        for line in self.seen.lines(self.pose):
            if line.style != "free" and np.ptp(self.camera.at(np.array([line.a, line.b])), 0).any():
                for strand in strands_on_page(line, self.camera, 7.0, 2.2):
                    yield Stroke(strand, 0, style="thin")

    def _wheels(self) -> Iterator[Stroke]:
        """The pitch circles of gears and the pitch lines of racks, dashed."""
        t = np.linspace(0, 2 * np.pi, 73)[:, None]
        for first, second in gear_pairs(self.pose):
            for wheel, other in ((first, second), (second, first)):
                out = wheel.pitch - wheel.centre
                line = wheel.centre + np.cos(t) * out + np.sin(t) * np.cross(wheel.axis, out)
                if not wheel.radius:
                    line = wheel.pitch + np.outer((-1.0, 1.0), other.radius * wheel.axis)
                yield Stroke(self.camera.at(line), self._colour(wheel.body), style="dashed")

    def _belts(self) -> Iterator[Stroke]:
        """Pulleys, and the belts about them."""
        for body, own in belt_parts(self.pose, self.seen.size):
            part = own.moved(self.poses[body])
            if isinstance(part, Way):
                yield Stroke(self.camera.at(np.array(part.points)), 0, style="thin")
                continue
            across = np.linalg.svd(part.axis[np.newaxis])[2][1:]  # two directions of the wheel
            rim = part.centre + closed(ring(2, part.radius))[:, :2] @ across
            yield Stroke(self.camera.at(rim), self._colour(body))

    # --- joints

    def _symbol(self, site: Site) -> Iterator[Mark]:
        """The symbol of one joint, in the colours of its bodies."""
        joint = site.joint
        F, M = self._at(site), self.poses[joint.second] @ site.X_BM
        first, second = self._colour(joint.first), self._colour(joint.second)
        symbol = scheme_symbol(getattr(joint.kind, "freedoms", None))
        radius = self.radius * site.size.factor
        if site.symbol.radius is not None:
            yield from self._rolling(site, F, M, second)
            return
        if symbol is None and site.symbol.line:
            if np.linalg.norm(F.p - M.p) > 1e-6 * self.seen.size.unit:
                return  # the line is drawn
            symbol = scheme_symbol([Ball()])
        if symbol is None:
            yield from self._framed(F.p, radius, joint.name, first)
            return
        X_first = Pose(self._drawn_at(site), F.R)
        X_second = X_first if symbol.second_behind else M
        for X, outlines, colour in (
            (X_second, symbol.second_behind, second),
            (X_first, symbol.first, first),
            (X_second, symbol.second, second),
        ):
            for outline in outlines:
                yield from self._outline(X, outline, colour, radius, M)

    def _rolling(self, site: Site, F: Pose, M: Pose, colour: int) -> Iterator[Mark]:
        """The circle of a body that rolls, and the line that it rolls on."""
        size = float(self.geometry.numbers(site.symbol.radius))
        page = np.column_stack([self.camera.right, self.camera.top, self.camera.reader])
        for part in site.symbol.second:
            radius, axis = getattr(part, "radius", None), getattr(part, "axis", None)
            if not isinstance(radius, int | float):
                continue
            axes = page if axis is None else M.R.matrix
            around = closed(ring(2 if axis is None else axis, radius * size))
            yield Stroke(self.camera.at(M.p + around @ axes.T), colour)
        for part in site.symbol.first:
            if isinstance(part, Plate):
                along = F.R.matrix[:, (part.normal + 1) % 3], F.R.matrix[:, (part.normal + 2) % 3]
                side = max(along, key=lambda u: float(np.abs(self.camera.right @ u)))
                normal = F.R.matrix[:, part.normal]
                foot = M.p - ((M.p - F.p) @ normal) * normal
                ends = np.array([foot - 1.6 * size * side, foot + 1.6 * size * side])
                yield Stroke(self.camera.at(ends), self._colour(site.joint.first))

    def _outline(
        self, X: Pose, outline: Outline, colour: int, radius: float, other: Pose
    ) -> Iterator[Stroke]:
        if isinstance(outline, Wire):
            points = self.camera.at(X.p + radius * outline.points @ X.R.matrix.T)
            yield Stroke(points, colour, style=outline.style)
        elif isinstance(outline, Hull):
            corners = self.camera.at(X.p + radius * outline.corners @ X.R.matrix.T)
            yield Stroke(convex(corners), colour, closed=True)
            for edge, normal in zip(outline.edges, outline.normals, strict=True):
                if X.R.matrix @ normal @ self.camera.reader > 0.02:
                    points = self.camera.at(X.p + radius * edge @ X.R.matrix.T)
                    yield Stroke(points, colour, style="thin")
        else:
            yield self._cup(X, outline, colour, radius, other)

    def _cup(self, X: Pose, cup: Cup, colour: int, radius: float, other: Pose) -> Stroke:
        """An arc on the page, open towards the middle of the other body."""
        centre = self.camera.at(X.p)
        towards = self.camera.at(other.p) - centre
        if np.hypot(*towards) < 1.0:
            far = self.camera.at(self.points).mean(axis=0) - centre
            towards = far if np.hypot(*far) > 1.0 else np.array([0.0, -1.0])
        middle = np.arctan2(towards[1], towards[0])
        angles = middle + np.linspace(cup.opening, 2 * np.pi - cup.opening, 33)
        r = cup.radius * radius * self.camera.scale
        return Stroke(centre + r * np.column_stack([np.cos(angles), np.sin(angles)]), colour)

    def _framed(self, at: Array, radius: float, name: str, colour: int) -> Iterator[Mark]:
        x, y = self.camera.at(at)
        half, high = max(1.6 * radius * self.camera.scale, 5.0 * len(name) + 6), 11.0
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        yield Stroke(np.array([x, y]) + [half, high] * corners, colour, closed=True)
        yield Name((float(x), float(y)), name, colour)

    # --- names

    def _names(self, drawn: Sequence[Mark]) -> Iterator[Name]:
        """Names of joints beside them, those of bodies beside their levers, where there is room."""
        taken: list[Array] = [
            point for mark in drawn if isinstance(mark, Stroke) for point in _dense(mark.points)
        ]
        for site in self.seen.sites:
            at = self.camera.at(self._drawn_at(site))
            symbol = scheme_symbol(getattr(site.joint.kind, "freedoms", None))
            if symbol is None and not site.symbol.line and site.symbol.radius is None:
                continue  # its name is in its frame
            if site.symbol.line == "free":
                continue
            yield _placed(at, site.joint.name, 0, taken, False)
        for number, (body, own) in enumerate(self.places.items()):
            if body == GROUND or not own:
                continue
            ends = [*own[1:], self.poses[body].point(self.geometry.numeric.bodies[body].centre)]
            middle = self.camera.at((own[0] + ends[0]) / 2)
            yield _placed(middle, f"{number} {body}", self._colour(body), taken, True)


def _placed(at: Array, text: str, colour: int, taken: list[Array], upright: bool) -> Name:
    """The freest place around a point; what it takes is added to what is `taken`."""
    half = np.array([4.6 * len(text) + 2, 9.0])
    known = np.array(taken)
    choices = []
    for distance in _FAR:
        for way in _AROUND:
            place = at + (distance + half[0] * abs(way[0])) * way
            hit = np.all(np.abs(known - place) < half + 3, axis=1).sum()
            choices.append((3.0 * hit + 0.06 * distance, float(place[0]), float(place[1])))
    _, x, y = min(choices)
    columns = (-1, -0.5, 0, 0.5, 1)
    taken += [np.array([x + s * half[0], y + t]) for s in columns for t in (-6, 6)]
    return Name((x, y), text, colour, upright)


def _dense(points: Array) -> list[Array]:
    """Points along a broken line, close enough to hide no name."""
    found = []
    for a, b in pairwise(points):
        steps = max(int(np.hypot(*(b - a)) // 8), 1)
        found += [a + (b - a) * k / steps for k in range(steps)]
    return [*found, points[-1]]
