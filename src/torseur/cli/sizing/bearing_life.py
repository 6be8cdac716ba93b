"""`torseur bearing-life`: the basic rating life of the bearings of a joint (ISO 281)."""

from typing import Any

import rich_click as click

from torseur.cli.frame.command import Printout, run_command
from torseur.cli.frame.given_run import RUN, given_run
from torseur.cli.frame.options import option
from torseur.cli.frame.settings import FINITE, quantity, span

_FACTORS = ("f0", "e", "x", "y")


@run_command(
    "bearing-life",
    option("--joint", "The joint that the bearings carry.", "NAME", required=True),
    option("--rating", "Basic dynamic load rating C, such as `55.3 kN`.", "C",
           read=quantity("N"), required=True),
    option("--type", "deep groove ball, angular contact ball, cylindrical roller, tapered roller, "
           "thrust ball.", "TYPE", name="kind", default="deep groove ball"),
    option("--static-rating", "Basic static load rating C0, such as `31.5 kN`.", "C0",
           read=quantity("N")),
    option("--f0", "Factor f0 of a deep groove ball bearing.", "F0", type=FINITE),
    option("--e", "Limit of Fa/Fr.", "E", type=FINITE),
    option("--x", "Factor X of the radial load.", "X", type=FINITE),
    option("--y", "Factor Y of the axial load.", "Y", type=FINITE),
    option("--places", "Two bearings along the axis of the joint, from its origin [m]; the first "
           "carries the axial load.", "Z1:Z2", read=span),
    click.option("--reliability", type=click.Choice(["90", "95", "96", "97", "98", "99"]),
                 default="90", help="Reliability in percent."),
    option("--span", "Time interval to evaluate.", "T1:T2", read=span),
    *RUN,
)  # fmt: skip
def bearing_life(
    model: str,
    joint: str,
    rating: float,
    kind: str,
    static_rating: float | None,
    places: tuple[float, float] | None,
    reliability: str,
    span: tuple[float, float] | None,
    **options: Any,
) -> Printout:
    """Compute the rating life of the bearings of a joint by ISO 281, from the reactions of a run;
    MODEL is a mechanism, or a saved run (.nc).

    Example: `torseur bearing-life slider_crank.yaml --joint O --rating "14 kN" --duration 2`
    """
    from torseur.analyse.sizing.bearing_life import bearing_life as lives
    from torseur.analyse.sizing.bearing_types import Bearing

    factors = {name: options.pop(name) for name in _FACTORS}
    bearing = Bearing(rating, kind, static_rating, factors["f0"], factors["e"], factors["x"],
                      factors["y"])  # fmt: skip
    start, stop = span or (None, None)
    result = lives(given_run(model, **options), joint, bearing, places=places,
                   reliability=int(reliability) / 100, start=start, stop=stop)  # fmt: skip
    return Printout(lambda: result.document, str(result))
