"""`torseur examples`: the mechanisms that come with Torseur, and experiments done again."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import rich_click as click

from torseur.cli.description.experiments import EXPERIMENTS
from torseur.cli.frame.command import Answer, command
from torseur.cli.frame.outputs import Output
from torseur.errors import unknown
from torseur.output import write_text


@command(
    "examples",
    click.argument("name", required=False),
    click.option(
        "-o",
        "--out",
        type=Output(),
        help="Copy the example to this file; the picture of an experiment.",
    ),
)
def examples(name: str | None, out: Path | None) -> Answer:
    """List the examples, or show the one called NAME.

    Example: `torseur examples puma560 -o puma560.yaml`, `torseur examples inria-control`
    """
    if name is not None and name in EXPERIMENTS:
        answer = EXPERIMENTS[name][1]()
        if out is not None and answer.figure is not None:
            answer.figure(out)
        return answer
    found = {
        entry.name.removesuffix(".yaml"): entry
        for entry in files("torseur.examples").iterdir()
        if entry.name.endswith(".yaml")
    }
    if name is None:
        return _list(found)
    if name not in found:
        raise unknown("examples", "example", name, [*found, *EXPERIMENTS])
    content = found[name].read_text(encoding="utf-8")
    if out is not None:
        write_text(out, content)
    document = {"name": name, "content": content, "copied_to": str(out) if out else None}
    return Answer(lambda: document, None if out else content)


def _list(found: dict[str, Any]) -> Answer:
    described = {
        name: _description(entry.read_text(encoding="utf-8"))
        for name, entry in sorted(found.items())
    } | {name: told for name, (told, _) in EXPERIMENTS.items()}
    width = max(len(name) for name in described)
    lines = (f"{name:<{width}}  {description}" for name, description in described.items())
    return Answer(lambda: described, "\n".join(lines))


def _description(text: str) -> str:
    """The entry `description`, which every example has on one line: a list is made at once."""
    lines = (line for line in text.splitlines() if line.startswith("description:"))
    return next(lines).removeprefix("description:").strip()
