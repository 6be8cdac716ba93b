"""The sparse bordered system: its order, its fill, its work, and what it does with redundancy."""

import numpy as np
import pytest
from long_mechanisms import chain, windows

from torseur.backends.absolute import places as at
from torseur.backends.absolute.model import AbsoluteModel
from torseur.dynamics.absolute.elimination import RowNode, elimination
from torseur.simulation.placing import assembled, placed


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


def dense(model, y, t=0.0):
    """The report at a state, and M, J and what the rows ask for as matrices."""
    report, arrays = model.report(y, t), model._arrays
    n, sets = len(model.graph.bodies), len(model.graph.sets)
    M, J = np.zeros((6 * n, 6 * n)), np.zeros((6 * sets, 6 * n))
    for b, own in enumerate(arrays["body"][1:]):
        xx, xy, xz, yy, yz, zz = own[at.INERTIA : at.INERTIA + 6]
        k = 6 * b
        M[k : k + 3, k : k + 3] = own[at.MASS] * np.eye(3)
        M[k + 3 : k + 6, k + 3 : k + 6] = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    for (s, b), slot in model.graph.slots.items():
        J[6 * s : 6 * s + 6, 6 * b - 6 : 6 * b] = arrays["jacobian"][slot].reshape(6, 6)
    return report, M, J, arrays["right"].ravel().copy()


@pytest.mark.parametrize("made", [lambda: chain(12, spatial=True), lambda: windows(4)])
def test_accelerations_keep_every_row_and_multipliers_balance_every_body(made):
    mechanism = made()
    model = AbsoluteModel(mechanism, mechanism.parameters)
    y, _ = assembled(model, {})
    report, M, J, right = dense(model, y)
    a, lam = report.accelerations.ravel(), report.multipliers.ravel()
    np.testing.assert_allclose(J @ a, right, atol=1e-11)
    weight = np.zeros_like(a)
    weight.reshape(-1, 6)[:, :3] = np.diag(M).reshape(-1, 6)[:, :1] * mechanism.gravity
    spun = np.zeros_like(a)
    for b, (own, w) in enumerate(
        zip(
            M.reshape(-1, 6, M.shape[1]), y[: 13 * len(M) // 6].reshape(-1, 13)[:, 10:], strict=True
        )
    ):
        I = own[3:, 6 * b + 3 : 6 * b + 6]
        spun[6 * b + 3 : 6 * b + 6] = np.cross(w, I @ w)
    np.testing.assert_allclose(M @ a + spun, weight + J.T @ lam, atol=1e-10)


def test_a_window_of_spatial_pivots_is_overconstrained_three_times():
    for n in (1, 3):
        mechanism = windows(n)
        model = AbsoluteModel(mechanism, mechanism.parameters)
        y, _ = assembled(model, {})
        model.report(y, 0.0)
        assert model.left_out == 3 * n
        *_, J, _ = dense(model, y)
        rows = sum(len(one.owners) for one in model.graph.sets)
        assert np.linalg.matrix_rank(J, tol=1e-9) == rows - 3 * n


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
    from dataclasses import replace

    other = replace(mechanism, bodies={body.name: body for body in mixed})
    found = {}
    for made in (mechanism, other):
        model = AbsoluteModel(made, {})
        report = model.report(placed(model, q, v), 0.0)
        names = model.graph.bodies
        found[made is other] = dict(zip(names, report.accelerations, strict=True))
    for name, a in found[False].items():
        np.testing.assert_allclose(found[True][name], a, atol=1e-11)
