"""Options that several commands have, each described once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rich_click as click

from torseur.cli.frame.models import Decorator
from torseur.cli.frame.outputs import PAGE, PICTURE, Output
from torseur.cli.frame.settings import FINITE, WHOLE

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
