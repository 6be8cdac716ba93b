"""`torseur simulate`: the motion of a mechanism."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.outputs import PAGE, PICTURE, Output
from torseur.cli.settings import FINITE, numbers, parameters_and_start, span
from torseur.errors import ModelError

if TYPE_CHECKING:
    from torseur.analyse.integrals.drift import Drifts
    from torseur.simulation.run.run import Run

_FEW = 12  # speeds, and constraints: first integrals of more are looked for when asked for


@click.command()
@model_arguments
@click.option("--duration", type=FINITE, metavar="S",
              help="Seconds to simulate; needed unless --at is given.")  # fmt: skip
@click.option("--rate", type=FINITE, metavar="HZ",
              help="Samples a second; default: 100, or more where it moves fast.")  # fmt: skip
@click.option("--at", metavar="TIMES", default="",
              help="Samples at these times instead, such as `0,0.5,2`.")  # fmt: skip
@click.option("--start", type=FINITE, default=0.0, metavar="S", help="Time to start at.")
@click.option("--rtol", type=FINITE, default=1e-9, metavar="R", help="Relative tolerance.")
@click.option("--atol", type=FINITE, metavar="A", help="Absolute tolerance; default: R/1000.")
@click.option("--method", default="auto", metavar="NAME",
              help="auto, dop853, radau, rk4, euler or symplectic; auto says what it "
              "chose.")  # fmt: skip
@click.option("--step", type=FINITE, metavar="S", help="Step of rk4, euler and symplectic.")
@click.option("--max-step", type=FINITE, metavar="S", help="The longest step of the others.")
@click.option("--coordinates", default="auto", metavar="KIND",
              help="joint, absolute, or auto: what is expected to be quicker.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Value of a parameter, a coordinate or a speed; may be repeated.")  # fmt: skip
@click.option("-o", "--out", type=Output(".csv", ".nc", direct=True), help="RUN.nc or RUN.csv.")
@click.option("--plot", "picture", type=PICTURE, metavar="FILE",
              help="Curves as .png, .svg or .pdf.")  # fmt: skip
@click.option("--zoom", default="", metavar="T1:T2",
              help="A time interval that --plot shows enlarged as well.")  # fmt: skip
@click.option("--of", metavar="NAMES", default="",
              help="What --plot shows and files hold beside coordinates and speeds, such as "
              "`alpha,alpha..,motor,A.force,energy`.")  # fmt: skip
@click.option("--view", "page", type=PAGE, metavar="FILE.html",
              help="An animation that any browser opens.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def simulate(
    model: str,
    masses: str | None,
    gravity: str | None,
    duration: float | None,
    rate: float | None,
    at: str,
    start: float,
    rtol: float,
    atol: float | None,
    method: str,
    step: float | None,
    max_step: float | None,
    coordinates: str,
    settings: tuple[str, ...],
    out: Path | None,
    picture: Path | None,
    zoom: str,
    of: str,
    page: Path | None,
    as_json: bool,
) -> None:
    """Simulate MODEL and save its run; prints how energy, loops and first integrals are kept.

    Example: `torseur simulate double_pendulum.yaml --duration 10 -o run.nc --view run.html`
    """
    from torseur.machine.compiled import compile as compiled
    from torseur.simulation.simulate import simulate as simulated

    mechanism = load_model(model, masses, gravity)
    parameters, initial = parameters_and_start(mechanism, settings)
    times = numbers("--at", at) if at else None
    names = [name.strip() for name in of.split(",") if name.strip()]
    with _progress(start, _end(duration, start, times), as_json) as progress:
        run = simulated(
            compiled(mechanism).with_parameters(**parameters),
            duration,
            rate=rate,
            at=times,
            start=start,
            rtol=rtol,
            atol=atol,
            method=method,
            step=step,
            max_step=max_step,
            coordinates=coordinates,
            initial=initial,
            progress=progress,
        )
    if out is not None:
        (run.save if out.suffix.lower() == ".nc" else run.to_csv)(out, names)
    _show(run, picture, zoom, names, page)
    if as_json:
        say_json(_document(run, out))
        return
    _say(run, model)
    for file in filter(None, (out, picture, page)):
        click.echo(f"{file}: written.")


def _say(run: Run, model: str) -> None:
    """How long it lasted, what was kept, what there is to say."""
    start, end = run.span
    lasts = f"{end:g} s" if start == 0 else f"{start:g} to {end:g} s"
    click.echo(f"{run.model.mechanism.name}: {len(run.t)} samples, {lasts}")
    click.echo(
        f"energy drift {run.energy_drift:.1e} (relative), "
        f"loop closure within {run.closure_error:.1e}"
    )
    _say_integrals(run, model)
    for notice in run.notices:
        click.echo(f"notice: {notice}")


def _document(run: Run, out: Path | None) -> dict[str, object]:
    """The run as plain data."""
    return {
        "name": run.model.mechanism.name,
        "samples": len(run.t),
        "start": run.span[0],
        "duration": run.span[1] - run.span[0],
        "energy_drift": run.energy_drift,
        "closure_error": run.closure_error,
        "integrals": drifts.document if (drifts := _integrals(run)) is not None else None,
        "final": {name: float(x) for name, x in run.end.items()},
        "file": str(out) if out else None,
        "notices": list(run.notices),
    }


def _integrals(run: Run) -> Drifts | None:
    """The first integrals along the run; None where looking for them would take long."""
    from torseur.analyse.integrals.drift import monitor

    rows = len(run.model.system.cuts) + len(run.model.mechanism.constraints)
    return monitor(run) if len(run.model.speeds) <= _FEW and rows <= _FEW else None


def _say_integrals(run: Run, model: str) -> None:
    drifts = _integrals(run)
    if drifts is None:
        lasts = run.span[1] - run.span[0]
        click.echo(f"first integrals: see `torseur first-integrals {model} --duration {lasts:g}`.")
    elif not len(drifts):
        click.echo("first integrals: none")
    else:
        kept = ", ".join(f"{row.name} {row.relative:.1e}" for row in drifts)
        click.echo(f"first integrals, largest relative change: {kept}")


def _show(run: Run, picture: Path | None, zoom: str, names: list[str], page: Path | None) -> None:
    """The curves and the animation that were asked for."""
    if picture is not None:
        from torseur.report.plots.curves import plot

        window = span("--zoom", zoom) if zoom else None
        plot(run, *names, path=picture, zoom=window)
    if page is not None:
        from torseur.report.viewer.view import view

        view(run, page)


def _end(duration: float | None, start: float, times: list[float] | None) -> float:
    """When a run will be over; times that are not in order are refused later."""
    if duration is not None:
        return start + duration
    if times is None:
        raise ModelError("--duration", "it is missing.", "For instance: --duration 10.")
    return times[-1]


def _progress(start: float, end: float, quiet: bool):
    """A bar on standard error that appears after two seconds; nothing with --json."""
    from contextlib import contextmanager
    from threading import Timer

    @contextmanager
    def shown():
        if quiet:
            yield None
            return
        from rich.console import Console
        from rich.progress import Progress

        bar = Progress(console=Console(stderr=True), transient=True)
        task = bar.add_task("making machine code, kept for the next time", total=None)
        patience = Timer(2.0, bar.start)
        patience.daemon = True
        patience.start()

        def report(t: float) -> None:
            bar.update(task, description="simulating", total=end - start, completed=t - start)

        try:
            yield report
        finally:
            patience.cancel()
            patience.join()
            bar.stop()

    return shown()
