"""A mechanism on one screen, made with the manual: description, equations and motion."""

from pathlib import Path
from typing import ClassVar

from docutils import nodes
from ruamel.yaml import YAML
from sphinx.util.docutils import SphinxDirective

import torseur as ts

SAMPLES = 120


class Showcase(SphinxDirective):
    """Three panels of the description in its content; `duration` is that of the motion [s]."""

    required_arguments = 1  # the name of the mechanism, and of the picture
    option_spec: ClassVar = {"duration": float}
    has_content = True

    def run(self):
        name, duration = self.arguments[0], self.options["duration"]
        text = "\n".join(self.content)
        mechanism = ts.load({"name": name, **YAML(typ="safe").load(text)})
        run = ts.simulate(mechanism, duration, rate=SAMPLES / duration)
        folder = Path(self.env.app.outdir) / "showcase"
        folder.mkdir(parents=True, exist_ok=True)
        film = ts.pictures.picture(run, folder / f"{name}.svg", size=(560, 300), moving=True)
        live = ts.view(mechanism, folder / f"{name}.html", live=True, duration=2 * duration)
        picture = (
            f'<a href="showcase/{live.name}" title="Open the live page">'
            f'<img src="showcase/{film.name}" alt="{name} in motion" width="560" height="300"/></a>'
            f'<a href="showcase/{live.name}">Move it yourself on its live page</a>'
        )
        description = nodes.literal_block(text, text, language="yaml")
        return [
            panel("Description", description),
            panel("Equations", page(ts.derive(mechanism)._repr_html_())),
            panel("Motion", page(picture)),
        ]


def panel(title, content):
    """A panel under its title, which is its class too."""
    caption = nodes.paragraph("", title, classes=["panel-title"])
    return nodes.container("", caption, content, classes=["showcase", title.lower()])


def page(html):
    return nodes.raw("", html, format="html")


def setup(app):
    app.add_directive("showcase", Showcase)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
