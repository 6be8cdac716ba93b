"""`torseur grade`: the answers of a class, marked from a table."""

from pathlib import Path

import rich_click as click

from torseur.cli.frame.command import Printout, command
from torseur.cli.frame.options import option, out


@command(
    "grade",
    click.argument("answers"),
    option("--exercise", "Exercise of all answers: a name of the collection or a YAML file. "
           "Default: the column `exercise`.", "NAME", default=""),
    out(".csv", help="Write the table of grades.", metavar="FILE"),
)  # fmt: skip
def grade(answers: str, exercise: str, out: Path | None, lang: str) -> Printout:
    """Mark the ANSWERS of a class: a CSV table with a row for each student.

    The columns are `student`, `exercise` and the names of the questions; or `student`, `exercise`,
    `question` and `answer`, with a row for each answer. The separator is a semicolon, a tab or a
    comma. The result is a table of points and marks, with the lessons that the class needs most.

    Example: `torseur grade answers.csv --exercise mine.yaml -o grades.csv`
    """
    from torseur.teach.exercises.class_grades import grade as graded

    result = graded(answers, exercise)
    if out is not None:
        result.to_csv(out)
    return Printout(lambda: result.document, lambda: result.text(lang))
