"""`torseur report`: a mechanism or a run as one document."""

from pathlib import Path
from typing import Any

import rich_click as click

from torseur.cli.frame.command import Printout, argument, run_command, written
from torseur.cli.frame.options import load_model, option, out
from torseur.cli.frame.outputs import progress_bar
from torseur.output import file_name
from torseur.words.sentence import say


@run_command(
    "report",
    out(".html", ".htm", ".tex", ".pdf",
        help="Default: NAME-report.html; .pdf needs the extra `pdf`."),
    option("--formalism", "Formalism of the derivation; default: lagrange where it applies.",
           type=click.Choice(["newton-euler", "lagrange", "virtual-power", "kane", "gibbs-appell",
                              "hamilton"])),
    option("--model", "Mechanism of a run, if its file does not contain it.", "MODEL",
           name="described"),
)  # fmt: skip
def report(
    model: str,
    out: Path | None,
    formalism: str | None,
    described: str | None,
    lang: str,
    **given: Any,
) -> Printout:
    """Write the report of MODEL, or of a run saved as RUN.nc, as one file that opens offline.

    It has the scheme, joint graph, tables, torseurs of the joints, mobility, balance of unknowns,
    derivation, equations, first integrals, equilibria and modes; for a run also drives, reactions
    and curves.

    Example: `torseur report compound_pendulum.yaml --lang fr -o report.html`

    Example: `torseur report run.nc --formalism newton-euler -o report.pdf`
    """
    from torseur.report.dossier.report import report as reported
    from torseur.simulation.run.files import load_run

    is_run = Path(model).suffix.lower() == ".nc"
    subject: Any = load_run(model) if is_run else load_model(model, **given)
    mechanism = load_model(described, **given) if described else None
    path = out or file_name(Path(model).stem if is_run else subject.name, "-report.html")
    texts = say("reading"), say("writing the report")
    with progress_bar(*texts, 0.0, 1.0, argument("as_json")) as progress:
        reported(subject, path, formalism=formalism, lang=lang, model=mechanism, progress=progress)
    return Printout(lambda: {"report": str(path)}, written(path), tells_files=True)
