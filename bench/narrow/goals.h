#pragma once

#include "measure.h"

/* How fast abut is to be: its time over that of another engine, or over its own without a cache, for the same questions in the same
 * rounds. */

typedef struct goal {
    const char *name;         /* "hulls of 32, overlapping" */
    const char *set;          /* inputs_name() */
    const char *subject;      /* the engine that is judged */
    const char *shown;        /* the engine whose ratio is shown beside it; NULL for none */
    const char *reference[2]; /* the faster of these engines; the second may be NULL */
    double limit;
} goal;

typedef struct verdict {
    const goal *of;
    const char *reference;     /* the engine it was judged against; NULL when none was measured: then there is no verdict */
    double ratio, shown_ratio; /* shown_ratio 0 for none */
    bool fast;                 /* the ratio is within the limit */
    bool right;                /* the subject missed nothing, invented nothing, and was wrong nowhere */
} verdict;

int32_t goals_count(void);

/* `sets`: those that were measured. */
verdict goals_judge(int32_t index, const measured_set *sets, int32_t count, int32_t rounds);
