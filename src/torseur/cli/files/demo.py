"""`torseur demo`: a robot from one line of text to a page, and a walking leg in motion."""

from contextlib import nullcontext, redirect_stdout
from io import StringIO
from pathlib import Path

import rich_click as click

from torseur.cli.frame.command import Printout, argument, command
from torseur.notices import noticed
from torseur.output import writable, writable_folder
from torseur.words.sentence import say

ROBOT = (
    "RY(q1MIN,q1MAX), TYK(L1), RX(q2MIN,q2MAX), TYK(L2), RX(q3MIN,q3MAX), TZK(L3),\n"
    "RX(q4MIN,q4MAX), TZK(0), RY(q5MIN,q5MAX), TZK(0), RZ(q6MIN,q6MAX), TZK(L6);"
)


@command(
    "demo",
    click.option(
        "-o",
        "--out",
        type=click.Path(path_type=Path),
        default="torseur-demo/robot-1980.html",
        show_default=True,
        help="File of the page.",
    ),
)
def demo(out: Path, lang: str) -> Printout:
    """Derive the robot of the 1980 report and write its page, then animate a walking leg.

    Example: `torseur demo -o robot.html`
    """
    writable_folder(out.parent, create=True)
    writable(out)
    leg = out.parent / "jansen-leg.html"
    with redirect_stdout(StringIO()) if argument("as_json") else nullcontext():
        _robot(out, lang)
        _leg(leg, lang)
    return Printout(lambda: {"robot": str(out), "leg": str(leg)}, None)


def _robot(out: Path, lang: str) -> None:
    """From one line of text to the equations."""
    from time import perf_counter

    from torseur.equations.formalisms.derive import derive
    from torseur.equations.motion.diagnosis import inertia_notices
    from torseur.language.load import load
    from torseur.report.pages.listing_1980 import short_listing
    from torseur.report.pages.page import page

    click.echo(say("A robot with six joints, described by one phrase:\n"))
    click.echo(ROBOT + "\n")
    start = perf_counter()
    mechanism = load(ROBOT, masses="lever")
    condensed = derive(mechanism, "augmented-bodies")
    recursive = derive(mechanism, "newton-euler")
    elapsed = perf_counter() - start
    click.echo(short_listing(condensed, lang=lang))
    click.echo(f"M, h, g: {condensed.operations}.")
    inverse = recursive.program(["inverse_dynamics"]).operations
    click.echo(say("Inverse dynamics by Newton-Euler: {inverse}.", inverse))
    click.echo(say("Derived by both formalisms in {elapsed:.0f} ms.\n", 1000 * elapsed))
    for line in noticed(inertia_notices(condensed)):
        click.echo(f"{line}\n")
    page(mechanism, out, lang=lang)
    click.echo(say("The whole model, typeset, with a drawing: {out}\n", out))


def _leg(out: Path, lang: str) -> None:
    """A closed mechanism: mobility, motion, reactions, animation."""
    from torseur.analyse.mobility.mobility import mobility
    from torseur.language.load import load
    from torseur.language.packaged import EXAMPLES, packaged_files
    from torseur.report.viewer.view import view
    from torseur.simulation.simulate import simulate

    mechanism = load(str(packaged_files(EXAMPLES)["jansen_leg"]))
    click.echo(say("The leg of Theo Jansen's walking machines, in motion:") + "\n")
    mobile = mobility(mechanism)
    click.echo(
        say(
            "mobility m = {degree}, over-constraint h = {overconstraint}.",
            mobile.degree,
            mobile.overconstraint,
        )
    )
    run = simulate(mechanism, 2.0)
    drive = next(iter(mechanism.motions))
    click.echo(
        say(
            "Its loops stay closed within {closed:.0e} m; the drive needs at most {most:.3g} N m.",
            run.closure_error,
            abs(run.drive(drive)).max(),
        )
    )
    view(run, out, lang=lang)
    click.echo(say("The leg in motion, to open in a browser: {out}", out))
