"""The kernels of derivatives: of inverse and of forward dynamics.

Each takes the address of a table, as those of `kernels.py`. The
output begins with what is to be added, minus the derivatives of what is applied, by rows of twice
as many entries as there are speeds; all else in it is zero.
"""

from torseur.dynamics.recursions import body_motion as motion
from torseur.dynamics.recursions import branches, composite_body, derivatives, ground_motion
from torseur.dynamics.recursions import row_places as at
from torseur.machine.runtime.machine_text import finite
from torseur.machine.runtime.vectors import address, keep, keep_matrix, times, vector, whole
from torseur.machine.tree.joints import IDENTITY, compiled_recursions
from torseur.machine.tree.kernels import SIGNATURE as SIGNATURE
from torseur.machine.tree.kernels import given
from torseur.machine.tree.strips import aligned

ENTRIES = ("inverse_dynamics_derivatives", "forward_dynamics_derivatives")
_TEXT = compiled_recursions(
    motion,
    composite_body,
    ground_motion,
    derivatives,
    branches,
    steps=("lay_columns", "move_freedoms"),
    called=("move_in_ground",),  # twice
)
place_in_ground, move_in_ground = _TEXT["place_in_ground"], _TEXT["move_in_ground"]
project_in_ground, add_derivatives = _TEXT["project_in_ground"], _TEXT["add_derivatives"]
fill_branches, factorise = _TEXT["fill_branches"], _TEXT["factorise"]
lay_beyond, solve_one = _TEXT["lay_beyond"], _TEXT["solve_one"]
solve_against = _TEXT["solve_against"]


@finite
def _place_motions(model, work, q):
    """The motions in the ground and the room after them, the bodies being placed."""
    nv = whole(model[at.SPEEDS])
    for k in range(at.GROUND_WIDTH):
        work[k] = 0.0
    keep_matrix(work, at.R, IDENTITY)
    keep(work, at.SLIDING, times(-1.0, vector(model, at.GRAVITY)))
    work[at.OUTERMOST] = -1.0
    columns = address(work, (whole(model[at.BODIES]) + 1) * at.GROUND_WIDTH)
    motions = address(columns, nv * at.COLUMN_WIDTH)
    place_in_ground(model, work, columns, motions, q)
    return motions, address(motions, nv * at.MOTION_WIDTH), nv


@finite
def _widen(D, nv):
    """Rows of 2 nv entries become rows of 3 nv, the last ones first; what is added is −1."""
    for k in range(nv - 1, -1, -1):
        for n in range(2 * nv - 1, -1, -1):
            D[k * 3 * nv + n] = D[k * 2 * nv + n]
    for k in range(nv):
        for n in range(nv):
            D[k * 3 * nv + 2 * nv + n] = -1.0 if k == n else 0.0


def inverse_dynamics_derivatives(table):
    """∂Q by small motions, ∂Q/∂v."""
    model, work, q, v, a, D = given(table)
    motions, _, nv = _place_motions(model, work, q)
    move_in_ground(model, work, motions, v, a)
    add_derivatives(model, work, motions, D, nv, 2 * nv)


def forward_dynamics_derivatives(table):
    """∂a by small motions, ∂a/∂v, ∂a/∂Q = M⁻¹."""
    model, work, q, v, Q, D = given(table)
    motions, M, nv = _place_motions(model, work, q)
    paths = address(M, nv * nv)
    a = address(paths, nv * nv)
    needed = address(a, nv)
    strip = aligned(address(needed, nv))
    for k in range(nv):
        a[k] = 0.0
    move_in_ground(model, work, motions, v, a)
    project_in_ground(model, work, motions, v, a, needed)
    fill_branches(model, work, motions, M, paths, nv)
    factorise(model, work, motions, M, paths, nv)
    lay_beyond(model, work, motions, M, paths, nv)
    for k in range(nv):
        a[k] = needed[k] - Q[k]
    solve_one(model, work, motions, M, paths, nv, a)
    move_in_ground(model, work, motions, v, a)
    _widen(D, nv)
    add_derivatives(model, work, motions, D, nv, 3 * nv)
    solve_against(model, work, motions, M, paths, nv, D, 3 * nv, strip)
