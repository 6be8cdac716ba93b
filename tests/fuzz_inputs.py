"""An input of a door, and the ways in which people and disks spoil texts."""

import random
import re
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

EXTREMES = ["0", "-1", "1e308", "-1e308", "1e-308", "1e150", "1e149", "1e-149",
            "-1e75", "1e30", "1e-30", "nan", "inf", "-inf", "1e400", "0.1", "3", "1e9",
            "null", "true", "[]", "{}", "''", "x", "[1, 2, 3]", "1/0", "90 deg", "1 kg",
            "sqrt(-1)", "999999999999999999999", "0x10", "1_000", "٣"]  # fmt: skip
PIECES = ["(", ")", "[", "]", "{", "}", ",", ";", ":", "'", '"', "#", "&a", "*a", "\t", "\x00", "é",
          "θ", "²", "\ud7ff", "---\n", "<<: ", "!!python/object:x", "%", "|", "../"]  # fmt: skip
VALUES = [*map(float, ("0", "-1", "1e308", "1e-308", "1e149", "nan", "inf")), None, "x", "1 m",
          3, True, "", [], {}, 10**30]  # of arguments of functions  # fmt: skip


@dataclass
class Call:
    """A function of the library, and what it is asked of: values, or what other calls give."""

    function: str
    of: Any = "m.yaml"
    asked: dict[str, Any] = field(default_factory=dict)  # its other arguments

    def answer(self, library: Any) -> Any:
        """What it gives."""
        first, *more = (
            x.answer(library) if isinstance(x, Call) else x for x in (self.of, *self.asked.values())
        )
        return attrgetter(self.function)(library)(first, **dict(zip(self.asked, more, strict=True)))


@dataclass
class Input:
    """What one run of the command is given, or a call that is made instead."""

    arguments: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    call: Call | None = None


def spoilt(text: str, rng: random.Random, pieces: list[str] = PIECES) -> str:
    """A text with a few changes of the kinds that people and disks make."""
    for _ in range(rng.randint(1, 3)):
        lines = text.splitlines(keepends=True) or [""]
        numbers = list(re.finditer(r"(?<![\w.])\d+(\.\d+)?(e-?\d+)?", text))
        words = re.findall(r"[^\W\d]\w*", text) or ["x"]
        place = rng.randrange(len(text) + 1)
        way = rng.randrange(8)
        if way < 3 and numbers:
            chosen = rng.choice(numbers)
            text = text[: chosen.start()] + rng.choice(EXTREMES) + text[chosen.end() :]
        elif way == 3:
            del lines[rng.randrange(len(lines))]
            text = "".join(lines)
        elif way == 4:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            text = "".join(lines)
        elif way == 5:
            text = re.sub(rf"\b{re.escape(rng.choice(words))}\b", rng.choice(words), text, count=1)
        elif way == 6:
            text = text[:place] + rng.choice(pieces) + text[place + rng.randrange(3) :]
        else:
            text = text[:place] if rng.random() < 0.3 else text[:place] + text[place + 1 :]
    return text


def mostly_spoilt(text: str, rng: random.Random, pieces: list[str] = PIECES) -> bytes:
    """A file that holds a text, changed nine times of ten."""
    content = spoilt(text, rng, pieces) if rng.random() < 0.9 else text
    return content.encode("utf-8", errors="replace")


def seldom_other(rng: random.Random, others: list[Any], *usual: Any) -> Any:
    """One of the usual values, or one time of seven one of the others."""
    return rng.choice(others if rng.random() < 1 / 7 else usual)
