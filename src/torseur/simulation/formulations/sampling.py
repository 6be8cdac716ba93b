"""A formulation moves, and is sampled at a rate, at given times, or as finely as it asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, final

import numpy as np

from torseur.errors import ModelError
from torseur.machine.integrators.methods import FixedStep
from torseur.model.checks.limits import sensible
from torseur.simulation.control.loop import Instants, Loop, instants
from torseur.simulation.formulations.protocol import Formulation, MotionStates
from torseur.simulation.formulations.request import Progress, Request, check_positive
from torseur.simulation.run.run import Run
from torseur.simulation.run.samples import Course, Happened
from torseur.words.sentence import say

Array = np.ndarray
S = TypeVar("S")  # samples
RATE = 100.0  # samples a second, at least, where no rate is given
TURN = 0.1  # the most that an angle turns between two of them [rad]
SHARE = 0.05  # the most of its own range that a coordinate or a speed crosses between two of them
MOST = 20_000  # samples that are made where no rate is given
LARGEST = 10_000_000  # samples of any run
PASSES = 3  # until what moves is sampled finely enough
_SELDOM = 0.98  # the fraction of the samples that must be near enough to each other
_NOTHING = 1e-3  # of the widest range of its kind: a range too small to see
_STILL = 1e-6  # of the largest value of its kind: a range that is none
_ROUNDED = 1e-12  # of the size of the mechanism: a range that rounding explains
_ABOUT = 0.99  # of a rate is the rate: that of a motion known to a tolerance
_TELL = 1.5  # a rate that is short of what is asked for by this factor is reported
_ROUNDING = 1e-9  # of an interval
_NEARLY = 1e-9  # of a step, as in the integrators


@final
@dataclass(frozen=True)
class Sampling:
    """Samples of a motion: `rate` a second, or `at` times; by default as many as curves need."""

    rate: float | None = None  # [1/s]
    at: Sequence[float] | Array | None = None  # [s]

    def __post_init__(self) -> None:
        check_positive(rate=self.rate)
        if self.rate is not None:
            sensible("simulate", "rate", self.rate)
        if self.rate is not None and self.at is not None:
            problem = say("rate {rate} and times at=[…] exclude each other.", self.rate)
            raise ModelError("simulate", problem)


@final
@dataclass(frozen=True)
class Schedule:
    """Times at which states are kept: the start, all samples, the end."""

    times: Array
    rate: float | None = None  # None: the times are given
    is_chosen: bool = False  # the rate by default, which may be raised
    given: Array | None = None

    @property
    def span(self) -> float:
        """Duration [s]."""
        return float(self.times[-1] - self.times[0])

    @property
    def interval(self) -> float:
        """Interval between two samples, the mean if their times are given."""
        count = len(self.times) - 1
        return self.span / count if self.rate is None else min(1 / self.rate, self.span)

    def finer(self, factor: int) -> Schedule:
        """Schedule with `factor` times as many samples a second."""
        assert self.rate is not None, "times that are given stay"
        first, last = float(self.times[0]), float(self.times[-1])
        return Schedule(_regular(first, last, factor * self.rate), factor * self.rate, True)


def schedule_of(duration: float | None, sampling: Sampling, start: float) -> Schedule:
    """Samples at start + k / rate and at the end, or at the times of a sampling."""
    check_positive(duration=duration)
    if not np.isfinite(start):
        raise ModelError("simulate", say("start must be finite, got {start}.", start))
    sensible("simulate", "start", start)
    if duration is not None:
        sensible("simulate", "duration", duration)
    if sampling.at is not None:
        return _given(duration, sampling.at, start)
    if duration is None:
        raise ModelError(
            "simulate", "no duration is given.", "Give it in seconds, or times: at=[…]."
        )
    rate = sampling.rate or RATE
    return Schedule(_regular(start, start + duration, rate), rate, sampling.rate is None)


def controlled_schedule(schedule: Schedule, loop: Loop) -> tuple[Schedule, Instants]:
    """Samples at the times asked for, and states kept whenever control acts on the motion.

    Where no rate is given, samples are at the instants at which the law measures.
    """
    start, end = float(schedule.times[0]), float(schedule.times[-1])
    if (end - start) / loop.sample > LARGEST:
        raise ModelError(
            "simulate",
            say(
                "{span:g} s with a sample every {sample:g} s are more than {largest:.0e} samples.",
                end - start,
                loop.sample,
                LARGEST,
            ),
            "Give a longer sampling time.",
        )
    moments = instants(loop, schedule.times)
    often = schedule.is_chosen and len(schedule.times) <= len(moments.measured) <= MOST
    times = np.unique([*moments.measured, end]) if often else schedule.times
    given = times if schedule.given is None else schedule.given
    return Schedule(np.unique([*times, *moments.acting]), given=given), moments


def _given(duration: float | None, at: Sequence[float] | Array, start: float) -> Schedule:
    times = np.atleast_1d(np.asarray(at, dtype=float))
    if times.ndim != 1 or not len(times) or not np.all(np.isfinite(times)):
        raise ModelError("simulate", say("at must be a list of finite times, got {at}.", at))
    if not np.all(np.diff(times) > 0):
        raise ModelError("simulate", say("the times at=[…] must increase, got {times}.", times))
    end = float(times[-1]) if duration is None else start + duration
    if abs(times[-1] - end) <= _ROUNDING * (end - start):
        end = float(times[-1])
    if times[0] < start or times[-1] > end or not end > start:
        raise ModelError(
            "simulate",
            say(
                "the times at=[{times:g}, …, {times2:g}] are not within the run, which lasts from "
                "{start:g} to {end:g} s.",
                times[0],
                times[-1],
                start,
                end,
            ),
            "Give a longer duration, or another start.",
        )
    sensible("simulate", "duration", end - start)
    return Schedule(np.unique([start, *times, end]), given=times)


def _regular(start: float, end: float, rate: float) -> Array:
    """start + k / rate, and the end."""
    count = (end - start) * rate
    if count > LARGEST:
        raise ModelError(
            "simulate",
            say(
                "{end:g} s at {rate:g} samples a second are {count:.3g} samples, and the most is "
                "{largest:.0e}.",
                end - start,
                rate,
                count,
                LARGEST,
            ),
            "Give a lower rate.",
        )
    whole = round(count)
    times = start + np.arange(int(count) + 1) / rate
    if whole and abs(count - whole) <= _ROUNDING:
        times = np.append(start + np.arange(whole) / rate, end)
    elif times[-1] < end:
        times = np.append(times, end)
    if len(times) < 2 or not np.all(np.diff(times) > 0):
        problem = say(
            "from {start:g} to {end:g} s there are no two times {rate:g} s apart.",
            start,
            end,
            1 / rate,
        )
        raise ModelError("simulate", problem, "Start nearer to zero, or give a lower rate.")
    return times


# --- as finely as what moves asks for ---------------------------------------------------------


def asked_rate(run: Run) -> float:
    """The samples a second at which curves and paths are smooth: see TURN and SHARE."""
    units = run.names
    moving = [name for name in units if f"{name}." in units]  # the others are parts of quaternions
    speeds = [name for name, unit in units.items() if unit.endswith("/s")]
    if not speeds:  # nothing can move
        return 0.0
    v = np.column_stack([run[name] for name in speeds])
    table = np.column_stack([*(run[name] for name in moving), v])
    rates = np.column_stack([*(run[f"{name}."] for name in moving), slopes(run.t, v)])
    turning = v[:, [units[name] == "rad/s" for name in speeds]]
    kinds = [units[name] for name in (*moving, *speeds)]
    least = _ROUNDED * run.model.sizes.scales.of(kinds)
    return rate_for(table, rates, kinds, turning, least)


def slopes(t: Array, y: Array) -> Array:
    """Rates of change of columns at each sample, by the larger of the differences beside it."""
    differences = np.abs(np.diff(y, axis=0)) / np.diff(t)[:, np.newaxis]
    return np.maximum(
        np.vstack([differences[:1], differences]), np.vstack([differences, differences[-1:]])
    )


def rate_for(
    table: Array,
    rates: Array,
    kinds: Sequence[str],
    turning: Array,
    least: Array | float = 0.0,
) -> float:
    """The samples a second that all but a few samples of columns ask for, and rotations [rad/s].

    A range of `least` is rounding.
    """
    ranges, labels = np.ptp(table, axis=0), np.array(kinds)
    for kind in set(kinds):
        of_kind = labels == kind
        widest, largest = ranges[of_kind].max(), np.abs(table[:, of_kind]).max()
        if kind == "rad":
            widest, largest = min(widest, 2 * np.pi), min(largest, 2 * np.pi)
        visible = max(_NOTHING * widest, _STILL * largest)
        ranges[of_kind] = np.maximum(ranges[of_kind], visible)
    moving = ranges > least
    needed = [
        np.abs(rates[:, moving]) / (SHARE * ranges[moving]),
        np.abs(turning) / TURN,
        np.zeros((len(table), 1)),
    ]
    return float(np.quantile(np.concatenate(needed, axis=1).max(axis=1), _SELDOM))


def factor_for(schedule: Schedule, rate: float, steps: int | None) -> int:
    """By how much to multiply a rate that may be raised: 2, 5, 10, 20, …

    A method of fixed step keeps its step: `steps` are those of an interval.
    """
    if not schedule.is_chosen or schedule.rate is None:
        return 1
    room = max(MOST // max(len(schedule.times) - 1, 1), 1)
    factors: Iterable[int] = (n * 10**k for k in range(9) for n in (1, 2, 5))
    if steps is not None:
        factors = (k for k in range(1, steps + 1) if steps % k == 0)
    fitting = [k for k in factors if k <= room]
    return next((k for k in fitting if k * schedule.rate >= _ABOUT * rate), fitting[-1])


def coarse(schedule: Schedule, rate: float) -> list[str]:
    """Notice about samples at a default rate that are too few for smooth curves."""
    if not schedule.is_chosen or schedule.rate is None or rate < _TELL * schedule.rate:
        return []
    return [
        say(
            "Sampled {rate:g} times a second; smooth curves of this motion need about {rate2:.2g}: "
            "give a rate.",
            schedule.rate,
            rate,
        )
    ]


# --- the motion -----------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class SampledMotion(Generic[S]):
    """A motion, its samples, notices and events."""

    course: Course[S]
    samples: S
    notices: tuple[str, ...]
    events: tuple[Happened, ...]


def sample_motion(
    moving: Formulation[S],
    schedule: Schedule,
    smooth_rate: Callable[[S], float],  # the samples a second at which curves are smooth
    progress: Progress | None = None,
) -> SampledMotion[S]:
    """The motion; where no rate is given, it moves once more: how fast it is must be seen first."""
    motion = moving.move(moving.start, Request(schedule.times, progress))
    course, rate = _course(moving, motion), 0.0
    for _ in range(PASSES if schedule.is_chosen and motion.is_whole else 0):
        rate = smooth_rate(course.whole)
        factor = factor_for(schedule, rate, _steps(moving, schedule))
        if factor == 1:
            break
        finer = schedule.finer(factor)
        again = moving.move(moving.start, Request(finer.times, progress))
        if not again.is_whole:
            break
        schedule, motion, course = finer, again, _course(moving, again)
    is_given = None if schedule.given is None else np.isin(motion.t, schedule.given)
    notices = (*moving.notices, *motion.notices, *coarse(schedule, rate))
    return SampledMotion(course, course.sampled(is_given), notices, motion.events)


def _course(moving: Formulation[S], motion: MotionStates) -> Course[S]:
    def onward(times: Array, state: Array) -> Array:
        further = moving.move(state, Request(times, watches=False))
        if not further.is_whole:
            raise KeyboardInterrupt
        return further.states

    return Course(motion.t, motion.states, onward, moving.samples)


def _steps(moving: Formulation[S], schedule: Schedule) -> int | None:
    """The steps of an interval, if they are of fixed length."""
    if not isinstance(moving.stepping, FixedStep):
        return None
    return 1 + int(schedule.interval / moving.stepping.length - _NEARLY)
