"""`torseur equilibria`: where a mechanism can rest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from torseur.cli.command import Answer, model_command, wrench_lines
from torseur.cli.options import REACTIONS, STARTS, option, plot, settings, several
from torseur.cli.settings import FINITE, named_ranges
from torseur.model.description import Mechanism

if TYPE_CHECKING:
    from torseur.analyse.equilibria.equilibria import Equilibria
    from torseur.analyse.equilibria.steady import Steady


@model_command(
    "equilibria",
    several("--box", "box", "Limits of a coordinate.", "NAME=LOW:HIGH"),
    settings(),
    STARTS,
    option("--prove", "Try to prove that there are no others.", is_flag=True),
    option("--at-time", "Take loads as they are then.", "S", name="t", type=FINITE),
    REACTIONS,
    plot("A figure"),
)
def equilibria(
    mechanism: Mechanism,
    box: tuple[str, ...],
    parameters: dict[str, float],
    starts: int | None,
    prove: bool,
    t: float | None,
    reactions: bool,
    picture: Path | None,
) -> Answer:
    """Where MODEL can rest: coordinates, energy, stability and reactions.

    Imposed motions at constant speed go on: equilibria are then relative to what turns.

    Example: `torseur equilibria double_pendulum.yaml`

    Example: `torseur equilibria ball_governor.yaml --set Omega=12 --box z=0.1:0.4`
    """
    from torseur.analyse.equilibria.equilibria import equilibria as found_equilibria

    limits = named_ranges("--box", box)
    found = found_equilibria(
        mechanism, box=limits, parameters=parameters, starts=starts, t=t, prove=prove
    )
    return answer(mechanism.name, "equilibria", found, reactions, picture)


def answer(
    name: str, what: str, found: Equilibria, reactions: bool, picture: Path | None
) -> Answer:
    """Equilibria or steady motions as text and as one document, and their figure."""
    if picture is not None:
        found.plot(picture)

    def document() -> dict[str, Any]:
        known = {"word": found.complete.word, "reason": found.complete.reason}
        listed = [_document(x) for x in found]
        return {"name": name, what: listed, "complete": known, "notices": list(found.notices)}

    def text() -> str:
        lines = [f"{name}: {len(found)} {what.replace('_', ' ')}", str(found)]
        for k, x in enumerate(found if reactions else ()):
            lines.append(f"reactions {k + 1}, of the first body on the second, in ground axes:")
            lines += wrench_lines(x.reactions)
        return "\n".join(lines)

    return Answer(document, text, (picture,))


def _document(x: Steady) -> dict[str, Any]:
    return {
        "coordinates": x.coordinates,
        "speeds": x.speeds,
        "energy": x.energy,
        "effective_energy": x.effective_energy,
        "family": x.family,
        "stable": bool(x.stable),
        "verdict": str(x.stable),
        "reactions": {name: [float(c) for c in wrench] for name, wrench in x.reactions.items()},
    }
