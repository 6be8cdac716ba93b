"""The vocabulary of editors: complete, readable as it is shown, the same in every language."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from form_keys import SETS

import torseur as ts
from torseur.language.joining import KEYS as INCLUDED
from torseur.language.load import load_text
from torseur.language.packaged import EXAMPLES, packaged_files
from torseur.language.text.literals import plain_unit, si_factor
from torseur.language.vocabulary.entry import JOINT_KINDS, KINDS
from torseur.language.vocabulary.form_entries import SCOPES
from torseur.language.vocabulary.form_in_language import example_text, form_in_language
from torseur.language.vocabulary.vocabulary import explanations, known_entries, vocabulary
from torseur.language.yaml import friction_entries, height_field_entries, joint_entries
from torseur.language.yaml.solid_entries import SOLID_KEYS
from torseur.model.forces.protocol import Kind
from torseur.model.joints.protocol import JointEntryKind
from torseur.model.mass.solids import SOLIDS
from torseur.model.values.fingerprint import fingerprint
from torseur.report.assets import asset
from torseur.words.catalogue import translated
from torseur.words.language import speaking

READ = {  # by scope, the entries that the readers know
    "model": {*SETS["sections"], *SETS["phrases"]},
    "parameter": SETS["parameters"],
    "table": SETS["tables"],
    "frame": SETS["ground"],
    "body": SETS["bodies"],
    "part": SETS["parts"],
    "mesh": SETS["meshes"],
    "collision": SETS["collision"],
    "height field": height_field_entries.KEYS,
    "body frame": SETS["frames"],
    "joint": joint_entries.COMMON,
    "joint friction": SETS["friction"],
    "friction": friction_entries.LAW,
    "stop": SETS["stops"],
    "compliance": friction_entries.COMPLIANCE,
    "motor": SETS["motors"],
    "event": SETS["events"],
    "include": INCLUDED,
    "shape": {*SOLIDS, *SOLID_KEYS},
    "solid file": SOLID_KEYS["mesh"],
}
EDITOR = ("editor/context.js", "editor/choices.js")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


def every_entry(document):
    """All entries of all scopes and types, and those that stand alone."""
    for scope in document["scopes"].values():
        yield from scope["entries"]
        yield from [scope["alone"]] if "alone" in scope else []
        yield from (x for kind in scope.get("types", ()) for x in kind["entries"])


@pytest.mark.parametrize("scope", READ)
def test_a_scope_has_the_entries_that_are_read(scope):
    assert {x.name for x in SCOPES[scope]} == set(READ[scope])


def test_every_kind_of_value_is_explained_and_every_type_has_its_entries():
    assert set(KINDS) == set(Kind) and set(JOINT_KINDS) == set(JointEntryKind)
    scopes = vocabulary()["scopes"]
    for scope in ("force", "constraint", "actuator", "sensor", "motion", "contact"):
        for kind in scopes[scope]["types"]:
            names = {"type", *(x["name"] for x in kind["entries"])}
            assert names in [{"type", *SETS[key]} for key in SETS]


def test_scopes_units_and_languages_are_known():
    document = vocabulary()
    for entry in every_entry(document):
        assert {entry.get("scope", "model"), entry.get("parts", "model")} <= set(document["scopes"])
        for unit in entry.get("unit", "1").replace(", ", " | ").split(" | "):
            assert si_factor(plain_unit(unit.replace("(N.m)", "N/m"))) is not None, unit
    for text in explanations():
        assert text[0].islower() or text[0].isupper()
        assert translated(text, "fr") != text or text in ("mass", "type"), text
    with speaking("fr"):
        values = {x["value"] for x in every_entry(vocabulary())}
    assert not values & (explanations() - {"masse"})


def test_examples_of_sections_are_read():
    """The example of each section, in a model that has what it names."""
    base = """parameters: {x0: 1, l0: 1, r: 1, U: 1, tau: 1, l2: 1}
