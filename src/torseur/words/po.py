"""The gettext format of translations: .po as translators edit it, .mo as programs read it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from struct import pack, unpack_from
from typing import final

MAGIC = 0x950412DE  # of .mo files, here in the byte order of small processors
HEAD = 28  # bytes before the two tables of lengths and places
_LINE = re.compile(r'(?:(msgctxt|msgid|msgstr) )?"((?:[^"\\]+|\\.)*+)"')
_ESCAPED = {"n": "\n", "t": "\t"}
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\t": r"\t"})


@final
@dataclass
class Message:
    """An English text with its context, its translation, and the comments above it."""

    context: str
    english: str
    text: str = ""
    line: int = 0  # of the file in which it stands, from 1
    comments: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Key of the message: gettext joins context and English by this sign."""
        return f"{self.context}\x04{self.english}" if self.context else self.english

    @property
    def usable(self) -> bool:
        """Whether it is translated, and by a person: `fuzzy` marks what a program guessed."""
        return bool(self.text) and not any("fuzzy" in x for x in self.comments if x[:2] == "#,")

    def __str__(self) -> str:
        texts = {"msgctxt": self.context, "msgid": self.english, "msgstr": self.text}
        named = ((name, x) for name, x in texts.items() if x or name != "msgctxt")
        return "\n".join([*self.comments, *(f"{name} {_quoted(x)}" for name, x in named), ""])


def read_po(text: str) -> Iterator[Message]:
    """The messages of a .po file, its header first: that is the message of no text."""
    texts: dict[str, str] = {}
    comments: list[str] = []
    name, start = "", 0
    for number, line in enumerate([*text.split("\n"), "#"], 1):
        match = _LINE.fullmatch(line.strip())
        if "msgstr" in texts and (line.startswith("#") or (match and match[1])):
            yield Message(
                texts.get("msgctxt", ""), texts["msgid"], texts["msgstr"], start, comments
            )
            texts, comments = {}, []
        if line.startswith("#"):
            comments += [] if line.startswith("#~") else [line]  # a message that went out of use
        elif match:
            name, start = match[1] or name, start if texts else number
            texts[name] = texts.get(name, "") + _unescaped(match[2])
        elif line.strip():
            raise ValueError(f"line {number} of the catalogue cannot be read: {line}")


def _quoted(text: str) -> str:
    """A text between quotes; one of several lines on lines of their own."""
    lines = re.split(r"(?<=\n)(?!$)", text)
    return "\n".join(f'"{x.translate(_ESCAPES)}"' for x in ([""] * (len(lines) > 1)) + lines)


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return re.sub(r"\\(.)", lambda sign: _ESCAPED.get(sign[1], sign[1]), text)


def mo_data(messages: Iterable[Message]) -> bytes:
    """A .mo file of what is translated."""
    known = sorted((x.key.encode(), x.text.encode()) for x in messages if x.usable)
    texts = [x for column in zip(*known, strict=True) for x in column]
    table, place = [], HEAD + 8 * len(texts)
    for text in texts:
        table += [len(text), place]
        place += len(text) + 1
    head = pack("<7I", MAGIC, 0, len(known), HEAD, HEAD + 8 * len(known), 0, 0)
    return head + pack(f"<{len(table)}I", *table) + b"".join(x + b"\0" for x in texts)


def read_mo(data: bytes) -> dict[str, str]:
    """The translations of a .mo file that `mo_data` made, by their keys.

    Its texts follow each other, all keys and then all translations: they are decoded at once.
    """
    count = unpack_from("<I", data, 8)[0]
    texts = str(data[HEAD + 16 * count :], "utf-8").split("\0")
    return dict(zip(texts[:count], texts[count:-1], strict=True))
