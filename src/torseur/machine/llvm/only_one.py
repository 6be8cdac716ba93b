"""A lock between processes: a file that the system itself frees when its holder ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PAUSE = 0.05  # seconds between two tries on Windows


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    """Hold a file while others wait for it; without a lock where the file cannot be written."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        yield
        return
    try:
        with suppress(OSError):  # file systems without locks: what is made twice is the same
            _lock(handle)
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        while True:
            try:
                return msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            except OSError:
                time.sleep(_PAUSE)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)
