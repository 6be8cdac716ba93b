"""How mechanisms move: internal mobilities, equivalent joints, balances, shared reactions."""

import json
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
import yaml
from click.testing import CliRunner
from example_states import EXAMPLES, mechanism, model

import torseur as ts
from torseur.analyse.at_a_state.pose import assembled, posed
from torseur.analyse.mobility.balance import redundancy
from torseur.cli.describe.check import check as check_command
from torseur.cli.describe.mobility import mobility as mobility_command
from torseur.dynamics.tree.closure import carried, transmitted
from torseur.model.description import GROUND

BODY = {"mass": 1, "inertia": [0.1, 0.1, 0.1]}


@pytest.fixture(scope="module")
def slider_crank():
    return ts.load(Path(__file__).parents[1] / "models" / "slider_crank.yaml")


def at(*p):
    """The same place in both bodies."""
    return {"point": [list(p), list(p)]}


def parallel(*joints):
    """One body and all the joints between it and the ground."""
    named = {f"J{k}": {"bodies": ["ground", "a"], **joint} for k, joint in enumerate(joints)}
    return ts.load({"bodies": {"a": BODY}, "joints": named})


def serial(*joints):
    """Joints one after the other; the last body is called `a`."""
    names = ["ground", *(f"b{k}" for k in range(1, len(joints))), "a"]
    named = {
        f"J{k}": {"bodies": [names[k], names[k + 1]], **joint} for k, joint in enumerate(joints)
    }
    return ts.load({"bodies": dict.fromkeys(names[1:], BODY), "joints": named})


def loop(second="rotule", **more):
    """A crank and a rocker with skew axes, joined by a rod: RSSR when both ends are balls."""
    joints = {
        "A": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z"},
        "B": {"type": "rotule", "bodies": ["crank", "rod"], "point": [[0.2, 0, 0], [0, 0, 0]]},
        "C": {"type": second, "bodies": ["rod", "rocker"], "point": [[0.6, 0, 0], [0.4, 0, 0]]}
        | more,
        "D": {
            "type": "pivot",
            "bodies": ["ground", "rocker"],
            "axis": ["x", "z"],
            "point": [[0.5, 0.1, 0.1], [0, 0, 0]],
        },
    }
    return ts.load({"bodies": dict.fromkeys(("crank", "rod", "rocker"), BODY), "joints": joints})


@cache
def governor():
    """G-TD2: a fly-weight S2 pushes S3 along the shaft S1; at β = 0 its arm is normal to it."""
    return ts.load(
        {
            "name": "governor",
            "parameters": {"a": 0.1, "c": 0.05, "k": 100, "l0": 0.02, "Cm": 1},
            "bodies": {"S1": BODY, "S2": BODY, "S3": BODY},
            "joints": {
                "O": {"type": "pivot", "bodies": ["ground", "S1"], "axis": "x"},
                "O1": {
                    "type": "pivot",
                    "bodies": ["S1", "S2"],
                    "axis": "z",
                    "point": [[0, "a", 0], [0, 0, 0]],
                    "coordinate": "beta",
                },
                "G": {"type": "glissière", "bodies": ["S1", "S3"], "axis": "x"},
                "I": {
                    "type": "ponctuelle",
                    "bodies": ["S3", "S2"],
                    "normal": "x",
                    "point": [[0, 0, 0], ["-c", 0, 0]],
                },
            },
            "forces": {
                "motor": {"type": "joint", "joint": "O", "value": "Cm"},
                "spring": {
                    "type": "spring",
                    "between": [["S1", [-0.1, 0, 0]], ["S3", [0, 0, 0]]],
                    "stiffness": "k",
                    "length": "l0",
                },
            },
        }
    )


