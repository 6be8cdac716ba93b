"""Several animations side by side on one page, moved by one clock."""

from collections.abc import Mapping
from html import escape
from pathlib import Path

from torseur.errors import ModelError
from torseur.named_words import report_words
from torseur.output import writable, write_text
from torseur.report.scene.sources import movement
from torseur.report.viewer.view import alone
from torseur.simulation.run.run import Run
from torseur.words.language import spoken
from torseur.words.sentence import say

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>{title}</title>
<style>
body {{ font: 16px/1.4 system-ui, sans-serif; margin: 0.5rem; }}
h1 {{ font-size: 1.3rem; margin: 0.2rem 0; }}
main {{ display: flex; flex-wrap: wrap; gap: 0.5rem; }}
figure {{ flex: 1 1 24rem; margin: 0; }}
figcaption {{ white-space: pre-line; }}
iframe {{ width: 100%; height: 80vh; border: 1px solid #8888; }}
.player {{ display: flex; gap: 0.5rem; align-items: center; margin: 0.4rem 0; }}
.player input {{ flex: 1; }}
</style>
</head>
<body>
<h1>{title}</h1>
<div class="player">
<button type="button" id="play">Play</button>
<input type="range" id="time" min="{start}" max="{end}" step="any" value="{start}"
 aria-label="time"/>
<output id="now">0.00 s</output>
</div>
<main>
{frames}
</main>
<script>
"use strict";
const start = {start}, end = {end}, slider = document.getElementById("time");
const button = document.getElementById("play"), shown = document.getElementById("now");
const films = [...document.querySelectorAll("iframe")];
let playing = false, before = 0;
function seek(time) {{
  slider.value = time;
  shown.textContent = time.toFixed(2) + " s";
  for (const film of films) {{
    const own = film.contentDocument && film.contentDocument.querySelector("[data-slider]");
    if (!own) continue;
    own.value = time;
    own.dispatchEvent(new Event("input"));
  }}
}}
function tick(instant) {{
  if (!playing) return;
  const next = +slider.value + Math.min(0.1, (instant - before) / 1000);
  before = instant;
  seek(next > end ? start : next);
  requestAnimationFrame(tick);
}}
button.addEventListener("click", () => {{
  playing = !playing;
  button.textContent = playing ? "Pause" : "Play";
  before = performance.now();
  requestAnimationFrame(tick);
}});
slider.addEventListener("input", () => seek(+slider.value));
addEventListener("load", () => {{
  const asked = /^#t=(-?[0-9.]+)$/.exec(location.hash);
  seek(asked ? Math.max(start, Math.min(+asked[1], end)) : start);
}});
</script>
</body>
</html>
"""
_FRAME = """<figure>
<figcaption>{name}</figcaption>
<iframe title="{title}" srcdoc="{page}"></iframe>
</figure>"""


def film(runs: Mapping[str, Run], path: str | Path, *, title: str = "") -> Path:
    """Runs that play together on one HTML page, by the names given; it opens without a network."""
    if not runs:
        raise ModelError(
            "film", say("no run to show: {runs}.", dict(runs)), "Give one or more by name."
        )
    words, path = report_words(spoken()), writable(path)
    pages = {name: alone(movement(run), words, spoken()) for name, run in runs.items()}
    start = max(float(run.t[0]) for run in runs.values())
    end = min(float(run.t[-1]) for run in runs.values())
    if not end > start:
        spans = ", ".join(f"{n} from {x.t[0]:g} to {x.t[-1]:g} s" for n, x in runs.items())
        raise ModelError("film", say("the runs have no time in common: {spans}.", spans))
    first = next(iter(runs.values())).model.mechanism
    return side_by_side(title or first.name, pages, (start, end), path)


def side_by_side(
    title: str, pages: Mapping[str, str], span: tuple[float, float], path: str | Path
) -> Path:
    """Pages of animations on one, with one clock; it opens at a given time with #t=1.5."""
    place = Path(path)
    if place.suffix.lower() not in (".html", ".htm"):
        raise ModelError("film", say('cannot write "{path}".', path), "Use the ending .html.")
    frames = [
        _FRAME.format(name=escape(name), title=escape(name.split("\n")[0]), page=escape(page))
        for name, page in pages.items()
    ]
    start, end = span
    text = _PAGE.format(title=escape(title), start=start, end=end, frames="\n".join(frames))
    return write_text(place, text)
