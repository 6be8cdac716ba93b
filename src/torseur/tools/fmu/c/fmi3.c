/* The functions of FMI 3.0 for model exchange and co-simulation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fmu.h"

#if defined _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef enum { OK, WARNING, DISCARD, ERROR, FATAL } Status;
typedef unsigned Reference;
typedef const char *Text;
typedef void (*Log)(void *environment, Status status, Text category, Text message);

typedef struct {
    Fmu *fmu;
    void *environment;
    Log log;
    bool is_stepping; /* co-simulation */
    bool logs;
} Instance;

static Status told(Instance *instance, const char *problem)
{
    if (problem == NULL)
        return OK;
    if (instance->logs && instance->log != NULL)
        instance->log(instance->environment, ERROR, "logStatusError", problem);
    return ERROR;
}

EXPORT Text fmi3GetVersion(void)
{
    return "3.0";
}

EXPORT Status fmi3SetDebugLogging(Instance *instance, bool on, size_t count, const Text *categories)
{
    (void)count, (void)categories;
    instance->logs = on;
    return OK;
}

static Instance *made(Text token, bool is_stepping, bool logs, void *environment, Log log)
{
    Instance *instance = calloc(1, sizeof(Instance));
    if (instance == NULL)
        return NULL;
    instance->environment = environment;
    instance->log = log;
    instance->logs = true;
    instance->is_stepping = is_stepping;
    if (token == NULL || strcmp(token, TOKEN) != 0)
        told(instance, "the instantiation token is not that of this FMU");
    else
        instance->fmu = fmu_new();
    instance->logs = logs;
    if (instance->fmu == NULL) {
        free(instance);
        return NULL;
    }
    return instance;
}

EXPORT Instance *fmi3InstantiateModelExchange(Text name, Text token, Text resources, bool visible,
                                              bool logs, void *environment, Log log)
{
    (void)name, (void)resources, (void)visible;
    return made(token, false, logs, environment, log);
}

EXPORT Instance *fmi3InstantiateCoSimulation(
    Text name, Text token, Text resources, bool visible, bool logs, bool events, bool early,
    const Reference *intermediate, size_t count, void *environment, Log log, void *update)
{
    (void)name, (void)resources, (void)visible, (void)events, (void)early;
    (void)intermediate, (void)count, (void)update;
    return made(token, true, logs, environment, log);
}

EXPORT Instance *fmi3InstantiateScheduledExecution(
    Text name, Text token, Text resources, bool visible, bool logs, void *environment, Log log,
    void *clock, void *lock, void *unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logs, (void)environment;
    (void)log, (void)clock, (void)lock, (void)unlock;
    return NULL;
}

EXPORT void fmi3FreeInstance(Instance *instance)
{
    if (instance != NULL)
        fmu_free(instance->fmu);
    free(instance);
}

EXPORT Status fmi3EnterInitializationMode(Instance *instance, bool has_tolerance, double tolerance,
                                          double start, bool has_stop, double stop)
{
    (void)has_stop, (void)stop;
    fmu_set_time(instance->fmu, start);
    if (has_tolerance && tolerance > 0.0)
        instance->fmu->tolerance = tolerance;
    return OK;
}

EXPORT Status fmi3ExitInitializationMode(Instance *instance)
{
    return told(instance, fmu_start(instance->fmu));
}

static Status nothing(Instance *instance)
{
    (void)instance;
    return OK;
}

EXPORT Status fmi3EnterEventMode(Instance *instance)
{
    return nothing(instance);
}

EXPORT Status fmi3Terminate(Instance *instance)
{
    return nothing(instance);
}

EXPORT Status fmi3EnterConfigurationMode(Instance *instance)
{
    return nothing(instance);
}

EXPORT Status fmi3ExitConfigurationMode(Instance *instance)
{
    return nothing(instance);
}

EXPORT Status fmi3EnterStepMode(Instance *instance)
{
    return nothing(instance);
}

EXPORT Status fmi3EnterContinuousTimeMode(Instance *instance)
{
    return nothing(instance);
}

EXPORT Status fmi3EvaluateDiscreteStates(Instance *instance)
{
    return nothing(instance);
}

EXPORT Status fmi3Reset(Instance *instance)
{
    fmu_reset(instance->fmu);
    return OK;
}