@cache
def platform():
    """A platform on three jacks between ball joints."""
    bodies, joints = {"top": BODY}, {"F": {"type": "free", "bodies": ["ground", "top"]}}
    for k in range(3):
        low, high = 2 * np.pi * k / 3, 2 * np.pi * k / 3 + 0.4
        base = [float(np.cos(low)), float(np.sin(low)), 0]
        end = [0.5 * float(np.cos(high)), 0.5 * float(np.sin(high)), 0]
        cylinder, piston = f"cylinder{k}", f"piston{k}"
        bodies |= {cylinder: BODY, piston: BODY}
        ball = {"type": "rotule", "bodies": ["ground", cylinder], "point": [base, [0, 0, 0]]}
        joints[f"S{k}"] = ball
        joints[f"P{k}"] = {"type": "glissière", "bodies": [cylinder, piston], "axis": "z"}
        joints[f"T{k}"] = {"type": "rotule", "bodies": [piston, "top"], "point": [[0, 0, 0], end]}
    return ts.load({"bodies": bodies, "joints": joints, "initial": {"F_z": 1.0}})


# --- internal mobilities ------------------------------------------------------------------------


def test_a_rod_between_two_balls_turns_about_its_own_axis_and_nothing_else_sees_it():
    found = ts.mobility(loop())
    assert (found.degree, found.useful, found.internal, found.overconstraint) == (2, 1, 1, 0)
    assert found.internal_motions == ("rod turns about its own axis, through B and C",)
    assert ts.mobility(loop(), input="crank", output="rocker").internal_motions == (
        found.internal_motions
    )


def test_a_cardan_at_one_end_stops_the_rod_from_turning():
    found = ts.mobility(loop("cardan", axes=[[0, 1, 0], [0, 0, 1]]))
    assert (found.degree, found.internal, found.overconstraint) == (1, 0, 0)


def test_each_jack_of_a_platform_turns_as_one_piece():
    found = ts.mobility(platform())
    assert (found.degree, found.useful, found.overconstraint) == (9, 6, 0)
    assert found.internal_motions[0] == (
        "cylinder0 and piston0 turn together about one axis, through S0 and T0"
    )


def test_the_end_of_an_open_chain_is_not_internal():
    found = ts.mobility(serial({"type": "pivot", "axis": "z"}, {"type": "rotule", **at(1, 0, 0)}))
    assert (found.degree, found.internal) == (4, 0)


@pytest.mark.parametrize("joint", ["prismatic", "pivot", "ball"])
@pytest.mark.parametrize("count", [2, 3])
def test_joints_in_series_have_useful_motions_only(joint, count):
    """Sliders along one line, pivots about one axis, balls: an open chain closes no loop."""
    kinds = {"prismatic": ("prismatic", 1), "pivot": ("pivot", 1), "ball": ("spherical", 3)}
    kind, freedoms = kinds[joint]
    names = ["ground", *(f"b{k}" for k in range(count))]
    made = {
        "bodies": {name: {"mass": 1, "inertia": [1, 1, 1]} for name in names[1:]},
        "joints": {
            f"J{k}": {"type": kind, "bodies": names[k : k + 2], "point": [[0, 0, 0.1 * k], [0] * 3]}
            | ({} if kind == "spherical" else {"axis": "z"})
            for k in range(count)
        },
    }
    found = ts.mobility(ts.load(made))
    assert (found.degree, found.useful, found.internal) == (freedoms * count,) * 2 + (0,)


def test_driven_freedoms_are_told_apart_from_those_that_are_left():
    """m is that of the linkage: with its crank driven, only the rod can turn about itself."""
    text = (Path(__file__).parents[1] / "models" / "wiper.yaml").read_text(encoding="utf-8")
    described = yaml.safe_load(text)
    crank = described["motions"]["motor"]
    for motions, wanted in (({}, (2, 0, 2)), ({"motor": crank}, (2, 1, 1))):
        found = ts.mobility(ts.load(described | {"motions": motions}))
        assert (found.degree, found.driven, found.left, found.overconstraint) == (*wanted, 0)
        assert found.internal_motions == ("rod turns about its own axis, through B and C",)
    assert "of these 1 driven by imposed motions, 1 left" in str(found)
    assert not any(
        "driven" in str(ts.mobility(mechanism(name))) for name in ("four_bar", "puma560")
    )


