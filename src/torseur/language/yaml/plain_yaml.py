"""The plain part of YAML, in which models are written, read quickly; the full reader has the rest.

Block mappings and lists by indentation, flow collections, plain and quoted scalars on one line, and
comments. Whatever is more than that, or wrong, is `Unusual`: the full reader reads or refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

Node = tuple[Any, int, int]  # content, line and column; a text, None, a list or Entries

_STRANGE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_FIRST = r"(?:[^\s,\[\]{}#&*!|>'\"%@`?:=<-]|-(?=[^\s,\[\]{}#&*!|>'\"%@`?:-]))"
_TOKEN = re.compile(
    rf" *(?:(?P<mark>[\[\]{{}},]|:(?=[ \n]))|(?P<plain>{_FIRST}[^,\[\]{{}}:#\n]*)"
    r"|\"(?P<double>[^\"\\\n]*)\"|'(?P<single>[^'\n]*)'(?!')|(?P<newline>(?:\n *)+))"
)
_IN_FLOW = rf"{_FIRST}[^,\[\]{{}}:#\n]*"
_PLAIN_LIST = re.compile(rf"\[( *{_IN_FLOW}(?:, *{_IN_FLOW})*)\]")
_LINE = re.compile(
    rf"(?P<indent> *)(?:(?P<dash>- +)|(?P<key>{_FIRST}[^,\[\]{{}}:#\n'\"]*"
    r"|\"[^\"\\\n]+\"|'[^'\n]+')"
    r":(?: +(?=[^ \n])|(?= *\n)))?"
)
_SCALAR = re.compile(rf"(?P<plain>{_FIRST}[^:#\n]*)(?: #[^\n]*)?\n")
_BLANK = re.compile(r" *(?:#[^\n]*)?\n")
_REST = re.compile(r" *(?: #[^\n]*)?\n")
_LONGEST_KEY = 100
_DEEPEST = 100  # column at which a block may start


class Unusual(Exception):
    """The text is not of the plain form."""


@final
@dataclass(frozen=True)
class Entries:
    """The raw entries of a mapping: key, value, line and column of the key."""

    pairs: list[tuple[str, Any, int, int]]


def plain_yaml(text: str) -> Node:
    """The values of a text of the plain form, each with its line and column."""
    if _STRANGE.search(text):
        raise Unusual
    reader = _PlainReader(f"{text}\n")
    reader.skip()
    root = reader.block(-1)
    if reader.at < len(reader.text):
        raise Unusual
    return root


@final
class _PlainReader:
    """A text and how far it is read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.start = 0  # of the line

    def skip(self) -> None:
        """Over blank lines and comments, to the start of a line."""
        while self.at < len(self.text):
            blank = _BLANK.match(self.text, self.at)
            if blank is None:
                return
            self._down(blank.end())

    def _down(self, at: int) -> None:
        """To the next line."""
        self.at = self.start = at
        self.line += 1

    # --- blocks ---------------------------------------------------------------------------------

    def block(self, outer: int) -> Node:
        """The mapping or the list that starts at this line, indented more than `outer`."""
        line, indent = self._line_and_column()
        if line["key"] is None and line["dash"] is None:
            raise Unusual
        first = self.line
        if not outer < indent < _DEEPEST:
            raise Unusual
        if line["dash"] is not None:
            return self._list(indent), first, indent + 1
        return self._mapping(indent), first, indent + 1

    def _mapping(self, indent: int) -> Entries:
        pairs: list[tuple[str, Any, int, int]] = []
        while self.at < len(self.text):
            line, column = self._line_and_column()
            if column > indent:
                raise Unusual
            if column < indent:
                break
            key = line["key"]
            if key is None or len(key) > _LONGEST_KEY or key.startswith(("---", "...")):
                raise Unusual
            where = self.line
            self.at = line.end()
            value = self._value(indent, in_list=False)
            name = key[1:-1] if key[0] in "\"'" else key.rstrip(" ")
            pairs.append((name, value, where, indent + 1))
        return Entries(pairs)

    def _list(self, indent: int) -> list[Node]:
        items: list[Node] = []
        while self.at < len(self.text):
            line, column = self._line_and_column()
            if column > indent:
                raise Unusual
            if column < indent or line["dash"] is None:
                break
            self.at = line.end()
            items.append(self._value(indent, in_list=True))
        return items

    def _line_and_column(self) -> tuple[re.Match[str], int]:
        """The rest of this line, and its column."""
        line = _LINE.match(self.text, self.at)
        if line is None:
            raise Unusual
        return line, self.at - self.start + len(line["indent"])

    def _value(self, indent: int, *, in_list: bool) -> Node:
        """The value after a key or a dash: on the same line, or a block that is indented more."""
        text, column = self.text, self.at - self.start + 1
        character = text[self.at]
        if character in "[{\"'":
            where = self.line
            node = self._flow(indent)
            rest = _REST.match(text, self.at)
            if rest is None or (where != self.line and character in "\"'"):
                raise Unusual
            self._down(rest.end())
            self.skip()
            return node
        if character in "\n#" or text[self.at] == " ":
            return self._below(indent, in_list)
        if in_list:
            line, _ = self._line_and_column()
            if line["dash"] is not None or line["key"] is not None:  # a block that starts here
                return self.block(indent)
        scalar = _SCALAR.match(text, self.at)
        if scalar is None:
            raise Unusual
        plain, where = scalar["plain"].rstrip(" "), self.line
        self._down(scalar.end())
        self.skip()
        following = _LINE.match(text, self.at)
        if following is not None and self.at < len(text) and len(following["indent"]) > indent:
            raise Unusual  # a text of several lines
        return None if plain in _NULL else plain, where, column

    def _below(self, indent: int, in_list: bool) -> Node:
        rest = _REST.match(self.text, self.at)
        column = indent + 2 if in_list else self.at - self.start + 1  # right after a dash
        where = self.line
        if rest is None:
            raise Unusual
        self._down(rest.end())
        self.skip()
        line = _LINE.match(self.text, self.at)
        deeper = line is not None and len(line["indent"]) > indent
        same = line is not None and len(line["indent"]) == indent and line["dash"] is not None
        if self.at < len(self.text) and (deeper or (same and not in_list)):
            return self.block(indent if deeper else indent - 1)
        return None, where, column

    # --- flow -----------------------------------------------------------------------------------

    def _token(self, indent: int) -> Any:
        """The next token; lines go on where they are indented."""
        while True:
            token = _TOKEN.match(self.text, self.at)
            if token is None:
                raise Unusual
            self.at = token.end()
            if token.lastgroup != "newline":
                return token
            self.line += token["newline"].count("\n")
            self.start = self.text.rindex("\n", 0, self.at) + 1
            if self.at - self.start <= indent:
                raise Unusual

    def _flow(self, indent: int, token: Any = None) -> Node:
        token = token or self._token(indent)
        kind = token.lastgroup
        value = token[kind]
        where, column = self.line, token.start(kind) - self.start + 1
        if kind == "plain":
            value = value.rstrip(" ")
            return None if value in _NULL else value, where, column
        if kind != "mark":
            return value, where, column
        if value == "[":
            return self._flow_list(indent, token.start(kind)), where, column
        if value == "{":
            return self._flow_mapping(indent), where, column
        raise Unusual

    def _flow_list(self, indent: int, start: int) -> list[Node]:
        plain = _PLAIN_LIST.match(self.text, start)
        if plain is None:
            return [self._flow(indent, token) for token in self._until("]", indent)]
        items: list[Node] = []
        self.at, column = plain.end(), start - self.start + 2
        for part in plain[1].split(","):  # most lists are numbers and names on one line
            value = part.strip(" ")
            place = column + len(part) - len(part.lstrip(" "))
            items.append((None if value in _NULL else value, self.line, place))
            column += len(part) + 1
        return items

    def _flow_mapping(self, indent: int) -> Entries:
        pairs: list[tuple[str, Any, int, int]] = []
        for token in self._until("}", indent):
            key, where, column = self._flow(indent, token)
            if not isinstance(key, str) or len(key) > _LONGEST_KEY:
                raise Unusual
            column -= token.lastgroup != "plain"  # a key stands where its quote does
            if self.text.startswith(": ", self.at):
                self.at += 1
            elif self._token(indent)["mark"] != ":":
                raise Unusual
            pairs.append((key, self._flow(indent), where, column))
        return Entries(pairs)

    def _until(self, closing: str, indent: int) -> Iterator[Any]:
        """The first token of each entry; the reader of an entry goes on to its end."""
        token = self._token(indent)
        while token["mark"] != closing:
            yield token
            if self.text[self.at] == ",":
                self.at += 1
                token = self._token(indent)
                continue
            token = self._token(indent)
            if token["mark"] == ",":
                token = self._token(indent)
            elif token["mark"] != closing:
                raise Unusual
