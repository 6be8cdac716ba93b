"""The fundamental principle of dynamics, body by body."""

from __future__ import annotations

from collections.abc import Iterator

from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.equations.efforts import Transmitted
from torseur.equations.formalisms.newton_euler import derive
from torseur.model.description import GROUND
from torseur.teach.derivation.formulas import (
    Components,
    Equation,
    Formula,
    SymbolLabel,
    TorseurFormula,
    Vector,
    is_nothing,
    plain,
    word,
)
from torseur.teach.derivation.hypotheses import GALILEAN, PERFECT
from torseur.teach.derivation.steps import Step
from torseur.teach.derivation.telling import Telling

_SIDES = [f"{kind} {axis}" for kind in ("R", "M") for axis in "xyz"]


def steps(told: Telling) -> list[Step]:
    """Torseurs of motion, torseurs of actions, six equations a body, equations of motion."""
    made = [
        told.parametrisation(),
        told.kinematics(),
        _kinetics(told),
        told.dynamics(),
        _actions(told),
        _bodies(told),
    ]
    reactions = tuple(_reactions(told))
    if reactions:
        said = told.words
        made.append(Step("reactions", said["reactions"], (said["reactions text"],), reactions))
    return [*made, _equations(told)]


def _kinetics(told: Telling) -> Step:
    said = told.words
    found: list[Formula] = []
    for body in told.bodies:
        letters = (plain("m V(G)", r"m\vec{V}(G)"), plain("σ(G)", r"\vec{\sigma}(G)"))
        symbol = told.of("C", body, r"\mathcal{C}")
        found.append(told.torseur(symbol, told.own.kinetic(told.bodies[body]), letters, body))
    return Step("kinetics", said["kinetics"], (said["kinetics text"],), tuple(found))


def _actions(told: Telling) -> Step:
    """Weight and loads of each body, then what each joint gives to its second body."""
    said = told.words
    found: list[Formula] = []
    for body in told.bodies:
        made = _action(told, body)
        if not (is_nothing(made.resultant.value) and is_nothing(made.moment.value)):
            found.append(made)
    found += [_through(told, x) for x in told.efforts.transmitted]
    return Step("actions", said["actions"], (said["actions text"],), tuple(found))


def _letters() -> tuple[SymbolLabel, SymbolLabel]:
    return plain("R", r"\vec{R}"), plain("M", r"\vec{M}")


def _action(told: Telling, body: str) -> TorseurFormula:
    letter = told.words["letter given"]
    latex = rf"\mathcal{{F}}_{{{word(letter)}\to {word(body)}}}"
    symbol = SymbolLabel(f"F({letter}->{body})", latex)
    return told.torseur(symbol, told.own.given(told.bodies[body]), _letters(), body)


def _names(told: Telling, x: Transmitted) -> tuple[str, str]:
    names = {i: name for name, i in told.bodies.items()} | {-1: GROUND}
    return names[x.first], names[x.second]


def _through(told: Telling, x: Transmitted) -> TorseurFormula:
    """The unknowns of a joint and what drives it, at its frame, along the axes of a body."""
    first, second = _names(told, x)
    body = second if second != GROUND else first
    ends = ["0" if x == GROUND else x for x in (first, second)]
    latex = r"\to ".join("0" if x == GROUND else word(x) for x in (first, second))
    symbol = SymbolLabel(f"F({ends[0]}->{ends[1]})", rf"\mathcal{{F}}_{{{latex}}}")
    point = SymbolLabel(x.name, word(x.name))
    shown = [
        Vector(letter, Components(told.read(part), body))
        for letter, part in zip(_letters(), told.own.shown(x, told.bodies[body]), strict=True)
    ]
    return TorseurFormula(symbol, shown[0], shown[1], point)


def _bodies(told: Telling) -> Step:
    """Resultant and moment at G of each body, along its own axes."""
    said = told.words
    found: list[Formula] = []
    for body in told.bodies:
        found += _balance(told, body)
    return Step(
        "bodies", said["bodies"], (said["bodies text"],), tuple(found), said["pfd"], (GALILEAN,)
    )


def _balance(told: Telling, body: str) -> Iterator[Formula]:
    i = told.bodies[body]
    left, right = (
        told.read(expressions([*t.resultant, *t.moment]))
        for t in (told.own.dynamic(i), told.own.acting(i))
    )
    for side_name, a, b in zip(_SIDES, left, right, strict=True):
        if a is not ZERO or b is not ZERO:
            yield Equation(f"{body}, {side_name}", a, b)


def _reactions(told: Telling) -> Iterator[Formula]:
    """The unknowns of the joints of an open chain: what the bodies that each carries need."""
    if told.efforts.held.owners:
        return
    for x in told.efforts.transmitted:
        needed = told.own.needed(x)
        if needed is None:
            continue
        named = [*x.own[0], *x.own[1]]
        for letter, value in zip("XYZLMN", (*needed.resultant, *needed.moment), strict=True):
            name = f"{letter}_{x.name}"
            if any(_is_named(y, name) for y in named):
                label = rf"{letter}_{{{word(x.name)}}}"
                yield told.scalar(name, label, expression(value))


def _is_named(x: Expr, name: str) -> bool:
    return any(y.name == name for y in free_symbols(expression(x)))


def _equations(told: Telling) -> Step:
    """Each joint isolated with all it carries, projected on its freedom: no reaction is left."""
    said = told.words
    found = derive(told.system)
    rows = found.M @ told.system.a + found.h
    formulas = tuple(
        told.equation(k, rows[k], expression(found.Q[k]) - found.g[k])
        for k in range(len(told.speeds))
    )
    held = bool(told.efforts.held.owners)
    return Step(
        "equations",
        said["equations"],
        (said["newton held" if held else "newton text"],),
        formulas,
        said["pfd of a set"],
        (GALILEAN, PERFECT),
    )
