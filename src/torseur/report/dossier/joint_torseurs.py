"""The torseurs of a joint in its own frame: what it lets move, and what it transmits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO, Expr, expression, symbol
from torseur.algebra.printing.latex import latex
from torseur.algebra.printing.latex import name as latex_name
from torseur.model.joints.protocol import Joint, JointType

Array = np.ndarray
_MOTION = (r"\omega_{x}", r"\omega_{y}", r"\omega_{z}", "v_{x}", "v_{y}", "v_{z}")
_ACTION = ("L", "M", "N", "X", "Y", "Z")  # couples, then forces
_ROWS = ((3, 0), (4, 1), (5, 2))  # the rows of a torseur: resultant, then moment


def has_torseurs(kind: JointType) -> bool:
    """Whether the directions of its motion are those of elementary freedoms."""
    return kind.freedoms is not None


def motion(joint: Joint) -> str:
    """{Ω; V} of the second body in the first, at the point of the joint, in LaTeX."""
    kind = joint.kind
    S = _entries(kind.motion_subspace(kind.neutral()))
    leading = [_first(column, (0, 1, 2, 3, 4, 5)) for column in S.T]
    cells = _components(S, leading, _MOTION)
    return _torseur([(cells[turn], cells[slide]) for slide, turn in _ROWS], joint.name)


def action(joint: Joint) -> str:
    """{R; M} of the first body on the second, at the point of the joint, in LaTeX."""
    T = _entries(joint.kind.held(np.eye(3), np.zeros(3)))
    leading = [_first(column, (3, 4, 5, 0, 1, 2)) for column in T.T]
    cells = _components(T, leading, _ACTION)
    return _torseur([(cells[force], cells[couple]) for force, couple in _ROWS], joint.name)


def _entries(matrix: Any) -> Array:
    """A matrix (6, n) of expressions."""
    given = np.asarray(matrix, dtype=object).reshape(6, -1)
    return np.array([[expression(x) for x in row] for row in given], dtype=object).reshape(6, -1)


def _first(column: Array, order: Sequence[int]) -> int:
    """The row after which an unknown is called: the first in which it stands alone."""
    present = [k for k in order if column[k] is not ZERO]
    return next((k for k in present if column[k] in (ONE, -ONE)), present[0])


def _components(matrix: Array, leading: Sequence[int], letters: Sequence[str]) -> list[str]:
    """Each of six components in the unknowns, each called by the letter of its row."""
    names = {k: symbol(f"unknown{k}") for k in range(6)}
    found: list[str] = []
    for row in matrix:
        total: Any = ZERO
        for entry, k, column in zip(row, leading, matrix.T, strict=True):
            total += entry * names[k] * _sign(column[k])
        written = latex(expression(total))
        for k, x in names.items():
            written = written.replace(latex_name(x.name), letters[k])
        found.append(written)
    return found


def _sign(x: Expr) -> int:
    """An unknown counts along its axis."""
    return -1 if x is -ONE else 1


def _torseur(rows: Sequence[tuple[str, str]], point: str) -> str:
    listed = r" \\ ".join(f"{left} & {right}" for left, right in rows)
    return rf"\begin{{Bmatrix}} {listed} \end{{Bmatrix}}_{{{latex_name(point)}}}"
