"""What notebooks show: every public value as well-formed HTML, LaTeX or SVG."""

import base64
import pickle
import re
import sys
from functools import cache
from html import unescape
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from xml.dom import minidom

import numpy as np
import pytest

import torseur as ts
from torseur.report.assets import asset
from torseur.report.viewer.widget import _class as made

SHOWN = {
    "equations": lambda m: ts.derive(m),
    "derivation": lambda m: ts.tell(m),
    "first integrals": lambda m: ts.first_integrals(m),
    "run": lambda m: ts.simulate(m, 0.1),
    "mobility": lambda m: ts.mobility(m),
    "balance": lambda m: ts.linkages.balance(m),
    "small motions": lambda m: ts.linearise(m),
    "equilibria": lambda m: ts.equilibria(m),
    "torseur": lambda m: ts.Torseur([1, 2, 3], [0, 1.5, 0], [0, 0, 1]),
    "mass sheet": lambda m: ts.mass.body_sheet(m, list(m.bodies)[-1]),
    "masses": lambda m: ts.mass.from_shapes("sphere(radius=1)", density=2),
    "formulas": lambda m: ts.formalisms.formulas(m, solved=True),
    "bodies isolated": lambda m: ts.formalisms.isolate(m),
    "virtual power": lambda m: ts.formalisms.virtual_power(m, {"theta": 1}),
    "Lagrangian": lambda m: ts.formalisms.lagrangian(m),
    "Hamiltonian": lambda m: ts.formalisms.lagrangian(m).hamiltonian,
    "comparison": lambda m: ts.formalisms.compare(m),
    "diagnosis": lambda m: ts.check(m),
    "answer": lambda m: ts.check_answer(m, "theta.. < 0", of="theta"),
    "exercise": lambda m: ts.exercises.load("compound_pendulum"),
    "torseurs of a body": lambda m: ts.torseurs.body_torseurs(m, "solid"),
    "values": lambda m: ts.derive(m).evaluate(q=[0.3], v=[0.1]),
    "start": lambda m: ts.assemble(m, {"theta": 0.3}),
    "composed velocities": lambda m: ts.observe.composition(ts.simulate(m, 0.1), "end", "solid"),
    "principal axes": lambda m: ts.mass.body_sheet(m, "solid").principal,
    "symmetries": lambda m: ts.mass.deduce([ts.mass.Plane("x")]),
    "local basis": lambda m: ts.attitude.cylindrical([1, 0.2, 0.3]),
    "rigid velocities": lambda m: ts.torseurs.rigid_fit(np.eye(3), np.zeros((3, 3))),
    "polhodes": lambda m: ts.rotation.polhodes([1, 2, 3]),
    "sensitivity": lambda m: ts.sensitivity(m, 0.1, ["a"]),
}  # fmt: skip


@cache
def pendulum():
    return ts.load(files("torseur.examples") / "compound_pendulum.yaml")


@pytest.mark.parametrize("name", SHOWN)
def test_a_value_is_shown_as_well_formed_html(name):
    value = SHOWN[name](pendulum())
    page = value._repr_html_()
    minidom.parseString(page)
    assert "http" not in page
    if hasattr(value, "_repr_latex_"):
        text = value._repr_latex_()
        assert text.count("{") == text.count("}")


def test_a_mechanism_is_shown_as_its_scheme():
    drawn = minidom.parseString(pendulum()._repr_svg_())
    assert drawn.documentElement.tagName == "svg"


def test_a_dynamic_torseur_is_shown_as_a_book_writes_it():
    shown = ts.torseurs.body_torseurs(pendulum(), "solid").dynamic._repr_latex_()
    assert r"\ddot{\theta}\,\left(C - a^{2}\,m\right)" in shown and r"\frac" not in shown


def test_a_lagrangian_is_shown_as_a_formula():
    shown = ts.formalisms.lagrangian(pendulum())._repr_latex_()
    assert r"L = \frac{1}{2}\,C\,\dot{\theta}^{2} + m\,g\,a\,\cos \theta" in shown


def test_equations_are_shown_with_letters_for_numbers():
    text = ts.derive(ts.load(files("torseur.examples") / "double_pendulum.yaml"))._repr_latex_()
    assert "g" in text and "981" not in text and "2943" not in text


def test_a_rotation_is_shown_as_its_matrix():
    shown = ts.attitude.euler.rotation("zxz", [0.1, 0.2, 0.3])._repr_latex_()
    assert shown.count(r"\\") == 2 and f"{np.cos(0.2):.6f}" in shown


