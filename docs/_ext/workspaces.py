"""Pictures of workspaces, made with the manual.

A page names an example in a directive, with the `place` that moves and the `steps` of the grid.
"""

from importlib.resources import files
from pathlib import Path

from docutils import nodes
from ruamel.yaml import YAML
from sphinx.util.docutils import SphinxDirective

import torseur as ts


class WorkspacePicture(SphinxDirective):
    """Workspace of a place of an example, with its singular configurations."""

    required_arguments = 1
    has_content = True

    def run(self):
        settings = YAML(typ="safe").load("\n".join(self.content))
        source = Path(str(files("torseur.examples"))) / f"{self.arguments[0]}.yaml"
        if not source.exists():
            raise self.error(f'there is no example "{self.arguments[0]}".')
        self.env.note_dependency(str(source))
        folder = Path(self.env.app.outdir) / "workspaces"
        folder.mkdir(parents=True, exist_ok=True)
        picture, place = folder / f"{source.stem}.png", settings["place"]
        reached = ts.robots.workspace(ts.load(source), place, steps=settings["steps"])
        reached.plot(picture, ts.robots.singular_places(reached))
        told = f"where {place} of {source.stem} can be, with its singular places"
        shown = f'<img src="workspaces/{picture.name}" alt="{told}" width="600"/>'
        return [nodes.raw("", shown, format="html")]


def setup(app):
    app.add_directive("workspace", WorkspacePicture)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
