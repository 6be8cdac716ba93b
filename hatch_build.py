"""Build hook: a wheel has its loop kernels as bitcode and its translations as .mo files."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_MAKER = "torseur.machine.runtime.build_kernels"


class WheelHook(BuildHookInterface[Any]):
    """Makes kernels and translations in temporary folders, from where they go into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # a checkout makes a kernel when it is first needed
            return
        self._folder = tempfile.TemporaryDirectory()
        made = Path(self._folder.name)
        for name, make in {"words": self.translate, "machine/bitcode": self.make_kernels}.items():
            (made / name).mkdir(parents=True)
            make(made / name)
            build_data["force_include"][str(made / name)] = f"torseur/{name}"

    def translate(self, folder: Path) -> None:
        """The translations of each language as a .mo file."""
        words = Path(self.root) / "src" / "torseur" / "words"
        po = runpy.run_path(str(words / "po.py"))
        for source in words.glob("*.po"):
            messages = po["read_po"](source.read_text(encoding="utf-8"))
            (folder / f"{source.stem}.mo").write_bytes(po["mo_data"](messages))

    def make_kernels(self, folder: Path) -> None:
        """The loop kernels as bitcode, so that they run without numba."""
        self.app.display_info("Making the loop kernels: about two minutes.")
        places = [str(Path(self.root) / "src"), os.environ.get("PYTHONPATH", "")]
        subprocess.run(
            [sys.executable, "-m", _MAKER, str(folder)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places))},
            check=True,
        )

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._folder.cleanup()
