"""The YAML form: the models of the documentation, every entry, both languages, file and dict."""

import pickle
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
import sympy
from ruamel.yaml import YAML

from torseur.algebra import PI, ZERO, number, symbol
from torseur.errors import ModelError
from torseur.language.load import load
from torseur.model.description import BodyLoad
from torseur.model.joints.catalogue import JOINTS
from torseur.model.joints.library import Distance, Prismatic, Revolute, Screw, Universal
from torseur.model.mass.properties import particles
from torseur.model.values.numbers import Values, values_of
from torseur.spatial.rotation import rodrigues, smallest

MODELS = Path(__file__).parents[1] / "models"


def joined(kind="revolute", **entries):
    """The joint between the ground and one body, as it is read."""
    parameters = entries.pop("parameters", {})
    joint = {"type": kind, "bodies": ["ground", "body"], **entries}
    model = {"parameters": parameters, "bodies": {"body": {"mass": 1}}, "joints": {"A": joint}}
    return load(model).joints["A"]


def matrix(R, parameters=None):
    value = Values(parameters or {})
    return np.array([[value(x) for x in row] for row in R.matrix], dtype=float)


# --- the models of the documentation ------------------------------------------------------------


def test_the_slider_crank_loads_as_it_is():
    model = load(MODELS / "slider_crank.yaml")
    assert model.name == "slider-crank"
    assert model.coordinates == ("alpha", "beta", "x")  # psi closes the loop
    assert model.every_coordinate == ("alpha", "beta", "psi", "x")
    assert model.parameters["l2"] == 0.3
    assert model.parameter_table["Cm"].unit == "N.m"
    assert model.parameter_table["Cm"].meaning == "motor torque"
    assert model.bodies["rod"].inertia[2, 2] is symbol("m2") * symbol("l2") ** 2 / 12
    assert isinstance(model.joints["P"].kind, Prismatic)
    assert model.loads["load"].value is -symbol("Fr")
    assert model.initial["x"] is symbol("l1") + symbol("l2")
    assert list(model.gravity) == [ZERO] * 3
    assert model.notices == ()


def test_the_cart_and_its_pendulum_load_as_they_are():
    model = load(MODELS / "cart_pendulum.yaml")
    assert model.coordinates == ("x", "theta")
    assert model.joints["rail"].kind == Prismatic(0)
    assert list(model.bodies["bob"].centre) == [ZERO, -symbol("l"), ZERO]
    assert model.initial["theta"] is PI / 9
    assert model.loads["spring"].stiffness is symbol("k")
    assert model.loads["damper"].between[1].body == "cart"


def test_the_cardan_shaft_loads_as_it_is():
    model = load(MODELS / "cardan_shaft.yaml")
    assert model.motions["drive"].coordinate == "phi1"
    assert model.motions["drive"].law is symbol("Omega") * symbol("t", "time")


def test_the_cardan_shaft_without_its_motion():
    data = YAML(typ="safe").load((MODELS / "cardan_shaft.yaml").read_text(encoding="utf-8"))
    del data["motions"]
    model = load(data)
    assert model.parameter_table["delta"].value is PI / 6
    assert model.parameter_table["Omega"].unit == "rad/s"
    assert model.joints["cardan"].kind == Universal(1, 2)
    assert model.coordinates == ("phi1", "cardan_1", "cardan_2")
    assert model.every_coordinate == (*model.coordinates, "z2", "phi2")
    (turn,) = model.joints["bearing2"].X_AF.R.factors
    assert (turn.axis, turn.angle) == (2, symbol("delta"))
    shaft = model.bodies["input"]
    volume = np.pi * 0.015**2 * 0.2
    assert values_of(model)(shaft.mass) == pytest.approx(7800 * volume)
    assert shaft.shape[0] == "cylinder"


def test_a_dict_and_the_file_it_comes_from_give_the_same_mechanism():
    path = MODELS / "slider_crank.yaml"
    data = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    file, mapping = load(path), load(data)
    assert mapping.parameters == file.parameters
    assert mapping.initial == file.initial
    for name, joint in file.joints.items():
        other = mapping.joints[name]
        assert (joint.kind, joint.coordinates) == (other.kind, other.coordinates)
        assert list(joint.X_AF.p) == list(other.X_AF.p)
    for name, body in file.bodies.items():
        assert body.mass is mapping.bodies[name].mass
        assert (body.inertia == mapping.bodies[name].inertia).all()


