"""Every multiplier of absolute coordinates is the force or the couple that its text names.

What a joint carries is known from its wrench; the texts of `multiplier_meanings` are read here as a
user reads them, and the component they name is taken from the wrench.
"""

import re
from dataclasses import replace

import numpy as np
import pytest
import test_constraints
from example_states import SMOOTH, mechanism
from random_mechanisms import random_mechanism
from random_trees import EVERY_JOINT, random_joint
from test_absolute import at_random, closed_by
from test_absolute_motion import GEARS
from test_two_formulations import each, runs
from two_formulations import absolute_side

import torseur as ts
from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate
from torseur.machine.absolute.joint_elements import frame_of
from torseur.model.constraints.gear import Gear
from torseur.model.constraints.relation import CoordinateMotion, Relation
from torseur.model.forces.protocol import joints_of
from torseur.model.joints.defined import Defined
from torseur.model.joints.library import Cylindrical, Distance, Free

CLOSE = 1e-10  # of the largest force or couple: wrenches are sums of multipliers times directions
AXES = {"x": 0, "y": 1, "z": 2}
TEXTS = {
    r"force along (.) of the ground, at the origin of M": lambda at, x: at.force @ np.eye(3)[x],
    r"force along (.) of F, at the (?:origin of M|point of contact)": lambda at, x: at.on(at.F, x),
    r"force along (.) of M, at its origin": lambda at, x: at.on(at.M, x),
    r"force along (.) of F at the origin of M, with": lambda at, x: at.on(at.F, x),
    r"force along the line from the origin of F to that of M": lambda at: at.along_line(),
    r"couple about (.) of M ∧ (.) of F": lambda at, x, y: at.about(at.M[:, :, x], at.F[:, :, y]),
    r"couple about (.) of F": lambda at, x: at.moment(at.F[:, :, x]),
    r"couple about (.) of M": lambda at, x: at.moment(at.M[:, :, x]),
}


class Carried:
    """What a joint, a contact or an imposed motion carries at every sample, and its frames."""

    def __init__(self, run, owner):
        poses = run.poses
        table, samples = run.wrenches[owner], len(poses.t)
        self.force, self.couple = table[:, :3], table[:, 3:6]
        self.M, origin = table[:, 9:].reshape(-1, 3, 3), table[:, 6:9]
        model = poses.model
        if owner in model.numbers.joints:
            (end, p, axes), _ = poses.frames(owner)
            self.F = np.stack([_vectors(axes[:, k], samples) for k in range(3)], axis=2)
            self.line = origin - _vectors(end[0], samples) - _vectors(p, samples)
        elif owner in model.mechanism.constraints:
            given = model.mechanism.constraints[owner]
            first, axes = poses.body(given.first), _frame(model, given)
            own = [_vectors(first.out(axes[:, k]), samples) for k in range(3)]
            self.F = np.stack(own, axis=2)
            self.couple = self._at_contact(model, given)

    def _at_contact(self, model, given):
        """The couple where the wheel touches: from its centre, down to the plane or the line."""
        radius = float(evaluate(given.kind.radius, model.values))
        down = self.F[:, :, given.kind.normal]
        if hasattr(given.kind, "axis"):
            axle = self.M[:, :, given.kind.axis]
            down = down - np.sum(down * axle, axis=1, keepdims=True) * axle
            down = down / np.linalg.norm(down, axis=1, keepdims=True)
        return self.couple + np.cross(radius * down, self.force)

    def on(self, axes, k):
        return np.sum(self.force * axes[:, :, k], axis=1)

    def moment(self, axis):
        return np.sum(self.couple * axis, axis=1)

    def about(self, first, second):
        return self.moment(np.cross(first, second))

    def along_line(self):
        return np.sum(self.force * self.line, axis=1) / np.linalg.norm(self.line, axis=1)


def _vectors(three, samples):
    """Three columns as one vector a sample (samples, 3)."""
    return np.stack([np.broadcast_to(x, samples) for x in three], axis=1)


