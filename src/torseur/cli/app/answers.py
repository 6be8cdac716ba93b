"""Answers of the app: documents made from edits, with the texts of commands and reports."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, final

from torseur.algebra.core.graph import free_symbols
from torseur.analyse.mobility.diagnose import Diagnosis, diagnose
from torseur.analyse.mobility.mobility import without_numbers
from torseur.cli.app.edits import Desk, Edit, described, description_of, faults, mechanism_of
from torseur.cli.motion.simulate import run_document, run_text
from torseur.errors import require_known
from torseur.language.load import is_phrase, load
from torseur.language.packaged import EXAMPLES, packaged_files
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.description import Mechanism
from torseur.model.values.numbers import values_of
from torseur.model.values.scales import scales, state_units
from torseur.named_words import dossier_words, report_words
from torseur.report.documents import html, latex
from torseur.report.documents.page_parts import Heading, Items, Paragraph, Part, Parts
from torseur.report.dossier import description_section as description
from torseur.report.dossier.derivation import derivation_section, equations_section
from torseur.report.dossier.description_section import balance_sheet, mobility_sheet
from torseur.report.dossier.report import FEW, Section, refusal
from torseur.report.drawing.picture import picture_svg
from torseur.report.pages.content import sentence, unit
from torseur.report.pages.diagnosis_text import check_document
from torseur.report.scene.movement_sources import constrained, movement
from torseur.report.viewer.live_stage import LiveOptions, live_page
from torseur.report.viewer.stage import alone
from torseur.simulation.run.run import Run
from torseur.simulation.simulate import simulate
from torseur.words.sentence import meaning_text, worded

Document = dict[str, Any]
_PICTURE = (320, 240)  # [px]


def reading(desk: Desk, edit: Edit) -> Document:
    """Name and controls of the described mechanism: the numbers that sliders change."""
    now = mechanism_of(desk, edit)
    return {
        "name": now.name,
        "description": now.description,
        "phrase": is_phrase(edit.text),
        "controls": controls(described(desk, edit), now),
    }


def written(desk: Desk, edit: Edit) -> Document:
    """The description that holds the values given beside it."""
    return {"text": description_of(desk, edit)}


def checked(desk: Desk, edit: Edit) -> Document:
    """Mobility, balance, what was assumed; faults that show when it is put together."""
    diagnosis = diagnose(mechanism_of(desk, edit))
    page = {"html": html.fragment(_diagnosed(diagnosis, desk.lang))}
    return check_document(diagnosis) | page | {"faults": faults(diagnosis.faults, desk.lang)}


def _diagnosed(diagnosis: Diagnosis, lang: str) -> Parts:
    words, parts = report_words(lang), list[Part]()
    for key, sentences in (("Notices", diagnosis.notices), ("Assumptions", diagnosis.assumed)):
        if sentences:
            parts += [Heading(words[key], 2), Items(tuple(sentence(x, lang) for x in sentences))]
    if not parts and not diagnosis.faults:
        parts.append(Paragraph(worded("No error found, no assumption made.")))
    if diagnosis.mobility is not None:
        parts += [Heading(dossier_words(lang)["Mobility"], 2)]
        parts += mobility_sheet(diagnosis.mobility, lang)
    return (*parts, *(() if diagnosis.balance is None else balance_sheet(diagnosis.balance, lang)))


def equations(desk: Desk, edit: Edit) -> Document:
    """The equations as a book writes them, as HTML and as LaTeX; how they are derived, if asked."""
    mechanism, lang = mechanism_of(desk, edit), desk.lang
    few = refusal(mechanism, lang)
    refused = few(f"torseur derive {edit.file}", FEW)
    parts = Section(None, lambda: equations_section(mechanism, lang), refused).parts(lang)
    if edit.formalism:
        refused = few(f"torseur tell {edit.file} --formalism {edit.formalism}", FEW)
        title = Heading(dossier_words(lang)["Derivation"], 2)
        way = Section(title, lambda: derivation_section(mechanism, edit.formalism, lang), refused)
        parts = (*parts, *way.parts(lang))
    return {"html": html.fragment(parts), "latex": latex.fragment(parts)}


def drawn(section: Callable[..., Parts], desk: Desk, edit: Edit) -> Document:
    """A picture of reports: the normalised scheme, the joint graph."""
    return {"html": html.fragment(section(mechanism_of(desk, edit), desk.lang))}


def motion(desk: Desk, edit: Edit) -> Document:
    """The page on which it moves; its poses alone while parameters have no values."""
    mechanism, words = mechanism_of(desk, edit), report_words(desk.lang)
    if without_numbers(mechanism):
        missing = [name for name, x in mechanism.parameters.items() if x is None]
        note = words["Poses only; parameters without a value: {}."].format(", ".join(missing))
        return {"page": alone(movement(mechanism), words, desk.lang), "lines": [note]}
    kind = edit.kind or next(iter(MOTIONS))
    require_known("motion", "kind of motion", [kind], MOTIONS)
    return MOTIONS[kind](desk, edit)


def recorded(desk: Desk, edit: Edit) -> Document:
    """A motion that is computed here and plays on the page."""
    run = simulated(desk, edit)
    page = {"page": alone(movement(run), report_words(desk.lang), desk.lang)}
    return run_document(run) | page | {"lines": run_text(run, edit.file).splitlines()[1:]}


def simulated(desk: Desk, edit: Edit) -> Run:
    """The run that an edit asks for."""
    return simulate(mechanism_of(desk, edit), edit.duration, rate=edit.rate, rtol=edit.rtol)


def picture(name: str) -> str:
    """The picture of an example, as SVG."""
    return picture_svg(load(str(packaged_files(EXAMPLES)[name])), _PICTURE)


def live(desk: Desk, edit: Edit) -> Document:
    """A motion that the page computes itself."""
    options: LiveOptions = {"duration": edit.duration, "rate": edit.rate, "rtol": edit.rtol}
    return {"page": live_page(mechanism_of(desk, edit), desk.lang, **options), "lines": []}


MOTIONS: Mapping[str, Callable[[Desk, Edit], Document]] = {"recorded": recorded, "live": live}
ANSWERS: Mapping[str, Callable[[Desk, Edit], Document]] = {
    "reading": reading,
    "written": written,
    "check": checked,
    "equations": equations,
    "scheme": partial(drawn, description.scheme),
    "graph": partial(drawn, description.graph),
    "motion": motion,
}


@final
@dataclass(frozen=True)
class NumberControl:
    """One number: its value now (None while it has none), its unit, and how far it may be moved."""

    name: str
    kind: str  # "parameter", "coordinate" or "speed"
    value: float | None
    unit: str
    meaning: str
    low: float
    high: float
    free: bool = True  # it follows from no other parameter


def controls(described: Mechanism, now: Mechanism) -> list[dict[str, Any]]:
    """The controls of a description, at the values it has now; ranges are those of the text."""
    return [asdict(one) for one in (*_parameters(described, now), *_start(described, now))]


def _parameters(described: Mechanism, now: Mechanism) -> Iterator[NumberControl]:
    first, values = described.parameters, now.parameters
    for name, one in described.parameter_table.items():
        free = one.value is None or not free_symbols(one.value)
        low, high = _around(first[name])
        meaning = meaning_text(one.meaning)
        yield NumberControl(
            name, "parameter", values[name], unit(one.unit), meaning, low, high, free
        )


def _start(described: Mechanism, now: Mechanism) -> Iterator[NumberControl]:
    """Coordinates and speeds; of closed loops those that the text gives, if it gives any."""
    units, value, size = state_units(described), values_of(now), scales(now, now.parameters)
    driven = {x.coordinate for x in imposed_coordinates(described).values()}
    ranges = {"rad": math.pi, "m": 2 * size.length, "1": 1.0}
    for name in _offered(described):
        if name.removesuffix(".") in driven:
            continue
        kind = "speed" if name.endswith(".") else "coordinate"
        given = value(now.initial[name]) if name in now.initial else 0.0
        wide = ranges.get(units[name], 0.0) or 2 * ranges[units[name][:-2]] / size.time
        wide = max(wide, 2 * abs(_first(described, name)))
        yield NumberControl(name, kind, given, unit(units[name]), "", -wide, wide)


def _offered(mechanism: Mechanism) -> Iterable[str]:
    given = list(mechanism.initial)
    if constrained(mechanism) and given:
        speeds = [f"{name}." for name in given if f"{name}." in mechanism.every_speed]
        return dict.fromkeys([*given, *speeds])
    return dict.fromkeys([*mechanism.coordinates, *mechanism.speeds])


def _first(mechanism: Mechanism, name: str) -> float:
    """Initial value of a coordinate or a speed in the text."""
    given = mechanism.initial.get(name)
    return 0.0 if given is None else values_of(mechanism)(given) or 0.0


def _around(value: float | None) -> tuple[float, float]:
    """From nothing to twice a value; about zero where it is zero, to 2 where it has none."""
    if value is None:
        return 0.0, 2.0
    if not value:
        return -1.0, 1.0
    return min(0.0, 2 * value), max(0.0, 2 * value)
