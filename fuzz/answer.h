#pragma once

#include <abut/collide.h>

/*
 * What every answer of the narrow phase must hold to, whatever was asked. Nothing here calls the code under test but for the shapes' own
 * surfaces: widths of bodies are computed anew from their vertices.
 */

typedef struct placed_pair {
    const abut_shape *a, *b;
    abut_pose pose_a, pose_b;
    double thin;     /* no more than the least width of the thinner one */
    double sizes;    /* largest extents of both added, without those of planes */
    double dent;     /* how far the vertices of both lie off the planes of their faces, or beyond them */
    double rounding; /* what one rounding of a coordinate, a point or a position comes to */
    bool coarse;     /* that is no longer small against the thinner body: then little can be asked but ordinary numbers */
} placed_pair;

/* Poses must be such as abut_pose_is_valid() accepts. */
placed_pair answer_place(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b);

/* Separation along a unit normal from B into A, world frame: -(h_A(-n) + h_B(n)), negative when overlapping; for bounded convex shapes. */
double answer_separation(const placed_pair *pair, abut_vec3 normal);

/* Whether a deepest gap is a quantity of the bodies alone, the most separation of all directions: apart, or if the settings say so. */
bool answer_is_extreme(const placed_pair *pair, const abut_collide_settings *settings, double gap);

/* Every contact by itself, the patches' order, and the depth of the first patch against the bodies' widths. */
void answer_check(const placed_pair *pair, const abut_collide_settings *settings, const abut_contact *contacts, int32_t count);

/* That the bodies are farther apart than the margin, proved by the direction in the cache (frame of A) if there is one. */
void answer_check_apart(const placed_pair *pair, const abut_collide_settings *settings, const abut_cache *cache);

/* The growth distance and its certificate. */
void answer_check_growth(const placed_pair *pair, abut_status status, const abut_growth *growth);

/* Of several contacts the least gap; infinite for none. */
double answer_deepest(const abut_contact *contacts, int32_t count);
