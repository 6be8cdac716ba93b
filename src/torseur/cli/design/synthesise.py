"""`torseur synthesise`: dimensions of a mechanism for what it shall do."""

from __future__ import annotations

import rich_click as click

from torseur.cli.frame.command import Answer, answer_of, command
from torseur.cli.frame.options import option, out, plot
from torseur.cli.frame.settings import WHOLE


@command(
    "synthesise",
    click.argument("study"),
    option("--starts", "Random starts beside the mechanism as it is.", "N", type=WHOLE),
    option("--seed", "Of the random starts.", "N", type=WHOLE),
    out(".yaml", help="The new mechanism.", metavar="FILE.yaml"),
    plot("What is wanted, what was and what is now"),
)
def synthesise(study: str, starts: int | None, seed: int | None, out: str | None) -> Answer:
    """Values of parameters with which a mechanism does what STUDY asks for.

    STUDY is a file (.yaml): mechanism, driver, variables with bounds, targets (path, law, shaking,
    peak, response), constraints (inequalities, grashof, transmission, turning, along).

    Example: `torseur synthesise study.yaml -o new.yaml --plot curve.png`
    """
    from dataclasses import replace

    from torseur.design.synthesis_study import load_study

    asked = {"starts": starts, "seed": seed}
    wanted = load_study(study)
    options = wanted.options | {key: x for key, x in asked.items() if x is not None}
    found = replace(wanted, options=options).run()
    if out is not None:
        found.save(out)
    return replace(answer_of(found.mechanism, found), code=0 if found.kept else 1)
