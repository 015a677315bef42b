#pragma once

#include "inputs.h"

/*
 * An engine: one function of one library. It gets a whole set beforehand and may prepare what a program would keep: its own shapes, and
 * posed bodies where its interface takes them. Only ask() is timed, or time() times itself.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct engine {
    const char *name;
    /* True when it answers these questions: contacts or a distance (inputs_ask_distance), for these shapes. */
    bool (*takes)(const input_set *set);
    /* Never NULL; the set outlives it. */
    void *(*prepare)(const input_set *set);
    /* Forgets data of earlier questions; NULL where there are none. */
    void (*rewind)(void *state);
    /* Nanoseconds a question of one pass over all questions, for engines that cannot be asked one by one; NULL for others, whose ask() is timed. */
    double (*time)(void *state);
    /* Answers question `index`, which belongs to the pair `pair`. Returns the number of contact points, 1 for a distance, -1 on failure. */
    int32_t (*ask)(void *state, int32_t index, int32_t pair);
    /* The result of the last ask() that returned `points` > 0: minus the largest depth of the points, or the distance. */
    double (*separation)(const void *state, int32_t points);
    void (*release)(void *state);
} engine;

/* All engines of this build, in the order of measurements and tables. */
int32_t engines_count(void);
const engine *engines_get(int32_t index);

/* The libraries other than abut in this build, as "name version"; NULL at the end. */
const char *const *engines_peers(void);

#ifdef __cplusplus
}
#endif
