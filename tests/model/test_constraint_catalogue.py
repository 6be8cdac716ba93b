"""Every constraint of the catalogue, and a new one, get every service from their declaration."""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import torseur as ts
from torseur.equations.formalisms.absolute import multiplier_meanings
from torseur.errors import ModelError
from torseur.language.yaml.form import yaml_mechanism
from torseur.model.constraints.catalogue import CONSTRAINTS, MOTIONS
from torseur.model.constraints.protocol import (
    Constraint,
    Holding,
    JointRows,
    MeshRow,
    Unilateral,
    bodies_of,
)
from torseur.model.constraints.selection import restraints
from torseur.model.forces.protocol import Key, Kind
from torseur.model.joints.library import PointContact
from torseur.model.values.fingerprint import fingerprint
from torseur.report.drawing.graph_drawing import graph_texts
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import assemble
from torseur.spatial.pose import Pose
from torseur.teach.derivation.parametrisation_step import parametrisation
from torseur.teach.derivation.telling import Telling
from torseur.words.sentence import type_words

PAGE = (Path(__file__).parents[2] / "docs" / "format.md").read_text(encoding="utf-8")

# --- constraints of one's own -------------------------------------------------------------------


@dataclass(frozen=True)
class Slot(Constraint):
    """A point of the second body stays in the plane y = 0 of the first."""

    name: str
    bodies: tuple[str, str]
    at: Pose = field(default_factory=Pose)
    place: str = ""

    names = ("slot", "rainure")
    keys = (Key("bodies", Kind.PAIR, "[ground, arm]"), Key("at", Kind.PLACE))
    words: ClassVar = {"en": "{}: a point in a slot.", "fr": "{} : un point dans une rainure."}
    meanings = ("force along y of F",)

    @property
    def rows(self):
        return JointRows(self.name, PointContact(normal=1), *self.bodies, X_BM=self.at)


class Rest(Slot):
    """The same, on one side only."""

    names = ("rest", "appui")
    holding = Unilateral()


@pytest.fixture(autouse=True)
def own_constraints():
    CONSTRAINTS.extend([Slot, Rest])
    yield
    del CONSTRAINTS[-2:]


# --- a model for each way to write one ----------------------------------------------------------

ARM = {"mass": 2.0, "centre": [0.1, 0.02, 0.05], "inertia": [0.02, 0.03, 0.04]}
PLANE = {
    "gravity": [0, -9.81, 0],
    "parameters": {"r": 0.3, "w": 2.0},
    "bodies": {"arm": ARM},
    "joints": {
        "plane": {
            "type": "planar",
            "bodies": ["ground", "arm"],
            "normal": "z",
            "coordinates": ["x", "y", "phi"],
        }
    },
    "initial": {"x": 0.2, "y": 0.1, "phi": 0.3},
}
FREE = {
    "gravity": [0, 0, -9.81],
    "parameters": {"r": 0.3},
    "bodies": {"arm": ARM},
    "joints": {"free": {"type": "free", "bodies": ["ground", "arm"]}},
    "initial": {"free_z": "r"},
}
WHEELS = {
    "gravity": [0, -9.81, 0],
    "parameters": {"r": 0.3, "s": 0.2},
    "bodies": {"one": ARM, "two": ARM, "carrier": ARM},
    "joints": {
        "C": {"type": "pivot", "bodies": ["ground", "carrier"], "axis": "z"},
        "A": {"type": "pivot", "bodies": ["carrier", "one"], "axis": "z"},
        "B": {"type": "pivot", "bodies": ["carrier", "two"], "axis": "z",
              "point": [["r+s", 0, 0], [0, 0, 0]]},
    },
    "initial": {"A.": 1.0},
}  # fmt: skip
FLOOR = {"type": "rolling", "bodies": ["ground", "arm"], "radius": "r", "normal": "z"}


def held(model, **entries):
    """A model with one constraint."""
    return model | {"constraints": {"it": entries}}


def moved(model, **entries):
    """A model with one imposed motion."""
    return model | {"motions": {"it": entries}}


