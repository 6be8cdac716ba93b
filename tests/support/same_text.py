"""Texts compared as people read them: words exactly, computed numbers to the digits they show.

The last digit of a computed number belongs to the processor: 70.65625 is printed as 70.6562 or as
70.6563. Two numbers are the same here when they differ by at most one unit of the last digit of
the one that shows more digits, and of the third at least; whole numbers are counts, and are equal.
"""

import math
import re

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)")


def same_text(text, expected, *, rel=None):
    """Whether a text is the one expected; `rel` is a tolerance for numbers of one or two digits."""
    shown = _pattern(expected).fullmatch(text)
    return shown is not None and _numbers_agree(shown, expected, rel)


def tells(text, expected, *, rel=None):
    """Whether a text contains what is expected, in the sense of `same_text`."""
    places = _pattern(expected).finditer(text)
    return any(_numbers_agree(shown, expected, rel) for shown in places)


def _pattern(expected):
    """The words as they are, with a group where each number stands."""
    words = [re.escape(part) for part in NUMBER.split(expected)]
    return re.compile(f"({NUMBER.pattern})".join(words))


def _numbers_agree(shown, expected, rel):
    return all(
        _agree(x, y, rel) for x, y in zip(shown.groups(), NUMBER.findall(expected), strict=True)
    )


def _agree(text, expected, rel):
    a, b = float(text), float(expected)
    if rel is not None:
        return math.isclose(a, b, rel_tol=rel)
    if a == b or not (_decimal(text) or _decimal(expected)) or b == 0:
        return a == b
    digits = max(3, _digits(text), _digits(expected))
    unit = 10.0 ** (math.floor(math.log10(abs(b))) + 1 - digits)
    return abs(a - b) <= 1.5 * unit


def _decimal(number):
    return "." in number or "e" in number


def _digits(number):
    """Significant digits that a number shows."""
    return len(re.sub(r"e.*|\D", "", number).lstrip("0"))
