"""`torseur rotor`: the unbalance of a rotor, what its bearings feel, and what cancels it."""

from __future__ import annotations

import numpy as np

from torseur.cli.command import Answer, model_command
from torseur.cli.options import option, several
from torseur.cli.settings import span
from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.words.sentence import say


@model_command(
    "rotor",
    option("--body", "The rotor.", "NAME", required=True),
    several("--bearing", "bearings", "A joint or a named point of the rotor; twice.",
            required=True),
    option("--speed", "Such as `1500 tr/min`.", "SPEED", default=""),
    option("--planes", "Two planes for balance masses, from the first bearing [m].", "Z1:Z2",
           default=""),
    option("--radius", "Of the masses, such as `100 mm`.", "R", default=""),
)  # fmt: skip
def rotor(
    mechanism: Mechanism,
    body: str,
    bearings: tuple[str, ...],
    speed: str,
    planes: str,
    radius: str,
) -> Answer:
    """Static and dynamic unbalance of a body of MODEL that turns in two bearings.

    Example: `torseur rotor unbalanced_rotor.yaml --body rotor --bearing P1 --bearing P2
    --speed "1500 tr/min" --planes 0.1:0.3 --radius "100 mm"`
    """
    from torseur.analyse.rotors.rotors import rotor as found_rotor
    from torseur.language.text.given import amount

    if len(bearings) != 2:
        raise ModelError(
            "--bearing", say("two are needed, got {number}: {bearings}.", len(bearings), bearings)
        )
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
    return Answer(lambda: document, "\n".join(lines))
