/* An instance of the mechanism: values by reference, events and steps, for all versions of FMI. */
#ifndef FMU_H
#define FMU_H

#include <stddef.h>

#include "motion.h"

/* Value references: the time, states, their rates, inputs, outputs, indicators, parameters. */
#define REFERENCE_X 1
#define REFERENCE_RATE (REFERENCE_X + N_X)
#define REFERENCE_INPUT (REFERENCE_RATE + N_X)
#define REFERENCE_OUTPUT (REFERENCE_INPUT + N_U)
#define REFERENCE_INDICATOR (REFERENCE_OUTPUT + N_O)
#define REFERENCE_PARAMETER (REFERENCE_INDICATOR + N_Z)
#define REFERENCES (REFERENCE_PARAMETER + N_P)

#define FIRST_INPUT (N_Q + N_V + 1)
#define FIRST_STATE (FIRST_INPUT + N_U)

typedef struct {
    Motion *motion;
    double t, tolerance;
    double y[N_Y], p[N_P + 1];
    double held[N_Y], rate[N_Y], output[N_O + 1]; /* at y on the constraints */
    double before[N_Z + 1];                       /* indicators after the last step or event */
    int is_started, is_fresh, new_parameters, acted; /* flags */
    int looks;                                       /* left after an event */
} Fmu;

Fmu *fmu_new(void);
void fmu_free(Fmu *fmu);
Fmu *fmu_copy(const Fmu *fmu);
void fmu_restore(Fmu *fmu, const Fmu *saved);
void fmu_reset(Fmu *fmu);

const char *fmu_get(Fmu *fmu, unsigned reference, double *value);
const char *fmu_set(Fmu *fmu, unsigned reference, double value);
const char *fmu_start(Fmu *fmu);

void fmu_set_time(Fmu *fmu, double t);
void fmu_states(const Fmu *fmu, double *x);
void fmu_set_states(Fmu *fmu, const double *x);
void fmu_rates(Fmu *fmu, double *rates);
void fmu_nominals(double *nominals);
void fmu_indicators(Fmu *fmu, double *values);

/* Whether an event is due after a step of the importer. */
int fmu_step_completed(Fmu *fmu);

/* What is due now: whether the states changed, whether the motion stops, and the time of the next
 * event; 0: that is not known. */
const char *fmu_update(Fmu *fmu, int *changed, int *stops, double *next);

/* Co-simulation: to the end of a step. */
const char *fmu_step(Fmu *fmu, double end, int *stopped);

#endif
