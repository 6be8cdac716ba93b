"""XML as plain elements that know their line; what could expand or reach outside is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import final
from xml.parsers import expat

from torseur.errors import ModelError
from torseur.words.sentence import say

DEEPEST = 100  # elements within each other
MOST = 200_000  # elements of a file
_DECLARED = re.compile(r"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@final
@dataclass(frozen=True)
class Element:
    """An element: its tag, attributes, children, text, and the line where it starts."""

    tag: str
    attributes: Mapping[str, str]
    file: str
    line: int
    children: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def place(self) -> str:
        """`robot.urdf:12`."""
        return f"{self.file}:{self.line}"

    @property
    def text(self) -> str:
        """The text in it, without blanks around."""
        return "".join(self.texts).strip()

    def all(self, tag: str) -> Iterator[Element]:
        """Its children of a tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """Its first child of a tag."""
        return next(self.all(tag), None)

    def get(self, key: str, otherwise: str = "") -> str:
        """An attribute."""
        return self.attributes.get(key, otherwise).strip()

    def fault(self, problem: str, *advice: str) -> ModelError:
        """What is wrong with it."""
        return ModelError(self.place, problem, *advice)

    def required(self, key: str) -> str:
        """An attribute that must be there."""
        if not self.get(key):
            raise self.fault(say('<{tag}> has no attribute "{key}".', self.tag, key))
        return self.get(key)


def read_xml(text: str, source: str) -> Element:
    """The root of an XML text; `source` is the name of its file."""
    plain = _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)
    declared = _DECLARED.search(plain)
    if declared:
        line = plain.count("\n", 0, declared.start()) + 1
        raise ModelError(
            f"{source}:{line}",
            say("the file declares <!{word} …>, which is not read.", declared.group(1).upper()),
            "Write out what it stands for: entities can grow without bound or read other files.",
        )
    return _Reader(source).read(text)


@final
class _Reader:
    """The elements that are open, from the root inward."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.open: list[Element] = []
        self.root: Element | None = None
        self.count = 0

    def read(self, text: str) -> Element:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        try:
            self.parser.Parse(text.encode(), True)
        except expat.ExpatError as error:
            problem = expat.ErrorString(error.code)
            raise ModelError(
                f"{self.source}:{error.lineno}",
                say("the XML cannot be read: {problem}.", problem),
                *self._unclosed(),
            ) from None
        assert self.root is not None, "expat refuses a text without an element"
        return self.root

    def _unclosed(self) -> tuple[str, ...]:
        if not self.open:
            return ()
        last = self.open[-1]
        return (say("<{tag}> of line {line} is not closed.", last.tag, last.line),)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.source, self.parser.CurrentLineNumber)
        self.count += 1
        if len(self.open) >= DEEPEST:
            raise element.fault(say("more than {deepest} elements are nested.", DEEPEST))
        if self.count > MOST:
            raise element.fault(say("the file holds more than {most} elements.", MOST))
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, tag: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        self.open[-1].texts.append(text)
