"""The small motions about an equilibrium, a steady motion, a pose that is held or any state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torseur.analyse.equilibria.given_state import state
from torseur.analyse.equilibria.holding import held_pose
from torseur.analyse.stability.steady import Steady
from torseur.analyse.vibrations.linear import Linear, linear
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.simulation.start.assemble import Assembled


def linearise(
    mechanism: Mechanism | CompiledModel | Steady | Assembled | None,
    at: Steady | Assembled | Mapping[str, float] | None = None,
    *,
    inputs: Sequence[str] | None = None,
    independent: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
    held: bool = False,
) -> Linear:
    """The small motions of a mechanism about `at`; a state alone brings its mechanism with it.

    `at` is an equilibrium or a steady motion that was found, an assembled state, coordinates and
    speeds by name (what is not given comes from the initial values, speeds are zero), or nothing:
    the equilibrium nearest to the initial configuration. `inputs` name motors, joint forces,
    coordinates, joints and parameters; without them, every motor and joint force. `independent`
    names coordinates to keep as independent ones. With `held`, constant generalised forces hold the
    pose `at`, by name, at rest: the small motions are about a pose that is no equilibrium without
    them, and `.steady.held_by` says what they are.
    """
    if held:
        pose = held_pose(mechanism, at, independent=independent, parameters=parameters, t=t)
        return linear(pose, inputs)
    return linear(state(mechanism, at, independent, parameters, t), inputs)
