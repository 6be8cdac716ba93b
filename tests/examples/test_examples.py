"""Laws that hold in every example: it is sound, it closes, it moves, and Newton agrees with it."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from example_states import EXAMPLES, SMOOTH, mechanism, model, run

import torseur as ts
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.analyse.mobility.diagnose import diagnose
from torseur.cli.files.examples import examples
from torseur.equations.actions.reactions import wrench_names
from torseur.model.constraints.contact import GapContact
from torseur.model.constraints.gear import Gear
from torseur.model.constraints.relation import CoordinateMotion, Relation
from torseur.model.description import GROUND
from torseur.model.forces.body import BodyLoad
from torseur.model.forces.line import Damper, Spring
from torseur.model.forces.protocol import bodies_of, joints_of
from torseur.model.values.numeric import numeric_mechanism

PAGE = (Path(__file__).parents[2] / "docs" / "examples.md").read_text(encoding="utf-8")
# Rotors turn besides the bodies that carry them, a turning ground adds inertia forces, a planet
# attracts: their examples are compared with their own closed forms.
PLAIN = [
    name
    for name in EXAMPLES
    if mechanism(name).frame is None and not mechanism(name).motors and name != "dumbbell_satellite"
]
# Machine code for platforms takes seconds when there is none yet; the arm sticks and slips.
SLOW = {"delta_robot", "stewart_platform", "puma560"}


def each(names):
    """One test for each example, some of them among the slow tests."""
    marked = [pytest.param(x, marks=pytest.mark.slow) if x in SLOW else x for x in names]
    return pytest.mark.parametrize("name", marked)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_described_and_its_parameters_have_a_meaning(name):
    found = mechanism(name)
    assert found.name == name.replace("_", "-")
    assert found.description.endswith(".")
    assert all(x.meaning for x in found.parameter_table.values())
    assert len(found.notices) == (name not in SMOOTH) + (found.frame is not None)  # told once
    assert re.search(rf"^\| `{name}` \|", PAGE, re.M), f"docs/examples.md does not list {name}"


def test_the_command_lists_every_example_with_its_description():
    answer = CliRunner().invoke(examples, ["--json"])
    listed = json.loads(answer.stdout)
    assert listed.pop("inria-control").startswith("The experiment of 1980")  # it is run, not a file
    assert listed == {name: mechanism(name).description for name in EXAMPLES}


def test_the_page_of_examples_lists_nothing_else():
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.M)) == set(EXAMPLES)


@each(EXAMPLES)
def test_an_example_has_no_fault_and_its_start_closes_its_loops(name):
    found = diagnose(mechanism(name))
    assert found.faults == ()
    assert found.mobility is not None
    assert found.mobility.degree > 0
    start = ts.assemble(model(name))
    assert start.closure_error < 1e-12
    assert start.changed == {}


@each(EXAMPLES)
def test_an_example_moves_with_its_loops_closed_and_its_energy_accounted_for(name):
    found = run(name)
    assert np.isfinite(found.q).all()
    assert found.closure_error < 1e-10
    assert found.energy_drift < 1e-6


# --- Newton and Euler, body by body -------------------------------------------------------------


def joined(found, name):
    """The wrenches of joints and contacts on a body at its centre of mass, as (force, couple)."""
    mechanism = found.model.mechanism
    parts = {**mechanism.joints, **mechanism.constraints, **mechanism.contacts}
    centre = centres(found)[name]
    total = np.zeros((len(found.t), 6))
    for joint in found.samples.wrenches:
        own = parts.get(joint) or parts[joint.rpartition(".")[0]]  # what resists rolling at one
        for body, sign in ((own.first, -1), (own.second, 1)):
            if body == name:
                total += sign * found.reaction(joint, at=centre)
    return total


def centres(found):
    """The centre of mass of every body at every sample."""
    bodies = numeric_mechanism(found.model.mechanism, found.model.parameters).bodies
    seen = ts.observe.motion(found)
    return {name: seen.point((name, body.centre)) for name, body in bodies.items()}


def numbers(found, expressions):
    """Expressions of the state at every sample."""
    names = (*found.model.coordinates, *found.model.speeds)
    columns = dict(zip(names, np.concatenate([found.q, found.v], axis=1).T, strict=True))
    values = evaluate(list(expressions), {**found.model.parameters, **columns, "t": found.t})
    return np.stack([np.broadcast_to(x, found.t.shape) for x in values], axis=1)


def loaded(found, name):
    """The wrenches of springs, dampers, given loads and teeth on a body at its centre of mass."""
    mechanism, centre = found.model.mechanism, centres(found)[name]
    total = np.zeros((len(found.t), 6))

    def push(at, force):
        total[:, :3] += force
        total[:, 3:] += np.cross(at - centre, force)

    for load in mechanism.loads.values():
        if isinstance(load, Spring | Damper):
            for end, pull in pulled(found, load):
                if end.body == name:
                    push(*pull)
        elif isinstance(load, BodyLoad) and load.body == name:
            assert not load.follows
            at = ts.observe.motion(found).point((name, numbers(found, load.point)[0]))
            push(at, numbers(found, load.force))
            total[:, 3:] += numbers(found, load.couple)
        else:
            assert name not in bodies_of(load), f"{load.name} is not known here"
    for gear in (x for x in mechanism.constraints.values() if isinstance(x, Gear)):
        seen = ts.observe.motion(found)
        R = seen.frame(gear.carrier).R[0]
        at = seen.point((gear.carrier, numbers(found, gear.point)[0]))
        tooth = found.multiplier(gear.name) * (R @ numbers(found, gear.direction)[0])
        for body, sign in ((gear.first, -1), (gear.second, 1)):
            if body == name:
                push(at, sign * tooth)
    return total


def pulled(found, load):
    """Both ends of a spring or a damper, each with its place and the force on it."""
    seen, (a, b) = ts.observe.motion(found), load.between
    ends = [(x, numbers(found, x.point)[0]) for x in (a, b)]
    p, v = ([seen.point((x.body, at), k) for x, at in ends] for k in (0, 1))
    length = np.linalg.norm(p[1] - p[0], axis=1)
    along = (p[1] - p[0]) / length[:, None]
    if isinstance(load, Spring):
        k, rest = numbers(found, [load.stiffness, load.length]).T
        tension = k * (length - rest)
    else:
        tension = numbers(found, [load.damping])[:, 0] * ((v[1] - v[0]) * along).sum(axis=1)
    return [(a, (p[0], tension[:, None] * along)), (b, (p[1], -tension[:, None] * along))]


def largest(found):
    """The largest force or couple in any joint: what sums of them are rounded to."""
    names = wrench_names(found.model.system)
    return max(1e-3, *(np.abs(found.reaction(joint)).max() for joint in names))


@pytest.mark.sampled(20)
@each(PLAIN)
def test_what_acts_on_a_body_is_its_mass_times_acceleration_and_its_rate_of_momentum(name):
    found = run(name)
    fixed = numeric_mechanism(mechanism(name), found.model.parameters)
    seen = ts.observe.motion(found)
    for body in fixed.bodies.values():
        acting = joined(found, body.name) + loaded(found, body.name)
        weight = body.mass * fixed.gravity
        G = seen.moving_point((body.name, body.centre))
        moment = ts.observe.moment_theorem(found, body.name, G).moment
        size = largest(found)
        np.testing.assert_allclose(
            acting[:, :3] + weight, body.mass * G.acceleration, atol=1e-9 * size
        )
        np.testing.assert_allclose(acting[:, 3:], moment, atol=1e-9 * size)


def spoken_of(found):
    """The joints in which something acts or rubs, or of which a relation or a law speaks."""
    named = {motor.joint for motor in found.motors.values()}
    named |= {joint.name for joint in found.joints.values() if joint.friction or joint.stop}
    named |= {joint for load in found.loads.values() for joint in joints_of(load)}
    relations = [x.zero for x in found.constraints.values() if isinstance(x, Relation)]
    relations += [x.gap for x in found.contacts.values() if isinstance(x, GapContact)]
    names = {x.name for x in free_symbols(relations)}
    names |= {x.coordinate for x in found.motions.values() if isinstance(x, CoordinateMotion)}
    gears = [x for x in found.constraints.values() if isinstance(x, Gear)]
    turning = {body for gear in gears for body in (gear.first, gear.second, gear.carrier)}
    for joint in found.joints.values():
        if names & {*joint.coordinates, *joint.speeds} or joint.second in turning - {GROUND}:
            named.add(joint.name)
    return named


@each(EXAMPLES)
def test_reactions_of_joints_and_contacts_do_no_work(name):
    found = run(name)
    parts = {**found.model.mechanism.joints, **found.model.mechanism.constraints}
    seen, driven = ts.observe.motion(found), spoken_of(found.model.mechanism)
    for joint in wrench_names(found.model.system):
        if joint in driven:
            continue
        first, second = (seen.frame(body) for body in (parts[joint].first, parts[joint].second))
        at = centre_of(found, joint)
        wrench = found.reaction(joint, at=at)
        slip = second.carried(at).velocity - first.carried(at).velocity
        turn = second.angular_velocity - first.angular_velocity
        power = (wrench[:, :3] * slip + wrench[:, 3:] * turn).sum(axis=1)
        speeds = np.abs(slip).max() + np.abs(turn).max()
        assert np.abs(power).max() <= 1e-9 * largest(found) * max(1.0, speeds)


def centre_of(found, joint):
    """The place of the frame M of a joint or of a contact."""
    parts = {**found.model.mechanism.joints, **found.model.mechanism.constraints}
    part = parts[joint]
    return ts.observe.motion(found).point((part.second, numbers(found, part.X_BM.p)[0]))
