/* Events: indicators that change their sign in their direction. */
#include "motion.h"

#include <stddef.h>

static const int directions[] = EVENT_DIRECTIONS;
const int motion_stops[] = EVENT_STOPS;

int motion_crossed(const double *before, const double *after)
{
    for (int k = 0; k < N_Z; k++) {
        /* a gap or a force that rounding leaves below zero falls where it becomes less */
        const int less = k < N_CONTACT && after[k] < before[k];
        const int falls = (after[k] < 0.0 && before[k] >= 0.0) || (less && after[k] <= 0.0);
        const int rises = before[k] <= 0.0 && after[k] > 0.0;
        if ((falls && directions[k] <= 0) || (rises && directions[k] >= 0 && directions[k] < 2))
            return k;
    }
    return NO_EVENT;
}
