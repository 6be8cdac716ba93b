"""The equation of a mechanism of one freedom, f α̈ + g α̇² = Q: ratios of speeds, f and g named.

With every speed q̇ = k α̇, T is ½ f α̇² with f = Σ M k k, and Lagrange's equation of the only
freedom has g = ½ df/dα = Σ k (h + M k'), h being the terms of speeds for α̇ = 1.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import PARAMETER, TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.algebra.printing.latex import name as latex_name
from torseur.algebra.printing.text import text
from torseur.equations.motion.dependent import ReducedEquations
from torseur.equations.motion.equations import Equations
from torseur.named_words import Words
from torseur.teach.derivation.step_formulas import Equation, Formula, Scalar, SymbolLabel
from torseur.teach.derivation.telling import Telling

_LETTERS = (("f", "g"), ("A", "B"), ("J", "K"), ("f_1", "f_2"))
_LINE = 100  # characters of a formula on one line


def fits_a_line(*formulas: Expr) -> bool:
    """Whether an equation of these sides is read on one line."""
    return sum(len(text(x, limit=2 * _LINE)) for x in formulas) <= _LINE


@final
@dataclass(frozen=True)
class NamedForm:
    """f α̈ + g α̇² = Q with the letters of f and g, and the formulas of all that is named."""

    letters: tuple[str, str]
    formulas: tuple[Formula, ...]
    equation: Equation

    def sentence(self, words: Words) -> str:
        """The words on ratios, f and g."""
        return words["one freedom"].format(self.equation.name, *self.letters)


def named_form(
    telling: Telling,
    equations: Equations,
    reduced: ReducedEquations,
    dependent: Mapping[str, Expr],
) -> NamedForm | None:
    """The ratios of speeds, f and g, and the equation they give; None where there is none.

    Time must not enter, and the other speeds must be multiples of the only independent one.
    """
    if len(reduced.speeds) != 1 or any(x is not ZERO for x in reduced.carried):
        return None
    u = symbol(reduced.speeds[0], "speed")
    if TIME in free_symbols([*equations.M.flat, *equations.h, *equations.Q, *equations.g]):
        return None
    used = {x.name for x in free_symbols([*equations.M.flat, *equations.h, *equations.Q])}
    used |= {x.name for x in free_symbols(list(equations.g))} | {*telling.mechanism.parameter_table}
    letters = next((pair for pair in _LETTERS if not used & set(pair)), None)
    if letters is None:
        return None
    ratios = _Ratios(telling, dependent, u, used)
    k = ratios.values(equations.speeds)
    at_one = {symbol(name, "speed"): x * u for name, x in zip(equations.speeds, k, strict=True)}
    M, h = equations.M, expressions(substitute(equations.h, at_one))
    f = _read(telling, k @ M @ k)
    slopes = ratios.slopes(equations.speeds)
    terms = expression((k @ h) / u**2 + k @ M @ slopes)
    g = _read(telling, terms)
    if u in free_symbols([g]):
        return None
    force = _read(telling, k @ expressions(substitute(equations.Q - equations.g, at_one)))
    name, (first, second) = u.name.removesuffix("."), letters
    a = symbol(f"{u.name}.", "acceleration")
    formulas: list[Formula] = [*ratios.formulas(), Scalar(SymbolLabel(first, first), f)]
    half = SymbolLabel(
        f"{second} = ½ d{first}/d{name}",
        rf"{second} = \frac{{1}}{{2}}\,{_rate(first, latex_name(name))}",
    )
    formulas += [*ratios.slope_formulas(g), Scalar(half, g)]
    left = expression(symbol(first) * a + symbol(second) * u**2)
    return NamedForm(letters, tuple(formulas), Equation(name, left, force))


def _read(telling: Telling, x: Any) -> Expr:
    return expression(telling.read(expression(x)))


def _rate(above: str, below: str) -> str:
    return rf"\frac{{\mathrm{{d}}{above}}}{{\mathrm{{d}}{below}}}"


class _Ratios:
    """k = q̇/α̇ of each dependent speed, named unless it is a constant, and k' = dk/dα."""

    def __init__(
        self, telling: Telling, dependent: Mapping[str, Expr], u: Expr, used: Collection[str]
    ) -> None:
        self._telling, self._u = telling, u
        self.known = {name: _read(telling, derivative(x, u)) for name, x in dependent.items()}
        self.named = {
            name: symbol(f"k_{name.removesuffix('.')}")
            for name, x in self.known.items()
            if x.stage > PARAMETER and f"k_{name.removesuffix('.')}" not in used
        }

    def values(self, speeds: Collection[str]) -> np.ndarray:
        """k of each speed: its letter where it has one."""
        one = expression(1)
        return expressions([self.named.get(name, self.known.get(name, one)) for name in speeds])

    def _along(self) -> dict[str, Expr]:
        """dq/dα of each coordinate by name."""
        ratios = {name.removesuffix("."): self.known[name] for name in self.known}
        letters = {name.removesuffix("."): x for name, x in self.named.items()}
        return {self._u.name.removesuffix("."): expression(1), **ratios, **letters}

    def _slope(self, x: Expr) -> Expr:
        """dx/dα through every coordinate."""
        total: Any = ZERO
        for name, rate in self._along().items():
            total = total + derivative(x, symbol(name, "coordinate")) * rate
        return _read(self._telling, total)

    def slopes(self, speeds: Collection[str]) -> np.ndarray:
        """k' of each speed: its letter where k has one."""
        primes = {name: self._prime(name) for name in self.named}
        return expressions([primes.get(name, ZERO) for name in speeds])

    def _prime(self, name: str) -> Expr:
        return symbol(f"k'_{name.removesuffix('.')}")

    def formulas(self) -> list[Formula]:
        """k of the speeds that have a letter, and the speeds that have none."""
        done: list[Formula] = []
        rate = self._u.name
        for name, x in self.known.items():
            if name in self.named:
                letter = self.named[name].name
                label = f"{letter} = {name}/{rate}"
                latex = rf"{latex_name(letter)} = \frac{{{latex_name(name)}}}{{{latex_name(rate)}}}"
                done.append(Scalar(SymbolLabel(label, latex), x))
            else:
                done.append(Scalar(SymbolLabel(name, latex_name(name)), expression(x * self._u)))
        return done

    def slope_formulas(self, g: Expr) -> list[Formula]:
        """k' of those that stand in a formula."""
        listed: list[Formula] = []
        q = self._u.name.removesuffix(".")
        for name in self.named:
            prime = self._prime(name)
            if prime in free_symbols([g]):
                letter = self.named[name].name
                label = f"{prime.name} = d{letter}/d{q}"
                rate = _rate(latex_name(letter), latex_name(q))
                latex = rf"{latex_name(prime.name)} = {rate}"
                value = self._slope(self.known[name])
                listed.append(Scalar(SymbolLabel(label, latex), value))
        return listed
