"""The bank of exercises: stated answers are the computed ones, wrong ones are refused."""

import re

import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.cli.commands import commands
from torseur.teach.exercises.answer_checking import question_of
from torseur.teach.exercises.cases import case, data, hints
from torseur.teach.exercises.exercise_entries import (
    GOALS,
    ChoiceTask,
    FormulaTask,
    NumberTask,
    TorseurTask,
)
from torseur.teach.exercises.exercise_quantities import computed
from torseur.teach.exercises.exercise_reading import read
from torseur.words.en.plural import plural

NAMES = ts.exercises.names()
LONG = {"rolling_ball", "free_body", "slider_crank"}  # six coordinates, quaternions, 30 s of motion

# question → the number that the catalogue of problems gives
PUBLISHED = {
    ("cylinder_treatments", "7"): (0.171647833, 1e-8),
    ("cylinder_treatments", "8"): (-2.236811737, 1e-9),
    ("double_pendulum", "5"): (-1.68641715258, 1e-8),
    ("double_pendulum", "6"): (0.61572, 1e-4),  # chaotic: five figures are printed
    ("heavy_top", "4"): (0.0049683, 1e-4),
    ("propeller", "II.6a"): (3665.19, 1e-6),
    ("propeller", "II.6b"): (25.0, 1e-12),
    ("speed_governor", "2"): (22, 0),
    ("earth", "3"): (-9.81, 1e-3),  # three figures are printed
    ("cylinder_treatments", "7b"): (0.949389446, 1e-8),
    ("double_pendulum", "7"): (-2.50414138042, 1e-6),
    ("satellite", "III.2"): (3**0.5, 1e-3),  # leading order in a/r, which is 0.02
    ("earth", "2"): (2 * 3.14159265 / (365.25 * 86400), 2e-3),  # the mass of the Sun has one figure
}

PROBLEMS = (  # of the five sources
    "L-Wheel L-Contact L-Ball L-VW L-Pend L-Cyl1 L-Cyl2 L-Cyl3 L-Cyl4 L-Cyl5 L-Free L-EllL "
    "L-EllK L-KKT L-Chr L-NE L-Mam L-Max L-Con R-Desc R-V R-Q R-A R-BC R-Aug R-Uick R-Red G-Cyl "
    "G-Roll G-PenN G-PenP G-PenL G-TD4 G-Ex0 G-Moto G-Abs G-TD2 G-Form N-Gen N-Top N-SC1 N-SC2 "
    "P-Ex1.1 P-Ex1.2 P-Ex1.3 P-Rot P-Ex2.1 P-Ex2.2 P-Ex2.3 P-Ex2.4 P-Earth P-Pb3.1 P-Ex3.1 "
    "P-3.4 P-Pb3.2 P-Pb3.3 P-Joint P-Coul P-Spr P-4.3 P-4.4 P-Ex4.1 P-Ex4.2 P-TPA P-Ex4.3 "
    "P-Ex4.4 P-Ex4.5 P-Ex4.6 P-Pb4.1 P-Pb4.2 P-Ex5.1 P-Pai"
)


def answered(question):
    """The stated answer, as a student would give it."""
    task = question.task
    unit = f" {task.unit}" if isinstance(task, NumberTask) and task.unit else ""
    return question.answer + unit


def refused(question):
    """An answer that is not right."""
    task = question.task
    if isinstance(task, FormulaTask):
        return question.wrong
    if isinstance(task, NumberTask):
        value = float(question.answer)
        return f"{value * 1.1 + (0.1 if value >= 0 else -0.1):g} {task.unit}".strip()
    if isinstance(task, ChoiceTask):
        return next(key for key in task.options if key != question.answer)
    return "X, Y, Z, L, M, N"


def pairs(*, long):
    return [name for name in NAMES if (name in LONG) == long]


def right_and_wrong(name):
    found = ts.exercises.load(name)
    for question in found.questions.values():
        reply = ts.exercises.check(found, question.name, answered(question))
        assert reply.right and not reply.codes, f"{name} {question.name}: {reply}"
        if isinstance(question.task, NumberTask) and (name, question.name) not in PUBLISHED:
            found_value = float(ts.exercises.solution(found, question.name).split()[0])
            assert found_value == pytest.approx(float(question.answer), rel=2e-5, abs=1e-9)
        wrong = ts.exercises.check(found, question.name, refused(question))
        assert not wrong.right, f"{name} {question.name}: {refused(question)}"
        assert wrong.text("fr") != wrong.text()
        assert ts.exercises.solution(found, question.name)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", pairs(long=False))
