"""A graph in layers: nodes at their distance from a root, boxes apart, few crossings.

Sugiyama, Tagawa and Toda (1981): layers, then an order in each by barycentres, then places. The
places of a layer are a monotone regression: as near as possible to the neighbours, in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import final

import numpy as np

Array = np.ndarray
Size = tuple[float, float]  # width and height
Place = tuple[float, float]  # of the middle: x to the right, y downwards
_SWEEPS = 24  # over all layers, up and down
_SHUFFLES, _FEW = 8, 40  # starts besides two walks, of graphs with so many nodes at most
_SETTLED = 60  # sweeps of places
_BESIDE, _BETWEEN = 18.0, 34.0  # boxes of one layer, and layers


def layered(
    sizes: Mapping[str, Size], links: Sequence[tuple[str, str]], root: str
) -> dict[str, Place]:
    """Where the middle of each box is, the root at the bottom; links join neighbouring layers.

    They do where every link goes through a node of its own, which is the box of its label.
    """
    graph = _Graph(list(sizes), links)
    order = graph.best_order(root)
    widths = {name: size[0] for name, size in sizes.items()}
    across = graph.places(order, widths)
    height = 0.0
    down: dict[str, float] = {}
    for layer in order:
        tall = max(sizes[name][1] for name in layer)
        down |= dict.fromkeys(layer, -(height + tall / 2))
        height += tall + _BETWEEN
    return {name: (across[name], down[name]) for name in sizes}


@final
class _Graph:
    """Nodes and their neighbours."""

    def __init__(self, names: list[str], links: Sequence[tuple[str, str]]) -> None:
        self.names = names
        self.near: dict[str, list[str]] = {name: [] for name in names}
        for a, b in links:
            self.near[a].append(b)
            self.near[b].append(a)

    def best_order(self, root: str) -> list[list[str]]:
        """Layers with the fewest crossings that walks and some shuffles of them lead to."""
        best: list[list[str]] = []
        least = np.inf
        for layers in self._every_start(root):
            order = self.swept(layers)
            count = self.crossings(order)
            if count < least:
                best, least = order, count
            if not count:
                break
        return best

    def _every_start(self, root: str) -> Iterator[list[list[str]]]:
        layers: list[list[str]] = []
        for layers in self.starts(root):
            yield layers
        draw = np.random.default_rng(len(self.names))
        for _ in range(_SHUFFLES if len(self.names) <= _FEW else 0):
            yield [[layer[k] for k in draw.permutation(len(layer))] for layer in layers]

    def starts(self, root: str) -> Iterable[list[list[str]]]:
        """Layers by distance from the root, in the order of two walks: by breadth, by depth."""
        distance = {root: 0}
        queue = [root]
        for name in queue:
            fresh = [x for x in dict.fromkeys(self.near[name]) if x not in distance]
            distance |= dict.fromkeys(fresh, distance[name] + 1)
            queue += fresh
        alone = [name for name in self.names if name not in distance]
        distance |= dict.fromkeys(alone, 0)
        for walk in ([*queue, *alone], [*self._deep(root), *alone]):
            layers: list[list[str]] = [[] for _ in range(max(distance.values()) + 1)]
            for name in walk:
                layers[distance[name]].append(name)
            yield layers

    def _deep(self, root: str) -> list[str]:
        """All nodes that are reached, each branch to its end before the next."""
        deep: dict[str, None] = {}
        pending = [root]
        while pending:
            name = pending.pop()
            if name not in deep:
                deep[name] = None
                pending += self.near[name][::-1]
        return list(deep)

    # --- order

    def swept(self, layers: list[list[str]]) -> list[list[str]]:
        """The best of the orders that sweeps of barycentres, then of exchanges, go through."""
        best, least = layers, self.crossings(layers)
        for sweep in range(_SWEEPS):
            if not least:
                break
            layers = self._exchanged(self._by_barycentres(layers, upwards=sweep % 2 == 0))
            count = self.crossings(layers)
            if count < least:
                best, least = layers, count
        return best

    def _by_barycentres(self, layers: list[list[str]], *, upwards: bool) -> list[list[str]]:
        sorted_layers = [list(layer) for layer in layers]
        steps = list(pairwise(range(len(layers))))
        for fixed, free in steps if upwards else [(b, a) for a, b in steps[::-1]]:
            at = {name: k for k, name in enumerate(sorted_layers[fixed])}
            means = {}
            for k, name in enumerate(sorted_layers[free]):
                neighbours = [at[other] for other in self.near[name] if other in at]
                means[name] = float(np.mean(neighbours)) if neighbours else float(k)
            sorted_layers[free].sort(key=means.__getitem__)
        return sorted_layers

    def _exchanged(self, layers: list[list[str]]) -> list[list[str]]:
        """Neighbours of a layer exchanged wherever this takes away crossings."""
        sorted_layers = [list(layer) for layer in layers]
        for k, layer in enumerate(sorted_layers):
            others = [sorted_layers[j] for j in (k - 1, k + 1) if 0 <= j < len(sorted_layers)]
            for i in range(len(layer) - 1):
                pair = layer[i : i + 2]
                if sum(self._between(pair[::-1], x) - self._between(pair, x) for x in others) < 0:
                    layer[i : i + 2] = pair[::-1]
        return sorted_layers

    def crossings(self, layers: list[list[str]]) -> int:
        """Number of pairs of links that cross."""
        return sum(self._between(low, high) for low, high in pairwise(layers))

    def _between(self, layer: Sequence[str], other: Sequence[str]) -> int:
        """Crossings of the links between two layers: inversions of their ends."""
        at = {name: k for k, name in enumerate(other)}
        ends = [sorted(at[x] for x in self.near[name] if x in at) for name in layer]
        listed = np.array([end for row in ends for end in row])
        return int(sum((listed[:k] > end).sum() for k, end in enumerate(listed)))

    # --- places

    def places(self, layers: list[list[str]], widths: Mapping[str, float]) -> dict[str, float]:
        """The middle of each box across: near its neighbours, none over another."""
        at: dict[str, float] = {}
        for layer in layers:
            at |= dict(zip(layer, _apart(layer, np.zeros(len(layer)), widths), strict=True))
        for sweep in range(_SETTLED):
            for layer in layers if sweep % 2 else layers[::-1]:
                near = [[at[x] for x in self.near[name]] or [at[name]] for name in layer]
                desired = np.array([np.mean(neighbours) for neighbours in near])
                at |= dict(zip(layer, _apart(layer, desired, widths), strict=True))
        return at


def _apart(layer: Sequence[str], desired: Array, widths: Mapping[str, float]) -> Array:
    """The places nearest to those wanted at which boxes in a row leave room between them.

    Without the room they take it is a monotone regression.
    """
    half = np.array([widths[name] / 2 for name in layer])
    room = np.concatenate([[0.0], np.cumsum(half[1:] + half[:-1] + _BESIDE)])
    return np.asarray(_rising(desired - room) + room)


def _rising(numbers: Array) -> Array:
    """The nearest numbers that do not decrease: neighbours are pooled.

    Reference: Barlow, Bartholomew, Bremner and Brunk (1972), Statistical inference under order
    restrictions.
    """
    pools = list[tuple[float, int]]()  # mean and count
    for x in numbers:
        mean, count = float(x), 1
        while pools and pools[-1][0] >= mean:
            other, more = pools.pop()
            mean, count = (mean * count + other * more) / (count + more), count + more
        pools.append((mean, count))
    return np.array([mean for mean, count in pools for _ in range(count)])
