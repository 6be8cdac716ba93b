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

#ifndef ARM_H
#define ARM_H

#define ARM_PARAMETERS 1

// The length of each array c.
#define ARM_INVERSE_DYNAMICS_CONSTANTS 2
#define ARM_MASS_MATRIX_CONSTANTS 1
#define ARM_BIAS_CONSTANTS 1
#define ARM_GRAVITY_CONSTANTS 1

#ifdef __cplusplus
extern "C" {
#endif

extern const double arm_parameters[1];

void arm_inverse_dynamics_constants(const double *p, double *c);
void arm_inverse_dynamics(const double *c, const double *q, const double *v, const double *a,
    double *result);

void arm_mass_matrix_constants(const double *p, double *c);
void arm_mass_matrix(const double *c, const double *q, double *result);

void arm_bias_constants(const double *p, double *c);
void arm_bias(const double *c, const double *q, const double *v, double *result);

void arm_gravity_constants(const double *p, double *c);
void arm_gravity(const double *c, const double *q, double *result);

#ifdef __cplusplus
}
#endif

#endif // ARM_H