def test_stated_answers_are_the_computed_ones_and_wrong_ones_are_refused(name):
    right_and_wrong(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", pairs(long=True))
def test_so_are_those_that_take_longer_to_compute(name):
    right_and_wrong(name)


@pytest.mark.parametrize(("name", "question"), PUBLISHED)
def test_computed_numbers_are_those_of_the_sources(name, question):
    asked = question_of(ts.exercises.load(name), question)
    wanted, tolerance = PUBLISHED[name, question]
    found = computed(case(asked.model), asked.task.computed)
    assert found == pytest.approx(wanted, rel=tolerance, abs=0)


def test_the_bank_holds_the_problems_of_the_sources_in_both_languages():
    bank = [ts.exercises.load(name) for name in NAMES]
    assert {problem for x in bank for problem in x.problems} == set(PROBLEMS.split())
    for x in bank:
        assert len(x.questions) >= 2, x.name
        texts = [x.title, x.source, x.statement, *(q.text for q in x.questions.values())]
        texts += [hint for q in x.questions.values() for hint in q.hints]
        assert all(text.said("en") and text.said("fr") for text in texts)
        assert all("fr" in text.texts for text in texts if text is not x.source)
        assert x.text("fr") != x.text()
        assert not re.search(r"\b(and|to|of|exercise|problem|exam|appendix)\b", x.source.said("fr"))
        assert all(q.goals for q in x.questions.values()), x.name
    kinds = {type(q.task) for x in bank for q in x.questions.values()}
    assert kinds == {FormulaTask, NumberTask, ChoiceTask, TorseurTask}


def test_every_learning_goal_is_asked_somewhere_and_told_in_both_languages():
    asked = {goal for name in NAMES for goal in ts.exercises.load(name).goals}
    assert asked == set(GOALS)
    assert set(ts.exercises.goals()) == set(ts.exercises.goals("fr")) == set(GOALS)


def test_the_five_treatments_of_the_cylinder_are_compared_question_by_question():
    """Each treatment has its own model, from one coordinate to dry friction."""
    found = ts.exercises.load("cylinder_treatments")
    models = dict.fromkeys(question.model for question in found.questions.values())
    assert list(models) == [
        "cylinder_holonomic",
        "cylinder_unknown_force",
        "cylinder_multiplier",
        "cylinder_contact",
        "cylinder_sliding",
    ]
    sheet = ts.exercises.marks(found, {x.name: answered(x) for x in found.questions.values()})
    assert sheet.mark == 20


# --- marks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("exercise", "question", "answer", "code", "right"),
    [
        ("compound_pendulum", "1", "C*theta.. + m*g*a*sin(theta)", "DR", True),
        ("compound_pendulum", "1", "C*theta.. + m*g*a*sin(theta = 0", "SE", False),
        ("compound_pendulum", "1", "C*theta.. + m*zeta*a*sin(theta) = 0", "KK", False),
        ("compound_pendulum", "1", "C*theta.. = C*theta..", "EL", False),
        ("compound_pendulum", "2", "X, Y, Z, L, M", "INHT", False),
        ("compound_pendulum", "2", "X, Y, Z, L, M, W", "KK", False),
        ("compound_pendulum", "2", "X, Z, Y, L, M, 0", "N", False),
        ("driven_cylinder", "2", "T = C*theta.", "INHD", False),
        ("driven_cylinder", "3", "0.25 kg", "INHD", False),
        ("driven_cylinder", "3", "0.25 zorg", "KK", False),
        ("driven_cylinder", "3", "(1, 2)", "INHT", False),
        ("driven_cylinder", "3", "?+", "SE", False),
        ("motorcycle", "I.1a", "perhaps", "HS", False),
        ("spherical_pendulum", "1", "-m*g*a*cos(theta)", "HS", False),
        ("spherical_pendulum", "3", r"E_p = m g \overrightarrow{OM}", "INHT", False),
        ("spherical_pendulum", "3", "W = -m*g*a*cos(theta)", "N", True),
        ("inertia_tensors", "1", "B = m*(b^2 + c^2)/3", "N", True),
        ("spherical_pendulum", "1", "E_p = m*a^2*(theta.^2 + sin(theta)^2*phi.^2)/2", "T", True),
    ],
)
def test_answers_get_the_marks_of_annex_b(exercise, question, answer, code, right):
    reply = ts.exercises.check(ts.exercises.load(exercise), question, answer)
    assert code in reply.codes, str(reply)
    assert reply.right == right
    assert reply.text("fr") != reply.text()


