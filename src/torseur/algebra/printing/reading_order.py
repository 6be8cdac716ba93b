"""From a node to its printing tree: sums and products flattened, in an order a reader expects.

The order depends on names and structure alone, never on when a node was created. In a product:
constants, parameters, sines and cosines, other names, functions, sums in brackets. In a sum: the
natural order of the names (q2 before q10), high powers before low ones, numbers last; but a
positive term leads. A sum is written with its first term positive, its sign going to the product.

`ranks` asks for the order of books instead: parameters by their ranks, masses before lengths, with
sums of parameters among them, then coordinates, speeds, sines and cosines; in a sum accelerations
come before speeds, and speeds before the rest; long fractions are decimal numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import blake2b
from typing import Any, NamedTuple, final

from torseur.algebra.core.coefficients import factors, terms
from torseur.algebra.core.expr import ONE, PARAMETER, Expr, Scalar, exact
from torseur.algebra.core.tabulated import definition
from torseur.algebra.printing.decimals import decimal
from torseur.algebra.printing.names import natural
from torseur.algebra.printing.tree import (
    FunctionCall,
    Name,
    Number,
    Power,
    Product,
    Sum,
    Tree,
    opposite,
)

_CONSTANT, _PARAMETER, _TRIGONOMETRIC, _NAME, _FUNCTION, _SUM = range(6)
Ranks = Mapping[str, int]  # of parameters: those with a lower one are written first
Place = tuple[int, int]  # among the factors of a product
_USUAL, _LAST = 5, 9  # ranks of a parameter that is given none, and of a sum of numbers
_COORDINATES, _SPEEDS, _MOVING_SUMS, _WAVES, _OTHERS = range(2, 7)  # after the parameters
_ACCELERATED, _MOVING, _STILL = range(3)
_MOTIONS = {"acceleration": _ACCELERATED, "speed": _MOVING}
_LEAVES = 8  # names compared before the digest decides


@final
class Order(NamedTuple):
    """Sorts formulas: q1² before q1, q2 before q10."""

    names: tuple[Any, ...]
    degrees: tuple[float, ...]  # with a minus sign: high powers come first
    digest: bytes  # of the whole content


def of_number(value: Scalar) -> Order:
    """The order of a constant."""
    return Order((), (), _digest("number", value))


def of_name(name: str) -> Order:
    """The order of a symbol or of a named node."""
    return Order((natural(name),), (-1.0,), _digest("name", name))


def of_call(name: str, args: Sequence[tuple[Scalar, Order]]) -> Order:
    """The order of a function of arguments, given with their coefficients."""
    return joined(name, [(1, of_name(name)), *args])


def joined(kind: str, parts: Sequence[tuple[Scalar, Order]]) -> Order:
    """The order of a whole from those of its parts, given with their coefficients."""
    names: tuple[Any, ...] = ()
    degrees: tuple[float, ...] = ()
    for _, part in parts:
        if len(names) < _LEAVES:
            names += part.names
            degrees += part.degrees
    content = [(coefficient, part.digest) for coefficient, part in parts]
    return Order(names[:_LEAVES], degrees[:_LEAVES], _digest(kind, content))


def raised(order: Order, exponent: Scalar, coefficient: Scalar = 1) -> Order:
    """The order of (coefficient × what has this order) to a power."""
    degrees = tuple(degree * float(exponent) for degree in order.degrees)
    return Order(order.names, degrees, _digest(order.digest, exponent, coefficient))


def _digest(*items: object) -> bytes:
    return blake2b(repr(items).encode(), digest_size=12).digest()


@final
@dataclass(frozen=True, eq=False, slots=True)
class _Part:
    """A node ready to be written: coefficient × above / below, its class and its order."""

    coefficient: Scalar
    above: tuple[Tree, ...]
    below: tuple[Tree, ...]
    rank: int
    order: Order
    place: Place = (0, 0)  # in a product, where books decide
    motion: int = _STILL  # in a sum, where books decide


def layout(
    x: Expr,
    names: Mapping[int, str],
    *,
    top: bool = False,
    ranks: Ranks | None = None,
    extremes: bool = True,
) -> Tree:
    """The printing tree of a node; a named node is its name, except x itself when `top`.

    A name that begins with "-" says that the node is minus the named quantity. With `ranks` the
    order is that of books. `extremes` writes max(a, b) for a if a > b, else b.
    """
    if top and x.key in names:
        names = {key: name for key, name in names.items() if key != x.key}
    needed, pending = {}, [x]
    while pending:
        node = pending.pop()
        if node.key not in needed:
            contents = _contents(node, names)
            if ranks is not None and (node.op not in ("mul", "pow") or _is_sum(node, names)):
                contents = [(decimal(value), part) for value, part in contents]
            needed[node.key] = (node, contents)
            pending.extend(part for _, part in contents)
    parts: dict[int, _Part] = {}
    for key in sorted(needed):  # a node comes after everything it is made of
        node, contents = needed[key]
        extreme = _extreme(node, names) if extremes and node.op == "if" else ""
        part = _part(node, contents, names, parts, extreme)
        if ranks is not None:
            part = _with_place(part, node, [parts[inner.key] for _, inner in contents], ranks)
        parts[key] = part
    return _alone(parts[x.key])


def _with_place(part: _Part, x: Expr, inner: list[_Part], ranks: Ranks) -> _Part:
    """A part that knows where books write it."""
    motion = min((other.motion for other in inner), default=_STILL)
    if x.op == "symbol":
        motion = _MOTIONS.get(x.kind, _STILL)
    if part.rank == _CONSTANT and x.op != "symbol":
        place = (0, 0)
    elif x.op == "symbol" and x.stage <= PARAMETER:
        place = (1, ranks.get(x.name, _USUAL))
    elif x.op in ("sin", "cos"):
        place = (_WAVES, int(x.op == "cos"))
    elif x.stage <= PARAMETER:
        place = min((other.place for other in inner if other.place[0]), default=(1, _LAST))
    elif motion != _STILL:
        place = (_MOVING_SUMS if part.rank == _SUM else _SPEEDS, 0)
    else:
        place = (_COORDINATES if x.op in ("symbol", "add") else _OTHERS, 0)
    return replace(part, coefficient=decimal(part.coefficient), place=place, motion=motion)


def _contents(x: Expr, names: Mapping[int, str]) -> list[tuple[Scalar, Expr]]:
    """Terms with coefficients, factors with exponents, or arguments (with 1)."""
    if x.key in names:
        return []
    if _is_sum(x, names):
        return terms(x, names)
    if x.op in ("mul", "pow"):
        return factors(x, names)
    return [(1, argument) for argument in x.args]


def _is_sum(x: Expr, names: Mapping[int, str]) -> bool:
    return x.op == "add" or (x.op == "mul" and _is_opposite_of_sum(x, names))


def _is_opposite_of_sum(x: Expr, names: Mapping[int, str]) -> bool:
    sign, core = x.args
    return (
        sign.op == "number"
        and abs(sign.value[1]) == 1
        and core.op == "add"
        and core.key not in names
    )


def _part(
    x: Expr,
    contents: list[tuple[Scalar, Expr]],
    names: Mapping[int, str],
    parts: Mapping[int, _Part],
    extreme: str = "",
) -> _Part:
    inner = [(value, node, parts[node.key]) for value, node in contents]
    if x.key in names:
        return _part_by_name(names[x.key], x)
    if x.op == "number":
        return _constant(x.value[1])
    if not x.args:
        return _part_by_name(x.name if x.op == "symbol" else x.value, x)
    if x.op == "add" or (x.op == "mul" and _is_opposite_of_sum(x, names)):
        return _sum(inner)
    if x.op in ("mul", "pow"):
        return _product([_raised(part, value) for value, _, part in inner])
    if extreme:
        return _call(x, [part for _, _, part in inner[1:]], extreme)
    return _call(x, [part for _, _, part in inner])


def _constant(value: Scalar) -> _Part:
    return _Part(value, (), (), _CONSTANT, of_number(value))


def _part_by_name(name: str, x: Expr) -> _Part:
    """A node by its name; one named "-Q4" is minus the quantity Q4."""
    sign, name = (-1, name[1:]) if name.startswith("-") else (1, name)
    trigonometric = x.op in ("sin", "cos")
    rank = _PARAMETER if x.stage <= PARAMETER else _NAME
    if x.op == "constant":
        rank = _CONSTANT
    if trigonometric:
        rank = _TRIGONOMETRIC
    tree = Name(name, upright=trigonometric)
    return _Part(sign, (tree,), (), rank, of_name(name))


def _extreme(x: Expr, names: Mapping[int, str]) -> str:
    """max or min, if a choice is that of its two values; a named one is its name."""
    condition, above, otherwise = x.args
    if x.key in names:
        return ""
    if condition is above - otherwise:
        return "max"
    return "min" if condition is otherwise - above else ""


def _call(x: Expr, args: list[_Part], name: str = "") -> _Part:
    """A function; the sign of the argument of an odd or even one comes out."""
    function, sign = definition(x), 1
    parity = function.parity
    if parity and args[0].coefficient < 0:
        args = [_scaled(args[0], -1)]
        sign = -1 if parity == "odd" else 1
    rank = _PARAMETER if x.stage <= PARAMETER else _FUNCTION
    if x.op in ("sin", "cos"):
        rank = _TRIGONOMETRIC
    called = name or function.name
    order = of_call(called, [(part.coefficient, part.order) for part in args])
    written = () if x.op == "call" else args  # the whole motion is an argument of a call
    call = FunctionCall(called, tuple(_alone(part) for part in written))
    return _Part(sign, (call,), (), rank, order)


# --- sums ---------------------------------------------------------------------------------------


def _sum(inner: list[tuple[Scalar, Expr, _Part]]) -> _Part:
    """The sum of coefficient × part, like terms together, its first term positive."""
    like: dict[Order, _Part] = {}
    for value, _, part in sorted(
        inner, key=lambda term: (term[1] is ONE, term[2].motion, term[2].order)
    ):
        term = _scaled(part, value)
        before = like.get(part.order)
        total = term.coefficient + (before.coefficient if before else 0)
        like[part.order] = replace(term, coefficient=exact(total))
    parts = [part for part in like.values() if part.coefficient != 0]
    if not parts:
        return _constant(0)
    if len(parts) == 1:
        return parts[0]
    sign = -1 if parts[0].coefficient < 0 else 1
    parts = [_scaled(part, sign) for part in parts]
    tree = Sum(tuple(_signed(part) for part in parts))
    order = joined("sum", [(part.coefficient, part.order) for part in parts])
    return _Part(sign, (tree,), (), _SUM, order)


def _signed(part: _Part) -> tuple[int, Tree]:
    """A part as a term: its sign, and what follows the sign."""
    sign = -1 if part.coefficient < 0 else 1
    lead, above, below = _size(part.coefficient), part.above, part.below
    if not above and not below:
        return sign, Number(lead)
    if not below and lead == 1 and len(above) == 1:
        return sign, above[0]
    if below and isinstance(lead, Fraction):
        lead, below = lead.numerator, (Number(lead.denominator), *below)
    return sign, Product(lead, above, below)


def _alone(part: _Part) -> Tree:
    """A part that stands alone; its minus sign goes into a sum of mixed signs when there is one."""
    sign, tree = _signed(part)
    if sign > 0:
        return tree
    if isinstance(tree, Sum):
        return opposite(tree)
    if isinstance(tree, Product):
        for side in ("above", "below"):
            flipped = _with_opposite(getattr(tree, side))
            if flipped is not None:
                sides = {"above": tree.above, "below": tree.below, side: flipped}
                return Product(tree.lead, **sides)
    return Sum(((-1, tree),))


def _with_opposite(trees: tuple[Tree, ...]) -> tuple[Tree, ...] | None:
    """The last sum of mixed signs among the factors replaced by its opposite."""
    for i, tree in reversed(list(enumerate(trees))):
        if isinstance(tree, Sum) and any(sign < 0 for sign, _ in tree.terms):
            return (*trees[:i], opposite(tree), *trees[i + 1 :])
    return None


# --- products -----------------------------------------------------------------------------------


def _product(parts: list[_Part]) -> _Part:
    coefficient: Scalar = 1
    for part in parts:
        coefficient = coefficient * part.coefficient
    if coefficient == 0:  # a factor is a sum whose terms cancel
        return _constant(0)
    parts = [part for part in parts if part.above or part.below]
    parts.sort(key=lambda part: (part.place, part.rank, part.order))
    above = tuple(tree for part in parts for tree in part.above)
    below = tuple(tree for part in parts for tree in part.below)
    rank = parts[-1].rank if parts else _CONSTANT
    order = joined("product", [(1, part.order) for part in parts])
    order = parts[0].order if len(parts) == 1 else order
    return _Part(exact(coefficient), above, below, rank, order)


def _raised(part: _Part, exponent: Scalar) -> _Part:
    """A part to a power, not 0; a negative one goes below."""
    if exponent == 1:
        return part
    above, below, coefficient, size = part.above, part.below, part.coefficient, _size(exponent)
    if isinstance(exponent, int):
        order = raised(part.order, exponent)
        whole = coefficient if isinstance(coefficient, float) else Fraction(coefficient)
        coefficient = exact(whole**exponent)
        if size != 1 and (above or below):
            above, below = (Power(_signed(replace(part, coefficient=1))[1], size),), ()
    else:
        order = raised(part.order, exponent, coefficient)
        tree = _alone(part)
        root = FunctionCall("sqrt", (tree,)) if size == Fraction(1, 2) else Power(tree, size)
        coefficient, above, below = 1, (root,), ()
    if exponent < 0:
        above, below = below, above
    return replace(part, coefficient=coefficient, above=above, below=below, order=order)


def _size(value: Scalar) -> Scalar:
    return -value if value < 0 else value


def _scaled(part: _Part, factor: Scalar) -> _Part:
    return part if factor == 1 else replace(part, coefficient=exact(part.coefficient * factor))
