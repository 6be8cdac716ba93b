"""Error of a place and its rows of J; small systems with rows that may depend on each other."""

from torseur.machine.runtime.access import call_entry, place
from torseur.machine.runtime.long_vectors import angle, square_root
from torseur.machine.runtime.vectors import address, apart

_HALF_TURN = 1e-6  # sine of an angle near π: the axis is that of R + Rᵀ


@apart
def evaluate_at(entry, table, output_word, q, output):
    """output ← a function of q."""
    table[1], table[output_word] = place(q), place(output)
    call_entry(entry, place(table))


@apart
def look(run, q, goal, e, J):
    """e and J ← errors of loops and of the place at q, and their rows, without dimension."""
    if run.loops > 0:
        _look_at_loops(run, q, e, J)
    X, n, loops = run.placed, run.n, run.loops
    evaluate_at(run.placing, run.placing_table, run.placing_output, q, X)
    placed_rows = run.rows - loops
    if placed_rows > 3:
        _turn(goal, X, address(e, loops))
    for i in range(3):
        e[run.rows - 3 + i] = (goal[4 * i + 3] - X[4 * i + 3]) / run.length
    for i in range(placed_rows):
        row, into = address(X, 12 + (6 - placed_rows + i) * n), address(J, (loops + i) * n)
        scale = 1.0 if i < placed_rows - 3 else 1.0 / run.length
        for k in range(n):
            into[k] = row[k] * run.displacement[k] * scale


@apart
def _look_at_loops(run, q, e, J):
    """The first of e and J ← openings of loops and their rows."""
    n = run.n
    evaluate_at(run.opening, run.opening_table, run.opening_output, q, run.gap)
    evaluate_at(run.holding, run.holding_table, run.holding_output, q, run.J_loops)
    for i in range(run.loops):
        e[i] = -run.gap[i] / run.gap_size[i]
        row, into = address(run.J_loops, run.held[i] * n), address(J, i * n)
        for k in range(n):
            into[k] = row[k] * run.displacement[k] / run.gap_size[i]


@apart
def _turn(goal, X, e):
    """e ← the rotation vector from the attitude of X to that of the goal."""
    # R = goal Xᵀ, its trace and 2 sin θ times its axis
    cosine = x = y = z = 0.0
    for k in range(3):
        a, b, c = goal[k], goal[4 + k], goal[8 + k]
        u, v, w = X[k], X[4 + k], X[8 + k]
        cosine += a * u + b * v + c * w
        x += c * v - b * w
        y += a * w - c * u
        z += b * u - a * v
    sine = square_root(x * x + y * y + z * z)
    theta = angle(sine, cosine - 1.0)
    if sine > _HALF_TURN or cosine > 1.0:
        factor = theta / sine if sine > 0.0 else 1.0
        e[0], e[1], e[2] = factor * x, factor * y, factor * z
        return
    _half_turn(goal, X, theta, e)


@apart
def _half_turn(goal, X, theta, e):
    """e ← the rotation vector near half a turn: along the longest column of R + I."""
    longest = -1.0
    for j in range(3):
        a = b = c = 0.0
        for k in range(3):
            a += goal[k] * X[4 * j + k]
            b += goal[4 + k] * X[4 * j + k]
            c += goal[8 + k] * X[4 * j + k]
        a += 1.0 if j == 0 else 0.0
        b += 1.0 if j == 1 else 0.0
        c += 1.0 if j == 2 else 0.0
        size = square_root(a * a + b * b + c * c)
        if size > longest:
            longest = size
            e[0], e[1], e[2] = theta * a / size, theta * b / size, theta * c / size


@apart
def largest(count, e):
    """The largest size of some numbers; infinite where one is none."""
    most = 0.0
    for i in range(count):
        if not abs(e[i]) <= 1e300:
            return 1e300
        most = max(most, abs(e[i]))
    return most


@apart
def weighted_product(run, J, weight, damping):
    """G ← J diag(weight) Jᵀ + damping × its largest diagonal entry, 1 at least."""
    n, m, G, top = run.n, run.rows, run.G, 1.0
    for i in range(m):
        for j in range(i + 1):
            total = 0.0
            for k in range(n):
                total += J[i * n + k] * weight[k] * J[j * n + k]
            G[m * i + j] = G[m * j + i] = total
        top = max(top, G[(m + 1) * i])
    for i in range(m):
        G[(m + 1) * i] += damping * top


@apart
def solve(run, least):
    """right ← x with G x = right; rows whose pivot is less than a part of the first are left out.

    Cholesky's factors with the largest pivot first; G is overwritten.
    """
    m, G, b, order = run.rows, run.G, run.right, run.order
    rank = _factorise(m, G, b, order, least)
    for i in range(rank):
        for j in range(i):
            b[i] -= G[m * i + j] * b[j]
        b[i] /= G[(m + 1) * i]
    for i in range(rank - 1, -1, -1):
        for j in range(i + 1, rank):
            b[i] -= G[m * j + i] * b[j]
        b[i] /= G[(m + 1) * i]
    for i in range(rank, m):
        b[i] = 0.0
    for i in range(m - 1, -1, -1):
        j = order[i]
        b[i], b[j] = b[j], b[i]


@apart
def _factorise(m, G, b, order, least):
    """The rank of G; its lower half ← L, rows exchanged with those of b as `order` says."""
    first = 0.0
    for k in range(m):
        order[k] = k
    for k in range(m):
        pivot = k
        for i in range(k + 1, m):
            if G[(m + 1) * i] > G[(m + 1) * pivot]:
                pivot = i
        if k == 0:
            first = G[(m + 1) * pivot]
        if not G[(m + 1) * pivot] > least * first:
            return k
        order[k] = pivot
        if pivot != k:
            _exchange(m, G, k, pivot)
            b[k], b[pivot] = b[pivot], b[k]
        G[(m + 1) * k] = square_root(G[(m + 1) * k])
        for i in range(k + 1, m):
            G[m * i + k] /= G[(m + 1) * k]
        for i in range(k + 1, m):
            for j in range(k + 1, i + 1):
                G[m * i + j] -= G[m * i + k] * G[m * j + k]
                G[m * j + i] = G[m * i + j]
    return m


@apart
def _exchange(m, G, k, pivot):
    """Exchange rows and columns k and pivot; entries before k are those of L, in the lower half."""
    for j in range(k):
        G[m * k + j], G[m * pivot + j] = G[m * pivot + j], G[m * k + j]
    for j in range(k, m):
        G[m * k + j], G[m * pivot + j] = G[m * pivot + j], G[m * k + j]
    for i in range(k, m):
        G[m * i + k], G[m * i + pivot] = G[m * i + pivot], G[m * i + k]
