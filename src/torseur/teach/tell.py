"""Derivations told step by step, by formalism and in a language."""

from __future__ import annotations

from collections.abc import Callable

from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.errors import ModelError, unknown
from torseur.model.description import Mechanism
from torseur.teach.derivation import (
    by_gibbs_appell,
    by_hamilton,
    by_kane,
    by_lagrange,
    by_newton_euler,
    by_virtual_power,
)
from torseur.teach.derivation.by_lagrange import told_lagrangian
from torseur.teach.derivation.elimination import elimination
from torseur.teach.derivation.steps import Derivation, Step
from torseur.teach.derivation.telling import Telling
from torseur.words.language import chosen
from torseur.words.sentence import say

FORMALISMS: dict[str, Callable[[Telling], list[Step]]] = {
    "newton-euler": by_newton_euler.steps,
    "lagrange": by_lagrange.steps,
    "virtual-power": by_virtual_power.steps,
    "kane": by_kane.steps,
    "gibbs-appell": by_gibbs_appell.steps,
    "hamilton": by_hamilton.steps,
}


def tell(
    mechanism: Mechanism | Lagrangian, formalism: str = "lagrange", lang: str | None = None
) -> Derivation:
    """The derivation of the equations of a mechanism, as it would be written on a blackboard.

    Formalisms: "newton-euler" (the fundamental principle, body by body), "lagrange",
    "virtual-power", "kane", "gibbs-appell" and "hamilton". Every step holds its sentences, its
    formulas as expressions, the theorem it uses and the hypotheses that this needs; traps are named
    where the mechanism has what leads into them. A Lagrangian is told by "lagrange" alone: it has
    no bodies.
    """
    lang = chosen(lang)
    if formalism not in FORMALISMS:
        raise unknown("tell", "formalism", formalism, FORMALISMS)
    if isinstance(mechanism, Lagrangian):
        return told_lagrangian(mechanism, formalism, lang)
    if not isinstance(mechanism, Mechanism):
        raise ModelError(
            "tell",
            say("{kind} is neither a mechanism nor a Lagrangian.", type(mechanism).__name__),
            "Read it first: ts.tell(ts.load(…)).",
        )
    told = Telling(mechanism, lang)
    own = FORMALISMS[formalism](told)
    steps = [told.parametrisation(), told.kinematics(), *own, *elimination(told)]
    title = told.words["title"].format(mechanism.name, told.words[f"by {formalism}"])
    return Derivation(mechanism.name, formalism, lang, title, told.hypotheses, tuple(steps))
