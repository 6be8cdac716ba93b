"""Reports: documents of typed parts as HTML, LaTeX and PDF; every number is that of the library."""

import re
import sys
from functools import cache
from importlib.resources import files
from xml.dom import minidom

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.printing.breaking import WIDEST, formula, lines, pieces, width
from torseur.algebra.printing.notation import read
from torseur.named_words import dossier_words
from torseur.report.documents import html, latex, typst
from torseur.report.documents.page_parts import FormulaLines, Math, Paragraph, TablePart
from torseur.report.dossier import description_section as description
from torseur.report.dossier import motion_section as motion_of
from torseur.report.dossier.curve_pictures import _thinned
from torseur.report.dossier.description_section import action, balance_sheet, mobility_sheet, motion
from torseur.report.dossier.report import report_document
from torseur.report.pages import cells
from torseur.words.sentence import places

EXAMPLES = sorted(x.stem for x in files("torseur.examples").iterdir() if x.suffix == ".yaml")


def example(name):
    return ts.load(files("torseur.examples") / f"{name}.yaml")


@cache
def pendulum(lang="en"):
    return report_document(example("compound_pendulum"), lang=lang)


@cache
def moved():
    return ts.simulate(example("slider_crank"), 0.2, rate=200.0)


def section(document, key):
    title = dossier_words(document.lang)[key]
    (found,) = (parts for heading, parts in document.sections if heading.text == title)
    return found


def table(parts):
    """The first table among parts."""
    return next(x for x in parts if isinstance(x, TablePart))


