"""Closed chains for MATLAB, and files for Mathematica: their texts, read, give the same numbers."""

import re
from functools import cache
from importlib.resources import files

import numpy as np
import pytest

import torseur as ts
from torseur.export.export import sources

CRANK = str(files("torseur.examples") / "slider_crank.yaml")


@cache
def closed():
    made = ts.load(CRANK)
    start = ts.assemble(made, {"alpha": 0.7, "alpha.": 2.0})
    return made, ts.compile(made), start.q, start.v


def read(text):
    """The assignments of a MATLAB function, entries of matrices row by row."""
    body = text[text.index("\nfunction ") :].split("\n", 2)[2]
    joined = re.sub(r"(?:%.*)| \.\.\.\n\s*", "", body)
    return re.findall(r"(\w+) = (\[[^\]]*\]|[^;\n]*);", joined)


def test_the_function_of_a_closed_chain_solves_the_bordered_system():
    """Listing B.2: A a + C + Q = F + Jᵀ λ, J a + γ = 0, with the accelerations of the model."""
    made, model, q, v = closed()
    texts = sources(made, "matlab", ["forward_dynamics"], name="crank")
    text = texts["crank_fcn.m"]
    assert "function [dx, lambda] = crank_fcn(x, p, F)" in text and "solved = pinv(border)" in text
    # the text, evaluated line by line
    order = re.findall(r"^%   p\((\d+)\)\s+(\S+)", text, re.M)
    p = [made.parameters[name] for _, name in order]
    known = {"q": q, "v": v, "p": np.array(p), "x": np.concatenate([q, v]), "F": np.zeros(len(v)),
             "sin": np.sin, "cos": np.cos}  # fmt: skip
    for left, right in read(text):
        if left in ("border", "solved", "lambda", "dx", "q", "v"):
            continue
        right = re.sub(r"\b([pxqvF])\((\d+)\)", lambda m: f"{m[1]}[{int(m[2]) - 1}]", right)
        if right.startswith("["):
            rows = [row.split(",") for row in right.strip("[]").split(";")]
            value = np.array(
                [[eval(x.strip().replace("^", "**"), known) for x in row] for row in rows]
            )
            known[left.strip()] = value
        else:
            known[left] = eval(right.replace("^", "**"), known)
    A, J = known["A"], known["J"]
    border = np.block([[A, -J.T], [J, np.zeros((len(J), len(J)))]])
    right = np.concatenate([known["F"] - known["C"] - known["Q"], -known["gamma"]]).ravel()
    a = (np.linalg.pinv(border) @ right)[: len(v)]
    np.testing.assert_allclose(a, model.forward_dynamics(q, v, np.zeros(len(v))), rtol=1e-9)


def test_an_open_chain_has_the_function_it_had():
    text = sources(
        ts.load("TX(x), TXK(L1);", masses="full"), "matlab", ["forward_dynamics"], name="arm"
    )
    assert "dx = [dq; A \\ (F - C - Q)];" in text["arm_fcn.m"]


def test_a_file_for_mathematica_gives_the_numbers_of_the_model():
    from sympy.parsing.mathematica import parse_mathematica

    arm = ts.load("RY(q1), TYK(L1), RX(q2), TYK(L2);", masses="lever")
    values = {name: 0.3 + 0.1 * k for k, name in enumerate(arm.parameters)}
    model = ts.compile(arm).with_parameters(**values)
    (text,) = sources(arm, "mathematica", ["inverse_dynamics"], name="arm").values()
    assert "inverseDynamics[c_, q_, v_, a_] := Module[" in text
    q, v, a = np.array([0.3, -0.7]), np.array([1.1, 0.4]), np.array([-0.2, 0.9])
    names = re.findall(r"\(\*\s+p\[\[\d+\]\]\s+(\w+)", text)
    arrays = {"p": [values[x] for x in names], "q": q, "v": v, "a": a}
    known, c = {}, []
    code = re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
    for left, right in re.findall(r"^ +([\w$\[\]]+) = ([^;]+);", code, re.M):
        if right.startswith("Table"):
            continue
        found = re.fullmatch(r"(\w)\[\[(\d+)\]\]", right)
        if found:
            array = arrays.get(found[1], c)
            known[left] = float(array[int(found[2]) - 1])
            continue
        plain = {name.replace("$", "DD"): x for name, x in known.items()}
        known[left] = float(parse_mathematica(right.replace("$", "DD")).subs(plain))
        kept = re.search(r"Constants.*?\{([^{}]*)\}\n\];", code, re.S)
        c = [known.get(x.strip()) for x in kept[1].split(",")] if not c or None in c else c
    found = [known["result[[1]]"], known["result[[2]]"]]
    np.testing.assert_allclose(found, model.inverse_dynamics(q, v, a), rtol=1e-12)


def test_tables_are_refused_for_mathematica_and_numbers_have_its_exponent():
    small = ts.load({"torseur": 1, "name": "s", "bodies": {"b": {"mass": 1e-7}},
                     "joints": {"j": {"type": "prismatic", "bodies": ["ground", "b"],
                                      "axis": "x"}}})  # fmt: skip
    (text,) = sources(small, "mathematica", ["inverse_dynamics"]).values()
    assert "*^-" in text and not re.search(r"\de-", text)
    with pytest.raises(ts.ModelError, match="language"):
        sources(small, "maple", ["inverse_dynamics"])