def _frame(model, given):
    X = given.X_AF.numeric(lambda x: float(evaluate(x, model.values)))
    return frame_of(model.numbers, given.first, X)[1]


def assert_as_named(samples):
    """Each multiplier of a joint, a contact or an imposed pose is the component that is told."""
    scale = max(1e-6, *(np.abs(x[:, :6]).max() for x in samples.wrenches.values()))
    checked = 0
    meanings = samples.multiplier_meanings
    for owner, meaning, found in zip(samples.owners, meanings, samples.lambdas.T, strict=True):
        text = meaning.removeprefix(f'"{owner}": ')
        for pattern, component in TEXTS.items():
            if owner in samples.wrenches and (told := re.match(pattern, text)):
                axes = [AXES[x] for x in told.groups()]
                expected = component(Carried(samples, owner), *axes)
                np.testing.assert_allclose(found, expected, atol=CLOSE * scale, err_msg=meaning)
                checked += 1
                break
        else:
            assert re.match(
                r"force or couple that drives|generalised|part \d|force along the dir", text
            )
    return checked


# --- joints, contacts, imposed poses ------------------------------------------------------------


@pytest.mark.sampled(16)
@each(SMOOTH)
def test_a_multiplier_of_an_example_is_the_component_it_is_said_to_be(name):
    assert_as_named(runs(name)[1].samples)


@pytest.mark.sampled(16)
@each(SMOOTH)
def test_a_multiplier_of_a_closing_joint_is_the_component_it_is_said_to_be(name):
    """In the coordinates of joints, along the axes of the joint's own frame M."""
    run = runs(name)[0]
    closing = {x for x in run.samples.owners if x in run.model.mechanism.joints}
    wrenches = {owner: run.reaction(owner, frame="joint") for owner in closing}
    size = max([1e-6, *(np.abs(x).max() for x in wrenches.values())])
    rows = zip(run.samples.owners, run.multiplier_meanings, run.lambdas.T, strict=True)
    for owner, meaning, found in rows:
        assert meaning.startswith(f'"{owner}"')
        if told := re.match(r'".*": (force along|couple about) (.) of M,', meaning):
            k = AXES[told[2]] + 3 * (told[1] == "couple about")
            np.testing.assert_allclose(wrenches[owner][:, k], found, atol=1e-9 * size)
        elif owner in closing and "pushes them apart" in meaning:
            absolute = runs(name)[1].multiplier(owner)[:, 0]  # of which the same is said
            np.testing.assert_allclose(absolute, found, atol=1e-6 * size)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("name", ["box_on_slope", "stick_slip", "shoe_brake"])
def test_multipliers_of_what_touches_and_of_joints_beside_it_are_told(name, coordinates):
    """A contact pushes by its first row; joints of free bodies carry along axes of M."""
    run = ts.simulate(mechanism(name), 0.05, rate=100, coordinates=coordinates)
    described = run.model.mechanism
    for owner, meaning, found in zip(
        run.samples.owners, run.multiplier_meanings, run.lambdas.T, strict=True
    ):
        assert meaning.startswith(f'"{owner}"')
        if owner in described.joints:
            assert coordinates == "absolute"
            kind, axis = re.match(r'".*": (force along|couple about) (.) of M,', meaning).groups()
            carried = run.reaction(owner, frame="joint")
            k = AXES[axis] + 3 * (kind == "couple about")
            np.testing.assert_allclose(found, carried[:, k], atol=1e-8 * np.abs(carried).max())
        elif owner in described.contacts:
            assert ": force along " in meaning or ": generalised force of the contact" in meaning
    for owner in described.contacts:
        pushed = run.contact(owner).normal
        np.testing.assert_allclose(run.multiplier(owner)[:, 0], pushed, rtol=1e-8)


@pytest.mark.parametrize(
    "kind", [x for x in EVERY_JOINT if x is not Free], ids=lambda x: x.__name__
)
def test_a_multiplier_of_every_joint_is_the_component_it_is_said_to_be(kind):
    rng = np.random.default_rng(3)
    mechanism = random_mechanism(rng, *(random_joint(rng, (kind,)) for _ in range(2)), bodies=2)
    mechanism = replace(mechanism, gravity=9.81 * rng.normal(size=3))
    samples = absolute_side(mechanism, *at_random(rng, mechanism))
    assert assert_as_named(samples) == 2 * (6 - kind().nv)


