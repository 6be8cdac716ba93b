"""A run and the equilibria as parts of a report: quality, drives, reactions, events, curves."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from torseur.analyse.equilibria.equilibria import Equilibria
from torseur.analyse.stability.steady import Steady
from torseur.analyse.stability.vibration_modes import Mode
from torseur.analyse.vibrations.linearise import Linear
from torseur.brief import without_rounding
from torseur.errors import ModelError, SolveError
from torseur.model.called import called_element
from torseur.model.constraints.protocol import JointRows
from torseur.model.constraints.selection import between_frames, imposed_coordinates
from torseur.model.contact.elements import elements
from torseur.named_words import dossier_words, report_words
from torseur.report.documents.page_parts import (
    Heading,
    Inline,
    Math,
    Paragraph,
    Part,
    Parts,
    TablePart,
    Text,
)
from torseur.report.dossier.curve_pictures import panels, zeroed_curve
from torseur.report.pages import cells
from torseur.report.pages.content import capitalised, noticed, sentence, typeset, unit
from torseur.report.scene.geometry import geometry
from torseur.simulation.run.quantities import Curve, quantity
from torseur.simulation.run.run import Run
from torseur.simulation.run.samples import Happened
from torseur.words.sentence import said

Array = np.ndarray
_EVENTS = 60  # that are listed
_SMALL = 1e-9  # beside the largest of all reactions: rounding
_ROUNDING = 1e-12  # of coordinates, speeds and energies, beside the scales of the mechanism
_STILL = "{} that stay 0: {}."


def quality(run: Run, lang: str) -> Parts:
    """The two numbers by which a run is judged."""
    words = dossier_words(lang)
    rows: tuple[tuple[Text, ...], ...] = (
        (
            words["energy drift, relative to the energies exchanged"],
            cells.number(run.energy_drift, 2),
        ),
        (words["largest gap of a loop [m or rad]"], cells.number(run.closure_error, 2)),
    )
    table = TablePart((words["Accuracy of the computation"], words["value"]), rows)
    return (table, *noticed(run.notices, lang))


def coordinates(run: Run, lang: str) -> Parts:
    """Curves of the coordinates and of the speeds; quaternions last."""
    words = dossier_words(lang)
    named = report_words(lang)
    measured = [Curve(name, given, np.asarray(run[name])) for name, given in run.names.items()]
    energy = [Curve(words[x], "J", values) for x, values in run.energy.items()]
    curves, energies = _zeroed_curves(run, measured), _zeroed_curves(run, energy)
    speeds = [x for x in curves if x.unit.endswith("/s")]
    places = sorted((x for x in curves if x not in speeds), key=lambda x: x.unit == "1")
    return (
        Heading(words["Curves"], 2),
        *panels(run.t, places, capitalised(named["coordinates"]), words[_STILL]),
        *panels(run.t, speeds, capitalised(named["speeds"]), words[_STILL]),
        *panels(run.t, energies, words["Energies"], words[_STILL]),
    )


def _zeroed_curves(run: Run, curves: list[Curve]) -> list[Curve]:
    """The curves, each beside the length, mass and time of the mechanism; states as they are."""
    states = run.model.mechanism.states
    sizes = run.model.sizes.scales.of("1" if x.name in states else x.unit for x in curves)
    return [
        x if x.name in states else zeroed_curve(x, _ROUNDING * size)
        for x, size in zip(curves, sizes, strict=True)
    ]


def drives(run: Run, lang: str) -> Parts:
    """Efforts of imposed motions: smallest, largest, their times, and curves."""
    words = dossier_words(lang)
    needed = [
        curve for name in imposed_coordinates(run.model.mechanism) for curve in quantity(run, name)
    ]
    if not needed:
        return ()
    small = {"N": _SMALL * _swing(run), "N·m": _SMALL * run.model.sizes.energy}
    efforts = [zeroed_curve(x, small.get(x.unit, 0.0)) for x in needed]
    header = ("drive", "unit", "smallest", "at [s]", "largest", "at [s]")
    rows = tuple((x.name, unit(x.unit), *_extremes(run.t, x.values)) for x in efforts)
    return (
        Heading(words["Drives"], 2),
        TablePart(tuple(words[key] for key in header), rows),
        *panels(run.t, efforts, words["Drives"], words[_STILL]),
    )


def _extremes(t: Array, values: Array) -> tuple[Text, ...]:
    low, high = _first(-values), _first(values)
    if abs(values[high] - values[low]) <= _SMALL * max(abs(values[high]), abs(values[low])):
        return cells.number(values[0]), "–", cells.number(values[0]), "–"
    return tuple(cells.number(x) for x in (values[low], t[low], values[high], t[high]))


def _first(values: Array) -> int:
    """Where the largest value is reached first, but for rounding."""
    largest = float(np.nanmax(values))
    return int(np.argmax(values >= largest - _SMALL * abs(largest)))


def reactions(run: Run, lang: str) -> Parts:
    """The largest force and couple of every joint, when, and curves of their sizes; contacts."""
    words = dossier_words(lang)
    wrenches, refused = _wrenches(run, lang)
    sizes = {name: (_size(x[:, :3]), _size(x[:, 3:])) for name, x in wrenches.items()}
    touching = {name: _pressing(run, name) for name in _contacts(run)}
    curves = [x for both in (*sizes.values(), *touching.values()) for x in both]
    largest = (float(np.nanmax(x)) for x in curves if len(x))
    small = _SMALL * max(_weight(run), _swing(run), *largest)
    joints = ("Forces in the joints", "N"), ("Couples in the joints", "N·m")
    contacts = ("Normal forces of the contacts", "N"), ("Tangential forces of the contacts", "N")
    parts: list[Part] = [Heading(words["Reactions"], 2)]
    header = ("joint", "largest force [N]", "at [s]", "largest couple [N·m]", "at [s]")
    parts += _table(run, sizes, header, joints, small, lang)
    header = ("contact", "largest normal force [N]", "at [s]", "largest tangential force [N]",
              "at [s]")  # fmt: skip
    parts += _table(run, touching, header, contacts, small, lang)
    return (*parts, *(Paragraph(x) for x in refused))


def _table(
    run: Run,
    sizes: dict[str, tuple[Array, Array]],
    header: tuple[str, ...],
    titles: tuple[tuple[str, str], ...],
    small: float,
    lang: str,
) -> list[Part]:
    """The two largest sizes of each, and a panel of curves for each of the two."""
    if not sizes:
        return []
    words = dossier_words(lang)
    rows = tuple(
        (name, *(x for k in (0, 1) for x in _largest(run.t, both[k], small)))
        for name, both in sizes.items()
    )
    parts: list[Part] = [TablePart(tuple(words[key] for key in header), rows)]
    for k, (key, given) in enumerate(titles):
        curves = [Curve(name, given, both[k]) for name, both in sizes.items()]
        listed = [x for x in curves if float(np.nanmax(x.values)) > small]
        parts += panels(run.t, listed, words[key], words[_STILL])
    return parts


def _wrenches(run: Run, lang: str) -> tuple[dict[str, Array], list[str]]:
    """The reaction of each joint and of what rolls, and why there is none of others."""
    wrenches: dict[str, Array] = {}
    refused: dict[str, None] = {}
    mechanism = run.model.mechanism
    rolling = (x.name for x in between_frames(mechanism.constraints.values()) if x.rolls)
    for name in (*mechanism.joints, *rolling):
        try:
            wrenches[name] = np.asarray(run.reaction(name))
        except (ModelError, SolveError) as error:
            refused[f"{name}{said(': ', lang)}{said(error.problem, lang)}"] = None
    return wrenches, list(refused)


def _contacts(run: Run) -> list[str]:
    """The contacts between bodies; what stops or rubs within a joint is part of its reaction."""
    named = run.samples.contacts_named
    contacts = elements(run.model.mechanism) if named else []
    placed = {x.name for x in contacts if x.pushes and isinstance(x.rows[0], JointRows)}
    return [name for name in named if name in placed]


def _pressing(run: Run, name: str) -> tuple[Array, Array]:
    """The normal force of a contact and the size of the tangential one."""
    force = np.asarray(run.contact(name).force).reshape(len(run.t), -1)
    return np.abs(force[:, 0]), _size(force[:, 1:])


def _weight(run: Run) -> float:
    """The weight of everything: forces that are nothing beside it are rounding [N]."""
    model = run.model
    names = model.mechanism.parameter_table
    given = {name: x for name, x in model.parameters.items() if name in names}
    shape = geometry(model.mechanism, given)
    masses = [float(shape.numbers(body.mass)) for body in model.mechanism.bodies.values()]
    return sum(masses) * float(np.linalg.norm(shape.numbers(model.mechanism.gravity)))


def _swing(run: Run) -> float:
    """Reference force of a mechanism without weight, from its mass, length and duration [N]."""
    sizes = run.model.sizes
    return sizes.energy / sizes.scales.length


def _size(vectors: Array) -> Array:
    return np.asarray(np.linalg.norm(vectors, axis=1))


def _largest(t: Array, sizes: Array, small: float) -> tuple[Text, Text]:
    """Extreme value and its time; rounding errors are printed as zero, without a time."""
    k = _first(sizes)
    if sizes[k] <= small:
        return "0", "–"
    return cells.number(float(sizes[k])), cells.number(float(t[k]))


def _followed(event: Happened) -> str:
    """The key of what came of an event: what touches and opens at once rebounds."""
    at_once = (event.cause, event.effect) == ("touch", "open")
    return "contact rebound" if at_once else f"contact {event.effect}"


def events(run: Run, lang: str) -> Parts:
    """Events of the run: time, cause and effect."""
    words, named = dossier_words(lang), report_words(lang)
    if not run.events:
        return Heading(words["Events"], 2), Paragraph(words["No event changed the equations."])
    rows = tuple(
        (
            typeset(said, called_element(event.name), lang),
            cells.number(event.t),
            named.get(event.cause, said(event.cause, lang)),
            named.get(_followed(event), said(event.effect, lang)),
        )
        for event in run.events[:_EVENTS]
    )
    header = tuple(words[key] for key in ("event", "time [s]", "cause", "effect"))
    parts: list[Part] = [Heading(words["Events"], 2), TablePart(header, rows)]
    if len(run.events) > _EVENTS:
        parts.append(Paragraph(words["{} others are not shown."].format(len(run.events) - _EVENTS)))
    return tuple(parts)


# --- equilibria and the modes about them, as parts of a report ------------------------------------

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
    rounded = ((name, without_rounding(x, 1e-12)) for name, x in numbers.items())
    return cells.joined(
        Math(f"{cells.name(name).latex} = {cells.number(x).latex}") for name, x in rounded
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
