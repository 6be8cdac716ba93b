"""`torseur demo`: the robot of the 1980 report, from one line of text to a page."""

from pathlib import Path

import rich_click as click

ROBOT = (
    "RY(q1MIN,q1MAX), TYK(L1), RX(q2MIN,q2MAX), TYK(L2), RX(q3MIN,q3MAX), TZK(L3),\n"
    "RX(q4MIN,q4MAX), TZK(0), RY(q5MIN,q5MAX), TZK(0), RZ(q6MIN,q6MAX), TZK(L6);"
)


@click.command()
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    default=Path("build/demo/robot-1980.html"),
    show_default=True,
    help="Where the page is written.",
)
def demo(out: Path) -> None:
    """Derive the robot of the 1980 report, print a short version, write a page.

    Example: `torseur demo -o robot.html`
    """
    from time import perf_counter

    from torseur.formalisms.derive import derive
    from torseur.formalisms.diagnosis import inertia_notices
    from torseur.language.load import load
    from torseur.report.listing_1980 import short_listing
    from torseur.report.page import page

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
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page(mechanism), encoding="utf-8")
    click.echo(f"The whole model, typeset, with a drawing: {out}")
