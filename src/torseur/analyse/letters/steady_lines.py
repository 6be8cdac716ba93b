"""The equations of rest and of steady motion in letters, and those of small motions about it.

Coordinates that loops and laws of time give in others are put in: q = Q(s, t), as virtual work
demands with F_s = (∂Q/∂s)ᵀ F. What is left of the loops, z(s) = 0, or of rolling, z(s, ṡ) = 0, has
multipliers μ. In a steady motion s̈ = 0, and only coordinates that nothing depends on have a speed.
Beside it, δs = x e^{p t} and δμ obey

    (∂F/∂s + p ∂F/∂ṡ + p² ∂F/∂s̈) x + Zᵀ δμ = 0,    (∂z/∂s + p ∂z/∂ṡ) x = 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import pi
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import derivative, jacobian, solved_for, time_derivative
from torseur.algebra.core.expr import ONE, PI, TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, reachable, substitute
from torseur.algebra.forms.normal_form import Monomial, common_denominator, normal_form
from torseur.algebra.forms.normal_form import vanishes as identically_zero
from torseur.algebra.forms.readable import readable
from torseur.analyse.letters.grips import mode_conditions, pressing
from torseur.analyse.letters.written import tidied
from torseur.equations.expressions.sampling import first_independent, sample
from torseur.equations.formalisms.derive import derive_in_modes
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.formulas import EquationLine, Formulas
from torseur.equations.motion.signs_at_start import SignsAtStart
from torseur.equations.symbols.system import System, require_rates
from torseur.errors import ModelError, require_known
from torseur.model.contact.smooth import require_smooth
from torseur.model.description import Mechanism
from torseur.model.parameters import values
from torseur.model.values.named_numbers import named_numbers
from torseur.words.sentence import say

Array = np.ndarray
_NEAR = 1e-6  # of a turn [rad]


class NoLettersError(Exception):
    """A question without an answer in letters; its text is the reason."""


@final
@dataclass(frozen=True, eq=False)
class SteadyLines:
    """The lines of a mechanism in the coordinates s that its loops leave."""

    mechanism: Mechanism  # with letters for gravity, masses and moments given as numbers
    equations: Equations
    formulas: Formulas
    s: Array
    speeds: Array  # ṡ
    accelerations: Array  # s̈
    known: Mapping[Expr, Expr]  # the other coordinates, in s and t
    forces: Array  # F_s + Zᵀ μ
    loops: Array  # z, as many as μ
    multipliers: Array  # μ
    zeros: Mapping[Expr, Expr]  # parameters whose value is zero
    turning: frozenset[str]  # coordinates with a constant speed
    modes: Mapping[str, str] | None = None  # of contacts, stops and frictions
    positive: tuple[Expr, ...] = ()  # what modes ask of forces

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of q, in order."""
        return self.equations.coordinates

    @cached_property
    def free(self) -> tuple[Expr, ...]:
        """The coordinates that do not turn."""
        return tuple(x for x in self.s if x.name not in self.turning)

    @cached_property
    def turning_speeds(self) -> tuple[Expr, ...]:
        """The speeds of the coordinates that turn."""
        pairs = zip(self.s, self.speeds, strict=True)
        return tuple(v for x, v in pairs if x.name in self.turning)

    @cached_property
    def closed(self) -> int:
        """The number of loops that coordinates close; rolling has speeds."""
        return sum(all(x.kind != "speed" for x in free_symbols([z])) for z in self.loops)

    @cached_property
    def _steady(self) -> dict[Expr, Expr]:
        still = {v: ZERO for v in self.speeds if v not in self.turning_speeds}
        return {**dict.fromkeys(self.accelerations, ZERO), **still, **self.zeros}

    def at_steady(self, outputs: Array | Sequence[Expr]) -> Array:
        """Expressions in the steady motion."""
        return expressions(substitute(expressions(outputs), self._steady))

    @cached_property
    def statics(self) -> Array:
        """Forces and loops in the steady motion: what must vanish."""
        return self.at_steady([*self.forces, *self.loops])

    @cached_property
    def small(self) -> tuple[Array, Array, Array]:
        """The matrices of p⁰, p¹ and p² for (x, δμ), in the steady motion."""
        n, m = len(self.s), len(self.loops)
        parts = []
        for variables in (self.s, self.speeds, self.accelerations):
            K = expressions(np.zeros((n + m, n + m)))
            K[:n, :n] = jacobian(self.forces, variables)
            if m:
                K[n:, :n] = jacobian(self.loops, variables)
            if m and variables is self.s:
                K[:n, n:] = jacobian(self.forces, self.multipliers)
            parts.append(self.at_steady(K))
        return parts[0], parts[1], parts[2]

    def refuse_time(self) -> None:
        """Refuse where time, or a coordinate that turns, still matters."""
        names = {x.name for x in free_symbols(self.statics)}
        if TIME.name in names:
            raise NoLettersError(say("forces or loops depend on time."))
        turned = sorted(names & self.turning)
        if turned:
            raise ModelError(
                "turning",
                say('the forces depend on "{name}": it cannot turn steadily.', turned[0]),
                "Name coordinates on which nothing depends.",
            )


