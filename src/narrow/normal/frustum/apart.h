#pragma once

#include "narrow/normal/frustum/facing.h"

/* How two cores lie to each other, one of them a frustum. */
typedef enum frustum_relation {
    FRUSTUM_FAR,   /* farther apart than `enough`: only the direction and the height are set */
    FRUSTUM_APART, /* the pair of closest points */
    FRUSTUM_CLOSE  /* closer than rounding error, or overlapping: the direction and its height only */
} frustum_relation;

/* Finds the closest points of two cores: the algorithm of Gilbert, Johnson and Keerthi finds the features, Newton's method on them the last digits. start: a
 * direction to begin with. */
frustum_relation frustum_apart(const convex *a, const convex *b, abut_vec3 start, double enough, frustum_pair *pair);

/* The pair at the local minimum of the height that is next to the start, for cores that nearly touch or overlap. Where none is found near by, the start with
 * its height, and pair->aside is large. */
void frustum_local(const convex *a, const convex *b, abut_vec3 start, frustum_pair *pair);

/* Completes a pair whose direction and height a search found. The search leaves errors of the direction up to 1e-8, because the height changes with their
 * square; the direction becomes that of the local minimum, and the points are those that face each other along it. Where there is no local minimum, as between
 * directions that are equally deep, the direction stays. The points are then those of the features there that are least aside, by pair->aside. */
void frustum_face(const convex *a, const convex *b, frustum_pair *pair);

/* The local minimum for any cores: the closest points of those apart. */
void frustum_near(const convex *a, const convex *b, abut_vec3 start, frustum_pair *pair);

/* Replaces the direction of *pair by one near it that is less deep, or separates more: where the height of features whose normals are within the angle (a sine)
 * is stationary. */
void frustum_sharpen(const convex *a, const convex *b, double sine, frustum_pair *pair);

/* The height of two cores along a unit direction: max d . (a - b). */
static inline double frustum_pair_height(const convex *a, const convex *b, abut_vec3 direction) {
    return convex_extent(a, direction) + convex_extent(b, abut_neg(direction));
}

static inline double frustum_scale(const convex *a, const convex *b) {
    return a->size + b->size + abut_distance_between(a->position, b->position);
}
