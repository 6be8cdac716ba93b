"""Gallery: a picture, the commands and a page for every example, made with the manual.

A page names its examples in a directive, with what their motion is shown by: `duration` [s],
`at` (the instant of the picture), `start` (values that differ from those of the file) and `reader`
(the direction to look from).
"""

from html import escape
from importlib.resources import files
from pathlib import Path

from docutils import nodes
from ruamel.yaml import YAML
from sphinx.util.display import status_iterator
from sphinx.util.docutils import SphinxDirective

import torseur as ts

EXAMPLES = Path(str(files("torseur.examples")))
SOURCES = [
    Path(__file__),
    *(x for room in ("report", "machine.page", "simulation.live")
      for x in Path(str(files(f"torseur.{room}"))).rglob("*.*")),
]  # fmt: skip
SMALL, LARGE = (320, 240), (720, 540)  # [px]
SAMPLES = 240


class Mechanisms(SphinxDirective):
    """Cards of the examples that the directive names."""

    has_content = True

    def run(self):
        shown = YAML(typ="safe").load("\n".join(self.content))
        for name, settings in shown.items():
            if not source(name).exists():
                raise self.error(f'there is no example "{name}".')
            self.env.note_dependency(str(source(name)))
            self.env.gallery[name] = {"page": self.env.docname, **(settings or {})}
        cards = "".join(card(name) for name in shown)
        return [nodes.raw("", f'<div class="gallery">{cards}</div>', format="html")]


def source(name):
    return EXAMPLES / f"{name}.yaml"


def described(name):
    """Description of an example, from its file."""
    return YAML(typ="safe").load(source(name).read_text(encoding="utf-8"))["description"]


def card(name):
    """Card of an example: picture, description and links."""
    place = f"mechanisms/{name}"
    return (
        f'<div class="mechanism"><a href="{place}.html"><img src="{place}.svg" loading="lazy" '
        f'alt="{name}" width="{SMALL[0]}" height="{SMALL[1]}"/></a>'
        f'<a class="name" href="{place}.html">{name}</a><p>{escape(described(name))}</p>'
        f"<code>torseur examples {name}</code>"
        f'<p class="links"><a href="{place}.html">commands</a> '
        f'<a href="{place}.yaml">YAML</a> <a href="{place}-live.html">play</a></p></div>'
    )


def commands(name, settings):
    """Commands that derive and simulate an example."""
    values = "".join(f' --set "{key}={x}"' for key, x in settings.get("start", {}).items())
    return (
        f"torseur examples {name} -o {name}.yaml\n"
        f"torseur derive {name}.yaml\n"
        f"torseur simulate {name}.yaml --duration {settings.get('duration', 1)}{values} "
        f"--view {name}.html\n"
        f"torseur view {name}.yaml --live --duration {settings.get('duration', 1)}{values}\n"
    )


# --- files of an example ------------------------------------------------------------------------


def made(name, settings, page, folder):
    """Write the pictures and the live page of an example, unless they are up to date."""
    small, large, live = (folder / f"{name}{end}" for end in (".svg", "-large.svg", "-live.html"))
    newest = max(path.stat().st_mtime for path in (source(name), page, *SOURCES))
    if live.exists() and live.stat().st_mtime > newest:
        return
    duration = settings.get("duration", 1)
    mechanism, start = ts.load(source(name)), settings.get("start")
    run = ts.simulate(mechanism, duration, initial=start, rate=SAMPLES / duration)
    view = {"t": settings.get("at", 0.0), "reader": settings.get("reader")}
    ts.pictures.picture(run, small, **view, size=SMALL)
    try:
        ts.pictures.picture(run, large, **view, size=LARGE, moving=True)
    except ts.ModelError:  # it moves in space
        ts.pictures.picture(run, large, **view, size=LARGE)
    (folder / f"{name}.yaml").write_bytes(source(name).read_bytes())
    reason = folder / f"{name}-live.txt"
    reason.unlink(missing_ok=True)
    try:
        options = {"duration": duration, "initial": start, "rate": SAMPLES / duration}
        ts.view(mechanism, live, live=True, **options)
    except ts.ModelError as error:  # a page cannot compute it: it shows the run
        reason.write_text(str(error), encoding="utf-8")
        ts.view(run, live)


def playing(name, folder):
    """Link to the page of an example, with the reason where that page only shows a run."""
    reason = folder / f"{name}-live.txt"
    link = f'<a href="{name}-live.html">'
    if not reason.exists():
        return f"{link}Simulate it: set parameters, drag and pull bodies, show curves</a>"
    why = escape(reason.read_text(encoding="utf-8"))
    return f"{link}Play, rotate, show curves</a></p><p>It does not simulate in a page. {why}"


def body(name, settings, highlighted, folder):
    """Page of an example, as HTML."""
    page = f"../{settings['page']}.html"
    return (
        f"<h1>{name}</h1><p>{escape(described(name))}</p>"
        f'<p><img class="mechanism-large" src="{name}-large.svg" alt="{name}"/></p>'
        f"<p>{playing(name, folder)}</p>"
        f"<h2>Commands</h2>{highlighted(commands(name, settings), 'none')}"
        f'<h2>Description</h2><p><a href="{name}.yaml">{name}.yaml</a>, in '
        f'<a href="../format.html">the YAML form</a>:</p>'
        f"{highlighted(source(name).read_text(encoding='utf-8'), 'yaml')}"
        f'<p><a href="{page}">All mechanisms</a></p>'
    )


def pages(app):
    """Pages of the examples, with their pictures."""
    found = getattr(app.env, "gallery", {})
    folder = Path(app.outdir) / "mechanisms"
    folder.mkdir(exist_ok=True)
    highlighted = app.builder.highlighter.highlight_block
    for name in status_iterator(sorted(found), "drawing mechanisms… ", "brown", len(found)):
        settings = found[name]
        made(name, settings, Path(app.env.doc2path(settings["page"])), folder)
        context = {"title": name, "body": body(name, settings, highlighted, folder), "meta": {}}
        yield f"mechanisms/{name}", context, "page.html"


def linked(app, doctree, docname):
    """Link the names on the page of examples to the pages of the mechanisms."""
    if docname != "examples":
        return
    for name in [x for x in doctree.findall(nodes.literal) if x.astext() in app.env.gallery]:
        place = f"mechanisms/{name.astext()}.html"
        name.replace_self(nodes.reference("", "", name.deepcopy(), refuri=place, internal=True))


def forget(app, env, docname):
    """Forget the examples of a page before it is read again."""
    kept = getattr(env, "gallery", {}).items()
    env.gallery = {name: x for name, x in kept if x["page"] != docname}


def setup(app):
    app.add_directive("mechanisms", Mechanisms)
    app.add_css_file("gallery.css")
    app.connect("env-purge-doc", forget)
    app.connect("doctree-resolved", linked)
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
