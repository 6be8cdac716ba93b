"""Events that machine code settles, judged by an oracle that shares no code with it.

Shocks, acts on states, events of runs. Starting anew at a state of a run: the modes that the run
had.
"""

import numpy as np
import pytest
from oracle_scenes import struck
from seam_relations import Case
from settled_oracle import Judge, judged

import torseur as ts
from torseur.machine.contact.model import ContactModel
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.joint_start import joint_start
from torseur.simulation.formulations.request import Beginning


def begun(described):
    model = ts.compile(ts.load(described))
    return ContactFormulation(joint_start(model, Beginning({}, 0.0)))


@pytest.mark.parametrize("first", range(0, 80, 40))
def test_shocks_obey_their_laws_and_are_those_of_the_modes_that_agree(first):
    judge = Judge()
    for seed in range(first, first + 40):
        formulation = begun(struck(seed).described)
        judge.settle(formulation.contacts, 0.0, formulation.start.copy())
    assert judge.wrong == []
    assert (judge.served, judge.left) == (40, 0)
    assert judge.enumerated >= 25


@pytest.mark.parametrize("wrong", ["impulses", "forces"])
def test_an_impulse_or_a_force_that_is_a_little_off_is_judged_to_be_wrong(wrong):
    seeds = range(20)
    judge = Judge(_settle=BENT[wrong])
    for seed in seeds:
        formulation = begun(struck(seed).described)
        judge.settle(formulation.contacts, 0.0, formulation.start.copy())
    assert len({line[0] for line in judge.wrong}) == 1  # scenes have one name
    assert len(judge.wrong) > len(seeds) / 2


def bent_impulses(contacts, y, t, event):
    """Speeds that jump by a thousandth too little."""
    speeds, before = contacts.in_state["speeds"], y.copy()
    verdict = SETTLE(contacts, y, t, event)
    y[speeds] += 1e-3 * (before - y)[speeds]
    return verdict


def bent_forces(contacts, y, t, event):
    """Normal forces that are a little too large, or where there is none."""
    verdict = SETTLE(contacts, y, t, event)
    contacts["z"][contacts.normal_rows] += 1e-3
    return verdict


SETTLE = ContactModel.settle
BENT = {"impulses": bent_impulses, "forces": bent_forces}


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
def test_modes_after_an_act_obey_the_laws(first):
    judge = Judge()
    for seed in QUIET[first : first + 14]:
        case = Case(seed)
        contacts = case.run.samples.contacts
        for t, y in acted_on(case):
            contacts.at_state(y, t)  # has the modes of the state from here on
            judge.settle(contacts, t, y)
    assert judge.wrong == []
    assert judge.left == 0
    assert judge.served > 20


@pytest.mark.parametrize("first", range(0, 48, 16))
def test_events_of_runs_obey_the_laws_and_are_those_of_the_modes_that_agree(first, monkeypatch):
    judge = judged(monkeypatch)
    for seed in range(first, first + 16):
        assert Case(seed).run.t is not None
    assert judge.wrong == []
    assert judge.left == 0
    assert judge.enumerated > 0.1 * judge.served


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
