"""`torseur isolations`: which bodies to isolate, and which equations to write."""

from torseur.cli.frame.command import Mechanism, Printout, answer_of, model_command
from torseur.cli.frame.options import option, several
from torseur.cli.frame.settings import named_texts


@model_command(
    "isolations",
    option(
        "--of", "The unknown of a joint that is wanted; default: the motion.", "NAME", default=""
    ),
    several("--mode", "contact_modes", "A contact that keeps a mode: open, stick or slip.",
            "NAME=MODE"),
)  # fmt: skip
def isolations(mechanism: Mechanism, of: str, contact_modes: tuple[str, ...]) -> Printout:
    """Choose which bodies of MODEL to isolate, and which equations to write, for few unknowns.

    --of asks for an unknown of a joint: Y_A is the force along y in joint A, N_A the couple about
    z. Without it, the goal is the equations of motion: equations without unknowns of joints, or the
    smallest systems from which these can be eliminated.

    Example: `torseur isolations slider_crank --of Y_P`
    """
    from torseur.equations.formalisms.isolations import isolations as found

    modes = named_texts("--mode", contact_modes) or None
    return answer_of(mechanism, found(mechanism, of, modes=modes), "\n")
