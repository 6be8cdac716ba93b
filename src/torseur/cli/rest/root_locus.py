"""`torseur root-locus`: eigenvalues of small motions as a parameter changes."""

from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, answer_of, model_command
from torseur.cli.frame.options import option, plot, settings, state_at, swept
from torseur.cli.frame.settings import WHOLE
from torseur.errors import ModelError
from torseur.words.sentence import say


@model_command(
    "root-locus",
    *swept(),
    option("--count", "Number of values.", type=WHOLE, default=41, show_default=True),
    state_at("A coordinate of the first equilibrium; default: the nearest one."),
    settings("Value of another parameter; may be repeated."),
    plot("The eigenvalues in the complex plane"),
)
def root_locus(
    mechanism: Mechanism, parameter: str, low: float, high: float, count: int, **options: Any
) -> Printout:
    """Follow the eigenvalues about an equilibrium of MODEL as a parameter changes.

    Example: `torseur root-locus cart_pendulum.yaml --parameter b --from 0 --to 5 --plot locus.svg`
    """
    import numpy as np

    from torseur.analyse.vibrations.root_locus import root_locus as followed

    if count < 2:
        raise ModelError(
            "--count", say("{count} values are too few for a locus.", count), "Give two or more."
        )
    values = np.linspace(low, high, count)
    return answer_of(mechanism, followed(mechanism, parameter, values, **options))
