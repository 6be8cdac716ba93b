"""Reactions that statics leaves open, shared by the compliance of joints."""

import numpy as np
import pytest

import torseur as ts

PLACES = {"A": -1.0, "B": 0.0, "C": 1.0}


def shaft(compliances, tilt=1e3):
    """A shaft of 2 kg, 0.5 m off its middle, in three bearings that tilt freely."""
    return {
        "gravity": [0, 0, -10],
        "bodies": {"shaft": {"mass": 2, "centre": [0.5, 0, 0], "inertia": [0.01, 1, 1]}},
        "joints": {
            name: {
                "type": "pivot",
                "bodies": ["ground", "shaft"],
                "axis": "x",
                "point": [x, 0, 0],
                "compliance": {"translation": c, "rotation": tilt},
            }
            for (name, x), c in zip(PLACES.items(), compliances, strict=True)
        },
    }


def on_springs(compliances):
    """A rigid beam on three springs: two equations for its place, then its forces."""
    k, x = 1 / np.array(compliances), np.array(list(PLACES.values()))
    G = [[k.sum(), (k * x).sum()], [(k * x).sum(), (k * x * x).sum()]]
    u = np.linalg.solve(G, [20, 10])
    return k * (u[0] + u[1] * x)


@pytest.mark.parametrize("compliances", [[1e-8, 1e-8, 1e-8], [1e-8, 3e-8, 2e-8]])
def test_a_shaft_in_three_bearings_loads_them_as_springs(compliances):
    model = ts.load(shaft(compliances))
    run, exact = ts.simulate(model, 0.1, rate=10), on_springs(compliances)
    for k, name in enumerate(PLACES):
        np.testing.assert_allclose(run.reaction(name)[:, 2], exact[k], rtol=1e-6)
    assert not any("Over-constrained" in x for x in run.notices)
    (rest,) = ts.equilibria(model)
    for k, name in enumerate(PLACES):
        np.testing.assert_allclose(rest.reactions[name][2], exact[k], rtol=1e-6)


def test_bearings_that_do_not_tilt_load_alike():
    """Without rotation the shaft only sinks: forces are as the stiffnesses."""
    run = ts.simulate(ts.load(shaft([1e-8, 2e-8, 1e-8], tilt=0)), 0.1, rate=10)
    loads = [run.reaction(name)[0, 2] for name in PLACES]
    np.testing.assert_allclose(loads, [8, 4, 8], rtol=1e-9)


def test_the_sum_of_forces_and_of_moments_does_not_depend_on_the_share():
    run = ts.simulate(ts.load(shaft([1e-8, 5e-8, 3e-8])), 0.1, rate=10)
    forces = np.array([run.reaction(name)[0] for name in PLACES])
    np.testing.assert_allclose(forces[:, :3].sum(axis=0), [0, 0, 20], atol=1e-9)
    about = forces[:, 4].sum() - (np.array(list(PLACES.values())) * forces[:, 2]).sum()
    assert about == pytest.approx(-10, abs=1e-6)


def test_rows_of_a_batch_share_loads():
    form = shaft(["c", "c", "c"])
    form["parameters"] = {"c": 1e-8, "m": 2}
    form["bodies"]["shaft"]["mass"] = "m"
    rows = ts.simulate(ts.load(form), 0.1, rate=10, parameters={"m": np.array([2.0, 4.0])})
    exact = on_springs([1e-8] * 3)
    np.testing.assert_allclose(rows.reaction("C")[:, 0, 2], [exact[2], 2 * exact[2]], rtol=1e-6)


def test_a_four_bar_in_space_has_one_answer():
    """Pivots of a plane linkage, h = 3: loads across the plane are shared, motion stays."""
    import yaml

    form = yaml.safe_load(ts.load("four_bar").yaml())
    form["gravity"] = [0, -9.81, -3]
    plain = ts.simulate(ts.load(form), 0.2, rate=50)
    for joint in form["joints"].values():
        joint["compliance"] = {"translation": 1e-8, "rotation": 1e-6}
    shared = ts.simulate(ts.load(form), 0.2, rate=50)
    assert ts.mobility(ts.load(form)).overconstraint == 3
    np.testing.assert_allclose(shared["alpha"], plain["alpha"], rtol=1e-9)

    def energy(run):
        rows = [run.reaction(name) for name in "ABCD"]
        return sum(
            1e-8 * (x[:, :3] ** 2).sum(axis=1) + 1e-6 * (x[:, 3:] ** 2).sum(axis=1) for x in rows
        )

    assert (energy(shared) <= energy(plain) * (1 + 1e-9)).all()
    assert (energy(shared) < 0.999 * energy(plain)).any()


def test_friction_and_absolute_coordinates_are_refused_by_name():
    form = shaft([1e-8] * 3)
    with pytest.raises(ts.ModelError, match="has a compliance"):
        ts.simulate(ts.load(form), 0.1, coordinates="absolute")
    form["joints"]["A"]["friction"] = {"coefficient": 0.1, "radius": 0.01}
    with pytest.raises(ts.ModelError, match="has a compliance"):
        ts.simulate(ts.load(form), 0.1)
