"""`torseur check-answer`: a formula compared with the right one."""

import sys

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.errors import ModelError


@click.command("check-answer")
@model_arguments
@click.argument("formula")
@click.option(
    "--of",
    default="",
    metavar="NAME",
    help="What the formula answers: a coordinate (its equation), T, V, L, H, R, S_q, Q_q, p_q, "
    "V(A), gamma(A), Omega(body), R(joint), M(joint), a reaction (X_A … N_A, or a multiplier), or "
    "a constraint. Default: the only equation.",
)
@click.option(
    "--with",
    "given",
    multiple=True,
    metavar="Q=FORMULA",
    help="A coordinate of the model in terms of those of the formula, such as turn=psi-phi.",
)
@click.option("--axes", default="ground", metavar="BODY", help="The axes of a vector's components.")
@click.option("--lang", default="en", metavar="en|fr", help="Language; default: en.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def check_answer(
    model: str,
    masses: str | None,
    gravity: str | None,
    formula: str,
    of: str,
    given: tuple[str, ...],
    axes: str,
    lang: str,
    as_json: bool,
) -> None:
    """Compare FORMULA with what MODEL says: equal, equal up to a factor, or different, and where.

    The formula is text, LaTeX or Mathematica; letters may be defined beside it, as in
    "x.. + w^2*x = 0, w^2 = k/m". Marks come first: SE (cannot be read), KK (a symbol that nothing
    defines), INHT (a vector taken for a scalar), INHD (dimensions that do not fit), EL (says
    nothing), HS (about something else); N, T and DR are remarks on notation, terms and writing.
    The exit code is 0 if the answer is right and 1 if it is not.

    Example: `torseur check-answer simple_pendulum.yaml "a*phi.. + g*sin(phi) = 0" --of phi`
    """
    from torseur.teach.answers.answer import check_answer as checked

    found = checked(
        load_model(model, masses, gravity), formula, of, coordinates=_pairs(given), axes=axes
    )
    if as_json:
        say_json(found.document)
    else:
        click.echo(found.text(lang))
    sys.exit(0 if found.right else 1)


def _pairs(given: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for entry in given:
        name, sign, formula = entry.partition("=")
        if not sign:
            raise ModelError("--with", f'"{entry}" has no "=".', "For instance: turn=psi-phi.")
        found[name.strip()] = formula.strip()
    return found
