#pragma once

#include "inputs.h"

/*
 * What is measured: one function of one library. An engine gets a whole set beforehand and may prepare whatever a program that uses it
 * would keep: its own shapes and, where its interface takes them so, bodies already posed. Only ask() is timed.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct engine {
    const char *name;
    /* Whether it answers these questions: for contacts or for a distance (inputs_ask_distance), and between these shapes. */
    bool (*takes)(const input_set *set);
    /* Never NULL; the set outlives it. */
    void *(*prepare)(const input_set *set);
    /* Forgets what was remembered of earlier questions; NULL where there is nothing. */
    void (*rewind)(void *state);
    /* Question `index`, which is of the pair `pair`. The number of contact points, 1 for a distance, -1 when it failed. */
    int32_t (*ask)(void *state, int32_t index, int32_t pair);
    /* What the last ask() found, when that was `points` > 0: minus the largest depth of the points, or the distance. */
    double (*separation)(const void *state, int32_t points);
    void (*release)(void *state);
} engine;

/* All engines of this build, in the order in which they are measured and shown. */
int32_t engines_count(void);
const engine *engines_get(int32_t index);

/* The libraries beside abut in this build, as "name version", and NULL at the end. */
const char *const *engines_peers(void);

#ifdef __cplusplus
}
#endif
