"""Bitcode of all loop kernels, and WebAssembly, written into the folder of a wheel: a build tool.

`python -m torseur.machine.runtime.build_kernels FOLDER` writes every kernel that a wheel ships. A
module whose functions are kernels names them in `ENTRIES`, with the `SIGNATURE` they all have; it
says `HAS_LANES` if they are made for every number of lanes.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import torseur.machine
from torseur.machine.llvm.library import ARGUMENTS, WIDTHS
from torseur.machine.llvm.sources import ROOT, record
from torseur.machine.runtime import wasm_kernels
from torseur.machine.runtime.bitcode import ENTRY, file_name
from torseur.machine.runtime.text_compiler import make_bitcode
from torseur.machine.wasm import elementary

_STAMP, _THIS = "released", "torseur.machine.runtime.build_kernels"


def kernels(lanes: int) -> Iterator[tuple[str, str]]:
    """The module and the name of every kernel that is made for a number of lanes."""
    for module in walk_packages(torseur.machine.__path__, "torseur.machine."):
        home = import_module(module.name)
        if lanes == 1 or hasattr(home, "HAS_LANES"):
            for name in getattr(home, "ENTRIES", ()):
                yield module.name, name


def write_kernels(folder: Path, lanes: int) -> None:
    """Write the kernels for a number of lanes; 1: all, those that have none too, and for pages."""
    for module, name in kernels(lanes):
        code = make_bitcode(module, name, ENTRY, lanes)
        (folder / file_name(module, name, lanes)).write_bytes(lzma.compress(code, preset=9))
        if lanes == 1:
            (folder / wasm_kernels.file_name(module, name)).write_bytes(wasm_kernels.make(code))
    for name in ARGUMENTS if lanes == 1 else ():
        (folder / elementary.file_name(name)).write_bytes(elementary.make(name))


def write_all(folder: Path) -> None:
    """Write every kernel and the fingerprint of the package, in a process a number of lanes."""
    folder.mkdir(parents=True, exist_ok=True)
    places = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    started = [
        subprocess.Popen(
            [sys.executable, "-m", _THIS, str(folder), str(lanes)],
            env={**os.environ, "PYTHONPATH": places},
        )
        for lanes in WIDTHS
    ]
    for process, lanes in zip(started, WIDTHS, strict=True):
        if process.wait():
            raise SystemExit(f"the kernels for {lanes} lanes could not be made")
    (folder / _STAMP).write_text(_fingerprint(), encoding="ascii")


def _fingerprint() -> str:
    """Fingerprint of all files of the package."""
    files = (ROOT / "torseur").rglob("*.py")
    names = (x.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".") for x in files)
    return str(json.loads(record(tuple(sorted(names))))["digest"])


if __name__ == "__main__":
    _folder, *_lanes = sys.argv[1:]
    if _lanes:
        write_kernels(Path(_folder), int(_lanes[0]))
    else:
        write_all(Path(_folder))
