"""Lagrange's equations step by step: of a mechanism, and of a Lagrangian that was given as such."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import gradient, jacobian, time_derivative
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.algebra.forms.normal_form import vanishes
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.latex import name as latex_name
from torseur.dynamics.tree.quantities import kinetic_energy
from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.equations.motion.parametrisation import Parametrisation
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.model.values.named_numbers import name_ranks
from torseur.named_words import teach_words
from torseur.spatial.vectors import cross
from torseur.teach.derivation.derivation_steps import Derivation, Step, told_step
from torseur.teach.derivation.energy_forms import EnergyForm, as_a_sum
from torseur.teach.derivation.generalised_forces import forces_step, generalised_forces
from torseur.teach.derivation.hypotheses import GALILEAN, HOLONOMIC, PERFECT, POTENTIAL
from torseur.teach.derivation.step_formulas import Equation, Scalar, SymbolLabel
from torseur.teach.derivation.step_formulas import names as names_in_prose
from torseur.teach.derivation.telling import Telling
from torseur.words.sentence import say

FORMALISM = "lagrange"


def steps(telling: Telling) -> list[Step]:
    """Energies, virtual twists, forces, derivatives, d/dt ∂T/∂q̇ − ∂T/∂q = Q + Jᵀ λ."""
    terms = of_mechanism(telling.variables)
    T, forces = whole_kinetic_energy(telling), generalised_forces(telling)
    constrained = bool(telling.efforts.held.owners)
    same = telling.holds(POTENTIAL) and not terms.quasi  # a Lagrangian gives the same equations
    return [
        kinetic_energy_step(telling, T),
        telling.virtual_twists(),
        forces_step(telling, forces),
        _derivatives_step(telling, T, terms),
        telling.equations(
            terms.operator(T),
            forces.total,
            "quasi" if terms.quasi else "equations",
            theorem=_theorem(constrained, bool(terms.quasi)),
            needs=(GALILEAN, PERFECT) if constrained else (GALILEAN, PERFECT, HOLONOMIC),
            after=[telling.words[_with_a_lagrangian(telling)]] if same else [],
        ),
    ]


def _with_a_lagrangian(telling: Telling) -> str:
    """Sentence on L: the action of a motion is stationary if the constraints are holonomic."""
    if not telling.efforts.held.owners:
        return "with a Lagrangian"
    kind = "held" if telling.holds(HOLONOMIC) else "nonholonomic"
    return f"with a Lagrangian {kind}"


def _derivatives_step(telling: Telling, T: Expr, terms: LagrangeTerms) -> Step:
    """The derivatives of T, with a word on speeds that are the rates of no coordinates."""
    words = telling.words
    text = [words["derivatives text"]]
    if terms.quasi:
        text.append(words["quasi-velocities"].format(names_in_prose(terms.quasi)))
    return told_step(words, "derivatives", _derivatives("T", T, terms, telling.scalar), text=text)


def _theorem(constrained: bool, quasi: bool) -> str:
    if quasi:
        return "boltzmann-hamel"
    return "lagrange with multipliers" if constrained else "lagrange"


def whole_kinetic_energy(telling: Telling) -> Expr:
    """T, as it is best read."""
    system = telling.system
    energy = expression(telling.read(kinetic_energy(system.tree, system.q, system.v)))
    forms = [telling.energy_form(body) for body in telling.bodies]
    if any(form is None for form in forms):
        return energy
    together = sum((form for form in forms if form is not None), EnergyForm())
    return energy if not vanishes(together.expr - energy) else as_a_sum(energy, together)


def kinetic_energy_step(telling: Telling, T: Expr) -> Step:
    """T by Koenig's theorem."""
    return energy_step(telling, "kinetic energy", "T", T, telling.kinetic_energy)


def energy_step(
    telling: Telling, name: str, letter: str, whole: Expr, energy_of: Callable[[str], Expr]
) -> Step:
    """An energy body by body, what rotors add, and the whole."""
    parts: list[Scalar] = []
    total: Expr = ZERO
    for body in telling.bodies:
        part = energy_of(body)
        total = total + part
        label = telling.of(letter, body)
        parts.append(Scalar(label, part))
    turning = any(link.rotor is not None for _, link in telling.system.tree)
    rest = telling.read(whole - total) if turning else ZERO
    if rest is not ZERO:
        parts.append(telling.scalar(f"{letter}(rotors)", rf"{letter}_{{\mathrm{{rotors}}}}", rest))
    if len(parts) > 1:
        parts.append(Scalar(SymbolLabel(letter, letter), whole))
    return told_step(telling.words, name, parts, theorem="koenig")


def _derivatives(
    letter: str, L: Expr, terms: LagrangeTerms, scalar: Callable[[str, str, Any], Scalar]
) -> list[Scalar]:
    """∂L/∂q̇, d/dt ∂L/∂q̇ and ∂L/∂q of each coordinate, and Ω ∧ ∂L/∂Ω of each rotation."""
    system = terms.system
    columns = gradient(L, system.v), terms.momentum_rates(L), terms.slopes(L), terms.turned(L)
    formulas = []
    for v, momentum, rate, slope, turned in zip(system.speeds, *columns, strict=True):
        quasi = v in terms.quasi
        q = f"π_{v}" if quasi else v.removesuffix(".")
        q_latex = rf"\pi_{{{latex_name(v)}}}" if quasi else latex_name(q)
        p, d = (rf"\frac{{\partial {letter}}}{{\partial {x}}}" for x in (latex_name(v), q_latex))
        formulas += [
            scalar(f"∂{letter}/∂{v}", p, momentum),
            scalar(f"d/dt ∂{letter}/∂{v}", rf"\frac{{d}}{{dt}}{p}", rate),
        ]
        if quasi:
            label = (
                rf"\left(\vec\Omega\wedge\frac{{\partial {letter}}}{{\partial\vec\Omega}}\right)"
            )
            formulas.append(
                scalar(f"(Ω ∧ ∂{letter}/∂Ω)_{v}", rf"{label}_{{{latex_name(v)}}}", turned)
            )
        formulas.append(scalar(f"∂{letter}/∂{q}", d, slope))
    return formulas


