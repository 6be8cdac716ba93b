"""The cache of machine code executes nothing but what its user wrote, under its own name."""

import importlib.util
import os
import stat
import sys
from dataclasses import replace
from shutil import copytree, ignore_patterns

import pytest

import torseur as ts
from torseur.algebra.core.expr import symbol
from torseur.equations.functions.kernel import kernel
from torseur.machine.evaluator import kernel_code
from torseur.machine.llvm import cache, jit, object_fields, sources
from torseur.model.values.fingerprint import fingerprint


@pytest.fixture
def folder(tmp_path, monkeypatch):
    place = tmp_path / "cache"
    monkeypatch.setenv("TORSEUR_CACHE", str(place))
    cache._is_safe.cache_clear()
    cache._make_room.cache_clear()
    yield place
    cache._is_safe.cache_clear()


def test_what_is_kept_is_found_again_in_a_folder_of_its_own(folder):
    cache.write("one", b"code")
    assert cache.read("one") == b"code"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "one").stat().st_mode) == 0o600


def test_an_entry_is_never_executed_under_another_name(folder):
    cache.write("one", b"code")
    (folder / "two").write_bytes((folder / "one").read_bytes())
    assert cache.read("two") is None


def test_a_link_is_not_followed(folder, tmp_path):
    cache.write("one", b"code")
    (folder / "one").rename(tmp_path / "elsewhere")
    (folder / "one").symlink_to(tmp_path / "elsewhere")
    assert cache.read("one") is None


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_what_others_can_write_is_not_executed(folder, mode):
    cache.write("one", b"code")
    (folder / "one").chmod(mode)
    assert cache.read("one") is None


def test_our_folder_that_was_left_open_is_closed(tmp_path, monkeypatch):
    monkeypatch.delenv("TORSEUR_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    place = tmp_path / "torseur"
    place.mkdir()
    place.chmod(0o777)
    cache.write("one", b"code")
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert cache.read("one") == b"code"


def test_a_folder_of_the_user_that_others_write_in_is_left_as_it_is(folder):
    folder.mkdir()
    folder.chmod(0o777)
    cache.write("one", b"code")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o777
    assert not list(folder.iterdir())


def test_what_belongs_to_another_user_is_done_without(folder, monkeypatch):
    cache.write("one", b"code")
    owner = os.getuid()
    monkeypatch.setattr(cache, "_user", lambda: owner + 1)
    assert cache.read("one") is None
    cache._is_safe.cache_clear()
    cache.write("two", b"code")
    assert not (folder / "two").exists()


def test_what_was_used_longest_ago_is_removed_beyond_a_size(folder, monkeypatch):
    names = [f"{k:064x}" for k in range(5)]
    for k, name in enumerate(names):
        cache.write(name, bytes(1000))
        os.utime(folder / name, (k, k))
    for other in ("unfinished-x", "thesis.tex"):
        (folder / other).write_bytes(bytes(500))
        os.utime(folder / other, (0, 0))
    before = (folder / names[4]).stat().st_mtime
    assert cache.read(names[0]) is not None, "reading counts as use"
    assert (folder / names[0]).stat().st_mtime > before
    monkeypatch.setattr(cache, "LARGEST", 3500)
    cache._make_room.cache_clear()
    cache.write("soon", b"")
    assert {*names, "unfinished-x"} < {x.name for x in folder.iterdir()}, "looked at a moment ago"
    os.utime(folder / "looked", (0, 0))
    cache._make_room.cache_clear()
    cache.write("last", b"")
    kept = {names[0], names[3], names[4], "soon", "last", "thesis.tex", "looked"}
    assert {x.name for x in folder.iterdir()} == kept, "what is not ours is not touched"


def test_without_a_home_the_cache_is_among_the_temporary_files(tmp_path, monkeypatch):
    for name in ("TORSEUR_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "file" / "home"))
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cache._is_safe.cache_clear()
    cache.write("one", b"code")
    assert cache.read("one") == b"code"
    assert (tmp_path / f"torseur-{os.getuid()}" / "one").exists()
    cache._is_safe.cache_clear()


# --- the name of code: what it is made from -----------------------------------------------------


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of Torseur's source, for all tests here."""
    root = tmp_path_factory.mktemp("source")
    unused = ignore_patterns("*.yaml", "__pycache__")
    copytree(sources.ROOT / "torseur", root / "torseur", ignore=unused)
    return root


@pytest.fixture
def copied(copy, folder, monkeypatch):
    """A copy of Torseur's source that a test may add to, and read as if it had never been read."""
    monkeypatch.setattr(sources, "ROOT", copy)
    cache._source_fingerprint.cache_clear()
    yield copy / "torseur"
    cache._source_fingerprint.cache_clear()


def names_of_code(*modules):
    """As a process would name it that starts now."""
    cache._source_fingerprint.cache_clear()
    return [cache.key("code", modules=(module,)) for module in modules]


TREE, STEPS = "torseur.machine.tree.kernels", "torseur.machine.integrators.kernels.dop853"
STRAIGHT = "torseur.machine.evaluator"


@pytest.mark.parametrize(
    ("changed", "renamed"),
    [
        ("dynamics/recursions/newton_euler.py", (True, False, True)),
        ("machine/integrators/kernels/step_size.py", (False, True, False)),
        ("machine/llvm/emit.py", (False, False, True)),
        ("spatial/triples.py", (True, True, True)),
        ("model/forces/line.py", (False, False, True)),
        ("model/constraints/relation.py", (False, False, True)),
        ("model/joints/rolling.py", (True, False, True)),
        ("cli/main.py", (False, False, False)),
    ],
)
def test_code_has_another_name_when_the_source_it_is_made_from_changes(copied, changed, renamed):
    modules = (TREE, STEPS, STRAIGHT)
    before = names_of_code(*modules)
    assert names_of_code(*modules) == before, "nothing has changed"
    path = copied / changed
    path.write_text(path.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    after = names_of_code(*modules)
    assert tuple(x != y for x, y in zip(before, after, strict=True)) == renamed


FORCE = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Pull:
    k: float

    def effect(self, places):
        return {sign}self.k
"""


@pytest.mark.parametrize("items", [24, 32])
def test_code_is_named_by_where_tuples_have_their_items(items, folder, monkeypatch):
    """CPython 3.14 put a hash before them, and reads the cache that 3.13 has written."""
    twice = kernel("twice", [("q", ["q1"])], 2 * symbol("q1"))

    def compile_all():
        kernel_code(twice, "twice")
        jit._python_entries.__wrapped__(*jit.target())  # which read the tuples, for all functions

    compile_all()
    before = {x.name for x in folder.iterdir()}
    monkeypatch.setattr(object_fields, "TUPLE_ITEMS", items)
    compile_all()
    after = {x.name for x in folder.iterdir()}
    assert (after == before) == (items == tuple.__basicsize__)


def test_the_name_of_code_has_the_text_of_a_class_that_is_not_ours(tmp_path):
    """What its methods say is part of the functions, though its fields are the same."""
    plain = ts.load("RZ(q1), TXK(L1);")
    texts = []
    for number, sign in enumerate(("", "-", "")):
        path = tmp_path / f"pull_{number}.py"
        path.write_text(FORCE.format(sign=sign), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        texts.append(fingerprint(replace(plain, loads={"pull": module.Pull(1.0)})))
        del sys.modules[path.stem]
    assert texts[0] != texts[1] and texts[0] == texts[2]
