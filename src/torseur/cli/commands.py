"""The command `torseur` and its sub-commands."""

import rich_click as click

from torseur.cli.balance_rotor import balance_rotor
from torseur.cli.bifurcations import bifurcations
from torseur.cli.chaos import chaos
from torseur.cli.check import check
from torseur.cli.check_answer import check_answer
from torseur.cli.demo import demo
from torseur.cli.derive import derive
from torseur.cli.equilibria import equilibria
from torseur.cli.examples import examples
from torseur.cli.export import export
from torseur.cli.first_integrals import first_integrals
from torseur.cli.graph import graph
from torseur.cli.gyroscopic_couple import gyroscopic_couple
from torseur.cli.holding_forces import holding_forces
from torseur.cli.linearise import linearise
from torseur.cli.mobility import mobility
from torseur.cli.phase_portrait import phase_portrait
from torseur.cli.root_locus import root_locus
from torseur.cli.rotor import rotor
from torseur.cli.sensitivity import sensitivity
from torseur.cli.simulate import simulate
from torseur.cli.spectrum import spectrum
from torseur.cli.steady_motions import steady_motions
from torseur.cli.tell import tell
from torseur.cli.tumbling import tumbling
from torseur.cli.view import view
from torseur.version import __version__

click.rich_click.TEXT_MARKUP = "markdown"


_FIRST_NAMES = {"integrals": "first-integrals"}  # that commands had, and still answer to


class _Commands(click.RichGroup):
    """The group of all commands, by their names and by those that they had first."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        return super().get_command(ctx, _FIRST_NAMES.get(cmd_name, cmd_name))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="torseur")
def commands() -> None:
    """From the description of a mechanism to its equations of motion.

    MODEL is a description phrase in quotes, or a file (.yaml).

    Start with `torseur demo`, or with one phrase:

    `torseur derive "RY(q1), TYK(L1), RX(q2), TYK(L2);" --masses lever`
    """


for command in (
    derive,
    tell,
    check_answer,
    check,
    graph,
    mobility,
    equilibria,
    steady_motions,
    holding_forces,
    linearise,
    root_locus,
    first_integrals,
    bifurcations,
    phase_portrait,
    simulate,
    sensitivity,
    chaos,
    rotor,
    balance_rotor,
    tumbling,
    gyroscopic_couple,
    spectrum,
    view,
    export,
    examples,
    demo,
):
    commands.add_command(command)
