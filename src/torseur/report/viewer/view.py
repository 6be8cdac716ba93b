"""A run, a mechanism or several runs, shown where one looks: as a page, a GIF or a video."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.named_words import report_words
from torseur.output import writable, write_text
from torseur.report.pages.page import page_with
from torseur.report.scene.movement import Movement
from torseur.report.scene.movement_sources import movement
from torseur.report.viewer.live_stage import LiveOptions, live_page
from torseur.report.viewer.stage import SHEET, alone, film, viewer
from torseur.simulation.run.files import SavedRun
from torseur.simulation.run.run import Run
from torseur.topology.structure import structure
from torseur.words.language import chosen
from torseur.words.sentence import say

_FILMS = (".gif", ".mp4")
_LENGTHY = 1000  # of speeds, the cubes of their depths in the tree: no equations to be read


def view(
    subject: Run | SavedRun | Mechanism | Sequence[Run | SavedRun],
    path: str | Path,
    *,
    model: Mechanism | None = None,
    reactions: bool | None = None,
    lang: str | None = None,
    live: bool = False,
    **motion: Unpack[LiveOptions],
) -> Path:
    """Write the page of a run or of a mechanism; it opens in any browser, without a network.

    A run plays, with its curves beside it. A mechanism without loops is moved by sliders, one with
    loops and a single motion goes through all its poses; its equations follow, unless they are too
    long to be read. Several runs play side by side. A path that ends in .gif or .mp4 is a film, the
    latter through ffmpeg, or the extra `video`. `model` is the mechanism of a saved run whose file
    does not hold it. Arrows of reactions need the run itself; without a request, they are computed
    where this is quick.

    With `live`, the page of a mechanism simulates it: its reader sets parameters, start and forces,
    drags bodies and pulls them, and saves the run. `duration` (10 s), `initial`, `parameters`,
    `control`, `method` and the others are those of `simulate`. What a page cannot compute, such as
    laws in Python, is an error.
    """
    lang = chosen(lang)
    words, place = report_words(lang), writable(path)
    is_film = place.suffix.lower() in _FILMS
    if live or motion:
        return write_text(place, live_page(_mechanism(subject, live, is_film), lang, **motion))
    if not isinstance(subject, Run | SavedRun | Mechanism):
        runs = _listed(subject)
        if is_film:
            return _filmed([movement(run, False, model) for run in runs], place)
        return film(_named(runs), place, model=model, lang=lang)
    if is_film:
        return _filmed([movement(subject, False, model)], place)
    moving = movement(subject, reactions, model)
    if isinstance(subject, Mechanism) and _length(subject) > _LENGTHY:
        note = say(
            "The equations of its {count} speeds are too long for this page: ts.page writes them.",
            len(subject.speeds),
        )
        text = alone(replace(moving, notices=(*subject.notices, note)), words, lang)
    elif isinstance(subject, Mechanism):
        text = page_with(subject, viewer(moving, words, within=True), SHEET, lang=lang)
    else:
        text = alone(moving, words, lang)
    return write_text(place, text)


def _filmed(moving: Sequence[Movement], place: Path) -> Path:
    """A film; what draws its pictures is imported only then."""
    from torseur.report.viewer.footage import footage

    return footage(moving, place)


def _mechanism(subject: Any, live: bool, is_film: bool) -> Mechanism:
    """The mechanism of a page that simulates."""
    if not live:
        problem = say("options of a motion are given, but the page does not simulate.")
        raise ModelError("view", problem, "Add live=True, or show a run: ts.view(run, path).")
    if not isinstance(subject, Mechanism):
        problem = say("a live page simulates a mechanism, not a {kind}.", type(subject).__name__)
        raise ModelError(
            "view", problem, "Give the mechanism: ts.view(ts.load(…), path, live=True)."
        )
    if is_film:
        problem = say("a live page is an HTML file, not a film.")
        raise ModelError("view", problem, "Give a path that ends in .html.")
    return subject


def _listed(subject: Sequence[Run | SavedRun]) -> list[Run | SavedRun]:
    """The runs of a list."""
    runs = list(subject) if isinstance(subject, list | tuple) else []
    if not runs or not all(isinstance(x, Run | SavedRun) for x in runs):
        raise ModelError(
            "view",
            say("{subject} is not a list of runs.", subject),
            "Several runs are given as a list: ts.view([before, after], path).",
        )
    return runs


def _named(runs: list[Run | SavedRun]) -> dict[str, Run | SavedRun]:
    """Runs by their names, with a number where several have the same."""
    names = [run.name if isinstance(run, SavedRun) else run.model.mechanism.name for run in runs]
    repeated = {name for name, count in Counter(names).items() if count > 1}
    listed = [f"{n} ({k})" if n in repeated else n for k, n in enumerate(names, start=1)]
    return dict(zip(listed, runs, strict=True))


def _length(mechanism: Mechanism) -> int:
    """Length of its equations: a speed of depth d in the tree has about d² terms, each of d."""
    tree, depth, length = structure(mechanism).tree, {-1: 0}, 0
    for i, link in tree:
        first = depth[link.parent]
        depth[i] = first + link.v.stop - link.v.start
        length += sum(d**3 for d in range(first + 1, depth[i] + 1))
    return length
