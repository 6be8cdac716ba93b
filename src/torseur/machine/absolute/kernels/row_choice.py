"""The choice of the rows that count, of those that repeat each other where loops are closed."""

from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.kernels.blocks import SIZE, clear
from torseur.machine.absolute.kernels.bordered import ask, assemble, factorise, remember, resolve
from torseur.machine.absolute.kernels.elements import clear_rows, entries, write_rows
from torseur.machine.runtime.long_vectors import sine_and_cosine, square_root
from torseur.machine.runtime.vectors import address, apart, inlined, keep, symmetric

LARGE, LESS = 1e-3, 1e-2  # the pivot that is asked for first; what it is multiplied by then
SELDOM = 16  # steps after which rows with small pivots are chosen anew
PATIENCE = 8  # steps from places where more rows repeat others that are made with the same rows


@inlined
def holds(model):
    """Whether the rows that were chosen before can serve the step that begins."""
    choice = model.choice
    choice[at.LOOKS] = 1.0
    choice[at.AGE] += 1.0
    if choice[at.FOLLOWS] != 1.0 or choice[at.STALE] != 0.0:
        return False
    return choice[at.LEVEL] >= LARGE or choice[at.LEFT_OUT] == 0.0 or choice[at.AGE] < SELDOM


@apart
def choose(model, y, t):
    """Select as many rows as are independent at a state.

    Of all that could, those whose pivots are large: a row that is about to repeat others gives way
    to one of these in time. Where more rows repeat others than before, a mechanism most often
    passes a singular position, and leaves it by the rows that it came with.
    """
    choice, level = model.choice, LARGE
    while True:
        choice[at.TRIED] = level
        fewest, unheld = _left_out(model, y, t)
        if unheld <= at.REPEATED or level <= at.REPEATED:
            break
        level = max(LESS * level, at.REPEATED)
    if choice[at.FOLLOWS] == 1.0 and fewest > choice[at.LEFT_OUT]:
        choice[at.PASSED] = 0.0 if unheld > at.RANK else choice[at.PASSED] + 1.0
        if choice[at.PASSED] < PATIENCE:
            return
    inverses = address(model.inverses, SIZE * model.bodies)
    for k in range(SIZE * model.rows):  # the rows of the last factorisation are those that count
        model.chosen[k] = 0.0 if inverses[k] == 0.0 else 1.0
    # where all rows count, no others could: their pivots matter only where they begin to repeat
    choice[at.LEVEL] = level if fewest > 0 else at.REPEATED
    choice[at.FOLLOWS], choice[at.LEFT_OUT] = 1.0, fewest
    choice[at.STALE], choice[at.AGE], choice[at.PASSED] = 0.0, 0.0, 0.0
    choice[at.CHOICES] += 1.0


@apart
def _left_out(model, y, t):
    """Number of rows with too small a pivot, and the largest speed² of one without its force.

    All bodies are pushed somehow, so that each free motion has an energy of about one, and move as
    the other rows let them. The square of the speed of a row, beside what bodies give to it, is
    that of the sine of an angle between the row and all others.
    """
    _write(model, y, t)
    _push(model)
    clear(model.right, SIZE * model.rows)
    ask(model)
    assemble(model)
    factorise(model)
    resolve(model)
    remember(model, t, at.CHOOSE, 0.0)
    _write(model, y, t)
    _move_rows(model)
    return _counted(model)


@inlined
def _write(model, y, t):
    model.writes = 1
    clear_rows(model)
    write_rows(model, y, t, at.CALM)


@inlined
def _push(model):
    """The unknowns of bodies ← impulses of no direction in particular."""
    for b in range(model.bodies):
        mass_data = address(model.body, at.BODY_WIDTH * (b + 1))
        into = address(model.unknown, SIZE * b)
        xx, _, _, yy, _, zz = symmetric(mass_data, at.INERTIA)
        for k in range(3):
            into[k] = mass_data[at.MASS]
        keep(into, 3, (xx, yy, zz))
        for k in range(SIZE):
            sine, _ = sine_and_cosine(float((SIZE * b + k + 1) ** 2))
            into[k] = sine * square_root(max(into[k], 0.0))


@inlined
def _move_rows(model):
    """model.right ← the speeds of rows, for those of bodies."""
    right, unknown = model.right, model.unknown
    clear(right, SIZE * model.rows)
    for slot in range(model.slots):
        slot_row = address(model.slot, at.SLOT_WIDTH * slot)
        J, row, column = entries(model, slot)
        w = address(unknown, SIZE * (slot_row[at.SLOT_BODY] - 1))
        into = address(right, SIZE * slot_row[at.SLOT_NODE])
        for r in range(SIZE):
            for c in range(SIZE):
                into[r] += J[row * r + column * c] * w[c]


@inlined
def _counted(model):
    """Number of rows left out, and the largest square of their speeds."""
    inverses = address(model.inverses, SIZE * model.bodies)
    had = address(model.scale, SIZE * model.bodies)
    count, unheld = 0, 0.0
    for k in range(SIZE * model.rows):
        if inverses[k] == 0.0 and model.fineness[k] != 0.0:
            count += 1
            square = model.right[k] ** 2
            if square > unheld * had[k]:
                unheld = square / had[k] if had[k] > 0.0 else 0.0
    return count, unheld
