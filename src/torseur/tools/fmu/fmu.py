"""FMU of a mechanism for model exchange and co-simulation, by FMI 3 or 2."""

from __future__ import annotations

import hashlib
import io
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from torseur.errors import SolveError, unknown
from torseur.export.names import spelled
from torseur.language.packaged import described
from torseur.model.description import Mechanism
from torseur.output import write_texts
from torseur.tools.fmu.description import Named, build_description, model_description
from torseur.tools.fmu.model import fmu_model
from torseur.tools.fmu.sources import TOKEN, TOLERANCE, sources, written_model
from torseur.tools.fmu.variables import variables
from torseur.tools.target import Exported, Target
from torseur.words.language import spoken
from torseur.words.sentence import say

VERSIONS = (3, 2)
_DATE = (1980, 1, 1, 0, 0, 0)  # of files in the archive: the same FMU has the same bytes
_FLAGS = ("-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off")
_SYSTEMS = {"linux": "linux", "darwin": "darwin", "win32": "windows"}
_ENDINGS = {"linux": ".so", "darwin": ".dylib", "windows": ".dll"}
_MACHINES = {"AMD64": "x86_64", "x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}


@final
@dataclass(frozen=True)
class Fmu:
    """An FMU: the files of its archive, and notices."""

    identifier: str
    files: Mapping[str, bytes]
    notices: tuple[str, ...] = ()

    @property
    def archive(self) -> bytes:
        """The bytes of the file."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "x", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.files.items():
                archive.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
        return packed.getvalue()


def fmu(
    mechanism: Mechanism,
    *,
    fmi: int = 3,
    name: str = "",
    actuators: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    initial: Mapping[str, Any] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Fmu:
    """The FMU of a mechanism.

    Inputs are the commands of `actuators`, as in a Stepper; outputs the coordinates and speeds, and
    of `outputs` named points, energies and forces of imposed motions. A compiler `cc` makes the
    binary for this machine; without one the FMU has its sources only.
    """
    if fmi not in VERSIONS:
        raise unknown("fmu", "version of FMI", str(fmi), [str(x) for x in VERSIONS])
    moving = fmu_model(mechanism, actuators, outputs, initial, parameters)
    written = written_model(moving)
    table = variables(moving, written)
    identifier = spelled(name or mechanism.name)
    texts = sources(moving, written, fmi)
    compiled = sorted(x for x in texts if x.endswith((".c", ".s")))

    def description(token: str) -> str:
        meaning = described(mechanism.name, mechanism.description, spoken())
        return model_description(
            fmi, Named(name or mechanism.name, identifier, meaning, token), table,
            indicators=len(moving.indicators), tolerance=TOLERANCE, sources=compiled,
        )  # fmt: skip

    token = _token(description(""), *texts.values())
    texts["sizes.h"] = texts["sizes.h"].replace(TOKEN, token)
    files = {"modelDescription.xml": description(token).encode()}
    files |= {f"sources/{x}": text.encode() for x, text in texts.items()}
    if fmi == 3:
        # assembly is for one platform, C for all
        text = build_description(identifier, compiled, _platform() if moving.engine else None)
        files["sources/buildDescription.xml"] = text.encode()
    place, binary = _binary(fmi, identifier, texts, compiled)
    if binary is None:
        notice = say("no compiler cc is here: the FMU has its sources, and no binary.")
        return Fmu(identifier, files, (*moving.begin.notices, notice))
    return Fmu(identifier, files | {place: binary}, moving.begin.notices)


def _platform() -> str:
    """The processor and the system at hand, as FMI 3 names them."""
    machine = _MACHINES.get(platform.machine(), platform.machine())
    return f"{machine}-{_SYSTEMS.get(sys.platform, sys.platform)}"


def _token(*texts: str) -> str:
    """A token that changes with the content."""
    digest = hashlib.sha256("".join(texts).encode()).hexdigest()
    places = ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32))
    return f"{{{'-'.join(digest[a:b] for a, b in places)}}}"


def _binary(
    fmi: int, identifier: str, texts: Mapping[str, str], compiled: Sequence[str]
) -> tuple[str, bytes | None]:
    """The place of the shared library in the archive, and its bytes; None without a compiler."""
    system = _SYSTEMS.get(sys.platform, sys.platform)
    folder = _platform() if fmi == 3 else f"{system}64".replace("windows", "win")
    place = f"binaries/{folder}/{identifier}{_ENDINGS.get(system, '.so')}"
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return place, None
    with tempfile.TemporaryDirectory() as folder_of_build:
        home = Path(folder_of_build)
        write_texts(home, texts)
        command = [compiler, *_FLAGS, "-o", "fmu.bin", *compiled, "-lm"]
        done = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)
        if done.returncode:
            text = done.stderr.strip().partition("\n")[0]
            problem = say("the compiler {name} refuses the C code: {text}", compiler, text)
            raise SolveError("fmu", problem)
        return place, (home / "fmu.bin").read_bytes()


def _exported(mechanism: Mechanism, **options: Any) -> Exported:
    """The file of an FMU."""
    made = fmu(mechanism, **options)
    return Exported({f"{made.identifier}.fmu": made.archive}, made.notices)


FMU: Target = Target(
    "fmu", _exported, ("fmi", "name", "actuators", "outputs", "initial", "parameters")
)
