"""Equilibria and the modes about them, as parts of a report."""

from __future__ import annotations

from collections.abc import Iterable

from torseur.analyse.equilibria.equilibria import Equilibria
from torseur.analyse.stability.steady import Steady
from torseur.analyse.stability.vibration_modes import Mode
from torseur.analyse.vibrations.linearise import Linear
from torseur.errors import SolveError
from torseur.named_words import dossier_words
from torseur.report.documents.page_parts import (
    Heading,
    Inline,
    Math,
    Paragraph,
    Part,
    Parts,
    TablePart,
)
from torseur.report.pages import cells
from torseur.report.pages.content import noticed, sentence, typeset

_MOST = 6  # equilibria that are shown, each with its modes
_NOTHING = 1e-6  # of the largest amplitude of a mode


def equilibria_parts(equilibria: Equilibria, lang: str) -> Parts:
    """Where a mechanism can rest, whether it stays there, and its small motions."""
    words = dossier_words(lang)
    notices = noticed(equilibria.notices, lang)
    first = equilibria.found[:_MOST]
    if not first:
        return (Paragraph(words["No equilibrium was found."]), *notices)
    rows = tuple(
        (str(k), _state(steady), typeset(steady.stable.said, lang))
        for k, steady in enumerate(first, 1)
    )
    header = (words["equilibrium"], "", words["stability"])
    parts: list[Part] = [TablePart(header, rows)]
    if equilibria.searched is not None:
        question = words["Is the list complete? {}"]
        parts.append(Paragraph(typeset(equilibria.complete.said, lang, within=question)))
    if len(equilibria) > len(first):
        parts.append(
            Paragraph(words["{} others are not shown."].format(len(equilibria) - len(first)))
        )
    for k, steady in enumerate(first, 1):
        parts += _modes_about(k, steady, lang)
    return (*parts, *notices)


def _state(steady: Steady) -> tuple[Inline, ...]:
    """Coordinates, and the speeds that are not zero."""
    numbers = {**steady.coordinates, **{n: x for n, x in steady.speeds.items() if x}}
    cells_by_name = {
        name: cells.number(0.0 if abs(x) < 1e-12 else x) for name, x in numbers.items()
    }
    return cells.joined(
        Math(f"{cells.name(n).latex} = {x.latex}") for n, x in cells_by_name.items()
    )


def _modes_about(k: int, steady: Steady, lang: str) -> list[Part]:
    if not steady.here.chart.speeds:
        return []
    title = Heading(dossier_words(lang)["Modes about equilibrium {}"].format(k), 2)
    try:
        return [title, modes_table(steady.small_motions.modes, lang)]
    except SolveError as error:
        return [title, Paragraph(typeset(sentence, error.problem, lang))]


def modes_table(modes: Iterable[Mode], lang: str) -> TablePart:
    """Each mode with its eigenvalue, its frequency, its damping and its shape."""
    words = dossier_words(lang)
    header = tuple(
        words[key]
        for key in ("mode", "eigenvalue [1/s]", "frequency [Hz]", "damping ratio", "shape")
    )
    rows = tuple(
        (
            str(k),
            cells.complex_number(mode.eigenvalue),
            cells.number(mode.hertz, 5) if mode.oscillates else "–",
            cells.number(mode.damping, 4) if mode.oscillates else words[mode.kind],
            _shape(mode),
        )
        for k, mode in enumerate(modes, 1)
    )
    return TablePart(header, rows)


def _shape(mode: Mode) -> tuple[Inline, ...]:
    parts = (
        Math(f"{cells.name(name).latex}: {_amplitude(x)}")
        for name, x in mode.shape.items()
        if abs(x) > _NOTHING
    )
    return cells.joined(parts)


def _amplitude(x: complex) -> str:
    real, imaginary = (0.0 if abs(p) < _NOTHING else float(f"{p:.3g}") for p in (x.real, x.imag))
    return cells.complex_number(complex(real, imaginary)).latex


def linear_parts(linear: Linear, lang: str) -> Parts:
    """The small motions about a state."""
    return (
        Paragraph(_state(linear.steady)),
        Paragraph(typeset(linear.stable.said, lang)),
        modes_table(linear.modes, lang),
        *noticed(linear.notices, lang),
    )
