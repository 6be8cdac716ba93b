"""`torseur linearise`: how a mechanism vibrates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from torseur.cli.command import Answer, model_command
from torseur.cli.options import option, page, plot, settings, several
from torseur.cli.outputs import Output
from torseur.cli.settings import named_numbers, pair, span, state
from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.words.sentence import say

if TYPE_CHECKING:
    from torseur.analyse.vibrations.linear import Linear

_POINTS = 400  # of a frequency response


@model_command(
    "linearise",
    several("--at", "at", "A coordinate or a speed of the state; default: the nearest equilibrium.",
            "NAME=VALUE"),
    option("--held", "Constant forces hold the pose of --at, and are told.", is_flag=True),
    several("--given", "given", "A coordinate or a constant speed: about steady motions with it.",
            "NAME=VALUE"),
    several("--input", "inputs", "A motor, a joint force, a coordinate or a parameter."),
    several("--output", "outputs", "A coordinate or a speed, for --matlab; default: the "
            "independent coordinates."),
    several("--independent", "independent", "A coordinate to keep."),
    settings(),
    option("--transfer", "Transfer function, with zeros and poles.", "INPUT:OUTPUT"),
    option("--response", "Frequency response; --plot then shows it.", "INPUT:OUTPUT"),
    option("--frequencies", "Of the response [rad/s]; default: around the modes.", "LOW:HIGH",
           default=""),
    plot("Eigenvalues and modes, or the response,"),
    page("--film", "film", "The modes moving, in any browser."),
    option("--matlab", "The state space as a script (.m) or as a file of matrices (.mat).", "FILE",
           type=Output(".m", ".mat")),
)  # fmt: skip
def linearise(
    mechanism: Mechanism,
    at: tuple[str, ...],
    held: bool,
    given: tuple[str, ...],
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    independent: tuple[str, ...],
    parameters: dict[str, float],
    transfer: str | None,
    response: str | None,
    frequencies: str,
    picture: Path | None,
    film: Path | None,
    matlab: Path | None,
) -> Answer:
    """Small motions of MODEL: frequencies, damping, modes and stability.

    Example: `torseur linearise cart_pendulum.yaml --film modes.html`

    Example: `torseur linearise double_pendulum.yaml --at theta1="180 deg" --at theta2=0`

    Example: `torseur linearise cart_pendulum.yaml --response x:theta --plot response.svg`

    Example: `torseur linearise cart_pendulum.yaml --response ground.x:theta` (the ground shakes)

    Example: `torseur linearise puma560.yaml --held --at q2=0.3`

    Example: `torseur linearise heavy_top.yaml --given theta=0.5 --given psi.=300`
    """
    from torseur.analyse.vibrations.base_motion import is_base

    asked = [pair(name, x) for name, x in (("--transfer", transfer), ("--response", response)) if x]
    forced = [first for first, _ in asked if not is_base(mechanism, first)]
    named = tuple(dict.fromkeys((*inputs, *forced))) or None
    found = _found(mechanism, named, at, held, given, independent, parameters)
    documents, lines = [], []
    for k, linear in enumerate(found):
        document = _document(mechanism.name, linear)
        lines.append(f"{mechanism.name}: {linear}")
        if transfer:
            lines += _transfer(linear, pair("--transfer", transfer), document)
        if response:
            lines += _response(linear, pair("--response", response), frequencies, document)
        lines += _files(linear, k if len(found) > 1 else None, outputs, film, matlab)
        if picture is not None:
            lines.append(_draw(linear, _numbered(picture, k, len(found)), response, frequencies))
        documents.append(document)
    return Answer(lambda: documents if given else documents[0], "\n".join(lines))


def _found(
    mechanism: Mechanism,
    inputs: tuple[str, ...] | None,
    at: tuple[str, ...],
    held: bool,
    given: tuple[str, ...],
    independent: tuple[str, ...],
    values: dict[str, float],
) -> list[Linear]:
    """The small motions about the state, or about every steady motion."""
    from torseur.analyse.vibrations.linearise import linearise as about

    if not given:
        where = state(mechanism, "--at", at) if at else None
        pose = about(
            mechanism, where, inputs=inputs, independent=independent, parameters=values, held=held
        )
        return [pose]
    if at or held:
        other = f"--at {at[0]}" if at else "--held"
        raise ModelError(
            "linearise", say("{other} and --given {given} exclude each other.", other, given[0])
        )
    from torseur.analyse.equilibria.steady_motions import steady_motions

    wanted = named_numbers("--given", given)
    steady = steady_motions(mechanism, wanted, independent=independent, parameters=values)
    if not len(steady):
        raise ModelError(
            "--given", say("no steady motion was found with {given}.", ", ".join(given))
        )
    return [about(mechanism, x, inputs=inputs) for x in steady]


def _numbered(path: Path, k: int | None, count: int) -> Path:
    """The same path, with a number where there are several."""
    return path if count < 2 or k is None else path.with_stem(f"{path.stem}_{k + 1}")


def _files(
    linear: Linear,
    k: int | None,
    outputs: tuple[str, ...],
    film: Path | None,
    matlab: Path | None,
) -> list[str]:
    written = []
    count = 1 if k is None else 2
    if film is not None:
        from torseur.report.viewer.mode_film import mode_film

        written.append(mode_film(linear, _numbered(film, k, count)))
    if matlab is not None:
        written.append(linear.save_matlab(_numbered(matlab, k, count), outputs))
    return [f"{file}: written." for file in written]


def _transfer(linear: Linear, names: tuple[str, str], document: dict[str, Any]) -> list[str]:
    found = linear.transfer(*names)
    document["transfer"] = {
        "input": names[0],
        "output": names[1],
        "numerator": found.numerator.tolist(),
        "denominator": found.denominator.tolist(),
        "zeros": [_pair(x) for x in found.zeros],
        "poles": [_pair(x) for x in found.poles],
    }
    return [f"{names[1]}/{names[0]} = {found}"]


def _omegas(linear: Linear, frequencies: str) -> Any:
    """Where a response is looked at: as asked for, or a decade around the modes."""
    import numpy as np

    if frequencies:
        low, high = span("--frequencies", frequencies)
    else:
        known = [x for x in linear.frequencies if x > 0] or [1.0]
        low, high = min(known) / 10, max(known) * 10
    if not 0 < low < high:
        raise ModelError(
            "--frequencies", say('"{frequencies}" must be positive and increase.', frequencies)
        )
    return np.geomspace(low, high, _POINTS)


def _response(
    linear: Linear, names: tuple[str, str], frequencies: str, document: dict[str, Any]
) -> list[str]:
    omegas = _omegas(linear, frequencies)
    values = linear.response(omegas, *names)
    document["response"] = {
        "input": names[0],
        "output": names[1],
        "frequencies": omegas.tolist(),
        "values": [_pair(x) for x in values],
    }
    k = int(abs(values).argmax())
    return [f"|{names[1]}/{names[0]}| is largest at {omegas[k]:.5g} rad/s: {abs(values[k]):.5g}"]


def _draw(linear: Linear, picture: Path, response: str | None, frequencies: str) -> str:
    if response:
        names = pair("--response", response)
        linear.plot_response(*names, _omegas(linear, frequencies), picture)
    else:
        linear.plot(picture)
    return f"{picture}: written."


def _document(name: str, found: Linear) -> dict[str, Any]:
    return {
        "name": name,
        "at": {**found.steady.coordinates, **found.steady.speeds},
        "states": list(found.states),
        "inputs": list(found.inputs),
        **{key: getattr(found, key).tolist() for key in ("M", "D", "K", "A", "B")},
        **_parts(found),
        "eigenvalues": [_pair(x) for x in found.eigenvalues],
        "frequencies": found.frequencies.tolist(),
        "hertz": found.hertz.tolist(),
        "damping": found.damping.tolist(),
        "modes": [
            {
                "eigenvalue": _pair(mode.eigenvalue),
                "kind": mode.kind,
                "shape": {key: _pair(x) for key, x in mode.shape.items()},
            }
            for mode in found.modes
        ],
        "stable": bool(found.stable),
        "verdict": str(found.stable),
        "notices": list(found.notices),
    }


def _parts(found: Linear) -> dict[str, Any]:
    """What D and K consist of, where they are square."""
    names: tuple[str, ...] = ("dissipation", "gyroscopic")
    if found.K.shape[0] == found.K.shape[1]:
        names = (*names, "stiffness", "circulatory")
    return {name: getattr(found, name).tolist() for name in names}


def _pair(x: complex) -> list[float]:
    """Real and imaginary part: JSON has no complex numbers."""
    return [float(x.real), float(x.imag)]