# --- numbers, parameters, bodies ----------------------------------------------------------------


def test_numbers_are_exact_as_written_in_files_and_in_python():
    body = load({"bodies": {"b": {"mass": 0.1, "centre": [1, "1/3", "30 mm"]}}, "joints": FREE})
    assert body.bodies["b"].mass is number(1) / 10
    assert list(body.bodies["b"].centre) == [1, number(1) / 3, number(3) / 100]


FREE = {"A": {"type": "free", "bodies": ["ground", "b"]}}


def test_values_with_a_unit_are_converted_and_the_unit_follows():
    given = {"w": {"value": 30, "unit": "tr/min"}, "l": {"value": 5, "unit": "mm"}, "d": "2*l"}
    model = load({"parameters": given, "bodies": {"b": None}, "joints": FREE})
    assert model.parameter_table["w"].value is PI
    assert model.parameter_table["w"].unit == "rad/s"
    assert model.parameters["d"] == pytest.approx(0.01)


def test_a_parameter_may_wait_for_its_value():
    model = load(
        {"parameters": {"l": None, "m": {"unit": "kg"}}, "bodies": {"b": {"mass": "m"}}}
        | {"joints": FREE}
    )
    assert model.parameters == {"l": None, "m": None}


@pytest.mark.parametrize(
    ("given", "tensor"),
    [
        ([2, 3, 4], np.diag([2, 3, 4])),
        ([2, 3, 4, 0.1, 0.2, 0.3], [[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]]),
        ([[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]], [[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]]),
        ({"A": 2, "B": 3, "C": 4, "D": 0.3, "E": 0.2, "F": 0.1},
         [[2, -0.1, -0.2], [-0.1, 3, -0.3], [-0.2, -0.3, 4]]),
        ({"A": "2e7 g.cm^2", "B": 3, "C": 4, "F": 0.1}, [[2, -0.1, 0], [-0.1, 3, 0], [0, 0, 4]]),
    ],
)  # fmt: skip
def test_an_inertia_is_three_moments_six_components_a_matrix_or_letters(given, tensor):
    model = load({"bodies": {"b": {"mass": 1, "inertia": given}}, "joints": FREE})
    found = [[float(x.value[1]) for x in row] for row in model.bodies["b"].inertia]
    assert found == pytest.approx(np.array(tensor, dtype=float))


def test_letters_of_an_inertia_are_the_integrals_over_particles():
    """A = ∫(y² + z²) dm and F = ∫xy dm: the letters that are read are those that were written."""
    rng = np.random.default_rng(4)
    masses, points = rng.uniform(0.5, 2.0, 6), rng.normal(size=(6, 3))
    x, y, z = (points - masses @ points / masses.sum()).T
    letters = {"A": y * y + z * z, "B": z * z + x * x, "C": x * x + y * y,
               "D": y * z, "E": x * z, "F": x * y}  # fmt: skip
    given = {letter: float(masses @ f) for letter, f in letters.items()}
    body = {"mass": float(masses.sum()), "inertia": given}
    model = load({"bodies": {"b": body}, "joints": FREE})
    found = np.array([[float(x.value[1]) for x in row] for row in model.bodies["b"].inertia])
    np.testing.assert_allclose(found, particles(masses, points).inertia, atol=1e-12)
    with pytest.raises(ModelError, match=r'the entry "B" is missing'):
        load({"bodies": {"b": {"mass": 1, "inertia": {"A": 1, "C": 2}}}, "joints": FREE})


def test_a_shape_gives_mass_and_inertia_and_may_be_moved_by_its_centre():
    rod = {"shape": {"bar": {"length": "l", "axis": "x"}}, "mass": 3, "centre": ["l/2", 0, 0]}
    model = load({"parameters": {"l": 2}, "bodies": {"b": rod}, "joints": FREE})
    assert model.bodies["b"].centre[0] is symbol("l") / 2
    assert values_of(model)(model.bodies["b"].inertia[1, 1]) == pytest.approx(3 * 2**2 / 12)


