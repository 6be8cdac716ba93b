"""One version and one list of requirements, wherever a release states them; addresses of names."""

import re
import runpy
import sys
import tomllib
from importlib import import_module

import pytest
from ruamel.yaml import YAML
from source_code import ROOT

import torseur as ts
from torseur.public_names import NAMESPACES, former_homes, public_homes


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


def test_a_name_that_moved_to_a_namespace_works_with_a_hint():
    for name, (home, there) in former_homes().items():
        with pytest.deprecated_call(match=rf"^torseur\.{name} is now {home}\.{there}\.$"):
            assert getattr(ts, name) is getattr(import_module(home), there)
        assert name not in ts.__all__


@pytest.mark.parametrize(
    "space, name, hint",
    [
        (ts.rotation, "skew", "it is torseur.attitude.skew"),
        (ts.mass, "derive", "it is torseur.derive"),
        (ts, "quaternion", "it is torseur.attitude.quaternion"),
        (ts, "load_stud", None),
    ],
)
def test_a_name_in_the_wrong_place_is_an_error_that_states_the_right_one(space, name, hint):
    with pytest.raises(AttributeError) as raised:
        getattr(space, name)
    problem = f"module '{space.__name__}' has no attribute '{name}'"
    assert str(raised.value) == (f"{problem}: {hint}" if hint else problem)
    assert (raised.value.name, raised.value.obj) == (name, space)  # "Did you mean: 'load_study'?"


def test_every_public_name_has_an_address_in_the_manual():
    signatures = runpy.run_path(str(ROOT / "docs/_ext/signatures.py"))
    for space in ("", *NAMESPACES):
        home = getattr(ts, space) if space else ts
        names = [*public_homes(space)]
        lines = signatures["module"](home.__name__, {x: getattr(home, x) for x in names})
        objects = re.findall(r"^````\{py:(\w+)\} ([\w.]+)", "\n".join(lines), re.M)
        assert {x.rsplit(".", 1)[-1] for _, x in objects} >= {*names}
        assert ("module", home.__name__) == objects[0]


@pytest.mark.skipif(sys.platform == "win32", reason="the tool is a script of the shell")
@pytest.mark.parametrize("folder", ["bin", "Scripts"])
def test_hooks_find_their_tools_in_the_environment_of_every_system(folder, tmp_path, monkeypatch):
    tool = tmp_path / ".venv" / folder / "tool"
    tool.parent.mkdir(parents=True)
    tool.write_text('#!/bin/sh\nexit "$1"\n')
    tool.chmod(0o755)
    hook = import_module("in_environment")
    monkeypatch.setattr(hook, "ENVIRONMENT", tmp_path / ".venv")
    for name, code in (
        ("tool", 3),
        ("other", "other is not in .venv. Install the tools: make env"),
    ):
        monkeypatch.setattr(sys, "argv", ["in_environment.py", name, "3"])
        with pytest.raises(SystemExit) as ended:
            hook.main()
        assert ended.value.code == code
    entries = [x["entry"] for x in stated(".pre-commit-config.yaml")["repos"][0]["hooks"]]
    assert all(x.startswith("python tests/support/in_environment.py ") for x in entries)
