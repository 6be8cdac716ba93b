"""Static files of the playground: its pages, examples, scripts, and the list of packages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torseur.cli.app.answers import picture
from torseur.cli.app.edits import reply_text
from torseur.cli.files.examples import example_lines
from torseur.language.packaged import EXAMPLES, packaged_files
from torseur.language.vocabulary.form_in_language import example_text
from torseur.output import write_text
from torseur.report.assets import asset
from torseur.report.editor.editor_page import editor
from torseur.words.language import speaking
from torseur.words.sentence import say

PAGES = {"en": "index.html", "fr": "fr.html"}
_SCRIPTS = "editor/playground"
# Everything comes from where the page comes from; WebAssembly is compiled.
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' data: blob:; "
    "worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"
)

Packages = Mapping[str, Sequence[str]]  # "names" in the distribution of Pyodide, "files" of wheels


def write_site(folder: Path, first: Packages, late: Mapping[str, Packages]) -> None:
    """Write the files beside the packages that are in the folder, then the list of all files.

    `first` are packages that answers need, `late` those that some need, by module.
    """
    for lang, name in PAGES.items():
        write_text(folder / name, _page(lang))
    for name in packaged_files(EXAMPLES):
        for lang in PAGES:
            document = {"file": f"{name}.yaml", "text": example_text(name, lang)}
            _write(folder / "example" / lang / name, reply_text(document))
        _write(folder / "picture" / f"{name}.svg", picture(name))
    _write(folder / "worker.js", asset(f"{_SCRIPTS}/worker.js"))
    _write(folder / "packages.json", json.dumps({"first": first, "late": late}))
    _write(folder / "service.js", _service(folder))


def _page(lang: str) -> str:
    """The page in a language, which asks a worker beside it."""
    with speaking(lang):
        start: dict[str, Any] = {
            "page": 1,
            "file": "model.yaml",
            "text": None,
            "known": None,
            "lang": lang,
            "loading": say("Python is being loaded, about 20 MB the first time…"),
            "failed": say("This browser could not load Python:"),
        }
        text = editor(start, example_lines(), lang, transport="playground/transport.js")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"/>'
    return text.replace("<head>", f"<head>{policy}", 1)


def _service(folder: Path) -> str:
    """The service worker with the list of all files and a digest of their contents."""
    paths = sorted(x for x in folder.rglob("*") if x.is_file() and x.name != "service.js")
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    files = ["./", *(x.relative_to(folder).as_posix() for x in paths)]
    script = asset(f"{_SCRIPTS}/service.js")
    return script.replace("{{digest}}", digest.hexdigest()[:16]).replace(
        "{{files}}", json.dumps(files)
    )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, text)
