"""A record moves from any place in memory: all that it leads to is declared."""

import ctypes
import re
from functools import partial
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest

import torseur as ts
from torseur.machine.llvm import jit
from torseur.machine.runtime.image import LINE, image
from torseur.machine.runtime.loop_kernel import KernelMotion
from torseur.machine.runtime.memory import Columns, Layout, Record
from torseur.machine.tree.tree_rate import tree_rate

MOVES = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
LOOKS = 6  # pieces of a motion that are repeated elsewhere
LAW = {"control": {"theta2": "-3*theta2 - 0.2*theta2."}, "sample": 0.02}


class Elsewhere:
    """The image of a record in fresh memory, patched from what is declared alone."""

    def __init__(self, record):
        self.image = image(record)
        self._memory = [np.zeros(8 * x.words.size + 2 * LINE, np.uint8) for x in self.image.blocks]
        starts = [
            -x.ctypes.data % LINE + block.shift
            for x, block in zip(self._memory, self.image.blocks, strict=True)
        ]
        self.blocks = [
            x[n : n + 8 * block.words.size].view(np.int64)
            for x, n, block in zip(self._memory, starts, self.image.blocks, strict=True)
        ]
        self.places = [x.ctypes.data for x in self.blocks]
        for into, words in zip(self.blocks, self._patched(self.image), strict=True):
            into[:] = words

    def _patched(self, taken):
        return taken.at(self.places, taken.functions)

    @property
    def address(self):
        block, offset = self.image.start
        return self.places[block] + offset

    def assert_same(self, record):
        """Every word is that of a record which moved as far where it was."""
        taken = image(record)
        for block, words, moved in zip(
            taken.blocks, self._patched(taken), self.blocks, strict=True
        ):
            own = moved.copy()
            own[block.passing] = 0
            np.testing.assert_array_equal(own, words, err_msg=block.name)


class Repeated:
    """Every piece of a motion, made elsewhere first, while the numbers of the record are wrong."""

    def __init__(self, advance):
        self._advance, self.looks, self.functions = advance, 0, set()

    def __call__(self, motion, budget):
        if self.looks == LOOKS:
            return self._advance(motion, budget)
        self.looks += 1
        record = motion.record
        record.write(budget=budget)
        other = Elsewhere(record)
        self.functions |= set(other.image.functions)
        arrays = [x.memory for x in record.pieces("") if x.memory.dtype == float]
        before = [x.copy() for x in arrays]
        for x in arrays:
            x[...] = np.nan
        code = MOVES(motion.kernel.address)(other.address)
        assert all(np.isnan(x).all() for x in arrays), "it wrote into the memory it was taken from"
        for x, numbers in zip(arrays, before, strict=True):
            x[...] = numbers
        assert self._advance(motion, budget) == code
        other.assert_same(record)
        return code


@pytest.fixture
def repeated(monkeypatch):
    made = Repeated(KernelMotion.advance)
    monkeypatch.setattr(KernelMotion, "advance", lambda motion, budget: made(motion, budget))
    return made


def example(name):
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


def chain(count, **more):
    """A chain that may be too long for straight-line code; one of its joints resists."""
    bodies = [f"b{k}" for k in range(count)]
    return ts.load({
        "gravity": [0, 0, -9.81],
        "bodies": {x: {"mass": 1.0, "inertia": [0.02] * 3, "centre": [0.1, 0, 0.2]}
                   for x in bodies},
        "joints": {f"J{k}": {"type": "revolute", "bodies": [first, second], "axis": "xyz"[k % 3],
                             "point": [0, 0, 0.3 * k], "coordinate": f"q{k}"}
                   for k, (first, second) in enumerate(pairwise(["ground", *bodies]))},
        "forces": {"f": {"type": "joint", "joint": "J5", "value": "0.3 - 0.4*q5."}},
        **more,
    })  # fmt: skip


def tabulated(count):
    """A chain of which a table of its parameter and its angle resists."""
    value = "grip(k)*grip(q1)"
    return chain(
        count,
        tables={"grip": {"x": [-1, -0.3, 0.4, 1], "value": [0.2, -0.1, 0.3, 0.1]}},
        forces={"f": {"type": "joint", "joint": "J1", "value": value}},
        parameters={"k": 0.6},
    )


def pile():
    """Two spheres that fall on each other and on the ground; a thread pulls one of them."""
    bodies = {name: {"mass": 1.0, "shape": {"sphere": {"radius": 0.1}}} for name in ("low", "high")}
    return ts.load({
        "gravity": [0, 0, -9.81],
        "bodies": bodies,
        "joints": {f"J{x}": {"type": "free", "bodies": ["ground", x]} for x in bodies},
        "contacts": {"all": {"among": "all", "normal": "z", "friction": 0.3}},
        "forces": {"thread": {"type": "spring", "stiffness": 20.0, "length": 0.1,
                              "between": [["ground", [0, 0, 1]], ["high", [0, 0, 0]]]}},
        "initial": {"Jlow_z": 0.12, "Jhigh_z": 0.35, "Jhigh_x": 0.02},
    })  # fmt: skip


