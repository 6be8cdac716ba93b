"""The end of sliding in letters: its instant, the speeds there, the way until then.

In the mode "slip" accelerations are constant where they depend on parameters alone; the speed of
sliding v_s falls as v_s0 + v̇_s t, and vanishes at t* = −v_s0/v̇_s if that is positive.
"""

from __future__ import annotations

from collections.abc import Mapping

from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.analyse.letters.states import FormulasAtState, at_state, state_lines
from torseur.analyse.letters.written import tidied
from torseur.equations.symbols.system import require_rates
from torseur.errors import ModelError, SolveError
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import name_ranks
from torseur.words.sentence import say

END = "t_star"


def end_of_slip(
    mechanism: Mechanism, contact: str, *, modes: Mapping[str, str] | None = None
) -> FormulasAtState:
    """Instant t* at which a contact that slides from the start stops sliding, in letters.

    With it come the speeds then, named after their speeds with a star (`x_star.`), and the ways
    until then (`x_star`). Speeds that are zero at the start are put in, others stay letters.
    """
    sliding = {contact: "slip"} | dict(modes or {})
    still = {
        name: 0
        for name in mechanism.speeds
        if not mechanism.initial.get(name) or expression(mechanism.initial[name]) == 0
    }
    at = {"t": 0, **still}
    formulas = at_state(mechanism, at, modes=sliding)
    lines = state_lines(mechanism, at, sliding)
    friction = lines.equations.friction
    if friction is None:
        raise ModelError(
            "contact",
            say('"{contact}" has no friction.', contact),
            say("Contacts with friction slide."),
        )
    rows = [
        k
        for k, owner in enumerate(friction.constraints.owners)
        if owner.split(".")[0] == contact and friction.constraints.unknowns[k] in friction.forces
    ]
    if len(rows) != 1:
        raise SolveError(
            f'contact "{contact}"',
            say("it slides along {number} directions.", len(rows)),
            say("Formulas are known for one direction."),
        )
    system, a = lines.equations.system, formulas.values
    require_rates(system, say("answers in letters"))
    J, bias = friction.constraints.J[rows[0]], friction.constraints.bias[rows[0]]
    slip = expression(lines.at(expressions([J @ system.v])[0]))
    known = {x: a[x.name] for x in system.a if x.name in a}
    rate = substitute(lines.at(expressions([J @ system.a + bias])), known)[0]
    varying = [x for x in free_symbols([rate]) if x.kind != "parameter"]
    if varying:
        name = varying[0].name
        raise SolveError(
            f'contact "{contact}"',
            say('its slip does not change at a constant rate: it depends on "{name}".', name),
            say("Simulate it: ts.simulate finds the end of sliding as an event."),
        )
    star = tidied(-slip / rate)
    values: dict[str, Expr] = {END: star}
    for q, v in zip(system.q, system.v, strict=True):
        acceleration = a.get(f"{v.name}.")
        if acceleration is None or _varies(acceleration):
            continue
        start = expression(lines.at(v))
        speed = tidied(start + acceleration * star)
        values[f"{q.name}_star."] = speed
        values[f"{q.name}_star"] = tidied((start + acceleration * star / 2) * star)
    values |= {k: x for k, x in a.items() if k not in values}
    ranks = name_ranks(lines.mechanism)
    notices = formulas.notices
    return FormulasAtState(lines.mechanism.name, values, ranks, formulas.legend, END, notices)


def _varies(x: Expr) -> bool:
    return any(y.kind != "parameter" for y in free_symbols([x]))
