"""LLVM IR of straight-line functions on plain doubles, read line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import final

I32, I64, F64 = 0x7F, 0x7E, 0x7C  # types of values
_KINDS = {"double": F64, "i64": I64, "i1": I32, "ptr": I32}

_HEAD = re.compile(r"define (?:internal )?(\w+) @([\w.]+)\(([^)]*)\)")
_LINE = re.compile(r"\s*(?:(%\w+) = )?(\w+)\s*(.*)")
_CALLED = re.compile(r"(\{double, double\}|\w+) @([\w.]+)\(([^)]*)\)")


@final
@dataclass(frozen=True)
class Instruction:
    """One line of the text: what it computes of what, and the types of that."""

    register: str  # "": it has no result
    kind: str
    type: int
    operands: tuple[str, ...]  # in the order in which they are pushed
    types: tuple[int, ...]


@final
@dataclass(frozen=True)
class Straight:
    """A function of the text."""

    name: str
    result: tuple[int, ...]
    arguments: tuple[tuple[str, int], ...]
    instructions: tuple[Instruction, ...]


def functions(ir: str) -> Iterator[Straight]:
    """The functions of a text."""
    head, instructions = "", list[Instruction]()
    for line in ir.splitlines():
        if line.startswith("define"):
            head, instructions = line, []
        elif line.startswith("}"):
            yield _function(head, tuple(instructions))
        elif line.startswith("  "):
            instructions.append(_instruction(line))


def _function(head: str, instructions: tuple[Instruction, ...]) -> Straight:
    matched = _HEAD.match(head)
    assert matched is not None, f"the head of a function: {head}"
    result, name, listed = matched.groups()
    arguments = [x.split() for x in listed.split(",") if x]
    return Straight(
        name,
        () if result == "void" else (_KINDS[result],),
        tuple((register, _KINDS[kind]) for kind, register in arguments),
        instructions,
    )


def _instruction(line: str) -> Instruction:
    matched = _LINE.fullmatch(line)
    assert matched is not None, f"an instruction: {line}"
    register, kind, rest = matched[1] or "", matched[2], matched[3]
    if kind == "call":
        called = _CALLED.match(rest)
        assert called is not None, f"a call: {line}"
        given = [x.split() for x in called[3].split(",")]
        types = tuple(_KINDS[x] for x, _ in given)
        return Instruction(register, called[2], F64, tuple(x for _, x in given), types)
    if kind == "extractvalue":
        pair, place = rest.removeprefix("{double, double} ").split(", ")
        return Instruction(register, kind, F64, (pair, place), ())
    result, operands, types = _SHAPES[kind](rest.replace(",", "").split())
    if kind == "fcmp":
        kind = f"fcmp {rest.split()[0]}"
    return Instruction(register, kind, result, operands, types)


_Shape = tuple[int, tuple[str, ...], tuple[int, ...]]  # type, operands and their types


def _alike(words: list[str]) -> _Shape:
    """Type, then numbers of it."""
    kind = _KINDS[words[0]]
    return kind, tuple(words[1:]), (kind,) * (len(words) - 1)


def _converted(words: list[str]) -> _Shape:
    """Type, value, "to", type."""
    return _KINDS[words[3]], (words[1],), (_KINDS[words[0]],)


def _chosen(words: list[str]) -> _Shape:
    """Condition, then two values of a type."""
    kind = _KINDS[words[2]]
    return kind, (words[3], words[5], words[1]), (kind, kind, I32)


def _returned(words: list[str]) -> _Shape:
    return F64, tuple(words[1:]), (F64,) * (len(words) - 1)


_SHAPES: Mapping[str, Callable[[list[str]], _Shape]] = {
    **dict.fromkeys(("fadd", "fsub", "fmul", "fdiv", "fneg", "add", "sub", "shl"), _alike),
    **dict.fromkeys(("inttoptr", "zext", "fptosi"), _converted),
    "fcmp": lambda words: (I32, tuple(words[2:]), (F64, F64)),
    "getelementptr": lambda words: (I32, (words[2], words[4]), (I32, I64)),
    "load": lambda words: (_KINDS[words[0]], (words[2],), (I32,)),
    "store": lambda words: (F64, (words[3], words[1]), (I32, F64)),
    "select": _chosen,
    "ret": _returned,
}
