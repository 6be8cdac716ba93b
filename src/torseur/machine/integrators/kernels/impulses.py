"""Holonomic constraints in the steps of Gauss and Legendre: impulses at the nodes of Lobatto.

Stage i stands at Y_i = y + Σ μ_ij L_j + Σ_k ν_ik I_k, node k at Q_k = q + Σ μ_kj L_j, where
ν_ik = 1 − μ_ki and the impulse I_k = G(Q_k)ᵀ ι_k changes momenta only. The ι of all nodes but the
last are those that put every node but the first on g = 0, so that positions are closed at the end
of the step; the last ι makes its speeds keep the constraints. With μ_ij + μ_ji = 1 and
ν_ik + μ_ki = 1 the step is symplectic, and symmetric as the nodes are; its order is that of the
stages alone. With one stage it is the midpoint rule between two impulses.

References: Jay (2007), Beyond conventional Runge-Kutta methods in numerical integration of ODEs and
DAEs by use of structures and local models, Journal of Computational and Applied Mathematics 204:
the (s, s)-Gauss-Lobatto SPARK methods; Jay (1996), Symplectic partitioned Runge-Kutta methods for
constrained Hamiltonian systems, SIAM Journal on Numerical Analysis 33.
"""

from math import nan

from torseur.machine.integrators.kernels.elimination import factorise, solve
from torseur.machine.integrators.kernels.motion_access import record
from torseur.machine.integrators.kernels.symplectic_stages import (
    ANSWERS,
    CALM,
    CARRY,
    GUESS,
    KICKS,
    first,
    node,
    row,
)
from torseur.machine.integrators.run_record import NODES
from torseur.machine.runtime.access import HELPER, evaluate
from torseur.machine.runtime.long_vectors import copy, dot, linear, table
from torseur.machine.runtime.vectors import address, apart

SIGNATURE = HELPER
ENTRIES = ("impel",)

_answer = table("answers", ANSWERS)


def impel(place, number, task):
    """The impulses of a step are guessed, corrected by one iteration, or completed at its end."""
    run = record(place)
    if task == GUESS:
        _guess(run)
    elif task == CALM:
        _calm(run, number)
    else:
        _correct(run, number)
    return 1


@apart
def _guess(run):
    """The ι that go on as in the last two steps, and the impulses where the stages put the nodes.

    The start of the step is the end of the one before, whose G and compliance are at hand.
    """
    m, s = run.restraints, run.order // 2
    if run.accepted[0] == 0.0:
        _restrain(run, run.y, 0)
        _prepare(run, run.y)
    else:
        copy(m * (1 + run.pairs), _restraint(run, s), _restraint(run, 0))
    iota, former = run.impulses, address(run.impulses, NODES * m)
    for k in range(s * m):
        now = iota[k]
        if run.accepted[0] > 1.0:
            iota[k] += now - former[k]
        former[k] = now
    for k in range(s):
        if k > 0:
            _place_node(run, k)
        _kick(run, k)


@apart
def _correct(run, h):
    """The nodes follow the stages, and the ι answer their gaps by one step of Newton.

    Its matrix is that of the start of the step at every node: blocks of one matrix, factorised.
    """
    m, s, iota = run.restraints, run.order // 2, run.impulses
    for k in range(1, s + 1):
        _place_node(run, k)
        solve(m, run.real_factors, run.exchanges, _restraint(run, k))
    for k in range(s):
        answer = _answer(first(s) + k)
        for i in range(s):
            gap = _restraint(run, i + 1)
            linear(m, 1.0, address(iota, k * m), -answer[i] / h, gap, address(iota, k * m))
        _kick(run, k)


@apart
def _calm(run, t):
    """The impulse at the end of the step, after which no speed opens a loop."""
    m, half, s = run.restraints, run.pairs, run.order // 2
    y, f, iota = run.arrival, run.room, address(run.impulses, s * m)
    _restrain(run, y, s)
    _prepare(run, y)
    evaluate(run.free, run.free_table, t, y, f)
    G = address(_restraint(run, s), m)
    for r in range(m):
        iota[r] = -dot(half, address(G, r * half), f)
    solve(m, run.real_factors, run.exchanges, iota)
    _kick(run, s)


@apart
def _prepare(run, y):
    """The compliance at a state is factorised; a singular one leaves what is not a number."""
    evaluate(run.compliance, run.compliance_table, run.t[0], y, run.real_factors)
    A, exchanges = run.real_factors, run.exchanges
    if not factorise(run.restraints, A, exchanges, run.room):
        A[0] = nan


@apart
def _place_node(run, k):
    """g and G of node k, where the stages put it."""
    n, s, inside = run.n, run.order // 2, run.inside
    mu = node(s, k)
    copy(n, row(run, CARRY), inside)
    for j in range(s):
        linear(n, 1.0, inside, mu[j], row(run, j), inside)
    linear(n, 1.0, run.y, 1.0, inside, inside)
    _restrain(run, inside, k)


@apart
def _restrain(run, y, k):
    """g and G at a state go to node k."""
    evaluate(run.restraint, run.restraint_table, run.t[0], y, _restraint(run, k))


@apart
def _kick(run, k):
    """I_k ← Gᵀ ι."""
    m, half = run.restraints, run.pairs
    G, kick = address(_restraint(run, k), m), address(row(run, KICKS + k), half)
    iota = address(run.impulses, k * m)
    for c in range(half):
        kick[c] = 0.0
    for r in range(m):
        linear(half, 1.0, kick, iota[r], address(G, r * half), kick)


@apart
def _restraint(run, k):
    """g and G of node k."""
    return address(run.restrained, k * (run.restraints * (1 + run.pairs)))
