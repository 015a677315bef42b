#pragma once

#include "support/statistics.h"
#include "world/engine.h"
#include "world/quality.h"

/* The result of an engine's run. */
typedef struct measurement {
    scene_kind kind;
    const engine *by;
    engine_effort effort;
    int32_t threads, bodies, steps;
    statistics milliseconds;     /* of a step */
    statistics processor;        /* processor time of a step, summed over threads */
    double broad, narrow, solve; /* shares of the time */
    double contacts;             /* median of a step */
    quality end;                 /* after the last step */
    bool hashed;
    uint64_t hash; /* of the final state */
} measurement;

/* Runs the scene for this number of steps of 1/60 s. A zero in the effort means the engine's default. False, with a message on stderr, on
 * failure. */
bool measure(const scene *of, const engine *by, engine_effort effort, int32_t threads, int32_t steps, measurement *found);

/* d log(mean processor time) / d log(bodies) between two runs: 1 for linear growth. */
double growth_exponent(const measurement *small, const measurement *large);
