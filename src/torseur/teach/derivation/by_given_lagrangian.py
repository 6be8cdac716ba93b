"""The equations of a Lagrangian that was given as such, step by step."""

from __future__ import annotations

import numpy as np

from torseur.algebra.calculus.derivative import gradient, time_derivative
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.latex import name as latex_name
from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.equations.efforts import unknown_of
from torseur.errors import ModelError
from torseur.named_words import Words, teach_words
from torseur.teach.derivation.formulas import Equation, Formula, Scalar, SymbolLabel
from torseur.teach.derivation.steps import Derivation, Step
from torseur.words.sentence import say

Array = np.ndarray
FORMALISM = "lagrange"


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
    steps = (_start(given, said), _derivatives(given, said), _equations(given, said))
    title = said["title"].format(name, said[f"by {formalism}"])
    return Derivation(name, formalism, lang, title, (), steps)


def _scalar(text: str, latex: str, value: Expr) -> Scalar:
    return Scalar(SymbolLabel(text, latex), readable(value))


def _start(given: Lagrangian, said: Words) -> Step:
    formulas: list[Formula] = [_scalar("L", "L", given.L)]
    if given.R is not ZERO:
        formulas.append(_scalar("R", "R", given.R))
    for name, force in zip(given.coordinates, expressions(given.Q), strict=True):
        if force is not ZERO:
            formulas.append(_scalar(f"Q_{name}", f"Q_{{{latex_name(name)}}}", force))
    return Step("lagrangian", said["lagrangian"], (said["lagrangian text"],), tuple(formulas))


def _derivatives(given: Lagrangian, said: Words) -> Step:
    made = given.system
    slopes, rates = gradient(given.L, made.q), _rates(given)
    found: list[Formula] = []
    for k, name in enumerate(given.coordinates):
        q, v = latex_name(name), latex_name(made.v[k].name)
        p = rf"\frac{{\partial L}}{{\partial {v}}}"
        found += [
            _scalar(f"∂L/∂{made.v[k].name}", p, given.p[k]),
            _scalar(f"d/dt ∂L/∂{made.v[k].name}", rf"\frac{{d}}{{dt}}{p}", rates[k]),
            _scalar(f"∂L/∂{name}", rf"\frac{{\partial L}}{{\partial {q}}}", slopes[k]),
        ]
    title = said["derivatives of a lagrangian"]
    return Step("derivatives", title, (said["derivatives text"],), tuple(found))


def _equations(given: Lagrangian, said: Words) -> Step:
    made, held = given.system, given.held
    forces = expressions(given.Q - gradient(given.R, made.v))
    if held.owners:
        multipliers = [unknown_of(name.replace(" ", "_")) for name in held.owners]
        forces = expressions(forces + held.J.T @ multipliers)
    left = expressions(_rates(given) - gradient(given.L, made.q))
    found = tuple(
        Equation(name, readable(expression(a)), readable(expression(b)))
        for name, a, b in zip(given.coordinates, left, forces, strict=True)
    )
    theorem = said["lagrange with multipliers" if held.owners else "lagrange"]
    return Step(
        "equations", said["equations"], (said["equations of a lagrangian"],), found, theorem
    )


def _rates(given: Lagrangian) -> Array:
    """d/dt ∂L/∂q̇."""
    made = given.system
    along = {**dict(zip(made.q, made.v, strict=True)), TIME: ONE}
    along |= dict(zip(made.v, made.a, strict=True))
    return time_derivative(expressions(given.p), along)
