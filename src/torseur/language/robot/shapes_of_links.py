"""Shapes that links are drawn with in URDF and SDF: plain solids, and surfaces in files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, final

from torseur.language.robot.format_tables import REQUIRED, Field, RobotFormat, number, numbers, text
from torseur.language.robot.placement import Placement
from torseur.language.robot.robot_parts import RobotMesh, Visual
from torseur.language.robot.xml_tree import XmlElement
from torseur.words.sentence import say

SIZES = {
    "box": ("size",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
    "sphere": ("radius",),
}
_NOT_DRAWN = ("ellipsoid", "plane")
_UP = 6  # folders above the file of a robot in which a package may be
_SHOWN = 3


def shape_tables(mark: str, file: str) -> dict[str, dict[str, Field]]:
    """The tables of solids and surfaces; `mark` is @ where values are attributes."""
    kinds = {"size": numbers(3)}
    scale = Field(f"{mark}scale", numbers(3), (1, 1, 1))
    return {"mesh": {"file": Field(file, text, REQUIRED), "scale": scale}} | {
        solid: {key: Field(f"{mark}{key}", kinds.get(key, number), REQUIRED) for key in keys}
        for solid, keys in SIZES.items()
    }


def shapes_of(
    link: XmlElement,
    format: RobotFormat,
    pose: Callable[[XmlElement], Placement],
    packages: Packages,
) -> dict[str, Any]:
    """Surfaces and solids of a link, by the fields of a `RobotLink`.

    `pose` is that of a <visual>. A solid without volume is left out.
    """
    meshes, visuals = [], []
    for visual, solid in _drawn(link):
        if solid.tag not in ("mesh", *SIZES):
            continue
        keys = tuple(format.tables[solid.tag])
        values = dict(zip(keys, format.values(solid, *keys), strict=True))
        if solid.tag == "mesh":
            file = packages.path(values["file"])
            meshes.append(RobotMesh(file, pose(visual), values["scale"]))
        elif smallest_size(values) > 0:
            sizes = {key: list(x) if key == "size" else x for key, x in values.items()}
            visuals.append(Visual({solid.tag: sizes}, pose(visual)))
    return {"meshes": tuple(meshes), "visuals": tuple(visuals)}


def smallest_size(sizes: Mapping[str, Any]) -> float:
    """The smallest size of a solid."""
    return float(min(min(x) if isinstance(x, tuple) else x for x in sizes.values()))


def _drawn(link: XmlElement) -> Iterator[tuple[XmlElement, XmlElement]]:
    for visual in link.all("visual"):
        for geometry in visual.all("geometry"):
            yield from ((visual, solid) for solid in geometry.children)


def not_drawn(links: Iterable[XmlElement]) -> list[str]:
    """The notice that some solids of links are not drawn."""
    count = sum(solid.tag in _NOT_DRAWN for link in links for _, solid in _drawn(link))
    return [say("Not drawn: {count} plain solid(s) of <visual>.", count)] if count else []


@final
class Packages:
    """The folders in which files are searched: those given, those of ROS, those above the file.

    Names of files are plain paths, `file://`, `package://` or `model://`.
    """

    def __init__(self, file: Path, given: Sequence[str | os.PathLike[str]] = ()) -> None:
        self.folder, self.given = Path(os.path.abspath(file.parent)), given
        self._roots: dict[str, Path | None] = {}
        self._paths: dict[str, str] = {}  # by the names of files

    @cached_property
    def folders(self) -> list[Path]:
        """The folders in their order."""
        ros = os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep)
        above = [self.folder, *list(self.folder.resolve().parents)[:_UP]]
        return [Path(os.path.abspath(x)) for x in (*self.given, *filter(None, ros))] + above

    def path(self, name: str) -> str:
        """The path of a file; its name as it was, where its package is not found."""
        if name not in self._paths:
            self._paths[name] = self._path(name)
        return self._paths[name]

    def _path(self, name: str) -> str:
        scheme, separator, rest = name.partition("://")
        if not separator:
            return str(self.folder / name)
        if scheme == "file":
            return rest
        package, _, inside = rest.partition("/")
        if package not in self._roots:
            places = (place for folder in self.folders for place in (folder / package, folder))
            named = (x for x in places if x.name == package and x.is_dir())
            self._roots[package] = next(named, None)
        root = self._roots[package]
        return name if root is None else str(root / inside)

    @property
    def notices(self) -> tuple[str, ...]:
        """The packages that are missing."""
        missing = [package for package, root in self._roots.items() if root is None]
        if not missing:
            return ()
        return (
            say(
                "Packages of meshes that are not found: {names}. Folders to look in: "
                "ts.robots.load(…, packages=[…]), --package or ROS_PACKAGE_PATH.",
                ", ".join(missing[:_SHOWN]),
            ),
        )
