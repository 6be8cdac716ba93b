"""What a part of the benchmarks found: tables, bars with their verdicts, and remarks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

Cell = str | float | int | None


@final
@dataclass(frozen=True)
class Bar:
    """A figure and the limit it is held to."""

    what: str
    measured: float
    limit: float
    unit: str = ""
    at_least: bool = False  # the figure must reach the limit; otherwise it must not exceed it

    @property
    def met(self) -> bool:
        """Whether the figure is on the right side of the limit."""
        found = self.measured >= self.limit if self.at_least else self.measured <= self.limit
        return bool(found)  # of NumPy's it is no JSON

    @property
    def row(self) -> tuple[Cell, ...]:
        """What, figure, limit, verdict."""
        sign = "≥" if self.at_least else "≤"
        unit = f" {self.unit}" if self.unit else ""
        figure, limit = f"{written(self.measured)}{unit}", f"{sign} {self.limit:g}{unit}"
        return self.what, figure, limit, "met" if self.met else "MISSED"


@final
@dataclass(frozen=True)
class Table:
    """A title, the heads of the columns and the rows; None is a figure that does not exist."""

    title: str
    head: tuple[str, ...]
    rows: list[tuple[Cell, ...]]

    def __str__(self) -> str:
        cells = [[written(cell) for cell in row] for row in self.rows]
        columns = range(len(self.head))
        widths = [max(len(line[k]) for line in (self.head, *cells)) for k in columns]
        words = [not (k and all(_is_figure(line[k]) for line in cells)) for k in columns]
        rule = ["─" * width for width in widths]
        lines = [
            "  ".join(
                cell.ljust(width) if left else cell.rjust(width)
                for cell, width, left in zip(line, widths, words, strict=True)
            )
            for line in (self.head, rule, *cells)
        ]
        return "\n".join([self.title, *(f"  {line}".rstrip() for line in lines)])


@final
@dataclass(frozen=True)
class Part:
    """The results of one part."""

    name: str
    tables: list[Table]
    bars: list[Bar] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        blocks = [str(table) for table in self.tables]
        if self.bars:
            heads = ("bar", "measured", "limit", "verdict")
            blocks.append(str(Table("Bars", heads, [bar.row for bar in self.bars])))
        blocks += ["\n".join(f"  · {note}" for note in self.notes)] if self.notes else []
        return "\n\n".join(blocks)

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "name": self.name,
            "tables": [
                {"title": table.title, "head": table.head, "rows": table.rows}
                for table in self.tables
            ],
            "bars": [
                {
                    "what": bar.what,
                    "measured": bar.measured,
                    "limit": bar.limit,
                    "unit": bar.unit,
                    "at_least": bar.at_least,
                    "met": bar.met,
                }
                for bar in self.bars
            ],
            "notes": self.notes,
        }


def written(cell: Cell) -> str:
    """Three significant digits; whole numbers whole."""
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.3g}" if abs(cell) < 1000 else f"{cell:.0f}"
    return str(cell)


def _is_figure(text: str) -> bool:
    return text[:1] in "0123456789-≤≥–×"
