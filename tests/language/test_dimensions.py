"""Every expression of a model measures what its place needs; what does not fit is refused."""

import copy
import random
import re
from functools import cache, partial
from importlib.resources import files

import pytest
from ruamel.yaml import YAML

from torseur.algebra.forms.dimensions import DimensionForm, Dimensions, dimension
from torseur.errors import ModelError
from torseur.language.load import load
from torseur.units import PREFIXES, unit_factor

EXAMPLES = sorted(
    (path for path in files("torseur.examples").iterdir() if path.name.endswith(".yaml")),
    key=lambda path: path.name,
)
TEXTS = ("torseur", "name", "description", "parameters", "tables", "reactions")
FREE_NUMBER = re.compile(r"(?<![\w^/.])[\d.]")  # a number that may stand for a quantity


@cache
def data(path):
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


def expressions(model, names):
    """The places of expressions that hold parameters and no number with a dimension."""
    found = []

    def walk(value, path):
        if isinstance(value, dict):
            for key, x in value.items():
                walk(x, (*path, key))
        elif isinstance(value, list):
            for k, x in enumerate(value):
                walk(x, (*path, k))
        elif isinstance(value, str) and not FREE_NUMBER.search(value):
            used = [x for x in re.findall(r"[^\W\d]\w*", value) if x in names]
            is_name = path[-1] in ("body", "joint", "coordinate", "type") or "bodies" in path
            named = path[0] == "points" and path[-1] == 0
            ends = "between" in path and path[-1] == 0 and len(path) == 5
            if used and not (is_name or named or ends):
                found.append(path)

    for section, value in model.items():
        if section not in TEXTS:
            walk(value, (section,))
    return found


def replaced(model, path, change):
    made = copy.deepcopy(model)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = change(inner[path[-1]])
    return made


def measured(model):
    """The parameters whose unit is stated, with their dimensions."""
    parameters = model.get("parameters") or {}
    units = {n: p["unit"] for n, p in parameters.items() if isinstance(p, dict) and "unit" in p}
    return {name: dimension(unit) for name, unit in units.items()}


def swaps(model, rng, count):
    """Models in which one parameter of one expression is another one, of another dimension."""
    units = measured(model)
    places = expressions(model, units)
    for path in rng.sample(places, min(count, len(places))):
        text = model
        for key in path:
            text = text[key]
        old = rng.choice([x for x in re.findall(r"[^\W\d]\w*", text) if x in units])
        others = [x for x in units if units[x] != units[old]]
        if others:
            new = rng.choice(others)
            yield replaced(model, path, partial(re.sub, rf"\b{old}\b", new, count=1)), path


@pytest.mark.sampled(20)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_a_symbol_of_another_dimension_is_refused_where_it_stands(path):
    model = data(path)
    for wrong, place in swaps(model, random.Random(path.name), 4):
        with pytest.raises(ModelError) as caught:
            load(wrong)
        section = ".".join(map(str, place[:2]))
        fault = next(x for x in caught.value.faults if section in x.place)
        assert re.search(r"is expected|joins|argument|exponent", fault.problem), place


def implied(mechanism):
    """The dimensions of parameters."""
    return {name: str(x.dimension) for name, x in mechanism.parameter_table.items()}


@pytest.mark.sampled(20)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_rewritings_of_the_same_dimension_are_accepted(path):
    rng, model = random.Random(path.name), data(path)
    forms = ("({})/2 + ({})/2", "2*({}) - ({})", "-(-({}))", "1/3*({})*3", "({}) + 0")
    places = expressions(model, measured(model))
    known = implied(load(model))
    for place in rng.sample(places, min(3, len(places))):
        form = rng.choice(forms)
        again = load(replaced(model, place, lambda x, form=form: form.replace("{}", x)))
        assert implied(again) == known


# --- the rules ----------------------------------------------------------------------------------

