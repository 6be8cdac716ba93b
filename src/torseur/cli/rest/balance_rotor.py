"""`torseur balance-rotor`: the masses that balance a rotor, from measured signals."""

import cmath
import math

import rich_click as click

from torseur.cli.frame.command import Printout, command
from torseur.cli.frame.options import option, plot, several
from torseur.cli.frame.settings import quantity
from torseur.errors import ModelError
from torseur.words.sentence import say


def _radii(option: str, texts: tuple[str, ...]) -> list[float]:
    return [quantity("m")(option, text) for text in texts]


def _trials(option: str, texts: tuple[str, ...]) -> list[complex]:
    """m e^{iθ} of each text MASS@ANGLE."""
    trials = []
    for text in texts:
        mass, sign, angle = text.partition("@")
        if not sign:
            raise ModelError(
                option,
                say('expected MASS@ANGLE, got "{text}".', text),
                "For instance: 20 g@30 deg.",
            )
        size, turned = quantity("kg")(option, mass), quantity("rad")(option, angle)
        trials.append(size * cmath.exp(1j * turned))
    return trials


@command(
    "balance-rotor",
    click.argument("files", nargs=-1, required=True, metavar="FILE.csv …"),
    several("--trial", "trials", "Trial mass of plane 1, then of plane 2, such as `20 g @ 30 deg`.",
            "MASS@ANGLE", required=True, read=_trials),
    several("--radius", "radii", "Radius of the masses, such as `80 mm`; twice if they differ.",
            "R", required=True, read=_radii),
    option("--speed", "Speed, such as `1500 tr/min`; default: computed from the signals.", "SPEED",
           read=quantity("rad/s")),
    plot("Signals as vectors,"),
)  # fmt: skip
def balance_rotor(
    files: tuple[str, ...],
    trials: list[complex],
    radii: list[float],
    speed: float | None,
) -> Printout:
    """Find the masses and angles, in two planes, that balance a rotor, by influence coefficients.

    One FILE.csv has the columns t, bare_1, bare_2, trial1_1, trial1_2, trial2_1, trial2_2; three
    files, of the bare rotor and of two trials, have t and the gauges each. t is in seconds from the
    passage of the mark before the gauges; an `angle` column [rad] may replace a constant speed.
    Mount one trial mass at a time, and remove it before the next. Angles are from the
    mark in the sense of rotation.

    Example: `torseur balance-rotor run.csv --trial "20 g@0" --trial "20 g@90 deg" --radius "80 mm"`
    """
    from torseur.analyse.rotation.balancing import balance_rotor as balanced
    from torseur.analyse.rotation.balancing import read_signals

    runs = read_signals(*files)
    if len(trials) != 2 or len(radii) not in (1, 2):
        problem = say(
            "two --trial and one or two --radius are needed, got {trials} and {radii}.",
            len(trials),
            len(radii),
        )
        raise ModelError("balance-rotor", problem)
    at = (*radii, *radii)[:2]
    unbalances = [trial * r for trial, r in zip(trials, at, strict=True)]
    turning = runs[0].speed() if speed is None else speed
    bare, *others = (run.synchronous(turning) for run in runs)
    result = balanced(bare, others, unbalances)
    placed = result.masses(at)
    lines = [say("speed {turning:.6g} rad/s ({often:.6g} tr/min)", turning, turning * 30 / math.pi)]
    lines += [
        say(
            "gauge {number}: {size:.4g} at {angle:.1f}°, ± {error:.2g}",
            k + 1,
            abs(z),
            math.degrees(cmath.phase(z)),
            bare.error[k],
        )
        for k, z in enumerate(bare.z)
    ]
    lines += [say("plane {number}: put {mass}", k, mass) for k, mass in enumerate(placed, 1)]
    lines.append(
        say("expected reduction of the signals: about {reduction:.0f} times", result.reduction)
    )
    document = {"speed": turning, "masses": [x.document for x in placed]} | result.document
    return Printout(lambda: document, "\n".join(lines), result.figure)
