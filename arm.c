// Model arm: inverse_dynamics, mass_matrix, bias, gravity.
// Written by Torseur 0.1.0. SI units, radians.
//
// Call arm_FUNCTION_constants(p, c) once per parameter set, then
// arm_FUNCTION(c, q, ..., result) for every state. Matrices are written row by row.
//
// Arguments:
//   q[0]  q (here q_)      [rad]
//   v[0]  q. (here q_d)    [rad/s]
//   a[0]  q.. (here q_dd)  [rad/s^2]
//
// Parameters:
//   p[0]  l    0.5
//
// inverse_dynamics: generalised forces M a + h + g [N.m].
//   per parameter set: 1 multiplications, 1 additions
//   per configuration: 2 multiplications, 0 additions, 1 sines and cosines
//   per state: 2 multiplications, 2 additions
//
// mass_matrix: M.
//   per parameter set: 1 multiplications, 1 additions
//
// bias: velocity terms h [N.m].
//
// gravity: gravity terms g [N.m].
//   per configuration: 2 multiplications, 0 additions, 1 sines and cosines

#include "arm.h"

#include <math.h>

const double arm_parameters[1] = {0.5};

void arm_inverse_dynamics_constants(const double *p, double *c)
{
    const double l = p[0];
    const double Kbxx = l*l + 0.05;
    c[0] = l;
    c[1] = Kbxx;
}

void arm_inverse_dynamics(const double *c, const double *q, const double *v, const double *a,
    double *result)
{
    (void)v;
    const double l = c[0];
    const double Kbxx = c[1];
    const double q_ = q[0];
    const double q_dd = a[0];

    // depends on q only
    const double C_q = cos(q_);
    const double NbGz = 9.81*l*C_q;

    // depends on the state
    const double Nbz = Kbxx*q_dd + NbGz + 0.05*q_dd;

    result[0] = Nbz;
}

void arm_mass_matrix_constants(const double *p, double *c)
{
    const double l = p[0];
    const double p1 = l*l + 0.1;
    c[0] = p1;
}

void arm_mass_matrix(const double *c, const double *q, double *result)
{
    (void)q;
    const double p1 = c[0];

    result[0] = p1;
}

void arm_bias_constants(const double *p, double *c)
{
    (void)p;
    (void)c;
}

void arm_bias(const double *c, const double *q, const double *v, double *result)
{
    (void)c;
    (void)q;
    (void)v;

    result[0] = 0.0;
}

void arm_gravity_constants(const double *p, double *c)
{
    const double l = p[0];
    c[0] = l;
}

void arm_gravity(const double *c, const double *q, double *result)
{
    const double l = c[0];
    const double q_ = q[0];

    // depends on q only
    const double C_q = cos(q_);
    const double NbGz = 9.81*l*C_q;

    result[0] = NbGz;
}
