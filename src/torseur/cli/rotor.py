"""`torseur rotor`: the unbalance of a rotor, what its bearings feel, and what cancels it."""

from __future__ import annotations

import numpy as np
import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.settings import span
from torseur.errors import ModelError


@click.command()
@model_arguments
@click.option("--body", required=True, metavar="NAME", help="The rotor.")
@click.option("--bearing", "bearings", multiple=True, required=True, metavar="NAME",
              help="A joint or a named point of the rotor; twice.")  # fmt: skip
@click.option("--speed", default="", metavar="SPEED", help="Such as `1500 tr/min`.")
@click.option("--planes", default="", metavar="Z1:Z2",
              help="Two planes for balance masses, from the first bearing [m].")  # fmt: skip
@click.option("--radius", default="", metavar="R", help="Of the masses, such as `100 mm`.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def rotor(
    model: str,
    masses: str | None,
    gravity: str | None,
    body: str,
    bearings: tuple[str, ...],
    speed: str,
    planes: str,
    radius: str,
    as_json: bool,
) -> None:
    """Static and dynamic unbalance of a body of MODEL that turns in two bearings.

    Example: `torseur rotor unbalanced_rotor.yaml --body rotor --bearing P1 --bearing P2
    --speed "1500 tr/min" --planes 0.1:0.3 --radius "100 mm"`
    """
    from torseur.analyse.rotors.rotors import rotor as found_rotor
    from torseur.language.text.amounts import amount

    if len(bearings) != 2:
        raise ModelError("--bearing", f"two are needed, got {len(bearings)}: {bearings}.")
    mechanism = load_model(model, masses, gravity)
    found = found_rotor(mechanism, body, *bearings)
    document = {"name": mechanism.name, "body": body} | found.document
    lines = [f"{mechanism.name}: {body}", str(found)]
    if speed:
        turning = amount(speed, "--speed")
        felt = found.reactions(turning)
        document |= {"speed": turning, "reactions": [[z.real, z.imag] for z in felt]}
        lines += [
            f"bearing {name}: {abs(z):.5g} N on the rotor at {np.degrees(np.angle(z)):.1f}°"
            for name, z in zip(bearings, felt, strict=True)
        ]
        lines.append(f"balance grade G {found.grade(turning):.4g} mm/s")
    if planes:
        at = span("--planes", planes)
        r = amount(radius, "--radius") if radius else 1.0
        put = [{"z": z, "radius": r, "mass": abs(b) / r, "angle": float(np.degrees(np.angle(b)))}
               for z, b in zip(at, found.correction(at), strict=True)]  # fmt: skip
        document["masses"] = put
        lines += [f"plane z = {x['z']:g} m: put {1000 * x['mass']:.5g} g at {x['angle']:.1f}°, "
                  f"radius {1000 * x['radius']:g} mm" for x in put]  # fmt: skip
    if as_json:
        say_json(document)
        return
    click.echo("\n".join(lines))
