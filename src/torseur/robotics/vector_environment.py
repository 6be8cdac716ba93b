"""Many environments of gymnasium at once: all of them move in one call of machine code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Protocol, final

import numpy as np

from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import free_symbols
from torseur.brief import shortened
from torseur.errors import ModelError, SolveError, require_known
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import RowsMemory
from torseur.machine.integrators.methods import Dop853, FixedStep, Method
from torseur.machine.integrators.problem import MotionRows
from torseur.model.checks.limits import sensible
from torseur.model.description import Mechanism
from torseur.robotics.environment import (
    RTOL,
    box,
    gymnasium_package,
    stated_ranges,
    within,
)
from torseur.robotics.joint_limits import joint_limits
from torseur.simulation.batch.batch import threads_or_all
from torseur.simulation.batch.lane_motion import LaneMotion, why_not
from torseur.simulation.batch.values import BatchValues
from torseur.simulation.control.loop import Limits, saturated
from torseur.simulation.formulations.joint_start import joint_start
from torseur.simulation.formulations.protocol import FAILURES
from torseur.simulation.formulations.request import Beginning
from torseur.simulation.formulations.shorthands import settings_of
from torseur.simulation.stepper import Stepper
from torseur.words.sentence import say

Array = np.ndarray
_FEW = 1024  # copies for which other threads cost more than they give back
Rewards = Callable[[Array, Array, Array, Array], Any]  # (rows,) of t, q, v and the forces
Ends = Callable[[Array, Array, Array], Any]  # (rows,) of t, q and v


def environments(
    mechanism: Mechanism | CompiledModel,
    reward: Rewards,
    count: int,
    *,
    sample: float = 0.02,
    duration: float | None = None,
    over: Ends | None = None,
    actuators: Sequence[str] | None = None,
    saturation: Limits | Mapping[str, Limits] | None = None,
    initial: Mapping[str, Any] | None = None,
    spread: Mapping[str, float] | None = None,
    parameters: Mapping[str, Any] | None = None,
    method: str | Method = "auto",
    rtol: float | None = None,
    step: float | None = None,
    threads: int | None = None,
) -> Any:
    """A vector environment of gymnasium with `count` copies of a mechanism.

    Arguments are those of `environment`, with arrays that have a row for each copy: `reward` and
    `over` get t (rows,), q, v and the commands (rows, …) and give one value a row. An observation
    is the coordinates, then the speeds. A copy whose episode is over starts anew in the next step.
    Smooth mechanisms move in lanes of machine code on `threads`; with contacts, or where the time
    counts, one copy after the other.
    """
    if count < 1:
        raise ModelError("environments", say("count must be at least 1, got {count}.", count))
    given: dict[str, Any] = {
        "actuators": actuators, "initial": initial, "parameters": parameters, "method": method,
        "step": step, "rtol": RTOL if rtol is None and isinstance(method, str) else rtol,
    }  # fmt: skip
    stepper = Stepper(mechanism, sample, **given)
    names = (*stepper.model.coordinates, *stepper.model.speeds)
    require_known("environments", "coordinate or speed", spread or (), names)
    for width in (spread or {}).values():
        sensible("environments", say("the value"), width)
    if duration is not None and not sensible("environments", say("the duration"), duration) > 0:
        problem = say("the duration must be positive, got {length}.", duration)
        raise ModelError("environments", problem)
    if threads is None and count < _FEW:
        threads = 1
    lanes = _lanes(stepper, settings_of(method, rtol=given["rtol"], step=step).method, threads)
    moving: _Moving = lanes or _OneByOne(lambda: Stepper(mechanism, sample, **given), count)
    copies = _kind()(stepper, moving, count, reward, over, duration, spread or {})
    ranges = saturated(saturation, stepper.actuators)
    low, high = stated_ranges(stepper) if saturation is None else ranges
    _set_spaces(copies, stepper, low, high)
    return copies


class _Moving(Protocol):
    """What moves the states of all copies."""

    def start(self, row: int, initial: dict[str, float]) -> Array:
        """The first state of a row."""

    def move(self, states: Array, t: Array, forces: Array) -> Array:
        """(rows, n): the states a sample later."""


def _lanes(stepper: Stepper, method: Method, threads: int | None) -> _Lanes | None:
    """The copies in lanes; None where they cannot be."""
    model = stepper.model
    if not isinstance(method, Dop853 | FixedStep):
        return None
    begin = joint_start(model, Beginning(dict(stepper.state), 0.0))
    if why_not(begin):
        return None
    codes = model.motion(begin.rows).values()
    if any(TIME in free_symbols(list(code.kernel.outputs)) for code in codes):
        return None
    method = replace(method, patience=0) if isinstance(method, Dop853) else method
    motion = LaneMotion(begin, BatchValues(1, {}, dict(model.given)))
    return _Lanes(stepper, motion, method, threads_or_all(threads))


@final
class _Lanes:
    """Copies of a smooth mechanism as the rows of a batch."""

    def __init__(self, stepper: Stepper, motion: LaneMotion, method: Method, threads: int) -> None:
        self._stepper, self._method, self._threads = stepper, method, threads
        self._problem = replace(motion.problem(), events=None, energy=None)
        y, sample = stepper.y[np.newaxis], stepper.sample
        sizes = motion.sizes(y, 0.0, sample)
        self._sizes = replace(sizes, usual=np.ravel(sizes.usual), grain=np.ravel(sizes.grain))
        self._times, self._first = np.array([0.0, sample]), stepper.commands
        self._memory: RowsMemory | None = None

    def start(self, row: int, initial: dict[str, float]) -> Array:
        return self._stepper.reset(initial).y

    def move(self, states: Array, t: Array, forces: Array) -> Array:
        states = states.copy()
        states[:, self._first] = forces
        if self._memory is None:
            rows = MotionRows(states, self._times, self._sizes)
            self._memory = RowsMemory(self._problem, rows, self._method, self._threads)
        else:
            self._memory.restart(states)
        outcome = self._memory.move()
        for row in np.flatnonzero(outcome.codes != int(Code.DONE)):
            why = FAILURES.get(Code(int(outcome.codes[row])), say("the motion cannot go on"))
            raise SolveError("environments", say("copy {row}: {reason}.", int(row), why))
        return outcome.last.copy()


@final
class _OneByOne:
    """Copies that steppers move."""

    def __init__(self, make: Callable[[], Stepper], count: int) -> None:
        self._steppers = [make() for _ in range(count)]

    def start(self, row: int, initial: dict[str, float]) -> Array:
        return self._steppers[row].reset(initial).y

    def move(self, states: Array, t: Array, forces: Array) -> Array:
        pairs = zip(self._steppers, forces, strict=True)
        return np.array([stepper.step(force).y for stepper, force in pairs])


def _set_spaces(copies: Any, stepper: Stepper, low: Array, high: Array) -> None:
    """Spaces of one copy and of all; commands are between low and high."""
    from gymnasium.vector.utils import batch_space

    limits = joint_limits(stepper.model, stepper.model.coordinates)
    unlimited = np.full(len(stepper.v), np.inf)
    ends = (limits.low, -unlimited), (limits.high, unlimited)
    copies.single_action_space = box(low, high)
    copies.single_observation_space = box(*map(np.concatenate, ends))
    copies.action_space = batch_space(copies.single_action_space, copies.num_envs)
    copies.observation_space = batch_space(copies.single_observation_space, copies.num_envs)


def _commands(actions: Any, space: Any) -> Array:
    """Commands within their limits, one row for each copy."""
    try:
        values = np.asarray(actions, dtype=float)
    except (TypeError, ValueError):
        problem = say("the actions are {shown}, not numbers.", shortened(repr(actions)))
        raise ModelError("environments", problem) from None
    if values.shape != space.shape:
        problem = say(
            "the actions have shape {shape}, expected {wanted}.", values.shape, space.shape
        )
        raise ModelError("environments", problem)
    if not np.isfinite(values).all():
        raise ModelError("environments", say("an action is not finite."))
    return within(values, space)


@cache
def _kind() -> Any:
    """The class of these environments; gymnasium wants one of its own."""
    gymnasium = gymnasium_package()
    from gymnasium.vector import AutoresetMode, VectorEnv

    class Environments(VectorEnv):  # type: ignore[misc, type-arg, unused-ignore]
        """Copies of a mechanism that are moved step by step."""

        def __init__(
            self,
            stepper: Stepper,
            moving: _Moving,
            count: int,
            reward: Rewards,
            over: Ends | None,
            duration: float | None,
            spread: Mapping[str, float],
        ) -> None:
            self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
            self.num_envs, self._moving, self._stepper = count, moving, stepper
            self._reward, self._over, self._duration, self._spread = reward, over, duration, spread
            self._nq, self._n = len(stepper.q), len(stepper.q) + len(stepper.v)
            self._limits = joint_limits(stepper.model, stepper.model.coordinates)
            self._y = np.tile(stepper.y, (count, 1))
            self._t, self._ended = np.zeros(count), np.zeros(count, dtype=bool)

        def reset(
            self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
        ) -> tuple[Array, dict[str, Any]]:
            """New episodes of all copies."""
            if seed is not None:
                self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(seed)
            self._start(np.ones(self.num_envs, dtype=bool), (options or {}).get("initial", {}))
            return self._observed(), {"t": self._t.copy()}

        def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
            """One sample of all copies; those whose episode was over start anew instead."""
            forces, anew = _commands(actions, self.action_space), self._ended
            self._y = self._moving.move(self._y, self._t, forces)
            self._t = self._t + self._stepper.sample
            if anew.any():
                self._start(anew, {})
            q, v = self._y[:, : self._nq], self._y[:, self._nq : self._n]
            rewards = np.where(anew, 0.0, self._reward(self._t, q, v, forces))
            lost = ((q < self._limits.low) | (q > self._limits.high)).any(axis=1)
            if self._over is not None:
                lost = lost | np.asarray(self._over(self._t, q, v), dtype=bool)
            late = self._t > (self._duration or np.inf) - self._stepper.sample / 2
            lost, late = lost & ~anew, late & ~anew
            self._ended = lost | late
            text = {"t": self._t.copy(), "forces": forces}
            return self._observed(), rewards.astype(float), lost, late, text

        def _start(self, chosen: Array, initial: Mapping[str, Any]) -> None:
            state = self._stepper.reset().state
            for row in np.flatnonzero(chosen).tolist():
                values = {
                    name: state[name] + width * float(self.np_random.uniform(-1, 1))
                    for name, width in self._spread.items()
                }
                self._y[row] = self._moving.start(row, {**values, **initial})
            self._t[chosen] = 0.0
            self._ended = self._ended & ~chosen

        def _observed(self) -> Array:
            return within(self._y[:, : self._n].copy(), self.observation_space)

    return Environments
