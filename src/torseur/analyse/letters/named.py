"""Closed forms by the names that books give them: omega^2, Omega_c, alpha_eq, t_star, …

- omega^2, omega1^2: small motions about the equilibrium nearest to the start, or about a stable one
  if that is unstable; zeta: about the nearest;
- T^2: the period of a steady motion in which an angle turns, at given lengths;
- Omega_c, F_c1, F_c2: critical values of a parameter;
- alpha_eq, cos(alpha_eq), lam_eq: a coordinate at equilibrium;
- t_star, x_star, x_star.: the end of sliding, with the way and the speed then;
- Gamma when psi.. = 0, psi. = 0: the value of a parameter for a condition, at a state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import final

from torseur.algebra.core import rules
from torseur.algebra.core.expr import ONE, Expr, expression
from torseur.algebra.core.graph import free_symbols, substitute
from torseur.algebra.forms.readable import readable
from torseur.analyse.letters.answers import BranchInLetters, EquilibriaInLetters
from torseur.analyse.letters.closed_forms import in_letters
from torseur.analyse.letters.critical import critical
from torseur.analyse.letters.linear import linear_in_letters
from torseur.analyse.letters.slip import end_of_slip
from torseur.analyse.letters.states import threshold
from torseur.analyse.letters.steady_lines import steady_lines
from torseur.errors import SolveError, unknown
from torseur.model.description import Mechanism
from torseur.model.values.scales import coordinate_units
from torseur.words.sentence import say

_PULSATION = re.compile(r"omega\d?\^2|zeta")
_PERIOD = re.compile(r"T\^2")
_CRITICAL = re.compile(r"(?P<parameter>[A-Za-z]\w*?)_c(?P<number>\d?)")
_REST = re.compile(r"(?:(?P<wave>cos|sin|tan)\()?(?P<coordinate>[A-Za-z]\w*?)_eq\)?")
_END = re.compile(r"(?P<what>[A-Za-z]\w*?)_star(?P<rate>\.?)")
_WHEN = re.compile(r"(?P<parameter>[A-Za-z]\w*) when (?P<conditions>.+=.+)")


@final
@dataclass(frozen=True)
class NamedFormula:
    """A closed form under its name: equal forms of it, the shortest first, and its unit."""

    name: str
    forms: tuple[Expr, ...]
    unit: str | None = None

    @property
    def formula(self) -> Expr:
        """The shortest form."""
        return self.forms[0]


def closed_form(mechanism: Mechanism, name: str) -> NamedFormula:
    """Closed form by its name; an unknown name is an error that lists the names."""
    known = closed_form_if_any(mechanism, name)
    if known is None:
        raise unknown("closed form", "closed form", name, sorted(_examples(mechanism)))
    return known


def closed_form_if_any(mechanism: Mechanism, name: str) -> NamedFormula | None:
    """The closed form of a name; None if no closed form is called so."""
    for pattern, question in _QUESTIONS.items():
        match = pattern.fullmatch(name.strip())
        if match is not None:
            answer = question(mechanism, match)
            if answer is not None:
                return answer
    return None


def _examples(mechanism: Mechanism) -> Iterator[str]:
    yield from ("omega^2", "omega1^2", "zeta", "T^2", "t_star")
    yield from (f"{x}_c" for x in mechanism.parameter_table)
    yield from (f"{x}_eq" for x in mechanism.coordinates)


def _pulsation(mechanism: Mechanism, match: re.Match[str]) -> NamedFormula | None:
    name = match[0]
    if name == "zeta":
        return NamedFormula(name, (linear_in_letters(mechanism).formula(name),), "1")
    equilibria = in_letters(mechanism)
    (start, *_) = [x for x in equilibria if x.at_start] or [None]
    if start is None:
        raise SolveError(name, say("no equilibrium in letters is near the start."))
    if start.verdict == "unstable":  # a pulsation belongs to an equilibrium that is kept
        start = next((x for x in equilibria if x.verdict == "stable"), start)
    return NamedFormula(name, _both(start, equilibria, start.formula(name)), "Hz^2")


def _period(mechanism: Mechanism, match: re.Match[str]) -> NamedFormula | None:
    units = coordinate_units(mechanism)
    used = free_symbols(steady_lines(mechanism).forces)
    free = [x for x in mechanism.coordinates if x not in {y.name for y in used}]
    turning = [x for x in free if units.get(x) == "rad"]
    if not turning:
        return None
    lengths = [x for x in mechanism.coordinates if units.get(x) == "m"]
    motions = in_letters(mechanism, turning=turning, given=lengths)
    (nearest, *_) = [x for x in motions if x.at_start] or [motions]
    return NamedFormula(match[0], (nearest.formula(match[0]),), "s^2")


def _critical(mechanism: Mechanism, match: re.Match[str]) -> NamedFormula | None:
    parameter = match["parameter"]
    table = mechanism.parameter_table
    if parameter not in table:
        return None
    values = critical(mechanism, parameter)
    if not len(values):
        raise SolveError(match[0], say('no critical value of "{name}" was found.', parameter))
    number = int(match["number"] or 1)
    if number > len(values):
        problem = say('"{name}" has {count} critical values.', parameter, len(values))
        raise SolveError(match[0], problem)
    unit = table[parameter].unit
    return NamedFormula(match[0], (values[number - 1].formula,), unit and str(unit))


def _rest(mechanism: Mechanism, match: re.Match[str]) -> NamedFormula | None:
    name, wave = match["coordinate"], match["wave"]
    units = coordinate_units(mechanism)
    if name not in mechanism.coordinates:
        return None
    equilibria = in_letters(mechanism)
    chosen = [x for x in equilibria if x.at_start and x.formula_named(name) is not None]
    form = chosen[0].formula(name) if chosen else equilibria.formula(name)
    waves = {x: f"{x}({name})" for x in ("cos", "sin", "tan")}
    branch = next(x for x in equilibria if x.formula_named(name) is form)
    known = next((x for x, y in waves.items() if y in branch.formulas), "")
    if wave and known != wave:
        form = getattr(form, wave)() if not known else _wave(_angle(form, known), wave)
    elif known and not wave:
        form = _angle(form, known)
    return NamedFormula(match[0], (form,), "1" if wave else units.get(name))


def _angle(form: Expr, wave: str) -> Expr:
    """The angle of a cosine, a sine or a tangent."""
    if wave == "tan":
        return rules.function("asin", expression(form / (ONE + form**2).sqrt()))
    return rules.function(f"a{wave}", form)


def _wave(angle: Expr, wave: str) -> Expr:
    return expression(getattr(angle, wave)())


def _end(mechanism: Mechanism, match: re.Match[str]) -> NamedFormula | None:
    sliding = [x for x in mechanism.contacts]
    if match["what"] not in ("t", *mechanism.coordinates) or not sliding:
        return None
    if len(sliding) > 1:
        problem = say("{number} contacts may slide.", len(sliding))
        raise SolveError(match[0], problem, "Use ts.stability.end_of_slip(mechanism, contact).")
    formulas = end_of_slip(mechanism, sliding[0])
    what = match["what"]
    unit = "s" if what == "t" else coordinate_units(mechanism).get(what, "")
    unit = f"{unit}/s" if match["rate"] else unit
    return NamedFormula(match[0], (formulas.formula(match[0]),), unit)


def _when(mechanism: Mechanism, match: re.Match[str]) -> NamedFormula | None:
    parameter, places, conditions = match["parameter"], {}, []
    if parameter not in mechanism.parameter_table:
        return None
    for part in match["conditions"].split(","):
        left, _, right = (x.strip() for x in part.partition("="))
        if left in (*mechanism.coordinates, *mechanism.speeds):
            places[left] = right
        else:
            conditions.append(part)
    still = {k: "0" for k, x in mechanism.initial.items() if expression(x) == 0}
    state = {**still, **places}
    formulas = threshold(mechanism, ",".join(conditions), parameter=parameter, at=state)
    unit = mechanism.parameter_table[parameter].unit
    return NamedFormula(match[0], (formulas.formula(),), unit and str(unit))


_QUESTIONS: dict[re.Pattern[str], Callable[[Mechanism, re.Match[str]], NamedFormula | None]] = {
    _PULSATION: _pulsation,
    _PERIOD: _period,
    _CRITICAL: _critical,
    _REST: _rest,
    _END: _end,
    _WHEN: _when,
}


def _both(branch: BranchInLetters, equilibria: EquilibriaInLetters, form: Expr) -> tuple[Expr, ...]:
    """A formula as it is written, and in parameters alone."""
    put: dict[Expr, Expr] = {}
    for x in branch.relations:
        if x.left.op == "symbol":
            put[x.left] = x.right
        elif x.left.op == "cos":
            put |= {x.left: x.right, x.left.args[0].sin() ** 2: ONE - x.right**2}
    other = expression(substitute(form, put))
    free = [x for x in free_symbols([other]) if x.kind != "parameter"]
    return (form,) if free or other is form else (form, expression(readable(other)))
