"""Exercises of one's own: read with the line of each error, asked, printed and graded."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.cli.commands import commands
from torseur.errors import ModelError
from torseur.teach.exercises.verification import verified
from torseur.teach.exercises.written_numbers import spoken_number

SWING = Path(__file__).parent / "own" / "swing.yaml"


@pytest.fixture
def swing():
    return ts.exercises.load(SWING)


def run(*line):
    return CliRunner().invoke(commands, [*map(str, line), "--lang", "en"])


def test_an_exercise_of_a_file_has_its_texts_figure_hints_lessons_and_marks(swing):
    assert swing.title.said("fr") == "Une balançoire"
    assert swing.figure == "scheme"
    assert swing.points == 7
    assert [x.answer for x in swing.questions["1"].wrong_answers][1] == "m*l^2*theta.^2"
    assert swing.questions["1"].hints[0].said("en") == "V(M) = l theta."
    assert verified(swing).right


def test_a_stated_wrong_answer_gets_its_lesson_in_any_form(swing):
    """m l θ̇²/2 is written in other ways; 3.92 rad/s with a decimal comma."""
    for answer in ("m*l*theta.^2/2", "½ m l θ̇²", r"T = \frac{m l}{2}\dot\theta^2"):
        reply = ts.exercises.check(swing, "1", answer)
        assert not reply.right
        assert "to be squared" in reply.text("en")
        assert "au carré" in reply.text("fr")
        assert "stated" in reply.lessons
    assert "its square" in ts.exercises.check(swing, "3", "3,92 rad/s").text("en")
    assert "stated" not in ts.exercises.check(swing, "3", "2.5 rad/s").lessons


def test_stated_answers_that_the_model_does_not_give_are_reported(swing, tmp_path):
    text = SWING.read_text(encoding="utf-8")
    text = text.replace("answer: 1,98", "answer: 2,98").replace(
        "- m*l^2*theta.^2\n", "- m*l^2*theta.^2/2\n"
    )
    (tmp_path / "swing.yaml").write_text(text, encoding="utf-8")
    result = verified(ts.exercises.load(tmp_path / "swing.yaml"))
    assert len(result.problems) == 2
    assert "swing.yaml:15" in str(result) and "is right" in str(result)
    assert "swing.yaml:30" in str(result) and "1.98" in str(result)
    assert run("exercise", tmp_path / "swing.yaml", "--check").exit_code == 1
    assert run("exercise", SWING, "--check").exit_code == 0


WRONG = [  # what is written instead, the line, the message and its fix
    ("figure: scheme", "figure: scheem", 6, "scheem", "Figures: scheme, picture"),
    ("mass: m,", "mas: m,", 10, 'unknown entry "mas"', 'Did you mean "mass"?'),
    ("type: pivot", "type: pivto", 11, "pivto", 'Did you mean "pivot"?'),
    ("    formula: T\n", "    formla: T\n", 17, "formla", 'Did you mean "formula"?'),
    ("    points: 2\n", "    points: -2\n", 23, "positive", "Example: points: 2"),
    ("goals: kinetic energy", "goals: energy", 24, '"energy"', "Known learning goals"),
    ("statement:\n", "statment:\n", 3, "statment", 'Did you mean "statement"?'),
    ("en: A swing", "it: A swing", 1, '"it"', "Known languages"),
    ("    torseur: O\n", "", 36, "none of formula", "For instance"),
]


@pytest.mark.parametrize(("before", "after", "line", "problem", "fix"), WRONG)
def test_an_error_of_a_file_is_reported_with_its_line_and_a_fix(
    tmp_path, before, after, line, problem, fix
):
    text = SWING.read_text(encoding="utf-8")
    assert before in text
    (tmp_path / "mine.yaml").write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(ModelError) as raised:
        ts.exercises.load(tmp_path / "mine.yaml")
    said = str(raised.value)
    assert f"mine.yaml:{line}" in said, said
    assert problem in said
    assert fix in said


def test_all_errors_are_reported_together(tmp_path):
    text = SWING.read_text(encoding="utf-8")
    for before, after, *_ in WRONG[:4]:
        text = text.replace(before, after, 1)
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError) as raised:
        ts.exercises.load(tmp_path / "mine.yaml")
    assert len(raised.value.faults) >= 4


def test_a_model_of_an_exercise_may_be_a_file_beside_it(tmp_path):
    (tmp_path / "model.yaml").write_text(ts.load("simple_pendulum").yaml(), encoding="utf-8")
    (tmp_path / "own.yaml").write_text(
        "title: Own\nstatement: A pendulum.\nmodel: model.yaml\n"
        "questions: {1: {ask: How free is it?, number: {of: mobility}, answer: 1}}\n",
        encoding="utf-8",
    )
    assert ts.exercises.check(ts.exercises.load(tmp_path / "own.yaml"), "1", "1").right


def test_a_folder_of_exercises_is_listed_and_models_are_left_out(tmp_path):
    (tmp_path / "a.yaml").write_text(SWING.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "model.yaml").write_text(ts.load("simple_pendulum").yaml(), encoding="utf-8")
    assert list(ts.exercises.folder(tmp_path)) == ["a"]
    outcome = run("exercise", tmp_path)
    assert outcome.exit_code == 0
    assert outcome.output.strip() == "a  A swing (Test of 12 May)"


@pytest.mark.parametrize("ending", [".html", ".tex"])
def test_a_handout_has_no_answer_and_a_corrige_has_answers_hints_and_lessons(tmp_path, ending):
    plain, solved = tmp_path / f"plain{ending}", tmp_path / f"solved{ending}"
    ts.exercises.handout(SWING, plain, lang="fr")
    assert run("exercise", SWING, "--solution", "-o", solved).exit_code == 0
    handed, corrected = (x.read_text(encoding="utf-8") for x in (plain, solved))
    assert "Une balançoire" in handed and "A swing" in corrected
    assert "rad/s" in corrected.split("1.98")[-1][:12] and "1.98" not in handed
    assert "to be squared" in corrected and "au carré" not in handed
    assert ("tikzpicture" if ending == ".tex" else "data:image/svg") in handed
    formula = r"\frac{m\,l^{2}\,\dot{\theta}^{2}}{2}" if ending == ".tex" else "<mfrac>"
    assert formula in corrected


def test_a_handout_as_pdf_is_a_pdf(tmp_path):
    pytest.importorskip("typst")
    path = ts.exercises.handout("compound_pendulum", tmp_path / "x.pdf", solutions=True)
    assert path.read_bytes().startswith(b"%PDF")


# --- grades of a class ----------------------------------------------------------------------------

ROWS = [
    ["Ada", "-m*l^2*theta.^2/-2", "-l*theta.. = g*sin(theta)", "1,98 rad/s", "X, Y, Z, L, M, 0"],
    ["Bob", "m*l^2*theta.^2", "theta.. + g/l*theta = 0", "3,92 rad/s", ""],
    ["Cy", "E_c = ½ m v", "m l² θ̈ + m g l sin θ = 0", "1.98", "X Y Z L M N"],
]
MARKS = {"Ada": 20.0, "Bob": 0.0, "Cy": 20 * 3.75 / 7}  # a unit forgotten costs a quarter


def table(path, separator, head=("student", "1", "2", "3", "4"), rows=ROWS):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=separator).writerows([head, *rows])
    return path


@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_a_class_is_graded_from_a_table(tmp_path, separator):
    result = ts.exercises.grade(table(tmp_path / "answers.csv", separator), SWING)
    assert {x["student"]: x["mark"] for x in result.students} == pytest.approx(MARKS, abs=0.01)
    assert result.lessons["half"] == 1
    assert result.lessons["small angle"] == 1
    assert result.questions["swing 2"]["right"] == 2
    written = result.to_csv(tmp_path / "grades.csv").read_text(encoding="utf-8").splitlines()
    assert written[0] == "student,exercise,1,2,3,4,mark/20,codes"
    assert written[1] == "Ada,swing,2,3,1,1,20,"


def test_the_class_sees_the_lessons_that_the_exercise_states(tmp_path):
    """The wrong answer of question 1 that the file knows: its own words stand under the table."""
    question = ts.exercises.load(SWING).questions["1"]
    wrong = next(x for x in question.wrong_answers if x.lesson is not None)
    rows = [["Dan", wrong.answer, "", "", ""], ["Eva", wrong.answer, "", "", ""]]
    result = ts.exercises.grade(table(tmp_path / "answers.csv", ";", rows=rows), SWING)
    for lang in ("en", "fr"):
        assert f"2 × {wrong.lesson.said(lang)}" in result.text(lang)


def test_answers_may_stand_in_rows_and_heads_be_french(tmp_path):
    rows = [["Ada", "swing.yaml", str(k), x] for k, x in enumerate(ROWS[0][1:], 1)]
    (tmp_path / "swing.yaml").write_text(SWING.read_text(encoding="utf-8"), encoding="utf-8")
    heads = ("élève", "exercice", "question", "réponse")
    result = ts.exercises.grade(table(tmp_path / "answers.csv", ";", heads, rows))
    assert result.students[0]["mark"] == 20.0


def test_the_command_prints_a_table_or_json_and_writes_csv(tmp_path):
    answers = table(tmp_path / "answers.csv", ";")
    outcome = run("grade", answers, "--exercise", SWING, "-o", tmp_path / "grades.csv")
    assert outcome.exit_code == 0, outcome.output
    assert outcome.output.splitlines()[1].split() == ["student", "1", "2", "3", "4", "mark/20"]
    assert (tmp_path / "grades.csv").exists()
    document = json.loads(run("grade", answers, "--exercise", SWING, "--json").output)
    assert [x["student"] for x in document["students"]] == ["Ada", "Bob", "Cy"]


@pytest.mark.parametrize(
    ("head", "rows", "line", "problem"),
    [
        (("student", "1", "9"), [["Ada", "m", "m"]], 2, 'question "9" does not exist'),
        (("1", "2"), [["m", "m"]], 1, 'the column "student" is missing'),
        (("student", "1"), [["Ada", "m", "x"]], 2, "3 cells"),
        (("student", "1"), [], 0, "rows of answers"),
    ],
)
def test_an_error_of_a_table_is_reported_with_its_line(tmp_path, head, rows, line, problem):
    path = table(tmp_path / "answers.csv", ";", head, rows)
    with pytest.raises(ModelError) as raised:
        ts.exercises.grade(path, SWING)
    assert problem in str(raised.value)
    assert f"answers.csv:{line}" in str(raised.value) or not line


def test_an_unknown_exercise_of_a_table_is_reported_with_its_line(tmp_path):
    path = table(tmp_path / "answers.csv", ";", ("student", "exercise", "1"), [["Ada", "x", "m"]])
    with pytest.raises(ModelError, match=r"answers.csv:2.*exercise \"x\" does not exist"):
        ts.exercises.grade(path)


def test_numbers_of_a_sheet_are_written_as_a_teacher_does():
    """9,81 m/s² and 1,98 rad/s in French; 9.81 m/s² in English."""
    assert spoken_number(9.81, "m/s^2", "fr") == "9,81 m/s²"
    assert spoken_number(0.6, "kg.m^2", "en") == "0.6 kg·m²"
    assert spoken_number(1.98091, "rad/s", "fr", 3) == "1,98 rad/s"
