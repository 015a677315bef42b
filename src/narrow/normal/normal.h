#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/*
 * The contact normal of two convex bodies.
 */

/* Finds the normal for a contact of two bodies. Returns false when they are farther apart than the margin; then only the direction, which may have any
 * length, and the gap are set. */
bool contact_normal_find(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal);
