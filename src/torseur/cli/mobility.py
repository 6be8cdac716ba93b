"""`torseur mobility`: how mobile a mechanism is and what is constrained twice."""

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json


@click.command()
@model_arguments
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def mobility(model: str, masses: str | None, gravity: str | None, as_json: bool) -> None:
    """Mobility m, over-constraint h and loops γ of MODEL at its assembled configuration.

    Example: `torseur mobility slider_crank.yaml`
    """
    from torseur.analyse.mobility import mobility as found_mobility

    mechanism = load_model(model, masses, gravity)
    found = found_mobility(mechanism)
    if as_json:
        say_json(
            {
                "name": mechanism.name,
                "mobility": found.degree,
                "overconstraint": found.overconstraint,
                "loops": found.loops,
                "joint_freedoms": found.freedoms,
                "directions": list(found.directions),
            }
        )
    else:
        click.echo(f"{mechanism.name}\n{found}")
