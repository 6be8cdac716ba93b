"""`torseur rotor`: the unbalance of a rotor, what its bearings feel, and what cancels it."""

import cmath
import math

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.options import option, several
from torseur.cli.frame.settings import quantity, span
from torseur.errors import ModelError
from torseur.words.sentence import say, worded


@model_command(
    "rotor",
    option("--body", "The rotor.", "NAME", required=True),
    several("--bearing", "bearings", "A joint or a named point of the rotor; twice.",
            required=True),
    option("--speed", "Speed, such as `1500 tr/min`.", "SPEED", read=quantity("rad/s")),
    option("--planes", "Two planes for balance masses, from the first bearing [m].", "Z1:Z2",
           read=span),
    option("--radius", "Radius of the masses, such as `100 mm`.", "R", read=quantity("m")),
)  # fmt: skip
def rotor(
    mechanism: Mechanism,
    body: str,
    bearings: tuple[str, ...],
    speed: float | None,
    planes: tuple[float, float] | None,
    radius: float | None,
) -> Printout:
    """Compute static and dynamic unbalance of a body of MODEL that turns in two bearings.

    Example: `torseur rotor unbalanced_rotor.yaml --body rotor --bearing P1 --bearing P2
    --speed "1500 tr/min" --planes 0.1:0.3 --radius "100 mm"`
    """
    from torseur.analyse.rotation.rotors import BalanceMass
    from torseur.analyse.rotation.rotors import rotor as found_rotor
    from torseur.plain import plain

    if len(bearings) != 2:
        raise ModelError(
            "--bearing",
            say("two bearings are needed, got {number}: {bearings}.", len(bearings), bearings),
        )
    result = found_rotor(mechanism, body, *bearings)
    document = {"name": mechanism.name, "body": body} | result.document
    lines = [f"{mechanism.name}{worded(': ')}{body}", str(result)]
    if speed is not None:
        felt = result.reactions(speed)
        document |= {"speed": speed, "reactions": plain(felt)}
        lines += [
            say(
                "bearing {name}: {force:.5g} N on the rotor at {angle:.1f}°",
                name,
                abs(z),
                math.degrees(cmath.phase(z)),
            )
            for name, z in zip(bearings, felt, strict=True)
        ]
        lines.append(say("balance grade G {grade:.4g} mm/s", result.grade(speed)))
    if planes is not None:
        cancelling = zip(result.correction(planes), planes, strict=True)
        put = [BalanceMass.of(b, 1.0 if radius is None else radius, z) for b, z in cancelling]
        document["masses"] = [{"z": x.z} | x.document for x in put]
        lines += [say("plane z = {z:g} m: put {mass}", x.z, x) for x in put]
    return Printout(lambda: document, "\n".join(lines))
