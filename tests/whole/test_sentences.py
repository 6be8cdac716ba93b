"""Every sentence that is given to an error or a notice passes through the catalogue of words."""

import ast

import pytest
import translations
from source_code import nodes
from source_sentences import (
    BY_KIND,
    DRAWN,
    called,
    in_figures,
    modules,
    read,
    words_in_figure,
)

from torseur.words.catalogue import languages
from torseur.words.sentence import places

OTHERS = languages()[1:]


def test_no_sentence_is_put_together_where_it_is_given():
    """A text with values in it is said: `say("… {name} …", value)`."""
    loose = []
    for name, path in modules(DRAWN):
        sums = (x for x in read(path)[0] if isinstance(x, ast.JoinedStr | ast.BinOp))
        made = (x for x in sums if any(isinstance(y, ast.JoinedStr) for y in ast.walk(x)))
        loose += [f"{name}:{x.lineno}: {ast.unparse(x)}" for x in made]
    assert not loose


def test_every_sentence_has_french():
    """And every text of the help, heading, name of a type, example and entry of the form."""
    lacking = translations.missing("fr")
    lines = "\n".join(f"# {where}\n{message}" for message, where in lacking)
    assert not lacking, f"Run `make words`, or add to src/torseur/words/fr.po:\n{lines}"


@pytest.mark.parametrize("lang", OTHERS)
def test_every_translation_has_the_values_of_the_english_text(lang):
    assert not translations.misplaced(lang)


@pytest.mark.parametrize("lang", OTHERS)
def test_no_translation_is_left_of_what_nothing_says(lang):
    assert not translations.unused(lang)


@pytest.mark.parametrize("lang", OTHERS)
def test_an_english_text_has_one_translation_in_a_context(lang):
    listed = [x.key for x in translations.messages(lang)]
    assert len(listed) == len(set(listed))


def test_what_stands_in_a_figure_is_said():
    """A text with values in it is said; one without is found in the catalogue by itself."""
    wrong = [
        f"{name}:{x.lineno}: {words_in_figure(x)}"
        for name, path in modules(BY_KIND)
        for x in in_figures(path)
        if not isinstance(x, ast.Constant) and words_in_figure(x)
    ]
    assert not wrong


def test_every_sentence_is_given_its_values():
    wrong = [
        f"{name}:{call.lineno}"
        for name, path in modules(BY_KIND)
        for call in read(path)[1]
        if isinstance(call.func, ast.Name) and len(places(call.args[0].value)) != len(call.args) - 1
    ]
    assert not wrong


def test_every_place_of_a_sentence_of_a_result_is_given_or_an_attribute():
    """`self.say("… {name} …")`: the class has the attribute, or a keyword gives the value."""
    checked, wrong = 0, []
    for name, path in modules("result.py"):
        by_name = {x.name: x for x in nodes(path, ast.ClassDef)}
        for result in by_name.values():
            known = attributes(result, by_name)
            for call in (x for x in ast.walk(result) if isinstance(x, ast.Call)):
                if called(call) == "say" and isinstance(call.func, ast.Attribute):
                    given = {x.arg for x in call.keywords}
                    asked = set(places(call.args[0].value))
                    checked += 1
                    if len(call.args) > 1 or not given <= asked <= known | given:
                        wrong.append(f"{name}:{call.lineno}")
    assert checked and not wrong


def attributes(kind, others):
    """Fields, methods and properties of a class and of those of its file that it extends."""
    found = {getattr(x, "name", getattr(getattr(x, "target", x), "id", "")) for x in kind.body}
    for base in kind.bases:
        if getattr(base, "id", "") in others:
            found |= attributes(others[base.id], others)
    return found


def test_what_yaml_and_xml_readers_say_is_known_to_be_theirs():
    told = [x for x in translations.texts("fr") if translations.said_by_parsers(x)]
    assert "while scanning a plain scalar" in told and "mismatched tag" in told
