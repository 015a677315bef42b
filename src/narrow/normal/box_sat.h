#pragma once

#include "narrow/normal/contact_normal.h"

/*
 * Two boxes: the fifteen axes along which they can be separated, or are least deep. The same answer as sat_least_depth(), in closed form.
 */

/* Where box B is, seen from box A. */
typedef struct box_placement {
    const abut_vec3 *half_a, *half_b;
    const abut_mat3 *rotation; /* B's axes as columns, frame of A */
    const abut_vec3 *centre;   /* of B, frame of A */
} box_placement;

/* False when they are farther apart than `apart` along one of the axes: the normal then has that direction, of any length, and gap only. Else, when they
 * overlap, the normal of the least depth, without witness points; when they do not, nothing but a gap that is a bound of their distance.
 * scale: their sizes together. The normal is in the frame of A. */
bool box_sat_normal(const box_placement *where, const normal_settings *settings, double scale, double apart, contact_normal *normal);

/* Whether boxes that overlap get that normal: not when the growth distance's own is asked for. */
static inline bool box_sat_gives_normal(const normal_settings *settings) {
    return settings->minimum || settings->refine;
}
