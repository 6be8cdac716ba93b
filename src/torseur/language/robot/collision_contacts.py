"""Collision shapes of a robot file as `collision` of its bodies and contacts among them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, unknown
from torseur.language.robot.collision_request import CollisionRequest
from torseur.language.robot.collision_solids import HullReader
from torseur.language.robot.home import (
    convex_of,
    free_parts,
    home_poses,
    neighbours,
    overlap,
    rigid_groups,
)
from torseur.language.robot.named_contacts import NamedContacts
from torseur.language.robot.robot_parts import WORLD, CollisionSolid, Robot
from torseur.language.robot.xml_tree import read_xml
from torseur.language.text.files import read_file
from torseur.model.checks.limits import LARGEST_FILE
from torseur.model.description import GROUND
from torseur.words.sentence import say

Pair = tuple[str, str]
Plane = tuple[list[float], list[float], CollisionSolid | None]  # normal, a point, in the file
USUAL_FRICTION = 1.0  # of files that give none, as in SDF and MJCF
_SHOWN = 6


def not_read_shapes(robot: Robot) -> Iterator[str]:
    """The notice that collision shapes were not read."""
    count = sum(len(link.collision) for link in robot.links.values())
    if count:
        yield say("{count} collision shapes were not read; load with collisions=True.", count)


def add_collisions(data: dict[str, Any], robot: Robot, request: CollisionRequest) -> list[str]:
    """Add the shapes and the contacts of a robot to its YAML form; notices about them."""
    return _Contacts(data, robot, request).add()


@final
class _Contacts:
    """The contacts of a robot, its shapes read."""

    def __init__(self, data: dict[str, Any], robot: Robot, request: CollisionRequest) -> None:
        self.data, self.robot, self.request = data, robot, request
        self.notices: list[str] = []
        self.groups = rigid_groups(robot)
        self.poses = home_poses(robot)
        self.entries: dict[str, list[tuple[dict[str, Any], CollisionSolid]]] = {}
        reader = HullReader(request.parts)
        for link in robot.links.values():
            solids = [x for x in link.collision if not x.is_plane]
            if link.name != WORLD and solids:
                place = robot.place(link)
                if entries := list(reader.entries(solids, place)):
                    self.entries[link.name] = entries
        self.notices += reader.notices
        self.rule = self._rule()

    def add(self) -> list[str]:
        """Add everything; the notices."""
        count = sum(map(len, self.entries.values()))
        if not count:
            self.notices.append(say("The file has no collision shapes that are read."))
        for name, entries in self.entries.items():
            written = [self._written(*solid) for solid in entries]
            self.data["bodies"].setdefault(name, {})["collision"] = written
        contacts = {**self._among_links(), **self._planes()}
        if contacts:
            self.data["contacts"] = {**self.data.get("contacts", {}), **contacts}
        return self.notices

    def _written(self, entry: dict[str, Any], solid: CollisionSolid) -> dict[str, Any]:
        """A solid in the YAML form."""
        friction = {"friction": self._of_solid(solid)} if self.rule else {}
        return {**entry, **solid.placement.entries, **friction}

    # --- laws -----------------------------------------------------------------------------------

    def _rule(self) -> str:
        """Rule for the coefficients of two solids, where a link has several; empty otherwise."""
        solids = [x for name in self.entries for x in self.robot.links[name].collision]
        links = [{self._of_solid(x) for _, x in entries} for entries in self.entries.values()]
        is_one = self.request.friction is not None or not solids or max(map(len, links)) < 2
        if is_one and not self.request.joined:
            return ""
        return "smallest" if self.robot.least_friction else "largest"

    def _of_solid(self, solid: CollisionSolid) -> float:
        if self.request.friction is not None:
            return self.request.friction
        return USUAL_FRICTION if solid.friction is None else solid.friction

    def _friction(self, name: str) -> float:
        """The coefficient of a link: the largest of its solids."""
        if self.request.friction is not None:
            return self.request.friction
        known = [x.friction for x in self.robot.links[name].collision if x.friction is not None]
        return max(known, default=USUAL_FRICTION)

    @property
    def _neutral(self) -> float:
        """A coefficient that changes none of those of the solids."""
        if self.rule == "largest":
            return 0.0
        return max(self._of_solid(x) for entries in self.entries.values() for _, x in entries)

    def _law(self, friction: float) -> dict[str, Any]:
        restitution = self.request.restitution
        law = {"friction": friction} if friction else {}
        return law | ({"restitution": restitution} if restitution else {})

    # --- pairs of links ---------------------------------------------------------------------------

    def _among_links(self) -> dict[str, Any]:
        names = list(self.entries)
        if not self.request.among_links or len(names) < 2:
            return {}
        without = self._never()
        left = [x for x in combinations(names, 2) if frozenset(x) not in without]
        if not left:
            return {}
        pairs = [sorted(pair, key=names.index) for pair in without]
        listed = sorted(pairs, key=lambda pair: [names.index(x) for x in pair])
        if self.rule:
            pile = {"among": names, **self._law(self._neutral), "combine": self.rule}
            return {"links": pile | ({"without": listed} if listed else {})}
        frictions = {name: self._friction(name) for name in names}
        levels = sorted({*frictions.values()}, reverse=self.robot.least_friction)
        piles: dict[str, Any] = {}
        for k, level in enumerate(levels):
            sign = -1 if self.robot.least_friction else 1
            among = [name for name in names if sign * frictions[name] <= sign * level]
            if len(among) > 1:
                label = "links" if not k else f"links_{k + 1}"
                left_out = [pair for pair in listed if {*pair} <= {*among}]
                piles[label] = {"among": among, **self._law(level)}
                piles[label] |= {"without": left_out} if left_out else {}
        return piles

    def _never(self) -> set[frozenset[str]]:
        """Pairs that never collide: neighbours, those of the file, overlaps at home."""
        names = list(self.entries)
        never = {frozenset(x) for x in neighbours(self.robot, names)}
        never |= {frozenset(x) for x in self.robot.never_collide}
        never |= {frozenset(x) for x in self._unmasked(names)}
        never |= {frozenset(x) for x in self._disabled()}
        never = {x for x in never if x <= {*names} and len(x) == 2}
        overlaps = [x for x in self._overlaps(names) if frozenset(x) not in never]
        if overlaps:
            names_shown = ", ".join(f"{a} – {b}" for a, b in overlaps[:_SHOWN])
            more = ", …" if len(overlaps) > _SHOWN else ""
            self.notices.append(
                say("Pairs that overlap at home do not collide: {shown}.", names_shown + more)
            )
        return never | {frozenset(x) for x in overlaps}

    def _unmasked(self, names: list[str]) -> Iterator[Pair]:
        """Pairs of links whose sets (contype, conaffinity) have nothing in common."""
        links = self.robot.links
        for one, other in combinations(names, 2):
            first, second = ([x.groups for x in links[name].collision] for name in (one, other))
            if not any(a[0] & b[1] or b[0] & a[1] for a in first for b in second):
                yield one, other

    def _overlaps(self, names: list[str]) -> Iterator[Pair]:
        solids = {
            name: [
                convex_of(entry, self.poses[name], solid.placement)
                for entry, solid in self.entries[name]
                if solid.height_field is None
            ]
            for name in names
        }
        names = [name for name in names if solids[name]]
        boxes = {
            name: (
                np.min([(x - r).min(axis=0) for x, r in parts], axis=0),
                np.max([(x + r).max(axis=0) for x, r in parts], axis=0),
            )
            for name, parts in solids.items()
            if parts
        }
        parts_of = free_parts(self.robot)
        for one, other in combinations(names, 2):
            (low, high), (below, above) = boxes[one], boxes[other]
            near = (low <= above).all() and (below <= high).all()
            near = near and parts_of[one] == parts_of[other]  # an object may start elsewhere
            if near and any(overlap(a, b) for a in solids[one] for b in solids[other]):
                yield one, other

    def _disabled(self) -> Iterator[Pair]:
        """Pairs of <disable_collisions> of an SRDF, given or beside the file."""
        source = Path(self.robot.source)
        path = Path(self.request.srdf) if self.request.srdf else source.with_suffix(".srdf")
        if not self.request.srdf and not path.is_file():
            return
        try:
            root = read_xml(read_file(path, LARGEST_FILE, str(path)), str(path))
        except FileNotFoundError:
            problem = say('the file "{path}" does not exist.', path)
            raise ModelError("collisions: srdf", problem) from None
        pairs = [(x.get("link1"), x.get("link2")) for x in root.all("disable_collisions")]
        self.notices.append(say("{count} pairs do not collide by {path}.", len(pairs), path.name))
        yield from pairs

    # --- planes -----------------------------------------------------------------------------------

    def _planes(self) -> dict[str, Any]:
        """Contacts of links that move with planes of the file, and with that of the request."""
        moving = [name for name in self.entries if self.groups[name] not in (WORLD, GROUND)]
        planes = list(self._all_planes())
        if self.request.named is not None:
            return self._named(moving, planes)
        contacts: dict[str, Any] = {}
        for normal, through, plane in planes:
            if self.rule:
                among = [x for x in moving if plane is None or self._meets(x, plane)]
                friction_of_plane = None if plane is None else plane.friction
                law = self._law(self._neutral if friction_of_plane is None else friction_of_plane)
                place = {"through": through} if any(through) else {}
                label = "ground" if not contacts else f"ground_{len(contacts) + 1}"
                contacts[label] = {"among": among, "normal": normal, **place, **law}
                contacts[label]["combine"] = self.rule
                continue
            by_friction: dict[float, list[str]] = {}
            for name in (x for x in moving if plane is None or self._meets(x, plane)):
                friction = self._with_plane(self._friction(name), plane)
                by_friction.setdefault(friction, []).append(name)
            for friction, among in by_friction.items():
                label = "ground" if not contacts else f"ground_{len(contacts) + 1}"
                place = {"through": through} if any(through) else {}
                contacts[label] = {"among": among, "normal": normal, **place, **self._law(friction)}
        return contacts

    def _named(self, moving: list[str], planes: list[Plane]) -> dict[str, Any]:
        """Contacts by name, of the links of the request with all planes."""
        for name in self.request.named or ():
            if name not in moving:
                raise unknown("collisions: named", "link", name, moving)
        named = NamedContacts(self.request.balls)
        for normal, through, plane in planes:
            place = {"through": through} if any(through) else {}
            for name in self.request.named or moving:
                for entry, solid in self.entries[name]:
                    if plane is not None and not _meet(solid, plane):
                        continue
                    friction = self._with_plane(self._of_solid(solid), plane)
                    named.add(
                        name, solid, entry, {"normal": normal, **place, **self._law(friction)}
                    )
        self.notices += named.notices
        return named.contacts

    def _all_planes(self) -> Iterator[Plane]:
        """Planes of the file that stand still; without any, that of the request."""
        count = 0
        for link in self.robot.links.values():
            for solid in (x for x in link.collision if x.is_plane):
                if self.groups[link.name] not in (WORLD, GROUND):
                    self.notices.append(
                        say("{place}: a plane that moves does not touch.", self.robot.place(link))
                    )
                    continue
                if self.request.moved:
                    self.notices.append(
                        say("{place}: a plane of a model that stands elsewhere does not touch.",
                            self.robot.place(link))
                    )  # fmt: skip
                    continue
                count += 1
                yield self._plane(link.name, solid)
        if self.request.ground is not None and not count:
            yield [0.0, 0.0, 1.0], [0.0, 0.0, self.request.ground], None

    def _plane(self, link: str, solid: CollisionSolid) -> Plane:
        X = self.poses[link]
        normal = X[:3, :3] @ solid.placement.R @ (0.0, 0.0, 1.0)
        through = X[:3, :3] @ solid.placement.p + X[:3, 3]
        clean = np.where(np.abs(normal) < 1e-15, 0.0, normal)
        return clean.tolist(), through.tolist(), solid

    def _meets(self, name: str, plane: CollisionSolid) -> bool:
        """Whether the sets of a link and of a plane have something in common."""
        return any(_meet(x, plane) for x in self.robot.links[name].collision)

    def _with_plane(self, friction: float, plane: CollisionSolid | None) -> float:
        other = None if plane is None else plane.friction
        if other is None or self.request.friction is not None:
            return friction
        return min(friction, other) if self.robot.least_friction else max(friction, other)


def _meet(solid: CollisionSolid, plane: CollisionSolid) -> bool:
    """Whether the sets of a solid and of a plane have something in common."""
    (group, met), (member, meeting) = solid.groups, plane.groups
    return bool(group & meeting or member & met)
