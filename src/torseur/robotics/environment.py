"""A mechanism as an environment of gymnasium, in which a policy learns to move it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, final

import numpy as np

from torseur.errors import ModelError, SolveError, require_known
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.methods import Method
from torseur.model.checks.limits import sensible
from torseur.model.commands import command_range
from torseur.model.description import Mechanism
from torseur.model.measured import columns
from torseur.packages import package
from torseur.robotics.joint_limits import joint_limits
from torseur.simulation.control.loop import Limits, saturated
from torseur.simulation.stepper import Stepper
from torseur.words.sentence import say

Array = np.ndarray
RTOL = 1e-6  # of a method by name
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
    observed: Sequence[str] | None = None,
    saturation: Limits | Mapping[str, Limits] | None = None,
    initial: Mapping[str, Any] | None = None,
    spread: Mapping[str, float] | None = None,
    parameters: Mapping[str, Any] | None = None,
    method: str | Method = "auto",
    rtol: float | None = None,
    step: float | None = None,
) -> Any:
    """Gymnasium environment: actions are commands held for `sample` seconds.

    `reward` is a function of t, q, v and the commands that acted. An observation is the
    coordinates, then the speeds, or what `observed` names: coordinates, speeds, first-order states
    and sensors, all columns of each, whose noise differs from episode to episode. Coordinates whose
    joints have limits are observed between them, and the episode ends where one passes them, or
    where `over` of t, q and v says so. After `duration` seconds it is cut off. Actions are commands
    of `actuators` as in a `Stepper`, within `saturation` or else the `effort` of the joints and the
    ranges of the actuators. An episode starts at `initial`, and by up to ± `spread` elsewhere.
    `method` and `step` are those of `simulate`; "moreau" is the quickest with many contacts.
    """
    stepper = Stepper(
        mechanism,
        sample,
        actuators=actuators,
        initial=initial,
        parameters=parameters,
        rtol=RTOL if rtol is None and isinstance(method, str) else rtol,
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
    seen = _Observed(stepper, _names(stepper, observed))
    env = _kind()(stepper, reward, over, duration, spread or {}, seen)
    given = saturated(saturation, stepper.actuators)
    env.action_space = box(*(stated_ranges(stepper) if saturation is None else given))
    env.observation_space = box(*seen.ends)
    return env


def stated_ranges(stepper: Stepper) -> tuple[Array, Array]:
    """The least and the largest commands: what joints can give, and the ranges of actuators."""
    mechanism, parameters = stepper.model.mechanism, stepper.model.parameters
    efforts = joint_limits(stepper.model, stepper.actuators).effort
    ends = [
        (-effort, effort)
        if name in mechanism.every_speed
        else command_range(mechanism, name, parameters)
        for name, effort in zip(mechanism.commanded, efforts, strict=True)
    ]
    low, high = np.array(ends, dtype=float).reshape(-1, 2).T
    return low, high


def _names(stepper: Stepper, observed: Sequence[str] | None) -> tuple[str, ...]:
    """The names of what is observed."""
    if observed is None:
        return (*stepper.model.coordinates, *stepper.model.speeds)
    listed = (observed,) if isinstance(observed, str) else tuple(observed)
    known = (*stepper.state, *stepper.model.mechanism.sensors)
    require_known("environment", "measured quantity", listed, known)
    return listed


@final
class _Observed:
    """Numbers that an environment observes of a stepper."""

    def __init__(self, stepper: Stepper, names: Sequence[str]) -> None:
        self._stepper, self._names, self.seed = stepper, names, 0
        mechanism = stepper.model.mechanism
        self._columns = {x: len(columns(mechanism, one)) for x, one in mechanism.sensors.items()}
        self._limits = joint_limits(stepper.model, stepper.model.coordinates)
        self.are_limited = bool(np.isfinite([self._limits.low, self._limits.high]).any())

    @property
    def has_sensors(self) -> bool:
        """Whether sensors are observed."""
        return any(name not in self._stepper.state for name in self._names)

    @property
    def ends(self) -> tuple[Array, Array]:
        """The least and the largest values: the limits of joints for coordinates."""
        pairs = zip(self._limits.low, self._limits.high, strict=True)
        limited = dict(zip(self._stepper.model.coordinates, pairs, strict=True))
        ends = [
            limited.get(name, (-np.inf, np.inf))
            for name in self._names
            for _ in range(self._columns.get(name, 1) if name not in self._stepper.state else 1)
        ]
        low, high = np.array(ends, dtype=float).reshape(-1, 2).T
        return low, high

    def values(self) -> Array:
        """What is observed now."""
        stepper = self._stepper
        if self._names == (*stepper.model.coordinates, *stepper.model.speeds):
            return stepper.y[: len(self._names)]
        state = stepper.state
        parts = (
            [state[x]] if x in state else stepper.sensor(x, self.seed).values for x in self._names
        )
        return np.concatenate([*parts])

    @property
    def is_beyond(self) -> bool:
        """Whether a coordinate has passed a limit of its joint."""
        q = self._stepper.q
        return bool(((q < self._limits.low) | (q > self._limits.high)).any())


def box(low: Array, high: Array) -> Any:
    return gymnasium_package().spaces.Box(low, high, dtype=np.float64)


def within(values: Array, space: Any) -> Array:
    """Values between the limits of a space; for a few numbers faster than `np.clip`."""
    return np.asarray(np.minimum(np.maximum(values, space.low), space.high))


def gymnasium_package() -> Any:
    return package("gymnasium", "gymnasium", "environment", fault=SolveError)


@cache
def _kind() -> Any:
    """The class of these environments; gymnasium wants one of its own."""
    gymnasium = gymnasium_package()

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
            seen: _Observed,
        ) -> None:
            self.stepper, self._reward, self._over = stepper, reward, over
            self._duration, self._spread, self._seen = duration, spread, seen

        def reset(
            self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
        ) -> tuple[Array, dict[str, Any]]:
            """A new episode; `options={"initial": {"theta": 0.1}}` starts it there."""
            super().reset(seed=seed)
            self._seen.seed = int(self.np_random.integers(2**31)) if self._seen.has_sensors else 0
            self.stepper.reset()
            start = self.stepper.state
            start_values = {
                name: start[name] + width * float(self.np_random.uniform(-1, 1))
                for name, width in self._spread.items()
            }
            self.stepper.reset({**start_values, **(options or {}).get("initial", {})})
            return self._observed()[0], {"t": self.stepper.t}

        def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
            """One sample under commands within their limits."""
            forces = within(np.asarray(action, dtype=float), self.action_space)
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
            values = self._seen.values()
            if not self._seen.are_limited:  # quicker than to compare with infinity
                return values, False
            return within(values, self.observation_space), self._seen.is_beyond

    return Environment
