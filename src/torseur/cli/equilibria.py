"""`torseur equilibria`: where a mechanism can rest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.outputs import PICTURE
from torseur.cli.settings import FINITE, named_ranges
from torseur.cli.settings import parameters as parameters_of

if TYPE_CHECKING:
    from torseur.analyse.equilibria.equilibria import Equilibria
    from torseur.analyse.stability.steady import Steady


@click.command()
@model_arguments
@click.option("--box", multiple=True, metavar="NAME=LOW:HIGH", help="Limits of a coordinate.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Value of a parameter; may be repeated.")  # fmt: skip
@click.option("--starts", type=int, metavar="N", help="Starting points; more look closer.")
@click.option("--prove", is_flag=True, help="Try to prove that there are no others.")
@click.option("--at-time", "t", type=FINITE, metavar="S", help="Take loads as they are then.")
@click.option("--reactions", is_flag=True, help="Force and couple in every joint.")
@click.option("--plot", "picture", type=PICTURE, metavar="FILE",
              help="A figure as .png, .svg or .pdf.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def equilibria(
    model: str,
    masses: str | None,
    gravity: str | None,
    box: tuple[str, ...],
    settings: tuple[str, ...],
    starts: int | None,
    prove: bool,
    t: float | None,
    reactions: bool,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Where MODEL can rest: coordinates, energy, stability and reactions.

    Imposed motions at constant speed go on: equilibria are then relative to what turns.

    Example: `torseur equilibria double_pendulum.yaml`

    Example: `torseur equilibria ball_governor.yaml --set Omega=12 --box z=0.1:0.4`
    """
    from torseur.analyse.equilibria.equilibria import equilibria as found_equilibria

    mechanism = load_model(model, masses, gravity)
    found = found_equilibria(
        mechanism,
        box=named_ranges("--box", box),
        parameters=parameters_of(mechanism, settings),
        starts=starts,
        t=t,
        prove=prove,
    )
    say_found(mechanism.name, "equilibria", found, reactions, picture, as_json)


def say_found(
    name: str,
    what: str,
    found: Equilibria,
    reactions: bool,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Equilibria or steady motions as text or as one document, and their figure."""
    if picture is not None:
        found.plot(picture)
    if as_json:
        known = {"word": found.complete.word, "reason": found.complete.reason}
        listed = [_document(x) for x in found]
        say_json({"name": name, what: listed, "complete": known, "notices": list(found.notices)})
        return
    click.echo(f"{name}: {len(found)} {what.replace('_', ' ')}")
    click.echo(str(found))
    for k, x in enumerate(found if reactions else ()):
        click.echo(f"reactions {k + 1}, of the first body on the second, in ground axes:")
        for joint, wrench in x.reactions.items():
            force, couple = ", ".join(map(_round, wrench[:3])), ", ".join(map(_round, wrench[3:]))
            click.echo(f"  {joint}: force ({force}) N, couple ({couple}) N m")
    if picture is not None:
        click.echo(f"{picture}: written.")


def _round(x: float) -> str:
    return f"{0.0 if abs(x) < 1e-12 else x:.6g}"


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
