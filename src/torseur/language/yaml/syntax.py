"""What is wrong with a text that is no YAML: the line to look at, and what it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from torseur.words.sentence import say


def syntax_hint(lines: Sequence[str], line: int, problem: str, start: int | None) -> Iterator[str]:
    """What is wrong about the line (from 0) at which a YAML text cannot be read any more."""
    here = lines[line] if line < len(lines) else ""
    above = next((k for k in range(line - 1, -1, -1) if lines[k].strip()), None)
    if "\t" in here[: len(here) - len(here.lstrip())]:
        yield say("Line {line} begins with a tab: indent with spaces.", line + 1)
    elif problem.startswith("could not find expected ':'") and start is not None:
        shown = lines[start].strip()[:40]
        yield say('Is a colon missing in line {line}, "{shown}"?', start + 1, shown)
    elif problem.startswith("expected ',' or") and start is not None:
        yield say(
            "Is a bracket or a brace of line {line} not closed, or a comma missing?", start + 1
        )
    elif problem.startswith(("mapping values", "expected <block end>")) and above is not None:
        yield from _line_above(lines, line, above)


def _line_above(lines: Sequence[str], line: int, above: int) -> Iterator[str]:
    here, before = lines[line], lines[above]
    if re.match(r"\s*[^\W\d]\w*:[^\s]", before):
        yield say("Is a space missing behind the colon of line {line}?", above + 1)
    elif _indent(here) != _indent(before):
        yield say(
            "Entries of one part begin in one column: line {line} begins in column {column}, "
            "line {above} in column {other}.",
            line + 1,
            _indent(here) + 1,
            above + 1,
            _indent(before) + 1,
        )
    elif here.count(": ") > 1:
        yield say("A text with a colon stands in quotes.")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
