"""Reactions of a body that several joints, contacts or constraints hold, solved for in letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torseur.algebra.core.expr import Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.algebra.forms.readable import readable
from torseur.equations.formalisms.derive import derived
from torseur.equations.formalisms.isolated import isolate
from torseur.equations.motion.dependent import in_independent
from torseur.equations.symbols.system import unit_quaternions
from torseur.errors import ModelError
from torseur.spatial.vectors import cross
from torseur.teach.derivation.balance_of_actions import contact_point
from torseur.teach.derivation.reaction_elimination import independent_speeds, shortened
from torseur.teach.derivation.step_formulas import Formula, SymbolLabel, Vector, components, word
from torseur.teach.derivation.telling import Telling

_MOST_UNKNOWNS = 6  # of one body, which has six equations


def solved_reactions(telling: Telling) -> Iterator[Formula]:
    """The reactions of each joint along the axes of the body, where its balance determines them.

    Only of one body with loops, alone in its mechanism: several bodies share their unknowns.
    """
    if len(telling.bodies) != 1 or not telling.efforts.held.owners or telling.variables.changed:
        return
    ((body, i),) = telling.bodies.items()
    equations = shortened(telling.in_chosen(derived(telling.system, "kane")), telling.read)
    free = independent_speeds(telling, equations)
    try:
        balance = isolate(telling.mechanism, body, axes=body, independent=free)
        if len(balance.unknowns) > _MOST_UNKNOWNS:
            return
        lines = balance.solved().lines
    except ModelError:  # not determined by the six equations
        return
    values: dict[Expr, Expr] = {}
    for line in lines:
        if line.equation is not None:
            values[symbol(line.equation.left.name, "input")] = expression(line.equation.right)
    known = in_independent(telling.system, telling.efforts.held, free)
    unit = unit_quaternions(telling.system).items()
    squares = {w: expression(substitute(x, known)) for w, x in unit}

    def read(outputs: Any) -> Any:
        return readable(expressions(substitute(outputs, known)), squares)

    for x in telling.efforts.transmitted:
        shift, (force, couple) = contact_point(x), x.wrench
        at_point = force, couple - cross(shift, force)
        for letter, part in zip("RM", telling.own.along(x, i, at_point), strict=True):
            if not any(y in values for y in free_symbols(expressions(part))):
                continue
            put_in = substitute(expressions(part), values)
            value = components(put_in, body, telling.places.rotation(body), read)
            if value.is_nothing:
                continue
            label = SymbolLabel(
                f"{letter}({x.name})", rf"\vec{{{letter}}}_{{{word(x.name)}\to {word(body)}}}"
            )
            yield Vector(label, value)
