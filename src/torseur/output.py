"""Files that are written whole or not at all.

A file appears under its name when its content is on the disk: it is written beside its place under
another name, synchronised, then renamed. Whatever happens before that leaves the old file as it
was. What cannot be replaced (`-` for standard output, a device, a pipe) is written directly.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, final

from torseur import notebook
from torseur.errors import ModelError, SolveError
from torseur.words.sentence import Sentence, say

if sys.platform == "win32":
    from pathlib import WindowsPath as _PathHere
else:
    from pathlib import PosixPath as _PathHere

if TYPE_CHECKING:
    import numpy as np

STANDARD_OUTPUT = "-"
_LONGEST = 100  # characters of a file name made from the name of a model
_KINDS: dict[type[OSError], str] = {
    FileNotFoundError: "no such file or directory",
    PermissionError: "permission denied",
    IsADirectoryError: "it is a directory",
    NotADirectoryError: "not a directory",
}
_REASONS = {
    errno.ENOSPC: "no space left on device",
    errno.EROFS: "read-only file system",
    errno.ENAMETOOLONG: "file name too long",
    errno.ELOOP: "too many levels of symbolic links",
    errno.EIO: "input/output error",
    errno.EFBIG: "file too large",
    errno.EMFILE: "too many open files",
    errno.EADDRINUSE: "address already in use",
}
_DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{x}{k}" for x in ("COM", "LPT") for k in range(10))}


@final
class WrittenFile(_PathHere):
    """The path of a file that was written; a notebook shows what is in it."""

    _repr_html_ = notebook.file


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A place to write to, which becomes the file `path` when the block ends well.

    The ending is that of `path`, from which libraries tell the format.
    """
    place = _target(writable(path))
    direct = str(place) == STANDARD_OUTPUT or _is_special(place)
    temporary = _beside(place, direct)
    try:
        yield temporary
        _deliver(temporary, place) if direct else _put(temporary, place)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise SolveError(
            str(place), say("it could not be written: {reason}.", reason(error))
        ) from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """A text as a file in UTF-8 whose lines end as on every system; the path."""
    return write_bytes(path, text.encode("utf-8", errors="replace"))