def steady_lines(
    mechanism: Mechanism,
    turning: Collection[str] = (),
    modes: Mapping[str, str] | None = None,
) -> SteadyLines:
    """The lines of a mechanism at rest or in the steady motion in which `turning` turn."""
    require_modes(mechanism, modes)
    named = named_numbers(mechanism)
    equations = derive_in_modes(named, "newton-euler", modes)
    system = equations.system
    require_rates(system, say("answers in letters"))
    require_known("turning", "coordinate", turning, system.coordinates)
    formulas = equations.formulas()
    start = SignsAtStart(system)
    pushing = pressing(equations, modes, formulas.loops)
    reactions = [x for x in expressions(equations.constraints.unknowns) if x not in pushing]
    forces = substitute(
        [_difference(x, whole=True) for x in formulas.lines], dict.fromkeys(reactions, ZERO)
    )
    apart = list(pushing.values())
    loops = [_difference(x) for x in formulas.loops if x not in apart]
    known = eliminated(system, loops, turning, start)
    contacts = {x: _difference(line) for x, line in pushing.items()}
    lines = _reduced(
        named, equations, formulas, forces, loops, contacts, known, frozenset(turning), modes
    )
    return replace(lines, positive=mode_conditions(named, modes, pushing))


def require_modes(mechanism: Mechanism, modes: Mapping[str, str] | None) -> None:
    """Refuse contacts, stops and frictions of which no mode is given."""
    if modes is None:
        require_smooth(mechanism, say("answers in letters"), _choose)


def _choose(name: str) -> str:
    return say('Choose its mode: modes={{"{name}": "slip"}}, or "stick", or "open".', name)


def coordinates_by_others(equations: Equations) -> dict[Expr, Expr]:
    """Coordinates that laws, relations and simple loops give in the others and in time."""
    system = equations.system
    loops = [_difference(x) for x in equations.formulas().loops]
    return eliminated(system, loops, (), SignsAtStart(system))


def _difference(line: EquationLine, *, whole: bool = False) -> Expr:
    """right − left of a line; `whole`, with what it was divided by."""
    if line.equation is None:
        raise NoLettersError(say('the line of "{name}" is longer than a page.', line.name))
    read = line.equation
    return expression((read.right - read.left) * (read.factor if whole else 1))


