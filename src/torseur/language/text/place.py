"""Places of texts: file, line, column, and the part of the mechanism described."""

from __future__ import annotations

from typing import Any, NamedTuple, final

from torseur.errors import ModelError

WINDOW = 72  # characters of a long line that are shown around an error


@final
class Place(NamedTuple):
    """The place of an error; printed as `file:line:column: joint "A"`, without unknown parts."""

    source: str = ""
    line: int = 0  # from 1; 0: unknown
    column: int = 0  # from 1; 0: unknown
    within: str = ""

    def __str__(self) -> str:
        source, line, column, within = self
        marks = f"{line}:{column}" if line and column else f"{line or column or ''}"
        where = f"{source}:{marks}" if source and marks else source or marks
        return f"{where}: {within}" if where and within else where or within

    def at(self, line: int, column: int) -> Place:
        """The place of a character of the text that starts here, by its own line and column."""
        if not self.column:
            return self
        if line == 1:
            return Place(self.source, self.line, self.column + column - 1, self.within)
        return Place(self.source, self.line + line - 1, column, self.within)

    def inside(self, within: str) -> Place:
        """The place, within a part of the mechanism."""
        return Place(self.source, self.line, self.column, within)


NOWHERE = Place()
START = Place("", 1, 1)  # of a text, by its own lines and columns


@final
class WrittenText(NamedTuple):
    """A text and where it starts."""

    text: str
    place: Place = NOWHERE

    def fault(self, mark: Any, problem: str, *advice: str) -> ModelError:
        """An error at a token, or at anything that has a line and a column."""
        where = str(self.place.at(mark.line, mark.column))
        return ModelError(where, problem, *self.pointed(mark), *advice)

    def pointed(self, mark: Any) -> tuple[str, ...]:
        """The line of the text with a caret under the mark; nothing for a text of one word."""
        if mark is START or not self.text.strip() or self.text.split() == [str(mark)]:
            return ()
        line = self.text.split("\n")[mark.line - 1]
        start = max(0, mark.column - 1 - WINDOW // 2) if len(line) > WINDOW else 0
        excerpt = "".join(c if c.isprintable() else " " for c in line[start : start + WINDOW])
        ahead = "…" if start else ""
        behind = "…" if len(line) > start + WINDOW else ""
        indent = " " * (len(ahead) + mark.column - 1 - start)
        return f"  {ahead}{excerpt}{behind}", f"  {indent}^"
