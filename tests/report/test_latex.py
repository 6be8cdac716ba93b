"""LaTeX of every example: it compiles, and no line is wider than the page."""

import re
import shutil
import subprocess
from functools import cache
from importlib.resources import files

import numpy as np
import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.printing.breaking import WIDEST, width
from torseur.algebra.printing.latex import name as latex_name
from torseur.algebra.printing.latex import quoted
from torseur.algebra.printing.latex_words import plain, words
from torseur.algebra.printing.notation import read
from torseur.cli.main import commands
from torseur.errors import ModelError
from torseur.named_words import teach_words
from torseur.report.documents.latex import standalone
from torseur.teach.derivation.step_formulas import Prose, formula_in_prose, pieces

EXAMPLES = sorted(x.stem for x in files("torseur.examples").iterdir() if x.suffix == ".yaml")
FEW = ("compound_pendulum", "slider_crank", "rolling_disc", "stick_slip")
ROW = re.compile(r"^(.*?)&(.*?)&?\s*(?:\\\\)?$")
needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")


def path(name):
    return files("torseur.examples") / f"{name}.yaml"


@cache
def example(name):
    return ts.load(path(name))


def derived(name, lang, *options):
    given = ["derive", str(path(name)), "--as", "latex", "--standalone", "--lang", lang, *options]
    answer = CliRunner().invoke(commands, given)
    assert answer.exit_code == 0, answer.output
    return answer.stdout


def told(mechanism, lang):
    """By Lagrange, or body by body where his equations do not apply."""
    try:
        return ts.tell(mechanism, "lagrange", lang)
    except ModelError:
        return ts.tell(mechanism, "newton-euler", lang)


def displayed(latex):
    """The rows of displayed formulas: what stands before and after the place of alignment."""
    for block in re.findall(r"\\begin\{(?:fl)?align\*\}\n(.*?)\n\\end", latex, re.DOTALL):
        for row in block.split("\n"):
            found = ROW.match(row)
            assert found, row
            yield found[1], found[2]


