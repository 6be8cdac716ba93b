"""A shortcut in machine code and the search that it shortens have the same answer at a state.

Shocks: the kernel that bounces, or the choice of modes in Python. After somebody acts on a state:
the kernel that lets modes stay, or the choice of modes. Starting anew at a state of a run: the
modes that the run had.
"""

import numpy as np
import pytest
from oracle_scenes import struck
from seam_relations import Case

import torseur as ts
from torseur.machine.contact import layout as at
from torseur.simulation.contact.path import Path
from torseur.simulation.contact.settling import Settling
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.joint_start import joint_start
from torseur.simulation.formulations.request import Beginning

EQUAL = 1e-9


def settled(formulation, y, t=0.0, in_code=True):
    """The state after settling, whether the shortcut served, and events."""
    contacts, after = formulation.contacts, y.copy()
    settling = Settling(contacts)
    if not in_code:
        settling._bounces_in_code = False
    path = Path(contacts, np.array([t, t + 1.0]))
    settling.settle(path, t, after, None)
    return after, sorted((e.name, e.cause, round(e.impulse, 9)) for e in path.events)


def begun(described):
    model = ts.compile(ts.load(described))
    return ContactFormulation(joint_start(model, Beginning({}, 0.0)))


@pytest.mark.parametrize("first", range(0, 80, 40))
def test_a_shock_in_machine_code_is_the_shock_of_the_search(first):
    served, different = 0, {}
    for seed in range(first, first + 40):
        formulation = begun(struck(seed).described)
        y, contacts = formulation.start, formulation.contacts
        quick, noted = settled(formulation, y)
        slow, known = settled(formulation, y, in_code=False)
        served += bool(contacts.call(at.BOUNCE, y, 0.0)[-1])
        forces = contacts.in_state["forces"]
        wrong = np.abs(quick - slow)[: forces.start].max()  # forces have a choice, motions none
        if wrong > EQUAL or noted != known:
            different[seed] = (wrong, noted, known)
    assert served >= 5
    assert different == {}


def acted_on(case):
    """States of a run on which somebody acts: speeds or commands are others, modes as they were."""
    samples = case.run.samples
    contacts, rng = samples.contacts, np.random.default_rng([50, case.seed])
    speeds = contacts.in_state["speeds"]
    inputs = slice(speeds.stop + 1, contacts.in_state["work"].start)
    for t, state in zip(samples.t[::3], samples.states[::3], strict=True):
        y = state.copy()
        y[inputs] += rng.normal(size=inputs.stop - inputs.start)
        if "driven" not in case.scene.traits:
            y[speeds] *= rng.choice([1.0, 1.3, 0.5])
        yield float(t), y


QUIET = [seed for seed in range(48) if seed % 12 in (1, 4, 5, 7, 9, 10, 11)]


@pytest.mark.parametrize("first", range(0, len(QUIET), 14))
def test_modes_that_stay_in_machine_code_are_those_of_the_search(first):
    served, different = 0, {}
    for seed in QUIET[first : first + 14]:
        case = Case(seed)
        contacts = case.run.samples.contacts
        for t, y in acted_on(case):
            contacts.at_state(y, t)  # has the modes of the state from here on
            stayed = contacts.call(at.STAY, y, t).copy()
            if not stayed[-1]:
                continue
            served += 1
            known = y.copy()
            Settling(contacts).settle(Path(contacts, np.array([t, t + 1.0])), t, known, None)
            wrong = np.abs(stayed[:-1] - known)[: contacts.in_state["forces"].start].max()
            if wrong > EQUAL:
                different[seed, round(t, 6)] = wrong
    assert served > 10
    assert different == {}


def started_anew(case, k):
    """A run that starts with the coordinates and speeds of a sample, and knows no modes."""
    run, t = case.run, float(case.times[k])
    names, values = (*run.model.coordinates, *run.model.speeds), (*run.q[k], *run.v[k])
    known = dict(zip(names, values, strict=True))
    return ts.simulate(case.mechanism, 1e-2, at=[t], start=t, initial=known, rtol=1e-12)


def modes(run, k):
    """Those of a sample; what touches without pressing may be called open."""
    found = {}
    for name in run.samples.contacts_named:
        seen = run.contact(name)
        presses = seen.normal[k] > 1e-8 or name.endswith("friction")
        found[name] = str(seen.state[k]) if presses else "open"
    return found


@pytest.mark.parametrize("first", range(0, 24, 12))
def test_a_run_and_a_start_at_one_of_its_states_have_the_same_modes_and_accelerations(first):
    different = {}
    for seed in range(first, first + 12):
        case = Case(seed)
        if case.scene.control:  # its commands are those of the last sample
            continue
        for k in (1, 5, 9):
            anew, a = started_anew(case, k), case.run.a[k]
            wrong = np.abs(anew.a[0] - a).max() / max(1.0, np.abs(a).max())
            if modes(anew, 0) != modes(case.run, k) or wrong > 1e-7:
                different[seed, k] = (wrong, modes(anew, 0), modes(case.run, k))
    assert different == {}
