"""`torseur check`: what is wrong with a mechanism, how mobile it is, what was assumed."""

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json


@click.command()
@model_arguments
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def check(model: str, masses: str | None, gravity: str | None, as_json: bool) -> None:
    """Check MODEL: faults, degrees of freedom, and what was assumed.

    Example: `torseur check "RY(q1), TYK(L1), RX(q2), TYK(L2);" --masses lever`
    """
    from torseur.report.documents import check_document

    document = check_document(load_model(model, masses, gravity))
    if as_json:
        say_json(document)
        return
    freedoms = document["degrees_of_freedom"]
    mobility = "not computed" if freedoms is None else str(freedoms)
    click.echo(
        f"{document['name']}: {document['bodies']} bodies, {len(document['joints'])} joints; "
        f"degrees of freedom: {mobility}."
    )
    for joint in document["joints"]:
        coordinates = ", ".join(joint["coordinates"]) or "no coordinate"
        click.echo(
            f"  {joint['name']}: {joint['type']} {joint['bodies'][0]} → {joint['bodies'][1]} "
            f"({coordinates})"
        )
    for notice in document["notices"]:
        click.echo(f"notice: {notice}")
    if not document["notices"]:
        click.echo("No fault found; nothing was assumed.")
