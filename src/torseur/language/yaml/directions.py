"""Points and axes as entries: three components or the name of an axis, for one body or for two."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO
from torseur.language.text.expression import Names
from torseur.language.text.measures import Expected
from torseur.language.yaml.fields import listed, vector
from torseur.language.yaml.source import Item
from torseur.words.sentence import say

Array = np.ndarray
Reading = Callable[[Item, Names], Array]

_PAIR = "[[0, 0, 1], [1, 0, 0]]"


def read_point(item: Item, names: Names) -> Array:
    """Three coordinates."""
    return vector(item, names, "m", "point")


def read_axis(item: Item, names: Names) -> Array:
    """`x`, `-y`, … or three components."""
    if not isinstance(item.value, str):
        return vector(item, names, alike(names), "axis")
    named = re.fullmatch(r"([+-]?)([xyzXYZ])", item.value.strip())
    if not named:
        advice = say(
            "Axes: x, y, z, -x, -y, -z, three components, or a pair such as {pair}.", _PAIR
        )
        raise item.fault(say("the axis {item} does not exist.", item), advice)
    sign = -ONE if named.group(1) == "-" else ONE
    k = "xyz".index(named.group(2).lower())
    return np.array([sign if j == k else ZERO for j in range(3)], dtype=object)


def alike(names: Names) -> Expected:
    """A dimension that several entries share, whatever it is."""
    return None if names.measures is None else names.measures.symbols.fresh()


def one_or_two(item: Item, names: Names, reading: Reading) -> tuple[Array, Array]:
    """A value in each body, or one that is equal in both."""
    if isinstance(item.value, tuple) and len(item.value) == 2:
        return two(item, names, reading)
    one = reading(item, names)
    return one, one


def two(item: Item, names: Names, reading: Reading) -> tuple[Array, Array]:
    """A value in the first body and another in the second."""
    first, second = listed(item, "axes, one in each body", 2)
    return reading(first, names), reading(second, names)
