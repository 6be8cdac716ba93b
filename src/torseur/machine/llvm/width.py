"""Number of doubles in a vector, chosen for all code by the processor that it is made for.

Eight where the processor has vectors of 512 bits and a measurement finds them quicker, four where
it has 256, two otherwise. Some processors lower their clock for the widest vectors or make two
halves of them: the choice is measured once, on a kernel like those of mechanisms, and kept.
"""

import os
import time
from functools import cache
from importlib.util import find_spec

import numpy as np

from torseur.algebra.core.expr import Expr, symbol
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.machine.llvm import cache as store
from torseur.machine.llvm import jit
from torseur.machine.llvm.library import WIDTHS
from torseur.machine.llvm.module import batch_text

GIVEN = "TORSEUR_LANES"  # the environment's own choice
_WIDEST = ((2,), (4,), (4, 8))
_ROWS, _ROUNDS = 2048, 9  # of the measurement
_VALUES, _DEPTH = 24, 24  # of its kernel
_GAIN = 0.95  # of the time of half the width, from which a wider one is taken


def width() -> int:
    """The number of lanes of functions."""
    return _width_in_environment(WIDTHS[1:]) or _quickest_width(*jit.target())


def lane_width() -> int:
    """The number of lanes of motions: two vectors side by side, as long as these are eight numbers.

    What a step computes waits for what it computed before; meanwhile the other vector goes on.
    WebAssembly that is written without LLVM has one lane.
    """
    if find_spec("llvmlite") is None:
        return 1
    return _width_in_environment(WIDTHS) or min(2 * width(), WIDTHS[-1])


def _width_in_environment(possible: tuple[int, ...]) -> int:
    """The number of lanes that the environment asks for; 0: it leaves it to us."""
    given = os.environ.get(GIVEN, "")
    return int(given) if given in map(str, possible) else 0


@cache
def _quickest_width(cpu: str, features: str) -> int:
    possible = widths(features)
    if len(possible) == 1:
        return possible[0]
    name = store.key("width", cpu, features, modules=(__name__,))
    return int(store.read_or_make(name, lambda: str(quickest(possible)).encode()))


def widths(features: str) -> tuple[int, ...]:
    """The numbers of lanes that suit a processor of these features, fewest first."""
    has = set(features.split(","))
    return _WIDEST[2 if "+avx512f" in has else 1 if "+avx" in has else 0]


def quickest(possible: tuple[int, ...]) -> int:
    """The number of lanes with which a kernel of sines, sums and quotients takes the least time."""
    best, least = possible[0], measured(possible[0])
    for lanes in possible[1:]:
        took = measured(lanes)
        if took < _GAIN * least:
            best, least = lanes, took
    return best


def measured(lanes: int) -> float:
    """The time of a batch by that many lanes [s], the best of some."""
    engine = jit.engine(jit.object_code(batch_text(_sample(), lanes)))
    call = jit.entry(engine, "batch")
    given, output = np.linspace(-1.0, 1.0, _VALUES * _ROWS), np.empty((_ROWS, _VALUES))
    arrays = np.array([_ROWS]), np.zeros(1), given, output
    listed = np.array([x.ctypes.data for x in arrays])
    took = []
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        call(listed.ctypes.data)
        took.append(time.perf_counter() - began)
    return min(took)


def _sample() -> Kernel:
    """A kernel with the operations of a mechanism, and as many values that wait for their use."""
    names = tuple(f"x{k}" for k in range(_VALUES))
    x: list[Expr] = [symbol(name, "input") for name in names]
    for k in range(_DEPTH):
        if k % 8 == 0:  # values stay about one
            x = [a.sin() if j % 2 else a.cos() for j, a in enumerate(x)]
        others = [x[(3 * j + 1) % _VALUES] for j in range(_VALUES)]
        x = [(a * b + x[j - 1]) / 2 for j, (a, b) in enumerate(zip(x, others, strict=True))]
        x[0] = x[0] / (2 + x[1] * x[1])
    return kernel("sample", [("x", names)], np.array(x, dtype=object))
