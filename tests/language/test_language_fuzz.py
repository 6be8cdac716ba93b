"""Any text loads or gives a ModelError: random text, phrases and files changed at random."""

import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torseur.errors import ModelError
from torseur.language.load import load
from torseur.language.yaml.form import yaml_mechanism

MODELS = Path(__file__).parents[1] / "models"
PHRASES = [
    "RY(q1MIN,q1MAX), TYK(L1), RX(q2MIN,q2MAX), [RZ(a, -90deg, 2*pi)], TZK(3 mm+L^2/4), TX(c);",
    "RY (θ_1 MIN, θ_1 MAX), TYK (\\emptyset), [RX(a)[TY(b)]], RXK(sin(b)^0.5), TZK(Ø) # x\n",
]
FILES = [path.read_text(encoding="utf-8") for path in sorted(MODELS.glob("*.yaml"))]
FILES.append(
    """torseur: 1
parameters: {q: 1, w: {value: 3, unit: deg}, e: 2*q^0.5}
bodies: {a: {mass: 1, centre: [q, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}, b: {}, c: , d: {mass: e}}
joints:
  A: {type: libre, bodies: [ground, a]}
  B: {type: hélicoïdale, bodies: [a, b], axis: -y, pitch: 5 mm, limits: [-1, 1]}
  C: {type: appui-plan, bodies: [ground, c], normal: [1, w, e]}
  D: {type: cardan, bodies: [ground, d], axes: [[1, w, e], [q, 1, 0]], rotation: [{z: 30 deg}]}
motors:
  m: {joint: B, dry: {motor: 1, output: [1, 2]}, axis: z, torque: 3*sin(t)-B.}
points: {P: [a, [1, 2, 3]]}
"""
)
PIECES = st.one_of(
    st.characters(),
    st.sampled_from("()[]{},;:+-*/^.#&|>'\"%@!?\\~ \n\t0123456789"),
    st.sampled_from(
        ["1e9", "1e400", "**", "log(", "mm", "deg", "*a", "&a ", "!!int", "null", "x."]
    ),
    st.sampled_from(["[0, 0, 0]", "<<", "---\n", "...", "RXK(", "1/0", "θ", "²", "\ud800", "\x00"]),
)
CHANGES = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 12), st.text() | PIECES), min_size=1, max_size=6
)


def changed(text, changes):
    """A text with pieces of given lengths replaced by others, at relative positions."""
    for position, length, piece in changes:
        start = int(position * len(text))
        text = text[:start] + piece + text[start + length :]
    return text


def loads_or_is_refused(function, *arguments):
    try:
        function(*arguments).parameters  # noqa: B018
    except ModelError as error:
        assert str(error)


@given(st.text() | st.text("RTXYZK()[],;q1+-*/ .°"))
@settings(max_examples=80)
def test_any_text_loads_or_is_refused(text):
    loads_or_is_refused(load, text)


@given(st.sampled_from(PHRASES), CHANGES)
@settings(max_examples=150)
def test_any_change_of_a_phrase_loads_or_is_refused(text, changes):
    loads_or_is_refused(load, changed(text, changes))


@pytest.mark.filterwarnings("ignore::UserWarning")  # of the YAML reader, on repeated anchors
@given(st.sampled_from(FILES), CHANGES)
@settings(max_examples=60)
def test_any_change_of_a_file_loads_or_is_refused(text, changes):
    loads_or_is_refused(yaml_mechanism, changed(text, changes), "model.yaml")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
names = st.sampled_from(["type", "bodies", "mass", "axis", "shape", "joint", "value", "unit"])
parts = st.dictionaries(
    st.sampled_from(["a", "b", "ground"]), st.dictionaries(names, values) | values
)
sections = ["torseur", "parameters", "bodies", "joints", "motors", "forces", "points", "initial"]


@given(st.dictionaries(st.sampled_from(sections), parts | values))
@settings(max_examples=60)
def test_any_dict_loads_or_is_refused(data):
    loads_or_is_refused(load, data)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "text",
    [
        "[" * 10_000,
        "{a: " * 10_000,
        "&a [*a]",
        "a: &a {b: *a}",
        "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)),
        "a0: &a0 [x, x]\n"
        + "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)),
        "? [a, b]\n: c",
        "--- a\n--- b",
        "%YAML 3.0\n---\na: b",
        "a: !!binary 3",
        "\ufeffbodies: {}",
    ],
    ids=[
        "lists",
        "maps",
        "cycle",
        "loop",
        "undefined",
        "laughs",
        "key",
        "two",
        "version",
        "tag",
        "bom",
    ],
)
def test_strange_yaml_is_refused(text):
    with pytest.raises(ModelError):
        yaml_mechanism(text, "model.yaml")


N = 6000
LONG = ["1" * N, "1" * N + "§", "1." * N, "a" + "1" * N + "b", "1 kg" + ".m" * N, "1 m" + "²" * N,
        "1 m-" + "1" * N + " " * N + "x", "R" + "X" * N, "(" * N, "[" * N, "°" * N]  # fmt: skip


@pytest.mark.parametrize("text", LONG, ids=[text[:6] for text in LONG])
def test_no_expression_or_phrase_takes_long_to_read(text):
    """Every pattern is linear in the text: 40 000 digits once took two minutes."""
    body = {"bodies": {"b": {"mass": text}}, "parameters": {"a": {"value": 1, "unit": text}}}
    for source in (text, f"RZ({text}), TX(d);", body):
        start = time.process_time()
        with suppress(ModelError):
            load(source)
        assert time.process_time() - start < 2.0
