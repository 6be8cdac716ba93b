"""The notebooks of the manual: each runs, prints what its page shows, and is a file of Jupyter."""

import json
import re
import sys

import pytest
from source_code import ROOT

sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import notebooks

DOCS = ROOT / "docs"
PAGES = sorted(
    path
    for path in DOCS.rglob("*.md")
    if notebooks.PLACE.search(path.relative_to(DOCS).with_suffix("").as_posix())
)
SHORT = """# A

See [b](../b.md).

```python
print(1)
2
```

```text
1
```

End.
"""


def language(path):
    return "fr" if "fr" in path.relative_to(DOCS).parts else "en"


@pytest.mark.sampled(3)  # `make docs` runs them all and compares what they print
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_notebook_prints_what_its_page_shows_and_draws_something(path):
    page = notebooks.cells(path.read_text(encoding="utf-8"))
    outputs = notebooks.executed(page, language(path))
    made = [x for x in outputs if x is not None]
    for cell, output in zip(page, outputs, strict=True):
        assert notebooks.as_shown(cell, output), cell.text
    forms = {form for output in made for form in output.value}
    assert forms & {"image/png", "image/svg+xml", "text/html"}
    saved = json.loads(notebooks.jupyter(page, outputs, path.parent.name))
    assert (saved["nbformat"], len(saved["cells"])) == (4, len(page))


def test_there_are_ten_notebooks_and_the_page_of_contents_has_them_all():
    home = DOCS / "notebooks"
    contents = (home / "index.md").read_text(encoding="utf-8")
    linked = {(home / x).resolve() for x in re.findall(r"\]\(([\w./]+\.md)\)", contents)}
    assert linked == set(PAGES)
    assert len(PAGES) == 10


def test_cells_are_the_texts_and_blocks_of_a_page_and_links_lead_to_the_repository():
    page = notebooks.cells(SHORT)
    assert [x.is_code for x in page] == [False, True, False]
    outputs = notebooks.executed(page, "en")
    assert outputs[1] == notebooks.Output("1\n", {"text/plain": "2"})
    saved = json.loads(notebooks.jupyter(page, outputs, "notebooks"))
    assert f"]({notebooks.ONLINE}/notebooks/../b.md)" in saved["cells"][0]["source"]
    assert [x["output_type"] for x in saved["cells"][1]["outputs"]] == ["stream", "execute_result"]
