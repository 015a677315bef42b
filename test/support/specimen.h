#pragma once

#include "support/check.h"
#include "support/solid.h"

/*
 * Convex bodies of every kind as samples of random tests: the library's shape, and the data for the oracle's body.
 */

typedef enum specimen_kind {
    SPECIMEN_SPHERE,
    SPECIMEN_CAPSULE,
    SPECIMEN_BOX,
    SPECIMEN_PRISM,
    SPECIMEN_PYRAMID,
    SPECIMEN_TETRAHEDRON,
    SPECIMEN_CLOUD,
    SPECIMEN_KINDS
} specimen_kind;

typedef struct specimen {
    specimen_kind kind;
    abut_shape *shape;
    solid surface;              /* all kinds except spheres and capsules */
    double radius, half_length; /* spheres and capsules */
    abut_vec3 half;             /* boxes */
    double size;                /* largest distance of a point from the origin */
} specimen;

/* A body of any kind with proportions down to 1 : 20 and half extents of at most `size`. */
specimen specimen_random(random_state *state, double size);
specimen specimen_of_kind(random_state *state, specimen_kind kind, double size);

specimen specimen_scaled(const specimen *s, double factor);
void specimen_free(specimen *s);

const char *specimen_name(const specimen *s);

/* Release with oracle_free(). */
oracle_body specimen_oracle(const specimen *s, abut_pose pose);
