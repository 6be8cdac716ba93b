"""Derivations told step by step, by formalism and in a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.errors import ModelError, unknown
from torseur.model.description import Mechanism
from torseur.teach.derivation import (
    by_gibbs_appell,
    by_hamilton,
    by_kane,
    by_lagrange,
    by_mampey,
    by_newton_euler,
    by_virtual_power,
    of_a_set,
)
from torseur.teach.derivation.by_lagrange import told_lagrangian
from torseur.teach.derivation.checked_result import result_step
from torseur.teach.derivation.collected_terms import with_collected_terms
from torseur.teach.derivation.derivation_steps import Derivation, Step
from torseur.teach.derivation.named_inertia import with_definitions
from torseur.teach.derivation.parametrisation_step import parametrisation
from torseur.teach.derivation.reaction_elimination import elimination
from torseur.teach.derivation.sliding_elimination import sliding_elimination
from torseur.teach.derivation.step_formulas import Positive
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
    "mampey": by_mampey.steps,
}
_WITH_FRICTION = ("lagrange", "virtual-power", "kane", "gibbs-appell")


def tell(
    mechanism: Mechanism | Lagrangian,
    formalism: str = "lagrange",
    lang: str | None = None,
    bodies: Sequence[str] = (),
    modes: Mapping[str, str] | None = None,
) -> Derivation:
    """The derivation of the equations of a mechanism, as it would be written on a blackboard.

    Formalisms: "newton-euler" (the fundamental principle, body by body), "lagrange",
    "virtual-power", "kane", "gibbs-appell", "hamilton" and "mampey" (the mass matrix by backward
    recursion, motors and gears included, of revolute and prismatic joints). Every step holds its
    sentences, its formulas as expressions, the theorem it uses and the hypotheses that this needs;
    traps are named where the mechanism has what leads into them. A Lagrangian takes "lagrange"
    alone: it has no bodies. `bodies` are isolated together, by the fundamental principle and the
    theorem of energy, whatever the formalism. `modes` are those of contacts: {"I": "slip"}.
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
            "Load it first: ts.tell(ts.load(…)).",
        )
    names = _isolated(mechanism, bodies)
    formalism = "newton-euler" if names else formalism
    without_still = formalism == "newton-euler" and not names
    telling = Telling(mechanism, lang, without_still=without_still, modes=modes)
    if telling.slides is not None and (formalism not in _WITH_FRICTION or names):
        problem = say("friction of what slides is not told by {formalism}.", formalism)
        advice = say("Formalisms: {names}.", ", ".join(_WITH_FRICTION))
        raise ModelError("tell", problem, advice)
    main_steps = of_a_set.steps(telling, names) if names else FORMALISMS[formalism](telling)
    steps = [parametrisation(telling), telling.kinematics(), *main_steps]
    steps += [] if names else [*telling.rates(), *elimination(telling)]
    steps += [] if names else sliding_elimination(telling, steps)
    steps += [] if names else result_step(telling, steps)
    steps = with_collected_terms(steps)
    subject = ", ".join(names) or mechanism.name
    title = telling.words["title"].format(subject, telling.words[f"by {formalism}"])
    done = _conditioned(telling, list(with_definitions(steps, telling.letters, telling.words)))
    return Derivation(
        mechanism.name, formalism, lang, title, telling.hypotheses, done, telling.ranks
    )


def _isolated(mechanism: Mechanism, bodies: Sequence[str]) -> tuple[str, ...]:
    """The bodies that are isolated together, each once."""
    names = (bodies,) if isinstance(bodies, str) and bodies else tuple(dict.fromkeys(bodies))
    for name in names:
        if name not in mechanism.bodies:
            raise unknown("tell", "body", name, mechanism.bodies)
    return names


def _conditioned(telling: Telling, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps, the first with what was taken to be positive in them."""
    first, *others = steps
    conditions = tuple(Positive(x) for x in telling.signs.positive)
    if conditions:
        text = (*first.text, telling.words["at the start"])
        first = replace(first, text=text, formulas=(*first.formulas, *conditions))
    return first, *others
