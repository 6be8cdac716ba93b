"""Modelica text, read by a small evaluator: no tool of Modelica runs in these tests.

Equations of Modelica are relations, so the states of a motion of Torseur must satisfy them.
"""

import math
import re

import numpy as np
import pytest

import torseur as ts

FUNCTIONS = {
    name: getattr(math, name)
    for name in (
        *("sin", "cos", "tan", "asin", "acos", "atan", "atan2"),
        *("exp", "log", "sinh", "cosh", "tanh", "sqrt"),
    )
} | {"abs": abs, "sign": np.sign}
CHOICE = re.compile(r"\(if ([^()]*(?:\([^()]*\)[^()]*)*) then (.*?) else (.*?)\)")
DECLARED = re.compile(
    r"(?P<kind>(?:final )?(?:parameter|input|output)? ?)Real (?P<name>\w+)"
    r"(?:\((?P<inside>[^)]*)\))?"
    r'(?: = (?P<value>[^"]*))?(?: "(?P<meaning>[^"]*)")?$'
)  # fmt: skip


def python(text):
    """An expression in Python."""
    while CHOICE.search(text):
        text = CHOICE.sub(r"(\2 if \1 else \3)", text)
    return compile(text.strip().replace("^", "**"), "", "eval")


class Text:
    """Declarations and equations of a model of Modelica."""

    def __init__(self, text):
        head, _, tail = text.partition("\nequation\n")
        self.name = re.match(r"model (\w+)", head)[1]
        assert tail.strip().endswith(f"end {self.name};")
        lines = head.split("\n")[2:]
        statements = [" ".join(x.split()) for x in "\n".join(lines).split(";\n")]
        self.declared = {}
        for statement in (x.rstrip(";") for x in statements if x):
            found = DECLARED.match(statement)
            assert found, statement
            assert found["name"] not in self.declared
            self.declared[found["name"]] = found
        equations = tail.rsplit("end ", 1)[0].split(";\n")
        pairs = [" ".join(x.split()).split(" = ", 1) for x in equations if x.strip()]
        self.rates = {x[4:-1]: y for x, y in pairs if x.startswith("der(")}
        self.zeros = [python(y) for x, y in pairs if x == "0.0"]
        self.steps = [(x, python(y)) for x, y in pairs if x in self.declared]
        used = set(re.findall(r"[A-Za-z_]\w*", tail)) - {*FUNCTIONS, "der", "time", "if", "then",
                                                         "else", "end", self.name}  # fmt: skip
        assert not {x for x in used if x not in self.declared and not re.fullmatch(r"e\d*", x)}

    def identifier(self, meaning):
        return next(n for n, x in self.declared.items() if x["meaning"] == meaning)

    def unknowns(self):
        return len(self.rates) + len([n for n in self.declared if n.startswith("lambda_")])

    def values(self, known):
        """All values at given states, accelerations, multipliers, inputs and time."""
        values = {**FUNCTIONS, **known}
        for name, x in self.declared.items():
            if "parameter" in x["kind"]:
                values[name] = eval(python(x["value"]), values)
        for name, code in self.steps:
            values[name] = eval(code, values)
        return values

    def residuals(self, known):
        values = self.values(known)
        return np.array([eval(x, values) for x in self.zeros])


def text_of(mechanism, folder, **options):
    (path,) = ts.export(mechanism, "modelica", None, folder, **options)
    return Text(path.read_text(encoding="utf-8"))


CASES = ("double_pendulum", "slider_crank", "five_bar", "ball_governor", "rolling_disc",
         "robot_1980", "free_body", "cartesian_pendulum")  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_motion_satisfies_the_equations(name, tmp_path):
    mechanism = ts.load(name)
    text = text_of(mechanism, tmp_path)
    run = ts.simulate(mechanism, 0.4, rate=10, rtol=1e-12)
    lam = [n for n in text.declared if n.startswith("lambda_")]
    q = {x: text.identifier(f"coordinate {x}") for x in mechanism.coordinates}
    v = {x: text.identifier(f"speed {x}") for x in mechanism.speeds}
    inputs = {n: 0.0 for n, x in text.declared.items() if x["kind"].startswith("input")}
    for k, t in enumerate(run.t):
        known = {i: float(run[x][k]) for x, i in {**q, **v}.items()} | inputs | {"time": float(t)}
        for x, i in v.items():
            known[text.rates[i]] = float(run[f"{x}."][k])
        zero = {**known, **dict.fromkeys(lam, 0.0)}
        free = text.residuals(zero)
        by = np.array([text.residuals({**zero, n: 1.0}) - free for n in lam]).T
        force = np.linalg.lstsq(by, -free, rcond=None)[0] if lam else np.zeros(0)
        rest = free + by @ force if lam else free
        size = max(1.0, np.abs(free).max())
        assert np.abs(rest).max() < 1e-8 * size
        values = text.values({**zero, **dict(zip(lam, force.tolist(), strict=True))})
        for point in mechanism.points:
            place = [values[text.identifier(f"point {point} along {axis}")] for axis in "xyz"]
            np.testing.assert_allclose(place, run.point(point)[k], atol=1e-10)
        for motion in mechanism.motions:
            found = values[text.identifier(f"force of the motion {motion}")]
            assert found == pytest.approx(run.drive(motion)[k], abs=1e-6)
        if name != "free_body":  # quaternions are not the integrals of speeds
            for x, i in q.items():
                assert eval(python(text.rates[i]), values) == pytest.approx(run[f"{x}."][k])


@pytest.mark.parametrize("name", CASES)
def test_there_are_as_many_equations_as_unknowns(name, tmp_path):
    text = text_of(ts.load(name), tmp_path)
    rates = len(text.rates)
    unknown = [n for n, x in text.declared.items() if x["kind"].strip() in ("", "output")]
    assert len(unknown) == rates + len(text.zeros) + len(text.steps)


def test_loops_leave_as_many_fixed_starts_as_freedoms(tmp_path):
    for name, freedoms in (("slider_crank", 1), ("five_bar", 2), ("double_pendulum", 2)):
        text = text_of(ts.load(name), tmp_path)
        fixed = [n for n, x in text.declared.items() if "fixed=true" in (x["inside"] or "")]
        assert len(fixed) == 2 * freedoms


def test_what_modelica_text_cannot_say_is_refused(tmp_path):
    with pytest.raises(ts.ModelError, match="contacts, stops and dry friction"):
        ts.export(ts.load("bouncing_ball"), "modelica", directory=tmp_path)
