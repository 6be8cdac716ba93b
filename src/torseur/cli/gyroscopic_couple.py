"""`torseur gyroscopic-couple`: what it takes to turn the axis of a body that spins."""

from __future__ import annotations

import rich_click as click

from torseur.cli.model import say_json
from torseur.errors import ModelError


@click.command("gyroscopic-couple")
@click.option("--inertia", required=True, metavar="A,B,C",
              help="Moments at the centre of mass, the last about the spin [kg m²].")  # fmt: skip
@click.option("--spin", required=True, metavar="SPEED", help="Such as `2000 tr/min`.")
@click.option("--turning", default="0,0,0", metavar="X,Y,Z", show_default=True,
              help="Rotation of the carrier in its axes, z along the spin [rad/s].")  # fmt: skip
@click.option("--growth", default="0,0,0", metavar="X,Y,Z", show_default=True,
              help="Its rate [rad/s²].")  # fmt: skip
@click.option("--angle", default="0", metavar="ANGLE", show_default=True,
              help="Of the body about z, where its moments A and B differ.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def gyroscopic_couple(
    inertia: str, spin: str, turning: str, growth: str, angle: str, as_json: bool
) -> None:
    """The couple on a body that spins while its carrier turns, along the axes of the carrier.

    The body exerts the opposite couple on its carrier.

    Example: `torseur gyroscopic-couple --inertia 25,25,35 --spin "2000 tr/min" --turning 0,0.5,0
    --growth 0,1,0`
    """
    from torseur.analyse.rotation.gyroscope import gyroscopic_couple as found_couple
    from torseur.language.text.amounts import amount

    couple = found_couple(
        _three("--inertia", inertia),
        amount(spin, "--spin"),
        _three("--turning", turning),
        growth=_three("--growth", growth),
        angle=amount(angle, "--angle"),
    )[0]
    if as_json:
        say_json({"couple": couple.tolist()})
        return
    listed = ", ".join(f"{0.0 if abs(x) < 1e-12 else x:.8g}" for x in couple)
    click.echo(f"couple on the body ({listed}) N m, on its carrier the opposite")


def _three(option: str, text: str) -> list[float]:
    """Three numbers with units, separated by commas."""
    from torseur.language.text.amounts import amount

    parts = text.split(",")
    if len(parts) != 3:
        advice = f"For instance: {option} 25,25,35."
        raise ModelError(option, f'expected three numbers, got "{text}".', advice)
    return [amount(part.strip(), option) for part in parts]
