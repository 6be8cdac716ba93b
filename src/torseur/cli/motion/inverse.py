"""`torseur inverse`: forces, powers and reactions of a given motion, and its motors."""

from pathlib import Path
from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.options import REACTIONS, option, out, plot, settings_and_start
from torseur.cli.frame.settings import FINITE, names
from torseur.words.sentence import say, worded


@model_command(
    "inverse",
    option("--motion", "A table of the motion, with heads such as `t [s],q1 [deg]`; speeds `q1.` "
           "and accelerations `q1..` too, if known.", "FILE.csv", required=True),
    option("--rate", "Samples a second; default: the instants of the file.", "HZ", type=FINITE),
    option("--actuators", "Coordinates along which forces act; default: those of the file.",
           "NAMES", read=names),
    option("--motors", "A table of motors by coordinate or joint: ratio, rotor_inertia, viscous, "
           "dry, efficiency, rated_torque, peak_torque, max_speed. The result states whether they "
           "can do the task.", "FILE.yaml"),
    settings_and_start(),
    REACTIONS,
    out(".csv", ".nc", help="Forces and powers, with --reactions those of joints too."),
    plot("Forces and powers, or with --motors torques over speeds,"),
)  # fmt: skip
def inverse(
    mechanism: Mechanism,
    motion: str,
    motors: str | None,
    initial: dict[str, float],
    reactions: bool,
    out: Path | None,
    **options: Any,
) -> Printout:
    """Compute the forces that make MODEL follow a motion, their powers, and the load of its motors.

    Example: `torseur inverse puma560.yaml --motion task.csv --motors motors.yaml -o forces.csv`
    """
    from torseur.robotics.inverse import inverse as needed
    from torseur.robotics.motor_sheet import motor_sheet

    efforts = needed(mechanism, motion, guess=initial, **options)
    sheet = motor_sheet(efforts, motors)
    if out is not None:
        efforts.save(out, reactions=reactions)
    document = {"name": mechanism.name, **efforts.document}
    lines = [f"{mechanism.name}{worded(': ')}{efforts}"]
    if reactions:
        peaks = {name: abs(efforts.reaction(name)).max(axis=0) for name in efforts.joints}
        document["peak_reactions"] = {name: list(map(float, x)) for name, x in peaks.items()}
        lines += [
            say(
                "  {name}: largest force {force:.5g} N, couple {couple:.5g} N·m",
                name,
                max(x[:3]),
                max(x[3:]),
            )
            for name, x in peaks.items()
        ]
    judged = motors is not None or bool(mechanism.motors) or bool(sheet.checks)
    if judged:
        document["sheet"] = sheet.document
        lines.append(str(sheet))
    figure = sheet.figure if motors is not None else efforts.figure
    return Printout(lambda: document, "\n".join(lines), figure)
