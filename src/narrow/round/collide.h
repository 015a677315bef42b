#pragma once

#include "narrow/pair.h"

/*
 * Contacts of spheres and capsules with each other and with boxes, and of a sphere and a plane, without the machinery of general pairs: no lists, no search,
 * no rotation that is not needed. Every operation that rounds is the one of the general path (collide_generally()), in the same order, so that all results
 * have the same bits.
 */

/* A shape in the world, whose pose is valid. */
typedef struct round_body {
    const abut_shape *shape;
    const abut_pose *pose;
    const abut_mat3 *rotation; /* to the world; NULL for one that is computed from the pose when it is needed */
} round_body;

/* Where the answer of a short path goes. */
typedef struct round_answer {
    abut_cache *cache;      /* written; NULL for none. A pair with a plane has none */
    abut_contact *contacts; /* [capacity] */
    int32_t capacity, count;
} round_answer;

/* Whether a pair of these kinds has a short path. */
static inline bool round_is_fit(const abut_shape *a, const abut_shape *b) {
    enum { SPHERE = 1 << ABUT_SHAPE_SPHERE, CAPSULE = 1 << ABUT_SHAPE_CAPSULE, PLANE = 1 << ABUT_SHAPE_PLANE, BOX = 1 << ABUT_SHAPE_BOX };
    int kinds = 1 << a->kind | 1 << b->kind;
    return (kinds & ~(SPHERE | CAPSULE)) == 0 || kinds == (SPHERE | PLANE) || kinds == (SPHERE | BOX) || kinds == (CAPSULE | BOX);
}

/* The settings are valid. False when the general path has to decide, as where a rule chooses the normal; nothing is written then. */
bool round_collide(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_answer *answer);
