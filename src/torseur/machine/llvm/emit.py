"""LLVM IR of a kernel, as text: straight-line code on doubles or on vectors of four doubles."""

import struct
from collections.abc import Callable, Iterable
from typing import final

from torseur.algebra.core.called import PythonCall
from torseur.algebra.core.expr import Expr
from torseur.algebra.core.tabulated import Tabulated
from torseur.machine.llvm.library import head, symbol

_MOST_ROOTED = 1.5  # an exponent up to which a product with a root is as good as logarithms


def literal(value: float) -> str:
    """A double, exactly, as LLVM writes it."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', float(value)))[0]:016X}"


@final
class Instructions:
    """The instructions of one function, on vectors of `width` doubles (1: plain doubles)."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.type = "double" if width == 1 else f"<{width} x double>"
        self.lines: list[str] = []
        self._serial = 0
        self._values: dict[int, str] = {}
        self._later: dict[int, Callable[[], str]] = {}
        self._turns: dict[int, tuple[str, str]] = {}
        self.used: set[str] = set()
        self.tables: dict[str, Tabulated] = {}  # what is looked up, by the name of its function
        self.called: dict[
            str, tuple[PythonCall, int]
        ] = {}  # functions in Python, with their arguments
        self.numbers = ""  # register with the address of the numbers of tables

    def fresh(self) -> str:
        """A new register."""
        self._serial += 1
        return f"%r{self._serial}"

    def do(self, instruction: str) -> str:
        """Add an instruction; its register."""
        register = self.fresh()
        self.lines.append(f"  {register} = {instruction}")
        return register

    def constant(self, value: float) -> str:
        """A number in every lane."""
        text = literal(value)
        if self.width == 1:
            return text
        return "<" + ", ".join([f"double {text}"] * self.width) + ">"

    def bind(self, x: Expr, register: str) -> None:
        """Say which register holds a node."""
        self._values[x.key] = register

    def bind_later(self, x: Expr, load: Callable[[], str]) -> None:
        """Say what loads a node, where it is first used: nothing waits in a register for a call."""
        self._later[x.key] = load

    def value(self, x: Expr) -> str:
        """The register or constant that holds a node."""
        if x.op == "number":
            return self.constant(x.value[1])
        if x.op == "constant":
            return self.constant(3.141592653589793)
        if x.key in self._later:
            self.bind(x, self._later.pop(x.key)())
        return self._values[x.key]

    def compute(self, nodes: Iterable[Expr]) -> None:
        """Instructions for the nodes that are not bound yet, in order."""
        for x in nodes:
            if x.args and x.key not in self._values and x.key not in self._later:
                self.bind(x, self._instruction(x))

    def _instruction(self, x: Expr) -> str:
        T = self.type
        if x.op == "add":
            return self._sum(*x.args)
        if x.op == "mul":
            a, b = x.args
            if a.op == "number" and a.value[1] == -1:
                return self.do(f"fneg {T} {self.value(b)}")
            return self.do(f"fmul {T} {self.value(a)}, {self.value(b)}")
        if x.op == "pow":
            return self._power(self.value(x.args[0]), x.value)
        if x.op in ("sin", "cos"):
            return self._turn(x)
        if x.op == "table":
            name = f"table.{x.value.table.digest}.{x.value.order}"
            self.tables[name] = x.value
            return self._by_lane(name, [self.value(x.args[0])], f", ptr {self.numbers}")
        if x.op == "call":
            serial, component, by = x.value.of.serial, x.value.component, x.value.by
            name = f"python.{serial}.{component}.{by}"
            self.called[name] = x.value, len(x.args)
            return self._by_lane(name, [self.value(a) for a in x.args])
        return self._function(x)

    def _sum(self, a: Expr, b: Expr) -> str:
        """a + b, or a − c when b is −c."""
        opposite = b.op == "mul" and b.args[0].op == "number" and b.args[0].value[1] == -1
        if opposite and b.args[1].key in self._values:
            positive = self.value(b.args[1])
            return self.do(f"fsub {self.type} {self.value(a)}, {positive}")
        return self.do(f"fadd {self.type} {self.value(a)}, {self.value(b)}")

    def _power(self, base: str, exponent: object) -> str:
        """Whole powers by products, ±½ and ±3/2 by a root, others by logarithms."""
        size = abs(float(exponent))  # type: ignore[arg-type]
        count, rest = divmod(abs(exponent) if isinstance(exponent, int) else size, 1)
        if rest and (rest != 0.5 or size > _MOST_ROOTED):
            return self.elementary("pow", base, self.constant(float(exponent)))  # type: ignore[arg-type]
        result = self._whole_power(base, int(count)) if count else ""
        if rest:
            root = self.call_intrinsic("sqrt", base)
            result = self.do(f"fmul {self.type} {result}, {root}") if result else root
        return result if exponent > 0 else self._inverse(result)  # type: ignore[operator]

    def _whole_power(self, base: str, exponent: int) -> str:
        result, square, left = "", base, exponent
        while left:
            if left & 1:
                result = self.do(f"fmul {self.type} {result}, {square}") if result else square
            left >>= 1
            square = self.do(f"fmul {self.type} {square}, {square}") if left else square
        return result

    def _inverse(self, register: str) -> str:
        return self.do(f"fdiv {self.type} {self.constant(1.0)}, {register}")

    def call_intrinsic(self, name: str, argument: str) -> str:
        """An operation the processor has."""
        suffix = "f64" if self.width == 1 else f"v{self.width}f64"
        self.used.add(f"declare {self.type} @llvm.{name}.{suffix}({self.type})")
        return self.do(f"call {self.type} @llvm.{name}.{suffix}({self.type} {argument})")

    def _turn(self, x: Expr) -> str:
        """Sine and cosine of an angle are computed together."""
        angle = x.args[0]
        if angle.key not in self._turns:
            self._turns[angle.key] = self._sincos(self.width, self.type, self.value(angle))
        return self._turns[angle.key][0 if x.op == "sin" else 1]

    def _sincos(self, width: int, T: str, angle: str) -> tuple[str, str]:
        """Sine and cosine of the angles in a register of a type."""
        pair = f"{{{T}, {T}}}"
        self.used.add(f"declare {head('sincos', width)}")
        both = self.do(f"call {pair} @{symbol('sincos', width)}({T} {angle})")
        sine = self.do(f"extractvalue {pair} {both}, 0")
        return sine, self.do(f"extractvalue {pair} {both}, 1")

    def turn(self, angles: list[Expr]) -> None:
        """Sines and cosines of angles that are bound, before all else: calls spill registers."""
        for angle in angles:
            self._turns[angle.key] = self._sincos(self.width, self.type, self.value(angle))

    def turn_together(self, angles: list[Expr]) -> None:
        """Sines and cosines of angles that are bound, four in one call (plain doubles)."""
        wide = "<4 x double>"
        for start in range(0, len(angles), 4):
            group = angles[start : start + 4]
            if len(group) == 1:
                break
            packed = "zeroinitializer"
            for lane, angle in enumerate(group):
                packed = self.do(
                    f"insertelement {wide} {packed}, double {self.value(angle)}, i32 {lane}"
                )
            both = self._sincos(4, wide, packed)
            for lane, angle in enumerate(group):
                sine, cosine = (self.do(f"extractelement {wide} {one}, i32 {lane}") for one in both)
                self._turns[angle.key] = (sine, cosine)

    def _function(self, x: Expr) -> str:
        arguments = [self.value(a) for a in x.args]
        if x.op == "abs":
            return self.call_intrinsic("fabs", arguments[0])
        if x.op == "if":
            return self._select("ogt", *arguments)
        if x.op == "sign":
            low = self._select("olt", arguments[0], self.constant(-1.0), arguments[0])
            return self._select("ogt", arguments[0], self.constant(1.0), low)
        return self.elementary(x.op, *arguments)

    def _select(self, test: str, x: str, then: str, other: str) -> str:
        """One of two values, by how x compares with zero."""
        T, bits = self.type, "i1" if self.width == 1 else f"<{self.width} x i1>"
        holds = self.do(f"fcmp {test} {T} {x}, {self.constant(0.0)}")
        return self.do(f"select {bits} {holds}, {T} {then}, {T} {other}")

    def elementary(self, name: str, *arguments: str) -> str:
        """An elementary function of all lanes."""
        self.used.add(f"declare {head(name, self.width)}")
        listed = ", ".join(f"{self.type} {a}" for a in arguments)
        return self.do(f"call {self.type} @{symbol(name, self.width)}({listed})")

    def _by_lane(self, name: str, arguments: list[str], more: str = "") -> str:
        """A function of doubles, called for each lane; `more` are arguments common to all."""
        if self.width == 1:
            listed = ", ".join(f"double {x}" for x in arguments)
            return self.do(f"call double @{name}({listed}{more})")
        result = "undef"
        for lane in range(self.width):
            each = [self.do(f"extractelement {self.type} {x}, i32 {lane}") for x in arguments]
            listed = ", ".join(f"double {x}" for x in each)
            one = self.do(f"call double @{name}({listed}{more})")
            result = self.do(f"insertelement {self.type} {result}, double {one}, i32 {lane}")
        return result
