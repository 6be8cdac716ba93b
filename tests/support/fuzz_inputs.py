"""An input of a door, the ways in which people and disks spoil it, and those that keep it valid."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from ruamel.yaml import YAML

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
    stdin: bytes = b""
    question: tuple[str, dict[str, Any]] | None = None  # to the app, about the text of m.yaml


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


def damaged(given: Input, rng: random.Random) -> Input:
    """An input of which one file, one argument or standard input is changed.

    A command that stands alone gets an argument.
    """
    places: list[Any] = [*given.files] * 3 + [*range(1, len(given.arguments))]
    if not places and not given.stdin:
        return replace(given, arguments=[*given.arguments, rng.choice(EXTREMES)])
    place = rng.choice([*places, "<"] if given.stdin else places)
    if place == "<":
        return replace(given, stdin=_damaged_bytes(given.stdin, "", rng))
    if isinstance(place, str):
        content = _damaged_bytes(given.files[place], place, rng)
        return replace(given, files={**given.files, place: content})
    words = list(given.arguments)
    words[place] = rng.choice([spoilt(words[place], rng), rng.choice(EXTREMES)]).replace("\0", "")
    return replace(given, arguments=words)


def _damaged_bytes(content: bytes, name: str, rng: random.Random) -> bytes:
    if not name.endswith(BINARY):
        return spoilt(content.decode(), rng).encode("utf-8", errors="replace")
    data = bytearray(content)
    for _ in range(rng.randint(1, 3)):
        place, way = rng.randrange(len(data) or 1), rng.randrange(4)
        if way == 0 and data:
            data[place] ^= 1 << rng.randrange(8)
        elif way == 1:
            data[place : place + 4] = rng.randbytes(4)
        elif way == 2:
            del data[place : place + rng.randrange(64)]
        else:
            del data[place:]
    return bytes(data)


# --- unusual, and valid -------------------------------------------------------------------------

BINARY = (".nc", ".parquet")
_NUMBER = re.compile(r"(?<![\w.^*/()-])\d+(\.\d+)?(e-?\d+)?(?![\w.^*/(])")
_NAMES = ["ß", "Ωmega", "x_1_2", "名", "Тело", "é" * 30, "true_", "e5", "_"]


def varied(given: Input, rng: random.Random) -> Input:
    """The same input in a form that few people write; what it describes stays valid."""
    contents = dict(given.files)
    for name, content in contents.items():
        ending = name.rpartition(".")[2]
        ways = _WAYS.get(ending, ())
        if ways:
            text = content.decode()
            for way in rng.sample(ways, rng.randint(0, min(3, len(ways)))):
                text = way(text, rng)
            contents[name] = text.encode()
    return replace(given, files=contents)


def document_of(text: str) -> Any:
    """What a text of YAML holds."""
    return YAML(typ="safe").load(text)


def _respelt(text: str, rng: random.Random) -> str:
    """A number with other digits of the same value."""
    return _changed(text, rng, lambda x: rng.choice([f"{float(x):.17g}", f"{float(x):e}"]))


def _resized(text: str, rng: random.Random) -> str:
    """A number that is a little larger or smaller."""
    return _changed(text, rng, lambda x: f"{float(x) * rng.choice([0.97, 1.01, 1.03]):.6g}")


def _changed(text: str, rng: random.Random, change: Callable[[str], str]) -> str:
    found = [x for x in _NUMBER.finditer(text) if "." in x[0]]
    if not found:
        return text
    chosen = rng.choice(found)
    return text[: chosen.start()] + change(chosen[0]) + text[chosen.end() :]


def _other_lines(text: str, rng: random.Random) -> str:
    """Line ends of another system, or a mark of the order of bytes."""
    return rng.choice([text.replace("\r\n", "\n").replace("\n", "\r\n"), "\ufeff" + text])


def _remarked(text: str, rng: random.Random) -> str:
    """A comment at the end of YAML, with letters of any kind."""
    return text.rstrip() + "\n" + rng.choice(["# é: [", "#", "\n\n# {θ̇ 🙂\n", "  \n"]) + "\n"


def _as_json(text: str, rng: random.Random) -> str:
    """The same document, as JSON or in one line."""
    return json.dumps(document_of(text), indent=rng.choice([None, 1]), ensure_ascii=False)


def _reordered(text: str, rng: random.Random) -> str:
    """Sections in another order."""
    document = document_of(text)
    names = rng.sample(list(document), len(document))
    return json.dumps({name: document[name] for name in names}, indent=1, ensure_ascii=False)


def _renamed(text: str, rng: random.Random) -> str:
    """A body with an unusual name."""
    document = document_of(text)
    names = [x for x in (document.get("bodies") or {}) if isinstance(x, str) and len(x) > 1]
    others = {str(x) for key, part in document.items() if isinstance(part, dict) and key != "bodies"
              for x in part}  # fmt: skip
    names = [x for x in names if x not in others]
    if not names:
        return text
    return re.sub(rf"\b{re.escape(rng.choice(names))}\b", rng.choice(_NAMES), text)


def _xml_remarked(text: str, rng: random.Random) -> str:
    """A comment between elements, or other spaces there."""
    places = [x.end() for x in re.finditer(r">\n", text)]
    place = rng.choice(places[1:] or [len(text)])
    return text[:place] + rng.choice(["<!-- é < & -->", "\n\t\n", "  "]) + text[place:]


_XML_WAYS = [_respelt, _resized, _xml_remarked]
_WAYS: dict[str, list[Callable[[str, random.Random], str]]] = {
    "yaml": [_respelt, _resized, _other_lines, _remarked, _as_json, _reordered, _renamed],
    "urdf": _XML_WAYS,
    "sdf": _XML_WAYS,
    "xml": _XML_WAYS,
    "xacro": _XML_WAYS,
    "csv": [_respelt, _other_lines],
}
