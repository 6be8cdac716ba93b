"""Every page cuts a loop at the same joints, and keeps the coordinates that the user names."""

from importlib.resources import files

import pytest
import yaml

import torseur as ts
from torseur.report.drawing.graph_drawing import edges

BAR = {"mass": 0.1, "shape": {"bar": {"length": "l", "axis": "y"}}}


def pivot(first, second, *point, **entries):
    placed = {"point": [list(point), [0, 0, 0]]} if point else {}
    return {"type": "pivot", "bodies": [first, second], "axis": "z", **placed, **entries}


WATT = {
    "torseur": 1,
    "parameters": {"l": 0.3},
    "gravity": [0, -9.81, 0],
    "bodies": {
        "shaft": {"mass": 1, "inertia": [0.1, 0.1, 0.1]},
        "arm1": BAR,
        "arm2": BAR,
        "link1": BAR,
        "link2": BAR,
        "sleeve": {"mass": 2, "inertia": [0.1, 0.1, 0.1]},
    },
    "joints": {
        "O": pivot("ground", "shaft", coordinate="theta") | {"axis": "y"},
        "A1": pivot("shaft", "arm1", coordinate="alpha"),
        "A2": pivot("shaft", "arm2", coordinate="alpha2"),
        "B1": pivot("arm1", "link1", 0, "-l", 0, coordinate="beta"),
        "B2": pivot("arm2", "link2", 0, "-l", 0),
        "C1": pivot("link1", "sleeve", 0, "-l", 0),
        "C2": pivot("link2", "sleeve", 0, "-l", 0),
        "S": {"type": "prismatic", "bodies": ["shaft", "sleeve"], "axis": "y", "coordinate": "z"},
    },
    "initial": {"alpha": "30 deg", "alpha2": "-30 deg", "beta": "-60 deg"},
}


def cuts(model):
    """The joints that close loops, as each page has them."""
    mechanism = ts.load(model)
    parameters = ts.linkages.balance(mechanism).unknowns[0].names
    carrying = {j.name for j in mechanism.joints.values() if {*j.coordinates} <= {*parameters}}
    told = [x.strip() for x in str(ts.tell(mechanism)).splitlines() if "closes a loop" in x]
    return {
        "balance": set(mechanism.joints) - carrying,
        "graph": {x.name for x in edges(mechanism) if x.closing},
        "equations": {x.name for x in ts.formalisms.formulas(mechanism).loops},
        "derivation": {line.split(":")[0] for line in told},
    }


@pytest.mark.parametrize("name", ["watt", "slider_crank", "four_bar", "cardan_shaft"])
def test_a_loop_is_cut_at_the_same_joint_everywhere(name):
    model = WATT if name == "watt" else name
    if name != "watt":
        model = yaml.safe_load((files("torseur.examples") / f"{name}.yaml").read_text())
    pages = cuts(model)
    assert pages["balance"] == pages["graph"]
    if name != "cardan_shaft":  # its loop lines are laws of angles
        assert pages["balance"] == pages["equations"] == pages["derivation"]


def test_coordinates_that_are_named_stay_on_every_page():
    named = {"theta", "alpha", "alpha2", "beta", "z"}
    mechanism = ts.load(WATT)
    assert named <= set(ts.linkages.balance(mechanism).unknowns[0].names)
    assert named <= {x.name for x in ts.formalisms.formulas(mechanism).lines}
    mobility = ts.mobility(mechanism)
    assert (mobility.degree, mobility.overconstraint) == (2, 6)
    told = "\n".join(mobility.directions)
    assert {x for x in mechanism.joints if f'"{x}"' in told} == cuts(WATT)["graph"]
