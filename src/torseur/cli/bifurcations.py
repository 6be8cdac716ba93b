"""`torseur bifurcations`: where equilibria appear, meet and lose stability."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torseur.cli.command import Answer, model_command
from torseur.cli.options import option, plot, settings, several, swept
from torseur.cli.settings import named_numbers, state
from torseur.model.description import Mechanism


@model_command(
    "bifurcations",
    *swept("What changes: a parameter, or a speed of --given."),
    several("--at", "at", "Coordinates near the first equilibrium.", "NAME=VALUE"),
    several("--given", "given", "Constant speeds and coordinates of steady motions.", "NAME=VALUE"),
    settings("Value of another parameter; may be repeated."),
    option("--of", "The coordinate that --plot shows.", "NAME", default=""),
    plot("The diagram"),
)
def bifurcations(
    mechanism: Mechanism,
    parameter: str,
    low: float,
    high: float,
    at: tuple[str, ...],
    given: tuple[str, ...],
    parameters: dict[str, float],
    of: str,
    picture: Path | None,
) -> Answer:
    """Branches of equilibria of MODEL as a parameter changes, and their bifurcations.

    Example: `torseur bifurcations buckling_two_bars.yaml --parameter F --from 20 --to 80
    --at theta=0 --at bend=0 --plot diagram.svg`
    """
    from torseur.analyse.bifurcations.bifurcations import bifurcations as found_diagram

    found = found_diagram(
        mechanism,
        parameter,
        (low, high),
        at=state(mechanism, "--at", at) or None,
        given=named_numbers("--given", given) or None,
        parameters=parameters,
    )
    if picture is not None:
        found.plot(of, picture)
    return Answer(
        lambda: _document(mechanism.name, found), lambda: f"{mechanism.name}\n{found}", (picture,)
    )


def _document(name: str, found: Any) -> dict[str, Any]:
    tangent = found.branches[0].points[0].here.tangent
    return {
        "name": name,
        "parameter": found.parameter,
        "branches": [
            {
                "values": branch.values.tolist(),
                "stable": branch.stable.tolist(),
                **{key: branch[key].tolist() for key in (*tangent.coordinates, *tangent.speeds)},
            }
            for branch in found.branches
        ],
        "bifurcations": [
            {
                "kind": x.kind,
                "criticality": x.criticality,
                "value": x.value,
                "frequency": x.frequency,
                "coordinates": x.at.coordinates,
            }
            for x in found
        ],
    }
