/* Motion with contacts by the machine code of Torseur: integrator, events, impulses, contact states.
 *
 * The memory of a motion is an array of words. Offsets in it become addresses when it is placed.
 */
#include "motion.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

typedef int64_t Code(int64_t table);

typedef struct {
    int code, table, clock; /* the last two in words */
} Function;

typedef struct {
    Code *make;
    int place, count; /* the first in words */
    const int *chosen; /* of parameters; -1: a given number */
    const double *given;
} Making;

#include "memory.h"

struct Motion {
    void *memory;   /* as it was allocated */
    int64_t *words; /* from the start of a cache line */
    double input[N_Y + 1], output[N_Y + 1];
    double step;
    int64_t fresh[RECORD_SIZE];
};

enum { PAUSED, DONE, TERMINAL_EVENT, STEP_TOO_SMALL, NOT_FINITE, LOOP_OPEN, UNSETTLED = 9 };
enum { AFTER_ACT = -1, AT_START = -2, SETTLED = 1 };
#define CLOSED 1e-24
#define BUDGET 100000

static const Function rate_of = FUNCTION_RATE;
static const Function events_of = FUNCTION_EVENTS;
static const Function settle_of = FUNCTION_SETTLE;
static const Function positions_of = FUNCTION_PROJECT_POSITIONS;
static const Function speeds_of = FUNCTION_PROJECT_SPEEDS;
#ifdef FUNCTION_PREPARE
static const Function prepare_of = FUNCTION_PREPARE;
#endif

static double *numbers(Motion *motion, int place)
{
    return (double *)(motion->words + place);
}

static int64_t address(const void *place)
{
    return (int64_t)(intptr_t)place;
}

void motion_free(Motion *motion)
{
    if (motion != NULL)
        free(motion->memory);
    free(motion);
}

Motion *motion_new(void)
{
    Motion *motion = calloc(1, sizeof(Motion));
    if (motion == NULL)
        return NULL;
    motion->memory = malloc(8 * (size_t)WORDS + LINE);
    if (motion->memory == NULL) {
        motion_free(motion);
        return NULL;
    }
    const uintptr_t start = ((uintptr_t)motion->memory + LINE - 1) / LINE * LINE;
    motion->words = (int64_t *)start;
    memcpy(motion->words, words, 8 * (size_t)WORDS);
    for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++)
        motion->words[offsets[k]] += address(motion->words);
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        motion->words[calls[k][0]] = (int64_t)(intptr_t)functions[calls[k][1]];
    memcpy(motion->fresh, motion->words + RECORD, sizeof motion->fresh);
    return motion;
}

void motion_copy(Motion *to, const Motion *from)
{
    const int64_t moved = address(to->words) - address(from->words);
    memcpy(to->words, from->words, 8 * (size_t)WORDS);
    for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++)
        to->words[offsets[k]] += moved;
    to->step = from->step;
}

void motion_parameters(Motion *motion, const double *p)
{
    double all[N_ALL + 1], values[MOST_PARAMETERS];
    double constants[MODEL_ALL_PARAMETERS_CONSTANTS];
    model_all_parameters_constants(p, constants);
    model_all_parameters(constants, all);
    for (size_t k = 0; k < sizeof makings / sizeof *makings; k++) {
        const Making *one = makings + k;
        for (int i = 0; i < one->count; i++)
            values[i] = one->chosen[i] < 0 ? one->given[i] : all[one->chosen[i]];
        const int64_t table[2] = {address(values), address(motion->words + one->place)};
        one->make(address(table));
    }
#ifdef MODEL_CONTACT_VALUES_CONSTANTS
    double of_values[MODEL_CONTACT_VALUES_CONSTANTS];
    double contact_values[sizeof value_places / sizeof *value_places];
    model_contact_values_constants(p, of_values);
    model_contact_values(of_values, contact_values);
    for (size_t k = 0; k < sizeof value_places / sizeof *value_places; k++)
        *numbers(motion, value_places[k]) = contact_values[k];
    *numbers(motion, AT_MEASURED) = -1.0;
    numbers(motion, AT_KNOWN_TIME)[0] = numbers(motion, AT_KNOWN_TIME)[1] = NAN;
#endif
    motion->step = 0.0;
}

/* The output of a function; its last number may be given before. */
static const double *called(Motion *motion, const Function *function, const double *y, double t)
{
    memcpy(motion->input, y, N_Y * sizeof(double));
    int64_t *table = motion->words + function->table;
    table[1] = address(motion->input);
    table[3] = address(motion->output);
    *numbers(motion, function->clock) = t;
    functions[function->code](address(table));
    return motion->output;
}

void motion_rate(Motion *motion, const double *y, double t, double *rate)
{
    memcpy(rate, called(motion, &rate_of, y, t), N_Y * sizeof(double));
}

