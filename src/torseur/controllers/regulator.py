"""A regulator: one drive that keeps something that is measured at a goal."""

from __future__ import annotations

from collections.abc import Mapping

from torseur.algebra.core.expr import TIME, symbol
from torseur.controllers.controller import Controller
from torseur.controllers.gains import gains
from torseur.controllers.integral import CLOCK, TICK, Limits, integrated
from torseur.controllers.model import known_model
from torseur.equations.symbols.texts import names_of, read_text
from torseur.language.text.expression import Names
from torseur.model.description import Mechanism


def regulator(
    mechanism: Mechanism,
    along: str,
    measure: str,
    goal: float | str,
    kp: float,
    ki: float = 0.0,
    *,
    feed: float = 0.0,
    limits: Limits | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Controller:
    """feed + kp (goal − measure) + ki ∫ (goal − measure) dt along one coordinate, within limits.

    `measure` is a text of coordinates and speeds: the speed "alpha." of a shaft, the place "lam" of
    the sleeve of a governor, the spin "phi." of a gyroscope. `goal` is a number or a text of t.
    The integral finds what friction and loads need, and waits while the drive is at its limit.
    """
    model = known_model(mechanism, parameters)
    model.rows((along,))
    seen = read_text(measure, names_of(model.mechanism), "measure")
    wanted = read_text(goal, Names({TIME.name: TIME}), "goal")
    own = {**gains("kp", kp, (along,)).values, "ki": float(ki), "feed": float(feed)}
    error = wanted - seen
    total = symbol(f"integral_{along}", "input")
    base = symbol("feed") + symbol("kp") * error
    part = integrated(base, symbol("ki"), error, total, limits)
    return model.law(
        "regulator",
        (along,),
        [part.command],
        own,
        memory={total.name: 0.0, **CLOCK},
        remembered={total.name: part.next_sum, **TICK},
    )
