"""The bordered system M a + Jᵀ μ = F, J a = right: assembled in blocks, factorised, solved.

μ = −λ, so that λ is what the first body of a joint exerts on the second (erratum E0-24). Where the
mass of a body alone is singular, σ Jᵀ (J a − right) = 0 is added to the first equation, which
changes nothing.
"""

from math import inf

from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.kernels.blocks import (
    AREA,
    SIZE,
    clear,
    divide,
    lower,
    pull,
    push,
    split,
    subtract,
    upper,
)
from torseur.machine.absolute.kernels.elements import entries
from torseur.machine.absolute.kernels.rotors import add_rotor_inertia
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, inlined, symmetric

NEAR = 1e-12  # gap² of a state whose factors serve again


@apart
def assemble(model):
    """Write the masses into the matrix, beside the rows."""
    A = model.matrix
    for b in range(model.bodies):
        mass_data = address(model.body, at.BODY_WIDTH * (b + 1))
        _write_mass(address(A, AREA * model.diagonal[b]), mass_data)
    for n in range(model.pairs):
        _write_weight(model, A, address(model.pair, at.WEIGHT_WIDTH * n))
    if model.rotors > 0:
        add_rotor_inertia(model, A)


@apart
def ask(model):
    """The unknowns of rows ← their right-hand sides."""
    copy(SIZE * model.rows, model.right, address(model.unknown, SIZE * model.bodies))


@inlined
def _write_mass(block, mass_data):
    """m 1 and I, on the diagonal of a body."""
    xx, xy, xz, yy, yz, zz = symmetric(mass_data, at.INERTIA)
    for k in range(3):
        block[SIZE * k + k] = mass_data[at.MASS]
    x, y, z = 3 * SIZE + 3, 4 * SIZE + 3, 5 * SIZE + 3
    block[x], block[x + 1], block[x + 2] = xx, xy, xz
    block[y], block[y + 1], block[y + 2] = xy, yy, yz
    block[z], block[z + 1], block[z + 2] = xz, yz, zz


@apart
def _write_weight(model, A, pair):
    """σ Jᵀ J of two bodies into their block; of one body, σ Jᵀ right to what acts on it too."""
    slots = model.slot
    a, b = pair[at.LATER], pair[at.EARLIER]
    J_a, row_a, column_a = entries(model, a)
    J_b, row_b, column_b = entries(model, b)
    node = slots[at.SLOT_WIDTH * a + at.SLOT_NODE]
    sigma = address(model.weight, SIZE * node)
    block = address(A, AREA * pair[at.BOTH])
    for k in range(SIZE):
        for c in range(SIZE):
            weight = sigma[k] * J_b[row_b * k + column_b * c]
            for r in range(SIZE):
                block[SIZE * c + r] += weight * J_a[row_a * k + column_a * r]
    if a == b:
        right = address(model.right, SIZE * node)
        body = slots[at.SLOT_WIDTH * a + at.SLOT_BODY] - 1
        force = address(model.unknown, SIZE * body)
        for k in range(SIZE):
            for c in range(SIZE):
                force[c] += sigma[k] * right[k] * J_a[row_a * k + column_a * c]


@apart
def factorise(model):
    """matrix ← its factors; unknown ← L⁻¹ unknown, on the way.

    Dependent rows are left out: the pivot of a row is the sum of what bodies give less what rows
    before take away. If almost nothing is left of the sum, the row depends on others, and its
    multiplier is zero. Where rows have been chosen, these count and no others. A row
    whose pivot passes through zero in a singular position loses its weight there without a jump.
    """
    A, inverses, scale = model.matrix, model.inverses, model.scale
    order, first, touched = model.order, model.first, model.touched
    block, target, m = model.block, model.target, 0
    x, scaled = model.unknown, model.output
    _prepare_scale(model, scale)
    looks = is_looked_at(model)
    for k in range(model.bodies + model.rows):
        node = order[k]
        D, inverse = address(A, AREA * model.diagonal[node]), address(inverses, SIZE * node)
        had, row = address(scale, SIZE * node), node - model.bodies
        softness = set_least(model, row, had)
        split(D, inverse, model.pivot, model.least, softness)
        if looks and row >= 0:
            look(model, row, had)
        _reduce(D, inverse, address(x, SIZE * node), scaled)
        for a in range(first[k], first[k + 1]):
            X = address(A, AREA * block[a])
            divide(D, X)
            push(address(x, SIZE * touched[a]), X, scaled)
            for b in range(first[k], a + 1):
                subtract(address(A, AREA * target[m]), X, inverse, address(A, AREA * block[b]))
                m += 1
            if node < model.bodies:
                _gather_scale(address(scale, SIZE * touched[a]), X, inverse)


@inlined
def _reduce(D, inverses, y, scaled):
    """y ← L⁻¹ y, and D⁻¹ y of a pivot."""
    lower(D, y)
    for i in range(SIZE):
        scaled[i] = inverses[i] * y[i]