bodies: {arm: {mass: 1}, ball: {mass: 1}, hand: {mass: 1}}
joints:
  Q: {type: revolute, bodies: [ground, arm], axis: z, coordinate: q1}
  R: {type: revolute, bodies: [ground, hand], axis: z, coordinate: q2}
  S: {type: planar, bodies: [ground, ball], normal: z, coordinates: [x, y, theta]}
"""
    own = {"parameters", "bodies", "joints", "include", "phrase", "masses", "torseur", "name",
           "description", "reactions", "impacts"}  # fmt: skip
    for entry in SCOPES["model"]:
        if entry.name in own:
            continue
        example = entry.example if entry.example[0] in "[{" else f"\n  {entry.example}"
        text = f"{base}{entry.name}: {example}\n".replace("joint: A", "joint: Q")
        text = text.replace("-l1", "-l2")
        load_text(text, Path("model.yaml"))


@pytest.mark.parametrize("name", sorted(packaged_files(EXAMPLES))[::9])
def test_an_example_in_french_is_the_example(name):
    check_french(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(packaged_files(EXAMPLES)))
def test_every_example_in_french_is_the_example(name):
    check_french(name)


def check_french(name):
    file = packaged_files(EXAMPLES)[name]
    english, french = file.read_text(encoding="utf-8"), example_text(name, "fr")
    assert french != english and example_text(name, "en") == english
    assert len(french.splitlines()) == len(english.splitlines())
    first, second = (load_text(text, Path(str(file))) for text in (english, french))
    assert fingerprint(first) == fingerprint(second)
    assert first.parameters == second.parameters and first.initial.keys() == second.initial.keys()
    assert second.description == translated(first.description, "fr", "example")


def test_names_numbers_and_comments_stay_in_another_language():
    text = """# masses of ground
parameters: {mass: {value: 2, unit: kg, meaning: "type: ground"}}
bodies:
  shape: {mass: mass}   # a body called shape
joints:
  type: {type: "revolute", bodies: [ground, 'shape'], axis: z, coordinate: axis}
initial: {axis: 30 deg}
"""
    french = form_in_language(text, "fr", {})
    assert (
        french
        == """# masses of ground
paramètres: {mass: {valeur: 2, unité: kg, sens: "type: ground"}}
solides:
  shape: {masse: mass}   # a body called shape
liaisons:
  type: {type: "pivot", solides: [bâti, 'shape'], axe: z, coordonnée: axis}
