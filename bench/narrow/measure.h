#pragma once

#include "engine.h"

/* Times and answers of every engine on one set of questions. */

typedef struct measurement {
    const engine *of;
    double *rounds;          /* nanoseconds of processor time per question, by round */
    double median, p10, p90; /* of the rounds */
    int32_t missed;          /* missed contacts, and distances not above zero for bodies apart; includes failures */
    int32_t wrong;           /* neither missed nor false, but wrong by more than 1 % of the true depth or distance */
    int32_t unfounded;       /* false contacts */
    double worst;            /* the largest relative error of a correctly reported depth or distance */
    double points;           /* contact points per question */
} measurement;

typedef struct measured_set {
    const char *name;   /* inputs_name() */
    const char *shapes; /* of the set */
    int32_t pairs, steps;
    int32_t count;
    measurement *engines; /* [count], engines that take the set */
} measured_set;

/* In each round every engine asks all questions in turn, so that disturbances of the machine affect all engines equally. */
measured_set measure_set(const input_set *set, const char *name, int32_t rounds);
void measure_free(measured_set *set);

/* The engine's measurement; NULL when it has none. */
const measurement *measure_find(const measured_set *set, const char *engine);

/* The median over rounds of one engine's time divided by another's in the same round. */
double measure_ratio(const measurement *of, const measurement *to, int32_t rounds);