MODELS = {
    "relation": held(PLANE, type="relation", zero="x^2 + y^2 + w*t*x - r*phi"),
    "relation of speeds": held(PLANE, type="relation", zero="x.*sin(phi) - y.*cos(phi) - t*x"),
    "coupling": held(PLANE, type="couplage", coefficients={"x": 2, "phi": "r"}, value="y + 0.1 m"),
    "disc": held(FREE, **FLOOR, shape="disc", axis="y", point=[[0, 0, 0], [0.1, 0, 0]]),
    "ball": held(FREE, **FLOOR | {"type": "roulement"}, shape="bille"),
    "cylinder": held(FREE, **FLOOR, shape="cylinder", axis="y"),
    "ellipsoid": held(FREE, **{k: x for k, x in FLOOR.items() if k != "radius"},
                      shape="ellipsoid", radii=["r", 0.2, "2*r"]),
    "line": held(FREE, **FLOOR, shape="line", along="x"),
    "disc on a profile": held(FREE, **FLOOR, shape="disc", axis="y", on="profile", along="x",
                              height="0.1*r*cos(x/r)"),
    "outline in a ring": held(
        FREE | {"initial": {"free_z": "-4*r"}}, type="rolling", bodies=["ground", "arm"],
        shape="outline", outline="r*(1 + 0.1*cos(2*theta))", axis="y", on="ring",
        surface_outline="5*r*(1 + 0.1*cos(theta))", surface_axis="y"),
    "ball on a shaft": held(
        FREE | {"initial": {"free_z": "2*r"}}, type="rolling", bodies=["ground", "arm"],
        shape="ball", radius="r", on="shaft", surface_radius="r", surface_axis="x"),
    "gear": held(WHEELS, type="gear", joints=["A", "B"], radii=["r", "s"], kind="external",
                 pressure_angle="20 deg", lead=0),
    "pitch point": held(WHEELS, type="engrenage", bodies=["one", "two"], carrier="carrier",
                        point=["r", 0, 0], direction="y"),
    "belt": held(WHEELS, type="belt", joints=["A", "B"], radii=["r", "s"], crossed="true"),
    "rope": held(WHEELS, type="corde", length="5*r",
                 through=[["one", ["r", 0, 0]], ["two", [0, "r", 0]], ["ground", [0, "2*r", 0]]]),
    "motion of a coordinate": moved(PLANE, coordinate="phi", law="0.3 + w*t^2/s^2")
    | {"parameters": {"r": 0.3, "w": 2.0, "s": 1.5}},
    "motion of a point": moved(FREE, body="arm", position=["t^2", "sin(t)", "2*t"],
                               point=[0.1, 0, 0]),
    "motion of a body": moved(FREE, body="arm", position=["t^2", "sin(t)", "2*t"],
                              rotation=[{"z": "0.5*t"}, {"x": "sin(t)"}], point=[0.1, 0.2, 0.3]),
    "coincidence": held(FREE, type="coincidence", bodies=["ground", "arm"],
                        point=[["r", 0, 0], [0.1, 0.05, 0.2]]),
    "separation": held(FREE, type="écartement", bodies=["ground", "arm"],
                       point=[["2*r", 0, 0], [0.1, 0, 0]], length="r"),
    "orthogonality": held(FREE, type="orthogonality", bodies=["ground", "arm"],
                          first_direction=[1, 1, 0], second_direction=[0, 1, 2]),
    "point on plane": held(FREE, type="point sur plan", bodies=["ground", "arm"],
                           point=[["r", 0, 0], [0.1, 0, 0]], normal=[0, 1, 2], height=0.1),
    "slot": held(FREE, type="rainure", bodies=["ground", "arm"], at=[0.1, 0.05, 0.2]),
}  # fmt: skip
ONE_SIDE = held(FREE, type="rest", bodies=["ground", "arm"], at=[0.1, 0.05, 0.2])


@cache
def compiled(case):
    """The compiled model, made once."""
    return ts.compile(ts.load(MODELS[case]))


each = pytest.mark.parametrize("case", MODELS)


def loaded(case):
    """A model and its constraint."""
    mechanism = ts.load(MODELS[case])
    return mechanism, *restraints(mechanism)


