#pragma once

#include <abut/collide.h>

/*
 * What every answer of the narrow phase must satisfy, for any input. The checks do not call the code under test, except for the shapes' own surfaces: they
 * compute the widths of bodies from the vertices.
 */

typedef struct placed_pair {
    const abut_shape *a, *b;
    abut_pose pose_a, pose_b;
    double thin;     /* at most the least width of the thinner body */
    double sizes;    /* sum of the largest extents of both bodies, without planes */
    double dent;     /* largest distance of a vertex of either body from its face planes, or beyond them */
    double rounding; /* effect of one rounding of a coordinate, a point or a position */
    bool coarse;     /* rounding is not small relative to the thinner body; then we check little more than that the numbers are finite */
} placed_pair;

/* abut_pose_is_valid() must accept the poses. */
placed_pair answer_place(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b);

/* Separation along a unit normal from B into A, in the world frame: -(h_A(-n) + h_B(n)). Negative when the bodies overlap. For bounded convex shapes. */
double answer_separation(const placed_pair *pair, abut_vec3 normal);

/* Whether the deepest gap depends on the bodies alone, being the largest separation over all directions. True for bodies apart, and for overlapping ones if
 * the settings say so. */
bool answer_is_extreme(const placed_pair *pair, const abut_collide_settings *settings, double gap);

/* Checks every contact by itself, the order of the patches, and the depth of the first patch against the widths of the bodies. */
void answer_check(const placed_pair *pair, const abut_collide_settings *settings, const abut_contact *contacts, int32_t count);

/* Checks that the bodies are farther apart than the margin. The direction in the cache (frame of A), if there is one, is the proof. */
void answer_check_apart(const placed_pair *pair, const abut_collide_settings *settings, const abut_cache *cache);

/* Checks the growth distance and its certificate. */
void answer_check_growth(const placed_pair *pair, abut_status status, const abut_growth *growth);

/* The least gap of several contacts; infinite if there are none. */
double answer_deepest(const abut_contact *contacts, int32_t count);
