"""`torseur root-locus`: eigenvalues of small motions as a parameter changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from torseur.cli.command import Answer, model_command
from torseur.cli.options import option, plot, settings, several, swept
from torseur.cli.settings import state
from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.words.sentence import say


@model_command(
    "root-locus",
    *swept(),
    option("--count", "Values in between.", type=int, default=41, show_default=True),
    several("--at", "at", "A coordinate of the first equilibrium; default: the nearest one.",
            "NAME=VALUE"),
    settings("Value of another parameter; may be repeated."),
    plot("The eigenvalues in the complex plane"),
)  # fmt: skip
def root_locus(
    mechanism: Mechanism,
    parameter: str,
    low: float,
    high: float,
    count: int,
    at: tuple[str, ...],
    parameters: dict[str, float],
    picture: Path | None,
) -> Answer:
    """The eigenvalues about an equilibrium of MODEL that is followed as a parameter changes.

    Example: `torseur root-locus cart_pendulum.yaml --parameter b --from 0 --to 5 --plot locus.svg`
    """
    from torseur.analyse.vibrations.root_locus import root_locus as followed

    if count < 2:
        raise ModelError(
            "--count", say("{count} values make no locus.", count), "Take two or more."
        )
    values, start = np.linspace(low, high, count), state(mechanism, "--at", at) or None
    found = followed(mechanism, parameter, values, at=start, parameters=parameters)
    if picture is not None:
        found.plot(picture)
    document = {
        "name": mechanism.name,
        "parameter": parameter,
        "values": found.values.tolist(),
        "eigenvalues": [[[float(x.real), float(x.imag)] for x in row] for row in found.eigenvalues],
        "stable": found.stable.tolist(),
    }
    lines = [f"{mechanism.name}: eigenvalues [1/s], each in its column"]
    for value, row, good in zip(found.values, found.eigenvalues, found.stable, strict=True):
        listed = "  ".join(f"{x.real:9.4g}{x.imag:+.4g}i" for x in row)
        lines.append(f"{parameter} = {value:<10.6g} {'' if good else 'not '}stable  {listed}")
    return Answer(lambda: document, "\n".join(lines), (picture,))
