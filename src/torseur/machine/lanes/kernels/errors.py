"""The errors of steps in the lanes of vectors: their norms, and the lengths of the next steps."""

from typing import Any

from torseur.machine.integrators.kernels.dop853 import HALVINGS, SAFETY
from torseur.machine.integrators.kernels.step_size import COARSEST, NOISE
from torseur.machine.lanes.kernels.vectors import Vectors
from torseur.machine.runtime.vectors import instruction


@instruction()
def judge(builder, n, h, row, fifth, third, coarse, rtol, mask):
    """fifth ← the norm of the error of a step, 1 being tolerated; `mask` has those that pass.

    Given are the squares of both estimates and the rounding of the state. coarse ← the factor of
    the next step that suits the error.
    """
    v = Vectors(builder)
    rounding = v.less(v.first(coarse), v.same(COARSEST))
    factor = v.fused(rounding, builder.fdiv(v.same(NOISE), v.spread(rtol)), v.same(1.0))
    squared = builder.fmul(factor, factor)
    large, small = (builder.fdiv(v.first(x), squared) for x in (fifth, third))
    error = _norm(v, builder.fmul(v.first(h), large), v.fused(v.same(0.01), small, large), n)
    v.keep_first(error, fifth)
    change = error
    for _ in range(HALVINGS):
        change = v.root(change)
    v.keep_first(builder.fdiv(v.same(SAFETY), change), coarse)
    moves = builder.fcmp_ordered(">=", v.first(row), v.same(0.0))
    passes = builder.and_(moves, builder.fcmp_ordered("<", error, v.same(1.0)))
    v.keep_first(builder.select(passes, v.same(1.0), v.same(0.0)), mask)


def _norm(v: Vectors, above: Any, below: Any, n: Any) -> Any:
    """above / √(n below), zero where both are."""
    builder = v.builder
    count = v.spread(builder.sitofp(n, v.kind.element))
    found = builder.fdiv(above, v.root(builder.fmul(below, count)))
    none = builder.fcmp_ordered("==", below, v.same(0.0))
    return builder.select(none, v.same(0.0), found)