# --- joints -------------------------------------------------------------------------------------


ENTRIES = {
    "revolute": {"axis": "z"},
    "prismatic": {"axis": "z"},
    "cylindrical": {"axis": "z"},
    "screw": {"axis": "z", "pitch": "5 mm"},
    "universal": {"axes": ["x", "y"]},
    "planar": {"normal": "z"},
    "line contact": {"normal": "z", "line": "y"},
    "annular contact": {"axis": "z"},
    "point contact": {"normal": "z"},
    "parallel axes": {"axis": "z"},
    "distance": {"length": 0.3},
    "defined": {"coordinates": ["a", "b"], "position": ["a", "b", 0]},
}


@pytest.mark.parametrize("name", [name for joint in JOINTS for name in joint.names])
def test_every_joint_name_is_understood_in_both_languages(name):
    (kind,) = (joint for joint in JOINTS if name in joint.names)
    joint = joined(name.upper().replace("È", "E"), **ENTRIES.get(kind.names[0], {}))
    assert isinstance(joint.kind, kind)
    assert len(joint.coordinates) == joint.kind.nq
    assert len(joint.speeds) == (joint.kind.nv if kind.carries else 0)


def test_coordinates_and_speeds_have_readable_default_names():
    assert joined(axis="x").coordinates == ("A",)
    assert joined("cylindrical", axis="x").coordinates == ("A_distance", "A_angle")
    assert joined("planar", normal="y").coordinates == ("A_z", "A_x", "A_angle")
    assert joined("rotule").coordinates == ("A_w", "A_x", "A_y", "A_z")
    assert joined("rotule").speeds == ("A_wx", "A_wy", "A_wz")
    assert joined("free").speeds == ("A_x.", "A_y.", "A_z.", "A_wx", "A_wy", "A_wz")
    line = joined("linéaire rectiligne", normal="z", line="y")
    assert line.coordinates == ("A_x", "A_y", "A_angle", "A_roll")
    point = joined("ponctuelle", normal="y")
    assert point.coordinates == ("A_z", "A_x", "A_qw", "A_qx", "A_qy", "A_qz")
    assert point.speeds == ("A_z.", "A_x.", "A_wx", "A_wy", "A_wz")
    annular = joined("lineaire annulaire", axis="x")
    assert annular.coordinates == ("A_distance", "A_qw", "A_qx", "A_qy", "A_qz")
    assert annular.speeds == ("A_distance.", "A_wx", "A_wy", "A_wz")


@pytest.mark.parametrize("rotation", [None, [{"y": "30 deg"}, {"z": "90 deg"}]])
@pytest.mark.parametrize(("kind", "entry"), [("annular", "axis"), ("point", "normal")])
def test_the_direction_of_a_ball_contact_is_one_of_the_first_body(kind, entry, rotation):
    """Whatever the orientation of the second body, which the quaternion 1 stands for."""
    given = {entry: [1, 2, 0]} | ({"rotation": rotation} if rotation else {})
    joint = joined(kind, **given)
    R_AF, R_BM = matrix(joint.X_AF.R), matrix(joint.X_BM.R)
    k = joint.kind.axis if kind == "annular" else joint.kind.normal
    assert R_AF[:, k] == pytest.approx(np.array([1, 2, 0]) / 5**0.5)
    y, z = np.eye(3)[1:]
    turned = rodrigues(y, np.pi / 6) @ rodrigues(z, np.pi / 2) if rotation else np.eye(3)
    found = R_AF @ R_BM.T
    assert found == pytest.approx(turned)


def test_the_line_of_a_contact_lies_in_its_plane_after_the_smallest_rotation():
    joint = joined("line contact", normal=[0, 0, 1], line=[0, 1, 1])
    R_AF, R_BM = matrix(joint.X_AF.R), matrix(joint.X_BM.R)
    assert R_AF[:, joint.kind.normal] == pytest.approx([0, 0, 1])
    assert R_BM[:, joint.kind.line] == pytest.approx([0, HALF, HALF])
    turned = R_AF @ R_BM.T
    assert turned == pytest.approx(rodrigues(np.array([1, 0, 0]), -np.pi / 4))


