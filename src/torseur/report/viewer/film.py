"""Several animations side by side on one page, moved by one clock."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from markupsafe import Markup

from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.named_words import report_words
from torseur.output import writable, write_text
from torseur.report.assets import asset, rendered, style
from torseur.report.scene.movement import Movement
from torseur.report.scene.movement_sources import movement
from torseur.report.viewer.stage import alone
from torseur.simulation.run.files import SavedRun
from torseur.simulation.run.run import Run
from torseur.words.language import chosen
from torseur.words.sentence import say


def film(
    runs: Mapping[str, Run | SavedRun],
    path: str | Path,
    *,
    title: str = "",
    model: Mechanism | None = None,
    lang: str | None = None,
) -> Path:
    """Runs that play together on one HTML page, by the names given; it opens without a network.

    `model` is the mechanism of saved runs whose files do not hold it.
    """
    lang = chosen(lang)
    if not runs:
        raise ModelError(
            "film", say("no run to show: {runs}.", dict(runs)), "Give one or more by name."
        )
    words, path = report_words(lang), writable(path)
    moving = {name: movement(run, None, model) for name, run in runs.items()}
    span = common_span(list(moving.values()))
    pages = {name: alone(one, words, lang) for name, one in moving.items()}
    first = next(iter(moving.values())).geometry.mechanism
    return side_by_side(title or first.name, pages, span, path, lang=lang)


def common_span(moving: Sequence[Movement]) -> tuple[float, float]:
    """From when to when all of them move."""
    ends = [(float(one.axis.values[0]), float(one.axis.values[-1])) for one in moving]
    start, end = max(low for low, _ in ends), min(high for _, high in ends)
    if not end > start and len(moving) > 1:
        spans = ", ".join(say("from {low:g} to {high:g} s", low, high) for low, high in ends)
        raise ModelError("film", say("the runs have no time in common: {spans}.", spans))
    return start, end


def side_by_side(
    title: str,
    pages: Mapping[str, str],
    span: tuple[float, float],
    path: str | Path,
    *,
    lang: str | None = None,
) -> Path:
    """Pages of animations on one, with one clock; it opens at a given time with #t=1.5."""
    lang = chosen(lang)
    place = Path(path)
    if place.suffix.lower() not in (".html", ".htm"):
        raise ModelError("film", say('cannot write "{path}".', path), "Use the ending .html.")
    text = rendered(
        "viewer/assets/film.html.jinja",
        lang=lang,
        words=report_words(lang),
        title=title,
        pages=pages,
        start=span[0],
        end=span[1],
        sheets=Markup(style("viewer/assets/viewer.css")),
        script=Markup(asset("viewer/assets/film.js")),
    )
    return write_text(place, text)
