"""Catalogues of translations: gettext's format, a language that is one file, and `make words`."""

import gettext
import importlib
import io
import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest
import translations
from source_code import ROOT

from torseur.words import catalogue
from torseur.words.catalogue import compiled
from torseur.words.po import Message, mo_data, read_mo, read_po

FRENCH = catalogue.FOLDER / "fr.po"
HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
PO = r"""
#: src/a.py
msgid "{n} bodies"
msgstr "{n} solides"

msgctxt "teach: title"
msgid ""
"two\n"
"lines \"quoted\" \\ \t"
msgstr ""
"deux\n"
"lignes « citées » \\ \t"
#, fuzzy, python-brace-format
msgid "guessed"
msgstr "deviné"

msgid "untranslated"
msgstr ""

#~ msgid "gone"
#~ msgstr "disparu"
msgid "last"
msgstr "dernier"
"""
TOY = r"""
msgid "lever of body {body}"
msgstr "hebel an {body}"

msgctxt "help"
msgid "Usage:"
msgstr "Gebrauch:"

msgctxt "report"
msgid "Equations of motion"
msgstr "Bewegungsgleichungen"

msgctxt "entry"
msgid "bodies"
msgstr "körper, teile"

msgctxt "name"
msgid "revolute"
msgstr "drehgelenk"

msgctxt "typography"
msgid "{kind} \"{name}\""
msgstr "{kind} „{name}“"

msgctxt "place"
msgid "joint"
msgstr "gelenk"
"""
SPOKEN = """
import sys
from pathlib import Path
from torseur.words import catalogue
catalogue.FOLDER = Path(sys.argv[1])
import torseur as ts
from torseur.cli import main
from torseur.errors import ModelError
from torseur.named_words import report_words
from torseur.words.language import asked_for
from torseur.words.sentence import say

print(catalogue.languages(), asked_for({"LANG": "xx_XX.UTF-8"}), asked_for({"LANG": "fr_FR"}))
with ts.speaking("xx"):
    print(say("lever of body {body}", 3))
    print(say("body {body}", 3))
    print(ModelError('joint "A"', "Rename it in the phrase."))
    print(report_words(None)["Equations of motion"], report_words(None)["Bodies"])
model = {"Teile": {"arm": {"mass": 1}}, "joints": {
    "O": {"type": "Drehgelenk", "bodies": ["ground", "arm"], "axis": "z", "coordinate": "q"}}}
print(ts.load(model).joints["O"].kind.names[0])
sys.argv = ["torseur", "--lang", "xx", "--help"]
main()
"""


def test_a_po_file_is_read_with_its_contexts_escapes_and_lines():
    first, title, fuzzy, empty, last = read_po(PO)
    assert (first.english, first.text, first.comments) == (
        "{n} bodies",
        "{n} solides",
        ["#: src/a.py"],
    )
    assert title.context == "teach: title" and title.line == 6
    assert title.english == 'two\nlines "quoted" \\ \t'
    assert title.text == "deux\nlignes « citées » \\ \t"
    assert [x.usable for x in (fuzzy, empty, last)] == [False, False, True]
    assert [str(x) for x in read_po("\n".join(map(str, read_po(PO))))] == [*map(str, read_po(PO))]


@pytest.mark.parametrize(
    "wrong", ['msgid "a', 'msgid_plural "b"', 'msgid "a" b', "some words", 'msgid "a\\"']
)
def test_a_line_that_is_none_of_a_po_file_is_an_error_with_its_number(wrong):
    with pytest.raises(ValueError, match="line 3 of the catalogue cannot be read: "):
        list(read_po(f'msgid "x"\nmsgstr "y"\n{wrong}\n'))


def test_gettext_reads_what_is_compiled_as_torseur_does():
    data = mo_data(read_po(FRENCH.read_text(encoding="utf-8")))
    theirs, ours = gettext.GNUTranslations(io.BytesIO(data)), read_mo(data)
    assert len(ours) > 4000
    for key, text in ours.items():
        context, _, english = key.rpartition("\x04")
        assert text == (theirs.pgettext(context, english) if context else theirs.gettext(english))


def test_what_is_compiled_is_what_is_translated():
    assert read_mo(mo_data(read_po(PO))) == {
        "{n} bodies": "{n} solides",
        'teach: title\x04two\nlines "quoted" \\ \t': "deux\nlignes « citées » \\ \t",
        "last": "dernier",
    }
    assert read_mo(mo_data([])) == {}


def test_no_text_is_not_the_header():
    assert catalogue.translated("", "fr") == ""
    assert catalogue.translated("of the user", "fr") == "of the user"
    assert catalogue.translated("otherwise", "nn") == "otherwise"


