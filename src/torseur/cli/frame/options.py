"""MODEL and the options that several commands have, each described once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import rich_click as click

from torseur.cli.frame.outputs import PAGE, PICTURE, Output
from torseur.cli.frame.settings import FINITE, WHOLE
from torseur.errors import ModelError
from torseur.words.sentence import say

if TYPE_CHECKING:
    from torseur.model.description import Mechanism

STARTS = click.option(
    "--starts",
    type=WHOLE,
    metavar="N",
    help="Number of starting points; more make the search finer.",
)
REACTIONS = click.option("--reactions", is_flag=True, help="Force and couple in every joint.")


def option(
    flag: str,
    help: str,
    metavar: str | None = None,
    *,
    name: str = "",
    read: Callable[[str, Any], Any] | None = None,
    **more: Any,
) -> Decorator:
    """An option; its name in Python is that of the flag, or `name`.

    `read` makes its value from the flag and the text; without a text it is None.
    """
    if read is not None:
        more["callback"] = lambda context, _, text: read(flag, text) if text else None
    names = (flag, name) if name else (flag,)
    return click.option(*names, metavar=metavar, help=help, **more)


def several(flag: str, name: str, help: str, metavar: str = "NAME", **more: Any) -> Decorator:
    """An option that may be repeated."""
    return option(flag, help, metavar, name=name, multiple=True, **more)


def settings(help: str = "Value of a parameter; may be repeated.") -> Decorator:
    """`--set NAME=VALUE`: of parameters."""
    return several("--set", "settings", help, "NAME=VALUE")


def settings_and_start() -> Decorator:
    """`--set NAME=VALUE`: of parameters, coordinates and speeds."""
    text = "Value of a parameter, a coordinate or a speed; may be repeated."
    return several("--set", "start_settings", text, "NAME=VALUE")


def state_at(help: str, **more: Any) -> Decorator:
    """`--at NAME=VALUE`: coordinates and speeds of a state."""
    return several("--at", "state_settings", help, "NAME=VALUE", **more)


def duration(required: bool = True, help: str = "Length of the run.") -> Decorator:
    """`--duration S`."""
    return option("--duration", help, "S", type=FINITE, required=required)


def rate(default: float) -> Decorator:
    """`--rate HZ`."""
    return option("--rate", "Samples a second.", "HZ", type=FINITE, default=default)


def plot(what: str, flag: str = "--plot") -> Decorator:
    """`--plot FILE`: a picture."""
    return click.option(
        flag, "picture", type=PICTURE, metavar="FILE", help=f"{what} as .png, .svg or .pdf."
    )


def page(flag: str, name: str, help: str) -> Decorator:
    """An option that names a page to write."""
    return click.option(flag, name, type=PAGE, metavar="FILE.html", help=help)


def out(*endings: str, help: str, **more: Any) -> Decorator:
    """`-o FILE`: where the result goes; a pipe will do."""
    return click.option("-o", "--out", type=Output(*endings, direct=True), help=help, **more)


def swept(help: str = "Name of the parameter that changes.") -> tuple[Decorator, ...]:
    """`--parameter NAME --from VALUE --to VALUE`."""
    ends: dict[str, Any] = {"type": FINITE, "required": True}
    return (
        option("--parameter", help, "NAME", required=True),
        option("--from", "First value.", "VALUE", name="low", **ends),
        option("--to", "Last value.", "VALUE", name="high", **ends),
    )


# --- MODEL on a command line, and the options that say how it is read -----------------------------

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_TABLES, _ROBOT = "torseur.tables", "torseur.robot"


def _keep_tables(context: click.Context, _: click.Parameter, value: Any) -> None:
    context.meta[_TABLES] = value


def _of_robot(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Keep options for reading a robot, by their names in Python."""
    if value not in (None, False, ()):
        name = str(parameter.name)
        denied = name.startswith("no_")
        options = context.meta.setdefault(_ROBOT, {})
        options[name.removeprefix("no_")] = not value if denied else value


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
        help="Folder with the table files; default: the folder of the model.",
    ),
    _robot_option(
        "--free-base", is_flag=True, help="The base of a URDF moves freely; default: it is fixed."
    ),
    _robot_option(
        "--package",
        "packages",
        multiple=True,
        metavar="FOLDER",
        help="Folder in which package:// paths of a robot are searched; may be repeated.",
    ),
    _robot_option(
        "--mesh-density",
        type=FINITE,
        metavar="KG/M3",
        help="Density that fills the meshes of links of a robot without mass data.",
    ),
    _robot_option(
        "--limits",
        type=click.Choice(["stop"]),
        help="Let joints of a robot stop at their limits.",
    ),
    _robot_option(
        "--effort",
        type=click.Choice(["clip"]),
        help="Clip commands of control at the efforts of the joints of a robot.",
    ),
    _robot_option(
        "--collisions",
        type=click.Choice(["links", "ground", "all", "named"]),
        help="Contacts from collision shapes of a robot: `links` with each other and planes of the "
        "file, `ground` with the plane z = 0, `all`, or `named`: one by name for each shape on "
        "that plane, which events move.",
    ),
    _robot_option("--no-actuators", is_flag=True, help="Leave out the actuators of an MJCF file."),
    _robot_option(
        "--keyframe",
        metavar="NAME",
        help="Keyframe of an MJCF at which motions start.",
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
    from torseur.language.robot.robot_parts import Reading

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
    mechanism = loaded(model, masses, field, tables_folder(), reading)
    if context is not None:
        from torseur.model.contact.smooth import require_states_known

        require_states_known(f"torseur {context.info_name}", mechanism)
    return mechanism