# --- reading ------------------------------------------------------------------------------------


def test_the_models_here_use_every_entry_of_every_constraint_and_motion():
    used = {}
    for model in MODELS.values():
        for section in ("constraints", "motions"):
            for entries in model.get(section, {}).values():
                found = entries.get("type", next(iter(entries)))
                used.setdefault(found, set()).update(entries)
    for made in CONSTRAINTS[:-1]:
        keys = set().union(*(used.get(name, set()) for name in made.names))
        rubbing = {"friction"}  # with which it is an element, as contacts are
        assert {key.name for key in made.keys} - rubbing <= keys, made.names
    for made in MOTIONS:
        assert {key.name for key in made.keys} <= used[made.keys[0].name], made.names


def test_the_page_on_the_format_has_every_name_and_every_entry():
    section = PAGE.split("### constraints")[1].split("### events")[0]
    for made in CONSTRAINTS[:-2]:
        row = next(x for x in section.splitlines() if x.startswith(f"| `{made.names[0]}`"))
        for word in (*made.names, *(key.name for key in made.keys)):
            assert f"`{word}`" in row, word
    for key in (key for made in MOTIONS for key in made.keys):
        assert key.name in section.split("### motions")[1]


@each
def test_an_entry_that_a_constraint_does_not_declare_is_refused_with_those_it_does(case):
    model = MODELS[case]
    section = "constraints" if "constraints" in model else "motions"
    with pytest.raises(ModelError) as error:
        ts.load(model | {section: {"it": model[section]["it"] | {"colour": "red"}}})
    assert 'unknown entry "colour" for ' in str(error.value)
    for key in set(model[section]["it"]) - {"type"}:
        assert key in str(error.value)


@each
def test_the_yaml_form_of_a_constraint_is_read_back_as_it_was(case):
    mechanism, constraint = loaded(case)
    back = yaml_mechanism(mechanism.yaml(), "")
    assert fingerprint(back) == fingerprint(mechanism)
    assert type(restraints(back)[0]) is type(constraint)


# --- rows ---------------------------------------------------------------------------------------


def state(model, rng, t):
    """A random state that satisfies every constraint at time t."""
    rows = NumericConstraints(model)
    q = np.zeros(len(model.coordinates))
    for _, link in model.system.tree:
        q[link.q] = link.joint.neutral()
    q = advanced(model, q, 0.3 * rng.normal(size=len(model.speeds)))
    guess = dict(zip(model.coordinates, q, strict=True))
    q, v = assemble(model, guess, t=t).q, rng.normal(size=len(model.speeds))
    J = rows.J(q, t)
    return rows, q, v - np.linalg.pinv(J) @ (J @ v + rows.rate(q, t))


@each
def test_rows_are_the_rates_of_the_gap_and_of_one_another(case):
    model, t, h = compiled(case), 0.7, 1e-5
    (constraint,) = restraints(model.mechanism)
    rows, q, v = state(model, np.random.default_rng(1), t)
    assert rows.owners == ("it",) * constraint.rows.count
    assert len(rows.positions) >= constraint.rows.positions

    def after(s):
        """Where constant speeds lead, to second order."""
        middle = advanced(model, q, s / 2 * v)
        parts = [link.joint.rates(middle[link.q], v[link.v]) for _, link in model.system.tree]
        return advanced(model, q + s * np.concatenate(parts), np.zeros_like(v))

    def speeds(s):
        return rows.J(after(s), t + s) @ v + rows.rate(after(s), t + s)

    gaps = (rows.gap(after(h), t + h) - rows.gap(after(-h), t - h)) / (2 * h)
    np.testing.assert_allclose(gaps, speeds(0.0)[rows.positions], atol=1e-8)
    second = (speeds(h) - speeds(-h)) / (2 * h)
    np.testing.assert_allclose(second, rows.bias(q, v, t), atol=1e-7)


