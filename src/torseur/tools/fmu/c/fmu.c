/* An instance of the mechanism: values by reference, events and steps, for all versions of FMI. */
#include "fmu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define DRIFT 1e-14 /* the square of a gap at which an importer's states return to the constraints */

#define SOON 4e-9   /* s, and of the time: an importer tells such instants apart */
#define MOST_LOOKS 3

static const double start_y[] = START_Y;
static const double start_p[] = START_P;
static const double usual[] = USUAL_SIZES;
#if N_U > 0
static const double least[] = LEAST_INPUTS;
static const double largest[] = LARGEST_INPUTS;
#endif

static int place(int k)
{
    return k < N_Q + N_V ? k : FIRST_STATE + k - N_Q - N_V;
}

void fmu_reset(Fmu *fmu)
{
    fmu->t = 0.0;
    fmu->tolerance = TOLERANCE;
    memcpy(fmu->y, start_y, sizeof fmu->y);
    memcpy(fmu->p, start_p, N_P * sizeof(double));
    fmu->is_started = fmu->is_fresh = fmu->acted = 0;
    fmu->new_parameters = 1;
}

Fmu *fmu_new(void)
{
    Fmu *fmu = calloc(1, sizeof(Fmu));
    if (fmu == NULL)
        return NULL;
    fmu->motion = motion_new();
    if (fmu->motion == NULL) {
        free(fmu);
        return NULL;
    }
    fmu_reset(fmu);
    return fmu;
}

void fmu_free(Fmu *fmu)
{
    if (fmu != NULL) {
        motion_free(fmu->motion);
        free(fmu);
    }
}

void fmu_restore(Fmu *fmu, const Fmu *saved)
{
    Motion *motion = fmu->motion;
    *fmu = *saved;
    fmu->motion = motion;
    motion_copy(motion, saved->motion);
}

Fmu *fmu_copy(const Fmu *fmu)
{
    Fmu *copy = fmu_new();
    if (copy != NULL)
        fmu_restore(copy, fmu);
    return copy;
}

static void update_parameters(Fmu *fmu)
{
    if (fmu->new_parameters)
        motion_parameters(fmu->motion, fmu->p);
    fmu->new_parameters = 0;
}

static void refresh(Fmu *fmu)
{
    if (fmu->is_fresh)
        return;
    update_parameters(fmu);
    memcpy(fmu->held, fmu->y, sizeof fmu->held);
    motion_hold(fmu->motion, fmu->held, fmu->t);
    motion_rate(fmu->motion, fmu->held, fmu->t, fmu->rate);
#ifdef MODEL_OUTPUTS_CONSTANTS
    double constants[MODEL_OUTPUTS_CONSTANTS];
    model_outputs_constants(fmu->p, constants);
    model_outputs(constants, fmu->held, &fmu->t, fmu->output);
#endif
    fmu->is_fresh = 1;
}

const char *fmu_start(Fmu *fmu)
{
    update_parameters(fmu);
    const char *problem = motion_start(fmu->motion, fmu->y, fmu->t);
    fmu->is_started = 1;
    fmu->is_fresh = fmu->acted = 0;
    motion_prepare(fmu->motion, fmu->y, fmu->t);
    fmu_indicators(fmu, fmu->before);
    return problem;
}

const char *fmu_get(Fmu *fmu, unsigned reference, double *value)
{
    const int r = (int)reference;
    if (reference >= REFERENCES)
        return "no variable has this value reference";
    if (r == 0)
        *value = fmu->t;
    else if (r >= REFERENCE_PARAMETER)
        *value = fmu->p[r - REFERENCE_PARAMETER];
    else if (r >= REFERENCE_INPUT && r < REFERENCE_OUTPUT)
        *value = fmu->y[FIRST_INPUT + r - REFERENCE_INPUT];
    else if (r < REFERENCE_RATE && !fmu->is_started)
        *value = fmu->y[place(r - REFERENCE_X)];
    else {
        refresh(fmu);
        if (r < REFERENCE_RATE)
            *value = fmu->held[place(r - REFERENCE_X)];
        else if (r < REFERENCE_INPUT)
            *value = fmu->rate[place(r - REFERENCE_RATE)];
        else if (r < REFERENCE_INDICATOR)
            *value = fmu->output[r - REFERENCE_OUTPUT];
        else {
            double indicators[N_Z + 1];
            fmu_indicators(fmu, indicators);
            *value = indicators[r - REFERENCE_INDICATOR];
        }
    }
    return NULL;
}

