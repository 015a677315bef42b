#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/*
 * Witness points of a distance: on both bodies, and face to face along the normal.
 */

/* Finds the points of the cores again where those of *normal are not good to the last digits, from the features or surfaces that its direction names. The
 * direction and the gap change where these were not good to the last digits. Where bodies overlap, everything stays. */
void witness_settle(const convex *a, const convex *b, contact_normal *normal);