@pytest.mark.sampled(10)
@each
def test_joint_and_absolute_coordinates_agree_on_motion_and_multipliers(case):
    model = compiled(case)
    joint, absolute = (
        ts.simulate(model, 0.02, rate=100, rtol=1e-10, coordinates=name)
        for name in ("joint", "absolute")
    )
    for name in model.mechanism.coordinates:
        np.testing.assert_allclose(joint[name], absolute[name], atol=1e-8)
    rows = restraints(model.mechanism)[0].rows
    if isinstance(rows, JointRows):
        found = joint.reaction("it"), absolute.reaction("it")
    else:
        found = joint.multiplier("it"), absolute.multiplier("it")
    np.testing.assert_allclose(*found, atol=1e-6 * (1 + np.abs(found[0]).max()))


def test_what_holds_is_told_from_what_is_imposed():
    for case in MODELS:
        mechanism, constraint = loaded(case)
        imposed = constraint.holding is Holding.IMPOSED
        assert imposed == ("it" in mechanism.motions), case


# --- words and pictures -------------------------------------------------------------------------


@each
def test_every_row_has_a_multiplier_with_a_meaning(case):
    mechanism, constraint = loaded(case)
    rows = constraint.rows
    assert len(constraint.meanings) == rows.count
    told = multiplier_meanings(mechanism, ["it"] * rows.count)
    assert told == tuple(f'"it": {text}' for text in constraint.meanings)
    assert set(bodies_of(rows)) <= {"ground", *mechanism.bodies}


@each
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_derivation_tells_of_it_in_both_languages(case, lang):
    mechanism, constraint = loaded(case)
    english, own = (type_words(constraint.words, x) for x in ("en", lang))
    assert (english == own) == (lang == "en")
    assert own.format("it") in parametrisation(Telling(mechanism, lang)).text


def labelled(picture, kind):
    """Whether a box of the joint graph has its name and its type, in one line or in two."""
    below = r": |</text>\s*<text[^>]*>| \\\\ \\small "
    return re.search(rf"\bit(?:{below}){re.escape(kind)}", picture) is not None


@pytest.mark.sampled(10)
@each
def test_it_is_drawn_and_stands_in_the_joint_graph_where_it_joins_bodies(case, tmp_path):
    mechanism, constraint = loaded(case)
    drawing = ts.drawing(mechanism, tmp_path / "drawing.svg")
    assert "<svg" in drawing.read_text(encoding="utf-8")
    joins = isinstance(constraint.rows, JointRows | MeshRow) and "it" in mechanism.constraints
    for picture in graph_texts(mechanism):
        assert labelled(picture, constraint.names[0]) == joins


@each
def test_unknowns_and_diagnosis_count_its_rows(case):
    mechanism, constraint = loaded(case)
    counted = ts.linkages.balance(mechanism)
    assert any(x.count == constraint.rows.count for x in counted.unknowns if "it" in x.source)
    assert ts.check(mechanism) is not None


# --- one side only ------------------------------------------------------------------------------


def test_a_constraint_on_one_side_is_drawn_and_moves_as_a_contact_that_cannot_pull():
    mechanism = ts.load(ONE_SIDE)
    assert isinstance(mechanism.constraints["it"].holding, Unilateral)
    assert labelled(graph_texts(mechanism)[0], "rest")
    run = ts.simulate(mechanism, 0.5, initial={"free_y.": -1.0})
    it = run.contact("it")
    assert [event.cause for event in run.events].count("shock") >= 1
    assert it.gap.min() > -1e-12
    assert (it.normal >= 0).all()
    np.testing.assert_array_equal(it.normal[it.gap > 1e-9], 0.0)
    assert run.energy_drift < 1e-8


def test_what_cannot_follow_a_constraint_on_one_side_says_so():
    mechanism = ts.load(ONE_SIDE)
    for solving in (
        ts.linearise,
        ts.equilibria,
        ts.first_integrals,
        lambda x: ts.chaos.lyapunov(x, 0.1),
        lambda x: ts.simulate(x, 0.1, method="symplectic"),
    ):
        with pytest.raises(ModelError) as error:
            solving(mechanism)
        assert '"it" may open, stick or slide' in str(error.value)
        assert "ts.in_mode" in str(error.value)
