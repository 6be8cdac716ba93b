"""Modules of WebAssembly from the LLVM IR of straight-line functions, without LLVM.

Each instruction of the IR has one of WebAssembly with the same rounding: what is computed is what
LLVM's code computes, bit for bit. Registers become local variables, which are used again once
nothing reads their register any more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import final

from torseur.machine.wasm.binary import (
    CODE,
    EXPORT,
    FUNCTION,
    IMPORT,
    TYPE,
    exports,
    module,
    number,
    signed,
    text,
    vector,
)
from torseur.machine.wasm.ir_text import F64, I32, I64, Instruction, Straight, functions

_MEMORY_IMPORT, _STACK_IMPORT = b"\2\0\0", b"\3\x7f\1"  # any memory, a place that changes
_GET, _SET, _TEE, _GLOBAL_GET, _GLOBAL_SET = 0x20, 0x21, 0x22, 0x23, 0x24
_CALL, _END = 0x10, 0x0B
_LOAD, _STORE = {F64: 0x2B, I64: 0x29}, 0x39
_I32_CONSTANT, _I64_CONSTANT, _F64_CONSTANT = 0x41, 0x42, 0x44
_I32_ADD = 0x6A
_PLAIN = {  # instructions of one or two numbers, by name
    "fadd": b"\xa0", "fsub": b"\xa1", "fmul": b"\xa2", "fdiv": b"\xa3", "fneg": b"\x9a",
    "llvm.fabs.f64": b"\x99", "llvm.floor.f64": b"\x9c", "llvm.sqrt.f64": b"\x9f",
    "add": b"\x7c", "sub": b"\x7d", "shl": b"\x86",
    "fcmp oeq": b"\x61", "fcmp olt": b"\x63", "fcmp ogt": b"\x64", "fcmp ole": b"\x65",
    "fcmp oge": b"\x66", "zext": b"\xad", "fptosi": b"\xfc\x06", "inttoptr": b"\xa7",
    "select": b"\x1b", "getelementptr": b"\xa7\x41\3\x74\x6a",  # base + (index << 3)
}  # fmt: skip
_PAIR = 16  # bytes of two results
_WORD_SHIFT = 3  # of an index, for the place of its word


def module_of_text(ir: str, exported: Mapping[str, str]) -> bytes:
    """The module of functions, of which some are exported, each by a name of its own."""
    defined = list(functions(ir))
    imported = dict[str, int]()  # number of arguments of functions of other modules
    names = {x.name for x in defined}
    for one in defined:
        for x in one.instructions:
            if x.kind.startswith("torseur.") and x.kind not in names:
                imported[x.kind] = len(x.operands)
    types = list[bytes]()
    needs_stack = any(map(_is_pair, imported))
    head = text("env") + text("memory") + _MEMORY_IMPORT
    listed = [head] + [text("env") + text("__stack_pointer") + _STACK_IMPORT] * needs_stack
    for name, count in imported.items():
        numbers = bytes([F64]) * count
        kind = _type(types, bytes([I32]) + numbers if _is_pair(name) else numbers,
                     b"" if _is_pair(name) else bytes([F64]))  # fmt: skip
        listed.append(text("env") + text(name) + b"\0" + number(kind))
    indices = {name: k for k, name in enumerate([*imported, *(x.name for x in defined)])}
    kinds = [
        number(_type(types, bytes(kind for _, kind in x.arguments), bytes(x.result)))
        for x in defined
    ]
    bodies = [_Body(x, indices).code() for x in defined]
    content = {
        TYPE: vector(types),
        IMPORT: vector(listed),
        FUNCTION: vector(kinds),
        EXPORT: exports({other: indices[name] for name, other in exported.items()}),
        CODE: vector(number(len(x)) + x for x in bodies),
    }
    return module(content)


def _type(types: list[bytes], arguments: bytes, results: bytes) -> int:
    """The index of a type of functions."""
    one = b"\x60" + number(len(arguments)) + arguments + number(len(results)) + results
    if one not in types:
        types.append(one)
    return types.index(one)


def _is_pair(name: str) -> bool:
    """Whether a function writes two results to a place that it gets."""
    return name.startswith("torseur.sincos.")


@final
@dataclass
class _Body:
    """The code of one function, instruction by instruction."""

    function: Straight
    indices: dict[str, int]
    written: bytearray = field(default_factory=bytearray)
    kinds: list[int] = field(default_factory=list)  # of local variables, arguments first
    free: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    local: dict[str, int] = field(default_factory=dict)  # variables that hold registers
    waiting: str = ""  # the register whose value is on the stack, for its only reader

    def code(self) -> bytes:
        """Local variables and instructions."""
        for register, kind in self.function.arguments:
            self.local[register] = len(self.kinds)
            self.kinds.append(kind)
        self.places, self.pairs = dict[str, tuple[str, int]](), dict[str, list[str]]()
        listed = list(self._instructions())
        self.left = Counter(y for x in listed for y in self._read(x))
        self.frame = self._new(I32) if self.pairs else -1
        if self.pairs:
            self._move_stack(-_PAIR)
        for one, following in zip_longest(listed, listed[1:]):
            self._write(one, following)
        more = groupby(self.kinds[len(self.function.arguments) :])
        variables = vector(number(len(list(x))) + bytes([kind]) for kind, x in more)
        return variables + bytes(self.written) + bytes([_END])

    def _instructions(self) -> Iterator[Instruction]:
        """Instructions that compute: others say where a place is, or which result they mean."""
        for x in self.function.instructions:
            if x.kind == "getelementptr" and not x.operands[1].startswith("%"):
                self.places[x.register] = x.operands[0], int(x.operands[1]) << _WORD_SHIFT
            elif x.kind == "extractvalue":  # one after the other
                self.pairs.setdefault(x.operands[0], []).append(x.register)
            else:
                yield x

    def _read(self, one: Instruction) -> Iterator[str]:
        """The registers that an instruction reads, in their order."""
        return (self._base(x)[0] for x in one.operands if x.startswith("%"))

    def _base(self, place: str) -> tuple[str, int]:
        """A register, and the distance from the place that it holds."""
        distance = 0
        while place in self.places:
            place, more = self.places[place]
            distance += more
        return place, distance

    # --- variables ------------------------------------------------------------------------------

    def _new(self, kind: int) -> int:
        if self.free[kind]:
            return self.free[kind].pop()
        self.kinds.append(kind)
        return len(self.kinds) - 1

    def _push(self, value: str, kind: int) -> None:
        """A number, or the value of a register, on the stack."""
        register, distance = self._base(value)
        if register == self.waiting:
            self.waiting = ""
        elif register.startswith("%"):
            self._do(_GET, self.local[register])
            self.left[register] -= 1
            self._release(register)
        elif kind == F64:
            self._do(_F64_CONSTANT)
            self.written += int(value, 16).to_bytes(8, "little")
        else:
            self._do(_I32_CONSTANT if kind == I32 else _I64_CONSTANT)
            self.written += signed(int(value))
        if distance:
            self._do(_I32_CONSTANT)
            self.written += signed(distance)
            self._do(_I32_ADD)

    def _release(self, register: str) -> None:
        """Give back the variable of a register that nothing reads any more."""
        if not self.left[register]:
            variable = self.local[register]
            self.free[self.kinds[variable]].append(variable)

    def _keep(self, register: str, kind: int) -> None:
        """Take the result from the stack."""
        self.local[register] = variable = self._new(kind)
        self._do(_SET, variable)
        self._release(register)

    def _do(self, code: int, *numbers: int) -> None:
        self.written.append(code)
        for x in numbers:
            self.written += number(x)

    # --- instructions ---------------------------------------------------------------------------

    def _write(self, one: Instruction, following: Instruction | None) -> None:
        """An instruction; its result stays on the stack if the next one begins with it."""
        if one.register in self.pairs:
            self._write_pair(one)
        elif one.kind in ("load", "store"):
            self._write_access(one)
        else:
            for x, kind in zip(one.operands, one.types, strict=True):
                self._push(x, kind)
            self._operate(one)
        if not one.register or one.register in self.pairs:
            return
        first = ""
        if following is not None and following.operands and following.register not in self.pairs:
            first, _ = self._base(following.operands[0])
        if self.left[one.register] == 1 and first == one.register:
            self.waiting = one.register
        else:
            self._keep(one.register, one.type)

    def _operate(self, one: Instruction) -> None:
        """Operation on the numbers on the stack."""
        if one.kind in _PLAIN:
            self.written += _PLAIN[one.kind]
        elif one.kind in self.indices:
            self._do(_CALL, self.indices[one.kind])
        elif self.pairs:  # the end
            self._move_stack(_PAIR)

    def _write_access(self, one: Instruction) -> None:
        base, distance = self._base(one.operands[0])
        self._push(base, I32)
        if one.kind == "store":
            self._push(one.operands[1], F64)
        self._do(_STORE if one.kind == "store" else _LOAD[one.type], _WORD_SHIFT, distance)

    def _write_pair(self, one: Instruction) -> None:
        """A call that writes two results, which are loaded at once."""
        self._do(_GET, self.frame)
        for x, kind in zip(one.operands, one.types, strict=True):
            self._push(x, kind)
        self._do(_CALL, self.indices[one.kind])
        for k, register in enumerate(self.pairs[one.register]):
            self._do(_GET, self.frame)
            self._do(_LOAD[F64], _WORD_SHIFT, k << _WORD_SHIFT)
            self._keep(register, F64)

    def _move_stack(self, distance: int) -> None:
        """Take a frame from the stack in memory, or give it back."""
        self._do(_GLOBAL_GET, 0)
        self._do(_I32_CONSTANT)
        self.written += signed(distance)
        self._do(_I32_ADD)
        if distance < 0:
            self._do(_TEE, self.frame)
        self._do(_GLOBAL_SET, 0)
