"""The fundamental principle of dynamics, body by body."""

from __future__ import annotations

from collections.abc import Iterator

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.equations.formalisms.newton_euler import derive
from torseur.teach.derivation.balance_of_actions import balance_steps
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.hypotheses import GALILEAN
from torseur.teach.derivation.isolation import count_sentences, projections
from torseur.teach.derivation.solved_reactions import solved_reactions
from torseur.teach.derivation.step_formulas import Formula, SymbolLabel, word
from torseur.teach.derivation.telling import Telling


def steps(telling: Telling) -> list[Step]:
    """Torseurs of motion, torseurs of actions, six equations a body, equations of motion.

    In the last, each joint is isolated with all it carries and projected on its freedom: no
    reaction is left.
    """
    words, reactions = telling.words, [*_reactions(telling), *solved_reactions(telling)]
    equations = telling.in_chosen(derive(telling.system))
    letters = SymbolLabel("m V(G)", r"m\vec{V}(G)"), SymbolLabel("σ(G)", r"\vec{\sigma}(G)")
    kinetic = telling.torseurs("C", telling.own.kinetic, letters)
    balances = [x for body in telling.bodies for x in telling.body_balance(body)]
    return [
        told_step(words, "kinetics", kinetic),
        telling.dynamics(),
        *balance_steps(telling),
        told_step(
            words,
            "bodies",
            balances,
            text=[words["bodies text"], *count_sentences(telling)],
            theorem="pfd",
            needs=(GALILEAN,),
        ),
        *([told_step(words, "reactions", reactions)] if reactions else []),
        telling.equations(
            equations.M @ telling.described.a + equations.h,
            expressions(equations.Q - equations.g),
            "newton",
            theorem="pfd of a set",
            after=projections(telling),
        ),
    ]


def _reactions(telling: Telling) -> Iterator[Formula]:
    """The unknowns of the joints of an open chain: what the bodies that each carries need."""
    if telling.efforts.held.owners:
        return
    for x in telling.efforts.transmitted:
        needed = telling.own.needed(x)
        if needed is None:
            continue
        unknowns = {y.name for y in free_symbols(expressions(x.wrench))}
        for letter, value in zip("XYZLMN", (*needed.resultant, *needed.moment), strict=True):
            name = f"{letter}_{x.name}"
            if name in unknowns:
                label = rf"{letter}_{{{word(x.name)}}}"
                yield telling.scalar(name, label, expression(value))