void motion_indicators(Motion *motion, const double *y, double t, double *values)
{
    double output[N_Z + 1];
    memcpy(motion->input, y, N_Y * sizeof(double));
    int64_t *table = motion->words + events_of.table;
    table[1] = address(motion->input);
    table[3] = address(output);
    *numbers(motion, events_of.clock) = t;
    functions[events_of.code](address(table));
    for (int k = 0; k < N_Z; k++)
        values[k] = output[k] == output[k] ? output[k] : 1.0;
}

double motion_hold(Motion *motion, double *y, double t)
{
    double first = 0.0;
    for (int k = 0; k < 5; k++) {
        memcpy(y, called(motion, &positions_of, y, t), N_Y * sizeof(double));
        if (k == 0)
            first = motion->output[N_Y];
        if (!(motion->output[N_Y] > CLOSED))
            break;
    }
    memcpy(y, called(motion, &speeds_of, y, t), N_Y * sizeof(double));
    return first;
}

static const char *settled(Motion *motion, double *y, double t, int event)
{
    motion->output[N_Y] = event;
    memcpy(y, called(motion, &settle_of, y, t), N_Y * sizeof(double));
    *numbers(motion, AT_NOTED) = 0.0;
    motion->step = 0.0;
    switch ((int)motion->output[N_Y]) {
    case SETTLED:
        return NULL;
    case 0:
        return "no contact states agree with the laws of contact";
    case 2:
        return "several contact states agree with the laws, and move differently";
    case 3:
        return "bodies start inside each other";
    case 4:
        return "a law of contact is broken";
    default:
        return "events follow each other without end";
    }
}

const char *motion_start(Motion *motion, double *y, double t)
{
    motion_hold(motion, y, t);
    numbers(motion, AT_PROGRESS)[0] = -INFINITY;
    numbers(motion, AT_PROGRESS)[1] = 0.0;
    return settled(motion, y, t, AT_START);
}

const char *motion_event(Motion *motion, double *y, double t, int event)
{
    return event < 3 * ELEMENTS ? settled(motion, y, t, event == NO_EVENT ? AFTER_ACT : event) : NULL;
}

static void restart(Motion *motion, const double *y, double t, double end)
{
    memcpy(motion->words + RECORD, motion->fresh, sizeof motion->fresh);
    motion->words[AT_COUNTER] = 0;
    *numbers(motion, AT_ROW) = -1.0;
    *numbers(motion, AT_T) = t;
    memcpy(numbers(motion, AT_Y), y, N_Y * sizeof(double));
    numbers(motion, AT_TIMES)[0] = t;
    numbers(motion, AT_TIMES)[1] = end;
    *numbers(motion, FIELD_END) = end;
    motion->words[FIELD_SAMPLES] = 2;
    if (end - t <= 10.0 * motion->step)
        *numbers(motion, FIELD_FIRST) = motion->step;
}

/* Steps to the end or to an event; the number of that, or NO_EVENT. */
static int64_t moved(Motion *motion, int *event)
{
    int64_t code = PAUSED;
    *event = NO_EVENT;
    while (code == PAUSED) {
        motion->words[FIELD_BUDGET] = BUDGET;
        code = functions[KERNEL](address(motion->words + RECORD));
        const int64_t count = motion->words[FIELD_RECORDED];
        if (count > 0)
            *event = (int)numbers(motion, AT_RECORDS)[(count - 1) * WIDTH + 2];
        motion->words[FIELD_RECORDED] = 0;
    }
    return motion->words[AT_CODES];
}

const char *motion_advance(Motion *motion, double *y, double *t, double end, double tolerance,
                           int *stopped)
{
    const char *problem = NULL;
    (void)tolerance; /* that of the machine code is below */
    *stopped = 0;
    while (*t < end && problem == NULL) {
        int event;
        restart(motion, y, *t, end);
        const int64_t code = moved(motion, &event);
        memcpy(y, numbers(motion, AT_Y), N_Y * sizeof(double));
        *t = code == DONE ? end : *numbers(motion, AT_T);
        motion->step = *numbers(motion, AT_H);
        *numbers(motion, AT_NOTED) = 0.0;
        switch (code) {
        case DONE:
            break;
        case TERMINAL_EVENT:
            if (event >= 3 * ELEMENTS) {
                *stopped = 1;
                return NULL;
            }
            problem = settled(motion, y, *t, event);
            break;
        case UNSETTLED:
            problem = settled(motion, y, *t, AFTER_ACT);
            break;
        case NOT_FINITE:
            problem = "the rate of the state is not finite";
            break;
        case LOOP_OPEN:
            problem = "the loops of the mechanism cannot be closed";
            break;
        default:
            problem = "the step becomes too small: the motion cannot go on";
        }
    }
    return problem;
}

void motion_prepare(Motion *motion, const double *y, double t)
{
    (void)motion, (void)y, (void)t;
#ifdef FUNCTION_PREPARE
    called(motion, &prepare_of, y, t);
#endif
}
