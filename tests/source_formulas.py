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
from torseur.algebra.forms.length import length
from torseur.algebra.printing.text import text
from torseur.algebra.printing.unicode import unicode_text
from torseur.equations.formalisms.derive import derive
from torseur.model.values.named_numbers import named_numbers
from torseur.teach.answers.model import RightModel
from torseur.teach.answers.question import asked
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
MODELS = {
    "solids": {
        "parameters": {"m": 2, "a": 0.1, "b": 0.2, "c": 0.3, "h": 0.25},
        "gravity": [0, 0, 0],
        "bodies": {x: {"shape": shape, "mass": "m"} for x, shape in _SHAPES.items()},
        "joints": {x: {"type": "slider", "bodies": ["ground", x], "axis": "x"} for x in _SHAPES},
    },
}
TYPED = {
    "motorcycle": _motorcycle,
    "double pendulum, absolute angles": lambda: derive(named_numbers(ts.load(
        _described("double_pendulum_points") | {"coordinates": {"psi": "phi + turn"}}))),
    "buckling with a mass": lambda: ts.formalisms.lagrangian(
        "1/2*m*l^2*theta.^2 - 2*C*theta^2 - 2*F*l*cos(theta)", ["theta"]).equations,
    "point in a central field": lambda: ts.formalisms.lagrangian(
        "1/2*m*(r.^2 + r^2*theta.^2) + k*m/r", ["r", "theta"]).equations,
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
def _equations(name, eliminate):
    if name in TYPED:
        return TYPED[name]()
    if not eliminate:
        return derive(mechanism(name))
    pairs = (x.partition("=") for x in eliminate)
    return derive(mechanism(name), "lagrange", eliminate={a: b for a, _, b in pairs})


@cache
def _lines(name, eliminate, solved):
    made = _equations(name, eliminate)
    return made.solved() if solved else made.formulas()


@cache
def _right(name):
    return RightModel(mechanism(name))


def ours(source):
    """Our line for that of a source."""
    lines = _lines(source.example, source.eliminate, source.solved)
    if source.computed:
        return _written(lines, symbol(source.of), _computed(source))
    named = [x.equation for x in (*lines.lines, *lines.loops) if x.name == source.of]
    if named:
        return _written(lines, named[source.row].left, named[source.row].right)
    return _written(lines, symbol(source.of), asked(_right(source.example), source.of).expected)


def _computed(source):
    ((way, value), *_) = source.computed.items()
    if way in COMPUTED:
        return COMPUTED[way](source, value)
    return asked_expression(_right(source.example), source.computed).expected


def _matrix(source, place):
    return _equations(source.example, source.eliminate).M[place]


def _law(source, entry):
    input, name = entry
    law = ts.linkages.input_output(mechanism(source.example), input)
    known = {**law.positions, **{f"{q}_{input}": x for q, x in law.rates.items()}}
    return (known | {"I": law.inertia, "Q": law.force})[name]


def _component(source, entry):
    of, axes, k = entry
    return asked(_right(source.example), of, axes).expected[k]


def _lagrangian(source):
    pairs = (x.partition("=") for x in source.eliminate)
    chosen = {a: b for a, _, b in pairs}
    return ts.formalisms.lagrangian(mechanism(source.example), eliminate=chosen)


def _hamilton(source, name):
    found = _lagrangian(source).hamiltonian
    rates = zip(found.system.coordinates, found.momentum_rates, strict=True)
    return {"H": found.H} | {f"p_{x}.": y for x, y in rates}


COMPUTED = {
    "M": _matrix,
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
        without = ", solved" if source.solved else ""
        without += f" without {', '.join(source.eliminate)}" if source.eliminate else ""
        both = f"{length_of_line(source.line)} → {found.signs}"
        model = source.example if source.example in {**TYPED, **MODELS} else f"`{source.example}`"
        rows.append(
            f"| {source.problem} | {model}, {source.of}{without} "
            f"| `{source.line}`<br>`{found.shown}` | {both} |"
        )
    return "\n".join(rows)
