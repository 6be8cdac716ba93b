"""The command `torseur` and its sub-commands, in the groups of its help."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, cast, final

import rich_click as click

from torseur.cli.frame.spoken import HELP, LANGUAGE, SpokenCommand, in_words
from torseur.version import __version__
from torseur.words.help import helped

click.rich_click.TEXT_MARKUP = "markdown"

GROUPS = {  # each is a room of `torseur.cli`; each file there is a command, called as the file
    "describe": "Describe a mechanism",
    "equations": "Equations",
    "motion": "Motion",
    "rest": "Rest and vibration",
    "sizing": "Sizing of machine parts",
    "robots": "Robots",
    "teaching": "Teaching",
    "files": "Files and pages",
}
_FORMER_NAMES = {"integrals": "first-integrals"}  # commands still answer to these


@final
class _Table(Mapping[str, click.Command]):
    """The commands by name, each imported on first use, so that one does not cost the others."""

    def __init__(self) -> None:
        self.groups: dict[str, list[str]] = {}
        self._modules: dict[str, str] = {}
        for group in GROUPS:
            package = import_module(f"torseur.cli.{group}")
            modules = [x.name for x in iter_modules(package.__path__)]
            named = {x.replace("_", "-"): f"{package.__name__}.{x}" for x in modules}
            self.groups[group] = list(named)
            self._modules |= named

    def __getitem__(self, name: str) -> click.Command:
        module = self._modules[name]
        command = getattr(import_module(module), module.rpartition(".")[2])
        assert isinstance(command, click.Command), f"{module} has the command of its name"
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


class _Commands(click.RichGroup, SpokenCommand):  # type: ignore[misc, unused-ignore]
    """The group of all commands, by their names and by those that they had before."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.table = _Table()
        self.commands = cast(Any, self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, in the language spoken."""
        command = super().get_command(ctx, _FORMER_NAMES.get(cmd_name, cmd_name))
        return command and in_words(command)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with a list of commands for each group."""
        groups = self.table.groups.items()
        named = [{"name": helped(GROUPS[group]), "commands": names} for group, names in groups]
        formatter.config.command_groups = {"*": named}
        super().format_help(ctx, formatter)


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