def test_the_multiplier_of_a_rod_pushes_its_ends_apart():
    rng = np.random.default_rng(11)
    mechanism, q, v, _ = closed_by(rng, Distance, Cylindrical(0), Free())
    assert assert_as_named(absolute_side(mechanism, q, v)) == 4 + 1


@pytest.mark.parametrize("kind", test_constraints.EVERY_KIND)
def test_a_multiplier_of_every_constraint_is_the_component_it_is_said_to_be(kind):
    mechanism, t = ts.load(test_constraints.EVERY_KIND[kind]), 0.7
    _, q, v = test_constraints.state(ts.compile(mechanism), np.random.default_rng(1), t)
    assert_as_named(absolute_side(mechanism, q, v, t))


def test_bearings_of_gears_carry_what_pushes_the_wheels_apart_in_their_multipliers_too():
    run = ts.simulate(ts.load(GEARS), 0.1, coordinates="absolute")
    assert assert_as_named(run.samples) == 2 * 5


# --- defined joints, drives, relations, gears ----------------------------------------------------

DEFINED = [
    name
    for name in SMOOTH
    if any(isinstance(x.kind, Defined) and x.kind.nv < 6 for x in mechanism(name).joints.values())
]
RELATED = [
    name
    for name in SMOOTH
    if any(isinstance(x, Relation) for x in mechanism(name).constraints.values())
    or any(isinstance(x, CoordinateMotion) for x in mechanism(name).motions.values())
]


def in_its_axes(run, joint):
    """Couple, then force, in the axes of M at its origin, and S at every sample."""
    wrench = np.roll(run.reaction(joint.name, frame="joint"), 3, axis=1)
    q = np.stack([run[name] for name in joint.coordinates], axis=1)
    return wrench, [np.asarray(joint.kind.motion_subspace(x), dtype=float) for x in q]


@each(DEFINED)
def test_a_defined_joint_carries_by_its_multipliers_all_that_does_not_work(name):
    """Where turns go with slides, couples count as forces at the length of the mechanism."""
    run = runs(name)[1]
    model = run.samples.poses.model
    for joint in model.numbers.joints.values():
        if isinstance(joint.kind, Defined):
            wrenches, free = in_its_axes(run, joint)
            lam, moving = run.multiplier(joint.name), joint.kind.moving
            turns = [k for k in moving if k < 3] if max(moving) >= 3 else []
            size = np.ones(6)
            size[turns] = model.scales.length
            for wrench, S, own in zip(wrenches / size, free, lam, strict=True):
                S = S * size[:, np.newaxis]
                held = wrench - S @ np.linalg.lstsq(S, wrench, rcond=None)[0]
                norm = np.linalg.norm(held)
                assert np.linalg.norm(own) == pytest.approx(norm, rel=1e-9, abs=1e-12)


def asked(run, joint):
    """What drives and relations give to each speed of a joint, by their multipliers."""
    mechanism, total = run.model.mechanism, np.zeros((len(run.t), joint.kind.nv))
    values = {n: run[n] for n in run.names} | {"t": run.t} | run.model.parameters
    for k, (q, v) in enumerate(zip(joint.coordinates, joint.speeds, strict=True)):
        for motion in mechanism.motions.values():
            if isinstance(motion, CoordinateMotion) and motion.coordinate == q:
                total[:, k] += run.drive(motion.name)
        for one in mechanism.constraints.values():
            if isinstance(one, Relation):
                speaks = any(f"{n}." in str(one.zero) for n in run.model.coordinates)
                by = symbol(v, "speed") if speaks else symbol(q, "coordinate")
                factor = evaluate(jacobian([one.zero], [by])[0, 0], values)
                total[:, k] += run.multiplier(one.name)[:, 0] * factor
    return total


