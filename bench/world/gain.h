#pragma once

#include "support/goal.h"
#include "support/statistics.h"
#include "world/scene.h"

/*
 * What a second thread gains on a quiet machine, and what it costs beside other programs that leave one processor free.
 */

typedef struct gain {
    char name[32];
    int32_t count;            /* bodies or pairs */
    statistics quiet, beside; /* milliseconds on one thread, alone and beside other programs */
    double gain;              /* time on one thread over time on two, on a quiet machine: the median of the rounds */
    double limit;             /* the same for work in two copies that share nothing, one on each thread: what the machine allows */
    double cost; /* time on two threads over time on one, beside other programs: the sums of the rounds, because a wait is rare and long */
    bool same;   /* one thread and two gave the same bits */
} gain;

/* Worlds at rest, or about to be, after `settle` steps. Rounds: steps with each number of threads, in turn. False, with a message on stderr, on failure. */
bool gain_of_world(const scene *of, int32_t settle, int32_t rounds, gain *found);

/* Batches of pairs of the scene's shapes that are close to each other. */
bool gain_of_batch(const scene *of, int32_t pairs, int32_t rounds, gain *found);

void gain_head(FILE *table);
void gain_row(FILE *table, const gain *row);
void gain_json(FILE *json, const gain *rows, int32_t count);
/* Lines of a table on the standard error, and the JSON. */
void gain_goals(FILE *json, const gain *rows, int32_t count);
