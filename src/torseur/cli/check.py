"""`torseur check`: what is wrong with a mechanism, how mobile it is, what was assumed."""

import sys

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json


@click.command()
@model_arguments
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def check(model: str, masses: str | None, gravity: str | None, as_json: bool) -> None:
    """Check MODEL: faults, mobility, balance of unknowns and equations, what was assumed.

    A *fault* keeps the mechanism from being computed: a name that does not exist, an impossible
    inertia, a loop that cannot close. A *notice* is something to know: reactions that are not
    unique, a motion without inertia, a start at a dead point, initial values that do not fit.
    The exit code is 0 without faults, 1 if loops do not close, 2 if the description is wrong.

    Example: `torseur check slider_crank.yaml`

    Example: `torseur check "RY(q1), TYK(L1), RX(q2), TYK(L2);" --masses lever`
    """
    from torseur.analyse.mobility.diagnose import diagnose
    from torseur.report.pages.diagnosis import check_document, check_text

    found = diagnose(load_model(model, masses, gravity))
    if as_json:
        say_json(check_document(found))
        sys.exit(1 if found.faults else 0)
    for line in check_text(found):
        click.echo(line)
    for fault in found.faults:
        raise fault