@inlined
def _prepare_scale(model, scale):
    """scale ← a part of the diagonal of the mass matrix of each body; zero for rows."""
    for b in range(model.bodies):
        D = address(model.matrix, AREA * model.diagonal[b])
        for i in range(SIZE):
            scale[SIZE * b + i] = 1e-4 * abs(D[SIZE * i + i])
    clear(address(scale, SIZE * model.bodies), SIZE * model.rows)


@inlined
def _gather_scale(scale, X, inverses):
    """The diagonal of X D⁻¹ Xᵀ."""
    for k in range(SIZE):
        for r in range(SIZE):
            scale[r] += X[SIZE * k + r] * X[SIZE * k + r] * inverses[k]


# --- factors that serve again -------------------------------------------------------------------


@apart
def remember(model, t, task, gap):
    """Remember the time of the state of the factors, and its gap if it was being closed."""
    model.kept[0] = gap if task == at.CLOSE else inf
    model.kept[1] = t[0]


@inlined
def serves_again(model, t, task):
    """Whether the factors do for a state that was closed by them: it moved by about its gap.

    A step onto the constraints then leaves the product of two gaps. Where masses depend on rows,
    the rows are needed again, and nothing is saved.
    """
    closes = task == at.CLOSE or task == at.CALM
    return closes and model.pairs == 0 and model.kept[0] < NEAR and model.kept[1] == t[0]


@apart
def reduce(model):
    """unknown ← L⁻¹ unknown, by factors that are there."""
    A, inverses, x = model.matrix, model.inverses, model.unknown
    order, first, touched = model.order, model.first, model.touched
    block, diagonal, scaled = model.block, model.diagonal, model.output
    for k in range(model.bodies + model.rows):
        node = order[k]
        D, inverse = address(A, AREA * diagonal[node]), address(inverses, SIZE * node)
        _reduce(D, inverse, address(x, SIZE * node), scaled)
        for a in range(first[k], first[k + 1]):
            push(address(x, SIZE * touched[a]), address(A, AREA * block[a]), scaled)


@apart
def resolve(model):
    """unknown ← accelerations of bodies (or changes of their positions or speeds), then μ."""
    A, inverses, x = model.matrix, model.inverses, model.unknown
    order, first, touched = model.order, model.first, model.touched
    block, diagonal = model.block, model.diagonal
    for k in range(model.bodies + model.rows - 1, -1, -1):
        node = order[k]
        inverse, D = address(inverses, SIZE * node), address(A, AREA * diagonal[node])
        y = address(x, SIZE * node)
        for a in range(first[k], first[k + 1]):
            pull(y, address(A, AREA * block[a]), address(x, SIZE * touched[a]))
        for i in range(SIZE):
            y[i] *= inverse[i]
        upper(D, y)


# --- rows that were chosen to count: their pivots, and whether they still are ---------------------
# A choice holds as long as every row that counts keeps a pivot of the size that it was chosen for,
# at which the first rate of each step looks, and as long as the other rows hold with them, of which
# their speeds tell at the end of each step.


LIGHT = 1e-10  # of what a body had: a pivot that is rounding
FASTER = 100.0  # times the speed of rows that count: that of one which they do not hold
SOFT = 100.0  # times the least pivot of a row: one that has lost half its weight


@inlined
def set_least(model, row, had):
    """model.least ← parts of what a body or a row had; their softness."""
    choice, least = model.choice, model.least
    chosen = address(model.chosen, SIZE * row)
    part, softness, follows = LIGHT, 0.0, False
    if row >= 0:
        part, softness = at.RANK, SOFT
        if model.task == at.CHOOSE:
            part, softness = choice[at.TRIED], 0.0
        elif model.task != at.CLOSE:  # rows on speeds ask for nothing: not they, if others can
            follows = choice[at.FOLLOWS] == 1.0
    for i in range(SIZE):
        least[i] = inf if follows and chosen[i] != 1.0 else part * had[i]
    return softness


@inlined
def is_looked_at(model):
    """Whether the pivots of this factorisation tell how good the choice still is."""
    looks = model.task == at.RATE and model.choice[at.LOOKS] == 1.0
    if looks:
        model.choice[at.LOOKS] = 0.0
    return looks


@inlined
def look(model, row, had):
    """The choice is stale if a row that counts has too small a pivot."""
    choice, pivot = model.choice, model.pivot
    chosen = address(model.chosen, SIZE * row)
    for i in range(SIZE):
        if chosen[i] == 1.0 and abs(pivot[i]) < choice[at.LEVEL] * had[i]:
            choice[at.STALE] = 1.0


@inlined
def listen(model):
    """The choice is stale if other rows open much faster than those that count."""
    choice, chosen = model.choice, model.chosen
    right, fineness = model.right, model.fineness
    counting, others = 0.0, 0.0
    for k in range(SIZE * model.rows):
        speed = abs(fineness[k] * right[k])
        if chosen[k] == 1.0:
            counting = max(counting, speed)
        else:
            others = max(others, speed)
    if choice[at.FOLLOWS] == 1.0 and others > FASTER * counting:
        choice[at.STALE] = 1.0
