"""`torseur check-answer`: a formula compared with the right one."""

from typing import Any

import rich_click as click

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.options import option, several
from torseur.cli.frame.settings import named_texts
from torseur.cli.frame.spoken import FormulaArgument


@model_command(
    "check-answer",
    click.argument("formula", cls=FormulaArgument),
    option("--of", "What the formula answers: a coordinate (its equation), T, V, L, H, R, S_q, Q_q,"
           " p_q, V(A), gamma(A), Omega(body), R(joint), M(joint), a reaction (X_A … N_A, or a "
           "multiplier), a constraint, or a closed form: omega^2, zeta, Omega_c, alpha_eq, t_star, "
           "\"Gamma when psi.. = 0\". Default: the only equation.", "NAME", default=""),
    several("--with", "coordinates", "A coordinate of the model in terms of those of the formula, "
            "such as turn=psi-phi.", "Q=FORMULA", read=named_texts),
    option("--axes", "Axes of a vector's components. Default: those stated in the formula, or any.",
           "BODY", default=""),
)  # fmt: skip
def check_answer(
    mechanism: Mechanism, formula: str, of: str, lang: str, **options: Any
) -> Printout:
    """Compare FORMULA with the result for MODEL: equal, equal up to a factor, or different, and
    where.

    The formula is text, LaTeX or Mathematica; it may define letters, as in "x.. + w^2*x = 0, w^2 =
    k/m". Marks come first: SE (unreadable), KK (an undefined symbol), INHT (a vector taken for a
    scalar), INHD (incompatible dimensions), EL (an empty statement), HS (off the subject); N, T and
    DR are remarks on notation, terms and writing. The exit code is 0 if the answer is right and 1
    if it is wrong.

    Example: `torseur check-answer simple_pendulum.yaml "a*phi.. + g*sin(phi) = 0" --of phi`

    Example: `torseur check-answer even_governor.yaml "Omega_c^2 = (m*l + ms*a)*g/(m*l^2)" --of
    Omega_c`
    """
    from torseur.teach.answers.answer import check_answer as checked

    answer = checked(mechanism, formula, of, **options)
    return Printout(
        lambda: answer.document, lambda: answer.text(lang), code=0 if answer.right else 1
    )