def paddle():
    """A sphere on the ground that a driven paddle pushes: contacts of a pool."""
    return ts.load({
        "gravity": [0, 0, -9.81],
        "bodies": {
            "ball": {"mass": 1.0, "shape": {"sphere": {"radius": 0.1}}},
            "paddle": {"mass": 1.0, "shape": {"box": {"size": [0.4, 0.04, 0.2]}}},
        },
        "joints": {
            "F": {"type": "free", "bodies": ["ground", "ball"]},
            "S": {"type": "prismatic", "bodies": ["ground", "paddle"], "axis": "y",
                  "point": [0, 0, 0.15], "coordinate": "s"},
        },
        "forces": {"push": {"type": "joint", "joint": "S", "value": "3 - s."}},
        "contacts": {"floor": {"among": ["ball"], "normal": "z", "friction": 0.3},
                     "pair": {"among": ["ball", "paddle"], "friction": 0.3}},
        "initial": {"F_z": 0.1, "F_y": 0.15},
    })  # fmt: skip


def swing(name, duration=0.5, **options):
    return ts.simulate(example(name), duration, rate=50, **options)


MOTIONS = {
    "smooth": partial(swing, "double_pendulum"),
    "loops": partial(swing, "slider_crank"),
    "text law": partial(swing, "double_pendulum", **LAW),
    "radau": partial(swing, "double_pendulum", method="radau"),
    "impulses": partial(swing, "slider_crank", method="symplectic", step=1e-3),
    "events": partial(swing, "bouncing_ball", 1.5),
    "events with friction": partial(swing, "rocking_block", 1.0),
    "moreau": partial(swing, "rocking_block", method="moreau", step=1e-3),
    "absolute": partial(swing, "four_bar", coordinates="absolute"),
    "lanes": partial(swing, "double_pendulum", threads=1,
                     parameters={"l1": np.linspace(0.4, 0.6, 11)}, **LAW),
    "pile": lambda: ts.simulate(pile(), 0.3, rate=50, method="moreau", step=1e-3),
    "pool": lambda: ts.simulate(paddle(), 0.2, rate=50, method="moreau", step=1e-3),
    "tree": lambda: ts.simulate(chain(50), 0.02, rate=50, rtol=1e-6, initial={"q3": 0.2}),
    "table": lambda: ts.simulate(tabulated(2), 0.3, rate=50),
    "table in lanes": lambda: ts.simulate(tabulated(2), 0.3, rate=50, threads=1,
                                          parameters={"k": np.linspace(0.4, 0.6, 11)}),
    "table in a tree": lambda: ts.simulate(tabulated(50), 0.02, rate=50, rtol=1e-6),
}  # fmt: skip


@pytest.mark.parametrize("name", MOTIONS)
def test_a_motion_goes_on_elsewhere_by_what_is_declared_alone(repeated, name):
    MOTIONS[name]()
    assert repeated.looks > 0
    assert repeated.functions


def test_a_stepper_goes_on_elsewhere(repeated):
    moving = ts.Stepper(example("cart_pole"), 0.01)
    for force in (0.5, -0.2, 0.1):
        moving.step(force)
    assert repeated.looks == 3


def test_functions_are_listed_by_the_fields_that_lead_to_them(repeated):
    MOTIONS["events"]()
    assert {"rate", "rate.state", "settle", "events"} <= repeated.functions


def test_memory_that_is_not_declared_is_reported():
    layout = Layout(counts=("n",), wholes=("lead",), columns={"lead": Columns(1, (0,))})
    record, hidden = Record(layout), np.zeros(3)
    record.hold(lead=np.array([hidden.ctypes.data]))
    with pytest.raises(AssertionError, match="undeclared"):
        image(record)


def test_code_of_large_mechanisms_holds_no_address_and_asks_for_no_memory(monkeypatch):
    texts, made = [], jit.object_code
    monkeypatch.setattr(jit, "object_code", lambda text: texts.append(text) or made(text))
    model = ts.compile(chain(51))
    tree_rate(model)
    model.function("forward_dynamics_derivatives")
    called = {name for text in texts for name in re.findall(r"declare .*@([\w.]+)\(", text)}
    assert len(texts) >= 3
    assert all(name.startswith("llvm.") for name in called), called
    assert not any(re.search(r"inttoptr \(?i64 \d", text) for text in texts)
