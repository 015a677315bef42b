#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/*
 * The contact normal of two convex bodies.
 */

/* Finds the normal for a contact of two bodies. Returns false when they are farther apart than the margin; then only the direction, which may have any
 * length, and the gap are set. */
bool contact_normal_find(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal);

/* The same for two boxes that box_sat_normal() has found to touch or to be apart by no more than the margin. normal: what it wrote, in the pair's frame. */
bool contact_normal_of_near_boxes(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal);
