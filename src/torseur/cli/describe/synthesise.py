"""`torseur synthesise`: dimensions of a mechanism for what it shall do."""

import rich_click as click

from torseur.cli.frame.command import Printout, answer_of, command
from torseur.cli.frame.options import option, out, plot
from torseur.cli.frame.settings import WHOLE


@command(
    "synthesise",
    click.argument("study"),
    option("--starts", "Random starts, besides the given mechanism.", "N", type=WHOLE),
    option("--seed", "Seed of the random starts.", "N", type=WHOLE),
    out(".yaml", help="The new mechanism.", metavar="FILE.yaml"),
    plot("Target, first and final result"),
)
def synthesise(study: str, starts: int | None, seed: int | None, out: str | None) -> Printout:
    """Find the parameters with which a mechanism meets the targets of STUDY.

    STUDY is a file (.yaml): mechanism, driver, variables with bounds, targets (path, law, shaking,
    peak, response), constraints (inequalities, grashof, transmission, turning, along).

    Example: `torseur synthesise study.yaml -o new.yaml --plot curve.png`
    """
    from dataclasses import replace

    from torseur.design.synthesis_study import load_study

    given = {"starts": starts, "seed": seed}
    described = load_study(study)
    options = described.options | {key: x for key, x in given.items() if x is not None}
    result = replace(described, options=options).run()
    if out is not None:
        result.save(out)
    return replace(answer_of(result.mechanism, result), code=0 if result.kept else 1)
