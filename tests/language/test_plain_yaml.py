"""The quick reader of plain YAML gives what the full reader gives, or leaves the text to it."""

import random
from importlib.resources import files
from pathlib import Path

import pytest
from counting import work

import torseur as ts
from torseur.errors import ModelError
from torseur.language.yaml.plain_yaml import Unusual, plain_yaml
from torseur.language.yaml.source import _fully_read, _ItemBuilder

EXAMPLES = [path for path in files("torseur.examples").iterdir() if path.name.endswith(".yaml")]
MODELS = sorted((Path(__file__).parents[1] / "models").rglob("*.yaml"))
TEXT = """# a model
name: arm   # short
description: "a text, quoted"
gravity: [0, -9.81, 0]
parameters:
  l: {value: 0.5, unit: m,
      meaning: 'a length'}
  m: 2 kg

bodies:
  arm: {mass: m, centre: [l/2, 0, -l], inertia: [1, 1, {a: ~}]}
joints:
  O:
    type: pivot
    bodies:
    - ground
    - arm
    point:
      - [0, 0, 0]
      - [0, 0, 1]
    axis: -z
  P:
    point:
    - - 0
      - l
    - - - 1
      -   - 2
          - 3
    rotation:
    - z: 30 deg
      x: [1]
    - y:
initial: {O: 30 deg, "O.": 2}
empty:
"""
PIECES = [" ", "\n", ":", ": ", "- ", "#", " #", ",", "[", "]", "{", "}", "'", '"', "a", "&a", "*a",
          "!", "|", ">", "?", "%", "~", "null", "\t", "\\", "---", "...", "é", "=",
          "<", "@"]  # fmt: skip


def quickly(text):
    return _ItemBuilder("x", 10**6, lambda node: node).finished(plain_yaml(text))


@pytest.mark.parametrize("path", [*EXAMPLES, *MODELS], ids=lambda path: path.name)
def test_models_are_plain_and_read_alike(path):
    text = path.read_text(encoding="utf-8")
    assert quickly(text) == _fully_read(text, "x")


def changed(rng, text):
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text))
        kind = rng.random()
        if kind < 0.4:
            text = text[:at] + text[at + rng.randint(1, 4) :]
        elif kind < 0.8:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        else:
            lines = text.split("\n")
            k = rng.randrange(len(lines))
            lines[k] = rng.choice(["  " + lines[k], lines[k][2:], "", lines[k] + lines[k - 1]])
            text = "\n".join(lines)
    return text


def agree(text):
    """Whether the quick reader read the text, as the full one does."""
    try:
        found = quickly(text)
    except (Unusual, ModelError):
        return False
    assert found == _fully_read(text, "x"), text
    return True


@pytest.mark.parametrize("seed", range(8))
def test_what_is_read_quickly_is_what_the_full_reader_reads(seed):
    rng = random.Random(seed)
    assert sum(agree(changed(rng, TEXT)) for _ in range(25)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_what_is_read_quickly_is_what_the_full_reader_reads_of_many(seed):
    rng = random.Random(seed)
    assert sum(agree(changed(rng, TEXT)) for _ in range(150)) > 20


@pytest.mark.parametrize("text", [
    "\n".join(" " * k + f"a{k}:" for k in range(1500)),
    "a:\n" + "- " * 3000 + "1\n",
    "\n".join(" " * k + "-" for k in range(1500)),
], ids=["mappings", "lists on a line", "lists"])  # fmt: skip
def test_blocks_within_each_other_without_end_are_refused(text, tmp_path):
    path = tmp_path / "deep.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match="more than 12 lists and mappings are nested"):
        ts.load(path)


def chain(n):
    bodies = "".join(f"  b{i}: {{mass: m, centre: [l/2, 0, 0], inertia: [0, 0, m*l^2/12]}}\n"
                     for i in range(n))  # fmt: skip
    joints = "".join(
        f"  J{i}: {{type: revolute, bodies: [{f'b{i - 1}' if i else 'ground'}, b{i}], "
        f"point: [[{'l' if i else 0}, 0, 0], [0, 0, 0]], axis: z, coordinate: q{i}}}\n"
        for i in range(n)
    )
    return f"parameters: {{l: 0.1 m, m: 0.2 kg}}\nbodies:\n{bodies}joints:\n{joints}"


def test_the_work_to_load_a_chain_is_linear_in_its_length(tmp_path):
    calls = {}
    for n in (100, 1000):
        path = tmp_path / f"chain{n}.yaml"
        path.write_text(chain(n), encoding="utf-8")
        assert len(ts.load(path).bodies) == n  # imports are no work of the chain
        calls[n] = work(ts.load, path)
    assert calls[1000] < 11 * calls[100]
