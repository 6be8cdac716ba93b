"""Where the numbers of bodies and contacts of a pile stand in their tables.

Body 0 is the ground. Codes and indices in tables of doubles are whole numbers, which doubles hold
exactly.
"""

from torseur.machine.collision.places import AXES as AXES
from torseur.machine.collision.places import CONTACT_WIDTH as _FOUND
from torseur.machine.collision.places import FEATURE as FEATURE
from torseur.machine.collision.places import FIRST as FIRST
from torseur.machine.collision.places import FRICTION as FRICTION
from torseur.machine.collision.places import GAP as GAP
from torseur.machine.collision.places import POINT as POINT
from torseur.machine.collision.places import PUSHED as PUSHED
from torseur.machine.collision.places import RESTITUTION as RESTITUTION
from torseur.machine.collision.places import SECOND as SECOND

# --- a body: one row of numbers that stay ---
MASS, INVERSE_MASS = 0, 1
INERTIA, INVERSE_INERTIA = 2, 8  # xx, xy, xz, yy, yz, zz about the centre, in body axes
IS_ROUND = 14  # all moments of inertia are the same
REACH = 15  # from the centre to its farthest point
BODY_WIDTH = 16

# --- a body: one row of numbers of a step, in ground axes ---
V, W = 0, 3  # velocity of the centre, angular velocity: at the end of the step
V_FREE, W_FREE = 6, 9  # at its end if nothing touched
V_START, W_START = 12, 15  # at its start
ATTITUDE = 18  # R, by rows
COMPLIANCE = 27  # the inverse of the inertia
CENTRE = 33
TOUCHES = 36  # whether it has a contact
ROOT = 37  # of its island
PUSH, TORQUE = 38, 41  # accelerations that loads give: of the centre, of ω in body axes
LIFTED, KINETIC = 44, 45  # of the island of a root: energy given by a return, energy of motion
MOTION_WIDTH = 46

# --- a contact: after the numbers that a search gives ---
BOUND = _FOUND  # the least normal speed at the end of the step
SLIP = BOUND + 1  # speed over friction impulse where it slides
IMPULSE = SLIP + 1  # normal, then along both tangents
ARM_A, ARM_B = IMPULSE + 3, IMPULSE + 12  # r × each axis
TURN_A, TURN_B = ARM_B + 9, ARM_B + 18  # the inverses of the inertias times these
LIGHT_A, LIGHT_B = TURN_B + 9, TURN_B + 10  # inverse masses
OF_FIRST, OF_SECOND = (LIGHT_A, ARM_A, TURN_A), (LIGHT_B, ARM_B, TURN_B)  # of each body
D = LIGHT_B + 1  # speeds by impulses of its own: nn, n1, n2, 11, 12, 22; the tangents are such that
#                  12 − n1 n2 / nn = 0
HELD = D + 6  # of what a joint holds: how many of its axes; 0: a contact
MISS = HELD + 1  # how far that is from its place, along each axis
CONTACT_WIDTH = MISS + 3

# --- what a joint holds: one row of numbers; a point of the first body, in axes of the second ---
TIE_FIRST, TIE_SECOND, TIE_COUNT = 0, 1, 2
TIE_POINT, TIE_BASE = 3, 6  # from the centres, in body axes
TIE_AXES = 9  # by rows; zero from the count on
TIE_WIDTH = 18

# --- the state of a motion: 13 numbers a body, then these ---
RESIDUAL, PENETRATION, STEP, ASKED, WORK = range(5)  # the work last, as in every state
EXTRA = 5