def test_a_number_may_have_any_unit_of_its_dimension_and_a_decimal_comma():
    found = ts.exercises.load("ball_governor")
    value = float(question_of(found, "1").answer)
    for text in (
        f"{value} deg",
        f"{value:.4f} °".replace(".", ","),
        f"{value * 3.14159265 / 180} rad",
    ):
        assert ts.exercises.check(found, "1", text).right, text
    bare = ts.exercises.check(ts.exercises.load("driven_cylinder"), "3", "0.0293")
    assert "DR" in bare.codes


@pytest.mark.parametrize(
    ("exercise", "question", "answer", "right"),
    [
        ("rotating_arm", "5", "lam = 0,336 m", True),
        ("rotating_arm", "5", "lam = k*l0/… ≈ 3,36·10⁻¹ m", True),
        ("rotating_arm", "5", r"3{,}36 \times 10^{-1}\,\mathrm{m}", True),
        ("rotating_arm", "5", "3.36·10^1 m", False),
        ("satellite", "III.2", "√3 rad/s", True),
        ("satellite", "III.2", "1.732 1/s", True),
        ("satellite", "III.2", "1.732 Hz", False),  # a hertz is a turn a second
        ("satellite", "III.2", "0.2757 Hz", True),
        ("propeller", "II.6a", "3 665 N m", True),
        ("propeller", "II.6a", "3665 Nm", True),
        ("propeller", "II.6a", "-3665 Nm", False),
        ("earth", "3", "9.81 m/s^2", True),  # a size
        ("earth", "3", "-9.81 m/s^2", True),
        ("propeller", "I.1b", "A < B", True),
        ("propeller", "I.1b", "A > B", False),
        ("motorcycle", "I.1a", "D et E", True),
        ("motorcycle", "I.1a", "2", True),
        ("cylinder_treatments", "4", "oui", True),
        ("cylinder_treatments", "4", "no", False),
        ("unbalanced_rotor", "1", r"X_{P1} Y_{P1} Z_{P1} 0 0 0", True),
    ],
)
def test_numbers_options_and_torseurs_are_read_as_people_write_them(
    exercise, question, answer, right
):
    reply = ts.exercises.check(ts.exercises.load(exercise), question, answer)
    assert reply.right == right and not reply.codes, reply


def test_a_condition_is_the_one_that_is_asked_for():
    """Along x and along y are two conditions of one contact."""
    disc = ts.exercises.load("vertical_disc")
    x, y = (disc.questions[name].answer for name in ("1", "1b"))
    assert ts.exercises.check(disc, "1", x).right and ts.exercises.check(disc, "1b", y).right
    assert not ts.exercises.check(disc, "1", y).right
    assert not ts.exercises.check(disc, "1b", x).right


def test_what_was_to_be_eliminated_is_not_left():
    pendulum = ts.exercises.load("pendulum_three_parameters")
    kept = ts.exercises.check(pendulum, "3", pendulum.questions["2"].answer)
    assert not kept.right and kept.codes == ("HS",)
    assert "X0, Y0" in kept.text("fr")


def test_the_couple_of_the_chain_that_lifts_the_front_wheel_leaves_the_frame_level():
    asked = question_of(ts.exercises.load("motorcycle"), "I.6")
    couple = computed(case(asked.model), asked.task.computed)
    lifted = case({"of": "motorcycle", "parameters": {"Gamma": {"value": couple}}})
    assert lifted.at({})["psi.."][0] == pytest.approx(0, abs=1e-9)


def test_every_question_has_a_hint_and_numbers_have_their_data():
    for name in NAMES:
        for question in ts.exercises.load(name).questions.values():
            told = hints(question)
            assert told and all(x.said("en") and x.said("fr") for x in told), (name, question.name)
    governor = ts.exercises.load("ball_governor").questions["1"]
    assert data(governor, "fr")[0].startswith("Données : m = 0,5 kg ; ms = 0,8 kg")
    start = data(ts.exercises.load("spherical_pendulum").questions["9"], "en")[1]
    assert start == "At the start: theta = 50°, phi. = 3 rad/s."
    assert data(ts.exercises.load("motorcycle").questions["I.3"]) == []  # a count needs none


