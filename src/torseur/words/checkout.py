"""Catalogues of a checkout: compiled when they are first read, and after each change."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

from torseur.words.po import mo_data, read_po


def compiled(source: Path) -> bytes:
    """The .mo of a .po; a copy beside the bytecode has the time of the .po it was made of."""
    copy = Path(cache_from_source(str(source))).with_name(f"{source.stem}.mo")
    written = source.stat()
    with suppress(OSError):
        if copy.stat().st_mtime_ns == written.st_mtime_ns:
            return copy.read_bytes()
    data = mo_data(read_po(source.read_text(encoding="utf-8")))
    if not sys.dont_write_bytecode:
        with suppress(OSError):  # a folder that cannot be written: compiled again next time
            _keep(data, copy, written)
    return data


def _keep(data: bytes, copy: Path, source: os.stat_result) -> None:
    """Write a copy, whole or not at all."""
    unfinished = copy.with_suffix(f".{os.getpid()}")
    copy.parent.mkdir(parents=True, exist_ok=True)
    unfinished.write_bytes(data)
    os.utime(unfinished, ns=(source.st_atime_ns, source.st_mtime_ns))
    unfinished.replace(copy)
