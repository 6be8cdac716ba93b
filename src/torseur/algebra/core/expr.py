"""Hash-consed scalar expressions: equal expressions are the same object.

A node is a number, a named symbol, a sum or a product of two nodes, a power with a constant
exponent, or a function of nodes. Operators follow the rules that `torseur.algebra` installs, which
simplify a node locally in constant time; nothing is ever rewritten afterwards. NumPy arrays of
nodes (dtype object) flow through ordinary array code: `@`, `+` and `np.sin` reach the operators.

The key of a node is made of its content alone. Whatever is put in order by key, such as the terms
of a sum or the steps of a program, is therefore the same in every process and in every thread,
whatever was computed before.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from numbers import Rational, Real
from time import sleep
from typing import Any, Protocol, final
from weakref import ref

from torseur import notebook

Scalar = int | float | Fraction
Content = tuple[Any, ...]  # operation, value and keys or places of arguments

# What a node depends on decides when it is computed: once, per parameter set, per configuration,
# or per state.
CONSTANT, PARAMETER, CONFIGURATION, STATE = range(4)
KINDS = {
    "parameter": PARAMETER,
    "coordinate": CONFIGURATION,
    "speed": STATE,
    "acceleration": STATE,
    "time": STATE,
    "input": STATE,
    "signal": STATE,  # given from outside while a mechanism moves
    "reaction": STATE,
}

_nodes: dict[Content, _Known] = {}  # as long as somebody uses them
_new = object.__new__

# A key is a height, above a digest of so many bits that two nodes do not share one: among a million
# nodes the odds are below 1e-16. The digest is the middle of a product, those of the operation and
# of the arguments being its factors. That of a leaf begins with its place among the leaves.
_BITS = 96
_MASK = (1 << _BITS) - 1
_MIDDLE = _BITS // 2
_PLACE = 32
_LAYER = 128  # heights that are pickled at once


@lru_cache(maxsize=4096)
def _digest(content: str) -> int:
    return int.from_bytes(blake2b(content.encode(), digest_size=_BITS // 8).digest(), "big")


_OPERATIONS = {op: _digest(op) for op in ("add", "mul", "atan2")}


def _method(name: str) -> Callable[[Expr], Expr]:
    """The method by which a function is applied to a node."""
    return lambda x: rules.function(name, x)


@final
class Expr:
    """A scalar expression. Two equal expressions are one object, so `is` compares them."""

    __slots__ = ("__weakref__", "args", "key", "op", "stage", "value")

    # "number", "symbol", "constant", "add", "mul", "pow", "table", "call", or a function's name
    op: str
    args: tuple[Expr, ...]
    # number: its value; symbol: (name, kind); constant: its name; pow: the exponent; table and
    # call: itself
    value: Any
    key: int  # made of the content: a node comes after everything it is made of
    stage: int  # CONSTANT, PARAMETER, CONFIGURATION or STATE

    def __add__(self, other: object) -> Expr:
        if type(other) is Expr:
            return rules.add(self, other)
        if type(other) is float and other == 0.0:  # arrays are full of them
            return self
        right = lift(other)
        return NotImplemented if right is None else rules.add(self, right)

    __radd__ = __add__

    def __sub__(self, other: object) -> Expr:
        right = other if type(other) is Expr else lift(other)
        return NotImplemented if right is None else rules.subtract(self, right)

    def __rsub__(self, other: object) -> Expr:
        left = lift(other)
        return NotImplemented if left is None else rules.subtract(left, self)

    def __mul__(self, other: object) -> Expr:
        if type(other) is Expr:
            return rules.multiply(self, other)
        if type(other) is float and other == 0.0:
            return ZERO
        right = lift(other)
        return NotImplemented if right is None else rules.multiply(self, right)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Expr:
        right = lift(other)
        if right is None:
            return NotImplemented
        return rules.multiply(self, rules.power(right, -1))

    def __rtruediv__(self, other: object) -> Expr:
        left = lift(other)
        return NotImplemented if left is None else rules.multiply(left, rules.power(self, -1))

    def __pow__(self, exponent: object) -> Expr:
        right = lift(exponent)
        return NotImplemented if right is None else rules.raised(self, right)

    def __rpow__(self, base: object) -> Expr:
        left = lift(base)
        return NotImplemented if left is None else rules.raised(left, self)

    def __neg__(self) -> Expr:
        return rules.negative(self)

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return rules.function("abs", self)

    def __eq__(self, other: object) -> bool:
        right = lift(other)
        return NotImplemented if right is None else self is right

    def __hash__(self) -> int:
        return hash(self.value[1]) if self.op == "number" else self.key

    def __bool__(self) -> bool:
        return self is not ZERO

    def __repr__(self) -> str:
        return _text(self, limit=2000)

    def __str__(self) -> str:
        return _text(self)

    def _repr_latex_(self) -> str | None:
        return notebook.latex(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, _layer(self)

    def __deepcopy__(self, _: dict[int, Any]) -> Expr:
        return self

    # what NumPy calls on arrays of nodes
    sin, cos, tan = _method("sin"), _method("cos"), _method("tan")
    exp, log, sign = _method("exp"), _method("log"), _method("sign")
    arcsin, arccos, arctan = _method("asin"), _method("acos"), _method("atan")
    sinh, cosh, tanh = _method("sinh"), _method("cosh"), _method("tanh")

    def sqrt(self) -> Expr:
        return rules.power(self, Fraction(1, 2))

    def arctan2(self, other: object) -> Expr:
        return rules.function("atan2", self, expression(other))

    def conjugate(self) -> Expr:
        return self

    @property
    def name(self) -> str:
        """The name of a symbol."""
        assert self.op == "symbol", f"a node of kind {self.op} has no name"
        name: str = self.value[0]
        return name

    @property
    def kind(self) -> str:
        """Meaning of a symbol: parameter, coordinate, speed, acceleration, time or input."""
        assert self.op == "symbol", f"a node of kind {self.op} has no kind"
        kind: str = self.value[1]
        return kind


class Rules(Protocol):
    """Simplification rules that the operators of nodes call."""

    def add(self, a: Expr, b: Expr, /) -> Expr: ...
    def subtract(self, a: Expr, b: Expr, /) -> Expr: ...
    def negative(self, x: Expr, /) -> Expr: ...
    def multiply(self, a: Expr, b: Expr, /) -> Expr: ...
    def power(self, base: Expr, exponent: Scalar, /) -> Expr: ...
    def raised(self, base: Expr, exponent: Expr, /) -> Expr: ...
    def function(self, name: str, /, *args: Expr) -> Expr: ...


rules: Rules
_text: Callable[..., str]


def install(own_rules: Rules, own_text: Callable[..., str]) -> None:
    """The rules that operators follow, and how a node is written."""
    global rules, _text
    rules, _text = own_rules, own_text


def apply(name: str, *args: object) -> Expr:
    """A function of scalars, by its name."""
    return rules.function(name, *map(expression, args))


def node(op: str, args: tuple[Expr, ...], value: Any, stage: int) -> Expr:
    """The one node of this content: found, or made."""
    if len(args) == 2:
        a, b = args[0].key, args[1].key
        content: Content = (op, value, a, b)
    else:
        a = b = 0
        content = (op, value, *(x.key for x in args)) if args else (op, value)
    known = _nodes.get(content)
    existing = None if known is None else known()
    if existing is not None:
        return existing
    existing = _new(Expr)
    existing.op, existing.args, existing.value, existing.stage = op, args, value, stage
    if b:  # in place: most nodes come here
        mixed = (a + _OPERATIONS[op]) * b >> _MIDDLE & _MASK
        existing.key = ((a if a > b else b) | _MASK) + mixed
    else:
        existing.key = _key(op, args, value)
    known = _Known(existing, _forget)
    known.content = content
    return existing if _nodes.setdefault(content, known) is known else _node_of_all_threads(known)


def _key(op: str, args: tuple[Expr, ...], value: Any) -> int:
    """The key of a leaf, of a power or of a function of one argument or of three."""
    digest = _digest(f"{op} {value!r}")
    if not args:
        place = _place(value[0]) if op == "symbol" else 0
        return (place << _BITS - _PLACE) | (digest >> _PLACE)
    mixed = digest
    for x in args:
        mixed = (x.key + mixed) * digest >> _MIDDLE & _MASK
    return (max(x.key for x in args) | _MASK) + mixed


def _place(name: str) -> int:
    """Symbols after numbers, by their first letters and then by number: l, q2, q10."""
    stem = name.rstrip("0123456789")
    number = min(int(name[len(stem) :][:5]), 0xFFFF) if len(stem) < len(name) else 0
    return _first_letters(stem[:2]) << 16 | number


@lru_cache(maxsize=1024)
def _first_letters(start: str) -> int:
    """The first two bytes of a name."""
    return int.from_bytes(start.encode()[:2].ljust(2, b"\0"), "big")


def _node_of_all_threads(known: _Known) -> Expr:
    """The node of a content that another thread has entered, or is about to remove."""
    while True:
        existing = _nodes.setdefault(known.content, known)()
        if existing is not None:
            return existing
        sleep(0)  # until it has removed it


def _layer(root: Expr) -> tuple[tuple[Expr, ...], list[Content]]:
    """A node as nodes of lower layers and the steps from them to it.

    Layers are so many heights thick that `pickle`, which recurs from layer to layer and keeps what
    they share, does not go deep.
    """
    floor = max((root.key >> _BITS) // _LAYER * _LAYER, 1) << _BITS
    lower: dict[int, Expr] = {}
    inner: dict[int, Expr] = {}
    pending = [root]
    while pending:
        x = pending.pop()
        if x.key not in inner:
            inner[x.key] = x
            for a in x.args:
                if a.key < floor:
                    lower[a.key] = a
                else:
                    pending.append(a)
    steps = sorted(inner.values(), key=lambda x: x.key)
    places = {key: k for k, key in enumerate((*lower, *(x.key for x in steps)))}
    described = [(x.op, tuple(places[a.key] for a in x.args), x.value, x.stage) for x in steps]
    return tuple(lower.values()), described


def _rebuilt(lower: tuple[Expr, ...], steps: list[Content]) -> Expr:
    """The node that `_layer` described."""
    known = list(lower)
    for op, places, value, stage in steps:
        known.append(node(op, tuple(known[k] for k in places), value, stage))
    return known[-1]


@final
class _Known(ref["Expr"]):
    """A node that does not live on because it is known, and the content it is found by."""

    __slots__ = ("content",)

    content: Content


def _forget(gone: _Known) -> None:
    """Remove a node without references from the table; the only place that does so."""
    del _nodes[gone.content]


@lru_cache(maxsize=4096, typed=True)
def number(value: Scalar) -> Expr:
    """A constant. Integers and fractions stay exact; a float with an integer value is exact too."""
    plain = exact(value)
    return node("number", (), (type(plain).__name__, plain), CONSTANT)


def exact(value: Any) -> Scalar:
    """Exact form of a number: an integer if it is one, else a fraction or a float."""
    kind = type(value)
    if kind is int:
        return value  # type: ignore[no-any-return]
    if kind is Fraction:
        return value.numerator if value.denominator == 1 else value  # type: ignore[no-any-return]
    if kind is not float and isinstance(value, Rational):
        return int(value.numerator) if value.denominator == 1 else Fraction(value)
    value = float(value)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def symbol(name: str, kind: str = "parameter") -> Expr:
    """The symbol of this name and kind."""
    return node("symbol", (), (name, kind), KINDS[kind])


def symbols(names: str, kind: str = "parameter") -> tuple[Expr, ...]:
    """Several symbols at once, from names separated by spaces or commas."""
    return tuple(symbol(name, kind) for name in names.replace(",", " ").split())


def lift(value: object) -> Expr | None:
    """A number as a node; None for what is not a scalar."""
    if type(value) is Expr:
        return value
    if type(value) is float or type(value) is int:
        return number(value)
    return number(value) if isinstance(value, Real) else None  # type: ignore[arg-type]


def expression(value: object) -> Expr:
    """A scalar as a node."""
    lifted = lift(value)
    assert lifted is not None, f"{value!r} is not a scalar"
    return lifted


ZERO, ONE, MINUS_ONE = number(0), number(1), number(-1)
PI = node("constant", (), "pi", CONSTANT)
TIME = symbol("t", "time")
