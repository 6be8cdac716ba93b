"""Curves of reports: rounding is no curve, lines on each other are seen, legends stand apart."""

import re
from functools import cache
from importlib.resources import files

import numpy as np
import pytest

import torseur as ts
from torseur.report.documents.page_parts import Math, Paragraph, Picture, TablePart
from torseur.report.dossier import motion_section as motion
from torseur.report.dossier.curve_pictures import _number, panels
from torseur.simulation.run.quantities import Curve

T = np.linspace(0.0, 1.0, 50)
STILL = "{} that stay 0: {}."


@cache
def moved(name, duration=0.2):
    return ts.simulate(ts.load(files("torseur.examples") / f"{name}.yaml"), duration, rate=100.0)


def drawn(curves, title="Coordinates"):
    return list(panels(T, curves, title, STILL))


def said(parts):
    """Sentences, with their formulas as LaTeX."""
    return [
        "".join(x.latex if isinstance(x, Math) else x for x in part.text)
        for part in parts
        if isinstance(part, Paragraph)
    ]


def captions(parts):
    return [x.caption for x in parts if isinstance(x, Picture)]


def test_a_coordinate_that_is_zero_but_for_rounding_has_no_curve():
    """The output of a cardan could slide, and does not: its 1e-18 m are no motion."""
    parts = motion.coordinates(moved("cardan_shaft"), "en")
    assert "Coordinates [m]" not in captions(parts)
    assert "Speeds [m/s]" not in captions(parts)
    assert said(parts)[:2] == [
        "Coordinates [m] that stay 0: z_2.",
        r"Speeds [m/s] that stay 0: \dot{z}_2.",
    ]


def test_reactions_without_weight_are_compared_with_what_moves_the_masses():
    """A satellite that nothing holds feels no force, be it of 1e-16 N."""
    parts = motion.reactions(moved("dumbbell_satellite"), "en")
    (rows,) = (x.rows for x in parts if isinstance(x, TablePart))
    assert rows == (("orbit", "0", "–", "0", "–"),)
    assert not captions(parts)


def test_energies_that_stay_zero_are_named_in_words():
    parts = motion.coordinates(moved("rolling_disc"), "fr")
    assert said(parts)[-1] == "Énergies [J] qui restent à 0 : travail."


def test_a_drive_that_needs_the_same_throughout_needs_it_at_no_time():
    (table,) = (x for x in motion.drives(moved("propeller"), "en") if isinstance(x, TablePart))
    turning, engine = table.rows
    assert (turning[2], turning[3]) == (Math("2685"), "–") == (turning[4], turning[5])
    assert (engine[2].latex, engine[3]) == ("0", "–")


def test_a_largest_force_is_told_where_it_is_reached_first():
    """A wheel that rolls evenly presses on the road as it does from the start."""
    parts = motion.reactions(moved("rolling_wheel"), "en")
    (rows,) = (x.rows for x in parts if isinstance(x, TablePart))
    name, force, when, *_ = rows[1]
    assert (name, when) == ("road", Math("0"))
    assert float(force.latex) == pytest.approx(2 * 9.81, rel=1e-5)


def test_lines_that_lie_on_each_other_are_drawn_by_turns():
    wave = np.sin(7 * T)
    curves = [Curve(x, "m", y) for x, y in (("a", wave), ("b", wave), ("c", -wave), ("d", wave))]
    (picture,) = drawn(curves)
    dashes = dict(re.findall(r'class="s c(\d)"[^>]*dasharray="(9 \d+)"', picture.svg))
    assert dashes == {"2": "9 18", "4": "9 18"}  # the first of the three is whole below
    assert picture.tikz.count("dash pattern=on 5.4bp off 10.8bp") == 2


def test_a_legend_has_its_names_after_their_strokes_in_columns_that_hold_them():
    curves = [Curve(f"suspension_{k}", "m", T + k) for k in range(4)]
    (picture,) = drawn(curves)
    places = [float(x) for x in re.findall(r'<text class="t[1-4] f" x="([\d.]+)"', picture.svg)]
    assert places == pytest.approx([28, 28 + 520 / 3, 28 + 1040 / 3, 28], abs=0.1)
    assert picture.tikz.count("anchor=west") == 4


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (-0.5, "−0.5"), (2e-16, "2·10⁻¹⁶"), (-3e7, "−3·10⁷")]
)
def test_ticks_are_numbers_however_small(value, text):
    assert _number(value) == text
