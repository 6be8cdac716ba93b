"""Functions of the C library that generated code may call."""

from collections.abc import Iterable

WIDTHS = (1, 2, 4, 8)  # doubles in a vector, of those that sines and cosines are made for
# Our name → the C name.
LIBRARY_CALLS = {
    "tan": "tan",
    "asin": "asin",
    "acos": "acos",
    "atan": "atan",
    "atan2": "atan2",
    "exp": "exp",
    "log": "log",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
}
_TWO_ARGUMENTS = {"atan2", "pow"}


def declarations(names: Iterable[str]) -> set[str]:
    """The declarations of C functions."""
    return {
        f"declare double @{name}({'double, double' if name in _TWO_ARGUMENTS else 'double'})"
        for name in names
    }
