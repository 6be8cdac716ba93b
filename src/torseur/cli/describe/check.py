"""`torseur check`: what is wrong with a mechanism, how mobile it is, what was assumed."""

from torseur.cli.frame.command import Mechanism, Printout, model_command


@model_command("check")
def check(mechanism: Mechanism) -> Printout:
    """Check MODEL: errors, mobility, balance of unknowns and equations, assumptions.

    An *error* prevents the computation: a name that does not exist, an impossible inertia, a loop
    that cannot close. A *notice* is worth knowing: statically indeterminate reactions, a motion
    without inertia, a start at a dead point, inconsistent initial values. The exit code is 0
    without errors, 1 if loops do not close, 2 if the description is wrong.

    Example: `torseur check slider_crank.yaml`

    Example: `torseur check "RY(q1), TYK(L1), RX(q2), TYK(L2);" --masses lever`
    """
    from torseur.analyse.mobility.diagnose import diagnose
    from torseur.report.pages.diagnosis_text import check_document, check_text

    diagnosis = diagnose(mechanism)
    return Printout(
        lambda: check_document(diagnosis),
        lambda: "\n".join(check_text(diagnosis)),
        code=1 if diagnosis.faults else 0,
        fault=next(iter(diagnosis.faults), None),
    )
