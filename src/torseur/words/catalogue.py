"""Catalogues: the translations of each language, one gettext file that is found by its name.

A checkout has `fr.po`, compiled when it is first read and after each change; a wheel has `fr.mo`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path

from torseur.words.po import mo_data, read_mo, read_po

ENGLISH = "en"  # the language of the templates, which needs no catalogue
FOLDER = Path(__file__).parent


@cache
def languages() -> tuple[str, ...]:
    """English, then the languages that have a catalogue."""
    stems = {x.stem for x in FOLDER.iterdir() if x.suffix in (".po", ".mo")}
    return (ENGLISH, *sorted(stems))


def translated(english: str, lang: str, context: str = "") -> str:
    """A text in a language; in English where its catalogue has none."""
    key = f"{context}\x04{english}" if context else english
    return english if lang == ENGLISH else catalogue(lang).get(key, english)


def within(context: str, lang: str) -> dict[str, str]:
    """The translations of a context by their English."""
    head = f"{context}\x04"
    texts = catalogue(lang).items()
    return {key.removeprefix(head): text for key, text in texts if key.startswith(head)}


@cache
def catalogue(lang: str) -> Mapping[str, str]:
    """The translations of a language; empty for a language without a catalogue."""
    if lang == ENGLISH or lang not in languages():
        return {}
    built = FOLDER / f"{lang}.mo"
    texts = read_mo(built.read_bytes() if built.exists() else compiled(FOLDER / f"{lang}.po"))
    texts.pop("", None)  # the header
    return texts


# --- catalogues of a checkout ---------------------------------------------------------------------


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
