#pragma once

#include "engine.h"

/* Times and answers of every engine on one set of questions. */

typedef struct measurement {
    const engine *of;
    double *rounds;          /* nanoseconds of processor time per question, of each round */
    double median, p10, p90; /* of the rounds */
    int32_t missed;          /* no contact, or no distance above zero, where there is one; failures too */
    int32_t wrong;           /* neither missed nor false, but off by more than 1 % of the true depth or distance */
    int32_t unfounded;       /* contacts where there are none */
    double worst;            /* the largest error of a depth or distance that was reported rightly, relative to the true one */
    double points;           /* contact points per question */
} measurement;

typedef struct measured_set {
    const char *name;   /* inputs_name() */
    const char *shapes; /* of the set */
    int32_t pairs, steps;
    int32_t count;
    measurement *engines; /* [count], those that take the set */
} measured_set;

/* Round by round every engine asks all questions in turn, so that whatever slows the machine for a while slows all alike. */
measured_set measure_set(const input_set *set, const char *name, int32_t rounds);
void measure_free(measured_set *set);

/* The engine's measurement; NULL when it has none. */
const measurement *measure_find(const measured_set *set, const char *engine);

/* The median over the rounds of one engine's time over another's in the same round. */
double measure_ratio(const measurement *of, const measurement *to, int32_t rounds);
