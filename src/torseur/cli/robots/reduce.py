"""`torseur reduce`: a smaller model for on-line use, and what each term that it lacks costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.options import duration, option, several, state_at
from torseur.cli.frame.settings import FINITE, state
from torseur.errors import ModelError
from torseur.named_words import exercise_words
from torseur.notices import text_table
from torseur.words.sentence import said, say

if TYPE_CHECKING:
    from torseur.robotics.reduced_model import ReducedModel
    from torseur.robotics.term_sizes import TermSizes
    from torseur.robotics.trajectory import Trajectory

_LISTED = 40  # terms of the table from which one chooses


@model_command(
    "reduce",
    state_at("A coordinate at the start; default: the initial one."),
    several("--to", "goals", "A coordinate at the end; others stay.", "NAME=VALUE", required=True),
    duration(help="Length of the motion."),
    option("--tolerance", "Terms are dropped while no force changes by more than this share of its "
           "largest value; 0 drops the chosen terms alone.", "E", type=FINITE, default=0.01),
    several("--frozen", "frozen", "Wrist coordinate that the equations of the arm keep fixed.",
            "NAME"),
    click.option("--no-velocity-terms", "slow", is_flag=True,
                 help="Neglect centrifugal and Coriolis terms."),
    several("--drop", "chosen", 'A term to drop: "q1: q2. q3.", "q3: gravity".', "EQUATION: TERM"),
    click.option("--interactive", is_flag=True,
                 help="Choose terms from the table of their sizes; the error follows each choice."),
    option("--export", "Write the reduced model in this language.", "LANGUAGE", default=""),
    option("--out", "Folder of the exported files.", "FOLDER", default="."),
)  # fmt: skip
def reduce(
    mechanism: Mechanism,
    at: dict[str, float] | None,
    goals: tuple[str, ...],
    duration: float,
    interactive: bool,
    lang: str,
    **options: Any,
) -> Printout:
    """Find the terms of the equations of the robot MODEL that matter little, and drop them.

    The result counts the operations before and after and measures the largest error of each force.
    With `--interactive` the table of terms is printed: type the numbers of those to drop, and the
    new error and count follow; Enter ends.

    Example: `torseur reduce puma560.yaml --to "q1=60 deg" --to "q3=50 deg" --duration 1`

    Example: `torseur reduce puma560.yaml --to "q2=1" --duration 1 --frozen q4 --frozen q5`
    """
    from torseur.controllers.controller import known_model
    from torseur.robotics.joint_paths import quintic
    from torseur.robotics.term_sizes import term_sizes

    start = {**known_model(mechanism, None).initial_pose, **(at or {})}
    goal = {**start, **state(mechanism, "--to", goals)}
    task = quintic({x: [start[x], goal[x]] for x in start}, [0.0, duration])
    chosen = [_term(x) for x in options["chosen"]]
    if interactive:
        chosen = _chosen_in_turn(
            mechanism, task, term_sizes(mechanism, task), chosen, options, lang
        )
    result = _reduced(mechanism, task, chosen, options)
    if options["export"]:
        result.export(options["export"], Path(options["out"]))
    lines = [*str(said(str(result), lang)).split("\n"), *_dropped(result)]
    return Printout(lambda: {"name": mechanism.name} | result.document, lines)


def _reduced(
    mechanism: Mechanism, task: Trajectory, chosen: Sequence[tuple[str, str]], options: Any
) -> ReducedModel:
    from torseur.robotics.reduced_model import reduced

    return reduced(
        mechanism,
        task,
        options["tolerance"],
        frozen=options["frozen"],
        velocity_terms=not options["slow"],
        without=tuple(chosen),
    )


def _dropped(result: ReducedModel) -> list[str]:
    """The largest of the terms that are left out."""
    rows = [(f"  {x.equation}", x.term, f"{x.share:.2%}") for x in result.dropped[:_LISTED]]
    return list(text_table(rows)) if rows else []


def _term(text: str) -> tuple[str, str]:
    """The equation and the name of a term."""
    equation, colon, term = text.partition(":")
    if not colon or not term.strip():
        problem = say('"{text}" is not EQUATION: TERM.', text)
        raise ModelError("--drop", problem, 'For instance: --drop "q1: q2. q3."')
    return equation.strip(), term.strip()


def _chosen_in_turn(
    mechanism: Mechanism, task: Trajectory, sizes: TermSizes, chosen: list[tuple[str, str]],
    options: Any, lang: str,
) -> list[tuple[str, str]]:  # fmt: skip
    """Terms chosen by their numbers in the table; the error is printed after each choice."""
    terms = sorted(sizes, key=lambda x: x.share)[:_LISTED]
    colon = exercise_words(lang)["colon"]
    rows = [(f"{k}", x.equation, x.term, f"{x.share:.2%}") for k, x in enumerate(terms, 1)]
    click.echo("\n".join(text_table(rows)))
    while True:
        question = said(say("Numbers of the terms to drop (Enter to end)"), lang)
        typed = click.prompt(question, default="", show_default=False, prompt_suffix=colon)
        numbers = typed.replace(",", " ").split()
        if not numbers:
            return chosen
        wrong = [x for x in numbers if not x.isdigit() or not 0 < int(x) <= len(terms)]
        if wrong:
            problem = say(
                '"{number}" is no number of the table: 1 to {most}.', wrong[0], len(terms)
            )
            click.echo(said(problem, lang))
            continue
        latest = [(terms[int(x) - 1].equation, terms[int(x) - 1].term) for x in numbers]
        chosen = list(dict.fromkeys([*chosen, *latest]))
        click.echo(said(str(_reduced(mechanism, task, chosen, options)), lang))
