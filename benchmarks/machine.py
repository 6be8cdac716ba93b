"""The machine and the versions that a result depends on."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

# name in the tables → distribution
PEERS = {
    "Pinocchio": "pin",
    "MuJoCo": "mujoco",
    "CasADi": "casadi",
    "SymPy": "sympy",
    "Exudyn": "exudyn",
    "Drake": "drake",
}
HOW = "make peers"


def processor() -> str:
    """The model of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    found = {key.strip(): value.strip() for key, _, value in (x.partition(":") for x in lines)}
    name = found.get("model name", platform.machine())
    kind = ", ".join(f"{word} {found[key]}" for word, key in _KIND if key in found)
    speed = f", {float(found['cpu MHz']):.0f} MHz" if "cpu MHz" in found else ""
    return (f"{name} ({kind})" if kind else name) + speed


_KIND = (("family", "cpu family"), ("model", "model"))


def version(distribution: str) -> str | None:
    """The installed version; None if there is none."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def llvm() -> str:
    """The versions of llvmlite and of the LLVM inside it."""
    import llvmlite
    import llvmlite.binding

    number = ".".join(str(x) for x in llvmlite.binding.llvm_version_info)
    return f"{number} (llvmlite {llvmlite.__version__})"


def compiler() -> str | None:
    """The C compiler that CasADi's code is given to."""
    path = shutil.which("gcc")
    if path is None:
        return None
    run = subprocess.run([path, "-dumpfullversion"], capture_output=True, text=True, check=True)
    return run.stdout.strip()


def description() -> dict[str, str | None]:
    """Machine and versions by name; None for what is missing."""
    return {
        "machine": f"{processor()}; {os.cpu_count()} cores; {platform.system()}",
        "Python": platform.python_version(),
        "NumPy": version("numpy"),
        "LLVM": llvm(),
        "Torseur": version("torseur"),
        **{name: version(distribution) for name, distribution in PEERS.items()},
        "gcc": compiler(),
    }


def missing() -> list[str]:
    """The peers that are not installed."""
    return [name for name, distribution in PEERS.items() if version(distribution) is None]
