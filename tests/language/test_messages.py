"""Messages for wrong descriptions, complete: place, fact with its value, what exists, what to do.

Each file of golden/messages holds the source (`phrase`, or the name of a YAML file), the
description, a line of dashes and the message.
"""

import re
from pathlib import Path

import pytest
import ruamel.yaml
from same_text import same_text

import torseur as ts
from torseur.errors import ModelError
from torseur.language.load import load
from torseur.language.yaml.form import yaml_mechanism
from torseur.named_words import speaking

GOLDEN = Path(__file__).parents[1] / "golden" / "messages"
CASES = sorted(GOLDEN.glob("*.txt"))


def message(source, text):
    with pytest.raises(ModelError) as caught:
        load(text, masses="lever") if source == "phrase" else yaml_mechanism(text, source)
    return str(caught.value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_the_message_is_the_one_we_want_people_to_read(case):
    described, expected = case.read_text(encoding="utf-8").split("\n----\n")
    source, text = described.split("\n", 1)
    assert same_text(message(source, text), expected.rstrip("\n"))


def test_there_are_messages_for_the_classic_mistakes():
    assert len(CASES) >= 50


def test_every_fault_is_shown_at_once_and_in_the_order_of_the_text():
    text = "parameters: {a: 2 kgg, b: c}\nbodies: {rod: {mas: 1}}\njoints: {A: {type: pivo}}"
    with pytest.raises(ModelError) as caught:
        yaml_mechanism(text, "model.yaml")
    lines = [fault.place.split(":")[1:3] for fault in caught.value.faults]
    assert lines == [["1", "19"], ["1", "27"], ["2", "16"], ["3", "20"]]
    assert caught.value.place.startswith("model.yaml:1:19")


def test_a_fault_of_a_dict_is_found_by_its_path():
    model = {"bodies": {"rod": {"mass": "2*m"}}, "joints": {}}
    with pytest.raises(ModelError) as caught:
        load(model)
    assert caught.value.place == 'model.bodies.rod.mass: body "rod"'
    assert caught.value.problem == 'parameter "m" does not exist.'


def test_a_missing_file_is_told_with_the_files_that_look_like_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "slider_crank.yaml").write_text("", encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        load("slider_crnk.yaml")
    assert str(caught.value).split("\n  ") == [
        'slider_crnk.yaml: the file "slider_crnk.yaml" does not exist.',
        "Models in this directory: slider_crank.yaml.",
        'Did you mean "slider_crank.yaml"?',
    ]


def test_a_hidden_file_is_no_model_and_a_folder_without_models_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".hooks.yaml").write_text("", encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        load("crank.yaml")
    assert caught.value.advice == ("Models in this directory: none.",)
    assert "Modèles dans ce dossier : aucun." in caught.value.said("fr")


def test_a_missing_file_that_is_an_example_is_told_how_to_get(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match=r"torseur examples four_bar -o four_bar\.yaml"):
        load("four_bar.yaml")


def test_what_is_no_description_is_refused(tmp_path):
    for wrong in (3, None, ["RX(a)"]):
        with pytest.raises(ModelError, match="a model cannot be read from a value of type"):
            load(wrong)
    with pytest.raises(ModelError, match="is a directory"):
        load(tmp_path)
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("name: glissi\xe8re".encode("latin-1"))
    with pytest.raises(ModelError, match="byte 12 is not UTF-8"):
        load(latin)


YAML = """
name: arm
bodies: {b: {mass: 1}}
joints:
  A: {type: pivot, bodies: [ground, b], axis: z}
"""


@pytest.mark.parametrize(
    "text",
    [YAML, YAML.replace("\n", "\r\n"), "{name: arm, bodies: {b: {mass: 1}}, "
     "joints: {A: {type: pivot, bodies: [ground, b], axis: z}}}"],
)  # fmt: skip
def test_a_text_of_the_yaml_form_is_a_description(text, tmp_path):
    found = load(text)
    assert (found.name, list(found.joints)) == ("arm", ["A"])
    file = tmp_path / "arm.txt"
    file.write_text(text, encoding="utf-8")
    assert list(load(file).joints) == ["A"]


def test_a_fault_of_a_text_is_told_by_its_line():
    with pytest.raises(ModelError, match=r'text:3:14: body "b": .*"mas"'):
        load(YAML.replace("mass", "mas"))


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("slider crank", 'no file and no example is called "slider crank"'),
        ("arm.json", 'the file "arm.json" does not exist'),
        ("C:\\models\\arm.txt", "does not exist"),
        ("models/arm.yam", 'the file "arm.yam" does not exist'),
    ],
)
def test_what_is_neither_a_phrase_nor_a_file_is_not_read_as_a_phrase(source, told):
    with pytest.raises(ModelError) as caught:
        load(source)
    assert told in str(caught.value)


def test_a_phrase_may_stand_in_a_file(tmp_path):
    file = tmp_path / "arm.txt"
    file.write_text("RY(q1),\nTWK(L1);", encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        load(str(file))
    assert caught.value.place == f"{file}:2:1"


@pytest.mark.parametrize("masses", ["levr", "Full", 3])
def test_an_unknown_assumption_about_masses_is_refused(masses):
    with pytest.raises(ModelError, match=r"the assumption .* does not exist"):
        load("RX(a), TYK(l)", masses=masses)


def test_masses_are_assumed_for_phrases_only():
    model = {"bodies": {"b": {}}, "joints": {"A": {"type": "free", "bodies": ["ground", "b"]}}}
    with pytest.raises(ModelError, match='"lever" is an assumption for phrases only'):
        load(model, masses="lever")


@pytest.mark.parametrize("gravity", [(0, 1), "0 1 2", 9.81, (0, 0, "g +")])
def test_a_gravity_that_is_no_vector_is_refused(gravity):
    with pytest.raises(ModelError, match="gravity"):
        load("RX(a), TYK(l)", gravity=gravity)


def test_types_of_joints_are_listed_in_the_language_that_is_spoken_and_read_in_both():
    text = "bodies: {rod: {mass: 2}}\njoints: {A: {type: revolut, bodies: [ground, rod], axis: z}}"
    with speaking("fr"):
        told = message("model.yaml", text)
    listed = next(line for line in told.splitlines() if "pivot" in line)
    assert {"pivot", "pivot glissant", "glissière", "rotule", "appui plan"} <= set(
        re.findall(r"[^,:.]+", listed.replace(" : ", ", ").replace(", ", ","))
    )
    assert "prismatic" not in listed
    assert "revolute" in told.splitlines()[-1]


def test_a_lagrangian_may_be_asked_of_a_dict_or_a_path(tmp_path):
    text = YAML.replace("mass: 1", "mass: m, centre: [0, -l, 0]") + "parameters: {m: 1, l: 1}\n"
    file = tmp_path / "arm.yaml"
    file.write_text(text, encoding="utf-8")
    expected = str(ts.formalisms.lagrangian(load(text)))
    for source in (file, load(text), {**_plain(text)}):
        assert str(ts.formalisms.lagrangian(source)) == expected


def _plain(text):
    return ruamel.yaml.YAML(typ="safe").load(text)
