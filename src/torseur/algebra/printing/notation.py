r"""The LaTeX that formulas of Torseur are written in, read into a tree: \frac, \dot, x_{1}^{2}, …

Only what `algebra/printing/latex.py` and derivations write is known; anything else is an error of
ours, not of the user. The tree is written as MathML, as Typst and as LaTeX again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import final

from torseur.algebra.printing.latex_words import SIGNS, plain
from torseur.algebra.printing.names import GREEK

_TOKENS = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}_^&']|\d+(?:\.\d+)?|\s+|.", re.DOTALL)
ACCENTS = ("dot", "ddot", "dddot", "vec", "overrightarrow", "hat", "bar", "tilde", "boxed")
STYLES = {"mathrm": "upright", "mathit": "letter", "text": "text", "operatorname": "upright",
          "textit": "letter", "textrm": "upright", "mathcal": "script",
          "mathbf": "bold"}  # fmt: skip
FUNCTIONS = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "exp",
             "ln", "det", "max", "min")  # fmt: skip
SPACES = {",": 0.17, ":": 0.22, ";": 0.28, " ": 0.25, "!": -0.17, "quad": 1.0, "qquad": 2.0}
_THIN = 0.17  # between a function and its argument without brackets
_LETTERS = ("partial", "infty", "ell", "Delta")
FENCES = {"(": "(", ")": ")", "[": "[", "]": "]", "|": "|", r"\{": "{", r"\}": "}", ".": ""}


@final
@dataclass(frozen=True)
class Sign:
    """A letter, a word, a number or an operator."""

    text: str
    kind: str  # letter, number, operator, upright, text, script, bold
    latex: str


@final
@dataclass(frozen=True)
class Space:
    """A space [em]."""

    width: float
    latex: str


@final
@dataclass(frozen=True)
class Row:
    """One after the other."""

    items: tuple[Node, ...]


@final
@dataclass(frozen=True)
class Script:
    """A base with what stands below and above on its right."""

    base: Node
    below: Node | None
    above: Node | None


@final
@dataclass(frozen=True)
class Fraction:
    """above over below."""

    above: Node
    below: Node


@final
@dataclass(frozen=True)
class Root:
    """A square root."""

    body: Node


@final
@dataclass(frozen=True)
class Accent:
    """A mark over a body."""

    mark: str
    body: Node


@final
@dataclass(frozen=True)
class Fence:
    """A body between brackets that grow with it."""

    left: str
    right: str
    body: Row


@final
@dataclass(frozen=True)
class Grid:
    """Rows of cells: Bmatrix, bmatrix, pmatrix, matrix or cases."""

    kind: str
    rows: tuple[tuple[Row, ...], ...]


Node = Sign | Space | Row | Script | Fraction | Root | Accent | Fence | Grid


def read(latex: str) -> Row:
    """The tree of a formula."""
    reader = _Reader(_TOKENS.findall(latex))
    row = reader.row(())
    assert not reader.left, f"unread LaTeX: {reader.left[:5]}"
    return row


def _is_function(node: Node) -> bool:
    """sin, or sin²."""
    bare = node.base if isinstance(node, Script) else node
    return isinstance(bare, Sign) and bare.latex[1:] in FUNCTIONS


@final
class _Reader:
    """Tokens from the left to the right."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def left(self) -> list[str]:
        return self._tokens[self._at :]

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def row(self, ends: tuple[str, ...]) -> Row:
        """Everything up to one of the ends, which stays."""
        items: list[Node] = []
        while (token := self._peek()) and token not in ends:
            if token.isspace():
                self._at += 1
            elif token in ("_", "^", "'"):
                base = items.pop() if items else Row(())
                items.append(self._script(base))
            else:
                item = self._element()
                if items and _is_function(items[-1]) and not isinstance(item, Fence | Space):
                    items.append(Space(_THIN, " "))
                items.append(item)
        return Row(tuple(items))

    def _script(self, base: Node) -> Script:
        below: Node | None = None
        above: list[Node] = []
        while self._peek() in ("_", "^", "'"):
            match self._next():
                case "_":
                    below = self._argument()
                case "^":
                    above.append(self._argument())
                case _:
                    above.append(Sign("′", "operator", "'"))
        raised = above[0] if len(above) == 1 else Row(tuple(above)) if above else None
        return Script(base, below, raised)

    def _argument(self) -> Node:
        while self._peek().isspace():
            self._at += 1
        return self._element()

    def _element(self) -> Node:
        """One element: a group, a command or a sign."""
        token = self._next()
        if token == "{":
            row = self.row(("}",))
            self._at += 1
            return row.items[0] if len(row.items) == 1 else row
        if token.startswith("\\"):
            return self._command(token[1:])
        if token[0].isdigit():
            return Sign(token, "number", token)
        if token.isalpha():
            return Sign(token, "letter", token)
        return Sign("−" if token == "-" else token, "operator", token)

    def _command(self, name: str) -> Node:
        if name == "frac":
            return Fraction(self._argument(), self._argument())
        if name == "sqrt":
            return Root(self._argument())
        if name in ACCENTS:
            return Accent(name, self._argument())
        if name in STYLES:
            return self._styled(name)
        if name == "left":
            return self._fence()
        if name == "begin":
            return self._grid()
        if name in SPACES:
            return Space(SPACES[name], f"\\{name}")
        return _sign_of_command(name)

    def _styled(self, name: str) -> Sign:
        raw = self._raw()
        return Sign(plain(raw), STYLES[name], rf"\{name}{{{raw}}}")

    def _raw(self) -> str:
        """Text between braces, as it is written."""
        assert self._next() == "{"
        depth, start = 1, self._at
        while depth:
            token = self._next()
            assert token, "an open brace"
            depth += (token == "{") - (token == "}")
        return "".join(self._tokens[start : self._at - 1])

    def _fence(self) -> Fence:
        left = FENCES[self._next()]
        body = self.row(("\\right",))
        self._at += 1
        return Fence(left, FENCES[self._next()], body)

    def _grid(self) -> Grid:
        kind = self._raw()
        rows: list[tuple[Row, ...]] = []
        cells: list[Row] = []
        while True:
            cells.append(self.row(("&", "\\\\", "\\end")))
            match self._next():
                case "&":
                    continue
                case "\\\\":
                    rows.append(tuple(cells))
                    cells = []
                case _:
                    assert self._raw() == kind
                    return Grid(kind, (*rows, tuple(cells)))


def _sign_of_command(name: str) -> Sign:
    """A sign by its command."""
    if name in GREEK:
        return Sign(GREEK[name], "letter", f"\\{name}")
    if name in FUNCTIONS:
        return Sign(name, "upright", f"\\{name}")
    if name in SIGNS:
        return Sign(SIGNS[name], "letter" if name in _LETTERS else "operator", f"\\{name}")
    assert len(name) == 1 and name in "{}_%&#$|", f"an unknown command: {name}"
    return Sign(name, "operator", f"\\{name}")
