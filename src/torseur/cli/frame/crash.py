"""Crash reports: one line for the user, and a file with the details."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import tempfile
import traceback
from importlib.metadata import PackageNotFoundError, version

from torseur.output import reason
from torseur.version import __version__
from torseur.words.sentence import say

_LIBRARIES = ("numpy", "scipy", "llvmlite", "numba", "lark", "ruamel.yaml", "click", "matplotlib")


def crash_message(error: BaseException) -> str:
    """The line to show; the file holds the command, versions and the traceback, and no more."""
    summary = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    line = say("Torseur failed unexpectedly ({summary})", summary)
    try:
        handle, path = tempfile.mkstemp(".txt", "torseur-crash-")
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(_report(error))
    except OSError as refused:
        why = reason(refused)
        return say("{line}; its details could not be written: {why}.", line, why)
    return say("{line}. Please send {path} and your model to its developers.", line, path)


def _report(error: BaseException) -> str:
    lines = [
        f"torseur {__version__}, Python {platform.python_version()}, {platform.platform()}",
        ", ".join(f"{name} {_version(name)}" for name in _LIBRARIES),
        f"command: {shlex.join(['torseur', *sys.argv[1:]])}",
        "",
        "".join(traceback.format_exception(error)),
    ]
    home = os.path.expanduser("~")
    text = "\n".join(lines)
    return text.replace(home, "~") if len(home) > 1 else text


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"
