#pragma once

#include "measure.h"

/* Goals for abut's speed: its time divided by that of another engine, or by its own time without a cache, for the same questions in the
 * same rounds. */

typedef struct goal {
    const char *name;         /* "hulls of 32, overlapping" */
    const char *set;          /* inputs_name() */
    const char *subject;      /* the engine that is judged */
    const char *shown;        /* an engine whose ratio is shown as well; NULL for none */
    const char *reference[2]; /* the faster of these engines; the second may be NULL */
    double limit;
} goal;

typedef struct verdict {
    const goal *of;
    const char *reference;     /* the engine of the comparison; NULL when none was measured, and then there is no verdict */
    double ratio, shown_ratio; /* shown_ratio 0 for none */
    bool fast;                 /* the ratio is within the limit */
    bool right;                /* the subject missed nothing, reported no false contact, and was wrong nowhere */
} verdict;

int32_t goals_count(void);

/* `sets`: the measured ones. */
verdict goals_judge(int32_t index, const measured_set *sets, int32_t count, int32_t rounds);
