"""The description phrase: as the 1980 report prints it, and what we add to it."""

import numpy as np
import pytest
from counting import work

from torseur.algebra import PI, ZERO, symbol
from torseur.errors import ModelError
from torseur.language.load import load
from torseur.language.phrase.chain import tables
from torseur.language.phrase.phrase_text import parse_phrase
from torseur.model.joints.library import Prismatic, Revolute

LISTED = """RY(01MIN,01MAX),TYK(L1),RX(02MIN,02MAX),TYK(L2),RX(03MIN,03MAX),
TZK(L3),RX(04MIN,04MAX),TZK(0),RY(05MIN,05MAX),TZK(0),RZ(06MIN,06MAX),TZK(L6);"""
PRINTED = r"""RY (θ_1 MIN, θ_1 MAX), TYK (L1), RX (θ_2 MIN, θ_2 MAX),
 TYK (L2), RX (θ_3 MIN, θ_3 MAX), TZK (L3),
 RX (θ_4 MIN, θ_4 MAX), TZK (\emptyset), RY (θ_5 MIN, θ_5 MAX),
 TZK (∅), RZ (θ_6 MIN, θ_6 MAX), TZK (L6) ;"""
SURFACE = """RY(q1MIN,q1MAX), TYK(L1), RX(q2MIN,q2MAX), TYK(L2), RX(q3MIN,q3MAX),
TZK(L3), RX(q4MIN,q4MAX), TZK(0), RY(q5MIN,q5MAX), TZK(0), RZ(q6MIN,q6MAX), TZK(L6);"""

# The listings of Liégeois and Aldon (1980), §4.2; I21 and I22 there are IZ1 and IZ2 (E1-19).
MRR = """0 1 0 0|0 1 0 1|2 0 0 0|0 2 0 1|3 0 0 0|0 0 3 1|4 0 0 0|0 0 4 1|0 5 0 0|0 0 5 1|0 0 6 0|
0 0 6 1"""
TRANSLATIONS = "0 L1 0|0 L2 0|0 0 L3|0 0 0|0 0 0|0 0 L6"
ROTATIONS = "0 1 0|2 0 0|23 0 0|234 0 0|0 5 0|0 0 6"
LENGTHS = "1 L1|2 L2|3 L3|4 0|5 0|6 L6"
LIMITS = "|".join(f"{n} 0{n}MIN 0{n}MAX" for n in range(1, 7))
MASSES = "1 M1 0 D1 0|2 M2 0 D2 0|3 M3 0 0 D3|4 0 0 0 0|5 0 0 0 0|6 M6 0 0 D6"
INERTIAS = "1 IX1 0 IZ1|2 IX2 0 IZ2|3 IX3 IY3 0|6 IX6 IY6 0"


def rows(text):
    return tuple(tuple(row.split()) for row in text.split("|"))


def vector(*texts):
    return [ZERO if text == "0" else symbol(text) for text in texts]


# --- the report ---------------------------------------------------------------------------------


def test_the_tables_are_those_of_the_report():
    found = tables(parse_phrase(LISTED))
    assert (found.frames, found.freedoms) == ("12", "6")
    assert found.mrr == rows(MRR)
    assert found.translations == rows(TRANSLATIONS)
    assert found.rotations == rows(ROTATIONS)
    assert found.lengths == rows(LENGTHS)
    assert found.limits == rows(LIMITS)
    assert found.masses == rows(MASSES)
    assert found.inertias == rows(INERTIAS)
    assert found.ground == ("0", "0", "0")


