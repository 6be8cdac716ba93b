"""`torseur balance-rotor`: the masses that balance a rotor, from measured signals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import rich_click as click

from torseur.cli.command import Answer, command
from torseur.cli.options import option, plot, several
from torseur.errors import ModelError
from torseur.words.sentence import say


@command(
    "balance-rotor",
    click.argument("files", nargs=-1, required=True, metavar="FILE.csv …"),
    several("--trial", "trials", "Trial mass of plane 1, then of plane 2, such as `20 g @ 30 deg`.",
            "MASS@ANGLE", required=True),
    several("--radius", "radii", "Radius of the masses, such as `80 mm`; twice if they differ.",
            "R", required=True),
    option("--speed", "Such as `1500 tr/min`; found if not given.", "SPEED"),
    plot("Signals as vectors,"),
)  # fmt: skip
def balance_rotor(
    files: tuple[str, ...],
    trials: tuple[str, ...],
    radii: tuple[str, ...],
    speed: str | None,
    picture: Path | None,
) -> Answer:
    """The masses and angles, in two planes, that balance a rotor by influence coefficients.

    One FILE.csv has the columns t, bare_1, bare_2, trial1_1, trial1_2, trial2_1, trial2_2; three
    files, of the bare rotor and of two trials, have t and the gauges each. t is in seconds from the
    passage of the mark before the gauges; an `angle` column [rad] may replace a constant speed.
    Trial masses are put on alone, one after the other, and taken off again. Angles are from the
    mark in the sense of rotation.

    Example: `torseur balance-rotor run.csv --trial "20 g@0" --trial "20 g@90 deg" --radius "80 mm"`
    """
    from torseur.analyse.rotors.balancing import balance_rotor as balanced
    from torseur.analyse.rotors.signal_files import read_signals
    from torseur.language.text.given import amount

    runs = read_signals(*files)
    if len(trials) != 2 or len(radii) not in (1, 2):
        problem = f"two --trial and one or two --radius are needed, got {len(trials)} and "
        raise ModelError("balance-rotor", say("{problem}{number}.", problem, len(radii)))
    at = [amount(r, "--radius") for r in (*radii, *radii)[:2]]
    unbalances = [_trial(text) * r for text, r in zip(trials, at, strict=True)]
    turning = runs[0].speed() if speed is None else amount(speed, "--speed")
    bare, *others = (run.synchronous(turning) for run in runs)
    found = balanced(bare, others, unbalances)
    if picture is not None:
        found.figure(picture)
    masses = found.masses(at)
    placed = [
        {"mass": m.mass, "radius": m.radius, "angle": float(np.degrees(m.angle))} for m in masses
    ]
    lines = [f"speed {turning:.6g} rad/s ({turning * 30 / np.pi:.6g} tr/min)"]
    lines += [
        f"gauge {k + 1}: {abs(z):.4g} at {np.degrees(np.angle(z)):.1f}°, ± {bare.error[k]:.2g}"
        for k, z in enumerate(bare.z)
    ]
    lines += map(_told, range(2), placed)
    lines.append(f"expected: signals about {found.reduction:.0f} times smaller")
    document = {"speed": turning, "masses": placed}
    return Answer(lambda: document | found.document, "\n".join(lines), (picture,))


def _told(plane: int, put: dict[str, Any]) -> str:
    return (
        f"plane {plane + 1}: put {1000 * put['mass']:.4g} g at {put['angle']:.1f}°, "
        f"radius {1000 * put['radius']:.4g} mm"
    )


def _trial(text: str) -> complex:
    """m e^{iθ} of a text MASS@ANGLE."""
    from torseur.language.text.given import amount

    mass, sign, angle = text.partition("@")
    if not sign:
        raise ModelError(
            "--trial", say('expected MASS@ANGLE, got "{text}".', text), "Such as 20 g@30 deg."
        )
    return amount(mass.strip(), "--trial") * complex(np.exp(1j * amount(angle.strip(), "--trial")))
