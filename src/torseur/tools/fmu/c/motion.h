/* Motion of one mechanism, as the FMI layer calls it; straight.c and engine.c implement it.
 *
 * A state y is (coordinates, speeds, work, inputs, first-order states, what contacts remember).
 * Functions that may fail return a sentence, or NULL.
 */
#ifndef MOTION_H
#define MOTION_H

#include "sizes.h"

typedef struct Motion Motion;

Motion *motion_new(void);
void motion_free(Motion *motion);
void motion_copy(Motion *to, const Motion *from);

/* Constants of these values of the parameters. */
void motion_parameters(Motion *motion, const double *p);

/* The state with its loops closed and its contacts settled. */
const char *motion_start(Motion *motion, double *y, double t);

/* The state nearest to y on the constraints; the square of the gap that y had. */
double motion_hold(Motion *motion, double *y, double t);

/* What the motion remembers from here on, such as directions of sliding; called between steps. */
void motion_prepare(Motion *motion, const double *y, double t);

void motion_rate(Motion *motion, const double *y, double t, double *rate);
void motion_indicators(Motion *motion, const double *y, double t, double *values);

/* The state after an event by its number; NO_EVENT: inputs or parameters changed. */
#define NO_EVENT (-1)
const char *motion_event(Motion *motion, double *y, double t, int event);

/* From t to the end, or to an event that stops the motion. */
const char *motion_advance(Motion *motion, double *y, double *t, double end, double tolerance,
                           int *stopped);

/* The number of the first event between two sets of indicators, or NO_EVENT. */
int motion_crossed(const double *before, const double *after);
extern const int motion_stops[];

#endif
