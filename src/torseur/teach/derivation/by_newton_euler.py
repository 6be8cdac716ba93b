"""The fundamental principle of dynamics, body by body."""

from __future__ import annotations

from collections.abc import Iterator

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.equations.actions.efforts import Transmitted
from torseur.equations.formalisms.newton_euler import derive
from torseur.model.description import GROUND
from torseur.teach.derivation.formulas import (
    Formula,
    SymbolLabel,
    TorseurFormula,
    Vector,
    components,
    word,
)
from torseur.teach.derivation.hypotheses import GALILEAN
from torseur.teach.derivation.steps import Step, told_step
from torseur.teach.derivation.telling import Telling

_LETTERS = SymbolLabel("R", r"\vec{R}"), SymbolLabel("M", r"\vec{M}")


def steps(told: Telling) -> list[Step]:
    """Torseurs of motion, torseurs of actions, six equations a body, equations of motion.

    In the last, each joint is isolated with all it carries and projected on its freedom: no
    reaction is left.
    """
    said, reactions = told.words, list(_reactions(told))
    equations = told.in_chosen(derive(told.system))
    letters = SymbolLabel("m V(G)", r"m\vec{V}(G)"), SymbolLabel("σ(G)", r"\vec{\sigma}(G)")
    kinetic = told.torseurs("C", told.own.kinetic, letters)
    balances = [
        equation
        for body, i in told.bodies.items()
        for equation in told.balance(told.own.dynamic(i), told.own.acting(i), f"{body}, ")
    ]
    return [
        told_step(said, "kinetics", kinetic),
        told.dynamics(),
        told_step(said, "actions", _actions(told)),
        told_step(said, "bodies", balances, theorem="pfd", needs=(GALILEAN,)),
        *([told_step(said, "reactions", reactions)] if reactions else []),
        told.equations(
            equations.M @ told.described.a + equations.h,
            expressions(equations.Q - equations.g),
            "newton",
            theorem="pfd of a set",
        ),
    ]


def _actions(told: Telling) -> Iterator[Formula]:
    """Weight and loads of each body, then what each joint gives to its second body."""
    for body, i in told.bodies.items():
        for source, acting in told.own.by_source(i).items():
            shown = told.words.get(f"source {source}", source)
            latex = rf"\mathcal{{F}}_{{{word(shown)}\to {word(body)}}}"
            action = told.torseur(SymbolLabel(f"F({shown}->{body})", latex), acting, _LETTERS, body)
            if not action.is_nothing:
                yield action
    yield from (_through(told, x) for x in told.efforts.transmitted)


def _through(told: Telling, x: Transmitted) -> TorseurFormula:
    """The unknowns of a joint and what drives it, at its frame, along the axes of a body."""
    names = {i: name for name, i in told.bodies.items()}
    first, second = names.get(x.first), names.get(x.second)
    body = second or first or GROUND
    ends = "->".join(name or "0" for name in (first, second))
    latex = r"\to ".join(word(name) if name else "0" for name in (first, second))
    symbol = SymbolLabel(f"F({ends})", rf"\mathcal{{F}}_{{{latex}}}")
    point = SymbolLabel(x.name, word(x.name))
    R = told.places.rotation(body)
    shown = [
        Vector(letter, components(part, body, R, told.read))
        for letter, part in zip(_LETTERS, told.own.shown(x, told.bodies[body]), strict=True)
    ]
    return TorseurFormula(symbol, shown[0], shown[1], point)


def _reactions(told: Telling) -> Iterator[Formula]:
    """The unknowns of the joints of an open chain: what the bodies that each carries need."""
    if told.efforts.held.owners:
        return
    for x in told.efforts.transmitted:
        needed = told.own.needed(x)
        if needed is None:
            continue
        unknowns = {y.name for y in free_symbols(expressions(x.wrench))}
        for letter, value in zip("XYZLMN", (*needed.resultant, *needed.moment), strict=True):
            name = f"{letter}_{x.name}"
            if name in unknowns:
                label = rf"{letter}_{{{word(x.name)}}}"
                yield told.scalar(name, label, expression(value))
