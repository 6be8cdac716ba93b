"""Where the files that a robot names are: `package://`, `model://`, `file://` and plain paths."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import final

from torseur.words.sentence import say

_UP = 6  # folders above the file of a robot in which a package may be
_SHOWN = 3


@final
class Packages:
    """The folders that are looked in: those given, those of ROS, those above the file."""

    def __init__(self, file: Path, given: Sequence[str | os.PathLike[str]] = ()) -> None:
        folder = Path(os.path.abspath(file.parent))
        ros = os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep)
        above = [folder, *list(folder.resolve().parents)[:_UP]]
        self.folder = folder
        self.folders = [Path(os.path.abspath(x)) for x in (*given, *filter(None, ros))] + above
        self.missing: dict[str, None] = {}
        self._roots: dict[str, Path | None] = {}

    def path(self, name: str) -> str:
        """The path of a file; its name as it was, where it is not found."""
        scheme, separator, rest = name.partition("://")
        if not separator:
            return str(self.folder / name)
        if scheme == "file":
            return rest
        package, _, inside = rest.partition("/")
        root = self._root(package)
        if root is None:
            self.missing[package] = None
            return name
        return str(root / inside)

    def _root(self, package: str) -> Path | None:
        if package not in self._roots:
            places = (
                place
                for folder in self.folders
                for place in (folder / package, folder)
                if place.name == package
            )
            self._roots[package] = next((x for x in places if x.is_dir()), None)
        return self._roots[package]

    @property
    def notices(self) -> tuple[str, ...]:
        """The packages that were not found."""
        if not self.missing:
            return ()
        names = ", ".join(list(self.missing)[:_SHOWN])
        return (
            say(
                "Packages of meshes that are not found: {names}. Folders to look in: "
                "ts.robots.load(…, packages=[…]), --package or ROS_PACKAGE_PATH.",
                names,
            ),
        )
