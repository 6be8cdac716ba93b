"""Sphinx settings: Markdown pages, the furo theme, mathematics as MathML."""

import sys
from pathlib import Path

from torseur.version import __version__

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "tests" / "support")]

project = "Torseur"
author = "the Torseur developers"
copyright = "2026, the Torseur developers"
version = release = __version__

extensions = [
    "myst_parser",
    "commands",
    "gallery",
    "languages",
    "mathml",
    "notebooks",
    "showcase",
    "signatures",
    "workspaces",
]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
python_maximum_signature_line_length = 88  # a longer one has a line for each argument
exclude_patterns = ["_ext", "_static"]

html_theme = "furo"
html_title = f"Torseur {version}"
html_math_renderer = "mathml"
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["mathml.css", "pages.css"]