# --- a Lagrangian -------------------------------------------------------------------------------


def told_lagrangian(given: Lagrangian, formalism: str, lang: str) -> Derivation:
    """L as it was given, its derivatives, d/dt ∂L/∂q̇ − ∂L/∂q = Q − ∂R/∂q̇ + Jᵀ λ."""
    words, name = teach_words(lang), given.system.mechanism.name
    if formalism != FORMALISM:
        raise ModelError(
            "tell",
            say('"{formalism}" cannot start from a Lagrangian: it has no bodies.', formalism),
            say(
                'Formalisms of a Lagrangian: "{formalism}". The others need a mechanism.',
                FORMALISM,
            ),
        )
    steps_told = (
        told_step(words, "lagrangian", _given(given)),
        told_step(
            words,
            "derivatives",
            _derivatives("L", given.L, of_rates(given.system), _scalar),
            title="derivatives of a lagrangian",
        ),
        told_step(
            words,
            "equations",
            _equations(given),
            text=[words["equations of a lagrangian"]],
            theorem="lagrange with multipliers" if given.constraints.owners else "lagrange",
        ),
    )
    title = words["title"].format(name, words[f"by {formalism}"])
    ranks = name_ranks(given.system.mechanism)
    return Derivation(name, formalism, lang, title, (), steps_told, ranks)


def _scalar(text: str, latex: str, value: Any) -> Scalar:
    return Scalar(SymbolLabel(text, latex), readable(expression(value)))


def _given(given: Lagrangian) -> list[Scalar]:
    """L, R and the forces, those that are not zero."""
    formulas = [_scalar("L", "L", given.L)]
    formulas += [_scalar("R", "R", given.R)] if given.R is not ZERO else []
    forces = zip(given.coordinates, expressions(given.Q), strict=True)
    return formulas + [
        _scalar(f"Q_{q}", f"Q_{{{latex_name(q)}}}", x) for q, x in forces if x is not ZERO
    ]


def _equations(given: Lagrangian) -> list[Equation]:
    system, constraints = given.system, given.constraints
    forces = expressions(given.Q - gradient(given.R, system.v))
    if constraints.owners:
        forces = expressions(forces + constraints.J.T @ constraints.unknowns)
    left = of_rates(system).operator(given.L)
    return [
        Equation(name, readable(a), readable(b))
        for name, a, b in zip(given.coordinates, left, forces, strict=True)
    ]


Array = np.ndarray


@final
@dataclass(frozen=True)
class LagrangeTerms:
    """Derivatives of a function of q and u in Lagrange's equations."""

    system: System
    rates: Array  # q̇
    turning: tuple[slice, ...] = ()  # where the components of rotations stand among the speeds

    @property
    def quasi(self) -> tuple[str, ...]:
        """The speeds that are the rates of no coordinate."""
        return tuple(name for three in self.turning for name in self.system.speeds[three])

    def momentum_rates(self, L: Expr) -> Array:
        """d/dt ∂L/∂u."""
        system = self.system
        along = {**dict(zip(system.q, self.rates, strict=True)), TIME: ONE}
        along |= dict(zip(system.v, system.a, strict=True))
        return expressions(time_derivative(gradient(L, system.v), along))

    def slopes(self, L: Expr) -> Array:
        """Nᵀ ∂L/∂q: ∂L/∂q itself where the speeds are rates."""
        slopes = gradient(L, self.system.q)
        return expressions(jacobian(self.rates, self.system.v).T @ slopes) if self.quasi else slopes

    def turned(self, L: Expr) -> Array:
        """ω × ∂L/∂ω in the rows of rotations, zero in the others."""
        system, momenta = self.system, gradient(L, self.system.v)
        total = np.full(len(system.v), ZERO, dtype=object)
        for three in self.turning:
            total[three] = cross(system.v[three], momenta[three])
        return expressions(total)

    def operator(self, L: Expr) -> Array:
        """The left side: d/dt ∂L/∂u + ω × ∂L/∂ω − Nᵀ ∂L/∂q."""
        return expressions(self.momentum_rates(L) + self.turned(L) - self.slopes(L))


def of_rates(system: System) -> LagrangeTerms:
    """In coordinates whose rates are the speeds."""
    return LagrangeTerms(system, system.v)


def of_mechanism(variables: Parametrisation) -> LagrangeTerms:
    """In the variables of a mechanism, whose balls turn at body rates."""
    turning = (link for link in variables.system.tree.links if link.joint.turning)
    threes = tuple(slice(link.v.stop - 3, link.v.stop) for link in turning)
    return LagrangeTerms(variables.reduced, variables.rates, threes)
