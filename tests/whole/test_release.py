"""One version and one list of requirements, wherever a release states them; addresses of names."""

import re
import runpy
import tomllib

import pytest
from ruamel.yaml import YAML
from source_code import ROOT

import torseur as ts
from torseur.public_names import NAMESPACES, public_homes


def stated(file):
    return YAML(typ="safe").load((ROOT / file).read_text(encoding="utf-8"))


def test_every_file_of_a_release_states_the_same_version():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (.+)$", changes, re.M)[1]
    versions = [
        newest,
        stated("CITATION.cff")["version"],
        stated("conda/recipe.yaml")["context"]["version"],
    ]
    assert versions == [ts.__version__] * 3


def test_the_conda_recipe_requires_what_the_package_requires():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    recipe = stated("conda/recipe.yaml")["requirements"]
    renamed = {"matplotlib": "matplotlib-base"}

    def rows(requirements):
        parts = (re.match(r"([\w.-]+?) ?([<>=].*)", x).groups() for x in requirements)
        return {(renamed.get(name, name), limits) for name, limits in parts}

    python = "${{ python_min }}"
    needed = rows(x for x in recipe["run"] if python not in x)
    assert needed == rows(project["project"]["dependencies"])
    built = [x for x in recipe["host"] if python not in x and x != "pip"]
    assert rows(built) == rows(project["build-system"]["requires"])
    assert project["project"]["requires-python"].startswith(">=3.11")


def test_a_namespace_that_was_a_function_still_answers_with_a_hint():
    run = ts.simulate("simple_pendulum", 0.1)
    with pytest.deprecated_call(match=r"call torseur\.observe\.motion\.$"):
        observed = ts.observe(run)
    assert (observed.point("bob") == ts.observe.motion(run).point("bob")).all()
    with pytest.raises(
        TypeError, match=r"^torseur\.chaos is a namespace\. It has .*chaos\.lyapunov"
    ):
        ts.chaos(run)


def test_every_public_name_has_an_address_in_the_manual():
    signatures = runpy.run_path(str(ROOT / "docs/_ext/signatures.py"))
    for space in ("", *NAMESPACES):
        home = getattr(ts, space) if space else ts
        names = [*public_homes(space)]
        lines = signatures["module"](home.__name__, {x: getattr(home, x) for x in names})
        objects = re.findall(r"^````\{py:(\w+)\} ([\w.]+)", "\n".join(lines), re.M)
        assert {x.rsplit(".", 1)[-1] for _, x in objects} >= {*names}
        assert ("module", home.__name__) == objects[0]
