"""`torseur summary`: mean, root mean square and extremes of curves of a run."""

from pathlib import Path
from typing import Any

from torseur.cli.frame.command import Printout, run_command
from torseur.cli.frame.given_run import RUN, given_run
from torseur.cli.frame.options import option, out
from torseur.cli.frame.settings import names, span


@run_command(
    "summary",
    option("--of", "Curves, such as `alpha,A.force,reactions,energy`; default: coordinates and "
           "speeds.",
           "NAMES", read=names),
    option("--span", "Time interval to evaluate.", "T1:T2", read=span),
    *RUN,
    out(".csv", help="Write the table to FILE.csv."),
)  # fmt: skip
def summary(
    model: str,
    of: list[str] | None,
    span: tuple[float, float] | None,
    out: Path | None,
    **options: Any,
) -> Printout:
    """Compute mean, root mean square, extremes and peak of curves of a run; MODEL is a mechanism,
    or a saved run (.nc).

    Example: `torseur summary double_pendulum.yaml --duration 5 --of A.force,theta1`
    """
    from torseur.analyse.sizing.summary import summary as summarised

    start, stop = span or (None, None)
    result = summarised(given_run(model, **options), *(of or ()), start=start, stop=stop)
    if out is not None:
        result.to_csv(out)
    return Printout(lambda: result.document, str(result))
