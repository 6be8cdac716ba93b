"""Experiments of the sources that are done again by name: `torseur examples inria-control`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torseur.cli.frame.command import Answer, answer_of

_TASK = {  # where each axis goes, within a second
    "q1": "60 deg", "q2": "-30 deg", "q3": "50 deg", "q4": "30 deg", "q5": "-30 deg",
    "q6": "90 deg",
}  # fmt: skip


def inria_control() -> Answer:
    """Four laws with a model that is 10 % wrong on the robot of 1980, as `torseur tracking` does.

    Liégeois, Aldon (1980), §5: predicted torques improved the precision about ten times.
    """
    from torseur.controllers.model import known_model
    from torseur.controllers.reference import reaching
    from torseur.controllers.tracking import tracking
    from torseur.language.load import load
    from torseur.language.packaged import EXAMPLES, packaged_files
    from torseur.language.text.given import given_state

    robot = load(str(packaged_files(EXAMPLES)["robot_1980"]))
    start = known_model(robot, None).initial_pose
    task = reaching(start, {**start, **given_state(robot, _TASK)}, 1.0)
    return answer_of(robot, tracking(robot, task, 1.5, frequency=20.0), "\n")


EXPERIMENTS: Mapping[str, tuple[str, Callable[[], Answer]]] = {
    "inria-control": (
        "The experiment of 1980: PD, gravity, predicted and computed torques, 10 % wrong.",
        inria_control,
    )
}
