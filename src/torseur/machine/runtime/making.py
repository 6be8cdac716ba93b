"""Bitcode of the loop kernels from their text, by numba and LLVM: a tool of the build.

`python -m torseur.machine.runtime.making FOLDER` writes every kernel that a released package ships.
A module whose functions are kernels names them in `ENTRIES`, with the `SIGNATURE` they all have.
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
from typing import Any

import llvmlite.binding as llvm

import torseur.machine
from torseur.machine.llvm.library import WIDTHS
from torseur.machine.llvm.sources import ROOT, record
from torseur.machine.llvm.width import GIVEN
from torseur.machine.runtime.bitcode import ENTRY, file_name, has_lanes

_STAMP, _THIS = "released", "torseur.machine.runtime.making"


def made(module: str, name: str) -> bytes:
    """The bitcode of a kernel, for as many lanes as motions have in this process."""
    from torseur.machine.runtime.text_compiler import kernel_module

    home: Any = import_module(module)
    assert name in home.ENTRIES, f"{name} is not in ENTRIES of {module}"
    return _optimised(*kernel_module(home.SIGNATURE, getattr(home, name)))


def _optimised(module: Any, entry: str) -> bytes:
    """Bitcode of a module of which only `entry` is called.

    Everything else is made internal, so that what the entry does not need goes away, and has no
    name: numba's names hold numbers of the process.
    """
    for part in (*module.functions, *module.global_variables):
        if not part.is_declaration and part.name != entry:
            part.linkage = llvm.Linkage.internal
    module.get_function(entry).name = ENTRY
    module.name = ENTRY
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2, reloc="pic")
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, options)
    manager = passes.getModulePassManager()
    manager.add_strip_symbols_pass()
    manager.run(module, passes)
    outside = [f.name for f in module.functions if f.is_declaration]
    foreign = [name for name in outside if not name.startswith("llvm.")]
    assert not foreign, f"a kernel calls {', '.join(foreign)}"
    return bytes(module.as_bitcode())


# --- all of them ----------------------------------------------------------------------------------


def kernels() -> Iterator[tuple[str, str]]:
    """The module and the name of every kernel."""
    for found in walk_packages(torseur.machine.__path__, "torseur.machine."):
        for name in getattr(import_module(found.name), "ENTRIES", ()):
            yield found.name, name


def write_kernels(folder: Path, lanes: int) -> None:
    """The kernels for a number of lanes; 1: those that have none."""
    for module, name in kernels():
        if has_lanes(module) == (lanes > 1):
            packed = lzma.compress(made(module, name), preset=9)
            (folder / file_name(module, name, lanes)).write_bytes(packed)


def write_all(folder: Path) -> None:
    """Every kernel and the fingerprint of the package; a process for each number of lanes."""
    folder.mkdir(parents=True, exist_ok=True)
    widths = (1, *WIDTHS[1:])
    places = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    started = [
        subprocess.Popen(
            [sys.executable, "-m", _THIS, str(folder), str(lanes)],
            env={**os.environ, "PYTHONPATH": places} | ({GIVEN: str(lanes)} if lanes > 1 else {}),
        )
        for lanes in widths
    ]
    for process, lanes in zip(started, widths, strict=True):
        if process.wait():
            raise SystemExit(f"the kernels for {lanes} lanes could not be made")
    (folder / _STAMP).write_text(_fingerprint(), encoding="ascii")


def _fingerprint() -> str:
    """Of all files of the package."""
    files = (ROOT / "torseur").rglob("*.py")
    names = (x.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".") for x in files)
    return str(json.loads(record(tuple(sorted(names))))["digest"])


if __name__ == "__main__":
    _folder, *_lanes = sys.argv[1:]
    if _lanes:
        write_kernels(Path(_folder), int(_lanes[0]))
    else:
        write_all(Path(_folder))
