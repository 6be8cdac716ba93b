"""`torseur efficiency`: the work at the output of a transmission, and where the rest goes."""

from typing import Any

from torseur.cli.frame.command import Printout, run_command
from torseur.cli.frame.given_run import RUN, given_run
from torseur.cli.frame.options import option
from torseur.cli.frame.settings import names, span


@run_command(
    "efficiency",
    option("--input", "Imposed motions, motors or forces that give energy.", "NAMES", read=names,
           name="given", required=True),
    option("--output", "Those that take it; `weight` is one too.", "NAMES", read=names,
           name="receivers", required=True),
    option("--span", "Time interval to evaluate.", "T1:T2", read=span),
    *RUN,
)  # fmt: skip
def efficiency(
    model: str,
    given: list[str],
    receivers: list[str],
    span: tuple[float, float] | None,
    **options: Any,
) -> Printout:
    """Compute the efficiency of a transmission from a run, with its losses; MODEL is a mechanism,
    or a saved run (.nc).

    Example: `torseur efficiency screw_jack --input bar --output weight --set C=30 --duration 0.1`
    """
    from torseur.analyse.sizing.efficiency import efficiency as measured

    start, stop = span or (None, None)
    result = measured(given_run(model, **options), given, receivers, start=start, stop=stop)
    return Printout(lambda: result.document, str(result))
