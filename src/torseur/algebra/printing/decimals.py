"""Which fractions a book writes as decimal numbers: 4.905 and 0.0064, but 1/2, 1/3 and 3/80."""

from fractions import Fraction

from torseur.algebra.core.expr import Scalar

_SHORT, _LONG = 20, 100  # denominators that are always read as fractions, and those that never are


def decimal(value: Scalar) -> Scalar:
    """A fraction as a decimal number, if that is one without loss and reads better."""
    if not isinstance(value, Fraction) or value.denominator <= _SHORT or value.denominator % 5:
        return value
    number = float(value)
    if Fraction(repr(number)) != value:
        return value
    short = len(repr(number)) <= len(str(value))
    return number if short or value.denominator > _LONG else value


def is_decimal(value: Scalar) -> bool:
    """Whether a number is a fraction that is written as a decimal number."""
    return isinstance(value, Fraction) and isinstance(decimal(value), float)
