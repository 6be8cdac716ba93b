"""The choice of the rows that count, of those that repeat each other where loops are closed."""

from torseur.machine.absolute import places as at
from torseur.machine.absolute.kernels.blocks import SIZE
from torseur.machine.absolute.kernels.bordered import ask, assemble, factorise, remember
from torseur.machine.absolute.kernels.chosen import left_out
from torseur.machine.absolute.kernels.elements import write_rows
from torseur.machine.absolute.kernels.rows import clear_rows
from torseur.machine.runtime.access import numbers
from torseur.machine.runtime.vectors import address, apart, inlined

LARGE, LESS = 1e-3, 1e-2  # the pivot that is asked for first; what it is multiplied by then
SELDOM = 16  # steps after which rows with small pivots are chosen anew
PATIENCE = 8  # steps from places where more rows repeat others that are made with the same rows


@inlined
def holds(model):
    """Whether the rows that were chosen before can serve the step that begins.

    Where all rows count, no others could. Where rows on speeds may repeat others, closing positions
    does not tell.
    """
    choice = numbers(model.choice)
    choice[at.LOOKS] = 1.0
    choice[at.AGE] += 1.0
    if choice[at.FOLLOWS] != 1.0 or choice[at.STALE] != 0.0:
        return False
    if choice[at.LEFT_OUT] == 0.0:
        return True
    rests = choice[at.LEVEL] >= LARGE or choice[at.AGE] < SELDOM
    return rests and model.speed_rows == 0 and choice[at.SEEN] == choice[at.LEFT_OUT]


@apart
def choose(model, y, t):
    """Let as many rows count as say something new at a state.

    Of all that could, those whose pivots are large: a row that is about to repeat others gives way
    to one of these in time. Where more rows repeat others than before, a mechanism most often
    passes a singular position, and leaves it by the rows that it came with.
    """
    choice = numbers(model.choice)
    level = at.REPEATED
    fewest = _left_out(model, y, t, level)
    if choice[at.FOLLOWS] == 1.0 and fewest > choice[at.LEFT_OUT]:
        choice[at.PASSED] += 1.0
        if _left_out(model, y, t, at.RANK) <= choice[at.LEFT_OUT]:
            choice[at.PASSED] = 0.0
        if choice[at.PASSED] < PATIENCE:
            return
    if fewest > 0:
        level = LARGE
        while _left_out(model, y, t, level) > fewest:
            level = max(LESS * level, at.REPEATED)
    _keep(model)
    choice[at.FOLLOWS], choice[at.LEVEL], choice[at.LEFT_OUT] = 1.0, level, fewest
    choice[at.SEEN] = fewest
    choice[at.STALE], choice[at.AGE], choice[at.PASSED] = 0.0, 0.0, 0.0
    choice[at.CHOICES] += 1.0


@apart
def _left_out(model, y, t, level):
    """How many rows have a pivot that is not larger than a part of what they had."""
    numbers(model.choice)[at.TRIED] = level
    model.writes = 1
    clear_rows(model)
    write_rows(model, y, t, at.CALM)
    ask(model)
    assemble(model)
    factorise(model)
    remember(model, t, at.CHOOSE, 0.0)
    return left_out(model)


@inlined
def _keep(model):
    """The rows of the last factorisation are those that count."""
    chosen = numbers(model.chosen)
    inverses = address(numbers(model.inverses), SIZE * model.bodies)
    for k in range(SIZE * model.rows):
        chosen[k] = 0.0 if inverses[k] == 0.0 else 1.0
