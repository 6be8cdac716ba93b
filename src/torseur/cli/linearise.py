"""`torseur linearise`: how a mechanism vibrates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.settings import named_numbers

if TYPE_CHECKING:
    from torseur.analyse.linearise import Linear


@click.command()
@model_arguments
@click.option("--at", multiple=True, metavar="NAME=VALUE",
              help="A coordinate or a speed of the state; default: the nearest "
              "equilibrium.")  # fmt: skip
@click.option("--input", "inputs", multiple=True, metavar="NAME",
              help="A motor, a joint force, a coordinate or a parameter.")  # fmt: skip
@click.option("--independent", multiple=True, metavar="NAME", help="A coordinate to keep.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Value of a parameter; may be repeated.")  # fmt: skip
@click.option("--plot", "picture", type=click.Path(path_type=Path), metavar="FILE",
              help="Eigenvalues and modes as .png, .svg or .pdf.")  # fmt: skip
@click.option("--matlab", type=click.Path(path_type=Path), metavar="FILE.m",
              help="The state space as a MATLAB script.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def linearise(
    model: str,
    masses: str | None,
    gravity: str | None,
    at: tuple[str, ...],
    inputs: tuple[str, ...],
    independent: tuple[str, ...],
    settings: tuple[str, ...],
    picture: Path | None,
    matlab: Path | None,
    as_json: bool,
) -> None:
    """Small motions of MODEL: frequencies, damping, modes and stability.

    Example: `torseur linearise cart_pendulum.yaml`

    Example: `torseur linearise double_pendulum.yaml --at theta1="180 deg" --at theta2=0`
    """
    from torseur.analyse.linearise import linearise as found_linear

    mechanism = load_model(model, masses, gravity)
    found = found_linear(
        mechanism,
        named_numbers("--at", at) if at else None,
        inputs=inputs or None,
        independent=independent,
        parameters=named_numbers("--set", settings),
    )
    if picture is not None:
        found.plot(picture)
    if matlab is not None:
        matlab.write_text(found.to_matlab(), encoding="utf-8")
    if as_json:
        say_json(_document(mechanism.name, found))
        return
    click.echo(f"{mechanism.name}: {found}")
    for file in filter(None, (picture, matlab)):
        click.echo(f"{file}: written.")


def _document(name: str, found: Linear) -> dict[str, Any]:
    return {
        "name": name,
        "at": {**found.steady.coordinates, **found.steady.speeds},
        "states": list(found.states),
        "inputs": list(found.inputs),
        **{key: getattr(found, key).tolist() for key in ("M", "D", "K", "A", "B")},
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
    }


def _pair(x: complex) -> list[float]:
    """Real and imaginary part: JSON has no complex numbers."""
    return [float(x.real), float(x.imag)]
