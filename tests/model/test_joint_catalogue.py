"""Every joint of the catalogue has every service, and so has one that is declared here."""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, final

import numpy as np
import pytest
from numpy.testing import assert_allclose
from ruamel.yaml import YAML

import torseur as ts
from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.machine.tree.evaluator import LARGE, suits
from torseur.model.joint_graph import spanning
from torseur.model.joints.catalogue import JOINTS, add_joint, joint_class, remove_joint
from torseur.model.joints.composed import Composed
from torseur.model.joints.defined import Defined
from torseur.model.joints.freedoms import Ball, Freedoms, Slide, Turn, in_order, in_plane
from torseur.model.joints.library import Fixed
from torseur.model.joints.protocol import NORMAL, JointEntryKind
from torseur.model.values.numeric import numeric_mechanism
from torseur.simulation.constraints.multipliers import direct
from torseur.topology.structure import structure
from torseur.words.sentence import type_words


@final
@dataclass(frozen=True)
class CrossTable(Composed):
    """Two slides at right angles (*table croisée*)."""

    normal: int = 2

    names = ("cross table", "table croisée")
    words: ClassVar = {"en": "cross table", "fr": "table croisée"}
    keys = NORMAL

    @property
    def freedoms(self) -> Freedoms:
        return in_plane(self.normal)


@pytest.fixture(autouse=True, scope="module")
def _in_the_catalogue():
    add_joint(CrossTable)
    yield
    remove_joint(CrossTable)


EVERY = (*JOINTS, CrossTable)
CARRYING = tuple(kind for kind in EVERY if kind.carries)
CLOSING = tuple(kind for kind in EVERY if kind.closes)
BOTH = tuple(kind for kind in CARRYING if kind in CLOSING)


def each(kinds):
    return pytest.mark.parametrize("kind", kinds, ids=lambda kind: kind.__name__)


def solid(k):
    return {"mass": 1 + 0.3 * k, "centre": [0.1, 0.05, 0.02], "inertia": [0.03, 0.04, 0.05]}


def entries(kind):
    """Every entry of a joint as its keys give it for an example."""
    if any(key.kind is JointEntryKind.POSE for key in kind.keys):
        return {"coordinates": ["u", "w"], "position": ["u", 0, "u^2"], "rotation": [{"z": "w"}]}
    return {key.name: YAML(typ="safe").load(key.example) for key in kind.keys}


def described(kind, **more):
    """A body that a joint of this kind links to the ground; to an arm if it lets nothing move."""
    first = "arm" if kind is Fixed else "ground"
    own = {"type": kind.names[0], "bodies": [first, "load"], "point": [[0.3, 0, 0], [0, 0, 0]]}
    hinge = {"type": "revolute", "bodies": ["ground", "arm"], "axis": "z"}
    return {
        "torseur": 1,
        "name": "linked",
        "gravity": [1, -9, -3],
        "bodies": {"load": solid(1)} | ({} if first == "ground" else {"arm": solid(0)}),
        "joints": ({} if first == "ground" else {"A": hinge}) | more | {"B": own | entries(kind)},
        "points": {"P": ["load", [0.1, 0.2, 0.3]]},
        "reactions": "least_norm",
    }


def closed(kind):
    """The same, the body being free otherwise: the joint closes a loop."""
    free = {"type": "free", "bodies": ["ground", "load"]}
    ahead = 0.8 if JointEntryKind.LENGTH in [key.kind for key in kind.keys] else 0.3
    return described(kind, F=free) | {"initial": {"F_x": ahead, "F_qw": 1}}


@cache
def mechanism(kind):
    return ts.load(described(kind) if kind.carries else closed(kind))


@cache
def run(kind, coordinates="joint"):
    return ts.simulate(mechanism(kind), 0.1, rate=50, coordinates=coordinates)


