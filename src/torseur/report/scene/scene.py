"""What is drawn of a mechanism: its bodies, joints, axes, frames and ground, as solids in space."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import final

import numpy as np

from torseur.algebra.core.expr import ZERO, expression
from torseur.model.joints.free import Free
from torseur.report.drawing.glyphs import Label, axis_of, glyph, on_rail, plate, stands, triad
from torseur.report.scene.camera import Camera, cameras, merit
from torseur.report.scene.placed import Placed
from torseur.report.scene.sizes import Size
from torseur.report.scene.solids import Ball, Limb, Solid
from torseur.topology.tree import GROUND_INDEX

Array = np.ndarray
_NEAR = 1e-6  # of the size of the mechanism: joints at one place
_APART = 0.36  # between joints at one place, in usual levers


@final
@dataclass(frozen=True)
class Scene:
    """Solids and labels, seen by a camera; whether joints at one place were drawn apart."""

    view: Camera
    solids: list[Solid] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    apart: bool = False


def scene(poses: Iterable[Placed]) -> tuple[Placed, Scene]:
    """The pose that shows the mechanism best, and the mechanism there as solids."""
    layouts = [_Layout(placed) for placed in poses]
    choices = cameras(layouts[0].placed.geometry.up)
    views = [(merit, view, layout) for layout in layouts for merit, view in layout.views(choices)]
    _, view, layout = max(views, key=lambda choice: choice[0])
    placed = layout.placed
    found = Scene(view, apart=any(layout.ranks))
    for i in range(len(placed.joints)):
        size, nearest = layout.size_at(i), layout.nearest(i, view)
        solids, label = glyph(placed, i, layout.glyphs[i], size, view, nearest)
        found.solids.extend(solids)
        found.labels.extend([label] if label else [])
        found.solids.extend(_ground(layout, i))
    for i, _ in placed.tree:
        for solid, lever in layout.limbs(i):
            found.solids.append(solid)
            if lever and lever.words not in [label.words for label in found.labels]:
                found.labels.append(lever)
        for tip in layout.tips(i):
            found.solids.extend(triad(tip, placed.M[i].R.matrix, layout.size))
    return placed, found


def _ground(layout: "_Layout", i: int) -> Iterator[Solid]:
    """The ground under a joint that stands on it."""
    placed, joint = layout.placed, layout.placed.joints[i]
    if GROUND_INDEX not in joint.bodies or isinstance(joint.kind, Free):
        return
    place = joint.M.p if on_rail(placed, i) else layout.glyphs[i]
    up, axis = placed.geometry.up, axis_of(placed, i)
    yield from plate(up, place, axis, layout.leaving(i), layout.size)


@final
class _Layout:
    """Where each joint is drawn: joints at one place are moved apart along the way out."""

    def __init__(self, placed: Placed) -> None:
        self.placed = placed
        self._F = [joint.F.p for joint in placed.joints]
        self._M = [joint.M.p for joint in placed.joints]
        self._tips = [self._ends(i) for i in range(len(placed.tree))]
        extent = max((float(np.ptp(x)) for x in np.array(self._places()).T), default=0.0)
        self._near = _NEAR * (extent or 1.0)
        sizes = [s for v in self._levers() if (s := float(np.linalg.norm(v))) > self._near]
        usual = float(np.median(sizes)) if sizes else 1.0
        unit = float(np.clip(usual, extent / 7, max(extent / 2.6, self._near))) if extent else usual
        self.size = Size(unit)
        self.ranks = self._ranks()
        self.glyphs = [self._moved(i) for i in range(len(placed.joints))]

    def _ends(self, i: int) -> list[Array]:
        """Where a body ends, apart from the bodies it carries.

        Joints that close loops, named points; its centre of mass when there is neither.
        """
        named = [*self._closings(i), *self.placed.points(i).values()]
        if named or self.placed.tree.children(i):
            return named
        centre = self.placed.centre(i)
        return [centre] if np.linalg.norm(centre - self._M[i]) > 0 else []

    def _closings(self, i: int) -> list[Array]:
        """The places on body i of the joints that close loops."""
        found = []
        for k in self.placed.closing:
            first, second = self.placed.joints[k].bodies
            found += [self._F[k]] if first == i else [self._M[k]] if second == i else []
        return found

    def _places(self) -> list[Array]:
        return [*self._F, *self._M, *(tip for tips in self._tips for tip in tips)]

    def _levers(self) -> Iterator[Array]:
        for i in range(len(self.placed.tree)):
            yield from (self._F[c] - self._M[i] for c in self.placed.tree.children(i))
            yield from (tip - self._M[i] for tip in self._tips[i])

    def views(self, choices: list[Camera]) -> Iterator[tuple[float, Camera]]:
        """Each direction with its merit; a mechanism that stands should not go under the ground."""
        tree = self.placed.tree
        segments = [(self.glyphs[i], end) for i in range(len(tree)) for end in self._all_ends(i)]
        segments = [pair for pair in segments if not self._is_near(*pair)]
        axes = [a for i in range(len(tree)) if (a := axis_of(self.placed, i)) is not None]
        shape = np.array(segments).reshape(-1, 2, 3)
        heights = shape @ self.placed.geometry.up - self._F[0] @ self.placed.geometry.up
        standing = stands(self.placed.geometry.up, axis_of(self.placed, 0), self.leaving(0))
        sunk = float(np.minimum(heights, 0.0).sum()) / self.size.unit if standing else 0.0
        for view in choices:
            yield merit(view, shape, np.array(axes).reshape(-1, 3), self.size.unit) + sunk, view

    def _all_ends(self, i: int) -> list[Array]:
        return [self.glyphs[c] for c in self.placed.tree.children(i)] + self._tips[i]

    def size_at(self, i: int) -> Size:
        """The size of a symbol: small where joints are at one place."""
        return self.size.small if self.grouped(i) else self.size

    # --- joints at one place

    def _ranks(self) -> list[int]:
        """How many joints are at the place of each joint, before it; a closing joint stays."""
        ranks: list[int] = []
        for i, link in self.placed.tree:
            p = link.parent
            here = p >= 0 and not self._travels(p) and self._is_near(self._F[i], self._F[p])
            beside = [k for k in range(i) if self.placed.tree.links[k].parent == p]
            twins = sum(self._is_near(self._F[k], self._F[i]) for k in beside)
            ranks.append((ranks[p] + 1 if here else 0) + (twins if p >= 0 else 0))
        return ranks + [0] * len(self.placed.closing)

    def _travels(self, i: int) -> bool:
        return not self._is_near(self._M[i], self._F[i])

    def _is_near(self, a: Array, b: Array) -> bool:
        return float(np.linalg.norm(a - b)) <= self._near

    def grouped(self, i: int) -> bool:
        """Whether another joint is at the same place."""
        if i in self.placed.closing:
            return any(
                self._is_near(self._F[i], place) for place in self._F[: self.placed.closing.start]
            )
        children = self.placed.tree.children(i)
        return self.ranks[i] > 0 or any(self.ranks[c] > 0 for c in children)

    def leaving(self, i: int) -> Array:
        """From the place of joint i to the next one, or to the end; its axis when there is none."""
        if i in self.placed.closing:
            return self._towards(i)
        pending = [i]
        while pending:
            k = pending.pop(0)
            if self._travels(k):
                return self._M[k] - self._F[k]
            ends = [self._F[c] for c in self.placed.tree.children(k)] + self._tips[k]
            for end in ends:
                if not self._is_near(end, self._M[k]):
                    return end - self._M[k]
            pending += self.placed.tree.children(k)
        axis = axis_of(self.placed, i)
        return self.size.unit * (axis if axis is not None else self.placed.geometry.up)

    def _towards(self, i: int) -> Array:
        """From closing joint i to the joint that carries its body."""
        body = max(self.placed.joints[i].bodies)
        return self._M[body] - self._F[i]

    def _moved(self, i: int) -> Array:
        if not self.ranks[i]:
            return self._F[i]
        out = self.leaving(i)
        length = float(np.linalg.norm(out))
        tree = self.placed.tree
        last = max(self.ranks[k] for k, _ in tree if i in tree.ancestors(k))
        step = min(_APART * self.size.unit, 0.7 * length / (last + 0.5))
        return self._F[i] + self.ranks[i] * step * out / length

    # --- bodies

    def start(self, i: int) -> Array:
        """Where body i begins, at its joint."""
        return self.glyphs[i] + (self._M[i] - self._F[i])

    def tips(self, i: int) -> list[Array]:
        """Where frames are drawn: the ends of a body that carries no other."""
        if self.placed.tree.children(i) or self._closings(i):
            return []
        return self._tips[i] or [self.start(i) + 0.6 * self.leaving(i)]

    def limbs(self, i: int) -> Iterator[tuple[Solid, Label | None]]:
        """The levers of a body with their lengths; a heavy end without a tool is a ball."""
        start, children = self.start(i), self.placed.tree.children(i)
        for c in children:
            yield self._limb(i, self.glyphs[c], self.ranks[c] > 0), self._lever_label(i, c, start)
        for tip in self.tips(i) or self._tips[i]:
            if not self._is_near(start, tip):
                yield self._limb(i, tip), self._tip_label(i, start, tip)
        if self.tips(i) and not self.placed.points(i) and self._tips[i]:
            yield Ball(self._tips[i][0], 1.6 * self.size.thick, "body"), None

    def _limb(self, i: int, end: Array, slender: bool = False) -> Limb:
        thick = self.size.thin if slender else self.size.thick
        start = self.start(i)
        if not self._is_along(i, end - start):
            return Limb(start, end, thick, self.size.thin)
        size = self.size_at(i)
        out = (end - start) / np.linalg.norm(end - start)
        return Limb(start + size.half * out, end, thick, self.size.thin, flat=True)

    def _is_along(self, i: int, lever: Array) -> bool:
        """Whether a lever leaves the joint of its body along the axis of a cylinder."""
        axis, length = axis_of(self.placed, i), float(np.linalg.norm(lever))
        if axis is None or self._travels(i) or length <= self.size.half:
            return False
        return abs(axis @ lever) > 0.95 * length

    def nearest(self, i: int, view: Camera) -> float:
        """The depth of the nearest body whose end joint i hides."""
        if i in self.placed.closing:
            return self._nearest_of_closing(i, view)
        here, p = self.glyphs[i], self.placed.tree.links[i].parent
        ends = [self.glyphs[c] for c in self.placed.tree.children(i)]
        ends += self.tips(i) or self._closings(i)
        levers = [
            (self.start(i), end) for end in ends if not self._is_along(i, end - self.start(i))
        ]
        if p >= 0 and not self._is_along(i, here - self.start(p)):
            levers.append((self.start(p), here))
        return max((view.depth((a + b) / 2) for a, b in levers), default=view.depth(here))

    def _nearest_of_closing(self, i: int, view: Camera) -> float:
        here, bodies = self.glyphs[i], self.placed.joints[i].bodies
        middles = [(self.start(body) + here) / 2 for body in bodies if body != GROUND_INDEX]
        return max(view.depth(middle) for middle in middles)

    def _lever_label(self, i: int, c: int, start: Array) -> Label | None:
        joint = self.placed.mechanism.joints[self.placed.tree.links[c].joint_name]
        pose = joint.X_AF if joint.first == self.placed.tree.links[i].name else joint.X_BM
        return self._length(pose.p, start, self.glyphs[c])

    def _tip_label(self, i: int, start: Array, tip: Array) -> Label | None:
        name = self.placed.tree.links[i].name
        for k in self.placed.closing:
            joint = self.placed.joints[k].joint
            for body, X in ((joint.first, joint.X_AF), (joint.second, joint.X_BM)):
                if body == name and self._is_near(self.glyphs[k], tip):
                    return self._length(X.p, start, tip)
        for point in self.placed.mechanism.points.values():
            if point.body == name and self._is_near(self.placed.points(i)[point.name], tip):
                return self._length(point.position, start, tip)
        return None

    def _length(self, vector: Array, a: Array, b: Array) -> Label | None:
        """The name of a lever along one axis, at its middle."""
        parts = [x for x in map(expression, vector) if x is not ZERO]
        if len(parts) != 1 or parts[0].op != "symbol":
            return None
        return Label((a + b) / 2, (parts[0].name,), "length", None, 2.2 * self.size.thick)