EXPORT Status fmi3GetFloat64(Instance *instance, const Reference *references, size_t count,
                             double *values, size_t size)
{
    (void)size;
    for (size_t k = 0; k < count; k++) {
        const char *problem = fmu_get(instance->fmu, references[k], values + k);
        if (problem != NULL)
            return told(instance, problem);
    }
    return OK;
}

EXPORT Status fmi3SetFloat64(Instance *instance, const Reference *references, size_t count,
                             const double *values, size_t size)
{
    (void)size;
    for (size_t k = 0; k < count; k++) {
        const char *problem = fmu_set(instance->fmu, references[k], values[k]);
        if (problem != NULL)
            return told(instance, problem);
    }
    return OK;
}

#define NONE "this FMU has variables of type Float64 only"
#define UNUSED(Name, Type)                                                                         \
    EXPORT Status fmi3Get##Name(Instance *instance, const Reference *references, size_t count,     \
                                Type *values, size_t size)                                         \
    {                                                                                              \
        (void)references, (void)values, (void)size;                                                \
        return count == 0 ? OK : told(instance, NONE);                                             \
    }                                                                                              \
    EXPORT Status fmi3Set##Name(Instance *instance, const Reference *references, size_t count,     \
                                const Type *values, size_t size)                                   \
    {                                                                                              \
        (void)references, (void)values, (void)size;                                                \
        return count == 0 ? OK : told(instance, NONE);                                             \
    }

UNUSED(Float32, float)
UNUSED(Int8, int8_t)
UNUSED(UInt8, uint8_t)
UNUSED(Int16, int16_t)
UNUSED(UInt16, uint16_t)
UNUSED(Int32, int32_t)
UNUSED(UInt32, uint32_t)
UNUSED(Int64, int64_t)
UNUSED(UInt64, uint64_t)
UNUSED(Boolean, bool)
UNUSED(String, Text)

EXPORT Status fmi3GetBinary(Instance *instance, const Reference *references, size_t count,
                            size_t *sizes, const unsigned char **values, size_t size)
{
    (void)references, (void)sizes, (void)values, (void)size;
    return count == 0 ? OK : told(instance, NONE);
}

EXPORT Status fmi3SetBinary(Instance *instance, const Reference *references, size_t count,
                            const size_t *sizes, const unsigned char *const *values, size_t size)
{
    (void)references, (void)sizes, (void)values, (void)size;
    return count == 0 ? OK : told(instance, NONE);
}

EXPORT Status fmi3GetClock(Instance *instance, const Reference *references, size_t count,
                           bool *values)
{
    (void)references, (void)values;
    return count == 0 ? OK : told(instance, NONE);
}

EXPORT Status fmi3SetClock(Instance *instance, const Reference *references, size_t count,
                           const bool *values)
{
    (void)references, (void)values;
    return count == 0 ? OK : told(instance, NONE);
}

/* --- the state of an instance ------------------------------------------------------------------ */

EXPORT Status fmi3GetFMUState(Instance *instance, void **state)
{
    if (*state != NULL)
        fmu_restore(*state, instance->fmu);
    else
        *state = fmu_copy(instance->fmu);
    return *state != NULL ? OK : told(instance, "there is no memory for a state");
}

EXPORT Status fmi3SetFMUState(Instance *instance, void *state)
{
    fmu_restore(instance->fmu, state);
    return OK;
}

EXPORT Status fmi3FreeFMUState(Instance *instance, void **state)
{
    (void)instance;
    fmu_free(*state);
    *state = NULL;
    return OK;
}