initiales: {axis: 30 deg}
"""
    )
    assert fingerprint(ts.load(french)) == fingerprint(ts.load(text))


def test_entries_of_a_scope_are_those_of_all_its_types():
    assert known_entries("force")["stiffness"].unit
    assert known_entries("contact")["friction"].scope == "friction"
    assert known_entries("motion")["law"].unit == "m | rad"


# --- the script of the editor ---------------------------------------------------------------------


ASKED = [  # a text with a caret, the language of the page, the first words, the title of the help
    ("bod|", "en", ["bodies: "], None),
    ("so|", "fr", ["solides: "], None),
    ("bodies:\n  arm: {ma|", "en", ["mass: "], None),
    ("bodies:\n  arm:\n    mass: 1\n    |\njoints: {}", "en", ["centre: ", "inertia: "], None),
    ("joints:\n  O: {type: rev|}", "en", ["revolute"], "type"),
    ("liaisons:\n  O: {type: pi|}", "en", ["pivot", "pivot glissant"], "type"),
    ("efforts:\n  s: {type: ressort, |}", "fr", ["entre: ", "raideur: ", "longueur: "], None),
    ("forces:\n  s:\n    type: spring\n    stif|fness: 2", "en", ["stiffness"], "stiffness"),
    ("bodies: {arm: {mass: 1, shape: {cyl|}}}", "en", ["cylinder: "], None),
    ("bodies: {arm: {shape: {cylinder: {|}}}}", "en", ["radius: ", "length: ", "axis: "], None),
    ("joints:\n  O: {bodies: [gr|]}\nbodies: {grip: {}}", "en", ["ground", "grip"], "bodies"),
    ("contacts:\n  c: {among: all, nor|}", "en", ["normal: "], None),
    ("parameters: {mass: 1}\nbodies:\n  a: {mass: 2*m|}", "en", ["mass", "min", "max"], "mass"),
    ("definitions: {s: th|}", "en", ["theta"], "s"),
    ("impacts: |", "en", ["simultaneous", "sequential"], "impacts"),
    ("include:\n- {file: a.yaml, pre|}", "en", ["prefix: "], None),
    ("bodies:\n  arm: {mass: 1}\n|", "en", ["joints: "], None),
    ("# bodies: {\njoi|", "en", ["joints: "], None),
    ("name: 'a: {'\ngra|", "en", ["gravity: "], None),
    ("RY(q1), TY|", "en", ["TY(", "TYK("], "TY"),
    ("RY(q1|), TYK(L1);", "en", [], "RY"),
    ("R|", "en", ["RX(", "RY(", "RZ("], None),
    ("bodies: {arm: 3}\nnothing: {|", "en", [], None),
    ("{[}]|: - # '\"", "en", ["bodies", "torseur"], None),
]
RUN = """
const [asked, documents] = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(asked.map(([text, lang]) => {
  const caret = text.indexOf("|"), whole = text.replace("|", "");
  const words = new Vocabulary(documents[lang], lang);
  const { choices } = words.choicesAt(whole, caret, ["theta"]);
  return [choices.map((x) => x.insert), words.helpAt(whole, caret)?.title ?? null];
})));
"""


@needs_node
def test_words_and_help_at_places_of_texts():
    documents = {}
    for lang in ("en", "fr"):
        with speaking(lang):
            documents[lang] = vocabulary()
    script = "\n".join((*map(asset, EDITOR), RUN))
    given = json.dumps([ASKED, documents])
    run = subprocess.run(
        ["node", "-e", script], input=given, capture_output=True, check=True, text=True
    )
    answers = json.loads(run.stdout)
    for (text, _, first, title), (words, shown) in zip(ASKED, answers, strict=True):
        assert words[: len(first)] == first or set(first) <= set(words), (text, words)
        assert bool(words) == bool(first), (text, words)
        assert shown == title, (text, shown)


HISTORY = """
const state = (text, values = {}) => ({ text, values, masses: "", caret: text.length });
const history = new EditHistory(state("a"));
let before = "a";
const type = (text) => {
  history.record(state(text), kindOfTyping(before, text, text.length));
  before = text;
};
for (const text of ["ab", "abc", "abc ", "abc d", "abc de"]) type(text);
history.record(state("abc de", { m: 1 }), "value m");
history.record(state("abc de", { m: 2 }), "value m");
history.record(state("abc de", { m: 2 }), "");
const seen = [];
for (let s = history.now; s; s = history.step(-1)) seen.push([s.text, s.values.m ?? 0]);
history.step(1);
history.record(state("x"), "");
const large = new EditHistory(state("x".repeat(9e6)));
for (let k = 0; k < 9; k += 1) large.record(state(String(k).repeat(9e6)), "");
console.log(JSON.stringify([seen, history.step(1), history.states.length, large.states.length]));
"""


@needs_node
def test_steps_of_undo():
    script = asset("editor/history.js") + HISTORY
    run = subprocess.run(["node", "-e", script], capture_output=True, check=True, text=True)
    seen, after, states, large = json.loads(run.stdout)
    assert seen == [["abc de", 2], ["abc de", 0], ["abc ", 0], ["abc", 0], ["a", 0]]
    assert after is None and states == 3, "what was undone is gone after another change"
    assert large == 2, "what is kept has a limit"
