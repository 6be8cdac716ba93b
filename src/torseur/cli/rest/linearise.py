"""`torseur linearise`: how a mechanism vibrates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torseur.cli.frame.command import Printout, argument, model_command, written
from torseur.cli.frame.in_letters import LETTERS
from torseur.cli.frame.options import option, page, plot, settings, several, state_at
from torseur.cli.frame.outputs import Output
from torseur.cli.frame.settings import named_numbers, named_texts, pair, span
from torseur.errors import ModelError
from torseur.words.sentence import say, worded

if TYPE_CHECKING:
    from torseur.analyse.vibrations.linearise import Linear
    from torseur.model.description import Mechanism

_POINTS = 400  # of a frequency response


@model_command(
    "linearise",
    state_at("A coordinate or a speed of the state; default: the nearest equilibrium."),
    option("--held", "Hold the pose of --at by constant forces, and print them.", name="static",
           is_flag=True),
    several("--given", "given", "Coordinate or constant speed of the steady motions to linearise "
            "about.",
            "NAME=VALUE"),
    several("--mode", "contact_modes", "A contact fixed in a mode: open, stick or slip.",
            "NAME=MODE"),
    several("--input", "inputs", "A motor, a joint force, a coordinate or a parameter."),
    several("--output", "outputs", "A coordinate or a speed, for --matlab; default: the "
            "independent coordinates."),
    several("--independent", "independent", "A coordinate to keep."),
    settings(),
    option("--transfer", "Transfer function, with zeros and poles.", "INPUT:OUTPUT", read=pair),
    option("--response", "Frequency response; --plot then shows it.", "INPUT:OUTPUT", read=pair),
    option("--frequencies", "Frequency range of the response [rad/s]; default: around the modes.",
           "LOW:HIGH",
           default=""),
    page("--film", "film", "Animation of the modes, for any browser."),
    option("--matlab", "The state space as a script (.m) or as a file of matrices (.mat).", "FILE",
           type=Output(".m", ".mat")),
    LETTERS,
    plot("Eigenvalues and modes, or the response,"),
)  # fmt: skip
def linearise(
    mechanism: Mechanism,
    given: tuple[str, ...],
    contact_modes: tuple[str, ...],
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    transfer: tuple[str, str] | None,
    response: tuple[str, str] | None,
    frequencies: str,
    film: Path | None,
    matlab: Path | None,
    letters: bool,
    **options: Any,
) -> Printout:
    """Linearise MODEL about a state: frequencies, damping, modes and stability.

    Example: `torseur linearise cart_pendulum.yaml --film modes.html`

    Example: `torseur linearise double_pendulum.yaml --at theta1="180 deg" --at theta2=0`

    Example: `torseur linearise cart_pendulum.yaml --response x:theta --plot response.svg`

    Example: `torseur linearise cart_pendulum.yaml --response ground.x:theta` (the ground shakes)

    Example: `torseur linearise puma560.yaml --held --at q2=0.3`

    Example: `torseur linearise heavy_top.yaml --given theta=0.5 --given psi.=300`

    Example: `torseur linearise brake_squeal.yaml --mode rub=slip`

    Example: `torseur linearise cart_pendulum.yaml --letters`
    """
    from torseur.analyse.vibrations.linear_systems import is_base
    from torseur.report.viewer.mode_film import mode_film

    forced = [x[0] for x in (transfer, response) if x and not is_base(mechanism, x[0])]
    named = tuple(dict.fromkeys((*inputs, *forced))) or None
    modes = named_texts("--mode", contact_modes) or None
    if letters:
        return _formulas(mechanism, named, modes, film or matlab, **options)
    linears = _linearised(mechanism, given, inputs=named, modes=modes, **options)
    documents, lines = [], []
    for k, linear in enumerate(linears):
        document = {"name": mechanism.name} | linear.document
        lines.append(f"{mechanism.name}{worded(': ')}{linear}")
        if transfer:
            whole = linear.transfer(*transfer)
            document["transfer"] = whole.document
            lines.append(f"{whole.output}/{whole.input} = {whole}")
        omegas = _omegas(linear, frequencies) if response else None
        if response:
            document["response"], summary = _response(linear, response, omegas)
            lines.append(summary)
        for path in _numbered(film, k, len(linears)):
            lines.append(written(mode_film(linear, path)))
        for path in _numbered(matlab, k, len(linears)):
            lines.append(written(linear.save_matlab(path, outputs)))
        for path in _numbered(argument("picture"), k, len(linears)):
            if response:
                linear.plot_response(*response, omegas, path)
            else:
                linear.plot(path)
            lines.append(written(path))
        documents.append(document)
    return Printout(
        lambda: documents if given else documents[0], "\n".join(lines), tells_files=True
    )


def _formulas(
    mechanism: Mechanism,
    inputs: tuple[str, ...] | None,
    modes: dict[str, str] | None,
    file: Path | None,
    *,
    at: dict[str, float] | None,
    static: bool,
    parameters: dict[str, float] | None,
    independent: tuple[str, ...],
) -> Printout:
    """Small motions as formulas; what only numbers have is refused."""
    from torseur.analyse.vibrations.linearise import linearise as about

    for flag, x in {"--input": inputs, "--held": static, "--independent": independent,
                    "--film": file}.items():  # fmt: skip
        if x:
            raise ModelError(flag, say("it is for numbers."), say("Leave out --letters."))
    linear = about(mechanism, at, letters=True, parameters=parameters, modes=modes)
    document = {"name": mechanism.name, **linear.document}
    return Printout(lambda: document, f"{mechanism.name}{worded(': ')}{linear}")


def _linearised(
    mechanism: Mechanism,
    given: tuple[str, ...],
    *,
    at: dict[str, float] | None,
    static: bool,
    inputs: tuple[str, ...] | None,
    modes: dict[str, str] | None,
    **options: Any,
) -> list[Linear]:
    """The small motions about the state, or about every steady motion."""
    from torseur.analyse.equilibria.steady_motions import steady_motions
    from torseur.analyse.vibrations.linearise import linearise as about

    if not given:
        return [about(mechanism, at, inputs=inputs, held=static, modes=modes, **options)]
    if at or static or modes:
        other = f"--at {argument('state_settings')[0]}" if at else "--held" if static else "--mode"
        raise ModelError(
            "linearise", say("{other} and --given {given} exclude each other.", other, given[0])
        )
    steady = steady_motions(mechanism, named_numbers("--given", given), **options)
    if not len(steady):
        raise ModelError(
            "--given", say("no steady motion was found with {given}.", ", ".join(given))
        )
    return [about(mechanism, x, inputs=inputs) for x in steady]


def _numbered(path: Path | None, k: int, count: int) -> Iterator[Path]:
    """The path, if there is one; with a number where there are several motions."""
    if path is not None:
        yield path if count < 2 else path.with_stem(f"{path.stem}_{k + 1}")


def _omegas(linear: Linear, frequencies: str) -> Any:
    """Where a response is looked at: as asked for, or a decade around the modes."""
    import numpy as np

    known = [x for x in linear.frequencies if x > 0] or [1.0]
    around = min(known) / 10, max(known) * 10
    low, high = span("--frequencies", frequencies) if frequencies else around
    if not 0 < low < high:
        raise ModelError(
            "--frequencies",
            say('"{frequencies}" must be two positive, increasing frequencies.', frequencies),
        )
    return np.geomspace(low, high, _POINTS)


def _response(linear: Linear, names: tuple[str, str], omegas: Any) -> tuple[dict[str, Any], str]:
    """A response as data, and where it is largest."""
    from torseur.plain import plain

    values = linear.response(omegas, *names)
    document = {"input": names[0], "output": names[1], "frequencies": omegas, "values": values}
    k = int(abs(values).argmax())
    sentence = say(
        "|{output}/{input}| is largest at {frequency:.5g} rad/s: {largest:.5g}",
        names[1],
        names[0],
        omegas[k],
        abs(values[k]),
    )
    return plain(document), sentence
