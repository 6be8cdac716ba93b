"""The fundamental principle of dynamics, body by body."""

from __future__ import annotations

from collections.abc import Iterator

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.equations.actions.efforts import Transmitted
from torseur.equations.formalisms.newton_euler import derive
from torseur.model.description import GROUND
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.hypotheses import GALILEAN
from torseur.teach.derivation.step_formulas import (
    Formula,
    SymbolLabel,
    TorseurFormula,
    Vector,
    components,
    word,
)
from torseur.teach.derivation.telling import Telling

_LETTERS = SymbolLabel("R", r"\vec{R}"), SymbolLabel("M", r"\vec{M}")


def steps(telling: Telling) -> list[Step]:
    """Torseurs of motion, torseurs of actions, six equations a body, equations of motion.

    In the last, each joint is isolated with all it carries and projected on its freedom: no
    reaction is left.
    """
    words, reactions = telling.words, list(_reactions(telling))
    equations = telling.in_chosen(derive(telling.system))
    letters = SymbolLabel("m V(G)", r"m\vec{V}(G)"), SymbolLabel("σ(G)", r"\vec{\sigma}(G)")
    kinetic = telling.torseurs("C", telling.own.kinetic, letters)
    balances = [
        equation
        for body, i in telling.bodies.items()
        for equation in telling.balance(telling.own.dynamic(i), telling.own.acting(i), f"{body}, ")
    ]
    return [
        told_step(words, "kinetics", kinetic),
        telling.dynamics(),
        told_step(words, "actions", _actions(telling)),
        told_step(words, "bodies", balances, theorem="pfd", needs=(GALILEAN,)),
        *([told_step(words, "reactions", reactions)] if reactions else []),
        telling.equations(
            equations.M @ telling.described.a + equations.h,
            expressions(equations.Q - equations.g),
            "newton",
            theorem="pfd of a set",
        ),
    ]


def _actions(telling: Telling) -> Iterator[Formula]:
    """Weight and loads of each body, then what each joint gives to its second body."""
    for body, i in telling.bodies.items():
        for source, acting in telling.own.by_source(i).items():
            label = telling.words.get(f"source {source}", source)
            latex = rf"\mathcal{{F}}_{{{word(label)}\to {word(body)}}}"
            action = telling.torseur(
                SymbolLabel(f"F({label}->{body})", latex), acting, _LETTERS, body
            )
            if not action.is_nothing:
                yield action
    yield from (_through(telling, x) for x in telling.efforts.transmitted)


def _through(telling: Telling, x: Transmitted) -> TorseurFormula:
    """The unknowns of a joint and what drives it, at its frame, along the axes of a body."""
    names = {i: name for name, i in telling.bodies.items()}
    first, second = names.get(x.first), names.get(x.second)
    body = second or first or GROUND
    ends = "->".join(name or "0" for name in (first, second))
    latex = r"\to ".join(word(name) if name else "0" for name in (first, second))
    symbol = SymbolLabel(f"F({ends})", rf"\mathcal{{F}}_{{{latex}}}")
    point = SymbolLabel(x.name, word(x.name))
    R = telling.places.rotation(body)
    readable = [
        Vector(letter, components(part, body, R, telling.read))
        for letter, part in zip(
            _LETTERS, telling.own.wrench_of(x, telling.bodies[body]), strict=True
        )
    ]
    return TorseurFormula(symbol, readable[0], readable[1], point)


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
