"""The command `torseur` and its sub-commands."""

from importlib import import_module

import rich_click as click

from torseur.cli.frame.language import LANGUAGE
from torseur.cli.frame.spoken import HELP, SpokenCommand, in_words
from torseur.version import __version__

click.rich_click.TEXT_MARKUP = "markdown"

_FIRST_NAMES = {"integrals": "first-integrals"}  # that commands had, and still answer to
_ROOMS = {
    "app": ("app",),
    "description": (
        "blocks",
        "check",
        "demo",
        "draw",
        "examples",
        "graph",
        "inertia",
        "mobility",
        "report",
        "view",
    ),
    "design": ("synthesise",),
    "equations": ("check_answer", "derive", "exercise", "export", "first_integrals", "tell"),
    "motion": ("chaos", "inverse", "sensitivity", "simulate", "spectrum", "sweep", "tracking"),
    "rest": (
        "bifurcations",
        "equilibria",
        "holding_forces",
        "linearise",
        "phase_portrait",
        "root_locus",
        "steady_motions",
    ),
    "robotics": ("excite", "identify"),
    "rotation": ("balance_rotor", "gyroscopic_couple", "rotor", "tumbling"),
}


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

    MODEL is a description phrase in quotes, or a file (.yaml).

    Start with `torseur demo`, or with one phrase:

    `torseur derive "RY(q1), TYK(L1), RX(q2), TYK(L2);" --masses lever`
    """


for room, names in _ROOMS.items():
    for name in names:
        commands.add_command(getattr(import_module(f"torseur.cli.{room}.{name}"), name))
