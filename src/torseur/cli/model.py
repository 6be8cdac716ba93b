"""What every command says about its MODEL."""

import sys
from collections.abc import Callable
from typing import Any

import rich_click as click

from torseur.errors import ModelError
from torseur.model.description import Mechanism

_TABLES = "torseur.tables"


def model_arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    """MODEL, --masses, --gravity and --tables."""
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
        click.option(
            "--tables",
            metavar="FOLDER",
            expose_value=False,
            callback=_keep_folder,
            help="Folder that files of tables may come from; default: that of the model.",
        ),
    )
    for decorate in reversed(decorators):
        command = decorate(command)
    return command


def _keep_folder(context: click.Context, _: click.Parameter, value: str | None) -> None:
    context.meta[_TABLES] = value


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
    context = click.get_current_context(silent=True)
    folder = context.meta.get(_TABLES) if context is not None else None
    return load(model, masses=masses, gravity=field, tables=folder)


def say_json(document: Any) -> None:
    """One JSON document on standard output; escapes stand for what its encoding may lack."""
    from torseur.report.pages.documents import json_text

    plain = "utf" not in str(getattr(sys.stdout, "encoding", "")).lower()
    click.echo(json_text(document, indent=2, ensure_ascii=plain))
