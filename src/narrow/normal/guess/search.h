#pragma once

#include <stdatomic.h>

#include "base/instruction_set.h"
#include "narrow/normal/sat_start.h"

/*
 * Searches of two polytopes. They propose what an exact search then proves, so no answer depends on the digits of what they find. Their steps do as
 * little as they can. All instruction sets find the same.
 */

/* The ray of gauge.h. It runs from a - b to b - a, two points inside the bodies; not zero. */
typedef struct guess_ray {
    abut_vec3 ray;
    double inside; /* radius of a ball about the ray's origin that lies inside A - B */
    double apart;  /* stop when a direction separates the bodies by more than this */
} guess_ray;

/* The place where the ray leaves A - B, as a start of the search for the least depth. *direction is a direction from A to B, of any length. True when it
 * separates the bodies by more than cast->apart; then *start has the depth along it and nothing else. An infinite or undefined depth says that rounding error
 * left no start. */
typedef bool guess_caster(const convex *a, const convex *b, const guess_ray *cast, abut_vec3 *direction, sat_start *start);

/* Vertices of A - B, as vertices of both bodies. */
typedef struct guess_simplex {
    int32_t vertex_a[3], vertex_b[3];
    int32_t count;
} guess_simplex;

/* The vertices whose hull has the point of A - B that is closest to the origin. The search begins along a direction from A to B, of any content. False when the
 * bodies meet or nearly meet, and now and then because of rounding error. */
typedef bool guess_finder(const convex *a, const convex *b, abut_vec3 direction, guess_simplex *found);

typedef struct guess_table {
    guess_caster *cast;
    guess_finder *nearest;
} guess_table;

/* The table in use; NULL until the first search. */
extern const guess_table *_Atomic guess_in_use;
const guess_table *guess_choose(void);

static inline const guess_table *guess_searches(void) {
    const guess_table *found = atomic_load_explicit(&guess_in_use, memory_order_relaxed);
    return found != NULL ? found : guess_choose();
}

static inline bool guess_cast(const convex *a, const convex *b, const guess_ray *cast, abut_vec3 *direction, sat_start *start) {
    return guess_searches()->cast(a, b, cast, direction, start);
}

static inline bool guess_nearest(const convex *a, const convex *b, abut_vec3 direction, guess_simplex *found) {
    return guess_searches()->nearest(a, b, direction, found);
}

/* For tests: selects an instruction set. False, without effect, if the machine does not have it. */
bool guess_use(instruction_set set);

extern const guess_table guess_scalar, guess_sse2, guess_avx2, guess_avx512; /* those of the build's sets exist */