@pytest.mark.parametrize("text", [LISTED, PRINTED, SURFACE, SURFACE.lower(), SURFACE[:-1]])
def test_every_print_of_the_phrase_describes_the_same_robot(text):
    robot = load(text, masses="lever")
    assert robot.coordinates == ("q1", "q2", "q3", "q4", "q5", "q6")
    assert robot.speeds == ("q1.", "q2.", "q3.", "q4.", "q5.", "q6.")
    assert [joint.kind.axis for joint in robot.joints.values()] == [1, 0, 0, 0, 1, 2]
    assert [joint.first for joint in robot.joints.values()] == ["ground", *"12345"]
    levers = [list(map(str, joint.X_AF.p)) for joint in robot.joints.values()]
    assert [" ".join(lever).upper() for lever in levers[1:4]] == ["0 L1 0", "0 L2 0", "0 0 L3"]
    assert robot.points["tool"].body == "6"


def test_masses_on_the_lever_are_those_of_the_report():
    robot = load(SURFACE, masses="lever")
    assert robot.bodies["1"].mass is symbol("M1")
    assert list(robot.bodies["1"].centre) == vector("0", "D1", "0")
    assert list(np.diag(robot.bodies["3"].inertia)) == vector("IX3", "IY3", "0")
    assert robot.bodies["4"].mass is ZERO
    assert "No lever, therefore no mass: bodies 4, 5." in robot.notices
    assert list(robot.gravity) == vector("0", "G", "0")
    assert robot.parameter_table["L1"].meaning == "lever of body 1"
    assert robot.parameter_table["q2MIN"].unit == "rad"
    assert robot.parameters["M6"] is None


# --- extensions ---------------------------------------------------------------------------------


def test_one_item_names_the_coordinate_two_are_its_limits_three_are_both():
    arm = load("RY(shoulder), RX(-90deg, 90deg), TZ(slide, 0, 300 mm)")
    assert arm.coordinates == ("shoulder", "q2", "slide")
    assert isinstance(arm.joints["3"].kind, Prismatic)
    assert arm.joints["1"].limits == (None,)
    assert arm.joints["2"].limits == ((-PI / 2, PI / 2),)
    low, high = arm.joints["3"].limits[0]
    assert (low, float(high.value[1])) == (0, 0.3)


def test_constants_are_expressions_and_accumulate_into_the_pose_of_the_next_joint():
    arm = load("TZK(h), RZ(a), TYK(2*L1), RXK(90deg), TYK(c), RYK(b), RX(d), TXK(e)")
    assert list(arm.joints["1"].X_AF.p) == vector("0", "0", "h")
    X = arm.joints["2"].X_AF
    assert list(X.p) == [ZERO, 2 * symbol("L1"), symbol("c")]
    assert [(factor.axis, factor.angle) for factor in X.R.factors] == [
        (0, PI / 2),
        (1, symbol("b")),
    ]
    assert isinstance(arm.joints["2"].kind, Revolute)
    assert list(arm.points["tool"].position) == vector("e", "0", "0")


def test_brackets_are_branches_that_leave_the_chain_where_it_was():
    tree = load(
        "RY(trunk), TYK(h) [RX(left), TXK(l), [RZ(f)]] [RX(right), TXK(r)], TYK(n), RZ(head);"
    )
    assert [joint.first for joint in tree.joints.values()] == ["ground", "1", "2", "1", "1"]
    assert list(tree.joints["4"].X_AF.p) == vector("0", "h", "0")
    assert list(tree.joints["5"].X_AF.p) == [ZERO, symbol("h") + symbol("n"), ZERO]
    assert {name: point.body for name, point in tree.points.items()} == {
        "tool": "5",
        "tool2": "3",
        "tool3": "4",
    }


def test_a_lever_that_is_not_along_an_axis_has_one_distance_and_one_moment_an_axis():
    arm = load("RZ(a), TXK(l), TYK(-h)", masses="lever")
    assert list(arm.bodies["1"].centre) == [symbol("DX1"), -symbol("DY1"), ZERO]
    assert list(np.diag(arm.bodies["1"].inertia)) == vector("IX1", "IY1", "IZ1")
    assert any("not along an axis" in notice for notice in arm.notices)


