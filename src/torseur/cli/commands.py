"""The command `torseur` and its sub-commands."""

from importlib import import_module
from pkgutil import iter_modules

import rich_click as click

from torseur.cli.app.app import app
from torseur.cli.frame.language import LANGUAGE
from torseur.cli.frame.spoken import HELP, SpokenCommand, in_words
from torseur.version import __version__

click.rich_click.TEXT_MARKUP = "markdown"

_FIRST_NAMES = {"integrals": "first-integrals"}  # that commands had, and still answer to
_ROOMS = ("description", "design", "equations", "motion", "rest", "robotics", "rotation")


class _Commands(click.RichGroup, SpokenCommand):  # type: ignore[misc, unused-ignore]
    """The group of all commands, by their names and by those that they had first."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, in the language spoken."""
        command = super().get_command(ctx, _FIRST_NAMES.get(cmd_name, cmd_name))
        return command and in_words(command)


@click.group(cls=_Commands, context_settings=HELP)
@click.version_option(__version__, prog_name="torseur")
@LANGUAGE
def commands() -> None:
    """From the description of a mechanism to its equations of motion.

    MODEL is a file (.yaml; .urdf, .sdf, .xml of MuJoCo, .xacro), the name of an example, or a
    description phrase in quotes.

    Start with `torseur demo`, with `torseur derive slider_crank`, or with one phrase:

    `torseur derive "RY(q1), TYK(L1), RX(q2), TYK(L2);" --masses lever`
    """


# each file of these rooms is a command, called as its file; the app is a room of its own
for room in _ROOMS:
    for file in iter_modules(import_module(f"torseur.cli.{room}").__path__):
        commands.add_command(getattr(import_module(f"torseur.cli.{room}.{file.name}"), file.name))
commands.add_command(app)
