"""Object code on disk, stored under a digest of the source that it was made from.

It is executed, so only what this user wrote is read: a directory and files that belong to them and
that no other user can write, and a digest over the name and the content. Processes that need the
same code wait for the first by a lock on a file, which the system frees when its holder ends.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from torseur.machine.llvm import sources

LARGEST = 512 * 1024**2  # bytes kept; beyond, what was used longest ago is removed
_MARK = b"torseur object 2\n"
_DIGEST = 32
_UNFINISHED, _MAKING = "unfinished-", "making-"
_OWN = re.compile(
    rf"[0-9a-f]{{64}}|{_UNFINISHED}\w+|{_MAKING}[0-9a-f]+"
)  # what a folder holds else is not touched
_PATIENCE = 3600.0  # seconds after which an unfinished file is removed
_LOOKED = "looked"  # a file that says by its time when the folder was last looked through
_BETWEEN_LOOKS = 600.0  # seconds: a folder of many small files takes half a second to look through
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

elif sys.platform == "emscripten":  # the files of a page are its own

    def _lock(handle: int) -> None:
        """Go on: there is one process."""

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)


def directory() -> Path | None:
    """Where object code is kept: $TORSEUR_CACHE, or the user's cache folder; None if it is off."""
    given = os.environ.get("TORSEUR_CACHE")
    if given is not None:
        return Path(given) if given else None
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    if base:
        return Path(base) / "torseur"
    try:
        home = Path.home()
    except RuntimeError:  # the user has no home
        return _homeless()
    return home / ".cache" / "torseur" if home.is_dir() else _homeless()


def _homeless() -> Path:
    """A folder of the user among the temporary files, where there is no home to write in."""
    return Path(tempfile.gettempdir()) / f"torseur-{_user()}"


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0


def _is_ours(status: os.stat_result) -> bool:
    """Whether no other user can have written it: the code read there is executed."""
    if not hasattr(os, "getuid"):  # Windows: the folder of a user is theirs alone
        return True
    return status.st_uid == _user() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _folder() -> Path | None:
    """The directory, or None where there is none that is safe."""
    place = directory()
    if place is None or _is_safe(place):
        return place
    other = _homeless()
    return other if "TORSEUR_CACHE" not in os.environ and _is_safe(other) else None


@cache
def _is_safe(place: Path) -> bool:
    """Whether it is a folder that only this user writes in.

    Our own one is made so, or closed to others; one that the user names is left as it is.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            place.mkdir(mode=0o700)
        status = place.stat()
        ours = "TORSEUR_CACHE" not in os.environ and status.st_uid == _user()
        if ours and stat.S_ISDIR(status.st_mode) and not _is_ours(status):
            place.chmod(0o700)
            status = place.stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(status.st_mode) and _is_ours(status)


def key(*parts: str, modules: tuple[str, ...]) -> str:
    """The name of what modules make from these texts, with this version of LLVM."""
    import llvmlite

    source = _source_fingerprint(modules) if _folder() else ""  # nothing is kept: any name will do
    digest = hashlib.sha256()
    for part in (source, *modules, llvmlite.__version__, *parts):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


@cache
def _source_fingerprint(modules: tuple[str, ...]) -> str:
    """A fingerprint of the source that modules are made of, kept with the state of its files."""
    if (stamp := sources.released()) is not None:
        return stamp
    about = repr(("sources", str(sources.ROOT), modules))
    name = hashlib.sha256(about.encode()).hexdigest()
    stored = read(name)
    fingerprint = sources.recalled(stored) if stored else None
    if fingerprint is None:
        write(name, content := sources.record(modules))
        fingerprint = sources.recalled(content)
    return fingerprint or ""


def read(name: str) -> bytes | None:
    """Content stored under a name; None if it is not there whole, written by this user."""
    place = _folder()
    if place is None:
        return None
    try:
        handle = os.open(place / name, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode) or not _is_ours(status):
                return None
            content = file.read()
        with suppress(OSError):
            os.utime(place / name)  # used of late: among the last to be removed
    except OSError:
        return None
    head, body = content[: len(_MARK) + _DIGEST], content[len(_MARK) + _DIGEST :]
    return body if head == _MARK + _digest(name, body) else None


def write(name: str, body: bytes) -> None:
    """Store content under a name; other processes may do so too, a full or closed disk is fine."""
    place = _folder()
    if place is None:
        return
    temporary = ""
    try:
        _make_room(place)
        handle, temporary = tempfile.mkstemp(prefix=_UNFINISHED, dir=place)
        with os.fdopen(handle, "wb") as file:
            file.write(_MARK + _digest(name, body) + body)
        os.replace(temporary, place / name)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)


def read_or_make(name: str, make: Callable[[], bytes]) -> bytes:
    """Content stored under a name; if there is none, make and store it."""
    content = read(name)
    if content is None:
        content = make()
        write(name, content)
    return content


def make_once(name: str, make: Callable[[], bytes]) -> bytes:
    """Content that takes long to make: other processes wait for the first that makes it."""
    content, place = read(name), _folder()
    if content is not None or place is None:
        return make() if content is None else content
    with only_one(place / f"{_MAKING}{name[:16]}"):
        return read_or_make(name, make)


def _digest(name: str, body: bytes) -> bytes:
    """Digest of name and content: code of one mechanism is never executed for another."""
    return hashlib.sha256(name.encode() + b"\0" + body).digest()


@cache
def _make_room(place: Path) -> None:
    """Remove what was used longest ago beyond `LARGEST`, now and then as a process writes first."""
    looked = place / _LOOKED
    with suppress(FileNotFoundError):
        if abs(time.time() - looked.stat().st_mtime) < _BETWEEN_LOOKS:
            return
    looked.touch(mode=0o600)
    files = []
    with os.scandir(place) as entries:
        for entry in entries:
            with suppress(OSError):  # another process may be removing it
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(status.st_mode) and _OWN.fullmatch(entry.name):
                    files.append((status.st_mtime, status.st_size, entry))
    total = sum(size for _, size, _ in files)
    for used, size, entry in sorted(files, key=lambda file: file[0]):
        forgotten = entry.name.startswith((_UNFINISHED, _MAKING)) and time.time() - used > _PATIENCE
        if total <= LARGEST and not forgotten:
            continue
        with suppress(OSError):
            os.unlink(entry.path)
            total -= size