def compiled(latex, place):
    """The log of a compilation that ends well."""
    place.write_text(latex, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", place.name]
    done = subprocess.run(command, cwd=place.parent, capture_output=True)
    log = place.with_suffix(".log").read_text(encoding="latin-1")
    assert done.returncode == 0, log[-2000:]
    return log


@pytest.mark.parametrize("name", FEW)
def test_no_row_of_a_derivation_is_wider_than_the_page(name):
    rows = [*displayed(told(example(name), "en").latex()), *displayed(derived(name, "en"))]
    assert rows
    for label, formula in rows:
        assert width(read(label)) + width(read(formula)) <= WIDEST


def test_rates_in_prose_keep_their_dots():
    assert words("θ̇₁") == r"\ensuremath{\dot{\theta}}\textsubscript{1}"
    assert words("ẋ, q̈") == r"\ensuremath{\dot{x}}, \ensuremath{\ddot{q}}"
    assert words("à ÿ é") == "à ÿ é"


@pytest.mark.parametrize(
    "text, latex",
    [
        ("l ≠ 0", r"l \ensuremath{\neq} 0"),
        ("¼ turn", r"\ensuremath{\frac{1}{4}} turn"),
        ("ẑ, v⃗", r"\ensuremath{\hat{z}}, \ensuremath{\vec{v}}"),
        ("Mᵢⱼ, Jᵀ, s⁻¹", r"M\textsubscript{i}\textsubscript{j}, J\textsuperscript{T}, "
         r"s\textsuperscript{\ensuremath{-}}\textsuperscript{1}"),
        ("ϑ ⊥ Α", r"\ensuremath{\theta} \ensuremath{\perp} A"),
        ("§ 4, pivot‑glissant", "§ 4, pivot-glissant"),
    ],
)  # fmt: skip
def test_a_sign_of_a_sentence_keeps_its_meaning(text, latex):
    assert words(text) == latex


@pytest.mark.parametrize(
    "text", ["a_b & c", "50 % {of} #1", r"a\b ~ c^2", "θ̇ ≠ ẑ", "1 < 2 | x", "N·m → 3"]
)
def test_words_of_formulas_are_those_of_sentences_and_read_back(text):
    """\\text{…} has the same commands as prose, and pages show what was meant."""
    assert quoted(text) == rf"\text{{{words(text)}}}"
    assert plain(words(text)) == text
    assert read(quoted(text)).items[0].text == text


@pytest.mark.parametrize("name", ["Маятник", "摆"])
def test_letters_that_pdflatex_has_no_font_for_are_refused_in_one_sentence(name, tmp_path):
    """What is no document of LaTeX has them."""
    arm = {"mass": 1, "centre": [0, -1, 0]}
    hinge = {"type": "pivot", "bodies": ["ground", name], "axis": "z", "coordinate": "a"}
    made = ts.load({"name": name, "bodies": {name: arm}, "joints": {"O": hinge}})
    for write in (ts.report, ts.pictures.scheme):
        with pytest.raises(ModelError, match=f'pdflatex has no letters for "{name[0]}'):
            write(made, tmp_path / "x.tex")
        assert not (tmp_path / "x.tex").exists()
    assert name in ts.report(made, tmp_path / "x.html").read_text(encoding="utf-8")


def test_every_document_has_letters_of_any_size(tmp_path):
    """Those of the old fonts are pictures in some viewers."""
    mechanism = example("compound_pendulum")
    ts.report(mechanism, tmp_path / "report.tex")
    ts.pictures.scheme(mechanism, tmp_path / "scheme.tex")
    ts.pictures.graph(mechanism, tmp_path / "graph.tex")
    begins = {x.stem: x.read_text(encoding="utf-8") for x in tmp_path.glob("*.tex")}
    assert len(begins) == 3
    assert all(r"\usepackage{lmodern}" in text for text in begins.values())


BLOCKS = ((0xA1, 0x180), (0x384, 0x3D6), (0x1E00, 0x1EFA), (0x2010, 0x2030), (0x2070, 0x2095),
          (0x2150, 0x215F), (0x2190, 0x2195), (0x2200, 0x22A6))  # fmt: skip


@needs_latex
@pytest.mark.slow
def test_every_sign_of_words_compiles(tmp_path):
    signs = [chr(x) for start, end in BLOCKS for x in range(start, end)]
    body = " ".join(f"{words(x)} e{words(x)}" for x in signs)
    log = compiled(standalone(body, "x̂ ≠ ½", "ẑ", "fr"), tmp_path / "signs.tex")
    assert "Missing character" not in log


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_formulas_in_sentences_are_typeset_and_read_the_same_in_plain_text(lang):
    derivation = ts.tell(example("slider_crank"), "lagrange", lang)
    sentences = [x for step in derivation.steps for x in (*step.text, *step.warnings)]
    assert all("$" not in x for x in sentences)
    inside = [x for sentence in sentences for formula, x in pieces(sentence) if formula]
    assert r"\alpha" in inside
    assert all(read(x) for x in inside)
    assert any(r"\frac{\partial T}{\partial \dot{q}}" in x for x in inside)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_formula_in_a_sentence_has_commands_for_its_signs(lang):
    sentences = teach_words(lang).values()
    inside = [x for text in sentences for formula, x in pieces(Prose(text)) if formula]
    assert len(inside) > 50
    assert [x for x in inside if not x.isascii()] == []


def named_in_greek():
    """A pendulum whose names are those of a reader of Greek and of French."""
    joint = {"type": "pivot", "bodies": ["ground", "œil_à_é & Ω"], "axis": "z", "coordinate": "θ"}
    body = {"mass": "ρ_é*été", "centre": [0, "-ℓ", 0], "inertia": ["J_α", "J_α", "J_α"]}
    spring = {"type": "torsion spring", "joint": "Â", "stiffness": "Δk"}
    return ts.load(
        {
            "name": "œil",
            "gravity": [0, -9.81, 0],
            "parameters": {"ρ_é": 1.0, "été": 2.0, "ℓ": 1.0, "J_α": 0.1, "Δk": 3.0},
            "bodies": {"œil_à_é & Ω": body},
            "joints": {"Â": joint},
            "forces": {"ressort_β": spring},
        }
    )


FORMALISMS = ("lagrange", "newton-euler", "mampey")


@pytest.mark.parametrize("formalism", FORMALISMS)
def test_formulas_have_commands_for_the_letters_of_any_name(formalism):
    found = displayed(ts.tell(named_in_greek(), formalism, "fr").latex())
    formulas = [
        re.sub(r"\\text(it|rm)?\{(?:[^{}]|\{[^{}]*\})*\}", "", label + x) for label, x in found
    ]
    assert any(r"\theta" in x for x in formulas)
    assert [x for x in formulas if not x.isascii()] == []


@pytest.mark.parametrize(
    "name, latex, text",
    [("θ1.", r"\dot{\theta}_1", "θ"), ("Δt", r"\Delta t", "Δ"), ("été", r"\textit{été}", "été"),
     ("ℓ_é", r"\ell_{\textrm{é}}", "ℓ")],
)  # fmt: skip
def test_a_name_in_any_letters_is_written_and_read(name, latex, text):
    assert latex_name(name) == latex
    assert text in str(read(latex))


@needs_latex
@pytest.mark.slow
@pytest.mark.parametrize("formalism", FORMALISMS)
def test_any_letters_of_names_compile(formalism, tmp_path):
    told = ts.tell(named_in_greek(), formalism, "fr").latex(standalone=True)
    assert "Missing character" not in compiled(told, tmp_path / "told.tex")


@needs_latex
@pytest.mark.slow
def test_the_report_of_a_mechanism_named_in_any_letters_compiles(tmp_path):
    ts.report(named_in_greek(), tmp_path / "report.tex", lang="fr")
    written = (tmp_path / "report.tex").read_text(encoding="utf-8")
    assert "Missing character" not in compiled(written, tmp_path / "report.tex")


def test_a_sentence_keeps_its_formulas_when_it_is_copied():
    from copy import deepcopy

    sentence = Prose("where $V(G)² = theta.$ holds")
    assert sentence == "where V(G)² = theta. holds"
    assert pieces(deepcopy(sentence)) == pieces(sentence)
    assert formula_in_prose("V(G)² = theta.") == r"\vec{V}(G)^{2} = \dot{\theta}"


def test_the_page_of_a_derivation_needs_no_network_and_no_dollar_signs():
    page = ts.tell(example("slider_crank"), "lagrange", "fr").html()
    assert page.startswith("<!DOCTYPE html>") and '<html lang="fr"' in page
    assert not re.search(r"(src|href)=\"(?!data:|#)", page)
    assert "$" not in page and "<math>" in page
    assert "Torseurs cinématiques" in page


def test_bodies_isolated_together_keep_the_energy_theorem():
    told = ts.tell(example("slider_crank"), bodies=("crank", "rod"))
    powers = {str(x.symbol): x.value for x in told.step("powers").formulas}
    energies = {str(x.symbol): x.value for x in told.step("set centre").formulas[-2:]}
    total = sum(value for name, value in powers.items() if name.startswith("P_"))
    rng = np.random.default_rng(1)
    known = {x.name: float(v) for x, v in _random(rng, [total, powers["dT/dt"]])}
    assert evaluate(total, known) == pytest.approx(evaluate(powers["dT/dt"], known), rel=1e-12)
    T = energies["½ m V(G)²"] + energies["T*"]
    both = [ts.tell(example("slider_crank")).step("kinetic energy").formulas[k] for k in (0, 2)]
    whole = sum(x.value for x in both)
    known = {x.name: float(v) for x, v in _random(rng, [T, whole])}
    assert evaluate(T, known) == pytest.approx(evaluate(whole, known), rel=1e-12)


def _random(rng, formulas):
    symbols = free_symbols(formulas)
    return zip(symbols, rng.uniform(0.5, 1.5, len(symbols)), strict=True)


def test_a_set_of_unknown_bodies_is_refused():
    with pytest.raises(ModelError, match="wheel"):
        ts.tell(example("slider_crank"), bodies=("crank", "wheel"))


@needs_latex
@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_latex_of_an_example_compiles_without_an_overfull_line(name, lang, tmp_path):
    mechanism = example(name)
    ts.report(mechanism, tmp_path / "report.tex", lang=lang)
    ts.pictures.scheme(mechanism, tmp_path / "scheme.tex")
    written = {
        "derive": derived(name, lang),
        "program": derived(name, lang, "--program"),
        "tell": told(mechanism, lang).latex(standalone=True),
        "report": (tmp_path / "report.tex").read_text(encoding="utf-8"),
        "scheme": (tmp_path / "scheme.tex").read_text(encoding="utf-8"),
    }
    for kind, latex in written.items():
        log = compiled(latex, tmp_path / f"{kind}.tex")
        assert "Overfull \\hbox" not in log, kind
        assert "Missing character" not in log, kind
