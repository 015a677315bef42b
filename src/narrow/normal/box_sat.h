#pragma once

#include "narrow/normal/contact_normal.h"
#include "shape/given/contraction.h"

/*
 * Separating axis test (SAT) of two boxes, with fifteen axes. It gives the same answer as sat_least_depth(), in closed form.
 */

/* The placement of box B in the frame of box A. */
typedef struct box_placement {
    const abut_vec3 *half_a, *half_b;
    const abut_mat3 *rotation; /* B's axes as columns, A's frame */
    const abut_vec3 *centre;   /* of B, A's frame */
} box_placement;

/* Tests two boxes. Returns false when one of the axes separates them by more than `apart`: then only the direction, which may have any length, and the gap
 * of *normal are set. Otherwise returns true. For boxes that overlap, *normal is the normal of least depth without witness points. For boxes apart or
 * touching, its gap is a lower bound of their distance, and its features are a guess which ones are the closest. scale is the sum of their sizes. The normal
 * is in A's frame. */
bool box_sat_normal(const box_placement *where, const normal_settings *settings, double scale, double apart, contact_normal *normal);

/* Guesses which features of two boxes apart are the closest ones. scale as above. */
void box_sat_guess(const box_placement *where, double scale, abut_feature *feature_a, abut_feature *feature_b);

/* Whether overlapping boxes get the normal of box_sat_normal(). They do not when the settings ask for the unrefined normal of the growth distance, or for the
 * refined one and a box has a contraction point of the caller. */
static inline bool box_sat_gives_normal(const abut_shape *a, const abut_shape *b, bool minimum, bool refine) {
    return minimum || (refine && !shape_has_contraction(a) && !shape_has_contraction(b));
}