def test_a_catalogue_is_compiled_again_when_it_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    source, copy = tmp_path / "xx.po", tmp_path / "__pycache__" / "xx.mo"
    source.write_text('msgid "a"\nmsgstr "b"\n', encoding="utf-8")
    assert read_mo(compiled(source)) == {"a": "b"}
    assert copy.stat().st_mtime_ns == source.stat().st_mtime_ns
    copy.write_bytes(mo_data([Message("", "a", "copy")]))
    os.utime(copy, ns=(source.stat().st_atime_ns, source.stat().st_mtime_ns))
    assert read_mo(compiled(source)) == {"a": "copy"}
    source.write_text('msgid "a"\nmsgstr "c"\n', encoding="utf-8")
    os.utime(source, ns=(0, 10**9))
    assert read_mo(compiled(source)) == {"a": "c"} == read_mo(copy.read_bytes())


def test_a_language_is_one_file(tmp_path):
    """It is spoken, read in descriptions, and chosen by the locale and by commands."""
    (tmp_path / "xx.po").write_text(HEADER + TOY, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SPOKEN, str(tmp_path)],
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    head, *page = done.stdout.split("\n", 6)
    assert head == "('en', 'xx') xx en", done.stderr
    assert page[:5] == [
        "hebel an 3",
        "body 3",
        "gelenk „A“: Rename it in the phrase.",
        "Bewegungsgleichungen Bodies",
        "revolute",
    ]
    assert "Gebrauch: torseur" in page[5] and "Show this message and exit." in page[5]


def test_a_wheel_has_each_language_compiled(tmp_path, monkeypatch):
    interface = SimpleNamespace(BuildHookInterface={Any: object})
    monkeypatch.setitem(sys.modules, "hatchling.builders.hooks.plugin.interface", interface)
    monkeypatch.syspath_prepend(ROOT)
    hook = importlib.import_module("hatch_build").WheelHook()
    hook.root = str(ROOT)
    hook.translate(tmp_path)
    assert [x.name for x in tmp_path.iterdir()] == ["fr.mo"]
    built = read_mo((tmp_path / "fr.mo").read_bytes())
    assert built.pop("").startswith("Project-Id-Version")
    assert built == catalogue.catalogue("fr")


@pytest.fixture
def words(tmp_path, monkeypatch):
    """A folder with the catalogue of a language that has two messages, one of them wrong."""
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    caches = catalogue.languages, catalogue.catalogue, translations.messages
    text = HEADER + 'msgid "body {body}"\nmsgstr "körper {x}"\n\nmsgid "out of use"\nmsgstr "weg"\n'
    (tmp_path / "xx.po").write_text(text, encoding="utf-8")
    for x in caches:
        x.cache_clear()
    yield tmp_path / "xx.po"
    monkeypatch.undo()
    for x in caches:
        x.cache_clear()


def test_make_words_reports_what_lacks_what_is_left_and_wrong_values(words):
    lacking = {x.key: where for x, where in translations.missing("xx")}
    path, line = lacking["Give it another name."].split(":")
    assert "Give it another name." in (ROOT / path).read_text("utf-8").splitlines()[int(line) - 1]
    assert lacking["type\x04revolute"].startswith("src/torseur/model/joints/library.py:")
    assert translations.unused("xx") == ["xx.po:7: nothing says 'out of use'"]
    (wrong,) = translations.misplaced("xx")
    assert wrong == "xx.po:4: values ['body'] in English, ['x'] in 'körper {x}'"


def test_make_words_adds_what_lacks_and_changes_no_translation(words):
    before = {x.key: x.text for x in translations.messages("xx")}
    text = translations.completed("xx")
    words.write_text(text, encoding="utf-8")
    after = [*read_po(text)][1:]
    assert {(x.context, x.english) for x in after} >= translations.wanted().keys()
    assert {x.key: x.text for x in after if x.text} == before
    assert translations.completed("xx") == text
    files = [x.comments[-1] for x in after if x.context == "type"]
    assert "#: src/torseur/model/joints/library.py" in files


def test_make_words_starts_a_language(words, capsys):
    translations.main("zz")
    assert catalogue.languages() == ("en", "xx", "zz")
    started = [*read_po((words.parent / "zz.po").read_text(encoding="utf-8"))]
    assert "Language: zz\n" in started[0].text and len(started) > 4000
    told = capsys.readouterr().out
    assert "xx.po:7: nothing says 'out of use'" in told
    assert ": xx has no 'Give it another name.'" in told and ": zz has no" not in told
    assert f"{words.parent / 'zz.po'}: {len(translations.wanted())} of " in told


@pytest.mark.parametrize("there", ["xx", "en"])
def test_make_words_starts_no_language_that_is_there(words, there):
    translations.main(there)
    assert catalogue.languages() == ("en", "xx")
    assert 'msgstr "weg"' in words.read_text(encoding="utf-8")
