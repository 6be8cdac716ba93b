"""Euler's equations of a rigid body as formulas, and its small motions about a spin.

I₁ Ω̇₁ = (I₂ − I₃) Ω₂ Ω₃ + Γ₁ and its circular permutations, along the principal axes (Euler 1758).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, final

from torseur import notebook
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing import unicode
from torseur.algebra.printing.text import text
from torseur.equations.symbols.texts import read_text
from torseur.errors import ModelError, require_known
from torseur.language.text.expression import Names
from torseur.result import Result
from torseur.words.sentence import say

_NAME = re.compile(r"[A-Za-z]\w*")
RATES = ("Omega1", "Omega2", "Omega3")


@final
class EulerInLetters(Result, document=("document",)):
    """Euler's three equations, in the letters of the moments of inertia, rates and couples."""

    _repr_html_ = notebook.preformatted

    lines: tuple[tuple[Expr, Expr], ...]  # left and right sides
    moments: tuple[Expr, ...]
    rates: tuple[Expr, ...]

    def formula(self, name: str) -> Expr:
        """A rate of change by name, `Omega1.`."""
        solved = {
            f"{x.name}.": expression(right / moment)
            for x, (_, right), moment in zip(self.rates, self.lines, self.moments, strict=True)
        }
        require_known("formula", "formula", [name], solved)
        return solved[name]

    def squared_exponent(self, axis: int) -> Expr:
        """λ² of small motions about a steady spin along axis 1, 2 or 3: stable if negative."""
        if axis not in (1, 2, 3):
            problem = say("axis {axis} is no principal axis.", axis)
            raise ModelError("axis", problem, "Give 1, 2 or 3.")
        k = axis - 1
        I, spin = self.moments, self.rates[k]
        one, other = I[(k + 1) % 3], I[(k + 2) % 3]
        return expression((one - I[k]) * (I[k] - other) * spin**2 / (one * other))

    def __str__(self) -> str:
        return "\n".join(
            f"{unicode.unicode_text(x)} = {unicode.unicode_text(y)}" for x, y in self.lines
        )

    @property
    def document(self) -> dict[str, Any]:
        """Formulas as text that can be read back."""
        return {"lines": [f"{text(x)} = {text(y)}" for x, y in self.lines]}


def euler_in_letters(
    moments: Sequence[str], rates: Sequence[str] = RATES, couple: Sequence[str] = ()
) -> EulerInLetters:
    """Euler's equations in letters: the names of three moments, of three rates, and couples."""
    if len(moments) != 3 or len(rates) != 3 or len(couple) not in (0, 3):
        raise ModelError(
            "Euler's equations",
            say(
                "{moments}, {rates} and {couple} are not three letters each.",
                moments,
                rates,
                couple,
            ),
            'Write euler_equations(["A", "B", "C"], ["p", "q", "r"]).',
        )
    w = [symbol(x, "speed") for x in rates]
    names: Mapping[str, Expr] = {
        x: symbol(x) for given in (*moments, *couple) for x in _NAME.findall(str(given))
    } | {x.name: x for x in w}
    I = [expression(read_text(x, Names(names), "moments")) for x in moments]
    acting = [expression(read_text(x, Names(names), "couple")) for x in couple] or [ZERO] * 3
    lines = []
    for k in range(3):
        one, other = (k + 1) % 3, (k + 2) % 3
        right = expression((I[one] - I[other]) * w[one] * w[other] + acting[k])
        left = I[k] * symbol(f"{w[k].name}.", "acceleration")
        lines.append((expression(left), expression(readable(right))))
    return EulerInLetters(tuple(lines), tuple(I), tuple(w))
