"""Object code kept on disk, found again by its content."""

import hashlib
import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

_MARK = b"torseur object 1\n"
_DIGEST = 32
TORSEUR = Path(__file__).parents[2]


def directory() -> Path | None:
    """Where object code is kept: $TORSEUR_CACHE, or the user's cache folder; None if it is off."""
    given = os.environ.get("TORSEUR_CACHE")
    if given is not None:
        return Path(given) if given else None
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "torseur"


@cache
def _own_code(folder: Path) -> bytes:
    """A fingerprint of Torseur's source: other code may generate other instructions."""
    found, folders = [], [str(folder)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    folders.append(entry.path)
                elif entry.name.endswith(".py"):
                    with suppress(FileNotFoundError):  # an editor may be replacing it
                        status = entry.stat()
                        found.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(sorted(found)).encode()).digest()


def key(*parts: str, sources: Path = TORSEUR) -> str:
    """The name of what `sources` make from these texts, with this version of LLVM."""
    import llvmlite

    digest = hashlib.sha256(_own_code(sources))
    for part in (llvmlite.__version__, *parts):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def read(name: str) -> bytes | None:
    """What is kept under a name; None if there is nothing whole."""
    place = directory()
    if place is None:
        return None
    try:
        content = (place / name).read_bytes()
    except OSError:
        return None
    head, digest, body = content[: len(_MARK)], content[len(_MARK) :][:_DIGEST], b""
    body = content[len(_MARK) + _DIGEST :]
    whole = head == _MARK and hashlib.sha256(body).digest() == digest
    return body if whole else None


def write(name: str, body: bytes) -> None:
    """Keep content under a name; another process may do the same, a full or closed disk is fine."""
    place = directory()
    if place is None:
        return
    try:
        place.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place)
        with os.fdopen(handle, "wb") as file:
            file.write(_MARK + hashlib.sha256(body).digest() + body)
        os.replace(temporary, place / name)
    except OSError:
        return
