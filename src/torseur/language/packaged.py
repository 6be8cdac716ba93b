"""The files of YAML that come with the package: examples, exercises; what examples are."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from torseur.words.catalogue import ENGLISH, translated

EXAMPLES = "examples"
EXAMPLE = "example"  # the context of translations of what they are


@cache
def packaged_files(folder: str) -> dict[str, Traversable]:
    """Those of a folder by name, in alphabetical order."""
    entries = sorted((files("torseur") / folder).iterdir(), key=lambda entry: entry.name)
    return {x.name.removesuffix(".yaml"): x for x in entries if x.name.endswith(".yaml")}


@cache
def example_description(name: str, lang: str) -> str:
    """What an example is, in a language; new ones may have English only."""
    text = packaged_files(EXAMPLES)[name].read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line.startswith("description:"))
    return translated(next(lines).removeprefix("description:").strip(), lang, EXAMPLE)


def described(name: str, description: str, lang: str) -> str:
    """What a mechanism is, as its description says; of an example, in a language."""
    example = name.replace("-", "_")
    if lang == ENGLISH or example not in packaged_files(EXAMPLES):
        return description
    same = example_description(example, ENGLISH) == description
    return example_description(example, lang) if same else description
