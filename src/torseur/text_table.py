"""Tables in plain text: cells of a column stand below each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def text_table(
    rows: Iterable[Sequence[str]], *, numbers: bool = False, gap: str = "  "
) -> list[str]:
    """A line for each row; where all but the first column are `numbers`, these end together."""
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]

    def cell(k: int, text: str) -> str:
        return text.rjust(widths[k]) if numbers and k else text.ljust(widths[k])

    return [gap.join(cell(k, text) for k, text in enumerate(row)).rstrip() for row in listed]
