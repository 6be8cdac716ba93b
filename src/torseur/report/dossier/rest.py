"""Equilibria and the modes about them, as parts of a report."""

from __future__ import annotations

from collections.abc import Iterable

from torseur.analyse.equilibria.equilibria import Equilibria, equilibria
from torseur.analyse.stability.modes import Mode
from torseur.analyse.stability.steady import Steady
from torseur.analyse.vibrations.linearise import Linear
from torseur.errors import SolveError
from torseur.model.description import Mechanism
from torseur.named_words import dossier_words
from torseur.report.documents.parts import (
    Heading,
    Inline,
    Items,
    Math,
    Paragraph,
    Part,
    Parts,
    Table,
)
from torseur.report.dossier import cells
from torseur.report.pages.content import sentence
from torseur.words.sentence import said

_MOST = 6  # equilibria that are shown, each with its modes
_NOTHING = 1e-6  # of the largest amplitude of a mode


def rest_section(mechanism: Mechanism, lang: str) -> Parts:
    """Where a mechanism can rest, whether it stays there, and its small motions."""
    return equilibria_parts(equilibria(mechanism), lang)


def equilibria_parts(equilibria: Equilibria, lang: str) -> Parts:
    """The same of equilibria that were found."""
    words = dossier_words(lang)
    notices = tuple(sentence(x, lang) for x in equilibria.notices)
    told: Parts = (Items(notices),) if notices else ()
    shown = equilibria.found[:_MOST]
    if not shown:
        return (Paragraph(words["No equilibrium was found."]), *told)
    rows = tuple(
        (str(k), _state(steady), steady.stable.said(lang)) for k, steady in enumerate(shown, 1)
    )
    header = (words["equilibrium"], "", words["stability"])
    parts: list[Part] = [Table(header, rows)]
    if equilibria.searched is not None:
        parts.append(Paragraph(words["Are these all? {}"].format(_complete(equilibria, lang))))
    if len(equilibria) > len(shown):
        parts.append(
            Paragraph(words["{} more are not shown."].format(len(equilibria) - len(shown)))
        )
    for k, steady in enumerate(shown, 1):
        parts += _modes_about(k, steady, lang)
    return (*parts, *told)


def _complete(equilibria: Equilibria, lang: str) -> str:
    verdict = equilibria.complete
    return f"{said(verdict.word, lang)}: {said(verdict.reason, lang)}"


def _state(steady: Steady) -> tuple[Inline, ...]:
    """Coordinates, and the speeds that are not zero."""
    numbers = {**steady.coordinates, **{n: x for n, x in steady.speeds.items() if x}}
    listed: list[Inline] = []
    for name, x in numbers.items():
        value = cells.number(0.0 if abs(x) < 1e-12 else x).latex
        shown = Math(f"{cells.name(name).latex} = {value}")
        listed += [", ", shown] if listed else [shown]
    return tuple(listed)


def _modes_about(k: int, steady: Steady, lang: str) -> list[Part]:
    if not steady.here.chart.speeds:
        return []
    title = Heading(dossier_words(lang)["Modes about equilibrium {}"].format(k), 2)
    try:
        return [title, modes_table(steady.small_motions.modes, lang)]
    except SolveError as error:
        return [title, Paragraph(sentence(error.problem, lang))]


def modes_table(modes: Iterable[Mode], lang: str) -> Table:
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
    return Table(header, rows)


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
    told = tuple(sentence(x, lang) for x in linear.notices)
    return (
        Paragraph(_state(linear.steady)),
        Paragraph(linear.stable.said(lang)),
        modes_table(linear.modes, lang),
        *((Items(told),) if told else ()),
    )
