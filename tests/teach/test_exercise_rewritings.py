"""Stated answers of the bank are right however they are rewritten, in every notation."""

import numpy as np
import pytest
from formula_rewritings import STYLES, add, as_equation, neg, rewritten, written

import torseur as ts
from torseur.teach.answers.answer import what_is_asked
from torseur.teach.answers.vocabulary import Vocabulary
from torseur.teach.exercises.cases import case
from torseur.teach.exercises.exercise_entries import FormulaTask
from torseur.teach.exercises.expressions import asked_expression
from torseur.teach.formula.parser import parse_formula
from torseur.teach.formula.tokens import sides

LONGEST = 1200  # characters of a formula


def formulas():
    """Questions whose answer is one scalar formula without definitions beside it."""
    for name in ts.exercises.names():
        for question in ts.exercises.load(name).questions.values():
            if isinstance(question.task, FormulaTask) and "," not in question.answer:
                yield name, question.name


def asked(question):
    task = question.task
    model = case(question.model).right(True, task.coordinates)
    if isinstance(task.of, str):
        return model, what_is_asked(model, question.answer, task.of, task.axes)[0]
    return model, asked_expression(model, task.of)


def tree_of(question, model, wanted):
    """The stated answer: left − right of an equation, the right side of a quantity."""
    names = Vocabulary(model).names()
    pair = sides(question.answer)
    text = question.answer if wanted.equation or pair is None else pair[1]
    tree, _ = parse_formula(text, names)
    if tree.kind != "equal":
        return tree
    left, right = tree.args
    return add(left, neg(right))


@pytest.mark.sampled(30)
@pytest.mark.parametrize(("name", "question"), [*formulas()])
def test_a_stated_answer_is_right_however_it_is_written(name, question):
    exercise = ts.exercises.load(name)
    stated = exercise.questions[question]
    model, wanted = asked(stated)
    if wanted.order:
        pytest.skip("a sum of vectors")
    tree = tree_of(stated, model, wanted)
    rng = np.random.default_rng([len(name), len(question), len(stated.answer)])
    for style in rng.choice(STYLES, 2, replace=False):
        text = " " * LONGEST
        while len(text) >= LONGEST:
            form = rewritten(tree, rng, int(rng.integers(1, 6)))
            text = written(as_equation(form, rng, []) if wanted.equation else form, str(style))
        reply = ts.exercises.check(exercise, question, text)
        assert reply.right, f"{text}\n{reply}"
