"""What the writers of pages and pictures write, as text."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from torseur.report.drawing import drawing as drawings
from torseur.report.drawing import picture as pictures
from torseur.report.pages import page as pages


def _text(write, subject, *args, **options):
    with TemporaryDirectory() as folder:
        path = write(subject, Path(folder) / "written", *args, **options)
        return path.read_text(encoding="utf-8")


drawing = partial(_text, drawings.drawing)
page = partial(_text, pages.page)
picture = partial(_text, pictures.picture)
