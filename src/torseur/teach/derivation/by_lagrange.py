"""Lagrange's equations step by step: of a mechanism, and of a Lagrangian that was given as such."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torseur.algebra.calculus.derivative import gradient
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.latex import name as latex_name
from torseur.dynamics.tree.quantities import kinetic_energy
from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.errors import ModelError
from torseur.model.values.named_numbers import name_ranks
from torseur.named_words import teach_words
from torseur.teach.derivation.formulas import Equation, Scalar, SymbolLabel
from torseur.teach.derivation.generalised_forces import forces_step, generalised_forces
from torseur.teach.derivation.hypotheses import GALILEAN, HOLONOMIC, PERFECT, POTENTIAL
from torseur.teach.derivation.lagrange_terms import LagrangeTerms, of_mechanism, of_rates
from torseur.teach.derivation.prose import names as names_in_prose
from torseur.teach.derivation.steps import Derivation, Step, told_step
from torseur.teach.derivation.telling import Telling
from torseur.words.sentence import say

FORMALISM = "lagrange"


def steps(told: Telling) -> list[Step]:
    """Energies, virtual twists, forces, derivatives, d/dt ∂T/∂q̇ − ∂T/∂q = Q + Jᵀ λ."""
    terms = of_mechanism(told.variables)
    T, forces = whole_kinetic_energy(told), generalised_forces(told)
    held = bool(told.efforts.held.owners)
    same = told.holds(POTENTIAL) and not terms.quasi  # a Lagrangian gives the same equations
    return [
        kinetic_energy_step(told, T),
        told.virtual_twists(),
        forces_step(told, forces),
        _derivatives_step(told, T, terms),
        told.equations(
            terms.operator(T),
            forces.total,
            "quasi" if terms.quasi else "equations",
            theorem=_theorem(held, bool(terms.quasi)),
            needs=(GALILEAN, PERFECT) if held else (GALILEAN, PERFECT, HOLONOMIC),
            after=[told.words[_with_a_lagrangian(told)]] if same else [],
        ),
    ]


def _with_a_lagrangian(told: Telling) -> str:
    """What L gives: the action of a motion is stationary where the constraints are holonomic."""
    if not told.efforts.held.owners:
        return "with a Lagrangian"
    kind = "held" if told.holds(HOLONOMIC) else "nonholonomic"
    return f"with a Lagrangian {kind}"


def _derivatives_step(told: Telling, T: Expr, terms: LagrangeTerms) -> Step:
    """The derivatives of T, with a word on speeds that are the rates of no coordinates."""
    said = told.words
    text = [said["derivatives text"]]
    if terms.quasi:
        text.append(said["quasi-velocities"].format(names_in_prose(terms.quasi)))
    return told_step(said, "derivatives", _derivatives("T", T, terms, told.scalar), text=text)


def _theorem(held: bool, quasi: bool) -> str:
    if quasi:
        return "boltzmann-hamel"
    return "lagrange with multipliers" if held else "lagrange"


def whole_kinetic_energy(told: Telling) -> Expr:
    """T, as it is best read."""
    system = told.system
    return expression(told.read(kinetic_energy(system.tree, system.q, system.v)))


def kinetic_energy_step(told: Telling, T: Expr) -> Step:
    """T by Koenig's theorem."""
    return energy_step(told, "kinetic energy", "T", T, told.kinetic_energy)


def energy_step(
    told: Telling, name: str, letter: str, whole: Expr, own: Callable[[str], Expr]
) -> Step:
    """An energy body by body, what rotors add, and the whole."""
    parts: list[Scalar] = []
    total: Expr = ZERO
    for body in told.bodies:
        part = own(body)
        total = total + part
        label = told.of(letter, body)
        parts.append(told.scalar(label.text, label.latex, part))
    rest = told.read(whole - total)
    if rest is not ZERO:
        parts.append(told.scalar(f"{letter}(rotors)", rf"{letter}_{{\mathrm{{rotors}}}}", rest))
    if len(parts) > 1:
        parts.append(told.scalar(letter, letter, whole))
    return told_step(told.words, name, parts, theorem="koenig")


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
    said, name = teach_words(lang), given.system.mechanism.name
    if formalism != FORMALISM:
        raise ModelError(
            "tell",
            say('"{formalism}" cannot start from a Lagrangian: it has no bodies.', formalism),
            say(
                'Formalisms of a Lagrangian: "{formalism}". Tell a mechanism by the others.',
                FORMALISM,
            ),
        )
    steps_told = (
        told_step(said, "lagrangian", _given(given)),
        told_step(
            said,
            "derivatives",
            _derivatives("L", given.L, of_rates(given.system), _scalar),
            title="derivatives of a lagrangian",
        ),
        told_step(
            said,
            "equations",
            _equations(given),
            text=[said["equations of a lagrangian"]],
            theorem="lagrange with multipliers" if given.constraints.owners else "lagrange",
        ),
    )
    title = said["title"].format(name, said[f"by {formalism}"])
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
    system, held = given.system, given.constraints
    forces = expressions(given.Q - gradient(given.R, system.v))
    if held.owners:
        forces = expressions(forces + held.J.T @ held.unknowns)
    left = of_rates(system).operator(given.L)
    return [
        Equation(name, readable(a), readable(b))
        for name, a, b in zip(given.coordinates, left, forces, strict=True)
    ]
