"""Measures, of which outputs are made: numbers of a run, of small motions, or of rest.

max(theta)  min  mean  rms  peak  range  first  final    of any curve of a run
time(low)  time(low, 2)                                  when an event happens, first or again
frequency(1)  hertz(1)  damping(1)  growth()             of the small motions about the equilibrium
equilibrium(theta)                                       where it is at rest
curve(theta)                                             the whole curve, alone
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

from torseur.simulation.run.reductions import REDUCED

CURVE = "curve"
EVENT = "time"
LINEAR: Mapping[str, str] = MappingProxyType(  # with units; that of a coordinate is its own
    {"frequency": "rad/s", "hertz": "Hz", "damping": "1", "growth": "1/s", "equilibrium": ""}
)
_CALL = re.compile(r"\b([a-z]+)\s*\(")
_PLACE = "measure_{}_"


@final
@dataclass(frozen=True)
class SampleMeasure:
    """A number of a sample, as it is written."""

    kind: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.kind}({', '.join(self.arguments)})"

    @property
    def moves(self) -> bool:
        """Whether it needs a run."""
        return self.kind in REDUCED or self.kind in (EVENT, CURVE)

    @property
    def which(self) -> int:
        """Index among the times of an event: 0 for the first."""
        return int(self.arguments[1]) - 1 if len(self.arguments) > 1 else 0


KINDS = (*REDUCED, EVENT, *LINEAR, CURVE)


def extract_measures(text: str) -> tuple[str, dict[str, SampleMeasure]]:
    """The text with a name in the place of every measure, and the measures by these names."""
    parts, result, at = [], dict[str, SampleMeasure](), 0
    while call := _CALL.search(text, at):
        end = _closing(text, call.end())
        arguments = tuple(_split(text[call.end() : end]))
        if _is_measure(call.group(1), arguments) and end < len(text):
            name = _PLACE.format(len(result) + 1)
            result[name] = SampleMeasure(call.group(1), arguments)
            parts += [text[at : call.start()], name]
            at = end + 1
        else:
            parts.append(text[at : call.end()])
            at = call.end()
    return "".join([*parts, text[at:]]), result


def _is_measure(name: str, arguments: tuple[str, ...]) -> bool:
    """`max` and `min` of several arguments are functions."""
    return name in KINDS and (name not in ("max", "min") or len(arguments) < 2)


def _closing(text: str, start: int) -> int:
    """Where the parenthesis closes that opened just before."""
    depth = 1
    for k in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[k], 0)
        if not depth:
            return k
    return len(text)


def _split(text: str) -> Iterator[str]:
    """The arguments between commas outside of parentheses."""
    depth, start = 0, 0
    for k, sign in enumerate(text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not depth:
            yield text[start:k].strip()
            start = k + 1
    if text[start:].strip():
        yield text[start:].strip()
