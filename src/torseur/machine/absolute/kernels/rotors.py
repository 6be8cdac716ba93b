"""Rotors of motors: masses that measure the speed of a joint.

A rotor turns at ratio × the speed of its joint about an axis ε of the first body, whose mass data
include it at rest: T = ½ α² j q̇² + α j q̇ ε·ω. The body needs α j (q̈ ε + q̇ ω × ε), the joint
α² j q̈ + α j ε·ω̇. Without an axis only the reflected inertia counts.
"""

from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.kernels.blocks import AREA, SIZE
from torseur.machine.absolute.kernels.bodies import spin_of
from torseur.machine.absolute.kernels.elements import exert, measure_at
from torseur.machine.runtime.vectors import (
    address,
    apart,
    cross,
    dot,
    inlined,
    keep,
    minus,
    plus,
    times,
    vector,
    whole,
)


@inlined
def _rotor(model, k):
    """A rotor, the number of the measure of its speed, and this speed."""
    rotor = address(model.rotor, at.ROTOR_WIDTH * k)
    m = whole(rotor[at.ROTOR_MEASURE])
    return rotor, m, model.measured[2 * m + 1]


@apart
def add_rotor_inertia(model, A):
    """α² j ρ ρᵀ + α j (ρ εᵀ + ε ρᵀ), ρ being the row of the measure."""
    for k in range(model.rotors):
        rotor, m, _ = _rotor(model, k)
        _, row = measure_at(model, m)
        i, j, e = address(row, at.J_I), address(row, at.J_J), model.inputs
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
def add_rotor_forces(model, y):
    """Add the forces that the speeds of rotors cause to those on bodies."""
    for k in range(model.rotors):
        rotor, m, speed = _rotor(model, k)
        measure, row = measure_at(model, m)
        bias, b = row[at.MEASURE_BIAS], measure[at.BODY_I]
        exert(model, m, -rotor[at.REFLECTED] * bias)
        if b > 0:
            axis = vector(rotor, at.EPSILON)
            couple = plus(times(bias, axis), times(speed, cross(spin_of(y, b), axis)))
            felt = address(model.unknown, SIZE * (b - 1))
            keep(felt, 3, minus(vector(felt, 3), times(rotor[at.COUPLED], couple)))


@apart
def rotor_energy(model, y):
    """½ α² j q̇² + α j q̇ ε·ω."""
    total = 0.0
    for k in range(model.rotors):
        rotor, m, speed = _rotor(model, k)
        measure, _ = measure_at(model, m)
        total += 0.5 * rotor[at.REFLECTED] * speed * speed
        if measure[at.BODY_I] > 0:
            w = spin_of(y, measure[at.BODY_I])
            total += speed * rotor[at.COUPLED] * dot(vector(rotor, at.EPSILON), w)
    return total
