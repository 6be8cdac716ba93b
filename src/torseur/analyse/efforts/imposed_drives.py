"""Drives of imposed motions: the force or couple that each needs, and its power.

The power of the generalised forces leaves out what is spent to drag the system along with its
coordinates held still (Llibre 2009, §2.2.7); it is found here as drive × imposed speed.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, substitute
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.reading_order import Ranks
from torseur.algebra.printing.text import text
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.formalisms.derive import derived
from torseur.equations.symbols.system import System
from torseur.model.constraints.protocol import ExpressionRow, JointRows
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.values.named_numbers import name_ranks
from torseur.model.values.scales import coordinate_units
from torseur.plain import entries
from torseur.result import Result
from torseur.simulation.run.run import Run
from torseur.units import force_unit

Array = np.ndarray
_LONGEST = 500  # characters of a formula that is printed


@final
class Drive(Result):
    """Force and power of an imposed motion, as expressions of the other coordinates."""

    motion: str
    coordinate: str
    force: Expr  # a couple for an angle [N m], a force for a length [N]
    power: Expr  # [W]
    unit: str = "N.m"
    ranks: Ranks = field(default_factory=dict, repr=False)  # the order of symbols in print

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        force, power = (text(x, ranks=self.ranks) for x in (self.force, self.power))
        return entries(self, "motion", "coordinate", "unit") | {"force": force, "power": power}

    def __str__(self) -> str:
        force, power = (text(x, limit=_LONGEST, ranks=self.ranks) for x in (self.force, self.power))
        return self.say(
            "the motion {motion} of {coordinate} needs {force} [{unit}], "
            "that is the power {power} [W]",
            force=force,
            power=power,
        )


def drives(system: System) -> tuple[Drive, ...]:
    """The drive of every imposed coordinate of the tree; other multipliers stay unknown."""
    motions = [
        m
        for m in imposed_coordinates(system.mechanism).values()
        if m.coordinate in system.coordinates
    ]
    if not motions:
        return ()
    equations, constraints = derived(system, "lagrange"), constraints_of(system)
    speeds = {name.removesuffix("."): k for k, name in enumerate(system.speeds)}
    rows = {m.name: speeds[m.coordinate] for m in motions}
    known: dict[Expr, Any] = {}
    for motion in motions:
        k, law = rows[motion.name], expression(motion.law)
        rate = derivative(law, TIME)
        coordinate = system.q[system.coordinates.index(motion.coordinate)]
        known |= {coordinate: law, system.v[k]: rate, system.a[k]: derivative(rate, TIME)}
    powers, units = [], coordinate_units(system.mechanism)
    ranks = name_ranks(system.mechanism)
    for motion in motions:
        k = rows[motion.name]
        force = expression(equations.inverse_dynamics[k]) - equations.Q[k]
        for row, owner in enumerate(constraints.owners):
            if owner not in rows and constraints.J[row, k] is not ZERO:
                force = force - constraints.J[row, k] * constraints.unknowns[row]
        force = readable(substitute(force, known))
        power = readable(force * known[system.v[k]])
        unit = force_unit(units[motion.coordinate])
        powers.append(Drive(motion.name, motion.coordinate, force, power, unit, ranks))
    return tuple(powers)


def drive_power(run: Run, motion: str) -> Array:
    """The power that an imposed motion, of a coordinate or of a body, takes (samples) [W].

    All drives together give what the energy gains and what is dissipated.
    """
    needed, rows = run.drive(motion), run.model.mechanism.motions[motion].rows
    if isinstance(rows, ExpressionRow):
        return np.asarray(needed * run[f"{rows.coordinate}."])
    assert isinstance(rows, JointRows), "a body is moved as by a joint"
    at = [float(x) for x in evaluate(rows.X_BM.p, run.model.parameters)]
    velocity = run.seen.point((rows.second, at), derivative=1)
    turning = run.seen.frame(rows.second).angular_velocity
    return np.asarray((needed * np.concatenate([velocity, turning], axis=1)).sum(axis=1))