def test_marks_and_hints_cost_points_and_goals_are_met_by_right_answers():
    found = ts.exercises.load("compound_pendulum")
    answers = {name: question.answer for name, question in found.questions.items()}
    whole = ts.exercises.marks(found, answers)
    assert whole.mark == 20 and all(whole.goals.values()) and not whole.codes
    answers["1"] = "C*theta.. + m*g*a*sin(theta)"  # no "="
    del answers["4"]
    sheet = ts.exercises.marks(found, answers, hinted=["2"])
    assert [sheet.points(name) for name in found.questions] == [0.75, 0.75, 1.0, 0.0]
    assert sheet.mark == pytest.approx(20 * 2.5 / 4)
    assert sheet.codes == {"DR": 1}
    assert sheet.goals["law of the moment"] and not sheet.goals["small motions"]
    assert "[ ] déterminer les petits mouvements" in sheet.text("fr")
    assert sheet.document["mark"] == sheet.mark


def test_a_question_that_does_not_exist_and_an_entry_that_asks_nothing_are_refused():
    with pytest.raises(ts.ModelError, match='question "9" does not exist'):
        ts.exercises.check(ts.exercises.load("compound_pendulum"), "9", "0")
    with pytest.raises(ts.ModelError, match='exercise "pendule" does not exist'):
        ts.exercises.load("pendule")
    told = {"en": "a", "fr": "b"}
    entry = {"title": told, "statement": told, "problems": [], "source": "", "model": "half_disc",
             "questions": {"1": {"ask": told, "answer": "0"}}}  # fmt: skip
    with pytest.raises(ts.ModelError, match="the question has none of"):
        read(entry, "empty")


# --- what if --------------------------------------------------------------------------------------


def test_a_cylindrical_joint_adds_a_spin_that_nothing_couples_to_the_others():
    """Exam II.4: only reactions see it."""
    seen = ts.exercises.what_if("vibration_absorber", joints={"rail": "pivot glissant"})
    assert seen.counts["degree"] == (2, 3)
    assert seen.counts["unknown_count"][0] == seen.counts["unknown_count"][1]
    assert seen.unchanged == ("theta", "lam")
    assert seen.equations == {"rail_angle": (None, "rail_angle.. = 0")}
    assert seen.carried["rail"] == (("X", "0", "Z", "L", "M", "N"), ("X", "0", "Z", "L", "0", "N"))
    assert "L_rail" in seen.reactions


def test_products_of_inertia_change_the_reactions_of_a_plane_motion_only():
    """Exam II.3: the equations of motion stay."""
    seen = ts.exercises.what_if("vibration_absorber", symmetries={"pendulum": []})
    assert seen.zeros["pendulum"] == (("D", "E", "F"), ())
    assert seen.unchanged == ("theta", "lam") and not seen.equations
    assert seen.reactions == ("L_O", "M_O")
    kept = ts.exercises.what_if("vibration_absorber", symmetries={"pendulum": ["plane z"]})
    assert kept.zeros["pendulum"][1] == ("D", "E")
    assert not kept.reactions


def test_a_ball_joint_takes_overconstraint_away():
    seen = ts.exercises.what_if("slider_crank", joints={"B": "rotule"})
    assert seen.counts["overconstraint"] == (3, 1)
    assert "hyperstatisme h : 3 → 1" in seen.text("fr")
    assert "rotule" in seen.text("fr") and "pivot" in seen.text("fr")
    assert "hinge" not in seen.text("fr")  # which is another English name


def test_a_motor_is_left_out_where_its_joint_gets_more_freedoms_and_this_is_told():
    """An arm of six pivots has mobility 6; one that slides too has 7, and no motor for both."""
    seen = ts.exercises.what_if("stanford_arm", joints={"J6": "cylindrical"})
    assert seen.counts["degree"] == (6, 7)
    assert any("motor M6 is left out" in change.said("en") for change in seen.changes)
    assert any("le moteur M6 est retiré" in change.said("fr") for change in seen.changes)
    kept = ts.exercises.what_if("stanford_arm", joints={"J6": "prismatic"})
    assert not any("left out" in change.said("en") for change in kept.changes)


def test_a_change_of_nothing_or_of_what_is_not_there_is_refused():
    with pytest.raises(ts.ModelError, match="no change is given"):
        ts.exercises.what_if("slider_crank")
    with pytest.raises(ts.ModelError, match='joint "Z" does not exist'):
        ts.exercises.what_if("slider_crank", joints={"Z": "rotule"})
    with pytest.raises(ts.ModelError, match="moment of inertia of zero"):
        ts.exercises.what_if("slider_crank", symmetries={"rod": []})


