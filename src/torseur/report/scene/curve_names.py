"""Names of curves on pages and figures: quantities are translated, owners are not."""

from torseur.named_words import Words
from torseur.simulation.run.quantities import Curve

_WHAT = ("velocity", "acceleration", "gap", "normal", "friction", "slip", "adherence", "work")
_WHOLE = {
    "J": (
        "kinetic",
        "potential",
        "work",
        "total",
        "kinetic energy",
        "potential energy",
        "T + V − work",
    ),
    "m or rad": ("closure",),
}


def curve_name(curve: Curve, words: Words) -> str:
    """`A.velocity.x` is « A.vitesse.x » in French, an energy is « cinétique »."""
    if curve.name in _WHOLE.get(curve.unit, ()):
        return words[f"curve {curve.name}"]
    first, *parts = curve.name.split(".")
    return ".".join([first, *(words[f"curve {x}"] if x in _WHAT else x for x in parts)])


def curve_unit(unit: str, words: Words) -> str:
    """The unit of a curve; one of two is `m or rad`."""
    return unit.replace(" or ", f" {words['curve or']} ")
