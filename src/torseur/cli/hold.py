"""`torseur holding-forces`: what keeps a mechanism in a pose."""

from __future__ import annotations

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.settings import parameters as parameters_of
from torseur.cli.settings import state


@click.command()
@model_arguments
@click.option("--at", multiple=True, required=True, metavar="NAME=VALUE",
              help="A coordinate of the pose; may be repeated.")  # fmt: skip
@click.option("--by", multiple=True, metavar="NAME",
              help="What pushes: a coordinate, a motor, a joint force; default: every independent "
              "coordinate.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Value of a parameter; may be repeated.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def hold(
    model: str,
    masses: str | None,
    gravity: str | None,
    at: tuple[str, ...],
    by: tuple[str, ...],
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """The static forces that keep MODEL in a pose, and the reactions in its joints.

    Example: `torseur holding-forces slider_crank.yaml --at alpha="40 deg" --by x`
    """
    from torseur.analyse.equilibria.holding import holding_forces

    mechanism = load_model(model, masses, gravity)
    found = holding_forces(
        mechanism,
        state(mechanism, "--at", at),
        by=by,
        parameters=parameters_of(mechanism, settings),
    )
    wrenches = {name: [float(x) for x in wrench] for name, wrench in found.reactions.items()}
    if as_json:
        pose = found.pose.coordinates
        say_json(
            {"name": mechanism.name, "pose": pose, "forces": found.forces, "reactions": wrenches}
        )
        return
    click.echo(f"{mechanism.name}: {found}")
    click.echo("reactions of the first body on the second, in ground axes:")
    for joint, wrench in wrenches.items():
        listed = [f"{0.0 if abs(x) < 1e-12 else x:.6g}" for x in wrench]
        force, couple = ", ".join(listed[:3]), ", ".join(listed[3:])
        click.echo(f"  {joint}: force ({force}) N, couple ({couple}) N m")
