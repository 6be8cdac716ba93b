"""Exchange with SymPy: expressions to and from it, node by node.

SymPy is imported when it is needed. Its symbols are real, and bear the names of ours: `alpha.` is
the speed of alpha there too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from torseur.algebra import rules
from torseur.algebra.expr import ONE, PI, ZERO, Expr, Scalar, number
from torseur.algebra.functions import FUNCTIONS
from torseur.algebra.graph import flat, reachable
from torseur.errors import ModelError, suggestion

if TYPE_CHECKING:
    import sympy

NO_NAMES: Mapping[int, str] = {}
_SYMPY_NAMES = {"abs": "Abs"}  # the others have the same name


def to_sympy(outputs: Any, names: Mapping[int, str] = NO_NAMES, *, top: bool = False) -> Any:
    """A SymPy expression, or an array of them in the shape of the outputs.

    Named nodes (key → name) become symbols, except the outputs themselves when `top`.
    """
    leaves = flat(outputs)
    if top:
        own = {x.key for x in leaves}
        names = {key: name for key, name in names.items() if key not in own}
    made: dict[int, sympy.Expr] = {}
    for x in reachable(leaves, stop=names):
        made[x.key] = _sympy_node(x, [made[a.key] for a in x.args], names)
    if not np.shape(outputs):
        return made[leaves[0].key]
    array = np.empty(len(leaves), dtype=object)
    array[:] = [made[x.key] for x in leaves]
    return array.reshape(np.shape(outputs))
