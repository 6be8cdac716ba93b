"""`torseur excite`: a motion along which the parameters of a robot show."""

from pathlib import Path
from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, answer_of, argument, model_command
from torseur.cli.frame.options import option, out, plot, rate, settings
from torseur.cli.frame.outputs import progress_bar
from torseur.cli.frame.settings import FINITE, WHOLE
from torseur.words.sentence import say


@model_command(
    "excite",
    option("--speed", "Largest speed of every coordinate, in SI units.", "V", type=FINITE,
           default=1.0),
    option("--acceleration", "Largest acceleration of every coordinate, in SI units.", "A",
           type=FINITE, default=5.0),
    option("--period", "Period of the motion.", "S", type=FINITE, default=10.0),
    option("--harmonics", "Harmonics of the Fourier series of each coordinate.", "N", type=WHOLE,
           default=5),
    option("--searches", "Number of random motions to start from.", "N", type=WHOLE, default=3),
    option("--determinant", "Maximise the determinant (smallest confidence volume) instead of "
           "minimising the condition number.", is_flag=True),
    rate(100.0),
    settings(),
    plot("The coordinates"),
    out(".csv", help="A table of times, coordinates, speeds, accelerations.", metavar="FILE.csv"),
)  # fmt: skip
def excite(
    mechanism: Mechanism,
    parameters: dict[str, float],
    rate: float,
    out: Path | None,
    **options: Any,
) -> Printout:
    """Find the periodic motion of MODEL, within limits, that best shows its base parameters.

    Positions stay within the limits of the joints.

    Example: `torseur excite double_pendulum.yaml --period 4 --speed 3 --searches 1 -o motion.csv`
    """
    from torseur.machine.compiled import compiled_at
    from torseur.robotics.identification.excitation import excite as excited

    model = compiled_at(mechanism, parameters)
    first = say("looking for base parameters")
    with progress_bar(first, say("searching"), 0.0, 1.0, argument("as_json")) as progress:
        excitation = excited(model, progress=progress, **options)
    if out is not None:
        excitation.save(out, rate)
    return answer_of(mechanism, excitation)
