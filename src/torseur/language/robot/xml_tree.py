"""XML read into plain elements that know their line, and written.

Declarations, which could expand or read other files, are refused. Numbers are read back equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, final
from xml.parsers import expat

from torseur.errors import ModelError
from torseur.words.sentence import Sentence, say

DEEPEST = 100  # elements within each other
MOST = 200_000  # elements of a file
TEXTS = ("sdf",)  # roots of formats that write texts; the others have attributes only
# elements whose content is never read, by the root; their number is reported
CLOSED = {"robot": frozenset(("gazebo", "transmission", "ros2_control", "sensor"))}
_NOTHING_CLOSED: frozenset[str] = frozenset()
_NO_TEXT: list[str] = []
_DECLARED = re.compile(r"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@final
class XmlElement(NamedTuple):
    """An element: its tag, attributes, children, text, and the line where it starts."""

    tag: str
    attributes: Mapping[str, str]
    file: str
    line: int
    children: list[XmlElement]
    texts: list[str]  # of formats that write texts

    @property
    def place(self) -> str:
        """`robot.urdf:12`."""
        return f"{self.file}:{self.line}"

    @property
    def text(self) -> str:
        """The text in it, without blanks around."""
        return "".join(self.texts).strip()

    def all(self, tag: str) -> list[XmlElement]:
        """Its children of a tag."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> XmlElement | None:
        """Its first child of a tag."""
        for child in self.children:
            if child.tag == tag:
                return child
        return None

    def at(self, tags: Iterable[str]) -> XmlElement | None:
        """The first element below by tags, one within the other."""
        element = self
        for tag in tags:
            for child in element.children:
                if child.tag == tag:
                    element = child
                    break
            else:
                return None
        return element

    def get(self, key: str) -> str:
        """An attribute; empty where it is absent."""
        return self.attributes.get(key, "").strip()

    def fault(self, problem: str, *advice: str) -> ModelError:
        """An error at this element."""
        return ModelError(self.place, problem, *advice)


def read_xml(text: str, source: str, deepest: int = DEEPEST) -> XmlElement:
    """The root of an XML text; `source` is the name of its file."""
    if _DECLARED.search(text):
        _refuse_declared(text, source)
    return _XmlReader(source, deepest).read(text)


def _refuse_declared(text: str, source: str) -> None:
    """Refuse a declaration, unless it stands in a comment."""
    plain = _COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)
    declared = _DECLARED.search(plain)
    if declared:
        line = plain.count("\n", 0, declared.start()) + 1
        raise ModelError(
            f"{source}:{line}",
            say("the file declares <!{word} …>, which is not read.", declared.group(1).upper()),
            "Write out its contents: entities can grow without bound or read other files.",
        )


@final
class _XmlReader:
    """The elements that are open, from the root inward."""

    def __init__(self, source: str, deepest: int) -> None:
        self.source, self.deepest = source, deepest
        self.open: list[XmlElement] = []
        self.root: XmlElement | None = None
        self.parser = expat.ParserCreate()

    def read(self, text: str) -> XmlElement:
        if not text.strip():
            raise ModelError(self.source, "the file is empty.")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._begin
        try:
            self.parser.Parse(text.encode(), True)
        except expat.ExpatError as error:
            problem = Sentence(expat.ErrorString(error.code), {})
            raise ModelError(
                f"{self.source}:{error.lineno}",
                say("the XML cannot be read: {problem}.", problem),
                *self._unclosed(),
            ) from None
        finally:
            del self.parser  # which holds its handlers, and they this
        assert self.root is not None, "expat refuses a text without an element"
        return self.root

    def _unclosed(self) -> tuple[str, ...]:
        if not self.open:
            return ()
        last = self.open[-1]
        return (say("<{tag}> of line {line} is not closed.", last.tag, last.line),)

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        """Start with the root, by which texts and closed elements are known."""
        line, texts = self.parser.CurrentLineNumber, tag in TEXTS
        self.root = XmlElement(tag, attributes, self.source, line, [], [] if texts else _NO_TEXT)
        self.open.append(self.root)
        self.parser.StartElementHandler = self._starting(self.root, texts)
        self.parser.EndElementHandler = self._ending()
        if texts:
            self.parser.CharacterDataHandler = self._text

    def _starting(self, root: XmlElement, texts: bool) -> Callable[[str, dict[str, str]], None]:
        """Handler of the start of an element; names are local, as it is called for each."""
        parser, opened, source, deepest = self.parser, self.open, self.source, self.deepest
        closed, new, count = CLOSED.get(root.tag, _NOTHING_CLOSED), tuple.__new__, 1

        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal count
            line, inside = parser.CurrentLineNumber, [] if texts else _NO_TEXT
            element = new(XmlElement, (tag, attributes, source, line, [], inside))
            count += 1
            outer = opened[-1]
            if outer.tag not in closed:
                outer.children.append(element)
            opened.append(element)
            if count > MOST:
                raise element.fault(say("the file holds more than {most} elements.", MOST))
            if len(opened) > deepest:
                raise element.fault(say("more than {deepest} elements are nested.", deepest))

        return start

    def _ending(self) -> Callable[[str], object]:
        """Handler of the end of an element."""
        close = self.open.pop
        return lambda tag: close()

    def _text(self, text: str) -> None:
        if len(self.open) > 1:  # the root holds elements
            self.open[-1].texts.append(text)


# --- writing --------------------------------------------------------------------------------------


def tag(name: str, /, *inner: str, **attributes: Any) -> str:
    """An element; attributes that are None are left out."""
    from xml.sax.saxutils import quoteattr  # it imports the clients of HTTP, which reading spares

    given = "".join(
        f" {key}={quoteattr(_text(x))}" for key, x in attributes.items() if x is not None
    )
    if not inner:
        return f"<{name}{given}/>"
    lines = "\n".join(inner).replace("\n", "\n  ")
    return f"<{name}{given}>\n  {lines}\n</{name}>"


def comment(lines: Iterable[str]) -> str:
    """A comment, a line each."""
    return "\n".join(f"<!-- {line.replace('--', '- -')} -->" for line in lines)


def numbers(values: Iterable[float]) -> str:
    """Numbers separated by blanks."""
    return " ".join(_text(float(x) + 0.0) for x in values)


def _text(x: Any) -> str:
    if isinstance(x, float):
        return str(int(x)) if x.is_integer() and abs(x) < 1e15 else repr(float(x))
    return str(x)