def write_bytes(path: str | os.PathLike[str], data: bytes) -> Path:
    """Bytes; what was there is replaced when all of it has been written."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)
    return WrittenFile(path)


def write_table(path: str | os.PathLike[str], heads: Sequence[str], rows: np.ndarray) -> Path:
    """A table as comma-separated values, every digit kept, under a line of heads."""
    lines = [",".join(map(_quoted, heads))]
    line = ",".join(["%.17g"] * len(heads))
    lines += [line % tuple(row) for row in rows.astype(float).tolist()]
    return write_text(path, "\n".join([*lines, ""]))


def _quoted(head: str) -> str:
    """A head as RFC 4180 has it."""
    return '"' + head.replace('"', '""') + '"' if re.search(r'[",\r\n]', head) else head


def writable(path: str | os.PathLike[str]) -> Path:
    """The path, if a file can be written there; asked before a long computation."""
    place = _target(path)
    try:
        _check(place)
    except (OSError, ValueError) as error:
        raise _refused(place, error) from None
    return Path(path)


def known_ending(path: str | os.PathLike[str], endings: Sequence[str], place: str) -> str:
    """The ending of a file, if it is among those that can be written; otherwise a message."""
    ending = Path(path).suffix.lower()
    if ending not in endings:
        advice = say("Endings: {endings}.", ", ".join(endings))
        raise ModelError(place, say('cannot write "{path}".', path), advice)
    return ending


def writable_folder(path: str | os.PathLike[str], *, create: bool = False) -> Path:
    """The path of a folder, if it or the nearest one that exists above it can be written in."""
    place = Path(path)
    try:
        if create:
            place.mkdir(parents=True, exist_ok=True)
        existing = place.absolute()
        while not os.path.lexists(existing):
            existing = existing.parent
        with tempfile.TemporaryFile(dir=existing):
            pass
    except (OSError, ValueError) as error:
        raise _refused(place, error) from None
    return place


def write_texts(directory: str | os.PathLike[str], texts: Mapping[str, str]) -> list[Path]:
    """The files of a folder, which is made if there is none: texts by their names."""
    folder = writable_folder(directory, create=True)
    return [write_text(folder / name, text) for name, text in texts.items()]


def file_name(name: str, ending: str) -> Path:
    """A file of this folder called after a model: letters, digits and `-_. +` of its name.

    The name cannot lead to another folder, hide the file or be that of a device.
    """
    plain = unicodedata.normalize("NFC", name)
    stem = re.sub(r"[^\w\-. +]+", "_", plain).strip(" ._")[:_LONGEST].rstrip(" .")
    if stem.split(".")[0].upper() in _DEVICES:
        stem = f"{stem}_"
    return Path(f"{stem or 'model'}{ending}")


def reason(error: Exception) -> str:
    """Why an operation failed: what systems often say in words of ours, anything else as it is."""
    number = getattr(error, "errno", None)
    known = (words for kind, words in _KINDS.items() if isinstance(error, kind))
    if text := next(known, None) or _REASONS.get(number or 0):
        return Sentence(text, {})
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return words[:1].lower() + words[1:].rstrip(".")


def _target(path: str | os.PathLike[str]) -> Path:
    """The file that is meant: the end of symbolic links, which stay."""
    if not isinstance(path, str | os.PathLike):
        advice = 'For instance "page.html".'
        raise ModelError(
            "path", say("expected the path of a file, got {path}.", repr(path)), advice
        )
    place = Path(path)
    with suppress(OSError, ValueError, RuntimeError):
        if place.is_symlink() and not _is_special(place):
            return place.resolve()
    return place


def _is_special(place: Path) -> bool:
    """Whether it exists and is no ordinary file: a device, a pipe, a socket."""
    try:
        kind = place.stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(kind) and not stat.S_ISDIR(kind)


def _check(place: Path) -> None:
    """An OSError where nothing can be written."""
    if str(place) == STANDARD_OUTPUT:
        return
    with suppress(FileNotFoundError):
        if stat.S_ISDIR(os.stat(place).st_mode):
            raise IsADirectoryError(21, "it is a directory")
        if not os.access(place, os.W_OK):
            raise PermissionError(13, "permission denied")
    if not _is_special(place):
        with tempfile.TemporaryFile(dir=place.parent):
            pass


def _beside(place: Path, direct: bool) -> Path:
    """An empty file next to the place, with the rights the user gives to new files."""
    folder, mode = (Path(tempfile.gettempdir()), 0o600) if direct else (place.parent, 0o666)
    temporary = folder / f".{place.stem[:50]}-{secrets.token_hex(8)}{place.suffix}"
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
        if not direct and place.exists():
            temporary.chmod(stat.S_IMODE(place.stat().st_mode))
    except OSError as error:
        raise _refused(place, error) from None
    return temporary


def _deliver(temporary: Path, place: Path) -> None:
    """The content, sent through what cannot be replaced."""
    with temporary.open("rb") as content:
        if str(place) == STANDARD_OUTPUT:
            shutil.copyfileobj(content, sys.__stdout__.buffer)  # type: ignore[union-attr]
            sys.__stdout__.flush()  # type: ignore[union-attr]
            return
        with place.open("wb") as out:
            shutil.copyfileobj(content, out)


def _put(temporary: Path, place: Path) -> None:
    """The content on the disk, then under its name."""
    with temporary.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(temporary, place)
    with suppress(OSError):  # not every system opens folders
        folder = os.open(place.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _refused(place: Path, error: OSError | ValueError) -> ModelError:
    advice = "Choose a file in a folder that exists and can be written to."
    return ModelError(str(place), say("it cannot be written: {reason}.", reason(error)), advice)
