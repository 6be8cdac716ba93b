"""`torseur sensitivity`: what a motion depends on."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.outputs import PICTURE, Output
from torseur.cli.settings import FINITE
from torseur.cli.settings import parameters as parameters_of
from torseur.output import write_table


@click.command()
@model_arguments
@click.option("--duration", type=FINITE, required=True, metavar="S", help="Length of the run.")
@click.option("--rate", type=FINITE, default=100.0, metavar="HZ", help="Samples a second.")
@click.option("--rtol", type=FINITE, default=1e-10, metavar="R", help="Relative tolerance.")
@click.option("--by", multiple=True, required=True, metavar="NAME",
              help="A parameter, or the initial value of a coordinate (`alpha`) or speed "
              "(`alpha.`).")  # fmt: skip
@click.option("--of", "outputs", multiple=True, metavar="NAME",
              help="A coordinate, a speed, `rod.force.x`, `energy.kinetic`, a formula; default: "
              "the coordinates.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Value of a parameter; may be repeated.")  # fmt: skip
@click.option("--plot", "picture", type=PICTURE, metavar="FILE",
              help="The derivatives as .png, .svg or .pdf.")  # fmt: skip
@click.option("-o", "--out", type=Output(".csv", direct=True), metavar="FILE.csv",
              help="A table of all derivatives.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def sensitivity(
    model: str,
    masses: str | None,
    gravity: str | None,
    duration: float,
    rate: float,
    rtol: float,
    by: tuple[str, ...],
    outputs: tuple[str, ...],
    settings: tuple[str, ...],
    picture: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Exact derivatives of a run of MODEL by parameters and initial values.

    Example: `torseur sensitivity single_cylinder_engine.yaml --duration 0.2 --by b --by mp --of x`
    """
    from torseur.analyse.sensitivity.sensitivity import sensitivity as varied

    mechanism = load_model(model, masses, gravity)
    values = parameters_of(mechanism, settings)
    found = varied(mechanism, duration, by, rate=rate, parameters=values, rtol=rtol)
    listed = outputs or tuple(found.run.model.coordinates)
    tables = {output: found[output] for output in listed}
    if picture is not None:
        found.plot(*listed, path=picture)
    if out is not None:
        import numpy as np

        heads = ["t", *(f"d({x})/d({name})" for x in listed for name in by)]
        rows = np.column_stack([found.run.t, *tables.values()])
        write_table(out, heads, rows)
    if as_json:
        say_json(
            {
                "name": mechanism.name,
                "by": list(by),
                "t": found.run.t.tolist(),
                "derivatives": {x: table.tolist() for x, table in tables.items()},
            }
        )
        return
    click.echo(f"{mechanism.name}: derivatives at t = {found.run.t[-1]:g} s, and the largest")
    for output, table in tables.items():
        for k, name in enumerate(by):
            last, most = table[-1, k], np.abs(table[:, k]).max()
            click.echo(f"  ∂{output}/∂{name} = {last:.10g}  (up to {most:.4g})")
    for file in filter(None, (picture, out)):
        click.echo(f"{file}: written.")
