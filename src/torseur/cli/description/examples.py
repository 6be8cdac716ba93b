"""`torseur examples`: the mechanisms that come with Torseur, and experiments done again."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from torseur.cli.description.experiments import EXPERIMENTS
from torseur.cli.frame.command import Answer, command
from torseur.cli.frame.outputs import Output
from torseur.errors import unknown
from torseur.language.packaged import EXAMPLES, example_description, packaged_files
from torseur.output import write_text
from torseur.words.language import spoken
from torseur.words.sentence import worded


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
    found = packaged_files(EXAMPLES)
    if name is None:
        return _list()
    if name not in found:
        raise unknown("examples", "example", name, [*found, *EXPERIMENTS])
    content = found[name].read_text(encoding="utf-8")
    if out is not None:
        write_text(out, content)
    document = {"name": name, "content": content, "copied_to": str(out) if out else None}
    return Answer(lambda: document, None if out else content)


def example_lines() -> dict[str, str]:
    """What each example is, in the language that is spoken."""
    return {name: example_description(name, spoken()) for name in packaged_files(EXAMPLES)}


def _list() -> Answer:
    experiments = {name: worded(told) for name, (told, _) in EXPERIMENTS.items()}
    described = example_lines() | experiments
    width = max(len(name) for name in described)
    lines = (f"{name:<{width}}  {description}" for name, description in described.items())
    return Answer(lambda: described, "\n".join(lines))
