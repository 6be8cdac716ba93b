"""Playground: a complete folder of static files, and answers without LLVM, numba and SciPy."""

import functools
import http.server
import json
import os
import re
import subprocess
import sys
import threading
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from tests.support import playground
from tests.support.browser import opened

from torseur.cli.playground import answers_in_page, late_packages
from torseur.cli.playground.late_packages import LatePackage, PackageWanted
from torseur.errors import SolveError

ANSWERS = Path(__file__).parents[1] / "support" / "playground_answers.py"
GIVEN = os.environ.get("TORSEUR_PYODIDE")  # folder of a full distribution of Pyodide
PHRASE = "RX(q1), TYK(L1), RX(q2), TYK(L2)"


def asked(first, count):
    """Answers in a process without LLVM, numba and SciPy."""
    done = subprocess.run(
        [sys.executable, str(ANSWERS), str(first), str(count)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")


def test_panels_of_examples_are_answered_without_llvm_and_scipy():
    assert asked(0, 6) == ["asked 6", ""]


@pytest.mark.slow
def test_unusual_and_damaged_questions_are_answered_without_llvm_and_scipy():
    assert asked(0, 400) == ["asked 400", ""]


# --- packages that come late ----------------------------------------------------------------------


def test_a_late_package_is_asked_for_where_it_is_first_used(monkeypatch):
    package = LatePackage("json5x", comes=True)
    monkeypatch.setitem(sys.modules, "json5x", package)
    with pytest.raises(PackageWanted, match="json5x"):
        package.loads  # noqa: B018
    monkeypatch.setitem(sys.modules, "json5x", json)
    assert package.loads is json.loads


def test_a_package_that_cannot_come_is_reported_by_name():
    with pytest.raises(SolveError, match="needs the package json5x"):
        LatePackage("json5x", comes=False).loads  # noqa: B018


def test_an_answer_names_the_package_that_it_needs(monkeypatch):
    def wanting(*_):
        raise PackageWanted("scipy")

    monkeypatch.setattr(answers_in_page, "_answered", wanting)
    assert json.loads(answers_in_page.answer("en", "check", "{}"))["needs"] == "scipy"


def test_packages_that_have_come_are_used(monkeypatch):
    monkeypatch.setitem(sys.modules, "colorsys", LatePackage("colorsys", comes=True))
    early = sys.modules["colorsys"]
    late_packages.arrived("colorsys")
    assert early.rgb_to_hsv(0, 0, 0) == (0.0, 0.0, 0)


@pytest.mark.parametrize("path", ["picture", "reply", "../x", ""])
def test_other_questions_are_refused(path):
    answer = json.loads(answers_in_page.answer("en", path, "{}"))
    assert "not a valid request" in answer["faults"][0]["message"]


def test_what_is_saved_is_handed_to_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr(answers_in_page, "_FOLDER", tmp_path)
    question = {"text": PHRASE, "what": "description", "as": "a.yaml"}
    answer = json.loads(answers_in_page.answer("en", "save", json.dumps(question)))
    assert answer["saved"] == "a.yaml" and answer["content"]


# --- the folder -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def distribution(tmp_path_factory):
    """A folder with the files of a distribution of Pyodide, without their content."""
    folder = tmp_path_factory.mktemp("distribution")
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        (folder / name).write_text(name)
    packages = {}
    for name, depends in {
        "numpy": [],
        "markupsafe": [],
        "blas": [],
        "scipy": ["numpy", "blas"],
    }.items():
        (folder / f"{name}.whl").write_text(name)
        digest = sha256(name.encode()).hexdigest()
        packages[name] = {"file_name": f"{name}.whl", "sha256": digest, "depends": depends}
    lock = {"info": {"python": "3.14.2"}, "packages": packages}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock))
    return folder


@pytest.fixture(scope="module")
def site(distribution, tmp_path_factory):
    """A playground of such a distribution; wheels are not collected."""
    folder = tmp_path_factory.mktemp("site") / "playground"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(playground, "collect", collected)
        patch.setattr(playground, "own_wheel", lambda rest: rest / "torseur-0-py3-none-any.whl")
        patch.setattr(playground, "shrunk", lambda wheel, to: written(to / wheel.name))
        patch.setattr(playground, "compiled", lambda *_: None)
        assert playground.built(folder, distribution) == []
    return folder


def collected(folder, version, names):
    assert version == "3.14"
    return [written(folder / f"{name}.whl") for name in names]


def written(path):
    path.write_text("wheel")
    return path.name


def test_every_file_that_the_page_loads_is_there_and_kept_for_use_without_a_network(site):
    listed = json.loads(re.search(r"FILES = (\[.*?\]);", (site / "service.js").read_text())[1])
    present = {x.relative_to(site).as_posix() for x in site.rglob("*") if x.is_file()}
    assert set(listed) == {"./", *present} - {"service.js"}
    packages = json.loads((site / "packages.json").read_text())
    for group in (packages["first"], *packages["late"].values()):
        assert all((site / "packages" / x).is_file() for x in group["files"])
        assert all((site / "pyodide" / f"{x}.whl").is_file() for x in group["names"])
    assert (site / "pyodide" / "blas.whl").is_file(), "what SciPy depends on"
    for page in ("index.html", "fr.html"):
        text = (site / page).read_text(encoding="utf-8")
        assert all((site / x).is_file() for x in re.findall(r'<img src="([^"]+)"', text))
        assert not re.findall(r'(?:src|href)="(?:https?:)?//', text)


