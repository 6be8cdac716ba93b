"""Small motions about an equilibrium in letters: M, G, D, K, pulsations, damping ratio, modes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.expr import Expr, expression, symbol
from torseur.algebra.core.graph import expressions
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing import unicode
from torseur.algebra.printing.text import text
from torseur.analyse.letters.answers import OMEGA_SQUARED, BranchInLetters
from torseur.analyse.letters.branching import PartlySolved
from torseur.analyse.letters.check import agreement
from torseur.analyse.letters.closed_forms import chosen_branch, rest_problem
from torseur.analyse.letters.rest import RestInLetters
from torseur.analyse.letters.written import shortest
from torseur.errors import SolveError
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray


@final
class LinearInLetters(Result, document=("document",)):
    """M s̈ + (D + G) ṡ + K s = 0 about a branch, as formulas.

    G is the skew part of what speeds multiply, D the symmetric one.
    """

    _repr_html_ = notebook.preformatted

    coordinates: tuple[str, ...]
    branch: BranchInLetters
    M: Array
    D: Array
    G: Array
    K: Array
    damping: Expr | None = None  # ζ of one damped freedom
    ratio: Expr | None = None  # second over first coordinate in a mode, by omega^2

    @property
    def pulsations(self) -> tuple[Expr, ...]:
        """ω², where the characteristic polynomial factors."""
        return self.branch.pulsations

    @property
    def characteristic(self) -> tuple[Expr, ...]:
        """Coefficients of the characteristic polynomial, by increasing power."""
        return self.branch.characteristic

    def formula(self, name: str) -> Expr:
        """A formula by name: `omega^2`, `zeta`, `ratio`, or one of the branch."""
        extra = {"zeta": self.damping, "ratio": self.ratio}
        value = extra.get(name)
        return self.branch.formula(name) if value is None else value

    def __str__(self) -> str:
        def row(x: Array) -> str:
            return "  ".join(self._text(y) for y in x)

        lines = [str(self.branch)]
        for name in "MDGK":
            matrix = getattr(self, name)
            if any(x != 0 for x in matrix.flat):
                lines += [
                    f"{name} = [ {row(matrix[0])} ]",
                    *(f"    [ {row(x)} ]" for x in matrix[1:]),
                ]
        if self.damping is not None:
            lines.append(f"ζ = {self._text(self.damping)}")
        if self.ratio is not None:
            one, other = map(unicode.symbol_name, self.coordinates)
            lines.append(say("modes: {other}/{one} = {ratio}", other, one, self._text(self.ratio)))
        return "\n".join(lines)

    def _text(self, x: Expr) -> str:
        written = unicode.unicode_text(x, ranks=dict(self.branch.ranks))
        return written.replace("ω_squared", "ω²")

    @property
    def document(self) -> dict[str, Any]:
        """Formulas as text that can be read back."""
        matrices = {
            name: [[text(x) for x in row] for row in getattr(self, name)] for name in "MDGK"
        }
        single = {
            name: None if x is None else text(x)
            for name, x in (("damping", self.damping), ("ratio", self.ratio))
        }
        return {"coordinates": list(self.coordinates), **self.branch.document, **matrices, **single}


def linear_in_letters(
    mechanism: Mechanism,
    at: Mapping[str, float] | None = None,
    *,
    given: Mapping[str, Any] | Sequence[str] = (),
    turning: Collection[str] = (),
    modes: Mapping[str, str] | None = None,
) -> LinearInLetters:
    """The small motions about the equilibrium at `at`, or the one nearest to the start."""
    problem = rest_problem(mechanism, given, turning, modes)
    branch, known = chosen_branch(problem, at)
    if agreement(problem, branch, known) is None:
        raise SolveError(
            "letters",
            say("the formulas differ from the numerical solution and are withheld."),
            say("Ask for numbers: leave out `letters`."),
        )
    parts = [_matrix(problem, branch, power) for power in range(3)]
    n = len(problem.lines.s)
    if len(problem.lines.loops):
        raise SolveError(
            "letters",
            say("{number} loops give no coordinate explicitly.", len(problem.lines.loops)),
            say("Ask for the pulsations: ts.equilibria(…, letters=True)."),
        )
    K, C, M = (expressions(-A[:n, :n]) for A in parts)
    D, G = _halves(C, 1), _halves(C, -1)
    names = tuple(x.name for x in problem.lines.s)
    return LinearInLetters(
        names, known, M, D, G, K, _damping(M, D, K, known), _ratio(M, C, K, known)
    )


def _matrix(problem: RestInLetters, branch: PartlySolved, power: int) -> Array:
    """The coefficients of a power of p, as they are in the branch."""
    matrix = problem.matrices[power]
    entries = [shortest(problem.letters, branch, problem.letters.quotient(x)) for x in matrix.flat]
    return np.array(entries, dtype=object).reshape(matrix.shape)


def _halves(C: Array, sign: int) -> Array:
    return expressions(readable(expressions((C + sign * C.T) / 2)))


def _damping(M: Array, D: Array, K: Array, known: BranchInLetters) -> Expr | None:
    """ζ = d/(2 √(k m)) of one freedom."""
    if len(M) != 1 or known.variable == OMEGA_SQUARED:
        return None
    return expression(D[0, 0] / (2 * (K[0, 0] * M[0, 0]).sqrt()))


def _ratio(M: Array, C: Array, K: Array, known: BranchInLetters) -> Expr | None:
    """(M₁₁ ω² − K₁₁)/(K₁₂ − M₁₂ ω²), the second coordinate over the first."""
    if len(M) != 2 or any(x != 0 for x in C.flat) or known.variable != OMEGA_SQUARED:
        return None
    square = symbol("omega_squared")
    below = K[0, 1] - M[0, 1] * square
    return None if below == 0 else expression((M[0, 0] * square - K[0, 0]) / below)