@pytest.mark.sampled(24)
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_freedoms_left_are_those_of_the_equations(name):
    """The rank of all rows, imposed motions included, counts the same."""
    made = model(name)
    rank = 0
    if made.system.constrained:
        q = assembled(made.mechanism).q
        rank = np.linalg.matrix_rank(np.asarray(made.timed("constraint_jacobian")(q, 0.0)), 1e-9)
    assert ts.mobility(made.mechanism, modes={}).left == len(made.speeds) - rank


def test_what_input_and_output_do_not_see_is_internal():
    """The last of three joints moves while the first two bodies rest."""
    chain = serial(*({"type": "pivot", "axis": "z", **at(k, 0, 0)} for k in range(3)))
    found = ts.mobility(chain, input="b1", output="J1")
    assert (found.degree, found.internal) == (3, 1)
    assert found.internal_motions == ("a move while b1 and J1 rest",)
    with pytest.raises(ts.ModelError, match='body "b7" does not exist'):
        ts.mobility(chain, input="b7")


def test_a_body_that_moves_alone_for_an_instant_only_has_no_internal_mobility():
    """At β = 0 the fly-weight turns without moving the pusher, to first order."""
    found = ts.mobility(governor())
    assert (found.degree, found.internal, found.overconstraint) == (2, 0, 0)
    assert ts.linkages.singularities(governor()).dead.keys() == {"G"}


def test_a_motorcycle_that_rolls_has_three_parameters_all_useful():
    """G-Moto: contact and no slip leave X, ψ and the front wheel."""
    motorcycle = ts.load(
        {
            "parameters": {"R": 0.3, "wheelbase": 1.4},
            "bodies": {"frame": BODY, "rear": BODY, "front": BODY},
            "joints": {
                "S": {"type": "planar", "bodies": ["ground", "frame"], "normal": "z"},
                "A": {"type": "pivot", "bodies": ["frame", "rear"], "axis": "z"},
                "B": {
                    "type": "pivot",
                    "bodies": ["frame", "front"],
                    "axis": "z",
                    "point": [["wheelbase", 0, 0], [0, 0, 0]],
                },
            },
            "constraints": {
                "I": {
                    "type": "rolling",
                    "bodies": ["ground", "rear"],
                    "shape": "line",
                    "radius": "R",
                    "normal": "y",
                    "along": "x",
                }
            },
            "initial": {"S_y": "R"},
        }
    )
    found = ts.mobility(motorcycle)
    assert (found.degree, found.internal, found.overconstraint) == (3, 0, 0)
    touching = ts.linkages.equivalent_joint(motorcycle, "ground", "rear")
    assert (touching.name, touching.lasting) == ("revolute", False)
    np.testing.assert_allclose(touching.point, 0, atol=1e-9)


def test_gears_count_as_relations_and_imposed_motions_do_not_count():
    wheels = {
        "bodies": {"sun": BODY, "planet": BODY},
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "sun"], "axis": "z"},
            "B": {
                "type": "pivot",
                "bodies": ["ground", "planet"],
                "axis": "z",
                "point": [[0.3, 0, 0], [0, 0, 0]],
            },
        },
        "constraints": {"teeth": {"type": "gear", "joints": ["A", "B"], "radii": [0.1, 0.2]}},
    }
    free = ts.mobility(ts.load(wheels))
    assert (free.degree, free.overconstraint, free.loops, free.relations) == (1, 0, 0, 1)
    driven = wheels | {"motions": {"drive": {"coordinate": "A", "law": "2*t"}}}
    assert ts.mobility(ts.load(driven)).degree == 1
    again = dict(wheels["constraints"], more=wheels["constraints"]["teeth"])
    twice = ts.load(wheels | {"constraints": again})
    assert ts.mobility(twice).overconstraint == 1
    assert ts.linkages.redundant_reactions(twice) == ("teeth", "more")


