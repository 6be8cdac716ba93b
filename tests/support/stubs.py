"""Stubs of the public names, which editors and type checkers read; run it to write them."""

from pathlib import Path

import torseur
from torseur.public_names import NAMESPACES, public_homes

SOURCE = Path(__file__).parents[2] / "src" / "torseur"
ORIGIN = "Written by `make format` from `public_names.py`."


def stubs():
    """The text of each stub by its file."""
    texts = {SOURCE / "__init__.pyi": package_stub()}
    for name, words in NAMESPACES.items():
        texts[SOURCE / f"{name}.pyi"] = stub(words, imports(name))
    return texts


def package_stub():
    lines = [f"from torseur import {name} as {name}" for name in NAMESPACES]
    return stub(torseur.__doc__, [*lines, *imports(), "", "__version__: str", "__all__: list[str]"])


def imports(namespace=""):
    """The import of each public name, in the order of isort."""
    homes = public_homes(namespace).items()
    rows = sorted((home, kind(there), there, public) for public, (home, there) in homes)
    return [f"from {home} import {there} as {public}" for home, _, there, public in rows]


def kind(name):
    """Constants come first, then classes, then functions."""
    return 0 if name.isupper() else 1 if name[0].isupper() else 2


def stub(words, lines):
    return "\n".join([f'"""{words}', "", ORIGIN, '"""', "", *lines, ""])


if __name__ == "__main__":
    for file, text in stubs().items():
        file.write_text(text, encoding="utf-8")
