"""`torseur export`: the functions of a mechanism as source files of another language."""

from pathlib import Path

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.outputs import Folder


@click.command()
@model_arguments
@click.option(
    "--to",
    "language",
    required=True,
    metavar="LANGUAGE",
    help="c, fortran, matlab, julia, numpy, jax or casadi.",
)
@click.option(
    "--functions",
    metavar="NAMES",
    help="Which functions, separated by commas. M a + bias + gravity = applied + Q, Q on top of "
    "all forces of MODEL. Default: inverse_dynamics, mass_matrix, bias, gravity; where loops or "
    "other constraints act, mass_matrix, bias, gravity, applied, constraint_jacobian, "
    "constraint_bias. Others: forward_dynamics, kinetic_energy, potential_energy, regressor, "
    "inverse_dynamics_derivatives, forward_dynamics_derivatives.",
)
@click.option(
    "-o",
    "--out",
    type=Folder(),
    default=".",
    metavar="DIR",
    help="The directory of the files; default: this one.",
)
@click.option("--name", metavar="NAME", help="The name of the files; default: that of the model.")
@click.option("--real", metavar="TYPE", help="double (default) or float, for C and Fortran.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def export(
    model: str,
    masses: str | None,
    gravity: str | None,
    language: str,
    functions: str | None,
    out: Path,
    name: str | None,
    real: str | None,
    as_json: bool,
) -> None:
    """Write the functions of MODEL as source code that needs nothing of Torseur.

    Example: `torseur export "RY(q1), TYK(L1), RX(q2), TYK(L2);" --masses lever --to c -o arm`
    """
    from torseur.export.export import export as exported
    from torseur.export.export import usual

    mechanism = load_model(model, masses, gravity)
    named = [x.strip() for x in functions.split(",") if x.strip()] if functions else None
    chosen = list(usual(mechanism)) if named is None else named
    options = {key: value for key, value in (("name", name), ("real", real)) if value is not None}
    files = exported(mechanism, language, chosen, out, **options)
    if as_json:
        say_json({"language": language, "functions": chosen, "files": [str(x) for x in files]})
        return
    for file in files:
        lines = file.read_text(encoding="utf-8").count("\n")
        click.echo(f"{file}: {lines} lines")