@each(RELATED)
def test_drives_and_relations_give_their_multiplier_to_the_joints_they_speak_of(name):
    run = runs(name)[1]
    found = run.model.mechanism
    busy = {x for load in found.loads.values() for x in joints_of(load)}
    busy |= {motor.joint for motor in found.motors.values()}
    scale = max(np.abs(run.reaction(x)).max() for x in found.joints)
    for joint in run.samples.poses.model.numbers.joints.values():
        plain = joint.kind.nq == joint.kind.nv > 0
        if plain and joint.name not in busy:
            wrenches, free = in_its_axes(run, joint)
            working = np.stack([S.T @ x for S, x in zip(free, wrenches, strict=True)])
            np.testing.assert_allclose(working, asked(run, joint), atol=CLOSE * scale)


def test_the_teeth_of_gears_push_by_their_multipliers():
    """Newton's law for each planet: its pivot and two pairs of teeth."""
    run = runs("planetary_reducer")[1]
    poses, numbers = run.samples.poses, run.samples.poses.model.numbers
    for body in ("planet1", "planet2", "planet3"):
        total = -numbers.bodies[body].mass * np.stack(poses.acceleration(body)[0], axis=1)
        total += numbers.bodies[body].mass * np.asarray(numbers.gravity, dtype=float)
        for joint in numbers.joints.values():
            if body in (joint.first, joint.second):
                total += (1 if joint.second == body else -1) * run.reaction(joint.name)[:, :3]
        for gear in run.model.mechanism.constraints.values():
            assert isinstance(gear, Gear)
            if body in (gear.first, gear.second):
                along = np.asarray(evaluate(gear.direction, run.model.parameters), dtype=float)
                seen = np.stack(poses.body(gear.carrier).out(along), axis=1)
                push = run.multiplier(gear.name) * seen
                total += push if gear.second == body else -push
        scale = max(np.abs(run.reaction(x)).max() for x in numbers.joints)
        np.testing.assert_allclose(total, 0.0, atol=CLOSE * scale)


@pytest.mark.parametrize(
    "name", ["ball_sliding_to_rolling", "box_on_slope", "curling_stone", "wheelie", "legged_robot"]
)
def test_a_multiplier_of_a_contact_is_the_force_of_the_ground_it_is_said_to_be(name):
    run = ts.simulate(name, 0.01, rate=200)
    seen = 0
    for k, text in enumerate(run.multiplier_meanings):
        owner = text.split('"')[1]
        if found := re.search(r'force along (.) of F, .* of "ground" on', text):
            along = run.reaction(owner)[:, AXES[found[1]]]
            np.testing.assert_allclose(run.lambdas[:, k], along, rtol=1e-9, atol=1e-9)
            seen += 1
    assert seen >= 2


def test_what_touches_stops_or_rubs_says_what_its_multipliers_are():
    for name, told in (
        ("governor_with_friction", 'force along x of F, at the point of contact, of "pusher" on'),
        ("pendulum_between_stops", "the partial derivatives of the gap times this"),
        ("stick_slip", 'friction along the speed "u."'),
        ("curling_stone", "couple about the first tangent"),
    ):
        found = ts.simulate(name, 1e-3, at=[0, 1e-3]).multiplier_meanings
        assert any(told in text for text in found), name
        assert all(": " in text.split('"', 2)[2] for text in found), name  # none is a name alone


@pytest.mark.parametrize(
    ("name", "coordinates"),
    [
        ("planetary_reducer", "joint"),
        ("slider_crank", "absolute"),
        ("speed_governor_relation", "joint"),
        ("motorcycle", "absolute"),
        ("box_on_slope", "absolute"),
        ("turning_arm", "absolute"),
    ],
)
def test_multipliers_are_told_in_french(name, coordinates):
    run = ts.simulate(mechanism(name), 0.01, coordinates=coordinates)
    with ts.speaking("fr"):
        told = run.multiplier_meanings
    assert told and not [x for x in told if re.search(r"\b(of|along|about|at|on|the)\b", x)]
    assert [x.split(" :")[0] for x in told] == [f"« {x} »" for x in run.samples.owners]
