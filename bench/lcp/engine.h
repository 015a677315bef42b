#pragma once

#include "support/lcp_case.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What is measured: one solver, in one library, used in one way.
 */

typedef struct lcp_engine {
    const char *name;
    const char *goal;                                         /* what the goals call it; NULL for none */
    bool warm;                                                /* solves again what it has just solved, with another q */
    int32_t largest;                                          /* no problems with more rows: they would take too long */
    void *(*prepare)(const lcp_case *problem);                /* NULL when it cannot solve such a problem */
    void (*before)(void *state);                              /* not timed, before every solve(); NULL for nothing */
    bool (*solve)(void *state);                               /* whether it says that it found a solution */
    const double *(*solution)(void *state, const double **q); /* the last one, and the q it belongs to */
    void (*release)(void *state);
} lcp_engine;

/* Ends with an engine without a name. */
extern const lcp_engine lcp_abut[];
#ifdef BENCH_WITH_BULLET
extern const lcp_engine lcp_bullet[];
#endif
#ifdef BENCH_WITH_SICONOS
extern const lcp_engine lcp_siconos[];
#endif

#ifdef __cplusplus
}
#endif
