"""The closed-form lines of the sources beside those of Torseur, for the page of formulas.

The lines of the sources are those of `source_lines`.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml
from source_lines import SOURCES

import torseur as ts
from torseur.algebra.core.expr import expression, symbol
from torseur.algebra.core.graph import evaluate
from torseur.algebra.forms.length import length
from torseur.algebra.printing.text import text
from torseur.algebra.printing.unicode import unicode_text
from torseur.equations.formalisms.derive import derive, derive_in_modes
from torseur.model.values.named_numbers import named_numbers
from torseur.teach.answers.question import asked_quantity
from torseur.teach.answers.right_model import RightModel
from torseur.teach.exercises.expressions import asked_expression

_SIGN = re.compile(r"[^\W\d][\w]*[.'\u0307\u0308]*(?:_\w+)?|\d+(?:\.\d+)?|[-+/=(\[√²³⁴½,−]")
_LONE = re.compile(r"\b(sin|cos|tan|sqrt|abs|sign|asin|acos)\s*[\[(]\s*([^\W\d]\w*[.]*)\s*[\])]")


def length_of_line(line: str) -> int:
    """The signs of a line of text, plain or with letters and dots of its own, counted alike."""
    line = _LONE.sub(r"\1 \2", line.replace("^", " ").replace("*", " "))
    return len(_SIGN.findall(line)) + 2 * line.count("½")


@dataclass(frozen=True)
class Ours:
    """The same line of Torseur: in plain letters, in Unicode, and how many signs it has."""

    plain: str
    shown: str
    signs: int


def _described(example):
    return yaml.safe_load((files("torseur.examples") / f"{example}.yaml").read_text())


def _motorcycle():
    """On its rear wheel, which rolls; Φ3 is the absolute angle of the front wheel."""
    given = _described("motorcycle")
    plane = {"type": "defined", "bodies": ["ground", "frame"], "coordinates": ["X", "psi"],
             "position": ["X", "R", 0], "rotation": [{"z": "psi"}]}  # fmt: skip
    return derive(ts.load(given | {
        "parameters": given["parameters"] | {"Cm": -790},
        "joints": given["joints"] | {"plane": plane},
        "forces": {"chain": {"type": "joint", "joint": "A", "value": "Cm"}},
        "constraints": {"road": {"type": "relation", "zero": "X + R*(phi2 + psi)"}},
        "coordinates": {"Phi3": "phi3 + psi"}, "initial": {"X": 0},
    }), "lagrange", eliminate={"road": "phi2"})  # fmt: skip


def _three_blades():
    """A about X and Y, and the turn of the aircraft is not imposed."""
    given = _described("propeller")
    blades = given["bodies"]["propeller"] | {"inertia": ["A", "A", "C"]}
    motions = {"engine": given["motions"]["engine"]}
    return given | {"bodies": given["bodies"] | {"propeller": blades}, "motions": motions}


def _on_its_rear_wheel():
    """With the couple of the chain as it is."""
    given = _described("motorcycle")
    chain = {"type": "joint", "joint": "A", "value": "Cm"}
    return given | {"parameters": given["parameters"] | {"Cm": -790}, "forces": {"chain": chain}}


def _in_two_bearings():
    """The second bearing is told from the rotor, so that its force is in the axes of the rotor."""
    given = _described("unbalanced_rotor")
    turned = given["joints"]["P2"] | {"bodies": ["rotor", "ground"]}
    return given | {"joints": given["joints"] | {"P2": turned}}


def _by_its_slip():
    """s. is the speed of the point of the cylinder that touches the slope."""
    given = _described("cylinder_sliding")
    plane = {"type": "defined", "bodies": ["ground", "cylinder"],
             "coordinates": ["s", "y", "theta"], "position": ["s - r*theta", "y", 0],
             "rotation": [{"z": "theta"}]}  # fmt: skip
    start = {"s": 0, "y": "r", "theta": 0, "s.": 2}
    return named_numbers(ts.load(given | {"joints": {"plane": plane}, "initial": start}))


def _drawn_up():
    """Its axis has the acceleration gamma, and the couple is what that takes."""
    given = _described("driven_cylinder")
    motion = {"coordinate": "theta", "law": "gamma*t^2/(2*R)"}
    parameters = given["parameters"] | {"gamma": 0.5}
    return given | {"parameters": parameters, "forces": {}, "motions": {"motor": motion}}


_SHAPES = {
    "box": {"box": {"size": ["2*a", "2*b", "2*c"]}},
    "plate": {"plate": {"size": ["2*a", "2*b"]}},
    "bar": {"bar": {"length": "2*a", "axis": "x"}},
    "tube": {"hollow_cylinder": {"inner_radius": "a", "outer_radius": "b", "length": "2*h"}},
    "cylinder": {"cylinder": {"radius": "b", "length": "2*h"}},
    "torus": {"torus": {"minor_radius": "a", "major_radius": "b"}},
    "hoop": {"hoop": {"radius": "b"}},
    "cone": {"cone": {"radius": "a", "height": "h"}},
    "hollow_sphere": {"hollow_sphere": {"inner_radius": "a", "outer_radius": "b"}},
    "ball": {"sphere": {"radius": "b"}},
    "shell": {"shell": {"radius": "a"}},
}
_CRANK = {  # where parts are, and how large
    "plate4": ({"box": {"size": ["2*P", "2*Q", "e"]}}, (0, 0)),
    "journal1": ({"cylinder": {"radius": "a", "length": "l"}}, (0, "-3*s/2")),
    "plate2": ({"box": {"size": ["2*p", "2*q", "e"]}}, ("dp", "-s")),
    "pin3": ({"cylinder": {"radius": "a", "length": "l"}}, ("d", "-s/2")),
    "pin5": ({"cylinder": {"radius": "a", "length": "l"}}, ("-d", "s/2")),
    "plate6": ({"box": {"size": ["2*p", "2*q", "e"]}}, ("-dp", "s")),
    "journal7": ({"cylinder": {"radius": "a", "length": "l"}}, (0, "3*s/2")),
}
MODELS = {
    "crankshaft in one piece": {
        "parameters": {x: 0.1 + 0.01 * k for k, x in enumerate(("P", "Q", "e", "a", "l", "s"))}
        | {"p": 0.05, "q": 0.04, "d": 0.1, "dp": 0.06, "rho": 7800},
        "bodies": {"crankshaft": {"density": "rho", "parts": {
            name: {"shape": shape, "position": [x, 0, z]}
            for name, (shape, (x, z)) in _CRANK.items()}}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "crankshaft"], "axis": "z"}},
    },
    "helicopter rotor in one piece": {
        "parameters": {"m": 20, "l": 2, "a": 0.1, "alpha": 0.2},
        "bodies": {"rotor": {"parts": {
            f"blade{k}": {"shape": {"plate": {"size": ["2*l", "2*a"]}}, "mass": "m",
                          "position": [f"l*cos({90 * k} deg)", f"l*sin({90 * k} deg)", 0],
                          "rotation": [{"z": f"{90 * k} deg"}, {"x": "alpha"}]}
            for k in range(4)}}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "rotor"], "axis": "z"}},
    },
    "velocity field": {
        "parameters": {"a": 1, "b": 2, "c": 3},
        "bodies": {"S": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"O": {"type": "free", "bodies": ["ground", "S"]}},
    },
    "ball in a tube that turns": {
        "frame": {"rotation": [0, 0, "omega"]},
        "parameters": {"omega": 2, "m": 0.1},
        "gravity": [0, 0, 0],
        "bodies": {"ball": {"mass": "m"}},
        "joints": {"tube": {"type": "prismatic", "axis": "x", "bodies": ["ground", "ball"],
                            "coordinate": "x"}},
    },
    "elliptic pendulum about its centre of mass": {
        "parameters": {"m1": 1, "m2": 0.6, "a": 0.5},
        "bodies": {"cart": {"mass": "m1"}, "bob": {"mass": "m2"}},
        "joints": {
            "rail": {"type": "slider", "bodies": ["ground", "cart"], "axis": "y",
                     "coordinate": "y"},
            "plane": {"type": "defined", "bodies": ["ground", "bob"], "rotation": [{"x": "theta"}],
                      "coordinates": ["y_M", "z_M", "theta"], "position": [0, "y_M", "z_M"]}},
        "constraints": {
            "across": {"type": "relation", "zero": "y_M - y - a*sin(theta)"},
            "down": {"type": "relation", "zero": "z_M + a*cos(theta)"},
            "centre": {"type": "relation", "zero": "m1*y + m2*y_M"}},
        "initial": {"theta": 1},
    },
    "cylinder drawn up": _drawn_up(),
    "propeller of three blades": _three_blades(),
    "motorcycle on its rear wheel": _on_its_rear_wheel(),
    "rotor in two bearings": _in_two_bearings(),
    "solids": {
        "parameters": {"m": 2, "a": 0.1, "b": 0.2, "c": 0.3, "h": 0.25},
        "gravity": [0, 0, 0],
        "bodies": {x: {"shape": shape, "mass": "m"} for x, shape in _SHAPES.items()},
        "joints": {x: {"type": "slider", "bodies": ["ground", x], "axis": "x"} for x in _SHAPES},
    },
}  # fmt: skip
LAGRANGIANS = {
    "buckling with a mass": lambda: ts.formalisms.lagrangian(
        "1/2*m*l^2*theta.^2 - 2*C*theta^2 - 2*F*l*cos(theta)", ["theta"]),
    "buckling of three bars": lambda: ts.formalisms.lagrangian(
        "1/2*m*(y1.^2 + y2.^2) - 1/2*C*(asin((y2 - y1)/l) - asin(y1/l))^2"
        " - 1/2*C*(asin(y2/l) + asin((y2 - y1)/l))^2"
        " - F*(sqrt(l^2 - y1^2) + sqrt(l^2 - (y2 - y1)^2) + sqrt(l^2 - y2^2))", ["y1", "y2"]),
    "buckling of three bars by their angles": lambda: ts.formalisms.lagrangian(
        "1/2*m*l^2*(theta.^2*cos(theta)^2 + psi.^2*cos(psi)^2)"
        " - 1/2*C*((phi - theta)^2 + (psi - phi)^2) - F*l*(cos(theta) + cos(phi) + cos(psi))",
        ["theta", "phi", "psi"],
        constraints={"B": "l*(sin(theta) + sin(phi) + sin(psi))"}),
    "point in a central field": lambda: ts.formalisms.lagrangian(
        "k*m/r", ["r", "theta", "phi"], bodies={"M": {"mass": "m", "position": [
            "r*sin(theta)*cos(phi)", "r*sin(theta)*sin(phi)", "r*cos(theta)"]}}),
    "point in a plane central field": lambda: ts.formalisms.lagrangian(
        "1/2*m*(r.^2 + r^2*theta.^2) + k*m/r", ["r", "theta"]),
}  # fmt: skip
TYPED = {
    "sliding cylinder": lambda: derive_in_modes(
        mechanism("cylinder_sliding"), "newton-euler", {"road": "slip"}),
    "cylinder by its slip": lambda: derive_in_modes(
        _by_its_slip(), "newton-euler", {"road": "slip"}),
    "sliding governor": lambda: derive_in_modes(
        mechanism("governor_with_friction"), "newton-euler", {"I": "slip"}),
    "motorcycle": _motorcycle,
    "double pendulum, absolute angles": lambda: derive(named_numbers(ts.load(
        _described("double_pendulum_points") | {"coordinates": {"psi": "phi + turn"}}))),
    "free rotation": lambda: derive(ts.load({
        "parameters": {"A": 1, "B": 2, "C": 2.5}, "gravity": [0, 0, 0],
        "bodies": {"S": {"mass": 1, "inertia": ["A", "B", "C"]}},
        "joints": {"O": {"type": "ball", "bodies": ["ground", "S"]}}})),
}  # fmt: skip


@cache
def mechanism(name):
    source = MODELS.get(name) or str(files("torseur.examples") / f"{name}.yaml")
    return named_numbers(ts.load(source))


@cache
def _lagrangian_of(name):
    return LAGRANGIANS[name]()


@cache
def _equations(name, eliminate):
    if name in LAGRANGIANS:
        return _lagrangian_of(name).equations
    if name in TYPED:
        return TYPED[name]()
    if not eliminate:
        return derive(mechanism(name))
    pairs = (x.partition("=") for x in eliminate)
    return derive(mechanism(name), "lagrange", eliminate={a: b for a, _, b in pairs})


@cache
def _lines(name, eliminate, solved, reactions):
    made = _equations(name, eliminate)
    return made.solved(reactions=reactions) if solved or reactions else made.formulas()


@cache
def _right(name):
    return RightModel(_lagrangian_of(name) if name in LAGRANGIANS else mechanism(name))


def ours(source):
    """Our line for that of a source."""
    lines = _lines(source.example, source.eliminate, source.solved, source.reactions)
    if source.computed:
        return _written(lines, symbol(source.of), _computed(source))
    named = [x.equation for x in (*lines.lines, *lines.loops) if x.name == source.of]
    if named:
        return _written(lines, named[source.row].left, named[source.row].right)
    return _written(
        lines, symbol(source.of), asked_quantity(_right(source.example), source.of).expected
    )


def _computed(source):
    ((way, value), *_) = source.computed.items()
    if way in COMPUTED:
        return COMPUTED[way](source, value)
    return asked_expression(_right(source.example), source.computed).expected


def _matrix(source, place):
    return _equations(source.example, source.eliminate).M[place]


@cache
def _law_of(example, input):
    return ts.linkages.input_output(mechanism(example), input)


def placed(source, values):
    """Values at which loops are closed, where a line is about them."""
    input, _ = source.computed.get("law", (None, None))
    if input is None:
        return values
    law = _law_of(source.example, input)
    known = {name: values.get(name, 1.0) for name in (*law.constants, input)}
    places = {**law.positions, **{f"{q}_{input}": x for q, x in law.rates.items()}}
    for name, x in places.items():
        known[name] = float(evaluate(x, known))
    return values | {name: known[name] for name in places if name != source.of}


def _law(source, entry):
    input, name = entry
    law = _law_of(source.example, input)
    known = {**law.positions, **{f"{q}_{input}": x for q, x in law.rates.items()}}
    return (known | {"I": law.inertia, "Q": law.force})[name]


def _component(source, entry):
    of, axes, k = entry
    return asked_quantity(_right(source.example), of, axes).expected[k]


def _lagrangian(source):
    if source.example in LAGRANGIANS:
        return _lagrangian_of(source.example)
    pairs = (x.partition("=") for x in source.eliminate)
    chosen = {a: b for a, _, b in pairs}
    return ts.formalisms.lagrangian(mechanism(source.example), eliminate=chosen)


def _acting(source, _):
    """The generalised force of what acts, with those of imposed motions."""
    return asked_quantity(RightModel(_lagrangian(source)), source.of).expected


def _hamilton(source, name):
    found = _lagrangian(source).hamiltonian
    names = found.system.coordinates
    momenta = zip(names, found.momentum_rates, strict=True)
    speeds = zip(names, found.coordinate_rates, strict=True)
    rates = {f"p_{x}.": y for x, y in momenta} | {f"{x}.": y for x, y in speeds}
    return {"H": found.H, **rates}


@cache
def _isolated(example, bodies, axes, independent, at):
    kept = independent and list(independent)
    return ts.formalisms.isolate(mechanism(example), bodies, axes=axes, at=at, independent=kept)


def isolated(source):
    """The balance of the bodies of a row."""
    given = (source.computed.get(name) for name in ("independent", "at"))
    axes = source.computed.get("axes", "ground")
    return _isolated(source.example, source.computed["bodies"], axes, *given)


def _unknown(source, name):
    lines = isolated(source).solved().lines
    return next(x.equation.right for x in lines if x.equation.left.name == name)


def _small(source, entry):
    """The linear part of a row of what acts, at zero."""
    made = _equations(source.example, source.eliminate)
    still = dict.fromkeys(made.coordinates, 0)
    return ts.formalisms.taylor(made.Q - made.g, still, 1, positive=["l"])[entry]


def _force(source, entry):
    body, name, k = entry
    return ts.torseurs.body_torseurs(mechanism(source.example), body).forces[name].resultant[k]


COMPUTED = {
    "acting": _acting,
    "kinetic": lambda source, _: _lagrangian(source).kinetic,
    "potential": lambda source, _: _lagrangian(source).potential,
    "force": _force,
    "M": _matrix,
    "dynamic": lambda source, k: isolated(source).dynamic[k],
    "unknown": _unknown,
    "part": lambda source, k: asked_expression(_right(source.example), source.computed).expected[k],
    "small": _small,
    "law": _law,
    "component": _component,
    "integral": lambda source, name: ts.first_integrals(mechanism(source.example))[name].formula,
    "energy": lambda source, _: _lagrangian(source).energy,
    "lagrangian": lambda source, _: _lagrangian(source).L,
    "hamilton": lambda source, name: _hamilton(source, name)[name],
}


def _written(lines, left, right):
    ranks = lines.ranks
    right = expression(lines.read(expression(right)))
    both = [(text(x, ranks=ranks), unicode_text(x, ranks=ranks)) for x in (left, right)]
    signs = length(left) + length(right) + 1
    return Ours(*(" = ".join(side) for side in zip(*both, strict=True)), signs)


def table():
    """The rows of the page."""
    rows = ["| problem | model | the source's line, then ours | signs |", "|---|---|---|---|"]
    for source in SOURCES:
        found = ours(source)
        without = ", solved" if source.solved else ", reactions solved" if source.reactions else ""
        without += f" without {', '.join(source.eliminate)}" if source.eliminate else ""
        both = f"{length_of_line(source.line)} → {found.signs}"
        model = (
            source.example
            if source.example in {**TYPED, **LAGRANGIANS, **MODELS}
            else f"`{source.example}`"
        )
        rows.append(
            f"| {source.problem} | {model}, {source.of}{without} "
            f"| `{source.line}`<br>`{found.shown}` | {both} |"
        )
    return "\n".join(rows)
