"""The torseurs of a joint in its own frame: what it lets move, and what it transmits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO, expression, symbol
from torseur.algebra.core.graph import expressions
from torseur.algebra.printing.latex import latex
from torseur.algebra.printing.latex import name as latex_name
from torseur.model.joints.protocol import Joint

Array = np.ndarray
_MOTION = (r"\omega_{x}", r"\omega_{y}", r"\omega_{z}", "v_{x}", "v_{y}", "v_{z}")
_ACTION = ("L", "M", "N", "X", "Y", "Z")  # couples, then forces


def motion(joint: Joint) -> str:
    """{Ω; V} of the second body in the first, at the point of the joint, in LaTeX."""
    kind = joint.kind
    return _torseur(joint, kind.motion_subspace(kind.neutral()), _MOTION, (0, 1, 2, 3, 4, 5))


def action(joint: Joint) -> str:
    """{R; M} of the first body on the second, at the point of the joint, in LaTeX."""
    return _torseur(joint, joint.kind.held(np.eye(3), np.zeros(3)), _ACTION, (3, 4, 5, 0, 1, 2))


def _torseur(joint: Joint, subspace: Any, letters: Sequence[str], order: Sequence[int]) -> str:
    """Components of a subspace (6, n); the rows of the resultant come first in the order."""
    components = list(_components(expressions(subspace).reshape(6, -1), letters, order))
    pairs = zip(order[:3], order[3:], strict=True)
    rows = r" \\ ".join(f"{components[i]} & {components[j]}" for i, j in pairs)
    return rf"\begin{{Bmatrix}} {rows} \end{{Bmatrix}}_{{{latex_name(joint.name)}}}"


def _components(matrix: Array, letters: Sequence[str], order: Sequence[int]) -> Iterator[str]:
    """Each of six components in the unknowns, each called by the letter of its row."""
    leading = [_first(column, order) for column in matrix.T]
    names = {k: symbol(f"unknown{k}") for k in range(6)}
    for row in matrix:
        total: Any = ZERO
        for entry, k, column in zip(row, leading, matrix.T, strict=True):
            along = -1 if column[k] is -ONE else 1  # an unknown counts along its axis
            total += entry * names[k] * along
        written = latex(expression(total))
        for k, x in names.items():
            written = written.replace(latex_name(x.name), letters[k])
        yield written


def _first(column: Array, order: Sequence[int]) -> int:
    """The row after which an unknown is called: the first in which it stands alone."""
    present = [k for k in order if column[k] is not ZERO]
    return next((k for k in present if column[k] in (ONE, -ONE)), present[0])