# --- the command ----------------------------------------------------------------------------------


def told(*arguments, given=None):
    return CliRunner().invoke(commands, ["exercise", *arguments], input=given)


def test_the_command_alone_lists_the_bank():
    listed = told("--lang", "fr")
    assert listed.exit_code == 0
    assert len(listed.output.splitlines()) == len(NAMES)
    assert "Un cylindre sur une pente" in listed.output


def test_questions_are_asked_hinted_and_marked():
    lines = "?\nC*theta.. + m*g*a*sin(theta) = 0\nX Y Z L M N\nX Y Z L M 0\n!\n\n"
    asked = told("compound_pendulum", given=lines)
    assert asked.exit_code == 0, asked.output
    assert "Hint: Project the law of the moment at O on z." in asked.output
    assert "allows that motion, so it does not transmit N" in asked.output
    assert "Answer: R(O) = " in asked.output
    assert "Mark: 8.75/20" in asked.output
    assert "[x] describe perfect joints" in asked.output


def test_answers_may_be_given_beforehand_and_the_exit_code_tells_whether_they_are_right():
    given = ("--answer", "1=C*theta.. + m*g*a*sin(theta) = 0")
    assert told("compound_pendulum", *given).exit_code == 0
    wrong = told("compound_pendulum", *given, "--answer", "2=X Y Z L M N", "--lang", "fr")
    assert wrong.exit_code == 1
    assert "Note : 5/20" in wrong.output
    assert '"mark": 5.0' in told("compound_pendulum", *given, "--json").output


def test_hints_solutions_goals_and_changes_are_shown():
    shown = told("vibration_absorber", "--hint", "--solution")
    assert (
        "Answer: C2*phi.. = 0" in shown.output and "Hint: phi does not appear in L" in shown.output
    )
    assert "[ ] find equilibria and their stability" in told("--goals").output
    changed = told("vibration_absorber", "--what-if", "rail=pivot glissant", "--lang", "fr")
    assert "mobilité m : 2 → 3" in changed.output
    bodily = told("vibration_absorber", "--what-if", "pendulum=none")
    assert "Reactions that change: L_O, M_O" in bodily.output


def test_a_change_is_told_by_the_names_of_joints_in_each_language():
    seen = ts.exercises.what_if("slider_crank", joints={"B": "spherical"})
    assert "B is spherical instead of revolute" in seen.text("en")
    assert "B est rotule au lieu de pivot" in seen.text("fr")


def test_new_equations_of_a_change_are_lines_of_a_book():
    """A pendulum on a ball joint: Euler's equations in body rates, not in four parameters each."""
    seen = ts.exercises.what_if("compound_pendulum", joints={"O": "rotule"})
    _, line = seen.equations["O_wz"]
    assert line is not None and line.startswith("C*O_wz. = ")
    assert len(line) < 100


def test_a_pulsation_is_as_good_as_its_square():
    pendulum = ts.exercises.load("compound_pendulum")
    for given in ("omega = sqrt(m*g*a/C)", "ω₀ = sqrt(m*g*a/C)", r"\omega_0 = \sqrt{mga/C}"):
        assert ts.exercises.check(pendulum, "4", given).right, given
    assert not ts.exercises.check(pendulum, "4", "omega = sqrt(g/a)").right


def test_several_axes_are_axes_and_ways_of_impacts_are_ways():
    assert plural("resolution of multipliers") == "resolutions of multipliers"
    assert plural("body") == "bodies"
    with pytest.raises(ts.ModelError, match="Known axes: x, y, z"):
        ts.exercises.what_if("heavy_top", symmetries={"top": ["plane q"]})


def test_where_the_input_ends_what_was_answered_is_marked():
    """A question without a hint of its own has the general one of what it asks for."""
    asked = told("cartesian_pendulum", "--lang", "fr", given="?\nm*y.. + m*g = lambda*y\n")
    assert asked.exit_code == 0, asked.output
    assert "Entrée pour continuer) : " in asked.output
    assert "Indice : Lagrange : " in asked.output and "indice lu" in asked.output
    assert "  1    0.75/1  juste, indice lu\n" in asked.output and "sans réponse" in asked.output


def test_an_answer_without_a_question_is_told_by_an_example_of_answers():
    refused = told("compound_pendulum", "--answer", "nonsense")
    assert '--answer "2=X Y Z L M 0"' in str(refused.exception)
