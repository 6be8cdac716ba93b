"""Mechanisms for the tests of generated code, with the numbers Torseur itself finds."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from random_trees import EVERY_JOINT, random_coordinates, random_inertia, random_joint, random_pose

from torseur.algebra.core.expr import PI, expression, symbol
from torseur.algebra.core.graph import evaluate
from torseur.algebra.core.rules import choice, clipped, larger, smaller
from torseur.equations.functions.catalogue import FUNCTIONS, OF_LOOPS, kernel_of
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.symbols.system import system
from torseur.export.export import LANGUAGES, sources
from torseur.export.exported_model import model
from torseur.language.load import load
from torseur.model.description import GROUND, Body, Joint, Mechanism, Motor, Parameter

EVERY = tuple(name for name in FUNCTIONS if name not in OF_LOOPS)
SLOW = pytest.mark.slow


@dataclass(frozen=True)
class Case:
    """Kernels of a mechanism and arrays to try them on."""

    mechanism: Mechanism
    arrays: dict  # q, v, a and Q
    parameters: dict  # name → value

    @property
    def p(self):
        """The parameters in the order generated code expects."""
        found = model(system(self.mechanism), [], LANGUAGES["c"]).parameters
        return np.array([self.parameters[x.name] for x in found])

    def texts(self, to, functions=EVERY, **options):
        return sources(self.mechanism, to, functions, **options)

    def expected(self, name):
        return value(kernel_of(FUNCTIONS[name], system(self.mechanism)), self)

    def inputs(self, name):
        of = kernel_of(FUNCTIONS[name], system(self.mechanism))
        return [self.arrays[letter] for letter, _ in of.inputs]


def value(of: Kernel, case):
    """A kernel evaluated on floats, node by node."""
    known = dict(case.parameters)
    for letter, names in of.inputs:
        known |= dict(zip(names, case.arrays[letter], strict=True))
    return np.asarray(evaluate(list(of.outputs), known), dtype=float).reshape(of.shape)


def cases():
    """The mechanisms to try, the larger ones among the slow tests."""
    slow = [pytest.param(case, marks=SLOW) for case in (arm, every_joint)]
    return pytest.mark.parametrize("case", [nasty, *slow])


def case_of(mechanism, seed=0, q=None):
    rng = np.random.default_rng(seed)
    nq, nv = len(mechanism.coordinates), len(mechanism.speeds)
    known = mechanism.parameters
    parameters = {n: rng.uniform(0.5, 1.5) if x is None else x for n, x in known.items()}
    v, a, Q = rng.normal(size=(3, nv))
    return Case(mechanism, {"q": rng.normal(size=nq) if q is None else q, "v": v, "a": a, "Q": Q},
                parameters)  # fmt: skip


@cache
def arm():
    """Two turning joints and a sliding one, every parameter a symbol without value."""
    return case_of(load("RY(q1), TYK(L1), RX(q2), TYK(L2), TZ(d), TZK(L3);", masses="full"))


@cache
def every_joint():
    """Chains of two joints of every kind, numbers for data but the masses, friction in a motor."""
    rng = np.random.default_rng(5)
    table, bodies, joints = {}, {}, {}
    before, q = GROUND, []
    for i, kind in enumerate(EVERY_JOINT):
        joint = random_joint(rng, (kind,))
        own = random_inertia(rng)
        centre = own.h / own.m
        at_centre = own.tensor - own.m * (centre @ centre * np.eye(3) - np.outer(centre, centre))
        table[f"m{i}"] = Parameter(f"m{i}", expression(float(own.m)), "kg", f"mass of body {i}")
        bodies[f"b{i}"] = Body(f"b{i}", symbol(f"m{i}"), nodes(centre), nodes(at_centre))
        coordinates = tuple(f"q{i}{'abcdefg'[k]}" for k in range(joint.nq))
        speeds = tuple(f"w{i}{'abcdef'[k]}." for k in range(joint.nv))
        joints[f"j{i}"] = Joint(f"j{i}", joint, before, f"b{i}", random_pose(rng),
                                coordinates=coordinates, speeds=speeds)  # fmt: skip
        before = f"b{i}" if i % 2 == 0 else GROUND
        q += list(rng.normal(size=joint.nq))
    moved = next(name for name, joint in joints.items() if joint.kind.nv == 1)
    friction = (expression(0.3), expression(0.2))
    motor = Motor("motor", moved, expression(20), expression(1e-3), dry_motor=friction)
    mechanism = Mechanism("every joint", table, bodies, joints,
                          nodes([0.1, -9.81, 0.3]), {"motor": motor})  # fmt: skip
    tree = system(mechanism).tree
    return case_of(mechanism, q=random_coordinates(rng, tree))


@cache
def nasty():
    """An arm whose names mean something else in some language."""
    named = {"L1": "lambda", "L2": "end", "M1": "I_xx", "M2": "I_{xx}", "D1": "é", "D2": "pi",
             "IX1": "q", "IZ1": "Q", "IX2": "α", "IZ2": "m_1", "G": "M_1", "q1": "for",
             "q2": "sin", "d": "r1", "M3": "M_E", "D3": "linux", "IX3": "np",
             "IY3": "t1"}  # fmt: skip
    plain = load("RY(q1), TYK(L1), RX(q2), TYK(L2), TZ(d), TZK(L3);", masses="lever")
    return case_of(renamed(plain, named))


def renamed(mechanism, named):
    """The mechanism with other names for its parameters and coordinates."""
    from torseur.algebra.core.graph import substitute

    new = {symbol(old): symbol(name) for old, name in named.items()}

    def moved(x):
        return substitute(x, new)

    table = {
        named.get(name, name): replace(p, name=named.get(name, name))
        for name, p in mechanism.parameter_table.items()
    }
    bodies = {
        name: replace(b, mass=moved(b.mass), centre=moved(b.centre), inertia=moved(b.inertia))
        for name, b in mechanism.bodies.items()
    }
    joints = {}
    for name, joint in mechanism.joints.items():
        own = tuple(named.get(x, x) for x in joint.coordinates)
        frame = replace(joint.X_AF, p=moved(np.asarray(joint.X_AF.p, dtype=object)))
        speeds = tuple(f"{x}." for x in own)
        joints[name] = replace(joint, X_AF=frame, coordinates=own, speeds=speeds)
    return replace(mechanism, name="do", parameter_table=table, bodies=bodies, joints=joints,
                   gravity=moved(mechanism.gravity))  # fmt: skip


def nodes(values):
    array = np.asarray(values)
    found = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        found[index] = expression(float(array[index]))
    return found


def every_operation():
    """A kernel with every function, power and number an expression may hold, and its files."""
    x, y = symbol("q1", "coordinate"), symbol("q2", "coordinate")
    k = symbol("L1")
    one, root = 1 + x**2, expression(2).sqrt()
    outputs = [
        x.tan() + k.tan(), one.sqrt(), one.exp(), one.log(),
        x.sign(), (x - y).sign(), abs(x - y), abs(-x), x.arctan2(y), one ** (1 / 3), one**-1.5,
        x**2, x**3, x**5, 1 / x**4, (x + y) ** 3, -x, x / 3, 2 * PI * x / 7, PI + x, x * 1e-30,
        x * 123456789012345678901, -1.5e300 * y * 1e-290, y / k**2, k, k * k, -k, x * 0, x * 0 + 3,
        x * root, y * root + x, k * root,
        *(_function(name, x / one) for name in ("asin", "acos", "atan", "sinh", "cosh", "tanh")),
        larger(x, y), smaller(x, k * y), clipped(x * 9, -k, k), choice(y - x, one.log(), x + y),
        2 * choice(x, -x, y) + choice(-x, x, k) ** 2, choice(x - y - k, one, choice(y, x, -x)),
        sum((x * i - y) * (x + i * y + k) for i in range(1, 9)),
    ]  # fmt: skip
    return kernel("everything", [("q", ("q1", "q2", "d"))], np.array(outputs, dtype=object))


def _function(name, x):
    from torseur.algebra.core.rules import function

    return function(name, x)


def texts_of(to, of: Kernel, case, **options):
    """The files of one kernel."""
    language = LANGUAGES[to]
    made = model(system(case.mechanism), [], language)
    routine = made.routine(of, "every operation", {})
    return language.files(replace(made, routines=(routine,)), **options)


def assert_close(found, expected, tolerance=1e-11):
    """Equal up to rounding, relative to the largest entry or to each."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == expected.shape
    size = np.abs(expected).max(initial=0.0)
    size = np.minimum(size, 10 * np.abs(expected) + 1e-3 * size + 1e-300)
    worst = np.abs(found - expected) / (size + 1e-300)
    assert np.all(worst < tolerance), f"{found} is not {expected}"
