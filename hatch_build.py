"""Build hook: a wheel ships its loop kernels as bitcode, so that they run without numba."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_MAKER = "torseur.machine.runtime.build_kernels"


class KernelsHook(BuildHookInterface[Any]):
    """Makes the kernels in a temporary folder, from where they go into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # a checkout makes a kernel when it is first needed
            return
        self.app.display_info("Making the loop kernels: about two minutes.")
        self._folder = tempfile.TemporaryDirectory()
        places = [str(Path(self.root) / "src"), os.environ.get("PYTHONPATH", "")]
        subprocess.run(
            [sys.executable, "-m", _MAKER, self._folder.name],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places))},
            check=True,
        )
        build_data["force_include"][self._folder.name] = "torseur/machine/bitcode"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._folder.cleanup()
