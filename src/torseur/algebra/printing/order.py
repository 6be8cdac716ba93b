"""The order in which terms and factors are written: by names, then degrees, then content.

It is the same in every run, and does not depend on when a node was created.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, final

from torseur.algebra.core.expr import Scalar
from torseur.algebra.printing.names import natural

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