def _reduced(
    named: Mechanism,
    equations: Equations,
    formulas: Formulas,
    forces: Array,
    loops: Sequence[Expr],
    contacts: Mapping[Expr, Expr],
    known: dict[Expr, Expr],
    turning: frozenset[str],
    modes: Mapping[str, str] | None,
) -> SteadyLines:
    """With the known coordinates put in: virtual work in the others.

    `contacts` have the row of each force of a contact, which stays an unknown.
    """
    system = equations.system
    s = np.array([x for x in system.q if x not in known], dtype=object)
    rates = {x: v for x, v in zip(system.q, system.v, strict=True) if x not in known}
    speeds = np.array([rates[x] for x in s], dtype=object)
    accelerations = np.array([symbol(f"{v.name}.", "acceleration") for v in speeds], dtype=object)
    # q, v and a of all coordinates by those that are left
    q = expressions([known.get(x, x) for x in system.q])
    v = expressions(time_derivative(q, rates, TIME))
    a = expressions(time_derivative(v, rates | dict(zip(speeds, accelerations, strict=True)), TIME))
    put = {**dict(zip(system.a, a, strict=True)), **dict(zip(system.v, v, strict=True)), **known}
    reduced = expressions(jacobian(q, s)).T @ expressions(_put(forces, system, put))
    left = [x for x in expressions(_put(loops, system, put)) if not identically_zero(x)]
    slopes = _slopes(left, s, speeds)
    rows = first_independent(_sampled(slopes, named)) if left else []
    multipliers = np.array([symbol(f"mu_{k + 1}", "reaction") for k in range(len(rows))])
    if rows:
        reduced = reduced + expressions(slopes[rows]).T @ multipliers
    multipliers = np.array([*multipliers, *contacts], dtype=object)
    gaps = _put(list(contacts.values()), system, put)
    given = values(named.parameter_table)
    present = free_symbols([*reduced, *left])
    sizes = {x: x.args[0] for x in reachable([*reduced, *left, *gaps]) if _is_letter_size(x)}
    closing = expressions(substitute(expressions([*(left[k] for k in rows), *gaps]), sizes))
    lines = SteadyLines(
        named,
        equations,
        formulas,
        s,
        speeds,
        accelerations,
        known,
        expressions(substitute(expressions(reduced), sizes)),
        closing,
        expressions(multipliers),
        {x: ZERO for x in present if x.kind == "parameter" and given.get(x.name) == 0.0},
        turning,
        modes,
    )
    return replace(lines, forces=_with_directions(lines)) if equations.friction else lines


def _is_letter_size(x: Expr) -> bool:
    """Whether it is |a| of a parameter, which is positive."""
    return x.op == "abs" and x.args[0].op == "symbol" and x.args[0].kind == "parameter"


def _with_directions(lines: SteadyLines) -> Array:
    """Forces with 1 or −1 for the sign of each speed of sliding, as described."""
    named = lines.mechanism
    known: dict[str, float] = dict.fromkeys((*lines.equations.coordinates, TIME.name), 0.0)
    known |= {k: 1.0 if x is None else x for k, x in values(named.parameter_table).items()}
    known |= {v.name: 0.0 for v in lines.speeds}
    known |= {k: float(evaluate(expression(x), known)) for k, x in named.initial.items()}
    signs: dict[Expr, Expr] = {}
    for x in reachable(list(lines.forces)):
        if x.op == "sign":
            (steady,) = lines.at_steady([x.args[0]])
            value = float(evaluate(steady, known)) if steady is not ZERO else 0.0
            if not value:
                raise NoLettersError(
                    say("at rest the direction of sliding, {sign}, is unknown.", str(x))
                )
            signs[x] = ONE if value > 0 else -ONE
    return expressions(substitute(lines.forces, signs))


def _put(outputs: Array | Sequence[Expr], system: System, put: Mapping[Expr, Expr]) -> Array:
    """First accelerations, then speeds, then coordinates: each may speak of the next."""
    for symbols in (system.a, system.v, system.q):
        replaced = {x: put[x] for x in symbols if x in put and put[x] is not x}
        outputs = substitute(expressions(outputs), replaced)
    return expressions(outputs)


