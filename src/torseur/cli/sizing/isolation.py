"""`torseur isolation`: the part of a force that reaches the ground, over the frequency."""

from collections.abc import Mapping

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.options import option, plot, settings, state_at
from torseur.cli.frame.settings import span


@model_command(
    "isolation",
    option("--input", "A coordinate, motor or joint force; or a ground that shakes: `ground.x`, an "
           "imposed motion.", "NAME", name="excited", required=True),
    option("--output", "Axis along which the ground feels the force; or the body or point whose "
           "motion counts.", "NAME", name="felt"),
    option("--frequencies", "First and last frequency [rad/s].", "W1:W2", read=span),
    state_at("The equilibrium, by coordinates."),
    settings(),
    plot("Transmissibility against frequency"),
)  # fmt: skip
def isolation(
    mechanism: Mechanism,
    excited: str,
    felt: str | None,
    frequencies: tuple[float, float] | None,
    at: Mapping[str, float] | None,
    parameters: Mapping[str, float],
) -> Printout:
    """Compute the transmissibility of MODEL: the part of a force that the ground feels, or the
    motion of a body for a unit motion of the ground.

    Example: `torseur isolation cart_pendulum.yaml --input x --frequencies 1:100 --plot curve.svg`
    """
    import numpy as np

    from torseur.analyse.sizing.isolation import isolation as curve
    from torseur.analyse.vibrations.linear_systems import is_base
    from torseur.analyse.vibrations.linearise import linearise
    from torseur.cli.frame.command import answer_of

    inputs = None if is_base(mechanism, excited) else (excited,)
    small = linearise(mechanism, at, inputs=inputs, parameters=parameters)
    omegas = None if frequencies is None else np.geomspace(*frequencies, 400)
    return answer_of(mechanism, curve(small, excited, omegas, output=felt))
