"""The YAML form in French: every word of it is read, beside the English ones."""

import re
import shutil
from importlib.resources import files

import pytest
from form_keys import SETS
from ruamel.yaml import YAML
from translations import texts

import torseur as ts
from torseur.design.synthesis_study import load_study
from torseur.language.yaml.translated_keys import english
from torseur.model.joints.catalogue import plain
from torseur.model.values.fingerprint import fingerprint
from torseur.study.study_reading import read_study
from torseur.words.entries import entry_words, written_key

EXAMPLES = sorted(x.name for x in files("torseur.examples").iterdir() if x.name.endswith(".yaml"))
FRENCH = entry_words("fr")


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
    return {written_key(key, "fr"): in_french(x, key) for key, x in value.items()}


def parts_in_french(section, value):
    if not isinstance(value, dict) or section == "frame":
        return in_french(value, section)
    if section in ("initial", "definitions"):
        return value
    return {name: in_french(part) for name, part in value.items()}


@pytest.mark.sampled(20)
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_with_french_words_is_the_same_mechanism(example):
    source = files("torseur.examples") / example
    data = YAML(typ="safe", pure=True).load(source.read_text(encoding="utf-8"))
    data = {key: _exact(x) for key, x in data.items()}
    spoken = {written_key(key, "fr"): parts_in_french(key, x) for key, x in data.items()}
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
    assert 'unknown entry "mase" for ' in str(caught.value)
    assert 'Did you mean "masse"?' in str(caught.value)
    with ts.speaking("fr"), pytest.raises(ts.ModelError) as caught:
        ts.load(data)
    assert "pour un solide.\n  Entrées connues : masse, centre, inertie" in str(caught.value)


def test_the_type_of_an_effort_is_named_as_it_was_written():
    arm = {
        "solides": {"bras": {"masse": 1}},
        "liaisons": {"O": {"type": "pivot", "solides": ["bâti", "bras"], "axe": "z"}},
        "efforts": {"jet": {"type": "torseur", "solide": "bras", "repère": "solide"}},
    }
    with ts.speaking("fr"), pytest.raises(ts.ModelError) as caught:
        ts.load(arm)
    told = str(caught.value)
    assert "pour un effort de type torseur.\n  Entrées connues : type, solide, " in told


def test_examples_of_the_form_in_french_sentences_are_french():
    """A reader who is told what to write is told it in the words of the file."""
    keys = {key for key in FRENCH if key not in {word for x in FRENCH.values() for word in x}}
    shown = {x: re.findall(r"\b([a-z_]+): (?=[\[{\w\"])", x) for x in texts("fr").values()}
    assert not {x: own for x, words in shown.items() if (own := keys & set(words))}


STUDY = {
    "étude": "horloge",
    "simulation": {"durée": "1 s", "cadence": 50},
    "variations": {"m": {"uniforme": ["1 kg", "3 kg"]}, "theta": {"triangulaire": [0.1, 0.2, 0.3]}},
    "méthode": "hypercube latin",
    "échantillons": 4,
    "graine": 3,
    "sorties": {"haut": {"valeur": "max(theta)", "unité": "rad"}},
}


def test_a_study_is_written_in_french(tmp_path):
    english_one = {
        "study": "horloge",
        "run": {"duration": "1 s", "rate": 50},
        "vary": {"m": {"uniform": ["1 kg", "3 kg"]}, "theta": {"triangular": [0.1, 0.2, 0.3]}},
        "method": "latin",
        "samples": 4,
        "seed": 3,
        "outputs": {"haut": {"value": "max(theta)", "unit": "rad"}},
    }
    (tmp_path / "pendule.yaml").write_text(MODEL, encoding="utf-8")
    model = ts.load(tmp_path / "pendule.yaml")
    here, there = (read_study({**x, "model": model}) for x in (STUDY, english_one))
    assert (here.factors, here.design) == (there.factors, there.design)
    assert here.run == there.run == {"duration": 1.0, "rate": 50.0}
    spoken = read_study({**STUDY, "modèle": model})
    assert "model" in spoken.source
    with ts.speaking("fr"), pytest.raises(ts.ModelError, match="Lois connues : grille, lognormale"):
        read_study({**STUDY, "modèle": model, "variations": {"m": {"unie": [1, 2]}}})


def test_a_synthesis_is_written_in_french(tmp_path):
    shutil.copy(str(files("torseur.examples") / "four_bar.yaml"), tmp_path)
    (tmp_path / "synthese.yaml").write_text(
        "mécanisme: four_bar.yaml\nentrée: alpha\nvariables: {l2: [0.1, 1.0]}\ndéparts: 0\n"
        "objectifs:\n  - loi: {sortie: delta, entrées: [0.6, 1.1], voulu: [1.5, 1.58]}\n"
        "contraintes:\n  - tour complet: {nombre: 12}\n"
    )
    found = load_study(tmp_path / "synthese.yaml")
    assert found.driver == "alpha"
    assert found.targets[0].output == "delta"
    assert found.options == {"starts": 0}


def test_the_ends_of_a_table_are_said_in_french():
    def model(ends, beyond):
        table = {"x": [0, 1, 2], "valeur": [0, 1, 0]}
        tables = {"f": {**table, "extrémités": ends}, "g": {**table, "au-delà": beyond}}
        return ts.load({
            "solides": {"a": {"masse": 1}},
            "liaisons": {"A": {"type": "glissière", "solides": ["0", "a"], "axe": "x"}},
            "tables": tables,
            "mouvements": {"m": {"coordonnée": "A", "loi": "f(t) + g(t)"}},
        })  # fmt: skip

    same = fingerprint(model("periodic", "hold"))
    assert fingerprint(model("périodique", "constante")) == same
    assert fingerprint(model("périodique", "straight")) != same


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