const char *fmu_set(Fmu *fmu, unsigned reference, double value)
{
    const int r = (int)reference;
    if (!isfinite(value))
        return "a value is not finite";
    if (reference >= REFERENCE_PARAMETER && reference < REFERENCES) {
        fmu->new_parameters |= fmu->p[r - REFERENCE_PARAMETER] != value;
        fmu->p[r - REFERENCE_PARAMETER] = value;
        fmu->acted |= fmu->new_parameters;
#if N_U > 0
    } else if (r >= REFERENCE_INPUT && r < REFERENCE_OUTPUT) {
        const int k = r - REFERENCE_INPUT;
        const double given = fmin(fmax(value, least[k]), largest[k]);
        fmu->acted |= fmu->y[FIRST_INPUT + k] != given;
        fmu->y[FIRST_INPUT + k] = given;
#endif
    } else if (r >= REFERENCE_X && r < REFERENCE_RATE) {
        if (fmu->is_started)
            return "the values of states are set before the end of the initialization only";
        fmu->y[place(r - REFERENCE_X)] = value;
    } else {
        return "this variable cannot be set";
    }
    fmu->is_fresh = 0;
    return NULL;
}

void fmu_set_time(Fmu *fmu, double t)
{
    fmu->is_fresh &= fmu->t == t;
    fmu->t = t;
}

void fmu_states(const Fmu *fmu, double *x)
{
    for (int k = 0; k < N_X; k++)
        x[k] = fmu->y[place(k)];
}

void fmu_set_states(Fmu *fmu, const double *x)
{
    for (int k = 0; k < N_X; k++)
        fmu->y[place(k)] = x[k];
    fmu->is_fresh = 0;
}

void fmu_rates(Fmu *fmu, double *rates)
{
    refresh(fmu);
    for (int k = 0; k < N_X; k++)
        rates[k] = fmu->rate[place(k)];
}

void fmu_nominals(double *nominals)
{
    for (int k = 0; k < N_X; k++)
        nominals[k] = usual[place(k)] > 0.0 ? usual[place(k)] : 1.0;
}

void fmu_indicators(Fmu *fmu, double *values)
{
    refresh(fmu);
    motion_indicators(fmu->motion, fmu->held, fmu->t, values);
}

int fmu_step_completed(Fmu *fmu)
{
    double now[N_Z + 1], y[N_Y];
    fmu_indicators(fmu, now);
    if (motion_crossed(fmu->before, now) != NO_EVENT)
        return 1;
    memcpy(fmu->before, now, sizeof now);
    motion_prepare(fmu->motion, fmu->held, fmu->t);
    memcpy(y, fmu->y, sizeof y);
    return motion_hold(fmu->motion, y, fmu->t) > DRIFT;
}

/* When to look again: right after an event that left an indicator of a contact on its edge.
 *
 * What is at its limit by rounding alone is beyond it then, or is not. */
static double next_look(Fmu *fmu, int is_event)
{
    fmu->looks = is_event ? MOST_LOOKS : fmu->looks - (fmu->looks > 0);
    for (int k = 0; k < N_CONTACT; k++)
        if (k % 3 < 2 && fmu->before[k] <= 0.0 && fmu->looks > 0)
            return fmu->t + SOON * fmax(1.0, fabs(fmu->t));
    return 0.0;
}

const char *fmu_update(Fmu *fmu, int *changed, int *stops, double *next)
{
    double now[N_Z + 1], y[N_Y];
    const char *problem = NULL;
    fmu_indicators(fmu, now);
    const int event = motion_crossed(fmu->before, now);
    memcpy(y, fmu->y, sizeof y);
    *stops = event != NO_EVENT && motion_stops[event];
    const int drifted = motion_hold(fmu->motion, y, fmu->t) > DRIFT;
    if (event != NO_EVENT || fmu->acted || drifted) {
        if (drifted)
            memcpy(fmu->y, y, sizeof y);
        problem = motion_event(fmu->motion, fmu->y, fmu->t, event);
        fmu->is_fresh = 0;
    }
    *changed = memcmp(y, fmu->y, sizeof y) != 0 || drifted;
    fmu->acted = 0;
    motion_prepare(fmu->motion, fmu->y, fmu->t);
    fmu_indicators(fmu, fmu->before);
    *next = next_look(fmu, event != NO_EVENT);
    return problem;
}

const char *fmu_step(Fmu *fmu, double end, int *stopped)
{
    const char *problem = NULL;
    *stopped = 0;
    update_parameters(fmu);
    if (fmu->acted)
        problem = motion_event(fmu->motion, fmu->y, fmu->t, NO_EVENT);
    fmu->acted = 0;
    if (problem == NULL && end > fmu->t)
        problem = motion_advance(fmu->motion, fmu->y, &fmu->t, end, fmu->tolerance, stopped);
    fmu->is_fresh = 0;
    return problem;
}