# --- equivalent joints --------------------------------------------------------------------------

PIVOT, SLIDE, BALL = "pivot", "glissière", "rotule"
PARALLEL = [
    # the tables of equivalent joints that every course of mechanism design gives
    ("revolute", [{"type": BALL}, {"type": BALL, **at(0, 0, 1)}]),
    ("revolute", [{"type": BALL}, {"type": "annular", "axis": "z", **at(0, 0, 1)}]),
    ("revolute", [{"type": "planar", "normal": "z"}, {"type": BALL, **at(1, 0, 1)}]),
    ("cylindrical", [{"type": "annular", "axis": "z", **at(0, 0, k)} for k in range(2)]),
    ("prismatic", [{"type": "planar", "normal": n} for n in "zx"]),
    ("prismatic", [{"type": "cylindrical", "axis": "z", **at(k, 0, 0)} for k in range(2)]),
    ("spherical", [{"type": "annular", "axis": "z"}, {"type": "point", "normal": "z"}]),
    (
        "planar",
        [{"type": "point", "normal": "z", **at(k % 2, k // 2, 0)} for k in range(3)],
    ),
    ("line contact", [{"type": "point", "normal": "z", **at(k, 0, 0)} for k in range(2)]),
    ("annular contact", [{"type": "point", "normal": n} for n in "xy"]),
    ("fixed", [{"type": BALL, **at(k % 2, k // 2, 0)} for k in range(3)]),
]
SERIAL = [
    ("cylindrical", [{"type": PIVOT, "axis": "z"}, {"type": SLIDE, "axis": "z"}]),
    ("universal", [{"type": PIVOT, "axis": axis} for axis in "zx"]),
    ("spherical", [{"type": PIVOT, "axis": axis} for axis in "zxy"]),
    ("annular contact", [{"type": SLIDE, "axis": "x"}, {"type": BALL, **at(0, 1, 0)}]),
    ("point contact", [{"type": "planar", "normal": "z"}, {"type": BALL, **at(0.1, 0.2, 0.3)}]),
    ("line contact", [{"type": "planar", "normal": "z"}, {"type": PIVOT, "axis": "x"}]),
    ("planar", [{"type": PIVOT, "axis": "z", **at(k % 2, k // 2, 0)} for k in range(3)]),
    ("free", [{"type": "planar", "normal": n} for n in "zxy"]),
    ("", [{"type": PIVOT, "axis": "z", **at(k, 0, 0)} for k in range(2)]),
    ("", [{"type": SLIDE, "axis": axis} for axis in "xy"]),
]


@pytest.mark.parametrize(
    ("name", "joints"), PARALLEL, ids=lambda x: x if isinstance(x, str) else ""
)
def test_joints_in_parallel_make_the_joint_of_the_tables(name, joints):
    made = parallel(*joints)
    found = ts.linkages.equivalent_joint(made, "ground", "a")
    assert (found.name, found.lasting) == (name, True)
    assert found.rank == ts.mobility(made).degree
    assert ts.linkages.equivalent_joint(made, "a", "ground").name == name


@pytest.mark.parametrize(("name", "joints"), SERIAL, ids=lambda x: x if isinstance(x, str) else "")
def test_joints_in_series_make_the_joint_of_the_tables(name, joints):
    assert ts.linkages.equivalent_joint(serial(*joints), "ground", "a").name == name


ALONE = [
    {"type": "revolute", "axis": [1, 2, 2]},
    {"type": "prismatic", "axis": [1, 2, 2]},
    {"type": "cylindrical", "axis": [1, 2, 2]},
    {"type": "screw", "axis": [1, 2, 2], "pitch": -0.02},
    {"type": "universal", "axes": [[1, 2, 2], [2, 1, -2]]},
    {"type": "spherical"},
    {"type": "planar", "normal": [1, 2, 2]},
    {"type": "annular contact", "axis": [1, 2, 2]},
    {"type": "point contact", "normal": [1, 2, 2]},
    {"type": "fixed"},
    {"type": "free"},
]


@pytest.mark.parametrize("joint", ALONE, ids=lambda joint: joint["type"])
def test_a_joint_alone_is_its_own_equivalent_with_its_axis_and_its_point(joint):
    P, e = np.array([0.3, -0.2, 0.5]), np.array([1, 2, 2]) / 3
    place = {} if joint["type"] == "free" else at(*map(float, P))
    found = ts.linkages.equivalent_joint(parallel(joint | place), "ground", "a")
    assert found.name == joint["type"]
    if "axis" in joint or "normal" in joint:
        assert abs(found.axis @ e) == pytest.approx(1, abs=1e-9)
    if joint["type"] in ("revolute", "cylindrical", "screw"):
        np.testing.assert_allclose(np.cross(found.point - P, e), 0, atol=1e-9)
    if joint["type"] in ("spherical", "universal", "annular contact"):
        np.testing.assert_allclose(found.point, P, atol=1e-9)
    if joint["type"] == "screw":
        assert found.pitch == pytest.approx(-0.02, rel=1e-9)


def test_a_connecting_rod_turns_about_its_instantaneous_centre_at_this_pose_only(slider_crank):
    """The centre is above the piston pin, on the line of the crank: (x, x tan α)."""
    here = ts.assemble(slider_crank, {"alpha": 0.3}, pinned=("alpha",))
    found = ts.linkages.equivalent_joint(here, "ground", "rod")
    x = here.coordinates["x"]
    assert (found.name, found.lasting) == ("revolute", False)
    np.testing.assert_allclose(found.point[:2], [x, x * np.tan(0.3)], atol=1e-9)
    assert str(found).endswith("; at this configuration only.")
    assert ts.linkages.equivalent_joint(here, "ground", "piston").lasting


def test_a_body_that_does_not_exist_is_named():
    with pytest.raises(ts.ModelError, match='body "b" does not exist'):
        ts.linkages.equivalent_joint(parallel({"type": BALL}), "ground", "b")


# --- balances -----------------------------------------------------------------------------------


def test_the_governor_has_22_unknowns_and_22_equations():
    """G-TD2 with erratum E2-9: two laws of friction, and the spring's force with its law."""
    found = ts.linkages.balance(governor(), friction=("I",))
    assert (found.unknown_count, found.equation_count) == (22, 22)
    assert (found.parameters, found.relations) == (3, 1)
    counts = {line.source: line.count for line in found.unknowns}
    assert counts == {
        "parameters": 3,
        "joint O": 5,
        "joint O1": 5,
        "joint G": 5,
        "joint I": 1,
        "spring spring": 1,
        "friction in I": 2,
    }
    assert found.bodies["S2"] == ("O1", "I")
    assert "22 unknowns = 22 equations\nparameters less relations: 3 − 1 = 2 = m − h" in str(found)
    assert str(found).endswith("less conditions: 6 N − p = 6×3 − 16 = 2 = m − h")


def test_reactions_are_told_apart_into_forces_and_couples(slider_crank):
    details = {line.source: line.detail for line in ts.linkages.balance(slider_crank).unknowns}
    assert details["joint O"] == "revolute, ground – crank: 3 forces, 2 couples"
    assert details["joint P"] == "prismatic, ground – piston: 2 forces, 3 couples"


@pytest.mark.parametrize("make", [loop, governor, platform], ids=lambda make: make.__name__)
def test_unknowns_are_as_many_as_equations_and_their_difference_is_m_less_h(make):
    counted, found = ts.linkages.balance(make()), ts.mobility(make())
    assert counted.unknown_count == counted.equation_count
    assert counted.parameters - counted.relations == found.degree - found.overconstraint


def test_friction_in_a_joint_that_does_not_exist_is_named():
    with pytest.raises(ts.ModelError, match='joint "J" does not exist'):
        ts.linkages.balance(governor(), friction=("J",))


# --- reactions that are not unique --------------------------------------------------------------


def door_with_a_handle():
    hinge = {"type": "pivot", "bodies": ["ground", "door"], "axis": "z"}
    joints = {
        "low": hinge,
        "high": hinge | {"point": [0, 0, 1.5]},
        "knob": {"type": "pivot", "bodies": ["door", "handle"], "axis": "y", **at(0.7, 0, 1)},
    }
    return ts.load({"bodies": {"door": BODY, "handle": BODY}, "joints": joints})


def test_only_the_hinges_of_a_door_share_their_load_not_the_handle():
    found = redundancy(door_with_a_handle())
    assert found.joints == ts.linkages.redundant_reactions(door_with_a_handle()) == ("low", "high")
    assert found.components["low"] == ("force along x, y and z", "couple about x and y")
    assert "the reactions are statically indeterminate (degree 5)" in str(found)
    assert ts.linkages.redundant_reactions(loop()) == ()
    assert str(redundancy(loop())) == "Every reaction is determined."


def test_planets_share_their_load_as_they_please():
    """Each planet after the first adds a way to lock teeth against teeth (P-Pb4.1)."""
    found = redundancy(ts.load(files("torseur.examples") / "planetary_reducer.yaml"))
    assert found.degree == 2
    assert {"A1", "A2", "A3", "B1", "C1"} <= set(found.joints)
    assert found.components["A1"] == ("force along z",)


@pytest.mark.parametrize("seed", range(3))
def test_a_self_stress_keeps_every_body_in_equilibrium_and_works_in_no_joint(seed):
    here = posed(ts.assemble(four_bar(), {"A": 1.0 + 0.3 * seed, "B": -0.5, "C": 1.0}))
    closing = transmitted(here.closures, here.ranks.cokernel)
    found = carried(here.numbers.tree, closing, here.ranks.cokernel.shape[1])
    found |= {part.name: part.wrench for part in closing}
    joints = here.mechanism.joints
    assert here.ranks.cokernel.shape[1] == 3
    for body in here.mechanism.bodies:
        total = sum(
            found[name] * ((joint.second == body) * 1.0 - (joint.first == body) * 1.0)
            for name, joint in joints.items()
        )
        np.testing.assert_allclose(total, 0, atol=1e-12)
    for name, joint in joints.items():
        motion = here.relative(joint.first, joint.second) @ here.ranks.kernel
        power = motion[:3].T @ found[name][3:] + motion[3:].T @ found[name][:3]
        np.testing.assert_allclose(power, 0, atol=1e-12)


def four_bar(a=0.2, b=0.5, c=0.4, d=0.5):
    pivot = {"type": "pivot", "axis": "z"}
    joints = {
        "A": pivot | {"bodies": [GROUND, "crank"]},
        "B": pivot | {"bodies": ["crank", "coupler"], "point": [[a, 0, 0], [0, 0, 0]]},
        "C": pivot | {"bodies": ["coupler", "rocker"], "point": [[b, 0, 0], [c, 0, 0]]},
        "D": pivot | {"bodies": [GROUND, "rocker"], "point": [[d, 0, 0], [0, 0, 0]]},
    }
    return ts.load(
        {"bodies": dict.fromkeys(("crank", "coupler", "rocker"), BODY), "joints": joints}
    )


# --- the command --------------------------------------------------------------------------------


def test_the_command_prints_everything_for_people(slider_crank):
    arguments = [slider_crank.source, "--between", "ground", "rod"]
    shown = CliRunner().invoke(mobility_command, arguments)
    assert shown.exit_code == 0, shown.output
    for words in (
        "mobility m = 1",
        "statically indeterminate (degree 3)",
        "rod relative to ground",
        "23 equ",
    ):
        assert words in shown.output


def test_the_command_prints_everything_for_programs(slider_crank):
    arguments = [slider_crank.source, "--json", "--along", "alpha", "--input", "crank"]
    document = json.loads(CliRunner().invoke(mobility_command, arguments).output)
    assert (document["mobility"], document["useful"], document["overconstraint"]) == (1, 1, 3)
    assert document["balance"]["unknowns"]["total"] == 23
    assert document["singular"]["dead"] == ["x"]
    assert {point["coordinate"] for point in document["dead_points"]} == {"x", "psi"}


def test_a_mechanism_without_numbers_is_counted():
    arguments = ["RY(q1), TYK(L1), RX(q2), TYK(L2);", "--masses", "lever"]
    shown = CliRunner().invoke(mobility_command, arguments)
    assert "mobility m = 2" in shown.output
    assert "12 unknowns = 12 equations" in shown.output


def test_check_prints_mobility_balance_and_notices_and_raises_faults():
    models = Path(__file__).parents[1] / "models"
    shown = CliRunner().invoke(check_command, [str(models / "slider_crank.yaml")])
    assert shown.exit_code == 0
    for words in ("mobility m = 1", "23 unknowns = 23 equations", "notice: dead point: coord"):
        assert words in shown.output
    open_loop = str(models / "ill_posed" / "open_loop.yaml")
    refused = CliRunner().invoke(check_command, [open_loop])
    assert isinstance(refused.exception, ts.SolveError)
    document = json.loads(
        (found := CliRunner().invoke(check_command, [open_loop, "--json"])).output
    )
    assert found.exit_code == 1
    assert document["faults"][0].startswith('joint "D": the loop it closes stays open')
    assert document["degrees_of_freedom"] is None


def resting(shape, height, **entries):
    """A body above a floor."""
    floor = {"bodies": ["ground", "b"], "shape": shape, **entries}
    return {
        "gravity": [0, 0, -9.81],
        "bodies": {"b": {"mass": 1, "inertia": [0.1, 0.2, 0.3]}},
        "joints": {"F": {"type": "free", "bodies": ["ground", "b"]}},
        "contacts": {"floor": floor},
        "initial": {"F_z": height},
    }


def test_contacts_that_touch_leave_what_their_gaps_leave():
    """A governor turns and opens; a ball on a floor rolls and slides, a box slides and turns."""
    governor = ts.mobility(model("governor_with_friction"))
    assert (governor.degree, governor.touching, governor.degree_touching) == (2, ("I",), 2)
    assert '  m = 3 without contact: "I"' in str(governor)
    left = ts.mobility(model("governor_with_friction"), modes={"I": "open"})
    assert (left.degree, left.degree_touching) == (3, 2)
    assert '  m = 2 while contact is kept: "I"' in str(left)
    assert ts.mobility(model("governor_with_friction"), modes={"I": "stick"}).degree == 1
    two_sided = ts.mobility(model("speed_governor"))
    assert (two_sided.degree, two_sided.touching, two_sided.degree_touching) == (2, (), None)
    ball, box = {"radius": 0.1}, {"size": [0.4, 0.3, 0.2], "friction": 0.5}
    assert ts.mobility(resting("ball", 0.1, **ball)).degree_touching == 5
    assert ts.mobility(resting("ball", 0.2, **ball)).degree_touching is None
    found = ts.mobility(resting("box", 0.1, **box))
    assert (len(found.touching), found.degree_touching) == (4, 3)


def test_a_joint_at_its_stop_cannot_move_on():
    stopped = {
        "bodies": {"b": {"mass": 1}},
        "joints": {
            "P": {
                "type": "slider",
                "bodies": ["ground", "b"],
                "axis": "x",
                "coordinate": "x",
                "limits": [0, "1 m"],
                "stop": {"restitution": 0},
            }
        },
    }
    assert ts.mobility(stopped).degree_touching == 0
    assert ts.mobility(stopped | {"initial": {"x": 0.5}}).degree_touching is None
