"""The command `torseur` and its sub-commands."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, cast, final

import rich_click as click

from torseur.cli.frame.language import LANGUAGE
from torseur.cli.frame.spoken import HELP, SpokenCommand, in_words
from torseur.version import __version__

click.rich_click.TEXT_MARKUP = "markdown"

_FIRST_NAMES = {"integrals": "first-integrals"}  # that commands had, and still answer to
_HOMES = {"app": "torseur.cli.app.app"}  # the one command that is a room of its own
_ROOMS = ("description", "design", "equations", "motion", "rest", "robotics", "rotation")


@final
class _Table(Mapping[str, click.Command]):
    """The commands by name, each imported when it is asked for, so that one costs no other.

    Each file of the rooms is a command, called as its file.
    """

    def __init__(self) -> None:
        self._homes = dict(_HOMES)
        for room in _ROOMS:
            package = import_module(f"torseur.cli.{room}")
            for file in iter_modules(package.__path__, f"{package.__name__}."):
                self._homes[file.name.rpartition(".")[2].replace("_", "-")] = file.name

    def __getitem__(self, name: str) -> click.Command:
        home = self._homes[name]
        command = getattr(import_module(home), home.rpartition(".")[2])
        assert isinstance(command, click.Command), f"{home} has the command of its name"
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


class _Commands(click.RichGroup, SpokenCommand):  # type: ignore[misc, unused-ignore]
    """The group of all commands, by their names and by those that they had first."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.commands = cast(Any, _Table())

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
