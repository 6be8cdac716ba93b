"""A mechanism as an environment of gymnasium, in which a policy learns to move it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np

from torseur.errors import ModelError, SolveError, require_known
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.methods import Method
from torseur.model.checks.limits import sensible
from torseur.model.description import Mechanism
from torseur.packages import package
from torseur.robotics.joint_limits import joint_limits
from torseur.simulation.control.loop import Limits, saturated
from torseur.simulation.stepper import Stepper
from torseur.words.sentence import say

Array = np.ndarray
_RTOL = 1e-6  # of a method by name
Reward = Callable[[float, Array, Array, Array], Any]  # of t, q, v and the forces that acted
Over = Callable[[float, Array, Array], Any]  # of t, q and v: whether it is lost or won


def environment(
    mechanism: Mechanism | CompiledModel,
    reward: Reward,
    *,
    sample: float = 0.02,
    duration: float | None = None,
    over: Over | None = None,
    actuators: Sequence[str] | None = None,
    saturation: Limits | Mapping[str, Limits] | None = None,
    initial: Mapping[str, Any] | None = None,
    spread: Mapping[str, float] | None = None,
    parameters: Mapping[str, Any] | None = None,
    method: str | Method = "auto",
    rtol: float | None = None,
    step: float | None = None,
) -> Any:
    """An environment of gymnasium: actions are forces held for `sample` seconds.

    `reward` is a function of t, q, v and the forces that acted. An observation is the coordinates,
    then the speeds; coordinates whose joints have limits are observed between them, and the
    episode ends where one passes them, or where `over` of t, q and v says so. After `duration`
    seconds it is cut off. Actions are forces along `actuators`, within `saturation` or else the
    `effort` of the joints. An episode starts at `initial`, and by up to ± `spread` elsewhere.
    `method` and `step` are those of `simulate`; "moreau" is the quickest with many contacts.
    """
    stepper = Stepper(
        mechanism,
        sample,
        actuators=actuators,
        initial=initial,
        parameters=parameters,
        rtol=_RTOL if rtol is None and isinstance(method, str) else rtol,
        method=method,
        step=step,
    )
    names = (*stepper.model.coordinates, *stepper.model.speeds)
    require_known("environment", "coordinate or speed", spread or (), names)
    for width in (spread or {}).values():
        sensible("environment", say("the value"), width)
    if duration is not None and not sensible("environment", say("the duration"), duration) > 0:
        raise ModelError(
            "environment", say("the duration must be positive, got {length}.", duration)
        )
    env = _kind()(stepper, reward, over, duration, spread or {})
    # forces within the limits given, or within what joints can give
    effort = joint_limits(stepper.model, stepper.actuators).effort
    given = saturated(saturation, stepper.actuators)
    env.action_space = _box(*((-effort, effort) if saturation is None else given))
    # coordinates between the limits of their joints, and any speeds
    limits = joint_limits(stepper.model, stepper.model.coordinates)
    some = np.full(len(stepper.model.speeds), np.inf)
    env.observation_space = _box(np.append(limits.low, -some), np.append(limits.high, some))
    return env


def _box(low: Array, high: Array) -> Any:
    return _gymnasium().spaces.Box(low, high, dtype=np.float64)


def _within(values: Array, space: Any) -> Array:
    """Values between the limits of a space; for a few numbers faster than `np.clip`."""
    return np.asarray(np.minimum(np.maximum(values, space.low), space.high))


def _gymnasium() -> Any:
    return package("gymnasium", "gymnasium", "environment", fault=SolveError)


@cache
def _kind() -> Any:
    """The class of these environments; gymnasium wants one of its own."""
    gymnasium = _gymnasium()

    class Environment(gymnasium.Env):  # type: ignore[name-defined, misc]
        """A mechanism that is moved step by step."""

        metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

        def __init__(
            self,
            stepper: Stepper,
            reward: Reward,
            over: Over | None,
            duration: float | None,
            spread: Mapping[str, float],
        ) -> None:
            self.stepper, self._reward, self._over = stepper, reward, over
            self._duration, self._spread = duration, spread

        def reset(
            self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
        ) -> tuple[Array, dict[str, Any]]:
            """A new episode; `options={"initial": {"theta": 0.1}}` starts it there."""
            super().reset(seed=seed)
            self.stepper.reset()
            start = self.stepper.state
            start_values = {
                name: start[name] + width * float(self.np_random.uniform(-1, 1))
                for name, width in self._spread.items()
            }
            self.stepper.reset({**start_values, **(options or {}).get("initial", {})})
            return self._observed()[0], {"t": self.stepper.t}

        def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
            """One sample under forces within their limits."""
            forces = _within(np.asarray(action, dtype=float), self.action_space)
            now = self.stepper.step(forces)
            state = now.t, now.q, now.v
            ends = bool(self._over(*state)) if self._over is not None else False
            late = self._duration is not None and now.t > self._duration - now.sample / 2
            text = {"t": now.t, "forces": forces}
            given = float(self._reward(*state, forces))
            observed, is_beyond = self._observed()
            return observed, given, ends or is_beyond, late, text

        def _observed(self) -> tuple[Array, bool]:
            """Coordinates and speeds, and whether a coordinate has passed a limit of its joint."""
            space = self.observation_space
            measured = self.stepper.y[: len(space.low)]
            observed = _within(measured, space)
            return observed, observed.tolist() != measured.tolist()

    return Environment
