"""The YAML form in French: every word of it is read, beside the English ones."""

from importlib.resources import files

import pytest
from ruamel.yaml import YAML

import torseur as ts
from torseur.language.yaml import actions, bodies, form, friction, joints, mass_data, tables
from torseur.language.yaml.french import FRENCH, english, french
from torseur.model.constraints.catalogue import CONSTRAINTS, MOTIONS
from torseur.model.constraints.contact import CONTACTS
from torseur.model.forces.catalogue import FORCES
from torseur.model.joints.catalogue import JOINTS, plain
from torseur.model.mass.solids import SOLIDS
from torseur.model.values.fingerprint import fingerprint

EXAMPLES = sorted(x.name for x in files("torseur.examples").iterdir() if x.name.endswith(".yaml"))
SAME = {
    *("torseur", "description", "phrase", "masses", "type", "point", "points", "position"),
    *("rotation", "centre", "tables", "contacts", "t", "x", "k", "coefficient", "coefficients"),
    *("restitution", "dissipation", "stribeck", "newton", "poisson", "preset", "latitude"),
    *("acceleration", "entrainment", "angle", "axes", "couple", "direction", "force", "tension"),
}
DECLARED = [made.keys for made in (*JOINTS, *FORCES, *CONSTRAINTS, *MOTIONS, *CONTACTS)]
SETS = {
    "sections": form.SECTIONS,
    "phrases": form.PHRASE_KEYS,
    "bodies": bodies.KEYS,
    "parts": mass_data.PART_KEYS,
    "meshes": bodies.MESH_KEYS,
    "frames": bodies.FRAME_KEYS,
    "tables": tables.KEYS,
    "parameters": ("value", "unit", "meaning"),
    "motors": actions.MOTOR,
    "ground": actions.FRAME,
    "events": ("zero", "direction", "stop"),
    "friction": friction.IN_JOINT,
    "stops": friction.STOP,
    "solids": tuple(SOLIDS),
} | {
    f"{k}: {made.names[0]}": ("type", *(key.name for key in made.keys))
    for k, made in enumerate((*FORCES, *CONSTRAINTS, *MOTIONS, *CONTACTS))
}
SETS |= {made.names[0]: (*joints.COMMON, *(key.name for key in made.keys)) for made in JOINTS}


def test_every_key_has_a_french_word_or_is_the_same_in_both_languages():
    every = {key for known in SETS.values() for key in known}
    dimensions = {key for solid in SOLIDS.values() for key in solid.parameters}
    assert not (every | dimensions) - set(FRENCH) - SAME
    assert not SAME & set(FRENCH)


@pytest.mark.parametrize("known", SETS.values(), ids=SETS)
def test_no_french_word_has_two_meanings_in_one_place(known):
    meanings = {}
    for key in dict.fromkeys(known):
        for word in {plain(key), *(plain(x.replace("'", " ")) for x in FRENCH.get(key, ()))}:
            assert meanings.setdefault(word, key) == key
            assert english(word, known) in (key, word)


def in_french(value, within=None):
    """Data with French keys; names of parts, and what only looks like a key, stay as they are."""
    if isinstance(value, list):
        return ["bâti" if x == "ground" else in_french(x, within) for x in value]
    if not isinstance(value, dict):
        return "bâti" if value == "ground" and within != "axes" else value
    if within in ("initial", "coefficients", "rotation"):
        return value
    return {french(key): in_french(x, key) for key, x in value.items()}


def parts_in_french(section, value):
    if not isinstance(value, dict) or section == "frame":
        return in_french(value, section)
    if section in ("initial", "definitions"):
        return value
    return {name: in_french(part) for name, part in value.items()}


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_with_french_words_is_the_same_mechanism(example):
    source = files("torseur.examples") / example
    data = YAML(typ="safe", pure=True).load(source.read_text(encoding="utf-8"))
    data = {key: _exact(x) for key, x in data.items()}
    spoken = {french(key): parts_in_french(key, x) for key, x in data.items()}
    folder = source.parent
    there, here = (ts.load(x, tables=str(folder)) for x in (data, spoken))
    assert fingerprint(here) == fingerprint(there)
    assert {*here.initial} == {*there.initial}
    assert [x.first for x in here.joints.values()] == [x.first for x in there.joints.values()]


def _exact(value):
    """Numbers stay as the parser read them; keys are texts."""
    if isinstance(value, dict):
        return {str(key): _exact(x) for key, x in value.items()}
    return [_exact(x) for x in value] if isinstance(value, list) else value


MODEL = """
paramètres:
  m: {valeur: 2, unité: kg, sens: masse de la barre}
pesanteur: [0, -9.81, 0]
solides:
  barre: {masse: m, centre: [0, -0.5, 0], inertie: [0, 0, 0.1]}
liaisons:
  O: {type: pivot, solides: [bâti, barre], axe: z, coordonnée: theta}
initiales: {theta: 30 deg}
"""


@pytest.mark.parametrize("ground", ["bâti", "bati", "0", "ground"])
def test_a_model_is_written_in_french_with_or_without_accents(ground, tmp_path):
    path = tmp_path / "pendule.yaml"
    text = MODEL.replace("bâti", ground)
    path.write_text(text if ground != "bati" else text.replace("é", "e"), encoding="utf-8")
    found = ts.load(path)
    assert found.joints["O"].first == "ground"
    assert found.parameter_table["m"].meaning == "masse de la barre"


def test_languages_may_be_mixed_but_not_say_the_same_twice():
    body = {"masse": 1, "centre": [0, 0, 0], "inertia": [1, 1, 1]}
    data = {"solides": {"a": body}, "joints": {"A": {"type": "libre", "bodies": ["0", "a"]}}}
    assert ts.load(data).bodies["a"].mass == 1
    body["mass"] = 2
    with pytest.raises(ts.ModelError, match=r'solide "a": the key "mass" is repeated'):
        ts.load(data)


def test_an_error_names_what_was_written_and_what_was_meant():
    data = {"solides": {"a": {"mase": 1}}}
    with pytest.raises(ts.ModelError) as caught:
        ts.load(data)
    assert 'the entry "mase" has no meaning here' in str(caught.value)
    assert 'Did you mean "masse"?' in str(caught.value)
    with ts.speaking("fr"), pytest.raises(ts.ModelError) as caught:
        ts.load(data)
    assert "Entrées pour un solide : masse, centre, inertie" in str(caught.value)


def test_what_is_written_follows_the_language_spoken(tmp_path):
    pendulum = ts.load(files("torseur.examples") / "compound_pendulum.yaml")
    with ts.speaking("fr"):
        assert ts.tell(pendulum).lang == "fr"
        assert ts.tell(pendulum, lang="en").lang == "en"
        page = ts.page(pendulum, tmp_path / "page.html").read_text()
        view = ts.view(pendulum, tmp_path / "view.html").read_text()
        graph = ts.pictures.graph(pendulum, tmp_path / "graph.svg").read_text()
    assert '<html lang="fr"' in page and '<html lang="fr"' in view
    assert "bâti" in graph
    assert ts.tell(pendulum).lang == "en"
