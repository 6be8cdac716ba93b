"""A walk down a graph that visits each node once, after everything that uses it."""

from heapq import heappop, heappush
from typing import final

from torseur.algebra.core.expr import Expr, Scalar


@final
class Collected:
    """Nodes still to be visited, the latest created first, each with the sum of its shares."""

    def __init__(self, x: Expr) -> None:
        self._shares: dict[int, tuple[Expr, Scalar]] = {x.key: (x, 1)}
        self._keys = [-x.key]

    def give(self, x: Expr, share: Scalar) -> None:
        """Add a share to a node."""
        if x.key in self._shares:
            share = self._shares[x.key][1] + share
        else:
            heappush(self._keys, -x.key)
        self._shares[x.key] = (x, share)

    def take(self) -> tuple[Expr, Scalar]:
        """The next node, with all its shares."""
        return self._shares.pop(-heappop(self._keys))

    def __bool__(self) -> bool:
        return bool(self._keys)
