"""The closed-form lines of the sources beside those of Torseur, for the page of formulas.

A row is what the source calls its problem, the example, what of it (a coordinate, T, V, H, an entry
of a matrix, a loop), constraints that are eliminated first, whether the line is solved for its
acceleration, and the source's line in our letters, corrected where its errata say so.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

import torseur as ts
from torseur.algebra.core.expr import expression, symbol
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.text import text
from torseur.algebra.printing.unicode import unicode_text
from torseur.equations.formalisms.derive import derive
from torseur.model.values.named_numbers import named_numbers
from torseur.teach.answers.model import RightModel
from torseur.teach.answers.question import asked

_SIGN = re.compile(r"[^\W\d][\w]*[.'\u0307\u0308]*(?:_\w+)?|\d+(?:\.\d+)?|[-+/=(\[√²³⁴½,−]")
_LONE = re.compile(r"\b(sin|cos|tan|sqrt|abs|sign|asin|acos)\s*[\[(]\s*([^\W\d]\w*[.]*)\s*[\])]")


def length_of_line(line: str) -> int:
    """The signs of a line of text, plain or with letters and dots of its own, counted alike."""
    line = _LONE.sub(r"\1 \2", line.replace("^", " ").replace("*", " "))
    return len(_SIGN.findall(line)) + 2 * line.count("½")


@dataclass(frozen=True)
class Source:
    """A line of a source."""

    problem: str
    example: str
    of: str
    line: str
    eliminate: tuple[str, ...] = ()
    solved: bool = False


@dataclass(frozen=True)
class Ours:
    """The same line of Torseur: in plain letters, in Unicode."""

    plain: str
    shown: str


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
SOURCES = (
    Source("L-Free", "free rotation", "O_wx", "A*O_wx. + (C - B)*O_wy*O_wz = 0"),
    Source("L-Free", "free rotation", "O_wy", "B*O_wy. + (A - C)*O_wz*O_wx = 0"),
    Source("L-Free", "free rotation", "O_wz", "C*O_wz. + (B - A)*O_wx*O_wy = 0"),
    Source("L-Cyl1", "cylinder_holonomic", "x", "x.. = -2/3*g*sin(alpha)"),
    Source("L-Cyl1", "cylinder_holonomic", "T", "T = 3/4*m*x.^2"),
    Source("L-Cyl2", "cylinder_unknown_force", "x", "m*x.. = -m*g*sin(alpha) + Rx"),
    Source("L-Cyl2", "cylinder_unknown_force", "theta", "1/2*m*r^2*theta.. = r*Rx"),
    Source("L-Cyl3", "cylinder_multiplier", "x", "m*x.. = -m*g*sin(alpha) + lambda_rolling"),
    Source("L-Cyl4", "cylinder_contact", "y", "m*y.. = -m*g*cos(alpha) + N_road"),
    Source("L-Pend", "cartesian_pendulum", "x", "m*x.. = lambda_string*x"),
    Source("L-Pend", "cartesian_pendulum", "string", "x^2 + y^2 = l^2"),
    Source("L-EllL", "elliptic_pendulum", "y",
           "(m1 + m2)*y.. + m2*a*(theta..*cos(theta) - theta.^2*sin(theta)) = 0"),
    Source("L-EllL", "elliptic_pendulum", "theta", "a*theta.. + y..*cos(theta) + g*sin(theta) = 0"),
    Source("L-EllL", "elliptic_pendulum", "T",
           "T = 1/2*m1*y.^2 + 1/2*m2*(y.^2 + a^2*theta.^2 + 2*a*y.*theta.*cos(theta))"),
    Source("L-EllL", "elliptic_pendulum", "V", "V = -m2*g*a*cos(theta)"),
    Source("G-Cyl", "driven_cylinder", "x", "T_road = m*x.. + m*g*sin(alpha)"),
    Source("G-Cyl", "driven_cylinder", "theta", "R*T_road - Gamma = -C*theta.."),
    Source("G-PenN", "compound_pendulum", "theta", "C*theta.. = -m*g*a*sin(theta)"),
    Source("G-PenL", "pendulum_three_parameters", "x", "m*x.. = lambda_X0 + m*g"),
    Source("G-TD4", "cart_pendulum", "x",
           "(m1 + m2)*x.. + m2*l*(theta..*cos(theta) - theta.^2*sin(theta)) + b*x. + k*x = 0"),
    Source("G-TD4", "cart_pendulum", "theta",
           "(m2*l^2 + A)*theta.. + m2*l*x..*cos(theta) + m2*g*l*sin(theta) = 0"),
    Source("G-Ex0", "rotating_arm", "theta",
           "(C1 + B2 + m*(a + lam)^2)*theta.. + 2*m*(a + lam)*lam.*theta. = Cm"),
    Source("G-Ex0", "rotating_arm", "lam",
           "m*lam.. - m*(a + lam)*theta.^2 + k*(lam - l0) = 0"),
    Source("G-Ex0", "rotating_arm", "T",
           "T = 1/2*(C1 + B2 + m*(a + lam)^2)*theta.^2 + 1/2*m*lam.^2"),
    Source("G-Moto", "motorcycle", "X",
           "(M + m2 + m3 + C2/R^2)*X.. - (M*(a*sin(psi) + c*cos(psi)) + m3*(a + b)*sin(psi))*psi.."
           " - (M*(a*cos(psi) - c*sin(psi)) + m3*(a + b)*cos(psi))*psi.^2 = -Cm/R"),
    Source("G-Moto", "motorcycle", "psi",
           "(C1 + M*(a^2 + c^2) + m3*(a + b)^2)*psi.."
           " - (M*(a*sin(psi) + c*cos(psi)) + m3*(a + b)*sin(psi))*X.."
           " + g*(M*(a*cos(psi) - c*sin(psi)) + m3*(a + b)*cos(psi)) = -Cm"),
    Source("G-Abs", "vibration_absorber", "theta",
           "(C1 + C2 + m2*(a + lam)^2)*theta.. + 2*m2*(a + lam)*lam.*theta."
           " + (m1*l1 + m2*(a + lam))*g*sin(theta) = 0"),
    Source("G-Abs", "vibration_absorber", "lam",
           "m2*lam.. - m2*(a + lam)*theta.^2 - m2*g*cos(theta) + k*(lam - l0) = 0"),
    Source("G-TD2", "speed_governor_relation", "beta",
           "(A2 + M*b^2 + m3*c^2*cos(theta + beta)^2)*beta.."
           " - m3*c^2*sin(theta + beta)*cos(theta + beta)*beta.^2"
           " + M*b*(a + b*cos(beta))*sin(beta)*alpha.^2"
           " + k*c*cos(theta + beta)*(c*sin(theta + beta) - lam0) = 0", ("I",)),
    Source("N-Top", "heavy_top", "theta",
           "Ip*theta.. - (Ip - Ie)*phi.^2*sin(theta)*cos(theta) + Ie*phi.*psi.*sin(theta)"
           " = m*g*l*sin(theta)"),
    Source("N-Top", "heavy_top", "phi",
           "Ip*phi..*sin(theta) + (2*Ip - Ie)*phi.*theta.*cos(theta) - Ie*theta.*psi. = 0",
           solved=True),
    Source("N-SC2", "slider_crank_multipliers", "alpha",
           "I1*alpha.. = Cm + lambda_mu1*l1*sin(alpha) + lambda_mu2*l1*cos(alpha)"),
    Source("N-SC2", "slider_crank_multipliers", "beta",
           "1/3*m2*l2^2*beta.. + 1/2*m2*l2*lam..*sin(beta)"
           " = lambda_mu1*l2*sin(beta) + lambda_mu2*l2*cos(beta)"),
    Source("N-SC2", "slider_crank_multipliers", "lam",
           "(m2 + m3)*lam.. + 1/2*m2*l2*(beta..*sin(beta) + beta.^2*cos(beta))"
           " = -Fr + lambda_mu1"),
    Source("N-SC2", "slider_crank_multipliers", "mu1", "lam = l1*cos(alpha) + l2*cos(beta)"),
    Source("N-SC2", "slider_crank_multipliers", "mu2", "l1*sin(alpha) + l2*sin(beta) = 0"),
    Source("P-Ex2.2", "inclined_disc", "M11",
           "M11 = 1/4*m*R^2*(1 + cos(theta)^2) + m*a^2*cos(theta)^2"),
    Source("P-Ex2.4", "helicopter_rotor", "M11", "M11 = 4*m/3*(4*l^2 + a^2*cos(alpha)^2)"),
    Source("P-Ex4.2", "double pendulum, absolute angles", "phi",
           "(m + M)*a^2*phi.. + M*a*b*cos(phi - psi)*psi.. + M*a*b*sin(phi - psi)*psi.^2"
           " = -(m + M)*g*a*sin(phi)"),
    Source("P-Ex4.2", "double pendulum, absolute angles", "psi",
           "M*b^2*psi.. + M*a*b*cos(phi - psi)*phi.. - M*a*b*sin(phi - psi)*phi.^2"
           " = -M*g*b*sin(psi)"),
    Source("P-Ex4.3", "buckling with a mass", "theta",
           "m*l^2*theta.. = -4*C*theta + 2*F*l*sin(theta)"),
    Source("P-Ex4.5", "even_governor", "alpha",
           "(m*l^2 + 2*ms*a^2*sin(alpha)^2)*alpha.. + 2*ms*a^2*sin(alpha)*cos(alpha)*alpha.^2"
           " - m*l^2*Omega^2*sin(alpha)*cos(alpha) + (m*l + ms*a)*g*sin(alpha) = 0",
           ("even=beta", "links=z", "drive")),
    Source("P-Ex4.6", "half_disc", "phi",
           "(3/2*a - 8*a/(3*pi)*cos(phi))*phi.. + 4*a/(3*pi)*sin(phi)*phi.^2"
           " + 4*g/(3*pi)*sin(phi) = 0"),
    Source("P-Pb4.2", "point in a central field", "r", "m*r.. = m*r*theta.^2 - k*m/r^2"),
    Source("P-Pb4.2", "dumbbell_satellite", "r",
           "r.. - r*theta.^2 + k/r^2 + 3*k*a^2/(2*r^4)*(3*cos(psi)^2 - 1) = 0"),
    Source("P-Pb4.2", "dumbbell_satellite", "psi",
           "theta.. + psi.. + 3*k/r^3*sin(psi)*cos(psi) = 0"),
    Source("P-Ex5.1", "spherical_pendulum", "theta",
           "theta.. = sin(theta)*cos(theta)*phi.^2 - g/a*sin(theta)"),
    Source("P-Ex5.1", "spherical_pendulum", "T", "T = 1/2*m*a^2*(theta.^2 + sin(theta)^2*phi.^2)"),
    Source("P-Ex5.1", "spherical_pendulum", "V", "V = -m*g*a*cos(theta)"),
    Source("P-Ex5.1", "spherical_pendulum", "H",
           "H = p_theta^2/(2*m*a^2) + p_phi^2/(2*m*a^2*sin(theta)^2) - m*g*a*cos(theta)"),
)  # fmt: skip


@cache
def mechanism(name):
    return named_numbers(ts.load(str(files("torseur.examples") / f"{name}.yaml")))


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
    for line in (*lines.lines, *lines.loops):
        if line.name == source.of:
            return _written(lines, line.equation.left, line.equation.right)
    if source.of == "M11":
        made = _equations(source.example, source.eliminate)
        return _written(lines, symbol("M11"), lines.read(made.M[0, 0]))
    if source.of == "H":
        value = ts.formalisms.lagrangian(mechanism(source.example)).hamiltonian.H
    else:
        value = asked(_right(source.example), source.of).expected
    value = expression(readable(expression(value)))
    return _written(lines, symbol(source.of), value)


def _written(lines, left, right):
    ranks = lines.ranks
    both = [(text(x, ranks=ranks), unicode_text(x, ranks=ranks)) for x in (left, right)]
    return Ours(*(" = ".join(side) for side in zip(*both, strict=True)))


def table():
    """The rows of the page."""
    rows = ["| problem | model | the source's line, then ours | signs |", "|---|---|---|---|"]
    for source in SOURCES:
        found = ours(source)
        without = ", solved" if source.solved else ""
        without += f" without {', '.join(source.eliminate)}" if source.eliminate else ""
        both = f"{length_of_line(source.line)} → {length_of_line(found.plain)}"
        model = source.example if source.example in TYPED else f"`{source.example}`"
        rows.append(
            f"| {source.problem} | {model}, {source.of}{without} "
            f"| `{source.line}`<br>`{found.shown}` | {both} |"
        )
    return "\n".join(rows)