def test_a_figure_is_shown_as_an_image():
    drawn = ts.plot(ts.simulate(pendulum(), 0.1))
    assert drawn._repr_png_()[1:4] == b"PNG"
    assert pickle.loads(pickle.dumps(drawn))._repr_png_()[1:4] == b"PNG"


def test_a_file_that_was_written_is_sent_to_other_processes(tmp_path):
    drawn = ts.drawing(pendulum(), tmp_path / "x.svg")
    again = pickle.loads(pickle.dumps(drawn))
    assert again == drawn and again._repr_html_() == drawn._repr_html_()


def test_every_result_of_fields_shows_them_by_name():
    shown = ts.derive(pendulum()).evaluate(q=[0.3], v=[0.1])._repr_html_()
    for name in ("M", "h", "g", "Q", "J", "gamma"):
        assert f'<th scope="row">{name}</th>' in shown
    assert "0.31" in shown


# --- files that were written --------------------------------------------------------------------


def test_a_file_that_was_written_is_shown_as_what_is_in_it(tmp_path):
    run = ts.simulate(pendulum(), 0.1)
    page = ts.view(run, tmp_path / "page.html")
    assert isinstance(page, Path) and page == tmp_path / "page.html"
    (framed,) = re.findall(r'<iframe srcdoc="([^"]*)"', page._repr_html_())
    assert unescape(framed) == page.read_text(encoding="utf-8")
    drawn = minidom.parseString(ts.drawing(pendulum(), tmp_path / "x.svg")._repr_html_())
    head, _, letters = drawn.documentElement.getAttribute("src").partition(",")
    assert head == "data:image/svg+xml;base64"
    assert base64.b64decode(letters) == (tmp_path / "x.svg").read_bytes()


def test_a_file_that_is_no_picture_or_is_gone_is_shown_by_its_path(tmp_path):
    assert pendulum().save(tmp_path / "model.yaml")._repr_html_() is None
    drawn = ts.pictures.scheme(pendulum(), tmp_path / "x.svg")
    drawn.unlink()
    assert drawn._repr_html_() is None


def test_an_expression_is_shown_as_a_formula():
    assert ts.derive(pendulum()).M[0, 0]._repr_latex_().splitlines()[1] == "& C"


def test_a_torseur_is_shown_with_its_components_and_its_point():
    shown = ts.Torseur([1, 2, 3], [0, 1.5, 0], [0, 0, 1])._repr_latex_()
    assert r"1 & 0 \\ 2 & 1.5 \\ 3 & 0" in shown
    assert "_{(0, 0, 1)}" in shown


# --- the viewer as a widget ---------------------------------------------------------------------


@pytest.fixture
def widgets(monkeypatch):
    """What the extra brings, in a few lines: a base class that keeps its traits."""

    def trait(default):
        return SimpleNamespace(default=default, tag=lambda **kind: (default, kind))

    class AnyWidget:
        def __init__(self, **given):
            vars(self).update(given)

    monkeypatch.setitem(sys.modules, "anywidget", SimpleNamespace(AnyWidget=AnyWidget))
    traits = SimpleNamespace(Unicode=trait, Float=trait, Int=trait)
    monkeypatch.setitem(sys.modules, "traitlets", traits)
    made.cache_clear()
    yield
    made.cache_clear()


def test_a_widget_holds_the_page_of_the_viewer_and_its_time(widgets):
    run = ts.simulate(pendulum(), 0.2)
    shown = ts.pictures.widget(run, height=400, lang="fr")
    assert (shown.time, shown.height) == (0.0, 400)
    assert '<html lang="fr"' in shown.page and "http" not in shown.page.partition("<script")[0]
    assert type(shown).time == (0.0, {"sync": True})
    assert "export default { render }" in type(shown)._esm


def test_the_script_of_the_widget_moves_the_slider_of_the_page():
    script = asset("viewer/assets/widget.js")
    (name,) = re.findall(r'querySelector\("\[(data-\w+)\]"\)', script)
    assert f'{name}=""' in asset("viewer/assets/viewer.html.jinja")


def test_a_widget_without_the_extra_says_how_to_have_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    made.cache_clear()
    with pytest.raises(ts.ModelError, match=r'pip install "torseur\[notebook\]"'):
        ts.pictures.widget(pendulum())


def test_the_widget_of_the_page_runs_where_the_extra_is_there(capsys):
    pytest.importorskip("anywidget")
    made.cache_clear()
    page = (Path(__file__).parents[2] / "docs" / "howto-report.md").read_text(encoding="utf-8")
    code, printed = re.search(r"```py\n(.*?)```\n\n```text\n(.*?)```", page, re.S).groups()
    exec(compile(code, "howto-report.md, with anywidget", "exec"), {})
    assert capsys.readouterr().out == printed
