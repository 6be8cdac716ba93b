"""Rows of the tables of a pile."""

from torseur.machine.absolute.body_tables import STATE
from torseur.machine.piles import places as at
from torseur.machine.piles.layout import PILE
from torseur.machine.runtime.access import record_at
from torseur.machine.runtime.vectors import address, inlined, whole

record = record_at(PILE)


@inlined
def body_row(run, b):
    """Constants of body b."""
    return address(run.body, at.BODY_WIDTH * b)


@inlined
def motion_row(run, b):
    """Present motion of body b."""
    return address(run.motion, at.MOTION_WIDTH * b)


@inlined
def contact_row(run, c):
    """Contact c at the present place."""
    return address(run.contact, at.CONTACT_WIDTH * c)


@inlined
def member_row(run, k):
    """Contact k of those that islands are listed by."""
    return contact_row(run, run.member[k])


@inlined
def state_row(run, b):
    """The state of body b, from 1."""
    return address(run.y, STATE * (b - 1))


@inlined
def extra_of(run):
    """Numbers of a state after its bodies and the angles of joints."""
    return address(run.y, STATE * run.bodies + run.followers)


@inlined
def first_of(run, row):
    """The first body of a contact."""
    return motion_row(run, whole(row[at.FIRST]))


@inlined
def second_of(run, row):
    """The second body of a contact."""
    return motion_row(run, whole(row[at.SECOND]))
