"""`torseur sweep`: a study, from its file to its table."""

from typing import Any

import rich_click as click

from torseur.cli.frame.command import Printout, argument, command
from torseur.cli.frame.options import option, out, plot
from torseur.cli.frame.outputs import progress_bar
from torseur.cli.frame.settings import WHOLE
from torseur.words.sentence import say

_ENDINGS = (".nc", ".csv", ".parquet")


@command(
    "sweep",
    click.argument("study"),
    out(*_ENDINGS, help="File of the table; finished blocks are saved beside it, so that an "
                        "interrupted study continues from there.", metavar="FILE"),
    option("--workers", "Number of local processes, managed by Dask.", "N", type=WHOLE),
    option("--scheduler", "Address of a Dask scheduler, whose workers compute the study.",
           "ADDRESS"),
    option("--threads", "Threads, without Dask; default: all processors.", "N", type=WHOLE),
    option("--block", "Samples computed at once; default: chosen by measured time.", "N",
           type=WHOLE),
    option("--stack", "Add the first-order effect of tolerances, by derivatives.", is_flag=True),
    plot("Histograms and bands"),
)  # fmt: skip
def sweep(study: str, stack: bool, **options: Any) -> Printout:
    """Run a STUDY: a YAML file with the inputs that vary, how they vary, and the wanted results.

    Example: `torseur sweep tolerances.yaml -o tolerances.nc --plot tolerances.png`
    """
    from torseur.study.design import sample_count
    from torseur.study.study import study as studied
    from torseur.study.study_reading import read_study

    described = read_study(study)
    texts = say("compiling machine code (kept for later runs)"), say("computing samples")
    with progress_bar(*texts, 0.0, float(sample_count(described)), argument("as_json")) as progress:
        result = studied(described, progress=progress, **options)
    document, lines = dict(result.document), [say("{words}: {names}", result.study.name, result)]
    if stack:
        document["stacks"] = {name: x.document for name, x in result.stacks.items()}
        lines += [str(x) for x in result.stacks.values()]
    return Printout(lambda: document, "\n".join(lines), result.plot)