def _slopes(loops: Sequence[Expr], s: Array, speeds: Array) -> Array:
    """The directions in which loops push; those of rolling by its speeds."""
    rows = expressions(np.zeros((len(loops), len(s))))
    for k, zero in enumerate(loops):
        rolls = any(x.kind == "speed" for x in free_symbols([zero]))
        rows[k] = jacobian([zero], speeds if rolls else s)[0]
    return rows


def _sampled(J: Array, mechanism: Mechanism) -> Array:
    return np.asarray(evaluate(J, sample(J, mechanism)), dtype=float)


# --- coordinates that loops give ------------------------------------------------------------------


def eliminated(
    system: System, loops: Sequence[Expr], turning: Collection[str], start: SignsAtStart
) -> dict[Expr, Expr]:
    """Coordinates that laws, relations and simple loops give in the others.

    A loop gives a coordinate that it is linear in with a constant factor. cos A = cos B gives
    A = ± B, and sin A = ± sin B likewise, with the sign and the half turn of the start.
    """
    known: dict[Expr, Expr] = {}
    pending = [x for x in loops if not any(y.kind == "speed" for y in free_symbols([x]))]
    while True:
        for zero in pending:
            put = _numerator(tidied(expression(substitute(zero, known))))
            step = next(_given_by(put, system, turning, start), None)
            if step is not None:
                solved = solved_for(step[0], step[1], known)
                known = {x: tidied(expression(y)) for x, y in solved.items()}
                pending.remove(zero)
                break
        else:
            return known


def _numerator(zero: Expr) -> Expr:
    """A condition without denominators: one that others imply is zero then."""
    below = common_denominator(zero)
    return zero if below is ONE else expression(readable(expression(zero * below)))


def _given_by(
    zero: Expr, system: System, turning: Collection[str], start: SignsAtStart
) -> Iterator[tuple[Expr, Expr]]:
    """A coordinate and the condition that it is linear in."""
    if identically_zero(zero):  # a loop that others imply
        return
    for condition in (zero, *_angles(zero, start)):
        present = free_symbols([condition])
        # what stays is named first, or turns
        choice = sorted(reversed(system.q), key=lambda x: x.name in turning)
        for x in (x for x in choice if x in present):
            factor = expression(derivative(condition, x))
            if factor is not ZERO and all(y.kind == "parameter" for y in free_symbols([factor])):
                yield x, condition


def _angles(zero: Expr, start: SignsAtStart) -> Iterator[Expr]:
    """A ± B − k π = 0 for cos A = ± cos B or sin A = ± sin B, as it is at the start."""
    form = normal_form(zero)
    if form is None or len(form.terms) != 2:
        return
    sizes = list(form.terms.values())
    one, other = (_wave(monomial) for monomial in form.terms)
    if one is None or other is None or abs(sizes[0]) != abs(sizes[1]):
        return
    (first, rest), (second, remaining) = one, other
    if first.op != second.op or rest != remaining:
        return
    equal = (sizes[0] > 0) != (sizes[1] > 0)  # otherwise one is minus the other
    for sign in (-1, 1):
        condition = expression(first.args[0] + sign * second.args[0])
        value = start.value(condition)
        if value is None:
            continue
        turns = round(value / pi)
        # cos A = cos B: A = ± B; sin A = sin B: A = B or A = π − B; half a turn more for minus
        even = equal if first.op == "cos" or sign < 0 else not equal
        if (turns % 2 == 0) == even and abs(value - turns * pi) < _NEAR:
            yield expression(condition - turns * PI)


def _wave(monomial: Monomial) -> tuple[Expr, Monomial] | None:
    """The only sine or cosine of a monomial, to the power one, and the other factors."""
    waves = [(x, e) for x, e in monomial if x.op in ("sin", "cos")]
    if len(waves) != 1 or waves[0][1] != 1:
        return None
    return waves[0][0], tuple(x for x in monomial if x != waves[0])
