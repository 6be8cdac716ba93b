/* The functions of FMI 2.0 for model exchange and co-simulation. */
#include <stdlib.h>
#include <string.h>

#include "fmu.h"

#if defined _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef enum { OK, WARNING, DISCARD, ERROR, FATAL, PENDING } Status;
typedef unsigned Reference;
typedef const char *Text;
typedef int Boolean;
typedef void (*Log)(void *environment, Text name, Status status, Text category, Text message, ...);

typedef struct {
    Log log;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, Status);
    void *environment;
} Callbacks;

typedef struct {
    Boolean again, terminate, nominals, values, has_time;
    double time;
} EventInfo;

typedef struct {
    Fmu *fmu;
    Callbacks callbacks;
    char *name;
    Boolean logs, is_stopped;
} Instance;

static Status told(Instance *instance, const char *problem)
{
    if (problem == NULL)
        return OK;
    if (instance->logs && instance->callbacks.log != NULL)
        instance->callbacks.log(instance->callbacks.environment, instance->name, ERROR,
                                "logStatusError", problem); /* no message has a % */
    return ERROR;
}

EXPORT Text fmi2GetTypesPlatform(void)
{
    return "default";
}

EXPORT Text fmi2GetVersion(void)
{
    return "2.0";
}

EXPORT Status fmi2SetDebugLogging(Instance *instance, Boolean on, size_t count,
                                  const Text *categories)
{
    (void)count, (void)categories;
    instance->logs = on;
    return OK;
}

EXPORT void fmi2FreeInstance(Instance *instance)
{
    if (instance != NULL) {
        fmu_free(instance->fmu);
        free(instance->name);
    }
    free(instance);
}

EXPORT Instance *fmi2Instantiate(Text name, int type, Text token, Text resources,
                                 const Callbacks *callbacks, Boolean visible, Boolean logs)
{
    (void)type, (void)resources, (void)visible;
    Instance *instance = calloc(1, sizeof(Instance));
    if (instance == NULL)
        return NULL;
    instance->callbacks = *callbacks;
    instance->name = malloc(strlen(name) + 1);
    if (instance->name != NULL)
        strcpy(instance->name, name);
    instance->logs = 1;
    if (token == NULL || strcmp(token, TOKEN) != 0)
        told(instance, "the GUID is not that of this FMU");
    else
        instance->fmu = fmu_new();
    instance->logs = logs;
    if (instance->fmu == NULL || instance->name == NULL) {
        fmi2FreeInstance(instance);
        return NULL;
    }
    return instance;
}

EXPORT Status fmi2SetupExperiment(Instance *instance, Boolean has_tolerance, double tolerance,
                                  double start, Boolean has_stop, double stop)
{
    (void)has_stop, (void)stop;
    fmu_set_time(instance->fmu, start);
    if (has_tolerance && tolerance > 0.0)
        instance->fmu->tolerance = tolerance;
    return OK;
}

static Status nothing(Instance *instance)
{
    (void)instance;
    return OK;
}

EXPORT Status fmi2EnterInitializationMode(Instance *instance)
{
    return nothing(instance);
}

EXPORT Status fmi2ExitInitializationMode(Instance *instance)
{
    return told(instance, fmu_start(instance->fmu));
}

EXPORT Status fmi2Terminate(Instance *instance)
{
    return nothing(instance);
}

EXPORT Status fmi2EnterEventMode(Instance *instance)
{
    return nothing(instance);
}

EXPORT Status fmi2EnterContinuousTimeMode(Instance *instance)
{
    return nothing(instance);
}

EXPORT Status fmi2Reset(Instance *instance)
{
    fmu_reset(instance->fmu);
    instance->is_stopped = 0;
    return OK;
}

EXPORT Status fmi2GetReal(Instance *instance, const Reference *references, size_t count,
                          double *values)
{
    for (size_t k = 0; k < count; k++) {
        const char *problem = fmu_get(instance->fmu, references[k], values + k);
        if (problem != NULL)
            return told(instance, problem);
    }
    return OK;
}

EXPORT Status fmi2SetReal(Instance *instance, const Reference *references, size_t count,
                          const double *values)
{
    for (size_t k = 0; k < count; k++) {
        const char *problem = fmu_set(instance->fmu, references[k], values[k]);
        if (problem != NULL)
            return told(instance, problem);
    }
    return OK;
}

#define NONE "this FMU has variables of type Real only"
#define UNUSED(Name, Type)                                                                         \
    EXPORT Status fmi2Get##Name(Instance *instance, const Reference *references, size_t count,     \
                                Type *values)                                                      \
    {                                                                                              \
        (void)references, (void)values;                                                            \
        return count == 0 ? OK : told(instance, NONE);                                             \
    }                                                                                              \
    EXPORT Status fmi2Set##Name(Instance *instance, const Reference *references, size_t count,     \
                                const Type *values)                                                \
    {                                                                                              \
        (void)references, (void)values;                                                            \
        return count == 0 ? OK : told(instance, NONE);                                             \
    }

