"""`torseur gyroscopic-couple`: what it takes to turn the axis of a body that spins."""

from typing import Any

from torseur.cli.frame.command import Printout, command
from torseur.cli.frame.options import option
from torseur.cli.frame.settings import quantity, three
from torseur.words.sentence import say

_ZERO: dict[str, Any] = {"default": "0,0,0", "show_default": True}


@command(
    "gyroscopic-couple",
    option("--inertia", "Moments at the centre of mass, the last about the spin [kg m²].", "A,B,C",
           required=True, read=three("kg.m^2")),
    option("--spin", "Speed of the spin, such as `2000 tr/min`.", "SPEED", required=True,
           read=quantity("rad/s")),
    option("--turning", "Rotation of the carrier in its axes, z along the spin [rad/s].", "X,Y,Z",
           read=three("rad/s"), **_ZERO),
    option("--growth", "Angular acceleration of the carrier [rad/s²].", "X,Y,Z",
           read=three("rad/s^2"), **_ZERO),
    option("--angle", "Angle of the body about z, if its moments A and B differ.", "ANGLE",
           default="0", show_default=True, read=quantity("rad")),
)  # fmt: skip
def gyroscopic_couple(**given: Any) -> Printout:
    """Compute the couple on a spinning body whose carrier turns, in the axes of the carrier.

    The body exerts the opposite couple on its carrier.

    Example: `torseur gyroscopic-couple --inertia 25,25,35 --spin "2000 tr/min" --turning 0,0.5,0
    --growth 0,1,0`
    """
    from torseur.analyse.rotation.free_rotation import gyroscopic_couple as found_couple
    from torseur.brief import without_rounding

    couple = found_couple(**given)[0]
    listed = ", ".join(f"{x:.8g}" for x in without_rounding(couple, 1e-12))
    text = say(
        "couple on the body: ({listed}) N m; the carrier receives the opposite couple", listed
    )
    return Printout(lambda: {"couple": couple}, text)
