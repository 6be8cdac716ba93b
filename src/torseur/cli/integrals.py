"""`torseur first-integrals`: what stays constant in every motion of a mechanism."""

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.settings import FINITE


@click.command()
@model_arguments
@click.option("--duration", type=FINITE, metavar="S", help="Simulate, and show how each is kept.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def integrals(
    model: str,
    masses: str | None,
    gravity: str | None,
    duration: float | None,
    as_json: bool,
) -> None:
    """First integrals of MODEL: energy, Painlevé's integral, momenta, with formulas and reasons.

    An imposed motion is listed with the force or couple and the power that it needs. With
    --duration the mechanism is simulated and the drift of each integral is shown.

    Example: `torseur first-integrals elliptic_pendulum.yaml --duration 5`
    """
    from torseur.analyse.integrals.integrals import first_integrals

    mechanism = load_model(model, masses, gravity)
    found = first_integrals(mechanism)
    drifts = None
    if duration is not None:
        from torseur.analyse.integrals.drift import monitor
        from torseur.simulation.simulate import simulate

        drifts = monitor(simulate(mechanism, duration), found)
    if as_json:
        kept = {} if drifts is None else {"drift": drifts.document}
        say_json({**found.document, **kept})
        return
    click.echo(str(found))
    if drifts is not None and len(drifts):
        click.echo(f"\n{drifts}")
