#pragma once

#include "support/statistics.h"
#include "world/engine.h"
#include "world/quality.h"

/* What a run of an engine came to. */
typedef struct measurement {
    scene_kind kind;
    const engine *by;
    engine_effort effort;
    int32_t threads, bodies, steps;
    statistics milliseconds;     /* of a step */
    statistics processor;        /* the same by the processors' time, of all threads together */
    double broad, narrow, solve; /* shares of the time */
    double contacts;             /* median of a step */
    quality end;                 /* after the last step */
    bool hashed;
    uint64_t hash; /* of the state after the last step */
} measurement;

/* Run the scene for so many steps of 1/60 s; a zero in the effort means the engine's default. False, with a message on stderr, when that cannot be done. */
bool measure(const scene *of, const engine *by, engine_effort effort, int32_t threads, int32_t steps, measurement *found);

/* d log(mean processor time) / d log(bodies) between two runs: 1 where the time grows as the number of bodies does. */
double growth_exponent(const measurement *small, const measurement *large);
