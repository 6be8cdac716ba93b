"""The class of figures, which a notebook shows; it is read when something is drawn first."""

from __future__ import annotations

from io import BytesIO

from matplotlib import figure

_DOTS = 110  # an inch, in a notebook


class Figure(figure.Figure):
    """A figure of Matplotlib that shows itself, whether `pyplot` has been read or not."""

    def _repr_png_(self) -> bytes:
        file = BytesIO()
        self.savefig(file, format="png", dpi=_DOTS)
        return file.getvalue()
