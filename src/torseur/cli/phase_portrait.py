"""`torseur phase-portrait`: all the motions of a mechanism with one freedom in one picture."""

from __future__ import annotations

from pathlib import Path

from torseur.cli.command import Answer, model_command
from torseur.cli.options import option, plot, settings
from torseur.cli.settings import span
from torseur.model.description import Mechanism


@model_command(
    "phase-portrait",
    option("--of", "The coordinate; default: the first free one.", "NAME", default=""),
    option("--span", "Limits of the coordinate.", "LOW:HIGH", name="limits", default=""),
    option("--speeds", "Limits of its speed.", "LOW:HIGH", default=""),
    settings(),
    plot("The portrait"),
)
def phase_portrait(
    mechanism: Mechanism,
    of: str,
    limits: str,
    speeds: str,
    parameters: dict[str, float],
    picture: Path | None,
) -> Answer:
    """The phase portrait of MODEL: level curves of its energy, equilibria and separatrices.

    Example: `torseur phase-portrait simple_pendulum.yaml --plot portrait.svg`
    """
    from torseur.analyse.chaos.phase import phase_portrait as portrait

    found = portrait(
        mechanism,
        of,
        span=span("--span", limits) if limits else None,
        speeds=span("--speeds", speeds) if speeds else None,
        parameters=parameters,
    )
    if picture is not None:
        found.figure(picture)
    name = found.coordinate
    what = "energy is not kept" if found.energy is None else "energy is kept"
    lines = [
        f"{mechanism.name}: {name} from {found.q[0]:.4g} to {found.q[-1]:.4g}, {what}",
        *(f"equilibrium {name} = {x.coordinates[name]:.6g}: {x.stable.word}" for x in found.rests),
        *(f"separatrix: {x:.6g} J above rest in the middle of the span" for x in found.separatrix),
    ]
    document = {"name": mechanism.name}
    return Answer(lambda: document | found.document, "\n".join(lines), (picture,))
