"""From measured positions to speeds and accelerations, and noise taken out without delay.

Positions pass a Butterworth filter forwards and backwards, so that nothing is shifted in time, and
are differentiated by central differences; the columns of the regressor and the forces pass the same
filter, and few samples are kept, whose errors are then nearly independent (Gautier, 1997).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
import scipy

from torseur.analyse.chaos.spectrum import even_interval
from torseur.errors import ModelError
from torseur.machine.compiled import CompiledModel
from torseur.robotics.identification.logs import Log
from torseur.robotics.states import States
from torseur.words.sentence import say

Array = np.ndarray
_UNEVEN = 1e-3  # of an interval
_POWER = 0.999  # of a motion lies below the frequency that the cut-off follows
_ABOVE = 5.0  # times that frequency is the cut-off
_LARGEST = 0.4  # of the rate of samples
_KEPT = 1.6  # samples a period of the cut-off: filtered noise of more is not independent
_SETTLED = 3.0  # periods of the cut-off


@final
@dataclass(frozen=True)
class Filtering:
    """The cut-off frequency, the order of the Butterworth filter, and which samples are kept.

    Without a cut-off, a log that has speeds and accelerations is taken as it is; for one that has
    not, it is five times the frequency below which 99.9 % of the power of the motion lies. Without
    a `decimation`, 1.6 samples are kept in each period of the cut-off, whose noise is then nearly
    independent: passed twice, the filter leaves noise in a band of about 0.9 times the cut-off.
    """

    cutoff: float | None = None  # [Hz]
    order: int = 4
    decimation: int | None = None  # every how many samples one is kept


USUAL = Filtering()


@final
@dataclass(frozen=True, eq=False)
class PreparedLog:
    """States at the samples of a log, and how tables of samples are filtered and thinned out."""

    t: Array
    states: States
    Q: Array
    kept: slice  # of the samples
    smooth: Callable[[Array], Array]
    told: tuple[str, ...]  # what was done, in sentences

    def filtered(self, x: Array) -> Array:
        """The samples that are kept of a table, noise taken out."""
        return np.asarray(self.smooth(x)[self.kept])


def prepare_log(model: CompiledModel, log: Log, filtering: Filtering) -> PreparedLog:
    """Speeds and accelerations of a log that has none; noise taken out."""
    log = log.checked(model)
    if log.v is not None and log.a is not None and filtering.cutoff is None:
        step = _decimation(filtering, 1)
        parts = _with_decimation(step, ())
        states = States(log.q, log.v, log.a)
        parts = ("speeds and accelerations are those of the log, without a filter.", *parts)
        return PreparedLog(log.t, states, log.Q, slice(None, None, step), np.asarray, parts)
    advice = "Interpolate the log at even times, or give speeds and accelerations in it."
    rate = 1 / even_interval(log.t, _UNEVEN, "log", advice)  # samples a second
    cutoff = _cutoff(filtering, log, rate)
    smooth = _filter(filtering.order, cutoff, rate, len(log.t))
    step = _decimation(filtering, max(1, int(rate / (_KEPT * cutoff))))
    margin = _margin(rate, cutoff)
    parts = (
        say(
            "positions: Butterworth filter of order {order} at {cutoff:.4g} Hz, forwards and "
            "backwards (no delay).",
            filtering.order,
            cutoff,
        ),
        _differences_text(log),
        "the columns of the regressor and the forces pass the same filter.",
        say("{margin} samples are left out at both ends, where the filter settles.", margin),
    )
    samples = slice(margin, len(log.t) - margin, step)
    states = _differentiated(model, log, smooth, 1 / rate)
    return PreparedLog(log.t, states, log.Q, samples, smooth, _with_decimation(step, parts))


def _differences_text(log: Log) -> str:
    if log.v is None:
        return "speeds and accelerations: central differences of the filtered positions."
    if log.a is None:
        return "accelerations: central differences of the filtered speeds of the log."
    return "speeds and accelerations: those of the log, through the same filter."


def _with_decimation(step: int, texts: tuple[str, ...]) -> tuple[str, ...]:
    return (*texts, say("one sample in {every} is used.", step)) if step > 1 else texts


def _decimation(filtering: Filtering, otherwise: int) -> int:
    step = otherwise if filtering.decimation is None else filtering.decimation
    if step < 1:
        raise ModelError("decimation", say("it is {every}; it must be 1 or more.", step))
    return step


def _cutoff(filtering: Filtering, log: Log, rate: float) -> float:
    """The cut-off that was asked for, or one well above what the motion holds."""
    if filtering.cutoff is not None:
        if not 0 < filtering.cutoff < rate / 2:
            problem = say(
                "a cut-off at {cutoff:g} Hz does not fit {rate:g} samples per second.",
                filtering.cutoff,
                rate,
            )
            raise ModelError("cutoff", problem, "It must lie below half the rate of samples.")
        return filtering.cutoff
    moving = log.q - log.q.mean(axis=0)
    power = (np.abs(np.fft.rfft(moving * np.hanning(len(log.t))[:, np.newaxis], axis=0)) ** 2).T
    lines = np.fft.rfftfreq(len(log.t), 1 / rate)
    share = np.cumsum(power, axis=1) / np.maximum(power.sum(axis=1, keepdims=True), 1e-300)
    highest = float(lines[(share < _POWER).sum(axis=1).max()])
    return float(np.clip(_ABOVE * highest, 2 * rate / len(log.t), _LARGEST * rate))


def _margin(rate: float, cutoff: float) -> int:
    """The samples at an end where the filter, which is passed twice, has not settled."""
    return int(np.ceil(_SETTLED * rate / cutoff))


def _filter(order: int, cutoff: float, rate: float, samples: int) -> Callable[[Array], Array]:
    if not 1 <= order <= 12:
        raise ModelError("order", say("a filter of order {order} is not one of 1 to 12.", order))
    sections = scipy.signal.butter(order, cutoff, fs=rate, output="sos")
    needed = 6 * len(sections) + 3 + 2 * _margin(rate, cutoff)
    if samples <= needed:
        problem = say("{samples} samples are too few: {needed} are needed.", samples, needed)
        raise ModelError("log", problem, "Record longer, or give a higher cut-off.")

    def smooth(x: Array) -> Array:
        return np.asarray(scipy.signal.sosfiltfilt(sections, x, axis=0))

    return smooth


def _differentiated(
    model: CompiledModel, log: Log, smooth: Callable[[Array], Array], step: float
) -> States:
    q = smooth(log.q)
    if log.v is not None:
        v = smooth(log.v)
        return States(q, v, np.gradient(v, step, axis=0) if log.a is None else smooth(log.a))
    rates = tuple(f"{name}." for name in model.coordinates)
    if rates != model.speeds:
        other = next(x for x in model.speeds if x not in rates)
        problem = say('the speed "{other}" is not the rate of a coordinate.', other)
        raise ModelError("log", problem, "Give speeds in the log.")
    a = np.zeros_like(q)
    a[1:-1] = (q[2:] - 2 * q[1:-1] + q[:-2]) / step**2
    a[0], a[-1] = a[1], a[-2]
    return States(q, np.gradient(q, step, axis=0), a)
