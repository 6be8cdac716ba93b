"""Operation counts of an evaluation, by kind and by stage."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import final

from torseur.algebra.core.expr import CONFIGURATION, CONSTANT, PARAMETER, STATE, Expr
from torseur.algebra.core.graph import reachable
from torseur.words.sentence import say


@final
@dataclass(frozen=True)
class Operations:
    """Multiplications, additions, divisions, sines and cosines, and other functions.

    A subtraction is an addition; a change of sign is free; a square is one multiplication. Looking
    up a table is one other function, to find the piece, then three multiplications and three
    additions.
    """

    mul: int = 0
    add: int = 0
    div: int = 0
    trig: int = 0
    other: int = 0

    @property
    def total(self) -> int:
        """Every operation."""
        return self.mul + self.add + self.div + self.trig + self.other

    def __str__(self) -> str:
        words = [say("{mul} multiplications", self.mul), say("{add} additions", self.add)]
        words += [say("{div} divisions", self.div)] if self.div else []
        words += [say("{trig} sines and cosines", self.trig)] if self.trig else []
        words += [say("{other} other functions", self.other)] if self.other else []
        return ", ".join(words)


_FREE, _OTHER = Operations(), Operations(other=1)
_PRODUCT, _TURN = Operations(mul=1), Operations(trig=1)
_COSTS = {
    "add": Operations(add=1),
    "sin": _TURN,
    "cos": _TURN,
    "table": Operations(mul=3, add=3, other=1),
}


def operations_of(x: Expr) -> Operations:
    """Operations of one node, its arguments being known."""
    if x.op == "mul":
        return _FREE if x.args[0].op == "number" and x.args[0].value[1] == -1 else _PRODUCT
    if x.op == "pow":
        return _power_cost(x.value)
    return _COSTS.get(x.op, _OTHER if x.args else _FREE)


@lru_cache(maxsize=None, typed=True)
def _power_cost(exponent: object) -> Operations:
    if not isinstance(exponent, int):
        return Operations(other=1)
    size = abs(exponent)
    products = size.bit_length() - 1 + bin(size).count("1") - 1
    return Operations(mul=products, div=1 if exponent < 0 else 0)


def count(outputs: Iterable[Expr], stages: Iterable[int] = (CONFIGURATION, STATE)) -> Operations:
    """The cost of all the outputs together, over the given stages (default: the run-time ones)."""
    counted_stages = set(stages)
    costs = Counter(operations_of(x) for x in reachable(outputs) if x.stage in counted_stages)
    totals = (sum(n * getattr(x, f.name) for x, n in costs.items()) for f in fields(Operations))
    return Operations(*totals)


def count_by_stage(outputs: Iterable[Expr]) -> dict[str, Operations]:
    """The cost per stage: once per parameter set, once per configuration, once per state."""
    outputs = list(outputs)
    return {
        "parameters": count(outputs, (CONSTANT, PARAMETER)),
        "configuration": count(outputs, (CONFIGURATION,)),
        "state": count(outputs, (STATE,)),
    }