#define LACKING(Name, ...)                                                                         \
    EXPORT Status fmi3##Name(Instance *instance, __VA_ARGS__)                                      \
    {                                                                                              \
        return told(instance, "fmi3" #Name " is not supported");                                   \
    }

#if defined __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
LACKING(SerializedFMUStateSize, void *state, size_t *size)
LACKING(SerializeFMUState, void *state, unsigned char *bytes, size_t size)
LACKING(DeserializeFMUState, const unsigned char *bytes, size_t size, void **state)
LACKING(GetNumberOfVariableDependencies, Reference reference, size_t *count)
LACKING(GetVariableDependencies, Reference dependent, size_t *elements, Reference *independents,
        size_t *others, int *kinds, size_t count)
LACKING(GetDirectionalDerivative, const Reference *unknowns, size_t n, const Reference *knowns,
        size_t m, const double *seed, size_t seeds, double *values, size_t size)
LACKING(GetAdjointDerivative, const Reference *unknowns, size_t n, const Reference *knowns,
        size_t m, const double *seed, size_t seeds, double *values, size_t size)
LACKING(GetIntervalDecimal, const Reference *references, size_t n, double *values, int *qualifiers)
LACKING(GetIntervalFraction, const Reference *references, size_t n, uint64_t *counters,
        uint64_t *resolutions, int *qualifiers)
LACKING(GetShiftDecimal, const Reference *references, size_t n, double *values)
LACKING(GetShiftFraction, const Reference *references, size_t n, uint64_t *counters,
        uint64_t *resolutions)
LACKING(SetIntervalDecimal, const Reference *references, size_t n, const double *values)
LACKING(SetIntervalFraction, const Reference *references, size_t n, const uint64_t *counters,
        const uint64_t *resolutions)
LACKING(SetShiftDecimal, const Reference *references, size_t n, const double *values)
LACKING(SetShiftFraction, const Reference *references, size_t n, const uint64_t *counters,
        const uint64_t *resolutions)
LACKING(GetOutputDerivatives, const Reference *references, size_t n, const int32_t *orders,
        double *values, size_t size)
LACKING(ActivateModelPartition, Reference clock, double time)

/* --- events and model exchange ----------------------------------------------------------------- */

EXPORT Status fmi3UpdateDiscreteStates(Instance *instance, bool *again, bool *terminate,
                                       bool *nominals, bool *values, bool *has_time, double *time)
{
    int changed = 0, stops = 0;
    const char *problem = fmu_update(instance->fmu, &changed, &stops, time);
    *again = *nominals = false;
    *has_time = *time > 0.0;
    *values = changed != 0;
    *terminate = stops != 0;
    return told(instance, problem);
}

EXPORT Status fmi3CompletedIntegratorStep(Instance *instance, bool no_return, bool *event,
                                          bool *terminate)
{
    (void)no_return;
    *event = fmu_step_completed(instance->fmu) != 0;
    *terminate = false;
    return OK;
}

EXPORT Status fmi3SetTime(Instance *instance, double time)
{
    fmu_set_time(instance->fmu, time);
    return OK;
}

EXPORT Status fmi3SetContinuousStates(Instance *instance, const double *x, size_t count)
{
    (void)count;
    fmu_set_states(instance->fmu, x);
    return OK;
}

EXPORT Status fmi3GetContinuousStates(Instance *instance, double *x, size_t count)
{
    (void)count;
    fmu_states(instance->fmu, x);
    return OK;
}

EXPORT Status fmi3GetContinuousStateDerivatives(Instance *instance, double *rates, size_t count)
{
    (void)count;
    fmu_rates(instance->fmu, rates);
    return OK;
}

EXPORT Status fmi3GetEventIndicators(Instance *instance, double *values, size_t count)
{
    (void)count;
    fmu_indicators(instance->fmu, values);
    return OK;
}

EXPORT Status fmi3GetNominalsOfContinuousStates(Instance *instance, double *nominals, size_t count)
{
    (void)instance, (void)count;
    fmu_nominals(nominals);
    return OK;
}

EXPORT Status fmi3GetNumberOfEventIndicators(Instance *instance, size_t *count)
{
    (void)instance;
    *count = N_Z;
    return OK;
}

EXPORT Status fmi3GetNumberOfContinuousStates(Instance *instance, size_t *count)
{
    (void)instance;
    *count = N_X;
    return OK;
}

/* --- co-simulation ----------------------------------------------------------------------------- */

EXPORT Status fmi3DoStep(Instance *instance, double time, double length, bool no_return,
                         bool *event, bool *terminate, bool *early, double *reached)
{
    int stopped = 0;
    (void)no_return;
    const char *problem = fmu_step(instance->fmu, time + length, &stopped);
    *event = *early = false;
    *terminate = stopped != 0;
    *reached = instance->fmu->t;
    return told(instance, problem);
}
