"""What every command says about its MODEL."""

import json
import sys
from collections.abc import Callable
from typing import Any

import rich_click as click

from torseur.errors import ModelError
from torseur.mechanism.description import Mechanism


def model_arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    """MODEL, --masses and --gravity."""
    decorators = (
        click.argument("model"),
        click.option(
            "--masses",
            type=click.Choice(["lever", "full"]),
            help="Mass data of a phrase: `lever` (centre on the lever, diagonal inertia) or `full` "
            "(ten symbols a body).",
        ),
        click.option(
            "--gravity",
            metavar="GX,GY,GZ",
            help="Gravity in ground axes, for a phrase; default: G along Y.",
        ),
    )
    for decorate in reversed(decorators):
        command = decorate(command)
    return command


def load_model(model: str, masses: str | None, gravity: str | None) -> Mechanism:
    """The mechanism of the arguments."""
    from torseur.language.load import load

    field = None
    if gravity is not None:
        field = tuple(part.strip() for part in gravity.split(","))
        if len(field) != 3:
            raise ModelError(
                "--gravity",
                f'expected three components, got "{gravity}".',
                'For instance: --gravity "0, 0, -9.81".',
            )
    return load(model, masses=masses, gravity=field)


def say_json(document: Any) -> None:
    """One JSON document on standard output; escapes stand for what its encoding may lack."""
    plain = "utf" not in str(getattr(sys.stdout, "encoding", "")).lower()
    click.echo(json.dumps(document, indent=2, ensure_ascii=plain))
