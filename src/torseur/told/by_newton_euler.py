"""The fundamental principle of dynamics, body by body."""

from __future__ import annotations

from collections.abc import Iterator

from torseur.algebra.expr import ZERO, Expr, expression
from torseur.algebra.graph import expressions, free_symbols
from torseur.formalisms.efforts import Transmitted
from torseur.formalisms.newton_euler import derive
from torseur.mechanism.description import GROUND
from torseur.spatial.torseur import Torseur
from torseur.told.formulas import (
    Components,
    Equation,
    Formula,
    Label,
    TorseurFormula,
    Vector,
    is_nothing,
    plain,
    torseur,
    word,
)
from torseur.told.hypotheses import GALILEAN, PERFECT
from torseur.told.steps import Step
from torseur.told.telling import Telling

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
        axes = told.axes(body)
        found.append(
            torseur(symbol, told.kinetic(body), letters, told.centre(body), axes, told.read)
        )
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


def _letters() -> tuple[Label, Label]:
    return plain("R", r"\vec{R}"), plain("M", r"\vec{M}")


def _action(told: Telling, body: str) -> TorseurFormula:
    symbol = Label(f"F(given->{body})", rf"\mathcal{{F}}_{{\mathrm{{d}}\to {word(body)}}}")
    return torseur(
        symbol, told.given(body), _letters(), told.centre(body), told.axes(body), told.read
    )


def _names(told: Telling, x: Transmitted) -> tuple[str, str]:
    names = {i: name for name, i in told.bodies.items()} | {-1: GROUND}
    return names[x.first], names[x.second]


def _through(told: Telling, x: Transmitted) -> TorseurFormula:
    """The unknowns of a joint and what drives it, at its frame, along the axes of a body."""
    first, second = _names(told, x)
    acting = x.reaction + x.driven
    body = second if second != GROUND else first
    symbol = Label(f"F({first}->{second})", rf"\mathcal{{F}}_{{{word(first)}\to {word(second)}}}")
    point = Label(x.name, word(x.name))
    R = told.places.rotation(body)
    parts = (
        told.read(expressions(R.into(expressions(y)))) for y in (acting.resultant, acting.moment)
    )
    shown = [
        Vector(letter, Components(part, body))
        for letter, part in zip(_letters(), parts, strict=True)
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
    i, R = told.bodies[body], told.places.rotation(body)
    acting: Torseur = told.given(body)
    for x in told.efforts.transmitted:
        side = x.on({i})
        if side:
            wrench = x.reaction + x.driven
            acting = acting + (wrench if side > 0 else -wrench)
    left, right = (
        told.read(expressions([*R.into(expressions(t.resultant)), *R.into(expressions(t.moment))]))
        for t in (told.dynamic(body), acting.at(told.at_centre(body)))
    )
    for side_name, a, b in zip(_SIDES, left, right, strict=True):
        if a is not ZERO or b is not ZERO:
            yield Equation(f"{body}, {side_name}", a, b)


def _reactions(told: Telling) -> Iterator[Formula]:
    """The unknowns of the joints of an open chain: what the bodies that each carries need."""
    tree = told.system.tree
    if told.efforts.held.owners:
        return
    for x in told.efforts.transmitted:
        inside = {k for k in range(len(tree)) if x.second in tree.ancestors(k)}
        if x.second < 0 or x.first in inside:
            continue
        X = told.places.poses[x.second]
        needed: Torseur | None = None
        for k in inside:
            own = told.efforts.dynamic(k) - told.efforts.weight(k) - told.efforts.given(k)
            needed = own if needed is None else needed + own
        assert needed is not None, "a joint carries its own body"
        there = (needed - x.driven).at(X.p)
        for letter, value in zip(
            "XYZLMN", [*X.R.into(there.resultant), *X.R.into(there.moment)], strict=True
        ):
            name = f"{letter}_{x.name}"
            if any(_is_named(y, name) for y in (*x.reaction.resultant, *x.reaction.moment)):
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