def test_a_rod_has_a_length_and_no_coordinates():
    joint = joined("barre", length="2*l", point=[[0, 0, 0], [1, 0, 0]], parameters={"l": 0.2})
    assert joint.kind == Distance(2 * symbol("l"))
    assert (joint.coordinates, joint.speeds) == ((), ())


def test_the_pitch_of_a_screw_is_per_turn():
    joint = joined("screw", axis="z", pitch="5 mm")
    assert joint.kind == Screw(2, number(1) / 200 / (2 * PI))


def test_one_point_is_the_same_in_both_bodies():
    joint = joined(axis="z", point=[1, 2, 3])
    assert list(joint.X_AF.p) == list(joint.X_BM.p) == [1, 2, 3]


def test_limits_are_a_pair_or_one_pair_a_coordinate():
    assert joined(axis="z", limits=[0, "90 deg"]).limits == ((0, PI / 2),)
    planar = joined("planar", normal="z", limits=[[0, 1], None, [2, 3]])
    assert planar.limits == ((0, 1), None, (2, 3))


AXES = [
    "x", "-y", [0, 0, 2], [1, 1, 0], [0, -1, 2], [-1, 0, -3], [1, 2, 3], [-1, 2, -3], [1, -1, -1],
    ["cos(d)", "sin(d)", 0], ["sin(d)", 0, "cos(d)"], ["k", "d", 1],
]  # fmt: skip
VALUES = {"d": 0.4, "k": -2.0}


def direction(axis):
    if isinstance(axis, str):
        return np.eye(3)["xyz".index(axis[-1])] * (-1 if axis[0] == "-" else 1)
    space = {"cos": np.cos, "sin": np.sin, **VALUES}
    vector = np.array([eval(str(component), space) for component in axis], dtype=float)
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("first", AXES, ids=str)
def test_the_axis_is_a_coordinate_axis_of_both_frames_and_the_rotation_the_smallest(first):
    for second in AXES:
        a, b = direction(first), direction(second)
        if a @ b < -0.999:
            continue
        joint = joined(axis=[first, second], parameters=VALUES)
        R_AF, R_BM = (matrix(X.R, VALUES) for X in (joint.X_AF, joint.X_BM))
        assert isinstance(joint.kind, Revolute)
        assert R_AF[:, joint.kind.axis] == pytest.approx(a)
        assert R_BM[:, joint.kind.axis] == pytest.approx(b)
        assert np.allclose(R_AF @ R_BM.T, smallest(b, a), rtol=0, atol=1e-12)
        assert np.linalg.det(R_AF) == pytest.approx(1)


def test_coordinate_axes_cost_nothing():
    assert joined(axis="y").X_AF.R.factors == ()
    assert joined(axis=[0, 0, 5]).X_BM.R.factors == ()
    assert matrix(joined(axis="-z").X_AF.R) == pytest.approx(np.diag([1, -1, -1]))


HALF = 0.5**0.5
ORDER = ("cos", "cos"), ("cos", "sin"), ("sin", "sin"), ("sin", "cos")
ATTITUDE = [f"{first}(15 deg)*{second}(45 deg)" for first, second in ORDER]


@pytest.mark.parametrize(
    "rotation",
    [
        [{"z": "30 deg"}, {"x": "90 deg"}],
        [["cos(30 deg)", 0, "sin(30 deg)"], ["sin(30 deg)", 0, "-cos(30 deg)"], [0, 1, 0]],
        ATTITUDE,
    ],
    ids=["turns", "matrix", "quaternion"],
)
def test_a_rotation_is_the_orientation_of_the_second_body_at_zero(rotation):
    z, x = np.array([0, 0, 1]), np.array([1, 0, 0])
    R_AB = rodrigues(z, np.pi / 6) @ rodrigues(x, np.pi / 2)
    joint = joined(axis=["z", list(map(float, R_AB.T @ z))], rotation=rotation)
    found = matrix(joint.X_AF.R) @ matrix(joint.X_BM.R).T
    assert found == pytest.approx(R_AB)
    spherical = joined("rotule", rotation=rotation)
    assert matrix(spherical.X_BM.R) == pytest.approx(R_AB.T)


