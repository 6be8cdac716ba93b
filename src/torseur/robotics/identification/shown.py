"""Tables in plain text, lists of sentences and figures of what an identification found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from torseur.figures import Figure, figure, labelled, written
from torseur.text_table import text_table
from torseur.words.sentence import said, worded

Array = np.ndarray


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows under a head, of numbers but for the first column."""
    return "\n".join(text_table(rows, numbers=True))


def told_list(head: str, sentences: Sequence[str]) -> list[str]:
    """Sentences under a head, if there are any, as one text."""
    if not sentences:
        return []
    return ["\n  ".join([worded(head), *map(worded, sentences)])]


def residual_figure(
    names: Sequence[str],
    t: Array,
    measured: Array,
    left: Array,
    path: str | Path | None = None,
    lang: str | None = None,
) -> Figure:
    """Measured forces and those of a model, beside what it leaves of them, joint by joint."""
    drawn = figure(10.0, 1.2 + 1.4 * len(names))
    panels = drawn.subplots(len(names), 2, sharex=True, squeeze=False)
    for k, ((whole, rest), name) in enumerate(zip(panels, names, strict=True)):
        whole.plot(t, measured[:, k], color="0.7", label=said("measured", lang))
        whole.plot(t, (measured - left)[:, k], color="C0", linewidth=0.8, label=said("model", lang))
        rest.plot(t, left[:, k], color="C3", linewidth=0.8, label=said("what is left", lang))
        below = "t [s]" if k == len(names) - 1 else ""
        labelled(whole, below, f"Q {name.removesuffix('.')}")
        labelled(rest, below, "")
    for panel in panels[0]:
        panel.legend(loc="upper right")
    return written(drawn, path, said("residuals by joint", lang))