def number(cell):
    text = cell.latex if isinstance(cell, Math) else cell
    return float(re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", text))


def check_document(document):
    """Well formed in every form; lines fit the page."""
    page = html.page(document)
    minidom.parseString(page.replace("<!DOCTYPE html>", ""))
    assert not re.search(r"(src|href)=\"(?!data:|#)", page)
    text = latex.written(document)
    bare = re.sub(r"\\[{}\\]", "", text)
    assert bare.count("{") == bare.count("}")
    assert text.count(r"\begin{") == text.count(r"\end{")
    assert text.isprintable() or not re.search(r"[\u0370-\u03ff\u2200-\u22ff]", text)
    for one in document.parts:
        for written in one.latex if isinstance(one, FormulaLines) else ():
            assert max(width(line) for line in lines(read(written))) <= WIDEST
    return text


# --- formulas -------------------------------------------------------------------------------------


def test_formulas_are_read_and_written_again_the_same():
    for one in pendulum().parts:
        for written in one.latex if isinstance(one, FormulaLines) else ():
            tree = read(written)
            assert read(formula(tree)) == tree


def test_a_long_formula_is_broken_before_signs_and_loses_nothing():
    long = " + ".join(rf"m_{{{k}}}\,\cos\left(q_{{{k}}}\right)" for k in range(30))
    tree = read(f"T = {long}")
    broken = lines(tree)
    assert len(broken) > 3
    assert all(width(line) <= WIDEST for line in broken)
    assert all(formula(line).startswith("+") for line in broken[1:])
    assert tuple(x for line in broken for x in line.items) == tree.items


def test_brackets_that_are_long_break_inside_and_a_wide_fraction_stands_in_the_line():
    inner = " + ".join(f"x_{{{k}}}" for k in range(40))
    assert len(pieces(read(rf"k \left( {inner} \right)"))) == 40
    for line in lines(read(rf"y = \frac{{{inner}}}{{z}}")):
        assert width(line) <= WIDEST


def test_a_narrow_fraction_stays_one_however_deep_it_is():
    """Within brackets that break, 1/cos is no (1)/(cos)."""
    inner = " + ".join(rf"\frac{{1}}{{\cos x_{{{k}}}}}" for k in range(40))
    for k in range(3):
        inner = rf"y_{{{k}}} + z \left( {inner} \right)"
    written = " ".join(formula(line) for line in lines(read(inner)))
    assert written.count(r"\frac") == 40
    wide = " + ".join(f"x_{{{k}}}" for k in range(40))
    told = " ".join(formula(x) for x in lines(read(rf"y = \frac{{{wide}}}{{z}}")))
    assert told.endswith("/ z") or told.endswith("/z")


def test_a_product_that_is_wider_than_the_page_breaks_between_its_factors():
    wide = r"\,".join(rf"\mathit{{length{k}}}" for k in range(20))
    assert all(width(line) <= WIDEST for line in lines(read(f"y = {wide}")))


def test_words_in_latex_hold_nothing_that_pdflatex_does_not_know():
    text = latex.words("50 % of γ ≤ λ² & {a_b} → ∂x, é « n° » 10⁻⁷ ẋ \\ ~ ^ < >")
    known = set("é«»°²")
    assert all(x.isascii() or x in known for x in text)
    assert r"\ensuremath{\gamma}" in text
    assert r"50 \%" in text


# --- documents ------------------------------------------------------------------------------------


def test_a_french_report_has_a_space_before_its_colons():
    found = section(pendulum("fr"), "Equilibria and modes")
    told = [x.text for x in found if isinstance(x, Paragraph) and isinstance(x.text, str)]
    assert any(" : " in text for text in told)
    assert not any(re.search(r"\w: ", text) for text in told)


def test_no_line_of_french_begins_with_a_sign():
    """Before ; : ! ? » and after « a space does not break."""
    assert html.line("sont-ils tous là ? « oui » ; ainsi : 2") == (
        "sont-ils tous là\u00a0? «\u00a0oui\u00a0»\u00a0; ainsi\u00a0: 2"
    )
    assert latex._line("ainsi : 2") == "ainsi~: 2"


def test_a_comma_stays_with_the_formula_before_it():
    told = html.line((Math("x"), ", ", Math("y"), " : deux."))
    assert re.sub("<math>.*?</math>", "m", told) == (
        '<span class="bound">m,</span> <span class="bound">m\u00a0:</span> deux.'
    )


def test_what_is_typed_stands_in_letters_of_code():
    told = "6 speeds: `torseur equilibria MODEL` does it."
    assert "<code>torseur equilibria MODEL</code>" in html.line(told)
    assert r"\texttt{torseur equilibria MODEL}" in latex._line(told)
    assert '#raw("torseur equilibria MODEL");' in typst._line(told)


def test_a_short_formula_is_not_broken_in_a_pdf():
    assert typst.inline_math(r"\gamma = -1.2").startswith("#box($")
    long = " + ".join(f"a_{{{k}}}" for k in range(9))
    assert typst.inline_math(long).startswith("$")


def test_fractions_of_displayed_formulas_are_as_large_as_on_paper():
    assert '<math displaystyle="true">' in html.fragment((FormulaLines((r"x = \frac{a}{b}",)),))
    assert "displaystyle" not in html.line(Math(r"\frac{a}{b}"))


def test_a_sign_before_words_in_a_formula_has_its_space():
    """Beside <mtext>, which MathML counts as space, an equals sign has no room at all."""
    assert "mtext" not in html.mathml.display(r"T = \text{a formula of 252 operations}")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_report_is_well_formed_and_fits_its_page(lang):
    text = check_document(pendulum(lang))
    assert (r"\usepackage[french]{babel}" in text) == (lang == "fr")


def test_both_languages_have_the_same_parts_and_the_same_words():
    kinds = [[type(x) for x in pendulum(lang).parts] for lang in ("en", "fr")]
    assert kinds[0] == kinds[1]
    assert set(dossier_words("en")) == set(dossier_words("fr"))
    for key, text in dossier_words("en").items():
        assert places(text) == places(dossier_words("fr")[key])
        assert text.count("{}") == dossier_words("fr")[key].count("{}")


def test_a_report_has_every_section_in_order():
    titles = ["Description", "Mobility", "Derivation", "Equations", "First integrals"]
    titles += ["Equilibria and modes", "References"]
    assert [x.text for x, _ in pendulum().sections] == titles


def test_pictures_are_svg_and_tikz():
    mechanism, run = example("slider_crank"), moved()
    parts = (*description.scheme(mechanism, "en"), *description.graph(mechanism, "en"))
    parts = (*parts, *motion_of.reactions(run, "en"), *motion_of.coordinates(run, "en"))
    pictures = [x for x in parts if hasattr(x, "tikz")]
    assert len(pictures) > 5
    for one in pictures:
        minidom.parseString(one.svg)
        assert one.tikz.count(r"\begin{tikzpicture}") == one.tikz.count(r"\end{tikzpicture}") == 1


def test_a_section_that_cannot_be_computed_says_why_in_one_sentence():
    document = report_document(example("bouncing_ball"))
    check_document(document)
    (told,) = section(document, "First integrals")
    assert isinstance(told, Paragraph)
    assert told.text.startswith("Not computed: ")
    assert "\n" not in told.text


@pytest.mark.slow
def test_a_phrase_without_values_has_its_report_too():
    document = report_document(ts.load("RY(q1), TYK(L1), RX(q2), TYK(L2);", masses="lever"))
    check_document(document)
    assert any(isinstance(x, FormulaLines) for x in section(document, "Equations"))


def test_a_large_mechanism_is_left_to_its_commands():
    phrase = ", ".join(f"RX(q{k}), TYK(L{k})" for k in range(1, 15))
    document = report_document(ts.load(f"{phrase};", masses="lever"))
    (told,) = section(document, "Equations")
    assert "torseur derive" in told.text


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_has_a_report(name):
    document = report_document(example(name), lang="fr")
    check_document(document)
    assert typst.pdf(document).startswith(b"%PDF")


# --- numbers --------------------------------------------------------------------------------------


def test_first_integrals_have_the_letters_of_the_equations():
    """20.25 v² said nothing of the masses that equations have in letters."""
    document = report_document(example("satellite"), lang="en")
    (energy, *_) = (x for x in section(document, "First integrals") if isinstance(x, FormulaLines))
    assert r"m_{\mathrm{hull}}" in energy.latex[0] and r"I_{xx,\mathrm{hull}}" in energy.latex[0]


def test_the_sheet_of_mobility_has_the_numbers_of_mobility():
    found = ts.mobility(example("slider_crank"))
    values = {row[0]: int(row[2]) for row in table(mobility_sheet(found, "en")).rows}
    assert values["independent loops"] == found.loops
    assert values["freedoms of all the joints"] == found.freedoms
    assert (
        values["mobility"]
        == found.degree
        == found.freedoms - values["rank of the conditions of closure"]
    )
    assert values["degree of over-constraint"] == found.overconstraint
    assert values["rank of the conditions of closure"] == 6 * found.loops - found.overconstraint


def test_the_balance_has_as_many_unknowns_as_equations():
    found = ts.linkages.balance(example("slider_crank"))
    tables = [x for x in balance_sheet(found, "en") if isinstance(x, TablePart)]
    totals = [int(one.rows[-1][1]) for one in tables]
    assert totals[0] == totals[1] == found.unknown_count
    assert [sum(int(row[1]) for row in one.rows[:-1]) for one in tables] == totals


def test_parameters_are_those_of_the_mechanism():
    shown = table(description.parameters(example("slider_crank"), "en"))
    values = [float(row[1]) for row in shown.rows]
    assert values == pytest.approx(list(example("slider_crank").parameters.values()))


def test_the_largest_reactions_are_those_of_the_run_at_their_times():
    run = moved()
    for name, force, when, *_ in table(motion_of.reactions(run, "en")).rows:
        sizes = np.linalg.norm(run.reaction(name)[:, :3], axis=1)
        assert number(force) == pytest.approx(sizes.max(), rel=1e-5)
        assert number(when) == pytest.approx(run.t[sizes.argmax()], abs=1e-6)


def test_loops_are_cut_at_the_same_joint_in_all_sections():
    """What the graph has dashed closes the loop in the balance and in the derivation."""
    document = report_document(example("slider_crank"), lang="en")
    graph = [x for x in section(document, "Description") if hasattr(x, "svg")][1]
    (dashed,) = re.findall(r'class="joint closes".*?>(\w+): ', graph.svg, re.DOTALL)
    balance = [x for x in section(document, "Mobility") if isinstance(x, TablePart)][-1]
    assert [row[0] for row in balance.rows if row[2] == "closes a loop"] == [f"joint {dashed}"]
    told = "".join(map(str, section(document, "Derivation")))
    stated = rf"{dashed}: revolute joint between crank and rod, axis .{{1,80}}?; it closes a loop"
    assert re.search(stated, told)
    integrals = "".join(map(str, section(document, "First integrals")))
    assert r"\psi" in integrals and r"\beta" not in integrals


@cache
def slid():
    return ts.simulate(example("cylinder_sliding"), 0.4, rate=100.0)


def test_what_is_rounding_beside_the_weight_is_no_reaction():
    """A plane that carries nothing has 0 N at no time, and no curve of noise."""
    parts = motion_of.reactions(slid(), "en")
    assert table(parts).rows == (("plane", "0", "–", "0", "–"),)
    captions = [x.caption for x in parts if hasattr(x, "caption")]
    assert captions == [
        "Normal forces of the contacts [N]",
        "Tangential forces of the contacts [N]",
    ]


def test_contacts_have_their_largest_forces_in_a_report():
    """N = m g cos(alpha), and f N while it slides."""
    given = slid().model.parameters
    _, contacts = (x for x in motion_of.reactions(slid(), "en") if isinstance(x, TablePart))
    ((name, normal, _, tangential, _),) = contacts.rows
    N = given["m"] * given["g"] * np.cos(given["alpha"])
    assert name == "road"
    assert (number(normal), number(tangential)) == pytest.approx((N, given["f"] * N), rel=1e-5)


def test_what_rolls_has_its_reaction_in_a_report():
    run = ts.simulate(example("cylinder_contact"), 0.2, rate=100.0)
    rows = {row[0]: row for row in table(motion_of.reactions(run, "en")).rows}
    sizes = np.linalg.norm(run.reaction("road")[:, :3], axis=1)
    assert number(rows["road"][1]) == pytest.approx(sizes.max(), rel=1e-5)


def test_the_two_numbers_by_which_a_run_is_judged_are_shown():
    run = moved()
    shown = [number(row[1]) for row in table(motion_of.quality(run, "en")).rows]
    assert shown == pytest.approx([run.energy_drift, run.closure_error], rel=0.06)


def test_equilibria_and_modes_are_those_of_the_library():
    found = ts.equilibria(example("compound_pendulum"))
    tables = [x for x in section(pendulum(), "Equilibria and modes") if isinstance(x, TablePart)]
    assert len(tables[0].rows) == len(found)
    for modes_shown, steady in zip(tables[1:], found, strict=True):
        frequencies = [number(row[2]) for row in modes_shown.rows if row[2] != "–"]
        modes = [x.hertz for x in steady.small_motions.modes if x.oscillates]
        assert frequencies == pytest.approx(modes, rel=1e-4)


def test_numbers_are_written_with_their_figures():
    assert cells.number(-0.5).latex == "-0.5"
    assert cells.number(12).latex == "12"
    assert number(cells.number(-3.25e-9)) == -3.25e-9
    assert cells.complex_number(-1 + 2j).latex == r"-1 + 2\,\mathrm{i}"


def test_curves_that_are_thinned_keep_their_extremes():
    t = np.linspace(0, 1, 100_000)
    values = np.sin(5000 * t)
    values[12_345] = 7.0
    times, (kept,) = _thinned(t, [values])
    assert len(times) == len(kept) <= 800
    assert kept.max() == 7.0
    assert kept.min() == values.min()


# --- torseurs of joints ---------------------------------------------------------------------------


def test_a_pivot_turns_about_its_axis_and_carries_all_but_the_couple_about_it():
    joint = example("slider_crank").joints["O"]
    assert motion(joint) == r"\begin{Bmatrix} 0 & 0 \\ 0 & 0 \\ \omega_{z} & 0 \end{Bmatrix}_{O}"
    assert action(joint) == r"\begin{Bmatrix} X & L \\ Y & M \\ Z & 0 \end{Bmatrix}_{O}"


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "cylindrical", "spherical", "planar"])
def test_what_a_joint_lets_move_and_what_it_carries_have_no_component_in_common(kind):
    given = {"type": kind, "bodies": ["ground", "a"]}
    given |= {} if kind == "spherical" else {"normal" if kind == "planar" else "axis": "z"}
    mechanism = ts.load(
        {"bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]}}, "joints": {"A": given}}
    )
    joint = mechanism.joints["A"]
    moving, carried = (
        [cell.strip() != "0" for cell in re.split(r"&|\\\\", body)]
        for body in (re.search(r"trix\} (.*) \\end", x)[1] for x in (motion(joint), action(joint)))
    )
    assert sum(moving) == joint.kind.nv
    assert sum(carried) == 6 - joint.kind.nv
    # the power is Ω·M + V·R: turns meet couples, slides meet forces
    assert not any(moving[k] and carried[k + 1] for k in (0, 2, 4))
    assert not any(moving[k + 1] and carried[k] for k in (0, 2, 4))


# --- files ----------------------------------------------------------------------------------------


def test_a_report_is_written_by_its_ending(tmp_path):
    mechanism = example("compound_pendulum")
    page = ts.report(mechanism, tmp_path / "report.html", lang="fr")
    assert 'lang="fr"' in page.read_text(encoding="utf-8")
    with pytest.raises(ts.ModelError, match=r"\.html, \.htm, \.tex, \.pdf"):
        ts.report(mechanism, tmp_path / "report.odt")
    with pytest.raises(ts.ModelError, match="lagrange"):
        ts.report(mechanism, tmp_path / "report.html", formalism="lagrangian")


def test_pdf_is_made_by_typst(tmp_path):
    pytest.importorskip("typst")
    assert typst.pdf(pendulum("fr")).startswith(b"%PDF")


def test_without_typst_the_message_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(ts.ModelError, match=r"torseur\[pdf\]"):
        ts.report(example("compound_pendulum"), tmp_path / "report.pdf")
    assert not list(tmp_path.iterdir())


def test_a_report_that_is_interrupted_leaves_nothing(tmp_path):
    def interrupted(reached):
        if reached > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ts.report(example("compound_pendulum"), tmp_path / "report.html", progress=interrupted)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_saved_run_has_the_report_of_the_run(tmp_path):
    run = ts.simulate(example("compound_pendulum"), 0.2)
    run.save(tmp_path / "run.nc")
    found = [report_document(x) for x in (run, ts.load_run(tmp_path / "run.nc"))]
    assert [type(x) for x in found[0].parts] == [type(x) for x in found[1].parts]
    assert len(section(found[1], "Motion")) > 5
    check_document(found[1])


def test_names_of_stops_and_frictions_are_words_of_the_language():
    run = ts.simulate(example("pendulum_between_stops"), 0.3, rate=100.0)
    rows = table(motion_of.events(run, "fr")).rows
    assert rows[0][0] == (Math(r"\theta"), " : butée haute")
    assert rows[1][2:] == ("mise en contact", "rebondit")
    told = str(ts.tell(example("pendulum_between_stops"), "lagrange", lang="fr"))
    assert "(θ : butée basse, θ : butée haute)" in told


def test_small_numbers_and_units_of_parameters_are_written_as_in_books():
    rows = table(description.parameters(example("gyroscope"), "fr")).rows
    assert rows[-1][1] == Math(r"2 \cdot 10^{-5}")
    units = {row[0].latex: row[2] for row in table(
        description.parameters(example("shoe_brake"), "en")).rows}  # fmt: skip
    assert units[r"\mu"] == ""
    told = str(ts.tell(example("drifting_satellite"), "lagrange", lang="en"))
    assert "[1]" not in told


def test_decimals_of_many_places_are_no_fractions():
    motor = ts.tell(example("puma560"), "lagrange", lang="en")
    assert not re.search(r"frac\{\d{5,}\}\{\d{5,}\}", motor.latex())


def test_a_joint_that_carries_nothing_has_no_unknown():
    rows = table(description.joint_torseurs(example("rolling_ball"), "fr")).rows
    assert rows[0][-1] == "aucune inconnue"


def test_forces_of_a_balance_are_called_by_what_they_are():
    sources = [x.source for x in ts.linkages.balance(example("speed_governor")).unknowns]
    assert "force spring" in sources
    sources = [x.source for x in ts.linkages.balance(example("shoe_brake")).unknowns]
    assert "force friction of the shoe" in sources
