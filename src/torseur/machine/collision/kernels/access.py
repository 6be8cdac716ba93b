"""Rows of the tables of collision."""

from torseur.machine.collision import places as at
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.machine_text import machine_text
from torseur.machine.runtime.vectors import address, dot, inlined
from torseur.spatial import triples

_TEXT = machine_text(triples)
mapped, mapped_back = _TEXT["mapped"], _TEXT["mapped_back"]


@inlined
def shape_row(run, s):
    """Numbers that stay of shape s."""
    return address(run.shape, at.SHAPE_WIDTH * s)


@inlined
def placed_row(run, s):
    """Place of shape s."""
    return address(run.shape_place, at.PLACED_WIDTH * s)


@inlined
def contact_row(run, c):
    """Contact c at the present place."""
    return address(run.contact, run.contact_width * c)


@inlined
def before_row(run, c):
    """Contact c of the place before."""
    return address(run.contact_before, run.contact_width * c)


@inlined
def length(a):
    """|a|."""
    return square_root(dot(a, a))


@inlined
def clamped(x, low, high):
    """x, or the nearer end of an interval."""
    return min(max(x, low), high)


@inlined
def direction_of(row, k):
    """Axis k of a placed shape, in ground axes."""
    return row[at.ATTITUDE + k], row[at.ATTITUDE + 3 + k], row[at.ATTITUDE + 6 + k]