PENDULUM = {
    "gravity": [0, "-g", 0],
    "parameters": {
        "m": 2,
        "l": "0.5 m",
        "g": 9.81,
        "k": {"value": 3, "unit": "kg"},
        "w": 2,
        "C": 1,
    },
    "bodies": {"arm": {"mass": "m", "centre": ["l/2", 0, 0], "inertia": [0, 0, "1/12*m*l^2"]}},
    "joints": {"O": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z", "coordinate": "q"}},
}


COUPLING = {"type": "coupling", "coefficients": {"q": "l"}}


def with_part(section, **parts):
    return PENDULUM | {section: {**PENDULUM.get(section, {}), **parts}}


def problem(model):
    with pytest.raises(ModelError) as caught:
        load(model)
    return caught.value.problem


def joint(value):
    return with_part("forces", f={"type": "joint", "joint": "O", "value": value})


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (with_part("bodies", arm={"mass": "l"}), '"l" is a length [m], where a mass [kg]'),
        (with_part("bodies", arm={"mass": "3 m"}), '"3 m" is a length [m], where a mass [kg]'),
        (with_part("bodies", arm={"mass": "m", "inertia": [0, 0, "m*l/12"]}), "[kg.m]"),
        (with_part("bodies", arm={"mass": "k + l"}), '"+" joins a mass [kg] and a length [m]'),
        (
            with_part("bodies", arm={"shape": {"bar": {"length": "l"}}, "density": "k/l^3"}),
            "a density [kg/m^3], where a mass per length [kg/m]",
        ),
        (with_part("parameters", I={"value": "k*l", "unit": "J"}), "[kg.m]"),
        (
            with_part("forces", f={"type": "torsion spring", "joint": "O", "stiffness": "k"}),
            '"k" is a mass [kg], where a torsion stiffness [N.m/rad]',
        ),
        (joint("-k*q"), "where a couple"),
        (joint("C*sin(l)"), "the argument of sin is a length [m]"),
        (joint("m*g"), '"m*g" is a force [N]'),
        (with_part("motions", d={"coordinate": "q", "law": "l*t"}), "[m.s]"),
        (with_part("initial", q="l"), '"l" is a length [m], where an angle'),
        (with_part("initial", **{"q.": "3 rad"}), "where an angular speed"),
        (with_part("events", e="q - l"), '"-" joins an angle or a plain number and a length'),
        (
            with_part("constraints", r=COUPLING | {"value": "m"}),
            "is a length [m], where a mass [kg]",
        ),
        (with_part("points", P=["arm", ["m", 0, 0]]), "where a length [m]"),
        (with_part("frames", F={"body": "arm", "rotation": [{"z": "l"}]}), "where an angle [rad]"),
        (with_part("motors", M={"joint": "O", "ratio": "l"}), "a length"),
        (with_part("motors", M={"joint": "O", "rotor_inertia": "m"}), "where a moment of inertia"),
        (PENDULUM | {"gravity": [0, "-l", 0]}, "where an acceleration [m/s^2]"),
        (PENDULUM | {"frame": {"rotation": [0, 0, "l"]}}, "where an angular speed"),
    ],
)  # fmt: skip
def test_the_message_tells_both_dimensions_in_words(model, words):
    assert words in problem(model)


def test_two_uses_of_a_parameter_without_a_unit_contradict_each_other_at_the_second():
    model = with_part("bodies", arm={"mass": "w", "centre": ["w", 0, 0]})
    with pytest.raises(ModelError) as caught:
        load(model)
    assert caught.value.place == 'model.bodies.arm.centre.0: body "arm"'
    assert '"w" is a mass [kg] according to model.bodies.arm.mass' in str(caught.value)


@pytest.mark.parametrize(
    "value", ["-40*q - 0.3*q.", "5*l*cos(q)", "-q.", "3*sin(t)", "-C*sin(q)", "m*g*l*cos(q)/2", "t"]
)
def test_numbers_without_units_stand_for_whatever_is_needed(value):
    assert not load(joint(value)).notices


def test_what_uses_imply_is_kept_with_the_parameters():
    table = load(joint("-C*w*q")).parameter_table
    assert str(table["g"].dimension) == "m/s^2"
    assert str(table["m"].dimension) == "kg"
    assert table["w"].dimension is None  # only its product with C is known


def test_a_table_with_units_is_a_function_between_them():
    tables = {"lift": {"x": [0, "90 deg"], "value": [0, "5 mm"]}}
    load(joint("k*g*lift(q)") | {"tables": tables})
    assert "where a couple" in problem(joint("k*lift(q)") | {"tables": tables})
    assert "its points are given for" in problem(joint("k*g*lift(l)") | {"tables": tables})
    load(joint("k*g*l*lift'(q)/l") | {"tables": tables})


@pytest.mark.parametrize("phrase", ["RX(q1), TYK(L1), RXK(L1), RX(q2);", "RX(q1), TYK(3 kg);"])
def test_the_lengths_of_a_phrase_are_no_angles(phrase):
    with pytest.raises(ModelError, match="is expected"):
        load(phrase)


def test_unknown_exponents_are_solved_term_after_term():
    symbols = Dimensions({"x": dimension("m"), "T": dimension("s")})
    F, k, x = (symbols.of_symbol(name) for name in ("F", "k", "x"))
    assert symbols.equate(F, k * x)
    assert symbols.equate(F, DimensionForm(dimension("N")))
    assert symbols.known("k") == dimension("N/m")
    assert not symbols.equate(F, k * x * x)


# --- units --------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", ["m", "N", "W", "Pa", "J", "Hz", "s"])
def test_every_prefix_is_a_power_of_ten(base):
    for prefix, power in PREFIXES.items():
        factor, pi_power = unit_factor(prefix + base)
        assert (factor, pi_power) == (pytest.approx(10.0**power, rel=1e-15), 0), prefix + base
        assert dimension(prefix + base) == dimension(base)


@pytest.mark.parametrize(
    ("unit", "si", "factor"),
    [("nm", "m", 1e-9), ("dam", "m", 10), ("Mm", "m", 1e6), ("hPa", "Pa", 100), ("GN", "N", 1e9),
     ("TW", "W", 1e12), ("mg", "kg", 1e-6), ("mL", "m^3", 1e-6), ("min", "s", 60),
     ("ft", "m", 0.3048), ("µm", "m", 1e-6), ("kWh", "J", 3.6e6)],
)  # fmt: skip
def test_units_of_the_course(unit, si, factor):
    assert float(unit_factor(unit)[0]) == pytest.approx(factor, rel=1e-15)
    assert dimension(unit) == dimension(si)
