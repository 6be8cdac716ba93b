"""Rows in the matrix: where the Jacobian of a body stands, and what rows ask for."""

from torseur.machine.absolute import places as at
from torseur.machine.absolute.kernels.blocks import AREA, SIZE, clear
from torseur.machine.runtime.vectors import address, apart, inlined


@apart
def clear_rows(model):
    """No rows yet; nor anything else in the matrix, if they are to be written into it."""
    if model.writes != 0:
        clear(model.matrix, model.blocks * AREA)
    clear(model.right, model.rows * SIZE)
    clear(model.drift, model.rows * SIZE)


@inlined
def entries(model, slot):
    """The block of J of a body in a set of rows, and the strides of its rows and columns.

    A block has columns of what goes first, a body or rows.
    """
    own = address(model.slot, at.SLOT_WIDTH * slot)
    block = address(model.matrix, AREA * own[at.SLOT_BLOCK])
    if own[at.SLOT_UPRIGHT] != 0:
        return block, SIZE, 1
    return block, 1, SIZE


@inlined
def add(model, slot, r, given, factor):
    """Six numbers, times a factor, to row r of the Jacobian of a body; the ground has none."""
    if slot >= 0 and model.writes != 0:
        block, row, column = entries(model, slot)
        line = address(block, row * r)
        for c in range(SIZE):
            line[column * c] += factor * given[c]


@inlined
def asked(task, value, rate, bias):
    """What a row is to change: its second rate, its value or its rate."""
    if task == at.CLOSE:
        return -value
    if task == at.CALM:
        return -rate
    return -bias
