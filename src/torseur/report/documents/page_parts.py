"""The parts of a document: headings, paragraphs, tables, pictures, formulas and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True)
class Math:
    """A formula in a line of text, in LaTeX."""

    latex: str


@final
@dataclass(frozen=True)
class CodeText:
    """Code to type, within a line of text."""

    text: str


Inline = str | Math
Text = str | Math | tuple[Inline, ...]  # what stands in a line


@final
@dataclass(frozen=True)
class Heading:
    """The title of a section, of level 1, or of a part of one, of level 2 or 3."""

    text: str
    level: int = 1


@final
@dataclass(frozen=True)
class Paragraph:
    """A few sentences; one that says what one should beware of is marked."""

    text: Text
    beware: bool = False


@final
@dataclass(frozen=True)
class TablePart:
    """Rows of cells under a header; columns of numbers are aligned by their ends."""

    header: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    numbers: bool = False


@final
@dataclass(frozen=True)
class Picture:
    """A drawing, as SVG and as TikZ; `paper` says that it is dark on white."""

    svg: str
    tikz: str
    caption: str = ""
    paper: bool = False


@final
@dataclass(frozen=True)
class FormulaLines:
    """Displayed formulas in LaTeX, one below the other; long ones are broken between terms."""

    latex: tuple[str, ...]


@final
@dataclass(frozen=True)
class Items:
    """A list of short texts."""

    texts: tuple[Text, ...]


Part = Heading | Paragraph | TablePart | Picture | FormulaLines | Items
Parts = tuple[Part, ...]


@final
@dataclass(frozen=True)
class PartsDocument:
    """A title, what it is about in a sentence or two, and the parts in order."""

    title: str
    kicker: str
    lede: tuple[str, ...]
    parts: Parts
    footer: str
    contents: str  # the heading of the table of contents; "" for none
    lang: str = "en"

    @property
    def sections(self) -> Iterator[tuple[Heading, Parts]]:
        """Each heading of level 1 with what follows it."""
        parts: list[Part] = []
        title: Heading | None = None
        for part in self.parts:
            if isinstance(part, Heading) and part.level == 1:
                if title is not None:
                    yield title, tuple(parts)
                title, parts = part, []
            else:
                parts.append(part)
        if title is not None:
            yield title, tuple(parts)


_TYPED = re.compile("`([^`]+)`")
_APART = re.compile(r" (?=[;:!?»](?:\s|$))|(?<=«) ")  # in French, where no line breaks


def runs(text: Text) -> Iterator[Inline | CodeText]:
    """A text as pieces of words and formulas, and of what is typed, between backquotes."""
    for piece in text if isinstance(text, tuple) else (text,):
        if isinstance(piece, Math):
            yield piece
            continue
        for k, part in enumerate(_TYPED.split(piece)):
            if k % 2:
                yield CodeText(part)
            elif part:
                yield bound(part)


def bound(words: str) -> str:
    """Words with the spaces at which French does not break a line."""
    return _APART.sub("\u00a0", words)