def required(made):
    """A state and accelerations, and the generalised forces that they need, on floats."""
    numbers, rng = numeric_mechanism(made, made.parameters), np.random.default_rng(1)
    tree = structure(numbers).tree
    q, v, a = (rng.normal(size=n) for n in (tree.nq, tree.nv, tree.nv))
    for _, link in tree:
        if link.joint.turning:
            place = slice(link.q.stop - 4, link.q.stop)
            q[place] /= np.linalg.norm(q[place])
    return q, v, a, inverse_dynamics(tree, q, v, a, numbers.gravity).Q.astype(float)


# --- what is written ----------------------------------------------------------------------------


@each(EVERY)
def test_a_joint_is_found_by_all_its_names_and_reads_all_its_keys(kind):
    assert [joint_class(name, "here") for name in kind.names] == [kind] * len(kind.names)
    joint = mechanism(kind).joints["B"]
    assert isinstance(joint.kind, kind)
    assert len(joint.coordinates) == len(set(joint.coordinates)) == joint.kind.nq
    for key in entries(kind):
        left = described(kind)
        del left["joints"]["B"][key]
        if key not in ("position", "rotation"):  # those of a defined joint may be left out
            with pytest.raises(ts.ModelError, match=key):
                ts.load(left)
    refused = described(kind)
    refused["joints"]["B"]["colour"] = "red"
    with pytest.raises(ts.ModelError, match="colour"):
        ts.load(refused)


def test_a_name_is_given_once():
    with pytest.raises(ts.ModelError, match='joint called "cross table" exists already'):
        add_joint(CrossTable)


@final
@dataclass(frozen=True)
class Crane(Composed):
    """A turn before a slide: the trolley of a crane."""

    names = ("crane", "grue")
    words: ClassVar = {"en": "crane", "fr": "grue"}

    @property
    def freedoms(self) -> Freedoms:
        return (Turn(2), Slide(0))


def test_freedoms_out_of_order_are_refused():
    with pytest.raises(ts.ModelError, match=r"Turn\(axis=2\), Slide\(axis=0\)\) are not in order"):
        add_joint(Crane)
    assert Crane not in JOINTS
    orders = {kind: in_order(kind().freedoms) for kind in CARRYING if kind is not Defined}
    assert all(orders.values()), orders
    assert not any(map(in_order, ((Slide(0), Slide(0)), (Turn(1), Turn(1)), (Ball(), Turn(0)))))


# --- what it computes ---------------------------------------------------------------------------


@each(CARRYING)
def test_a_joint_carries_a_body_the_same_by_two_formalisms_and_in_straight_line_code(kind):
    made = mechanism(kind)
    q, v, a, wanted = required(made)
    found = ts.derive(made, "newton-euler").evaluate(q=q, v=v)
    other = ts.derive(made, "lagrange").evaluate(q=q, v=v)
    assert_allclose(found.M @ a + found.h + found.g, wanted, atol=1e-12 * abs(wanted).max())
    assert_allclose(other.M @ a + other.h + other.g, wanted, atol=1e-10 * abs(wanted).max())
    model = ts.compile(made)
    assert_allclose(model.inverse_dynamics(q, v, a), wanted, atol=1e-12 * abs(wanted).max())


@each([kind for kind in BOTH if kind().nv])
def test_a_joint_that_closes_a_loop_lets_the_same_accelerations_through(kind):
    """At rest with F on M, the acceleration (ω̇; v̇) of the body is S a of the joint."""
    joint, other = mechanism(kind).joints["B"].kind, ts.load(closed(kind))
    numbers = joint.numeric(lambda x: float(evaluate(expression(x), {})))
    S = np.asarray(numbers.motion_subspace(joint.neutral()), dtype=float)
    here = ts.derive(mechanism(kind)).evaluate(q=joint.neutral(), v=np.zeros(joint.nv))
    there = ts.derive(other).evaluate(q=[0.3, 0, 0, 1, 0, 0, 0], v=np.zeros(6))
    a = np.linalg.solve(here.M, here.Q - here.h - here.g)
    found, _ = direct(there.M, there.Q - there.h - there.g, there.J, there.gamma)
    assert_allclose(found, np.roll(S @ a, 3), atol=1e-10)


