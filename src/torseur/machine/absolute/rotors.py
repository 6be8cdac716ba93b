"""Rotors of motors: masses that measure the speed of a joint.

A rotor turns at ratio × the speed of its joint about an axis ε of the first body, whose mass data
include it at rest: T = ½ α² j q̇² + α j q̇ ε·ω. The body needs α j (q̈ ε + q̇ ω × ε), the joint
α² j q̈ + α j ε·ω̇. Without an axis only the reflected inertia counts.
"""

from torseur.machine.absolute import places as at
from torseur.machine.absolute.blocks import AREA, SIZE
from torseur.machine.absolute.elements import exert
from torseur.machine.absolute.measures import body_here, measure_row
from torseur.machine.runtime.access import numbers
from torseur.machine.runtime.vectors import (
    address,
    apart,
    cross,
    dot,
    inlined,
    into,
    keep,
    matrix,
    minus,
    plus,
    times,
    vector,
    whole,
)


@inlined
def _rotor(model, k):
    """A rotor and the measure of its speed."""
    rotor = address(numbers(model.rotor), at.ROTOR_WIDTH * k)
    row = at.MEASURE_WIDTH * whole(rotor[at.ROTOR_MEASURE])
    return rotor, address(numbers(model.measure), row)


@apart
def add_rotor_inertia(model, A):
    """α² j ρ ρᵀ + α j (ρ εᵀ + ε ρᵀ), ρ being the row of the measure."""
    for k in range(model.rotors):
        rotor, own = _rotor(model, k)
        _, n, a_i, a_j, _ = measure_row(model, own)
        first = body_here(model, whole(own[at.BODY_I]))
        second = body_here(model, whole(own[at.BODY_J]))
        i = address(numbers(model.inputs), 0)
        j, e = address(i, SIZE), address(i, 2 * SIZE)
        keep(i, 0, times(-1.0, n))
        keep(i, 3, into(matrix(first, at.R), a_i))
        keep(j, 0, n)
        keep(j, 3, into(matrix(second, at.R), a_j))
        keep(e, 0, (0.0, 0.0, 0.0))
        keep(e, 3, times(rotor[at.COUPLED], vector(rotor, at.EPSILON)))
        w = rotor[at.REFLECTED]
        _add(A, whole(rotor[at.BLOCK_J]), w, j, j)
        if rotor[at.BLOCK_I] >= 0.0:
            _add(A, whole(rotor[at.BLOCK_I]), w, i, i)
            _add(A, whole(rotor[at.BLOCK_I]), 1.0, i, e)
            _add(A, whole(rotor[at.BLOCK_I]), 1.0, e, i)
            both = whole(rotor[at.BLOCK_IJ])
            if rotor[at.J_IS_LATER] != 0.0:
                _add(A, both, w, j, i)
                _add(A, both, 1.0, j, e)
            else:
                _add(A, both, w, i, j)
                _add(A, both, 1.0, e, j)


@inlined
def _add(A, block, w, rows, columns):
    """w rows columnsᵀ into a block; the ground has none."""
    if block >= 0:
        into_block = address(A, AREA * block)
        for c in range(SIZE):
            for r in range(SIZE):
                into_block[SIZE * c + r] += w * rows[r] * columns[c]


@apart
def add_rotor_forces(model):
    """What the speeds of rotors ask for, to what acts on bodies."""
    for k in range(model.rotors):
        rotor, own = _rotor(model, k)
        _, _, _, _, bias = measure_row(model, own)
        speed = numbers(model.measured)[2 * whole(rotor[at.ROTOR_MEASURE]) + 1]
        exert(model, own, -rotor[at.REFLECTED] * bias)
        b = whole(own[at.BODY_I])
        if b > 0:
            w = vector(body_here(model, b), at.LOCAL_OMEGA)
            axis = vector(rotor, at.EPSILON)
            couple = plus(times(bias, axis), times(speed, cross(w, axis)))
            felt = address(numbers(model.unknown), SIZE * (b - 1))
            keep(felt, 3, minus(vector(felt, 3), times(rotor[at.COUPLED], couple)))


@apart
def rotor_energy(model):
    """½ α² j q̇² + α j q̇ ε·ω."""
    total = 0.0
    for k in range(model.rotors):
        rotor, own = _rotor(model, k)
        speed = numbers(model.measured)[2 * whole(rotor[at.ROTOR_MEASURE]) + 1]
        w = vector(body_here(model, whole(own[at.BODY_I])), at.LOCAL_OMEGA)
        along = rotor[at.COUPLED] * dot(vector(rotor, at.EPSILON), w)
        total += speed * (0.5 * rotor[at.REFLECTED] * speed + along)
    return total
