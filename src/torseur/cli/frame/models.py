"""MODEL on a command line, and the options that say how it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import rich_click as click

from torseur.cli.frame.settings import FINITE
from torseur.errors import ModelError
from torseur.words.sentence import say

if TYPE_CHECKING:
    from torseur.model.description import Mechanism

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_TABLES, _ROBOT = "torseur.tables", "torseur.robot"


def _keep_tables(context: click.Context, _: click.Parameter, value: Any) -> None:
    context.meta[_TABLES] = value


def _of_robot(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Keep options for reading a robot, by their names in Python."""
    if value not in (None, False, ()):
        context.meta.setdefault(_ROBOT, {})[parameter.name] = value


def _robot_option(flag: str, *more: str, help: str, **kind: Any) -> Decorator:
    return click.option(flag, *more, expose_value=False, callback=_of_robot, help=help, **kind)


MODEL = (
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
        callback=_keep_tables,
        help="Folder of the files of tables; default: that of the model.",
    ),
    _robot_option(
        "--free-base", is_flag=True, help="The base of a URDF moves freely; default: it is fixed."
    ),
    _robot_option(
        "--package",
        "packages",
        multiple=True,
        metavar="FOLDER",
        help="Folder searched for package:// of a robot; may be repeated.",
    ),
    _robot_option(
        "--mesh-density",
        type=FINITE,
        metavar="KG/M3",
        help="Density that fills the meshes of links of a robot without mass data.",
    ),
    _robot_option(
        "--collisions",
        type=click.Choice(["links", "ground", "all"]),
        help="Contacts from collision shapes of a robot: `links` with each other and planes of the "
        "file, `ground` with the plane z = 0, or `all`.",
    ),
    _robot_option(
        "--accept",
        multiple=True,
        metavar="KIND",
        help='Kind of error in mass data of a robot to accept, "negative moment"; may be repeated.',
    ),
)


def tables_folder() -> str | None:
    """The folder that `--tables` names."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(_TABLES)


def load_model(model: str, masses: str | None = None, gravity: str | None = None) -> Mechanism:
    """The mechanism of the arguments; a hint on standard error marks an example."""
    from torseur.language.load import example_named, loaded
    from torseur.language.robot.reading import Reading

    field = None
    if gravity is not None:
        field = tuple(part.strip() for part in gravity.split(","))
        if len(field) != 3:
            problem = say('expected three components, got "{gravity}".', gravity)
            raise ModelError("--gravity", problem, 'For instance: --gravity "0, 0, -9.81".')
    context = click.get_current_context(silent=True)
    settings = context.meta if context is not None else {}
    reading = Reading(**settings[_ROBOT]) if _ROBOT in settings else None
    if reading is None and example_named(model) is not None:
        click.echo(
            say(
                "{name} is an example; for a copy: torseur examples {name} -o {name}.yaml",
                model,
            ),
            err=True,
        )
    return loaded(model, masses, field, tables_folder(), reading)
