"""`torseur examples`: the mechanisms that come with Torseur."""

from importlib.resources import files
from pathlib import Path

import rich_click as click

from torseur.cli.model import say_json
from torseur.cli.outputs import Output
from torseur.errors import unknown
from torseur.output import write_text


@click.command()
@click.argument("name", required=False)
@click.option("-o", "--out", type=Output(), help="Copy the example to this file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def examples(name: str | None, out: Path | None, as_json: bool) -> None:
    """List the examples, or show the one called NAME.

    Example: `torseur examples puma560 -o puma560.yaml`
    """
    found = {
        entry.name.removesuffix(".yaml"): entry
        for entry in files("torseur.examples").iterdir()
        if entry.name.endswith(".yaml")
    }
    if name is None:
        _list(found, as_json)
        return
    if name not in found:
        raise unknown("examples", "example", name, found)
    content = found[name].read_text(encoding="utf-8")
    if out is not None:
        write_text(out, content)
    if as_json:
        say_json({"name": name, "content": content, "copied_to": str(out) if out else None})
    else:
        click.echo(f"{out}: written." if out else content)


def _list(found: dict, as_json: bool) -> None:
    described = {
        name: _description(entry.read_text(encoding="utf-8"))
        for name, entry in sorted(found.items())
    }
    if as_json:
        say_json(described)
        return
    width = max(len(name) for name in described)
    for name, description in described.items():
        click.echo(f"{name:<{width}}  {description}")


def _description(text: str) -> str:
    """The entry `description`, which every example has on one line: a list is made at once."""
    lines = (line for line in text.splitlines() if line.startswith("description:"))
    return next(lines).removeprefix("description:").strip()
