"""`torseur export`: a mechanism as files for another language or tool."""

from pathlib import Path
from typing import Any

import rich_click as click

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.options import option, settings
from torseur.cli.frame.outputs import Folder
from torseur.cli.frame.settings import names
from torseur.words.sentence import say


@model_command(
    "export",
    option("--to", "Source code: c, microcontroller (C without a library), fortran, matlab, "
           "julia, numpy, jax, casadi, mathematica. Tools: fmu, modelica. Machine code of "
           "functions: wasm, ptx, cortex-m, risc-v.", "LANGUAGE", name="language", required=True),
    option("--functions", "Which functions, separated by commas. M a + bias + gravity = applied + "
           "Q, Q on top of all forces of MODEL. Default: inverse_dynamics, mass_matrix, bias, "
           "gravity; where loops or other constraints act, mass_matrix, bias, gravity, applied, "
           "constraint_jacobian, constraint_bias. Others: forward_dynamics, kinetic_energy, "
           "potential_energy, regressor, inverse_dynamics_derivatives, "
           "forward_dynamics_derivatives, coriolis_matrix, centroidal_matrix. Of a frame, a point "
           "or a body: pose:tool, point:tool, jacobian:tool, jacobian_rate:tool, "
           "operational_inertia:tool; jacobian:tool:body is in its own axes.", "NAMES", read=names),
    click.option("-o", "--out", type=Folder(".fmu"), default=".", metavar="DIR",
                 help="The directory of the files; default: this one. Of an FMU also its file."),
    option("--name", "The name of the files; default: that of the model.", "NAME"),
    settings(),
    option("--fixed", "The values of the parameters are part of the code.", is_flag=True),
    option("--actuators", "Where loops close: along which coordinates inverse_dynamics gives "
           "forces, separated by commas. Of an FMU and of Modelica: the inputs.", "NAMES",
           read=names),
    option("--outputs", "Of an FMU and of Modelica, separated by commas: points, kinetic_energy, "
           "potential_energy, imposed motions (default: all of them), reaction:JOINT.", "NAMES",
           read=names),
    option("--fmi", "Version of FMI: 3 (default) or 2.", "N", type=int),
    option("--real", "double (default) or float, for C and Fortran.", "TYPE"),
)  # fmt: skip
def export(
    mechanism: Mechanism, language: str, functions: list[str] | None, out: Path, **options: Any
) -> Printout:
    """Write MODEL for another language or tool, as files that do not need Torseur.

    Example: `torseur export "RY(q1), TYK(L1), RX(q2), TYK(L2);" --masses lever --to c -o arm`
    """
    from torseur.export.export import LANGUAGES, usual
    from torseur.machine.tree.evaluator import is_restrained
    from torseur.tools.exporting import TARGETS, Written
    from torseur.tools.exporting import export as exported

    given = {key: value for key, value in options.items() if value not in (None, False)}
    takes_state = language not in TARGETS or "at" in TARGETS[language].options
    if takes_state and is_restrained(mechanism):
        from torseur.simulation.start.assemble import assemble

        given["at"] = assemble(mechanism).q
    if language not in LANGUAGES:
        written = exported(mechanism, language, functions, out, **given)
        sizes = (say("{file}: {count} bytes", x, x.stat().st_size) for x in written)
        aside = written.notices if isinstance(written, Written) else ()
        names = [str(x) for x in written]
        known = {"language": language, "files": names, "notices": list(aside)}
        return Printout(lambda: known, "\n".join(sizes), aside=aside)
    chosen = list(usual(mechanism)) if functions is None else functions
    files = exported(mechanism, language, chosen, out, **given)
    lines = (
        say("{file}: {count} lines", x, x.read_text(encoding="utf-8").count(chr(10))) for x in files
    )
    document = {"language": language, "functions": chosen, "files": [str(x) for x in files]}
    return Printout(lambda: document, "\n".join(lines))
