"""Finished blocks kept beside the result, so that a study goes on where it was interrupted.

The journal of `result.nc` is the folder `result.nc.parts`; each block is a file that appears whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import final
from zipfile import BadZipFile

import numpy as np

from torseur.output import replacing, writable_folder
from torseur.study.block import Block

Array = np.ndarray
_NAME = re.compile(r"rows-(\d+)-(\d+)\.npz")


@final
@dataclass(frozen=True)
class Journal:
    """The blocks of one study; those of another in the same folder are passed over."""

    folder: Path
    digest: str

    def keep(self, start: int, block: Block) -> None:
        """The block that begins with the row `start`."""
        writable_folder(self.folder, create=True)
        stop = start + len(block.scalars)
        with replacing(self.folder / f"rows-{start}-{stop}.npz") as place:
            np.savez(
                place,
                digest=np.array(self.digest),
                scalars=block.scalars,
                curves=block.curves,
                t=block.t,
                texts=np.array(json.dumps([list(block.reasons.items()), dict(block.units)])),
            )

    def blocks(self) -> Iterator[tuple[int, Block]]:
        """What was finished before: first rows and blocks."""
        for path in sorted(self.folder.glob("rows-*.npz")):
            named = _NAME.fullmatch(path.name)
            block = self._read(path) if named else None
            if named and block is not None and len(block.scalars) == int(named[2]) - int(named[1]):
                yield int(named[1]), block

    def _read(self, path: Path) -> Block | None:
        """A block of this study; None for another, or for one that is damaged."""
        try:
            with np.load(path, allow_pickle=False) as file:
                if str(file["digest"]) != self.digest:
                    return None
                reasons, units = json.loads(str(file["texts"]))
                known = {int(k): str(x) for k, x in reasons}
                return Block(file["scalars"], file["curves"], file["t"], known, units)
        except (OSError, ValueError, KeyError, BadZipFile):
            return None

    def close(self) -> None:
        """Its own files are taken away, when the result is written."""
        for path in self.folder.glob("rows-*.npz"):
            if _NAME.fullmatch(path.name):
                path.unlink(missing_ok=True)
        with suppress(OSError):
            self.folder.rmdir()
