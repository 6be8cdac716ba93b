"""`torseur sensitivity`: what a motion depends on."""

from pathlib import Path
from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.options import duration, option, out, plot, rate, settings, several
from torseur.cli.frame.settings import FINITE
from torseur.output import write_table
from torseur.words.sentence import say


@model_command(
    "sensitivity",
    duration(),
    rate(100.0),
    option("--rtol", "Relative tolerance.", "R", type=FINITE, default=1e-10),
    several("--by", "by", "A parameter, or the initial value of a coordinate (`alpha`) or speed "
            "(`alpha.`).", required=True),
    several("--of", "outputs", "A coordinate, a speed, `rod.force.x`, `energy.kinetic`, a formula; "
            "default: the coordinates."),
    settings(),
    plot("The derivatives"),
    out(".csv", help="A table of all derivatives.", metavar="FILE.csv"),
)  # fmt: skip
def sensitivity(
    mechanism: Mechanism,
    duration: float,
    by: tuple[str, ...],
    outputs: tuple[str, ...],
    out: Path | None,
    **options: Any,
) -> Printout:
    """Compute exact derivatives of a run of MODEL by parameters and initial values.

    Example: `torseur sensitivity single_cylinder_engine.yaml --duration 0.2 --by b --by mp --of x`
    """
    import numpy as np

    from torseur.analyse.sensitivity.sensitivity import sensitivity as varied

    derivatives = varied(mechanism, duration, by, **options)
    t, listed = derivatives.run.t, outputs or tuple(derivatives.run.model.coordinates)
    tables = {output: derivatives[output] for output in listed}
    if out is not None:
        heads = ["t", *(f"d({x})/d({name})" for x in listed for name in by)]
        write_table(out, heads, np.column_stack([t, *tables.values()]))
    lines = [say("{name}: derivatives at t = {t:g} s, and the largest", mechanism.name, t[-1])]
    lines += [
        say(
            "  ∂{output}/∂{name} = {last:.10g}  (up to {largest:.4g})",
            output,
            name,
            table[-1, k],
            abs(table[:, k]).max(),
        )
        for output, table in tables.items()
        for k, name in enumerate(by)
    ]
    document = {"name": mechanism.name, "by": by, "t": t, "derivatives": tables}
    return Printout(
        lambda: document, "\n".join(lines), lambda path: derivatives.plot(*listed, path=path)
    )
