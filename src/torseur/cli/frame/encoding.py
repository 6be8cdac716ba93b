"""Output in any encoding: a letter that it lacks is spelt with those it has."""

from __future__ import annotations

import codecs
import re
import sys
import unicodedata

from torseur.export.names import greek_word

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
