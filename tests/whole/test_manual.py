"""Extensions of the manual: contents of French pages, members of constants."""

import re
import sys

from source_code import ROOT

import torseur as ts

sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import languages
import signatures


def test_french_pages_list_the_french_pages_first_and_name_the_language_of_the_others():
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    captions = re.findall(r"^:caption: (.+)$", page, re.M)
    assert captions == [*languages.CAPTIONS, "En français"]
    groups = [f'<p class="caption"><span>{x}</span></p><ul>{x}</ul>' for x in captions]
    tree = languages.french_first("<start>" + "".join(groups))
    expected = ["En français", *languages.CAPTIONS.values()]
    assert re.findall(r"<span>(.+?)</span>", tree) == expected
    assert re.findall(r"<ul>(.+?)</ul>", tree) == ["En français", *languages.CAPTIONS]
    assert tree.startswith("<start>")


def test_the_reference_lists_the_members_of_a_constant():
    assert signatures.contents(ts.mass.SOLIDS).startswith("With the keys `box`, ")
    expected = "One of `Plane`, `FoldAxis`, `Revolution`, `CentralPoint`."
    assert signatures.contents(ts.mass.Symmetry) == expected
