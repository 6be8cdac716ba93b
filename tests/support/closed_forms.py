"""Closed forms of the sources beside the answers in letters of Torseur, for tests and the page.

A row has the formula of the source, corrected where it errs, in the letters of the example; the
question that Torseur answers; and the numerical road that must give the same value.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from source_formulas import length_of_line, mechanism

import torseur as ts
from torseur.algebra.core.expr import Expr, symbol
from torseur.algebra.forms.length import length
from torseur.algebra.printing.unicode import unicode_text
from torseur.equations.symbols.texts import read_text
from torseur.language.text.expression import Names
from torseur.model.values.named_numbers import name_ranks, named_numbers


@dataclass(frozen=True)
class ClosedForm:
    """A closed form: problem, model, name of the answer, formula of the source, question."""

    problem: str
    model: str
    of: str  # the left side
    line: str  # the right side, as the source writes it
    question: Callable[[], Expr]
    number: tuple[Any, ...]  # how numbers answer: a name of `numbers_beside`, and its details
    given: Mapping[str, float] = field(default_factory=dict)  # values of parameters
    above: Mapping[str, float] = field(default_factory=dict)  # factors of described values

    @property
    def name(self) -> str:
        """Name in a list of tests."""
        return f"{self.problem} {self.of}"


@cache
def _rest(model, turning=(), keep=(), given=()):
    return ts.equilibria(
        model, letters=True, turning=turning, given=dict.fromkeys(keep) | dict(given)
    )


def rest(model, name, places=None, turning=(), keep=(), given=()):
    """A formula of the branch at coordinates that are numbers, or of the first that has it."""

    def question():
        result = _rest(model, turning, keep, given)
        if places is None:
            return result.formula(name)
        (one,) = [x for x in result if x.is_at(places)]
        return one.formula(name)

    return question


def opened(model, name, by, **options):
    """A formula of the branch that has another one."""

    def question():
        (one,) = [x for x in _rest(model, **options) if by in x.formulas]
        return one.formula(name)

    return question


def coefficient(model, k, **places):
    """A coefficient of the characteristic polynomial at an equilibrium."""

    def question():
        (one,) = [x for x in _rest(model) if x.is_at(places)]
        return one.characteristic[k]

    return question


def critical(model, parameter, k=0, **options):
    """A critical value of a parameter."""
    return lambda: ts.stability.critical(model, parameter, **options)[k].formula


def at(model, name, state=None, **options):
    """An acceleration or a reaction at a state."""
    return lambda: ts.stability.at_state(model, state, **options).formula(name)


def threshold(model, condition, parameter, name="", **options):
    """A parameter for which a condition is met, or what comes with it."""
    return lambda: ts.stability.threshold(model, condition, parameter=parameter, **options).formula(
        name
    )


def slip(model, contact, name):
    """The end of sliding."""
    return lambda: ts.stability.end_of_slip(model, contact).formula(name)


def changed(name, **entries):
    """An example with other entries, deep down."""
    from importlib.resources import files

    import yaml

    given = yaml.safe_load((files("torseur.examples") / f"{name}.yaml").read_text())
    joined = {k: {**given.get(k, {}), **x} for k, x in entries.items()}
    kept = {k: {n: x for n, x in part.items() if x is not None} for k, part in joined.items()}
    return ts.load(given | kept)


SLIDING_DOWN = changed("cylinder_sliding", initial={"x.": -2})


KEPLER = changed(
    "dumbbell_satellite",
    bodies={"satellite": {"mass": "m", "inertia": [0, 0, 0]}},
    joints={
        "orbit": {
            "type": "defined",
            "bodies": ["ground", "satellite"],
            "coordinates": ["r", "theta"],
            "position": ["r*cos(theta)", "r*sin(theta)", 0],
        }
    },
    points={"mass1": ["satellite", [0, 0, 0]], "mass2": ["satellite", [0, 0, 0]]},
    initial={"psi": None},
)
ON_ITS_ORBIT = changed(
    "dumbbell_satellite",
    parameters={"R": 1.0},
    motions={
        "radius": {"coordinate": "r", "law": "R"},
        "turn": {"coordinate": "theta", "law": "sqrt(k/R^3)*t"},
    },
    initial={"r": None, "theta.": None, "psi": 0},
)


def dead_centre(angle, place):
    """ω² of the engine at a dead centre, its piston above the crankshaft."""

    def question():
        branches = _rest("single_cylinder_engine", given=(("F", 0), ("Gamma", 0)))
        places = [{str(x.left): str(x.right) for x in one.relations} for one in branches]
        return branches[places.index({"phi": angle, "x": place})].formula("omega^2")

    return question


def named(model, name):
    """A closed form by its name in books."""
    return lambda: ts.stability.closed_form(model, name).formula


ROTOR = mechanism("rotor in two bearings")
UP = {"psi": 0, "psi.": 0}
LIFT = ("motorcycle", "psi.. = 0", "Gamma")
SPIN = {"P1_wx": 0, "P1_wy": 0}

STRAIGHT = {"theta": 0, "bend1": 0, "bend2": 0, "lean": 0, "x": "3*l"}  # three bars

CLOSED_FORMS = (
    # Llibre
    ClosedForm("L-Cyl4", "cylinder_sliding", "f", "tan(alpha)/3",
               threshold("cylinder_sliding", "T_road = f*N_road", "f", modes={"road": "stick"},
                         at={"theta": 0}),
               ("adherence", "cylinder_contact", "road")),
    ClosedForm("L-Cyl5", "cylinder_sliding", "t_star", "x./(g*(sin(alpha) + 3*f*cos(alpha)))",
               slip("cylinder_sliding", "road", "t_star"), ("event", "cylinder_sliding", "t")),
    ClosedForm("L-Cyl5", "cylinder_sliding", "x_star.",
               "x. - g*(sin(alpha) + f*cos(alpha))*x./(g*(sin(alpha) + 3*f*cos(alpha)))",
               slip("cylinder_sliding", "road", "x_star."), ("event", "cylinder_sliding", "x.")),
    ClosedForm("L-Cyl5", SLIDING_DOWN, "t_star", "-x./(g*(3*f*cos(alpha) - sin(alpha)))",
               slip(SLIDING_DOWN, "road", "t_star"), ("event", SLIDING_DOWN, "t")),
    ClosedForm("L-Cyl5", "cylinder_sliding", "x..", "-2/3*g*sin(alpha)",
               at("cylinder_sliding", "x..", modes={"road": "stick"}),
               ("state", "cylinder_contact", "x..")),
    ClosedForm("L-EllL", "elliptic_pendulum", "omega^2", "g/a*(1 + m2/m1)",
               rest("elliptic_pendulum", "omega^2", {"theta": 0}),
               ("omega^2", "elliptic_pendulum", {"theta": 0})),
    # Guérin
    ClosedForm("G-Cyl", "driven_cylinder", "x..", "R*(Gamma - R*m*g*sin(alpha))/(C + m*R^2)",
               at("driven_cylinder", "x.."), ("state", "driven_cylinder", "x..")),
    ClosedForm("G-Cyl", "driven_cylinder", "T_road", "m*(C*g*sin(alpha) + Gamma*R)/(C + m*R^2)",
               at("driven_cylinder", "T_road"), ("multiplier", "driven_cylinder", "road", 1)),
    ClosedForm("G-Cyl", "driven_cylinder", "Gamma", "m*g*R*sin(alpha)",
               threshold("driven_cylinder", "x.. = 0", "Gamma"),
               ("vanishes", "driven_cylinder", "Gamma", "x..", {})),
    ClosedForm("G-PenN", "compound_pendulum", "omega^2", "m*g*a/C",
               rest("compound_pendulum", "omega^2", {"theta": 0}),
               ("omega^2", "compound_pendulum", {"theta": 0})),
    ClosedForm("G-Ex0", "turning_arm", "lam", "(k*l0 + m*omega^2*a)/(k - m*omega^2)",
               rest("turning_arm", "lam"), ("rests", "turning_arm", {"lam": "lam"})),
    ClosedForm("G-Ex0", "turning_arm", "omega_c", "sqrt(k/m)", critical("turning_arm", "omega"),
               ("state-rate", "turning_arm", "omega", "lam")),
    ClosedForm("G-Moto", "motorcycle", "X..",
               "g*(M*a + m3*(a + b))/(R*(M + m2 + m3 + C2/R^2) + M*c)",
               threshold(*LIFT, "X..", at=UP), ("lift", "X..")),
    ClosedForm("G-Moto", "motorcycle", "Gamma",
               "R*(M + m2 + m3 + C2/R^2)*g*(M*a + m3*(a + b))"
               "/(R*(M + m2 + m3 + C2/R^2) + M*c)",
               threshold(*LIFT, at=UP), ("vanishes", "motorcycle", "Gamma", "psi..", UP)),
    ClosedForm("G-Moto", "motorcycle", "T_road",
               "(M + m2 + m3)*g*(M*a + m3*(a + b))/(R*(M + m2 + m3 + C2/R^2) + M*c)",
               threshold(*LIFT, "T_road", at=UP), ("lift", "road", 1)),
    ClosedForm("G-Moto", "motorcycle", "N_road", "(M + m2 + m3)*g",
               threshold(*LIFT, "N_road", at=UP), ("lift", "road", 0)),
    ClosedForm("G-Abs", "vibration_absorber", "lam", "l0 + m2*g/k",
               rest("vibration_absorber", "lam", {"theta": 0}),
               ("rests", "vibration_absorber", {"lam": "lam", "theta": 0})),
    ClosedForm("G-Abs", "vibration_absorber", "omega1^2", "k/m2",
               rest("vibration_absorber", "omega1^2", {"theta": 0}),
               ("omega^2", "vibration_absorber", {"theta": 0, "lam": "l0 + m2*g/k"})),
    ClosedForm("G-Abs", "vibration_absorber", "omega2^2",
               "(m1*l1 + m2*(a + lam))*g/(C1 + C2 + m2*(a + lam)^2)",
               rest("vibration_absorber", "omega2^2", {"theta": 0}),
               ("omega^2", "vibration_absorber", {"theta": 0, "lam": "l0 + m2*g/k"})),
    ClosedForm("G-TD2", "speed_governor", "cos(beta)",
               "M*a*b*alpha.^2/(k*c^2 - M*b^2*alpha.^2)",
               rest("speed_governor", "cos(beta)", turning=("alpha",),
                    given=(("theta", "pi/2"), ("lam0", 0))),
               ("turns", "speed_governor", "beta", "alpha."),
               {"theta": 1.5707963267948966, "lam0": 0.0, "Cm": 0.0, "k": 2500.0}),
    ClosedForm("G-TD2", "speed_governor", "cos(beta) preloaded",
               "(M*a*b*alpha.^2 + k*c*lam0)/(k*c^2 - M*b^2*alpha.^2)",
               rest("speed_governor", "cos(beta)", turning=("alpha",),
                    given=(("theta", "pi/2"),)),
               ("turns", "speed_governor", "beta", "alpha."),
               {"theta": 1.5707963267948966, "Cm": 0.0, "k": 2500.0},
               above={"lam0": 0.3}),
    # the numerical appendix
    ClosedForm("N-Top", "heavy_top", "psi.",
               "(m*g*l + (Ip - Ie)*phi.^2*cos(theta))/(Ie*phi.)",
               rest("heavy_top", "psi.", turning=("phi", "psi"), keep=("theta",)),
               ("turns", "heavy_top", "theta", "phi.", "psi.")),
    # Plaut
    ClosedForm("P-3.4", ROTOR, "R1_P2", "P1_wz^2*(E + m*a*c)/l",
               at(ROTOR, "R1_P2", SPIN), ("multiplier", ROTOR, "P2", 0)),
    ClosedForm("P-3.4", ROTOR, "R2_P2", "P1_wz^2*(D + m*b*c)/l",
               at(ROTOR, "R2_P2", SPIN), ("multiplier", ROTOR, "P2", 1)),
    ClosedForm("P-Ex3.1", "vertical_disc", "T1_floor", "m*a*phi.*theta.",
               at("vertical_disc", "T1_floor", {"theta": 0}),
               ("multiplier", "vertical_disc", "floor", 1)),
    ClosedForm("P-Ex4.1", "single_cylinder_engine", "omega^2", "mp*g*a*(b - a)/(b*Iv)",
               dead_centre("pi", "b - a"),
               ("omega^2", "single_cylinder_engine", {"phi": "pi", "x": "b - a"}),
               {"F": 0.0, "Gamma": 0.0}),
    ClosedForm("P-Ex4.1", "single_cylinder_engine", "omega^2 above", "-mp*g*a*(a + b)/(b*Iv)",
               dead_centre("0", "a + b"),
               ("omega^2", "single_cylinder_engine", {"phi": 0, "x": "a + b"}),
               {"F": 0.0, "Gamma": 0.0}),
    ClosedForm("P-Ex4.2", "double_pendulum_points", "omega^4", "m*a*b",
               coefficient("double_pendulum_points", 2, phi=0, turn=0),
               ("polynomial", "double_pendulum_points", {"phi": 0, "turn": 0})),
    ClosedForm("P-Ex4.2", "double_pendulum_points", "omega^2", "-(m + M)*g*(a + b)",
               coefficient("double_pendulum_points", 1, phi=0, turn=0),
               ("polynomial", "double_pendulum_points", {"phi": 0, "turn": 0})),
    ClosedForm("P-Ex4.2", "double_pendulum_points", "omega^0", "(m + M)*g^2",
               coefficient("double_pendulum_points", 0, phi=0, turn=0),
               ("polynomial", "double_pendulum_points", {"phi": 0, "turn": 0})),
    ClosedForm("P-Ex4.3", "buckling_two_bars", "F_c", "2*C/l", critical("buckling_two_bars", "F"),
               ("changes", "buckling_two_bars", "F", {"theta": 0})),
    ClosedForm("P-Ex4.3", "buckling_two_bars", "F", "2*C*theta/(l*sin(theta))",
               rest("buckling_two_bars", "F"),
               ("rests", "buckling_two_bars", {"theta": 0.7}, {"F": "F"})),
    ClosedForm("P-Ex4.3", "buckling_two_bars", "omega^2", "-2*(F*l - 2*C)/(m*l^2)",
               rest("buckling_two_bars", "omega^2", {"theta": 0}),
               ("omega^2", "buckling_two_bars", {"theta": 0})),
    ClosedForm("P-Ex4.4", "buckling_three_bars", "F_c1", "C/l",
               critical("buckling_three_bars", "F", at={"theta": 0}),
               ("changes", "buckling_three_bars", "F", STRAIGHT)),
    ClosedForm("P-Ex4.4", "buckling_three_bars", "F_c2", "3*C/l",
               critical("buckling_three_bars", "F", 1, at={"theta": 0}),
               ("changes", "buckling_three_bars", "F", STRAIGHT)),
    ClosedForm("P-Ex4.4", "buckling_three_bars", "omega1^2", "(C - F*l)/(m*l^2)",
               rest("buckling_three_bars", "omega1^2", {"theta": 0}),
               ("omega^2", "buckling_three_bars", STRAIGHT)),
    ClosedForm("P-Ex4.4", "buckling_three_bars", "omega2^2", "3*(3*C - F*l)/(m*l^2)",
               rest("buckling_three_bars", "omega2^2", {"theta": 0}),
               ("omega^2", "buckling_three_bars", STRAIGHT)),
    ClosedForm("P-Ex4.5", "ball_governor", "cos(alpha1)", "(m*l + ms*a)*g/(m*l^2*Omega^2)",
               rest("ball_governor", "cos(alpha1)"), ("opens", "ball_governor"),
               above={"Omega": 2.0}),
    ClosedForm("P-Ex4.5", "even_governor", "Omega_c", "sqrt((m*l + ms*a)*g/(m*l^2))",
               critical("even_governor", "Omega", at={"alpha": 0}),
               ("changes", "even_governor", "Omega", {"alpha": 0, "z": "2*a"})),
    ClosedForm("P-Ex4.5", "even_governor", "omega^2", "(m*l + ms*a)*g/(m*l^2) - Omega^2",
               rest("even_governor", "omega^2", {"alpha": 0}),
               ("omega^2", "even_governor", {"alpha": 0, "z": "2*a"})),
    ClosedForm("P-Ex4.5", "even_governor", "omega^2",
               "m*l^2*Omega^2*sin(alpha)^2/(m*l^2 + 2*ms*a^2*sin(alpha)^2)",
               opened("even_governor", "omega^2", "cos(alpha)"), ("swings", "even_governor"),
               above={"Omega": 2.0}),
    ClosedForm("P-Ex4.6", "half_disc", "omega^2", "8*g/((9*pi - 16)*a)",
               rest("half_disc", "omega^2", {"phi": 0}), ("omega^2", "half_disc", {"phi": 0})),
    ClosedForm("P-Pb4.1", "planetary_reducer", "G2", "2*(1 + b/a)*G1",
               threshold("planetary_reducer", "theta1.. = 0", "G2"),
               ("vanishes", "planetary_reducer", "G2", "theta1..", {})),
    ClosedForm("P-Pb4.2", "dumbbell_satellite", "theta.^2", "k/r^3*(1 + 3*a^2/r^2)",
               rest("dumbbell_satellite", "theta.", {"psi": 0}, turning=("theta",), keep=("r",)),
               ("orbits", "dumbbell_satellite")),
    ClosedForm("P-Pb4.2", KEPLER, "T^2", "4*pi^2*r^3/k", named(KEPLER, "T^2"),
               ("circles", KEPLER)),
    ClosedForm("P-Pb4.2", ON_ITS_ORBIT, "omega^2", "3*k/R^3",
               rest(ON_ITS_ORBIT, "omega^2", {"psi": 0}),
               ("omega^2", ON_ITS_ORBIT, {"psi": 0})),
    ClosedForm("P-Ex5.1", "spherical_pendulum", "cos(theta)", "g/(a*phi.^2)",
               rest("spherical_pendulum", "cos(theta)", turning=("phi",)),
               ("turns", "spherical_pendulum", "theta", "phi."), above={"phi.": 4.0}),
    ClosedForm("P-Ex5.1", "spherical_pendulum", "theta..",
               "sin(theta)*cos(theta)*phi.^2 - g/a*sin(theta)",
               at("spherical_pendulum", "theta.."), ("state", "spherical_pendulum", "theta..")),
)  # fmt: skip


_ANSWERS: dict[int, Expr] = {}


def source_of(row: ClosedForm) -> Expr:
    """The formula of the source as an expression."""
    words = re.findall(r"[A-Za-z]\w*\.*", row.line)
    names = {x: symbol(x) for x in words if x not in ("sin", "cos", "tan", "sqrt", "pi")}
    return read_text(row.line, Names(names), "source")


def lengths(row: ClosedForm) -> tuple[int, int]:
    """Signs of the source's formula, and of ours."""
    return length_of_line(row.line), length(answer(row))


def answer(row: ClosedForm) -> Expr:
    """Our formula, computed once."""
    if id(row) not in _ANSWERS:
        _ANSWERS[id(row)] = row.question()
    return _ANSWERS[id(row)]


def table() -> str:
    """The rows of the page."""
    rows = ["| problem | model | answer | the source's formula, then ours | signs |",
            "|---|---|---|---|---|"]  # fmt: skip
    for row in CLOSED_FORMS:
        name = row.model if isinstance(row.model, str) else row.model.name.replace("-", "_")
        theirs, ours = lengths(row)
        described = ts.load(row.model) if isinstance(row.model, str) else row.model
        ranks = name_ranks(named_numbers(described))
        shown = unicode_text(answer(row), ranks=ranks)
        rows.append(
            f"| {row.problem} | `{name}` | {row.of} | `{row.line}`<br>`{shown}` "
            f"| {theirs} → {ours} |"
        )
    return "\n".join(rows)