def test_of_several_levers_the_first_carries_the_centre_of_mass():
    tree = load("RZ(a) [RX(b)] [TXK(l), RX(c)] [TYK(h), RX(d)]", masses="lever")
    assert list(tree.bodies["1"].centre) == vector("D1", "0", "0")
    assert "Several levers, the centre of mass is on the first: body 1." in tree.notices


def test_full_masses_are_ten_symbols_a_body():
    arm = load("RZ(a), TXK(l)", masses="full", gravity=("0", "-g", 0))
    names = "M1 X1 Y1 Z1 IXX1 IYY1 IZZ1 IXY1 IXZ1 IYZ1"
    assert set(arm.parameter_table) == {*names.split(), "l", "g"}
    assert arm.bodies["1"].inertia[2, 0] is symbol("IXZ1")
    assert list(arm.gravity) == [ZERO, -symbol("g"), ZERO]


def test_without_masses_every_body_is_massless_and_a_notice_says_so():
    arm = load("RZ(a), TXK(l)")
    assert arm.bodies["1"].mass is ZERO
    assert "every body is massless" in arm.notices[0]


def test_comments_and_line_breaks_are_free():
    arm = load("RZ(a), # shoulder\n\n  TXK(l), # RX(none)\n\tRX(b) ;")
    assert arm.coordinates == ("a", "b")


def test_rotations_merge_across_translations_and_part_at_constant_rotations():
    found = tables(parse_phrase("RX(a), TZ(b), RX(c), RXK(d), RX(e), [RX(f)], RY(g)"))
    assert found.rotations == rows("1 0 0|0 0 0|13 0 0|4 0 0|45 0 0|0 6 0")
    assert [row[3] for row in found.mrr] == list("0203000")


def test_with_ten_bodies_or_more_merged_numbers_are_told_apart():
    found = tables(parse_phrase(",".join(f"RX(q{n})" for n in range(1, 12))))
    assert found.rotations[10][0] == "1.2.3.4.5.6.7.8.9.10.11"


# --- size ---------------------------------------------------------------------------------------


LONG = ",".join(f"RX(q{n}MIN,q{n}MAX),TYK(L{n})" for n in range(1, 4000))[:100_000]
LONG = LONG.rsplit(",RX", 1)[0] + ";"


def test_a_phrase_of_a_hundred_thousand_characters_is_read():
    # linear: LALR parsing, then one pass over the changes of frame
    assert len(LONG) > 99_000
    assert work(parse_phrase, LONG) < 100 * len(LONG)


def test_doubling_a_phrase_doubles_the_work_to_load_it():
    load("RX(a)")
    half = LONG[: LONG.index(",RX(q1000MIN")]
    quarter = LONG[: LONG.index(",RX(q500MIN")]
    assert work(load, half) < 2.2 * work(load, quarter)


ABSURD = {
    "nested": "[" * 10_000 + "RX(a)" + "]" * 10_000,
    "open": "[" * 10_000,
    "closed": "RX(a" + ")" * 10_000,
    "calls": "RX(" * 10_000,
    "branches": "RX(a)" + "[TYK(b)]" * 5_000,
    "constants": "RX(a)" + ",RXK(b),TYK(c)" * 5_000,
    "parentheses": "TYK(" + "(" * 10_000 + "a" + ")" * 10_000 + "),RX(b)",
}


@pytest.mark.parametrize("text", ABSURD.values(), ids=ABSURD)
def test_absurd_phrases_neither_hang_nor_crash(text):
    load("RX(a)")
    assert work(load, text) < 400 * len(text)


def test_brackets_may_be_two_hundred_deep():
    deep = load("RX(a)" + "".join(f"[RX(b{n})" for n in range(200)) + "]" * 200)
    assert len(deep.joints) == 201
    with pytest.raises(ModelError, match="more than 200 brackets"):
        load("RX(a)" + "[RX(b)" * 201 + "]" * 201)