def test_the_arms_of_a_cardan_are_made_normal_by_the_smallest_rotation():
    joint = joined("cardan", axes=[[1, 0, 0], [1, 1, 0]])
    R_AF, R_BM = matrix(joint.X_AF.R), matrix(joint.X_BM.R)
    assert R_AF[:, joint.kind.first] == pytest.approx([1, 0, 0])
    assert R_BM[:, joint.kind.second] == pytest.approx([HALF, HALF, 0])
    turned = R_AF @ R_BM.T
    assert turned == pytest.approx(rodrigues(np.array([0, 0, 1]), np.pi / 4))


# --- actions ------------------------------------------------------------------------------------


def test_motors_forces_and_points():
    model = load(
        {
            "parameters": {"c": 2, "b": 2, "F": 3},
            "bodies": {"arm": {"mass": 1}},
            "joints": {"A": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z"}},
            "motors": {
                "m": {
                    "joint": "A",
                    "ratio": 50,
                    "rotor_inertia": "1e-4 kg.m^2",
                    "axis": "-z",
                    "viscous": {"motor": "b", "output": 1},
                    "dry": {"motor": 3, "output": [1, 2]},
                    "torque": "c*sin(t) - A.",
                }
            },
            "forces": {
                "push": {"type": "wrench", "body": "arm", "force": ["-F*A", 0, 0], "frame": "body"}
            },
            "points": {"tip": ["arm", [1, 0, 0]]},
            "initial": {"A": "30 deg", "A.": 2},
        }
    )
    motor = model.motors["m"]
    assert motor.viscous_motor is symbol("b")
    assert (motor.dry_motor, motor.dry_output) == ((3, 3), (1, 2))
    assert list(motor.axis) == [0, 0, -1]
    time, speed = symbol("t", "time"), symbol("A.", "speed")
    assert motor.torque is symbol("c") * time.sin() - speed
    push = model.loads["push"]
    assert isinstance(push, BodyLoad)
    assert push.follows
    assert push.force[0] is -symbol("F") * symbol("A", "coordinate")
    assert model.points["tip"].body == "arm"
    assert model.initial == {"A": PI / 6, "A.": number(2)}


def test_gravity_given_to_load_replaces_that_of_the_file():
    model = load(MODELS / "slider_crank.yaml", gravity=(0, "-9.81*m2", 0))
    assert model.gravity[1] is number(-981) / 100 * symbol("m2")


# --- definitions and names ----------------------------------------------------------------------

SLIDER = {
    "parameters": {"k": "3 N/m", "l0": "0.2 m", "w": "2 rad/s", "M": 1},
    "bodies": {"cart": {"mass": "M"}},
    "joints": {"P": {"type": "glissière", "bodies": ["ground", "cart"], "axis": "x",
                     "coordinate": "x"}},
}  # fmt: skip


def test_a_definition_stands_for_its_expression_wherever_it_is_used():
    definitions = {"stretch": "max(x - l0, 0)", "pull": "-k*stretch", "wave": "l0*sin(w*t)"}
    parts = {
        "forces": {"f": {"type": "joint", "joint": "P", "value": "pull + k*wave"}},
        "events": {"taut": "stretch - l0/2"},
        "motions": {"m": {"coordinate": "x", "law": "2*wave"}},
    }
    named = load(SLIDER | parts | {"definitions": definitions})
    written = {
        "forces": {"f": {"type": "joint", "joint": "P",
                         "value": "-k*max(x - l0, 0) + k*l0*sin(w*t)"}},
        "events": {"taut": "max(x - l0, 0) - l0/2"},
        "motions": {"m": {"coordinate": "x", "law": "2*l0*sin(w*t)"}},
    }  # fmt: skip
    direct = load(SLIDER | written)
    assert named.loads["f"].value is direct.loads["f"].value
    assert named.events["taut"].zero is direct.events["taut"].zero
    assert named.motions["m"].law is direct.motions["m"].law


@pytest.mark.parametrize(
    ("definitions", "force", "problem"),
    [
        ({"a": "k*x"}, "a + l0", "joins"),
        ({"a": "b", "b": "x"}, "a", '"b" does not exist'),
        ({"x": "k"}, "x", "already used"),
        ({"k": "x"}, "k", "already used"),
        ({"sin": "x"}, "1", "reserved"),
        ({"a": "k +"}, "1", "not complete"),
    ],
)
def test_a_definition_that_makes_no_sense_is_told(definitions, force, problem):
    parts = {"forces": {"f": {"type": "joint", "joint": "P", "value": force}}}
    with pytest.raises(ModelError) as caught:
        load(SLIDER | parts | {"definitions": definitions})
    assert problem in str(caught.value)


def test_a_law_of_motion_takes_only_definitions_of_time():
    parts = {"motions": {"m": {"coordinate": "x", "law": "a"}}, "definitions": {"a": "2*x"}}
    with pytest.raises(ModelError, match='"a" does not exist'):
        load(SLIDER | parts)


@pytest.mark.parametrize("name", ["t", "pi", "sin", "max", "inf"])
def test_a_joint_whose_name_is_reserved_is_told_what_to_do(name):
    joint = {"type": "pivot", "bodies": ["ground", "cart"], "axis": "z"}
    with pytest.raises(ModelError, match="Rename the joint"):
        load(SLIDER | {"joints": {name: joint}})
    load(SLIDER | {"joints": {name: joint | {"coordinate": "q"}}})


def test_the_message_for_an_impossible_inertia_tells_how_to_accept_it():
    body = {"mass": 1, "inertia": [1, 1, 3]}
    with pytest.raises(ModelError, match=r"accept: \[triangle\]"):
        load(SLIDER | {"bodies": {"cart": body}})
    load(SLIDER | {"bodies": {"cart": body | {"accept": ["triangle"]}}})


def test_a_bare_name_is_an_example_and_never_in_the_place_of_a_file_that_is_here(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    assert load("slider_crank") == load(files("torseur.examples") / "slider_crank.yaml")
    (tmp_path / "crane.yaml").write_text("bodies: {}")
    (tmp_path / "slider_crank.yaml").write_text("bodies: {}")
    for name in ("crane", "slider_crank"):  # a copy that was changed is not passed over
        with pytest.raises(ModelError, match=rf'Did you mean "{name}.yaml"'):
            load(name)
    with pytest.raises(ModelError, match=r'"four_bar.yaml" does not exist'):
        load("four_bar.yaml")


def test_a_bare_word_that_nothing_bears_is_no_phrase(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match="no file and no example") as caught:
        load("slider_crnk")
    assert caught.value.advice[-1] == 'Did you mean "slider_crank"?'
    with pytest.raises(ModelError, match=r'"RX" is not complete'):
        load("RX")


@pytest.mark.parametrize(
    "mass", [np.float64(0.5), np.int64(2), np.array(0.5), Fraction(1, 2), sympy.Symbol("k") / 3]
)
def test_a_description_by_numbers_of_any_kind_is_saved_and_copied(mass, tmp_path):
    body = {"mass": mass, "centre": np.array([0.1, 0, 0])}
    model = load({"parameters": {"k": 2}, "bodies": {"b": body}, "joints": FREE})
    assert load(model.save(tmp_path / "model.yaml")) == model
    assert pickle.loads(pickle.dumps(model)) == model


def test_a_stiffness_in_newtons_per_metre_stands_beside_a_mass_called_m():
    model = {
        "parameters": {"m": "2 kg", "s": "1 m", "k": "4 kN/m"},
        "gravity": [0, "-9.81 m/s^2", 0],
        "bodies": {"b": {"mass": "m"}},
        "joints": {"A": {"type": "prismatic", "bodies": ["ground", "b"], "axis": "y",
                         "coordinate": "y"}},
        "forces": {"f": {"type": "spring", "between": [["ground", [0, 1, 0]], ["b", [0, 0, 0]]],
                         "stiffness": "4000 N/m"}},
        "initial": {"y.": "-3 m/s"},
    }  # fmt: skip
    found = load(model)
    assert found.parameter_table["k"].value == 4000
    assert found.gravity[1] == Fraction(-981, 100)
    assert found.initial["y."] == -3