def test_the_pages_have_their_language(site):
    assert 'lang="fr"' in (site / "fr.html").read_text(encoding="utf-8")[:200]
    assert "Exercises" not in (site / "index.html").read_text(encoding="utf-8").split("<script")[0]


def test_missing_wheels_are_named_with_the_way_to_give_them(distribution, tmp_path):
    bare = tmp_path / "bare"
    bare.mkdir()
    for path in distribution.glob("py*"):
        (bare / path.name).write_bytes(path.read_bytes())
    with pytest.raises(SystemExit, match=r"(?s)needs numpy.whl, markupsafe.whl.*PYODIDE=folder"):
        playground.built(tmp_path / "site", bare)


def test_a_wheel_that_is_not_the_one_listed_is_refused(distribution, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    for path in distribution.iterdir():
        (other / path.name).write_bytes(path.read_bytes())
    (other / "numpy.whl").write_text("something else")
    with pytest.raises(SystemExit, match=r"numpy\.whl is not the file"):
        playground.built(tmp_path / "site", other)


# --- in a browser ---------------------------------------------------------------------------------


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, by the types that browsers want."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript", ".wasm": "application/wasm",
    }  # fmt: skip

    def log_message(self, *_):
        pass


@contextmanager
def served(folder):
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.handle_error = lambda *_: None  # a page that is left closes its connections
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


STUB = """
let count = 0;
self.postMessage({ ready: true });
self.onmessage = ({ data }) => {
  const { text } = JSON.parse(data.question), began = Date.now();
  count += 1;
  while (text.includes("long") && Date.now() - began < 60000);
  const html = `<p class="stub">${data.lang} ${data.path} ${text} ${count}</p>`;
  const answer = { faults: [], phrase: true, controls: [], html };
  const saved = { saved: "a.yaml", text, message: "", content: btoa(text) };
  if (data.path === "save") Object.assign(answer, saved);
  self.postMessage({ answer: JSON.stringify(answer) });
};
"""


@pytest.fixture
def stubbed(site):
    (site / "worker.js").write_text(STUB)
    with served(site) as address:
        yield address


def test_the_page_asks_its_worker_and_shows_the_answers(stubbed):
    with opened(f"{stubbed}#empty") as seen:
        page = seen.page
        page.click('[data-show="equations"]')
        page.fill("#text", PHRASE)
        page.wait_for_selector(".stub", state="attached")
        assert page.inner_text(".stub").startswith(f"en equations {PHRASE}")
        page.click('[data-save="description"]')
        with page.expect_download() as download:
            page.click('#saving button[value="save"]')
        assert Path(download.value.path()).read_text() == PHRASE
        assert not page.query_selector(".loading")
        assert not seen.from_elsewhere
        assert not seen.messages


@pytest.mark.slow
def test_a_long_computation_ends_when_the_text_is_edited(stubbed):
    with opened(f"{stubbed}#empty") as seen:
        page = seen.page
        page.click('[data-show="equations"]')
        page.fill("#text", "long")
        page.wait_for_timeout(600)
        page.fill("#text", PHRASE)
        page.wait_for_selector(".stub", state="attached")
        assert page.inner_text(".stub") == f"en equations {PHRASE} 2"


@pytest.mark.slow
def test_the_page_opens_without_a_network_after_the_first_visit(site):
    (site / "worker.js").write_text(STUB)
    with served(site) as address, opened(f"{address}#empty") as seen:
        page = seen.page
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        page.context.set_offline(True)
        page.reload()
        page.click('[data-show="equations"]')
        page.fill("#text", PHRASE)
        page.wait_for_selector(".stub", state="attached")


@pytest.mark.slow
@pytest.mark.skipif(GIVEN is None, reason="TORSEUR_PYODIDE names no distribution of Pyodide")
def test_python_in_the_page_gives_equations_and_a_motion(tmp_path):
    playground.built(tmp_path / "site", GIVEN, os.environ.get("TORSEUR_WHEEL"))
    with served(tmp_path / "site") as address, opened(f"{address}#empty") as seen:
        page = seen.page
        page.set_default_timeout(120_000)
        page.click('[data-show="equations"]')
        page.fill("#text", PHRASE)
        page.wait_for_selector('[data-panel="equations"] math', state="attached")
        page.goto(f"{address}#four_bar")
        page.click('[data-show="motion"]')
        page.wait_for_selector("iframe:not(.coming)")
        assert "loop closure within" in page.inner_text(".quality")
        assert not seen.from_elsewhere
        assert not seen.messages
