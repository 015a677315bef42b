#pragma once

#include "support/lcp_case.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An engine: one solver of one library, used in one way.
 */

typedef struct lcp_engine {
    const char *name;
    const char *goal;                                         /* its name in the goals; NULL for none */
    bool warm;                                                /* solves the previous problem again with another q */
    int32_t largest;                                          /* largest number of rows; larger problems would take too long */
    void *(*prepare)(const lcp_case *problem);                /* NULL when it cannot solve the problem */
    void (*before)(void *state);                              /* called before every solve(), not timed; may be NULL */
    bool (*solve)(void *state);                               /* true when it claims to have found a solution */
    const double *(*solution)(void *state, const double **q); /* the last solution, and its q */
    void (*release)(void *state);
} lcp_engine;

/* The list ends with an engine without a name. */
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
