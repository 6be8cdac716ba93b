"""Letters for what has none: unknowns are called by what they are, numbers get names."""

from importlib.resources import files

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.equations.formalisms.derive import derive
from torseur.model.values.named_numbers import with_short_loops
from torseur.report.documents.page_parts import Math
from torseur.report.dossier.derivation import lines_parts
from torseur.words.language import speaking

WHEELS = {
    "parameters": {"r1": 0.04, "r2": 0.12, "C1": 0.2},
    "bodies": {"a": {"inertia": [1, 1, 1]}, "b": {"inertia": [1, 1, 2]}},
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "a"], "axis": "z", "coordinate": "alpha"},
        "B": {"type": "pivot", "bodies": ["ground", "b"], "axis": "z", "coordinate": "beta",
              "point": [["r1 + r2", 0, 0], [0, 0, 0]]},
    },
}  # fmt: skip
GEAR = {"mesh": {"type": "gear", "joints": ["A", "B"], "radii": ["r1", "r2"]}}
BELT = {"mesh": {"type": "belt", "joints": ["A", "B"], "radii": ["r1", "r2"]}}
DRIVE = {"drive": {"coordinate": "alpha", "law": "3*t"}}


def example(name):
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


def told(source, lang="en"):
    with speaking(lang):
        return str(ts.formalisms.formulas(ts.load(source))).splitlines()


@pytest.mark.parametrize(
    "more, name, english, french",
    [
        ({"constraints": GEAR}, "F_mesh", "force of the teeth a → b", "effort de denture a → b"),
        ({"constraints": BELT}, "T_mesh", "difference of the tensions of the strands of mesh",
         "différence des tensions des brins de mesh"),
        ({"motions": DRIVE}, "C_drive", "couple that drives alpha", "couple moteur suivant alpha"),
    ],
)  # fmt: skip
def test_multipliers_are_called_by_what_they_are(more, name, english, french):
    unit = "N·m" if name.startswith("C") else "N"
    assert told(WHEELS | more)[-1] == f"{name}: {english} [{unit}]"
    assert told(WHEELS | more, "fr")[-1] == f"{name} : {french} [{unit}]"


def test_a_letter_that_is_taken_is_not_taken_again():
    named = WHEELS | {"motions": DRIVE, "parameters": WHEELS["parameters"] | {"C_drive": 2}}
    assert "λ_drive" in "\n".join(told(named))


def test_a_drive_along_a_length_is_a_force():
    cart = {
        "bodies": {"cart": {"mass": "m"}},
        "parameters": {"m": 2},
        "joints": {"rail": {"type": "slider", "bodies": ["ground", "cart"], "axis": "x",
                            "coordinate": "x"}},
        "motions": {"push": {"coordinate": "x", "law": "t^2"}},
    }  # fmt: skip
    assert told(cart)[0] == "x: m ẍ = F_push"


@pytest.mark.parametrize("formalism", ["newton-euler", "absolute"])
@pytest.mark.parametrize("name", ["planetary_reducer", "slider_crank", "rolling_wheel"])
def test_every_unknown_of_the_lines_is_told_once(name, formalism):
    made = ts.derive(example(name), formalism)
    lines = made.formulas()
    shown = [y for x in lines.lines if x.equation for y in (x.equation.left, x.equation.right)]
    unknowns = {x.name for x in made.constraints.unknowns}
    used = {x.name for x in free_symbols(shown)} & unknowns
    listed = [name for one in lines.legend for name in one.names]
    assert sorted(listed) == sorted(used)
    assert [x["names"] for x in lines.document["unknowns"]] == [list(x.names) for x in lines.legend]


def test_in_absolute_coordinates_forces_of_a_pivot_are_in_ground_axes():
    """A pendulum at rest, turned by any angle: the pivot carries the weight along y."""
    made = ts.derive(example("simple_pendulum"), "absolute")
    forces, couples = made.formulas().legend
    assert forces.names == ("lambda1_O", "lambda2_O", "lambda3_O")
    assert forces.sentence(["F"]) == "F: force ground → bob in O, in ground axes [N]"
    french = "F : force bâti → bob dans la liaison O, dans les axes du bâti [N]"
    assert forces.sentence(["F"], "fr") == french
    assert couples.sentence(["C"]) == "C: couple ground → bob in O [N·m]"
    columns = np.array(made.J)[:3, :3]  # of the centre, in ground axes
    assert (columns == np.eye(3)).all()


def test_components_are_along_the_axes_that_are_told():
    """X_A and Y_A of the slider-crank push the rod along its own axes, which turn by −ψ."""
    made = derive(with_short_loops(example("slider_crank")))
    (one,) = made.formulas().legend
    assert one.sentence(["A"]) == "A: force crank → rod in A, in the axes of rod [N]"
    q = {"alpha": 0.4, "psi": 0.3, "x": 0.5, "l1": 0.2, "l2": 0.6}
    row = [x.name for x in made.constraints.unknowns].index("X_A")
    along_x = evaluate(made.J, q)[row][list(made.coordinates).index("x")]
    assert np.isclose(float(along_x), np.cos(-q["psi"]))


@pytest.mark.parametrize("axis, axes", [("z", "a"), ([1, 1, 0], "hinge")])
def test_a_joint_with_axes_of_its_own_says_so(axis, axes):
    held = {
        "bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {
            "place": {"type": "free", "bodies": ["ground", "a"]},
            "hinge": {"type": "pivot", "bodies": ["ground", "a"], "axis": axis},
        },
    }
    last = derive(ts.load(held)).formulas().legend[-1]
    assert last.sentence(["F"]) == f"F: force ground → a in hinge, in the axes of {axes} [N]"


def test_latex_tells_them_below_the_equations():
    latex = derive(example("planetary_reducer")).formulas().latex()
    below = latex.split(r"\end{align*}")[1]
    assert r"$F_{\mathrm{B1}}$: force of the teeth sun \ensuremath{\to} planet1 [N]\par" in below


def test_the_lagrangian_of_a_mechanism_has_letters_for_numbers_and_no_sizes():
    given = ts.formalisms.lagrangian(example("cart_pendulum"))
    first, *others = str(given).splitlines()
    assert "981" not in first and "g" in first and "abs" not in first
    assert others[-1] == "where l0 + x > 0"
    assert given.system.mechanism.parameters["g"] == 9.81
    assert "abs" not in str(given.hamiltonian)


def test_reports_and_notebooks_typeset_the_names_of_unknowns():
    (_, listed) = lines_parts(derive(example("planetary_reducer")).formulas())
    first, *words = listed.texts[0]
    assert first == Math(r"F_{\mathrm{B1}}")
    assert "".join(words) == ": force of the teeth sun → planet1 [N]"
