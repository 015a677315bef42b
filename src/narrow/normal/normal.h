#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/*
 * The contact normal of two convex bodies.
 */

/* The normal for a contact of two bodies; false when they are farther apart than the margin, and then only its direction (of any length) and
 * gap are set. */
bool contact_normal_find(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal);
