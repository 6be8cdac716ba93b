"""`torseur simulate`: the motion of a mechanism."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from torseur.cli.frame.command import Printout, argument, model_command
from torseur.cli.frame.options import (
    duration,
    option,
    out,
    page,
    plot,
    settings_and_start,
    several,
)
from torseur.cli.frame.outputs import progress_bar
from torseur.cli.frame.settings import FINITE, named_texts, names, numbers, span
from torseur.errors import ModelError
from torseur.notices import noticed
from torseur.words.sentence import say, worded

if TYPE_CHECKING:
    from torseur.analyse.integrals.drift import Drifts
    from torseur.model.description import Mechanism
    from torseur.simulation.run.run import Run

_FEW = 12  # speeds, and constraints: first integrals of more are looked for when asked for


@model_command(
    "simulate",
    duration(required=False, help="Seconds to simulate; needed unless --at is given."),
    option("--rate", "Samples a second; default: 100, or more if the motion is fast.", "HZ",
           type=FINITE),
    option("--at", "Samples at these times instead, such as `0,0.5,2`.", "TIMES", read=numbers),
    option("--start", "Time to start at.", "S", type=FINITE, default=0.0),
    option("--rtol", "Relative tolerance.", "R", type=FINITE, default=1e-9),
    option("--atol", "Absolute tolerance; default: R/1000.", "A", type=FINITE),
    option("--method", "auto, dop853, radau, rk4, euler, symplectic, moreau; auto prints its "
           "choice.",
           "NAME", default="auto"),
    option("--step", "Step of rk4, euler, symplectic and moreau.", "S", type=FINITE),
    option("--max-step", "The longest step of the others.", "S", type=FINITE),
    option("--coordinates", "joint, absolute, or auto: the quicker one.", "KIND",
           default="auto"),
    option("--multipliers", "Solver of accelerations and multipliers: direct, schur, null-space "
           "or pseudo-inverse; auto eliminates them in machine code.", "NAME",
           default="auto"),
    several("--control", "laws", "Sampled control law: the force along a coordinate, such as "
            "`theta=-k*theta - c*theta.`; may be repeated.", "NAME=EXPRESSION"),
    option("--sample", "Sample time of the law.", "S", type=FINITE),
    option("--delay", "Delay between measurement and action.", "S", type=FINITE, default=0.0),
    settings_and_start(),
    out(".csv", ".nc", ".xlsx", help="RUN.nc, RUN.csv or RUN.xlsx."),
    plot("Curves"),
    option("--zoom", "A time interval that --plot shows enlarged as well.", "T1:T2", read=span),
    option("--of", "Curves that --plot shows and files contain besides coordinates and speeds, "
           "such as "
           "`alpha,alpha..,motor,A.force,reactions,energy`.", "NAMES", read=names),
    page("--view", "page", "An animation that any browser opens."),
)  # fmt: skip
def simulate(
    mechanism: Mechanism,
    duration: float | None,
    at: list[float] | None,
    start: float,
    out: Path | None,
    zoom: tuple[float, float] | None,
    of: list[str] | None,
    page: Path | None,
    laws: tuple[str, ...],
    lang: str,
    **options: Any,
) -> Printout:
    """Simulate MODEL, save its run, and print the drift of energy, loops and first integrals.

    Example: `torseur simulate double_pendulum.yaml --duration 10 -o run.nc --view run.html`
    """
    from torseur.simulation.simulate import simulate as simulated

    _check_shown(of, zoom, out)
    options["control"] = named_texts("--control", laws) or None
    making = say("compiling machine code (kept for later runs)")
    end = _end(duration, start, at)
    with progress_bar(making, say("simulating"), start, end, argument("as_json")) as progress:
        run = simulated(mechanism, duration, at=at, start=start, progress=progress, **options)
    if out is not None:
        {".nc": run.save, ".xlsx": run.to_excel}.get(out.suffix.lower(), run.to_csv)(out, of or ())
    if page is not None:
        from torseur.report.viewer.view import view

        view(run, page, lang=lang)

    def figure(path: Path) -> object:
        from torseur.report.viewer.run_plot import plot

        return plot(run, *(of or ()), path=path, zoom=zoom)

    return Printout(
        lambda: run_document(run, out), lambda: run_text(run, argument("model")), figure
    )


def run_text(run: Run, model: str) -> str:
    """Duration, drifts, contacts, first integrals and notices of a run."""
    start, end = run.span
    lasts = f"{end:g} s" if start == 0 else say("{start:g} to {end:g} s", start, end)
    lines = [
        say("{name}: {number} samples, {lasts}", run.model.mechanism.name, len(run.t), lasts),
        say(
            "energy drift {energy_drift:.1e} (relative), loop closure within {closure_error:.1e}",
            run.energy_drift,
            run.closure_error,
        ),
        *_contacts(run),
        *([] if _keeps_nothing(run) else [_integrals_text(run, model)]),
    ]
    return "\n".join((*lines, *noticed(run.notices)))


def _contacts(run: Run) -> list[str]:
    """Final state of contacts, stops and frictions, and the energy they dissipated."""
    named = run.samples.contacts_named
    if not named:
        return []
    shocks, end = sum(event.cause == "shock" for event in run.events), run.at(run.t[-1:])
    contacts = {name: end.contact(name) for name in named}
    states = ", ".join(
        f"{name} {worded(str(contact.state[-1]))}" for name, contact in contacts.items()
    )
    lost = abs(sum(float(contact.work[-1]) for contact in contacts.values()))
    return [
        say("contacts at the end: {states}", states),
        say(
            "{number} events, {shocks} of them shocks; friction and shocks dissipated {lost:.4g} J",
            len(run.events),
            shocks,
            lost,
        ),
    ]


def run_document(run: Run, out: Path | None = None) -> dict[str, object]:
    """The run as plain data."""
    from torseur.plain import entries, plain

    drifts, end = _integrals(run), run.at(run.t[-1:])
    return {
        "name": run.model.mechanism.name,
        "samples": len(run.t),
        "start": run.span[0],
        "duration": run.span[1] - run.span[0],
        **entries(run, "energy_drift", "closure_error"),
        "integrals": None if drifts is None else drifts.document,
        "contacts": {name: str(end.contact(name).state[-1]) for name in end.samples.contacts_named},
        "final": plain(run.end),
        "file": str(out) if out else None,
        "notices": list(run.notices),
    }


def _keeps_nothing(run: Run) -> bool:
    """Shocks, friction and commands do not; what stands still has nothing to keep."""
    from torseur.model.contact.smooth import changing

    mechanism = run.model.mechanism
    unsearched = changing(mechanism) or mechanism.states or mechanism.commanded
    return bool(unsearched or not mechanism.speeds)


def _integrals(run: Run) -> Drifts | None:
    """The first integrals along the run; None where there are none or a search takes long."""
    from torseur.analyse.integrals.drift import monitor

    if _keeps_nothing(run):
        return None
    rows = len(run.model.system.cuts) + len(run.model.mechanism.constraints)
    return monitor(run) if len(run.model.speeds) <= _FEW and rows <= _FEW else None


def _integrals_text(run: Run, model: str) -> str:
    """Drift of the first integrals."""
    drifts = _integrals(run)
    if drifts is None:
        lasts = run.span[1] - run.span[0]
        command = f"torseur first-integrals {model} --duration {lasts:g}"
        return say("first integrals: see `{command}`.", command)
    if not len(drifts):
        return say("first integrals: none")
    drifts_text = ", ".join(f"{row.name} {row.relative:.1e}" for row in drifts)
    return say("first integrals, largest relative change: {kept}", drifts_text)


def _check_shown(of: list[str] | None, zoom: object, out: Path | None) -> None:
    """Reject --of and --zoom without a picture, or a file for the values."""
    drawn = argument("picture") is not None
    if of and not drawn and out is None:
        problem = say("{names}: no output of the command uses these curves.", ", ".join(of))
        raise ModelError("--of", problem, "Add --plot FILE or -o FILE.")
    if zoom is not None and not drawn:
        raise ModelError("--zoom", "no curves are drawn.", "Add --plot FILE.")


def _end(duration: float | None, start: float, times: list[float] | None) -> float:
    """When a run will be over; times that are not in order are refused later."""
    if duration is not None:
        return start + duration
    if times is None:
        raise ModelError("--duration", "the option is missing.", "For instance: --duration 10.")
    return times[-1]
