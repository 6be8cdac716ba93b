"""Two runs side by side on one page, moved by one clock."""

from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from torseur.errors import ModelError
from torseur.simulation.run import Run

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>{title}</title>
<style>
body {{ font: 16px/1.4 system-ui, sans-serif; margin: 0.5rem; }}
main {{ display: flex; flex-wrap: wrap; gap: 0.5rem; }}
figure {{ flex: 1 1 24rem; margin: 0; }}
iframe {{ width: 100%; height: 80vh; border: 1px solid #8888; }}
.player {{ display: flex; gap: 0.5rem; align-items: center; }}
.player input {{ flex: 1; }}
</style>
</head>
<body>
<h1>{title}</h1>
<div class="player">
<button type="button" id="play">Play</button>
<input type="range" id="time" min="0" max="{duration}" step="any" value="0" aria-label="time"/>
<output id="now">0.00 s</output>
</div>
<main>
{frames}
</main>
<script>
"use strict";
const duration = {duration}, slider = document.getElementById("time");
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
  seek(next > duration ? 0 : next);
  requestAnimationFrame(tick);
}}
button.addEventListener("click", () => {{
  playing = !playing;
  button.textContent = playing ? "Pause" : "Play";
  before = performance.now();
  requestAnimationFrame(tick);
}});
slider.addEventListener("input", () => seek(+slider.value));
addEventListener("load", () => seek(0));
</script>
</body>
</html>
"""
_FRAME = """<figure>
<figcaption>{name}</figcaption>
<iframe title="{name}" srcdoc="{page}"></iframe>
</figure>"""


def write_film(title: str, runs: dict[str, Run], path: Path) -> None:
    """One HTML file on which the runs play together; it opens in any browser, offline."""
    from torseur.report.view import view

    if path.suffix.lower() not in (".html", ".htm"):
        raise ModelError("--film", f'cannot write "{path}".', "Use the ending .html.")
    frames = []
    with TemporaryDirectory() as folder:
        for k, (name, run) in enumerate(runs.items()):
            page = view(run, Path(folder) / f"{k}.html").read_text(encoding="utf-8")
            frames.append(_FRAME.format(name=escape(name), page=escape(page)))
    duration = min(float(run.t[-1]) for run in runs.values())
    text = _PAGE.format(title=escape(title), duration=duration, frames="\n".join(frames))
    path.write_text(text, encoding="utf-8")
