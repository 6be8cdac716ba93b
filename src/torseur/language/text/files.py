"""Contents of regular files of a limited size; texts are in UTF-8."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

from torseur.errors import ModelError
from torseur.output import reason
from torseur.words.sentence import say


def read_file(path: Path, largest: int, place: str) -> str:
    """The text of a regular file."""
    try:
        return read_bytes(path, largest, place).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        within = "" if place == str(path) else say(' of "{path}"', path.name)
        problem = say(
            "byte {start}{within} is not UTF-8: {reason}.", error.start, within, error.reason
        )
        raise ModelError(place, problem, "Save the file as UTF-8.") from None


class _Reading(threading.local):
    """Number of files that this thread has read so far."""

    files = 0


_reading = _Reading()


def files_read() -> int:
    """Number of files that this thread has read so far."""
    return _reading.files


def read_bytes(path: Path, largest: int, place: str) -> bytes:
    """The contents of a regular file; its size is checked before it is read."""
    _reading.files += 1
    try:
        # a pipe without a writer would be waited for: it is opened without waiting, and refused
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
        with open(handle, "rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError
            if not stat.S_ISREG(status.st_mode):
                advice = "Pipes and devices are not read: save the text in a file."
                raise ModelError(place, say('"{path}" is not a regular file.', path), advice)
            if status.st_size > largest:
                problem = say(
                    '"{path}" has {st_size} bytes, more than {largest}.',
                    path,
                    status.st_size,
                    largest,
                )
                raise ModelError(place, problem, "Split it, or leave out what is not needed.")
            return file.read(largest)
    except IsADirectoryError:
        raise ModelError(place, say('"{path}" is a directory, not a file.', path)) from None
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise FileNotFoundError(str(path)) from error
    except OSError as error:
        problem = say('"{path}" cannot be read: {reason}.', path, reason(error))
        raise ModelError(place, problem) from None


def beside(path: Path) -> list[Path]:
    """The files and folders of the folder of a path, in order; none where there is no folder."""
    try:
        return sorted(path.parent.iterdir())
    except (OSError, ValueError):
        return []
