"""Pictures of a study: histograms, dots, bands of curves, bars of what moves an output."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np

from torseur.brief import shortened
from torseur.errors import ModelError
from torseur.figures import Figure, figure, labelled, one_panel, written
from torseur.study.description import Study
from torseur.study.stack import Stack
from torseur.words.sentence import say

Array = np.ndarray
_BANDS = ((0.05, 0.95), (0.25, 0.75))


class Shown(Protocol):
    """What is read of a result to draw it."""

    @property
    def study(self) -> Study: ...
    @property
    def t(self) -> Array: ...
    @property
    def units(self) -> dict[str, str]: ...
    @property
    def stacks(self) -> dict[str, Stack]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> Array: ...


def histogram(found: Shown, name: str, path: str | Path | None) -> Figure:
    """How often an output has which value, and the normal curve of the first order."""
    drawn, panel = one_panel(7.0, 4.0)
    _draw_histogram(panel, found, name)
    if name in found.stacks and found.stacks[name].deviation > 0:
        stack = found.stacks[name]
        x = np.linspace(-4, 4, 200)
        density = np.exp(-(x**2) / 2) / (np.sqrt(2 * np.pi) * stack.deviation)
        panel.plot(stack.nominal + x * stack.deviation, density, color="C1", label="first order")
        panel.legend(frameon=False)
    return written(drawn, path, _title(found))


def scatter(found: Shown, x: str, y: str, path: str | Path | None) -> Figure:
    """One quantity against another."""
    drawn, panel = one_panel(6.0, 4.5)
    panel.plot(found[x], found[y], ".", markersize=3, alpha=0.5)
    labelled(panel, _named(found, x), _named(found, y))
    return written(drawn, path, _title(found))


def bands(found: Shown, name: str, path: str | Path | None) -> Figure:
    """The median of a curve, and bands."""
    if found[name].ndim != 2:
        raise ModelError(
            "study",
            say('"{name}" is a number of a sample, not a curve.', name),
            say("Write it as an output: curve({name}).", name),
        )
    drawn, panel = one_panel()
    _draw_bands(panel, found, name)
    return written(drawn, path, _title(found))


def tornado(found: Shown, name: str, path: str | Path | None) -> Figure:
    """How far each factor moves an output between its ends, to first order."""
    stack = found.stacks[name]
    order = np.argsort(np.ptp(stack.swings, axis=1))
    drawn, panel = one_panel(7.0, 1.2 + 0.5 * len(order))
    low, high = stack.swings[order].T
    places = np.arange(len(order))
    panel.barh(places, low, color="C0")
    panel.barh(places, high, color="C1")
    panel.axvline(0.0, color="k", linewidth=0.8)
    panel.set_yticks(places, [stack.names[k] for k in order])
    unit = f" [{stack.unit}]" if stack.unit else ""
    labelled(panel, f"{name} − {stack.nominal:.6g}{unit}", "")
    return written(drawn, path, _title(found))


def overview(found: Shown, path: str | Path | None) -> Figure:
    """A panel for every output."""
    outputs = found.study.outputs
    drawn = figure(7.0, 0.6 + 2.6 * len(outputs))
    for panel, output in zip(np.atleast_1d(drawn.subplots(len(outputs), 1)), outputs, strict=True):
        (_draw_bands if output.is_curve else _draw_histogram)(panel, found, output.name)
    return written(drawn, path, _title(found))


def _draw_histogram(panel: Any, found: Shown, name: str) -> None:
    values = found[name]
    values = values[np.isfinite(values)]
    panel.hist(values, bins="auto" if np.ptp(values) > 0 else 1, density=True, alpha=0.6)
    labelled(panel, _named(found, name), "density")


def _draw_bands(panel: Any, found: Shown, name: str) -> None:
    curves = found[name][~np.isnan(found[name]).all(axis=1)]
    for low, high in _BANDS:
        ends = np.nanquantile(curves, (low, high), axis=0)
        label = f"{100 * (high - low):.0f} %"
        panel.fill_between(found.t, *ends, alpha=0.25, color="tab:blue", label=label)
    panel.plot(found.t, np.nanmedian(curves, axis=0), color="tab:blue", label="50 %")
    labelled(panel, "t [s]", _named(found, name))
    panel.legend(frameon=False)


def _named(found: Shown, name: str) -> str:
    unit = found.units.get(name, "")
    return f"{name} [{unit}]" if unit else name


def _title(found: Shown) -> str:
    return shortened(f"{found.study.name}: {len(found)} samples")
