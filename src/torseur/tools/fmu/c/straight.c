/* Motion by the C code of the mechanism: rate, projection onto the constraints, events.
 *
 * Steps are those of Dormand and Prince of order 8, as those of Torseur itself.
 */
#include "motion.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "tableau.h"

struct Motion {
    double rate_c[MODEL_RATE_CONSTANTS];
    double step; /* to try next; 0: none is known */
#ifdef MODEL_PROJECT_POSITIONS_CONSTANTS
    double positions_c[MODEL_PROJECT_POSITIONS_CONSTANTS];
#endif
#ifdef MODEL_PROJECT_SPEEDS_CONSTANTS
    double speeds_c[MODEL_PROJECT_SPEEDS_CONSTANTS];
#endif
#ifdef MODEL_EVENTS_CONSTANTS
    double events_c[MODEL_EVENTS_CONSTANTS];
#endif
};

static const double usual[] = USUAL_SIZES;
static const double most[] = MOST_SIZES;

#define CLOSED 1e-24 /* the square of a gap */
#define NEARLY 1e-18
#define LEAST 1e-14 /* of the time reached: the shortest step */

Motion *motion_new(void)
{
    return calloc(1, sizeof(Motion));
}

void motion_free(Motion *motion)
{
    free(motion);
}

void motion_copy(Motion *to, const Motion *from)
{
    *to = *from;
}

void motion_parameters(Motion *motion, const double *p)
{
    model_rate_constants(p, motion->rate_c);
#ifdef MODEL_PROJECT_POSITIONS_CONSTANTS
    model_project_positions_constants(p, motion->positions_c);
#endif
#ifdef MODEL_PROJECT_SPEEDS_CONSTANTS
    model_project_speeds_constants(p, motion->speeds_c);
#endif
#ifdef MODEL_EVENTS_CONSTANTS
    model_events_constants(p, motion->events_c);
#endif
    motion->step = 0.0;
}

static double closed(Motion *motion, double *y, double t, int tries)
{
    double first = 0.0;
    (void)motion, (void)y, (void)t, (void)tries;
#ifdef MODEL_PROJECT_POSITIONS_CONSTANTS
    for (int k = 0; k < tries; k++) {
        double next[N_Y + 1];
        model_project_positions(motion->positions_c, y, &t, next);
        if (k == 0 || tries > 10)
            first = next[N_Y];
        memcpy(y, next, N_Y * sizeof(double));
        if (!(next[N_Y] > CLOSED))
            break;
    }
#endif
    return first;
}

static void calm(Motion *motion, double *y, double t)
{
    (void)motion, (void)y, (void)t;
#ifdef MODEL_PROJECT_SPEEDS_CONSTANTS
    double next[N_Y];
    model_project_speeds(motion->speeds_c, y, &t, next);
    memcpy(y, next, sizeof next);
#endif
}

double motion_hold(Motion *motion, double *y, double t)
{
    const double gap2 = closed(motion, y, t, 5);
    calm(motion, y, t);
    return gap2;
}

const char *motion_start(Motion *motion, double *y, double t)
{
    const double gap2 = closed(motion, y, t, 100);
    calm(motion, y, t);
    motion->step = 0.0;
    return gap2 < NEARLY ? NULL : "the loops of the mechanism cannot be closed from these values";
}

void motion_rate(Motion *motion, const double *y, double t, double *rate)
{
    model_rate(motion->rate_c, y, &t, rate);
}

void motion_indicators(Motion *motion, const double *y, double t, double *values)
{
    (void)motion, (void)y, (void)t, (void)values;
#ifdef MODEL_EVENTS_CONSTANTS
    model_events(motion->events_c, y, &t, values);
#endif
}

const char *motion_event(Motion *motion, double *y, double t, int event)
{
    if (event == NO_EVENT) {
        motion_hold(motion, y, t);
        motion->step = 0.0;
    }
    return NULL;
}

void motion_prepare(Motion *motion, const double *y, double t)
{
    (void)motion, (void)y, (void)t;
}

/* One step; the norm of its error, 1 being tolerated. */
static double step(Motion *motion, const double *y, double t, double h, double tolerance,
                   double *end)
{
    double k[STAGES][N_Y], large = 0.0, small = 0.0;
    for (int s = 0; s < STAGES; s++) {
        for (int i = 0; i < N_Y; i++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++)
                sum += stage_weights[s][j] * k[j][i];
            end[i] = y[i] + h * sum;
        }
        motion_rate(motion, end, t + nodes[s] * h, k[s]);
    }
    for (int i = 0; i < N_Y; i++) {
        double sum = 0.0, sum5 = 0.0, sum3 = 0.0;
        for (int s = 0; s < STAGES; s++) {
            sum += weights[s] * k[s][i];
            sum5 += fifth[s] * k[s][i];
            sum3 += third[s] * k[s][i];
        }
        end[i] = y[i] + h * sum;
        const double size = fmax(fmin(fmax(fabs(y[i]), fabs(end[i])), most[i]), 1e-3 * usual[i]);
        large += sum5 * sum5 / (size * size);
        small += sum3 * sum3 / (size * size);
    }
    motion_hold(motion, end, t + h);
    const double error = large + 0.01 * small;
    if (!(error < INFINITY))
        return INFINITY;
    return error > 0.0 ? h * large / sqrt(error * N_Y) / tolerance : 0.0;
}

static int stopping(const double *before, const double *after)
{
    const int event = motion_crossed(before, after);
    return event != NO_EVENT && motion_stops[event];
}

const char *motion_advance(Motion *motion, double *y, double *t, double end, double tolerance,
                           int *stopped)
{
    double before[N_Z + 1], after[N_Z + 1], next[N_Y];
    double h = motion->step > 0.0 ? motion->step : (end - *t) / 100;
    *stopped = 0;
    motion_indicators(motion, y, *t, before);
    while (*t < end) {
        const double left = end - *t, tried = h < left ? h : left;
        const double error = step(motion, y, *t, tried, tolerance, next);
        const double factor = 0.9 * pow(fmax(error, 1e-10), -0.125);
        if (!(error <= 1.0)) {
            h = tried * (error < INFINITY ? fmax(factor, 0.2) : 0.1);
            if (h < LEAST * fmax(fabs(*t), 1e-3))
                return "the step becomes too small: the motion cannot go on";
            continue;
        }
        motion_indicators(motion, next, *t + tried, after);
        if (N_Z > 0 && stopping(before, after)) {
            double low = 0.0, high = tried;
            for (int k = 0; k < 60; k++) {
                const double middle = 0.5 * (low + high);
                step(motion, y, *t, middle, tolerance, next);
                motion_indicators(motion, next, *t + middle, after);
                if (stopping(before, after))
                    high = middle;
                else
                    low = middle;
            }
            step(motion, y, *t, high, tolerance, next);
            memcpy(y, next, sizeof next);
            *t += high;
            *stopped = 1;
            return NULL;
        }
        memcpy(y, next, sizeof next);
        memcpy(before, after, sizeof before);
        *t = tried < left ? *t + tried : end;
        if (tried == h || factor < 1.0)
            h = tried * fmin(factor, 5.0);
    }
    motion->step = h;
    return NULL;
}
