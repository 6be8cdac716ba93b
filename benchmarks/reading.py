"""Reading of URDF files, beside Pinocchio and MuJoCo in the same run."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import machine
from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import fastest
from torseur.language.load import load

FOLDER = Path(np.__file__).parents[1] / "cmeel.prefix/share/example-robot-data/robots"
FILES = (
    *("solo12.urdf", "panda.urdf", "ur5_robot.urdf", "anymal.urdf", "a1.urdf", "human.urdf"),
    *("simple_humanoid.urdf", "g1_29dof_rev_1_0.urdf", "talos_reduced.urdf", "icub.urdf"),
)
MOST = 3.0  # times Pinocchio
_SHAPES = re.compile(r"<(visual|collision)\b.*?</\1>", re.DOTALL)


def run(*, quick: bool) -> Part:
    """Time to read each file into a mechanism, best of several in a warm process."""
    paths = [path for name in FILES for path in sorted(FOLDER.rglob(name))[:1]]
    peers = {name: read for name, read in _peers().items() if machine.version(name)}
    rows: list[tuple[Cell, ...]] = []
    bars = []
    for path in paths:
        own = fastest(lambda path=path: load(path), 5 if quick else 25)
        theirs = {name: _time(read, path, quick) for name, read in peers.items()}
        number = len(load(path).joints)
        rows.append((path.stem, number, 1e3 * own, *(_ms(x) for x in theirs.values())))
        if (pinocchio := theirs.get("pin")) is not None:
            what = f"{path.stem}, {number} joints: read, Torseur ÷ Pinocchio"
            bars.append(Bar(what, own / pinocchio, MOST, "×"))
    notes = [
        "MuJoCo reads the text without <visual> and <collision>, whose meshes it would load.",
    ]
    if not paths:
        notes.append("Not installed: example-robot-data (extra robot-zoo).")
    head = ("file", "joints", "Torseur [ms]", *(f"{name} [ms]" for name in peers))
    return Part("reading", [Table("URDF into a model", head, rows)], bars, notes)


def _ms(seconds: float | None) -> Cell:
    return None if seconds is None else 1e3 * seconds


def _time(read: Callable[[Path], Any], path: Path, quick: bool) -> float | None:
    """None where the peer refuses the file."""
    try:
        read(path)
    except (ValueError, RuntimeError):
        return None
    return fastest(lambda: read(path), 5 if quick else 25)


def _peers() -> dict[str, Callable[[Path], Any]]:
    """How peers read a file, by their distributions."""

    def pinocchio(path: Path) -> Any:
        import pinocchio

        return pinocchio.buildModelFromUrdf(str(path))

    def mujoco(path: Path) -> Any:
        import mujoco

        return mujoco.MjModel.from_xml_string(_SHAPES.sub("", path.read_text()))

    return {"pin": pinocchio, "mujoco": mujoco}
