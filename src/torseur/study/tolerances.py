"""Dimensions with tolerances, as drawings have them: `10 mm ± 0.1`, `10 mm +0.2 -0.1`."""

from __future__ import annotations

import re
from collections.abc import Callable

from torseur.language.text.literals import plain_unit
from torseur.study.distributions import Continuous, toleranced

_NUMBER = r"\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?"
_UNIT = r"[^\d\s+±-][^\s+±-]*"
_BOTH = re.compile(
    rf"(?P<value>[-+]?(?:{_NUMBER}))\s*(?P<unit>{_UNIT})?\s*(?:±|\+/-|\+-)\s*"
    rf"(?P<above>{_NUMBER})\s*(?P<own>%|{_UNIT})?"
)
_EACH = re.compile(
    rf"(?P<value>[-+]?(?:{_NUMBER}))\s*(?P<unit>{_UNIT})?\s*\+\s*(?P<above>{_NUMBER})"
    rf"\s*(?:/\s*)?[-−]\s*(?P<below>{_NUMBER})\s*(?P<own>%|{_UNIT})?"
)


def read_tolerance(text: str, number: Callable[[str], float]) -> Continuous | None:
    """The distribution of a dimension, None if it has no tolerance; `number` reads those of a text.

    A tolerance without a unit has that of the dimension, and the other way round.
    """
    plain = text.strip()
    found = _BOTH.fullmatch(plain) or _EACH.fullmatch(plain)
    if found is None:
        return None
    given = found.groupdict()
    own = plain_unit(given["own"]) if given["own"] and given["own"] != "%" else None
    unit = given["unit"] or own or ""
    nominal = number(f"{given['value']} {unit}".strip())
    above, below = given["above"], given.get("below") or given["above"]
    if given["own"] == "%":
        sizes = [abs(nominal) * float(x) / 100 for x in (below, above)]
    else:
        sizes = [number(f"{x} {own or unit}".strip()) for x in (below, above)]
    return toleranced(nominal, sizes[0], sizes[1])
