"""`torseur demo`: a robot from one line of text to a page, and a walking leg in motion."""

from contextlib import nullcontext, redirect_stdout
from io import StringIO
from pathlib import Path

import rich_click as click

from torseur.cli.frame.command import Answer, asked, command
from torseur.output import writable, writable_folder

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
        default="build/demo/robot-1980.html",
        show_default=True,
        help="Where the page is written.",
    ),
)
def demo(out: Path) -> Answer:
    """Derive the robot of the 1980 report, print a short version, write a page; move a leg.

    Example: `torseur demo -o robot.html`
    """
    writable_folder(out.parent, create=True)
    writable(out)
    leg = out.parent / "jansen-leg.html"
    with redirect_stdout(StringIO()) if asked("as_json") else nullcontext():
        _robot(out)
        _leg(leg)
    return Answer(lambda: {"robot": str(out), "leg": str(leg)}, None)


def _robot(out: Path) -> None:
    """From one line of text to the equations."""
    from time import perf_counter

    from torseur.equations.formalisms.derive import derive
    from torseur.equations.motion.diagnosis import inertia_notices
    from torseur.language.load import load
    from torseur.report.pages.listing_1980 import short_listing
    from torseur.report.pages.page import page

    click.echo("A robot with six joints, described by one phrase:\n")
    click.echo(ROBOT + "\n")
    start = perf_counter()
    mechanism = load(ROBOT, masses="lever")
    condensed = derive(mechanism, "augmented-bodies")
    recursive = derive(mechanism, "newton-euler")
    elapsed = perf_counter() - start
    click.echo(short_listing(condensed))
    click.echo(f"M, h, g: {condensed.operations}.")
    inverse = recursive.program(["inverse_dynamics"]).operations
    click.echo(f"Inverse dynamics by Newton-Euler: {inverse}.")
    click.echo(f"Derived by both formalisms in {1000 * elapsed:.0f} ms.\n")
    for notice in inertia_notices(condensed):
        click.echo(f"notice: {notice}\n")
    page(mechanism, out)
    click.echo(f"The whole model, typeset, with a drawing: {out}\n")


def _leg(out: Path) -> None:
    """A closed mechanism: mobility, motion, reactions, animation."""
    from importlib.resources import files

    from torseur.analyse.mobility.mobility import mobility
    from torseur.language.load import load
    from torseur.report.viewer.view import view
    from torseur.simulation.simulate import simulate

    mechanism = load(str(files("torseur.examples") / "jansen_leg.yaml"))
    click.echo(f"{mechanism.description}\n")
    found = mobility(mechanism)
    click.echo(f"mobility m = {found.degree}, over-constraint h = {found.overconstraint}.")
    run = simulate(mechanism, 2.0)
    drive = next(iter(mechanism.motions))
    click.echo(f"Its loops stay closed within {run.closure_error:.0e} m; the drive needs at most "
               f"{abs(run.drive(drive)).max():.3g} N m.")  # fmt: skip
    view(run, out)
    click.echo(f"The leg in motion, to open in a browser: {out}")
