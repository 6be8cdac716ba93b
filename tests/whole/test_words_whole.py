"""Limits of joints, and both languages and notations: every part of each sentence."""

import numpy as np
import pytest
from random_mechanisms import at
from written_text import page

import torseur as ts
from torseur.algebra.core.expr import PI
from torseur.equations.actions.applied import applied_forces
from torseur.equations.symbols.system import system

# --- D19: joint limits ----------------------------------------------------------------------------


def slide(**more):
    return ts.load(
        {
            "parameters": {"reach": "300 mm"},
            "bodies": {"arm": {"mass": 1, "inertia": [1, 1, 1]}},
            "joints": {"J": {"type": "pivot glissant", "bodies": ["ground", "arm"], "axis": "x",
                             "coordinates": ["s", "phi"],
                             "limits": [[0, "reach"], ["-90 deg", "90 deg"]]}},
            **more,
        }
    )  # fmt: skip


def test_limits_are_read_from_phrase_and_yaml_shown_and_told_when_the_start_is_outside():
    phrase = ts.load("RX(phi, -90deg, 90deg), TX(s, 0, reach)")
    (phi,), (s,) = (phrase.joints[name].limits for name in "12")
    assert slide().joints["J"].limits == (s, phi)
    assert phi == (-PI / 2, PI / 2)
    shown = page(slide())
    assert "limits" in shown and "reach" in shown
    assert not ts.check(slide()).notices
    (told,) = ts.check(slide(initial={"s": "0.5 m", "phi": "80 deg"})).notices
    assert "s starts at 0.5 m, outside its limits, 0 to 0.3 m" in told
    with pytest.raises(ts.ModelError, match='the limits of "s" are reversed'):
        slide(parameters={"reach": -0.1})


# --- P10: both languages, both notations ----------------------------------------------------------

PENDULUM = {
    "en": {"joints": {"O": {"type": "revolute", "bodies": ["ground", "rod"], "axis": "z",
                            "coordinate": "theta"}},
           "forces": {"k": {"type": "torsion spring", "joint": "O", "stiffness": "C"}}},
    "fr": {"joints": {"O": {"type": "pivot", "bodies": ["ground", "rod"], "axis": "z",
                            "coordinate": "theta"}},
           "forces": {"k": {"type": "ressort de torsion", "joint": "O", "stiffness": "C"}}},
}  # fmt: skip


def pendulum(lang):
    return ts.load(
        {
            "gravity": [0, "-g", 0],
            "parameters": {"l": 0.5, "m": 2, "g": 9.81, "C": 3},
            "bodies": {"rod": {"mass": "m", "centre": [0, "-l", 0]}},
            "points": {"M": ["rod", [0, "-l", 0]]},
            **PENDULUM[lang],
        }
    )


def test_one_mechanism_is_written_told_and_answered_in_both_languages_and_notations():
    english, french = pendulum("en"), pendulum("fr")
    values = {"theta": 0.3, "theta.": 0.2, "theta..": 0.7}
    numbers = {"l": 0.5, "m": 2, "g": 9.81, "C": 3}
    rows = [at(list(applied_forces(system(m))), values | numbers) for m in (english, french)]
    np.testing.assert_array_equal(*rows)
    told = {lang: ts.tell(french, lang=lang) for lang in ("en", "fr")}
    assert "kinetic energy" in told["en"].text().lower()
    assert "énergie cinétique" in told["fr"].text().lower()
    for derivation in told.values():
        assert "theta." in derivation.text() and r"\dot{\theta}" in derivation.latex()
    for formula in ("V(M) = l*theta.*x1", r"\vec{V}(M/R_0) = l\dot\theta\vec{x}_1"):
        answer = ts.check_answer(french, formula, of="V(M)")
        assert answer.right
        assert answer.text("en") != answer.text("fr")
    for formula in ("Omega(rod) = theta.*z0", r"\vec{\Omega}(1/0) = \dot\theta\vec z_0"):
        assert ts.check_answer(english, formula, of="Omega(rod)").right
