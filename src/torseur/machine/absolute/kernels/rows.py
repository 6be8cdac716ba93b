"""Rows in the matrix: where the Jacobian of a body stands, and their right-hand sides."""

from torseur.machine.absolute import places as at
from torseur.machine.absolute.kernels.blocks import AREA, SIZE, clear
from torseur.machine.runtime.vectors import address, apart, inlined


@apart
def clear_rows(model):
    """Set rows to zero, and the matrix too if they are to be written into it."""
    if model.writes != 0:
        clear(model.matrix, model.blocks * AREA)
    clear(model.right, model.rows * SIZE)
    clear(model.drift, model.rows * SIZE)


@inlined
def entries(model, slot):
    """The block of J of a body in a set of rows, and the strides of its rows and columns.

    A block has columns of what goes first, a body or rows.
    """
    slot_row = address(model.slot, at.SLOT_WIDTH * slot)
    block = address(model.matrix, AREA * slot_row[at.SLOT_BLOCK])
    if slot_row[at.SLOT_UPRIGHT] != 0:
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
def right_side(task, value, rate, bias):
    """Right-hand side of a row: minus its second rate, its value or its rate."""
    if task == at.CLOSE:
        return -value
    if task == at.CALM:
        return -rate
    return -bias
