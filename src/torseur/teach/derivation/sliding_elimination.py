"""Pressures of what slides, put into the last equations: friction without reactions."""

from __future__ import annotations

from collections.abc import Sequence

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import PARAMETER, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import free_symbols, reachable, substitute
from torseur.algebra.forms.length import length
from torseur.algebra.forms.normal_form import vanishes
from torseur.algebra.printing.latex import name as latex_name
from torseur.equations.formalisms.derive import derived
from torseur.equations.motion.dependent import in_independent
from torseur.errors import TorseurError
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.hypotheses import GALILEAN
from torseur.teach.derivation.reaction_elimination import independent_speeds, shortened
from torseur.teach.derivation.solved_coordinates import solved_coordinates
from torseur.teach.derivation.step_formulas import Equation, Formula, Scalar, SymbolLabel
from torseur.teach.derivation.step_formulas import names as names_in_prose
from torseur.teach.derivation.telling import Telling

_MOST_ROWS = 4
_LONGEST = 160  # nodes of an equation that is worth showing


def sliding_elimination(telling: Telling, steps: Sequence[Step]) -> list[Step]:
    """A step where something slides: each reaction from an equation without friction in it.

    None where a reaction has no such equation, nothing moves, or formulas would be long.
    """
    rows = len(telling.efforts.held.owners)
    if telling.slides is None or not 0 < rows <= _MOST_ROWS or telling.variables.changed:
        return []
    last = next((x for x in steps if x.name == "equations"), None)
    given = [x for x in last.formulas if isinstance(x, Equation)] if last is not None else []
    equations = shortened(derived(telling.system, "kane"), telling.read)
    free = independent_speeds(telling, equations)
    dependent = [x for x in telling.described.speeds if x not in free]
    try:
        known = in_independent(telling.system, telling.efforts.held, free)
    except TorseurError:  # no formula
        return []
    places = solved_coordinates(telling, free)
    known = {x: expression(substitute(y, places)) for x, y in known.items()} | places
    pressures = _pressures(telling, given)
    if not free or pressures is None:
        return []
    reactions, used = pressures
    others = [x for x in given if x.name not in used]
    put_in = {x: expression(telling.read(substitute(y, known))) for x, y in reactions.items()}
    shorter = {x: min(y, put_in[x], key=length) for x, y in reactions.items()}
    left = [_in_independent(telling, x, put_in, known) for x in others]
    unknown = {*telling.efforts.multipliers, *map(_acceleration, dependent)}
    if any(unknown & {*free_symbols(_sides(x))} for x in left):
        return []
    if any(len(reachable(_sides(x))) > _LONGEST for x in left):
        return []
    formulas: list[Formula] = [
        Scalar(SymbolLabel(x.name, latex_name(x.name)), y) for x, y in shorter.items()
    ]
    accelerations = [_acceleration(x) for x in dependent]
    formulas += [
        telling.scalar(x.name, latex_name(x.name), known[x])
        for x in (*telling.system.q, *telling.system.v, *accelerations)
        if x in known and known[x] is not ZERO
    ]
    text = telling.words["sliding elimination text"].format(names_in_prose(used))
    return [
        told_step(
            telling.words,
            "elimination",
            [*formulas, *left],
            title="sliding elimination",
            text=[text],
            needs=(GALILEAN,),
        )
    ]


def _acceleration(speed: str) -> Expr:
    return symbol(f"{speed}.", "acceleration")


def _sides(x: Equation) -> list[Expr]:
    return [x.left, x.right]


def _pressures(
    telling: Telling, equations: Sequence[Equation]
) -> tuple[dict[Expr, Expr], list[str]] | None:
    """Each reaction from the equation that has it alone with a constant factor, with its name."""
    unknowns = list(telling.efforts.multipliers)
    values: dict[Expr, Expr] = {}
    used: list[str] = []
    for _ in unknowns:
        best: tuple[int, Expr, Expr, str] | None = None
        for x in equations:
            if x.name in used:
                continue
            zero = expression(substitute(x.left - x.right, values))
            present = [y for y in unknowns if y in free_symbols([zero])]
            slope = derivative(zero, present[0]) if len(present) == 1 else ZERO
            if slope.stage > PARAMETER or vanishes(slope):
                continue
            value = telling.read(-substitute(zero, {present[0]: ZERO}) / slope)
            cost = length(expression(value))
            if best is None or cost < best[0]:
                best = cost, present[0], expression(value), x.name
        if best is None:
            return None
        values[best[1]] = best[2]
        used.append(best[3])
    return values, used


def _in_independent(
    telling: Telling, x: Equation, reactions: dict[Expr, Expr], known: dict[Expr, Expr]
) -> Equation:
    """An equation with the reactions and all that depends on the independent speeds put in."""
    left, right = (
        expression(telling.read(substitute(substitute(y, known), reactions))) for y in _sides(x)
    )
    return Equation(x.name, left, right)
