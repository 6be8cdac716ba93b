"""`torseur examples`: the mechanisms that come with Torseur, and experiments done again."""

from collections.abc import Callable, Mapping
from pathlib import Path

import rich_click as click

from torseur.cli.frame.command import Printout, answer_of, command
from torseur.cli.frame.outputs import Output
from torseur.errors import unknown
from torseur.language.packaged import EXAMPLES, example_description, packaged_files
from torseur.notices import text_table
from torseur.output import write_text
from torseur.words.language import spoken
from torseur.words.sentence import worded

_TASK = {  # where each axis goes, within a second
    "q1": "60 deg", "q2": "-30 deg", "q3": "50 deg", "q4": "30 deg", "q5": "-30 deg",
    "q6": "90 deg",
}  # fmt: skip


def inria_control() -> Printout:
    """Four laws with a model that is 10 % wrong on the robot of 1980, as `torseur tracking` does.

    Liégeois, Aldon (1980), §5: predicted torques improved the precision about ten times.
    """
    from torseur.controllers.controller import known_model
    from torseur.controllers.reference import reaching
    from torseur.controllers.tracking import tracking
    from torseur.language.load import load
    from torseur.language.text.given import given_state

    robot = load(str(packaged_files(EXAMPLES)["robot_1980"]))
    start = known_model(robot, None).initial_pose
    task = reaching(start, {**start, **given_state(robot, _TASK)}, 1.0)
    return answer_of(robot, tracking(robot, task, 1.5, frequency=20.0), "\n")


# experiments of the sources that are done again by name
EXPERIMENTS: Mapping[str, tuple[str, Callable[[], Printout]]] = {
    "inria-control": (
        "The experiment of 1980: PD, gravity, predicted and computed torques, 10 % wrong.",
        inria_control,
    )
}


@command(
    "examples",
    click.argument("name", required=False),
    click.option(
        "-o",
        "--out",
        type=Output(),
        help="Copy the example, or the picture of an experiment, to this file.",
    ),
)
def examples(name: str | None, out: Path | None) -> Printout:
    """List the examples, or show example NAME.

    Example: `torseur examples puma560 -o puma560.yaml`, `torseur examples inria-control`
    """
    if name is not None and name in EXPERIMENTS:
        answer = EXPERIMENTS[name][1]()
        if out is not None and answer.figure is not None:
            answer.figure(out)
        return answer
    files = packaged_files(EXAMPLES)
    if name is None:
        return _list()
    if name not in files:
        raise unknown("examples", "example", name, [*files, *EXPERIMENTS])
    content = files[name].read_text(encoding="utf-8")
    if out is not None:
        write_text(out, content)
    document = {"name": name, "content": content, "copied_to": str(out) if out else None}
    return Printout(lambda: document, None if out else content)


def example_lines() -> dict[str, str]:
    """Description of each example, in the current language."""
    return {name: example_description(name, spoken()) for name in packaged_files(EXAMPLES)}


def _list() -> Printout:
    experiments = {name: worded(text) for name, (text, _) in EXPERIMENTS.items()}
    described = example_lines() | experiments
    return Printout(lambda: described, "\n".join(text_table(described.items())))
