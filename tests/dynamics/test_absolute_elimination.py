"""The sparse bordered system: its order, its fill, its work, and what it does with redundancy."""

from dataclasses import replace

import numpy as np
import pytest
from long_mechanisms import chain, windows

import torseur as ts
from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.machine.absolute.row_graph import RowNode, elimination
from torseur.simulation.formulations.absolute import assembled
from torseur.simulation.run.placed_bodies import placed


def hanging(bodies):
    """The row nodes of a chain: the first joint is on the ground."""
    return [RowNode((k - 1, k) if k else (0,)) for k in range(bodies)]


def ladder(steps):
    """The row nodes of vertical links on the ground, joined by horizontal ones."""
    rows = [RowNode((k,)) for k in range(steps + 1)]
    for k in range(steps):
        rows += [RowNode((k, steps + 1 + k)), RowNode((k + 1, steps + 1 + k))]
    return rows


def test_on_a_tree_the_tips_go_first_and_nothing_is_filled_in():
    rng = np.random.default_rng(0)
    parents = [int(rng.integers(-1, k)) for k in range(200)]
    rows = [RowNode((k,) if p < 0 else (p, k)) for k, p in enumerate(parents)]
    found = elimination(200, rows)
    position = found.position()
    for k, p in enumerate(parents):
        assert position[k] < position[200 + k]  # a body before the joint that carries it
        if p >= 0:
            assert position[200 + k] < position[p]  # which goes before the carrier
    assert found.fill == 0


def test_a_row_node_never_goes_before_its_bodies_unless_one_hangs_on_it_alone():
    rows = ladder(6)
    found = elimination(13, rows)
    position, gone = found.position(), set()
    for k in found.order.tolist():
        if k >= 13:
            left = [b for b in rows[k - 13].bodies if b not in gone]
            assert not left  # every body of a ladder is in a loop
        gone.add(k)
    assert sorted(position.tolist()) == list(range(13 + len(rows)))


@pytest.mark.parametrize(("made", "bodies"), [(hanging, 1), (ladder, 2)])
def test_blocks_and_block_products_grow_with_the_number_of_bodies(made, bodies):
    sizes = (100, 200, 300)
    found = [elimination(bodies * n + bodies - 1, made(n)) for n in sizes]
    for count in (lambda x: x.blocks, lambda x: len(x.target)):
        first, second, third = (count(x) for x in found)
        assert third - second == second - first
    assert len(found[-1].target) < 8 * bodies * sizes[-1]


def at_start(mechanism):
    """The report at the start, and the symbolic equations there."""
    model = AbsoluteModel(mechanism, mechanism.parameters)
    y, _ = assembled(model, {}, 0.0)
    bodies = y[: 13 * len(mechanism.bodies)].reshape(-1, 13)
    equations = ts.derive(mechanism, formalism="absolute")
    found = equations.evaluate(q=bodies[:, :7].ravel(), v=bodies[:, 7:].ravel())
    return model, model.report(y, 0.0), found


@pytest.mark.parametrize("made", [lambda: ts.load("slider_crank"), lambda: windows(3)])
def test_of_the_p_rows_of_j_h_repeat_others_and_6_n_less_the_rank_is_the_mobility(made):
    mechanism = made()
    _, _, at = at_start(mechanism)
    counted, found = ts.linkages.balance(mechanism), ts.mobility(mechanism)
    rank = np.linalg.matrix_rank(at.J, tol=1e-9)
    assert at.J.shape == (counted.conditions, 6 * len(counted.bodies))
    assert 6 * len(counted.bodies) - rank == found.degree
    assert counted.conditions - rank == found.overconstraint > 0


@pytest.mark.parametrize("made", [lambda: chain(8, spatial=True), lambda: windows(3)])
def test_accelerations_keep_every_row_and_multipliers_balance_every_body(made):
    model, report, at = at_start(made())
    a = report.accelerations.ravel()
    lam = [report.multipliers[k, : len(one.owners)] for k, one in enumerate(model.graph.sets)]
    np.testing.assert_allclose(at.J @ a + at.gamma, 0, atol=1e-11)
    left = at.M @ a + at.h + at.g - at.Q
    np.testing.assert_allclose(left, at.J.T @ np.concatenate(lam), atol=1e-10)


def test_a_window_of_spatial_pivots_is_overconstrained_three_times():
    for n in (1, 3):
        model, _, at = at_start(windows(n))
        assert model.left_out == 3 * n
        assert np.linalg.matrix_rank(at.J, tol=1e-9) == len(at.J) - 3 * n


def test_the_arrays_of_a_chain_grow_with_its_length():
    def numbers(n):
        mechanism = chain(n)
        model = AbsoluteModel(mechanism, mechanism.parameters)
        assert model.graph.elimination.fill == 0
        return sum(array.size for array in model._arrays.values())

    first, second, third = (numbers(n) for n in (50, 100, 150))
    assert third - second == second - first


def test_bodies_may_be_numbered_in_any_order():
    mechanism = chain(8, spatial=True)
    rng = np.random.default_rng(4)
    q, v = rng.normal(size=(2, 8))
    mixed = list(mechanism.bodies.values())
    rng.shuffle(mixed)
    other = replace(mechanism, bodies={body.name: body for body in mixed})
    found = {}
    for made in (mechanism, other):
        model = AbsoluteModel(made, {})
        report = model.report(placed(model, q, v), 0.0)
        names = model.graph.bodies
        found[made is other] = dict(zip(names, report.accelerations, strict=True))
    for name, a in found[False].items():
        np.testing.assert_allclose(found[True][name], a, atol=1e-11)
