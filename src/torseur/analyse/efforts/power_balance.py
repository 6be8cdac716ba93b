"""The theorem of energy along a run: powers from outside and from inside, of G and about G.

dT/dt = P_ext + P_int for any set of bodies. Of the mass at G: d/dt ½ m V(G)² = R_ext · V(G);
in Koenig's frame: dT*/dt = P_ext − R_ext · V(G) + P_int. Joints that are perfect have no power
inside; what acts along their freedoms has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.analyse.efforts.body_torseurs import BodyTorseurs, body_torseurs, linking
from torseur.equations.actions.applied import FRAME, WEIGHT, actions_of
from torseur.equations.actions.inertia_forces import CORIOLIS, ENTRAINMENT
from torseur.equations.expressions.sampling import over_samples
from torseur.equations.symbols.system import System
from torseur.result import Result
from torseur.simulation.observe.observer import symbol_values
from torseur.simulation.run.run import Run
from torseur.spatial.torseur import Torseur
from torseur.words.sentence import say

Array = np.ndarray
_ROUNDING = 1e-11  # of the largest power: what a perfect joint leaves


@final
class PowerBalance(Result):
    """The powers on some bodies at every sample of a run, by what acts, and their energies."""

    bodies: tuple[str, ...]
    t: Array  # [s]
    energy: Array  # T [J]
    energy_of_centre: Array  # ½ m V(G)²
    rate: Array  # dT/dt, from the accelerations [W]
    external: Mapping[str, Array]  # [W]
    internal: Mapping[str, Array]
    external_of_centre: Array  # R_ext · V(G)

    @property
    def energy_about_centre(self) -> Array:
        """T*: in Koenig's frame."""
        return np.asarray(self.energy - self.energy_of_centre)

    @cached_property
    def external_power(self) -> Array:
        """Total power of external actions."""
        return sum(self.external.values(), np.zeros(len(self.t)))

    @cached_property
    def internal_power(self) -> Array:
        """Total power of internal actions."""
        return sum(self.internal.values(), np.zeros(len(self.t)))

    @property
    def about_centre(self) -> Array:
        """P_ext − R_ext · V(G) + P_int: the rate of T*."""
        inside = self.external_power - self.external_of_centre
        return np.asarray(inside + self.internal_power)

    @property
    def difference(self) -> Array:
        """dT/dt − P_ext − P_int: zero but for what touches, which is not counted here."""
        return np.asarray(self.rate - self.external_power - self.internal_power)

    def __str__(self) -> str:
        """Extremes of the powers, and works over the run by the trapezium rule."""
        parts = (*self.external.values(), *self.internal.values(), self.rate)
        nothing = _ROUNDING * max(float(np.abs(x).max()) for x in parts)

        def line(name: str, power: Array) -> str:
            name = source_word(name)
            if np.abs(power).max() <= nothing:
                return f"  {name:<22} 0"
            work = float(np.trapezoid(power, self.t))
            text = say(
                "{least: .4g} … {most: .4g} W, work {work: .4g} J", power.min(), power.max(), work
            )
            return f"  {name:<22} {text}"

        lines = [", ".join(self.bodies), say("from outside")]
        lines += [line(*one) for one in self.external.items()]
        lines += [say("inside")] if self.internal else []
        lines += [line(*one) for one in self.internal.items()]
        lines += [say("together"), line("R_ext · V(G)", self.external_of_centre)]
        lines += [line("dT*/dt", self.about_centre), line("dT/dt", self.rate)]
        return "\n".join(lines)


def power_balance(run: Run, bodies: str | Iterable[str] = ()) -> PowerBalance:
    """Powers of all actions on some bodies of a run, external and internal; default: all.

    Weights, forces and motors are external when one of their ends is outside; a joint that leads
    outside is an external action with all that passes through it, and one between two of the bodies
    an internal one with what acts along its freedoms.
    """
    mechanism = run.model.mechanism
    names = (bodies,) if isinstance(bodies, str) else tuple(bodies) or tuple(mechanism.bodies)
    whole = body_torseurs(run, names, at=("ground", (0, 0, 0)))
    each = {name: body_torseurs(run, name, at=("ground", (0, 0, 0))) for name in names}
    external, internal = _weights_and_forces(run, each)
    _joints(run, each, external, internal)
    rate = sum((x.dynamic.comoment(x.kinematic) for x in each.values()), np.zeros(len(run.t)))
    outside = np.zeros((len(run.t), 3))
    if whole.mass:
        outside = whole.dynamic.resultant * whole.centre_velocity
    return PowerBalance(
        names,
        run.t,
        np.asarray(whole.kinetic_energy),
        np.asarray(whole.energy_of_centre),
        rate,
        external,
        internal,
        outside.sum(axis=1),
    )


def source_word(name: str) -> str:
    """Words for the actions that are not forces of the user: weight, inertia of the ground."""
    known = {
        WEIGHT: say("weight"),
        FRAME: say("inertia of the moving ground"),
        f"{FRAME}: {ENTRAINMENT}": say("inertia of entrainment"),
        f"{FRAME}: {CORIOLIS}": say("inertia of Coriolis"),
    }
    return str(known.get(name, name))


Powers = dict[str, Array]


def _weights_and_forces(run: Run, each: Mapping[str, BodyTorseurs]) -> tuple[Powers, Powers]:
    """Powers of gravity, and of the forces that do not pass through joints."""
    weight = sum((x.weight.comoment(x.kinematic) for x in each.values()), np.zeros(len(run.t)))
    powers: tuple[Powers, Powers] = ({WEIGHT: weight} if np.any(weight) else {}, {})
    inputs = (x.name for x in run.model.system.signals)
    values = symbol_values(run) | dict(zip(inputs, np.asarray(run.inputs).T, strict=False))
    for into, result in zip(powers, force_powers(run.model.system, each), strict=True):
        for name, power in result.items():
            into[name] = over_samples([power], values, len(run.t))[:, 0]
    return powers


def force_powers(
    system: System, bodies: Collection[str]
) -> tuple[dict[str, Expr], dict[str, Expr]]:
    """The powers of forces on some bodies, as expressions: from outside, and inside."""
    applied = actions_of(system)
    ends, inside = applied.ends, {applied.places.index[name] for name in bodies}
    powers: tuple[dict[str, Expr], dict[str, Expr]] = ({}, {})
    for name, (wrenches, _) in applied.outside_closing_joints.items():
        power = ZERO
        for i, (force, couple) in wrenches.items():
            if i in inside:
                moving = applied.places.velocities[i]
                power = power + expression(force @ moving.v + couple @ moving.w)
        if expression(power) is not ZERO:
            within = all(end in bodies for end in ends[name])
            powers[int(within)][applied.among_joints(name)] = expression(
                applied.opened(expression(power))
            )
    return powers


def _joints(run: Run, each: Mapping[str, BodyTorseurs], external: Powers, internal: Powers) -> None:
    """Powers of joints, two-sided contacts and gear teeth, added to the given tables."""
    still = Torseur(*(np.zeros((len(run.t), 3)) for _ in range(3)))
    for linked in linking(run.model.mechanism):
        ends = (linked.first, linked.second)
        acting = [each[end].joints[linked.name] if end in each else None for end in ends]
        moving = [each[end].kinematic if end in each else still for end in ends]
        powers = [F.comoment(V) for F, V in zip(acting, moving, strict=True) if F is not None]
        if len(powers) == 2:
            internal[linked.name] = powers[0] + powers[1]
        elif powers:
            external[linked.name] = powers[0]
