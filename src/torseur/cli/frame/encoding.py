"""Output in any encoding: a letter that it lacks is spelt with those it has."""

from __future__ import annotations

import codecs
import os
import platform
import re
import shlex
import sys
import tempfile
import traceback
import unicodedata
from importlib.metadata import PackageNotFoundError, version

from torseur.export.names import greek_word
from torseur.output import reason
from torseur.version import __version__
from torseur.words.sentence import say

_SIGNS = {
    "−": "-", "–": "-", "—": "-", "·": "*", "×": "x", "→": "->", "↔": "<->", "…": "...", "°": "deg",
    "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "∂": "d", "∫": "int", "√": "sqrt", "∞": "inf",
    "“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "•": "*", "⁻": "^-",
    "²": "^2", "³": "^3", "∑": "sum", "Δ": "Delta", "∈": "in", "⟨": "<", "⟩": ">",
}  # fmt: skip
_PLAIN = "plain_ascii"
_BOX = re.compile(r"BOX DRAWINGS .*?(HORIZONTAL|VERTICAL|DOWN|UP|ARC)")


def degrade() -> None:
    """Standard output and error never fail for a letter from here on."""
    codecs.register_error("spelt", _spelt)
    codecs.register(_plain)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            ascii_only = codecs.lookup(stream.encoding).name == "ascii"
            reconfigure(encoding=_PLAIN if ascii_only else None, errors="spelt")


def speaks_unicode() -> bool:
    """Whether standard output can write θ̈₁ as it is."""
    try:
        "θ̈₁".encode(getattr(sys.stdout, "encoding", None) or "ascii", "strict")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def in_a_terminal() -> bool:
    """Whether standard output is a terminal that shows every letter."""
    return speaks_unicode() and sys.stdout.isatty()


def _plain(name: str) -> codecs.CodecInfo | None:
    """ASCII under another name: click takes the real one for a mistake, and writes UTF-8."""
    if name != _PLAIN:
        return None
    known = codecs.lookup("ascii")
    return codecs.CodecInfo(
        known.encode,
        known.decode,
        incrementalencoder=known.incrementalencoder,
        incrementaldecoder=known.incrementaldecoder,
        name=_PLAIN,
    )


def _spelt(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replacement of letters that a codec cannot write."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(spelt, error.object[error.start : error.end])), error.end


def spelt(letter: str) -> str:
    """A letter in ASCII: `theta` for θ, `e` for é, `?` for what has no spelling."""
    if letter in _SIGNS:
        return _SIGNS[letter]
    if word := greek_word(letter):
        return word
    box = _BOX.match(unicodedata.name(letter, ""))
    if box is not None:
        return {"HORIZONTAL": "-", "VERTICAL": "|"}.get(box[1], "+")
    plain = unicodedata.normalize("NFKD", letter)
    missing = "" if unicodedata.combining(letter) else "?"
    return "".join(x for x in plain if x.isascii()) or missing


# --- crash reports: one line for the user, and a file with the details ----------------------------

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
