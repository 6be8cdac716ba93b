"""The spectrum of a signal of a run, with its peaks named after the frequencies that are known."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import final

import numpy as np
import scipy

from torseur.errors import ModelError
from torseur.figures import Figure, labelled, one_panel, written
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
_EVEN = 1e-6  # of the sampling interval
_HARMONICS = 4  # the highest multiple that a peak is named after
_NEAR = 1.0  # lines of the spectrum within which a frequency is that of a peak


@final
class SpectrumPeak(Result):
    """A frequency at which a signal is strong."""

    frequency: float  # [Hz]
    amplitude: float  # of the sine, in the unit of the signal
    name: str = ""  # such as "2ω"; empty where nothing known is near


@final
class Spectrum(Result, document=("mean", "unit", "resolution", "peaks")):
    """The amplitudes of the sines that a signal is made of."""

    frequency: Array  # (lines) [Hz]
    amplitude: Array  # (lines), in the unit of the signal
    mean: float
    unit: str
    peaks: tuple[SpectrumPeak, ...]  # the strongest first

    @property
    def resolution(self) -> float:
        """The distance of two lines, 1/duration [Hz]; peaks closer than four are one."""
        return float(self.frequency[1])

    def __str__(self) -> str:
        lines = [self.say("mean {mean:.6g} {unit}, lines every {resolution:.4g} Hz")]
        for x in self.peaks:
            lines.append(f"{x.frequency:12.6g} Hz  {x.amplitude:10.4g} {self.unit}  {x.name}")
        return "\n".join(lines)

    def figure(self, path: str | Path | None = None) -> Figure:
        """Amplitude against frequency, with the names of the peaks."""
        drawn, panel = one_panel()
        panel.plot(self.frequency, self.amplitude, linewidth=1.2)
        for x in self.peaks:
            label = f"{x.name or ''} {x.frequency:.4g} Hz".strip()
            panel.annotate(label, (x.frequency, x.amplitude), ha="center", va="bottom", fontsize=8)
        labelled(panel, "frequency [Hz]", say("amplitude [{unit}]", self.unit))
        panel.margins(y=0.12)
        return written(drawn, path)


def spectrum(
    t: Array,
    signal: Array,
    *,
    unit: str = "",
    known: Mapping[str, float] | None = None,
    least: float = 0.01,
) -> Spectrum:
    """The spectrum of evenly spaced samples, through a Hann window; amplitudes are those of sines.

    `known` names angular frequencies [rad/s], such as {"ω": 209.4}; peaks at small multiples of
    them, and at sums and differences, bear their names. Peaks below `least` of the highest are
    left out.
    """
    t, s = np.asarray(t, dtype=float), np.asarray(signal, dtype=float)
    if len(t) != len(s) or len(t) < 16:
        problem = say("16 samples or more are needed, got {number} and {number2}.", len(t), len(s))
        raise ModelError("spectrum", problem)
    step = even_interval(t, _EVEN, "spectrum", "Sample at a constant rate.")
    window = scipy.signal.windows.hann(len(s), sym=False)
    # the window also weighs the mean that is removed, or slow signals would leave a trace of it
    mean = float(window @ s / window.sum())
    lines = np.abs(np.fft.rfft((s - mean) * window)) * 2 / window.sum()
    frequency = np.fft.rfftfreq(len(s), step)
    peaks = _peaks(lines, frequency[1], least)
    named = [SpectrumPeak(f, a, _name(f, frequency[1], known or {})) for f, a in peaks]
    return Spectrum(frequency, lines, mean, unit, tuple(named))


def even_interval(t: Array, most: float, place: str, advice: str) -> float:
    """The time between samples, where intervals differ by less than a part of it at most."""
    step = float(t[-1] - t[0]) / (len(t) - 1)
    uneven = np.abs(np.diff(t) - step).max() / step
    if not uneven < most:
        problem = say(
            "the samples are not evenly spaced: intervals differ by {uneven:.1e}.", uneven
        )
        raise ModelError(place, problem, advice)
    return step


def _peaks(lines: Array, line: float, least: float) -> list[tuple[float, float]]:
    """Frequency and amplitude of each peak, between lines by the shape of the window.

    For a Hann window and a sine at k + d lines, the larger neighbour stands in the ratio
    (1 + |d|)/(2 − |d|) to the peak, whose height is sinc(d)/(1 − d²) of the amplitude.
    """
    highest = lines.max(initial=0.0)
    if not highest > 0:
        return []
    places, _ = scipy.signal.find_peaks(np.append(lines, 0.0), height=least * highest)
    peaks = []
    for k in places:
        left, right = lines[k - 1], lines[min(k + 1, len(lines) - 1)]
        ratio = max(left, right) / lines[k]
        shift = np.clip((2 * ratio - 1) / (1 + ratio), 0.0, 0.5) * (1 if right > left else -1)
        amplitude = lines[k] * (1 - shift**2) / np.sinc(shift)
        peaks.append(((k + shift) * line, float(amplitude)))
    return sorted(peaks, key=lambda pair: -pair[1])


def _name(frequency: float, line: float, known: Mapping[str, float]) -> str:
    """The simplest combination of known frequencies within a line of the peak."""
    rates = np.array(list(known.values())) / (2 * np.pi)
    counts = range(-_HARMONICS, _HARMONICS + 1)
    small = [n for n in product(counts, repeat=len(rates)) if 0 < sum(map(abs, n)) <= _HARMONICS]
    near = [n for n in small if abs(float(np.dot(n, rates)) - frequency) < _NEAR * line]
    if not near:
        return ""
    best = min(near, key=lambda n: (sum(map(abs, n)), [-x for x in n]))
    return _written_sum(best, list(known))


def _written_sum(counts: tuple[int, ...], names: list[str]) -> str:
    text = ""
    for n, name in zip(counts, names, strict=True):
        if n:
            sign = "-" if n < 0 else "+" if text else ""
            text += f" {sign} " if text else sign
            text += f"{abs(n) if abs(n) > 1 else ''}{name}"
    return text