UNUSED(Integer, int)
UNUSED(Boolean, Boolean)
UNUSED(String, Text)

/* --- the state of an instance ------------------------------------------------------------------ */

EXPORT Status fmi2GetFMUstate(Instance *instance, void **state)
{
    if (*state != NULL)
        fmu_restore(*state, instance->fmu);
    else
        *state = fmu_copy(instance->fmu);
    return *state != NULL ? OK : told(instance, "there is no memory for a state");
}

EXPORT Status fmi2SetFMUstate(Instance *instance, void *state)
{
    fmu_restore(instance->fmu, state);
    return OK;
}

EXPORT Status fmi2FreeFMUstate(Instance *instance, void **state)
{
    (void)instance;
    fmu_free(*state);
    *state = NULL;
    return OK;
}

#define LACKING(Name, ...)                                                                         \
    EXPORT Status fmi2##Name(Instance *instance, __VA_ARGS__)                                      \
    {                                                                                              \
        return told(instance, "fmi2" #Name " is not supported");                                   \
    }

#if defined __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
LACKING(SerializedFMUstateSize, void *state, size_t *size)
LACKING(SerializeFMUstate, void *state, char *bytes, size_t size)
LACKING(DeSerializeFMUstate, const char *bytes, size_t size, void **state)
LACKING(GetDirectionalDerivative, const Reference *unknowns, size_t n, const Reference *knowns,
        size_t m, const double *seed, double *values)
LACKING(SetRealInputDerivatives, const Reference *references, size_t n, const int *orders,
        const double *values)
LACKING(GetRealOutputDerivatives, const Reference *references, size_t n, const int *orders,
        double *values)
LACKING(GetIntegerStatus, int kind, int *value)
LACKING(GetStringStatus, int kind, Text *value)

/* --- events and model exchange ----------------------------------------------------------------- */

EXPORT Status fmi2NewDiscreteStates(Instance *instance, EventInfo *info)
{
    int changed = 0, stops = 0;
    double next = 0.0;
    const char *problem = fmu_update(instance->fmu, &changed, &stops, &next);
    memset(info, 0, sizeof *info);
    info->has_time = next > 0.0;
    info->time = next;
    info->values = changed;
    info->terminate = stops;
    return told(instance, problem);
}

EXPORT Status fmi2CompletedIntegratorStep(Instance *instance, Boolean no_return, Boolean *event,
                                          Boolean *terminate)
{
    (void)no_return;
    *event = fmu_step_completed(instance->fmu);
    *terminate = 0;
    return OK;
}

EXPORT Status fmi2SetTime(Instance *instance, double time)
{
    fmu_set_time(instance->fmu, time);
    return OK;
}

EXPORT Status fmi2SetContinuousStates(Instance *instance, const double *x, size_t count)
{
    (void)count;
    fmu_set_states(instance->fmu, x);
    return OK;
}

EXPORT Status fmi2GetContinuousStates(Instance *instance, double *x, size_t count)
{
    (void)count;
    fmu_states(instance->fmu, x);
    return OK;
}

EXPORT Status fmi2GetDerivatives(Instance *instance, double *rates, size_t count)
{
    (void)count;
    fmu_rates(instance->fmu, rates);
    return OK;
}

EXPORT Status fmi2GetEventIndicators(Instance *instance, double *values, size_t count)
{
    (void)count;
    fmu_indicators(instance->fmu, values);
    return OK;
}

EXPORT Status fmi2GetNominalsOfContinuousStates(Instance *instance, double *nominals, size_t count)
{
    (void)instance, (void)count;
    fmu_nominals(nominals);
    return OK;
}

/* --- co-simulation ----------------------------------------------------------------------------- */

EXPORT Status fmi2DoStep(Instance *instance, double time, double length, Boolean no_return)
{
    (void)no_return;
    const char *problem =
        fmu_step(instance->fmu, time + length, &instance->is_stopped);
    if (problem == NULL && instance->is_stopped)
        return DISCARD;
    return told(instance, problem);
}

EXPORT Status fmi2CancelStep(Instance *instance)
{
    return told(instance, "steps are not made in the background");
}

EXPORT Status fmi2GetStatus(Instance *instance, int kind, Status *value)
{
    (void)kind;
    *value = instance->is_stopped ? DISCARD : OK;
    return OK;
}

EXPORT Status fmi2GetRealStatus(Instance *instance, int kind, double *value)
{
    (void)kind;
    *value = instance->fmu->t;
    return OK;
}

EXPORT Status fmi2GetBooleanStatus(Instance *instance, int kind, Boolean *value)
{
    (void)kind;
    *value = instance->is_stopped;
    return OK;
}
