"""Trajectories in another time: the same path, as fast as limits allow.

In k times the time speeds are divided by k and accelerations by k²; weight and dry friction stay:
Hollerbach (1984), Dynamic scaling of manipulator trajectories.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import scipy

from torseur.errors import ModelError, SolveError
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.robotics.inverse import inverse
from torseur.robotics.joint_limits import joint_limits
from torseur.robotics.joint_paths import Limits, given_limits
from torseur.robotics.trajectory import Trajectory
from torseur.words.sentence import say

Array = np.ndarray
_PLACE = "within_limits"
_MOST = 2.0**20  # times slower or faster


def within_limits(
    trajectory: Trajectory,
    mechanism: Mechanism | CompiledModel | None = None,
    *,
    speed: Limits | None = None,
    acceleration: Limits | None = None,
    torque: Limits | None = None,
    guess: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Trajectory:
    """Trajectory made uniformly faster or slower, so that it takes the least time within limits.

    One limit is then reached. Limits are one number for all coordinates,
    or one by name. With a mechanism, torques have limits too, and for those that are not given
    `velocity` and `effort` of the joints count.
    """
    names = trajectory.names
    if mechanism is None:
        if torque is not None:
            advice = "Give it: ts.robots.within_limits(trajectory, mechanism, torque=…)."
            raise ModelError(_PLACE, "limits of torque need a mechanism.", advice)
        rates = _rates(trajectory, np.inf, speed, acceleration)
        return trajectory if rates == 0 else trajectory.slowed(rates)
    model = compiled_at(mechanism, parameters)
    known = joint_limits(model, names)
    slowest = _rates(trajectory, known.speed, speed, acceleration)
    allowed = given_limits(_PLACE, "torque", torque, names, known.effort)

    def use(factor: float) -> float:
        task = inverse(model, trajectory.slowed(factor), guess=guess, actuators=names)
        return float((np.abs(task.efforts) / allowed).max())

    if np.isfinite(allowed).any():
        slowest = _factor(use, slowest)
    if slowest == 0:
        problem = "no limit of speed, acceleration or torque is known: any time will do."
        raise ModelError(_PLACE, problem, "Give a limit, or `effort` and `velocity` of joints.")
    return trajectory.slowed(slowest)


def _rates(
    trajectory: Trajectory, known: Array | float, speed: Limits | None, acceleration: Limits | None
) -> float:
    """The factor of time at which a limit of speed or acceleration is reached; 0: none is."""
    names, factors = trajectory.names, [0.0]
    for order, (what, given, stated) in enumerate(
        (("speed", speed, known), ("acceleration", acceleration, np.inf)), start=1
    ):
        allowed = given_limits(_PLACE, what, given, names, stated)
        factors.append(float((trajectory.extreme(order) / allowed).max()) ** (1 / order))
    return max(factors)


def _factor(use: Callable[[float], float], least: float) -> float:
    """The smallest factor of time, `least` or more, at which torques keep their limits."""
    if least and use(least) <= 1:
        return least
    slow = max(least, 1.0)
    while use(slow) > 1:
        slow *= 2
        if slow > _MOST:
            problem = say("no time is long enough: at rest {use:.3g} of a limit of torque is used.",
                          use(slow))  # fmt: skip
            raise SolveError(_PLACE, problem, "Raise the limits of torque, or change the path.")
    fast = slow / 2
    while fast > least and use(fast) <= 1:
        slow, fast = fast, fast / 2
        if fast < 1 / _MOST:
            raise ModelError(_PLACE, "no torque is needed: any time will do.", "Give more limits.")
    fast = max(fast, least)
    return float(scipy.optimize.brentq(lambda k: use(k) - 1, fast, slow, xtol=1e-13, rtol=1e-12))