@each([Fixed, CrossTable])
def test_a_body_moves_alike_whether_the_joint_carries_it_or_closes_a_loop(kind):
    other = ts.load(closed(kind))
    assert [joint.name for joint in spanning(other).closing] == ["B"]
    there = ts.simulate(other, 0.1, rate=50)
    assert_allclose(there.point("P"), run(kind).point("P"), atol=1e-8)
    assert_allclose(there.reaction("B"), run(kind).reaction("B"), atol=1e-6)


@each(EVERY)
def test_a_body_moves_alike_in_joint_and_in_absolute_coordinates(kind):
    there = run(kind, "absolute")
    assert_allclose(there.point("P"), run(kind).point("P"), atol=1e-8)
    for name in mechanism(kind).joints["B"].coordinates:
        assert_allclose(there[name], run(kind)[name], rtol=1e-6, atol=1e-8)


@each([kind for kind in BOTH if kind().nv])
def test_a_chain_of_a_joint_runs_in_loops(kind):
    count = LARGE // kind().nv + 1
    bodies = {f"b{k}": solid(k % 5) for k in range(count)}
    joints = {
        f"J{k}": described(kind)["joints"]["B"]
        | {"bodies": [f"b{k - 1}" if k else "ground", f"b{k}"]}
        for k in range(count)
    }
    made = ts.load({"torseur": 1, "gravity": [1, -9, -3], "bodies": bodies, "joints": joints})
    assert suits(made, "inverse_dynamics")
    q, v, a, wanted = required(made)
    assert_allclose(ts.compile(made).inverse_dynamics(q, v, a), wanted, rtol=1e-9, atol=1e-9)


# --- what is told, shown and kept -----------------------------------------------------------------


@pytest.mark.sampled(8)
@each(EVERY)
def test_a_joint_is_named_in_both_languages_by_pages_and_derivations(kind, tmp_path):
    formalism = "newton-euler" if kind.closes else "lagrange"
    assert type_words(kind.words, "en") in str(ts.tell(mechanism(kind), formalism))
    page = ts.page(mechanism(kind), tmp_path / "page.html", lang="fr")
    assert type_words(kind.words, "fr") in page.read_text(encoding="utf-8")


@pytest.mark.sampled(8)
@each(EVERY)
def test_a_joint_is_drawn_and_shown(kind, tmp_path):
    drawing = ts.drawing(mechanism(kind), tmp_path / "drawing.svg")
    picture = ts.pictures.picture(run(kind), tmp_path / "picture.svg", 0.05)
    assert all("<svg" in file.read_text(encoding="utf-8") for file in (drawing, picture))
    assert kind.names[0] in ts.view(run(kind), tmp_path / "view.html").read_text(encoding="utf-8")


@each(EVERY)
def test_a_run_is_read_back_with_its_joints(kind, tmp_path):
    run(kind).save(tmp_path / "run.npz")
    back = ts.load_run(tmp_path / "run.npz")
    assert back.model.mechanism.joints["B"].kind == mechanism(kind).joints["B"].kind
    assert_allclose(back.reaction("B"), run(kind).reaction("B"))


@each(CARRYING)
def test_a_mechanism_with_a_joint_is_exported(kind, tmp_path):
    written = ts.export(mechanism(kind), "numpy", ["inverse_dynamics"], tmp_path)
    assert any("inverse_dynamics" in path.read_text(encoding="utf-8") for path in written)


@each(CARRYING)
def test_the_freedoms_of_a_joint_are_its_mobility(kind):
    found = mechanism(kind)
    freedoms = sum(joint.kind.nv for joint in found.joints.values())
    assert ts.mobility(found).degree == freedoms
    assert "B" in str(ts.linkages.balance(found))
