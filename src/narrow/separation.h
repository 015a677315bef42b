#pragma once

#include <abut/query.h>

#include "narrow/generators.h"
#include "narrow/normal.h"

/*
 * How far two bodies are apart, or how deep in each other, in the pair's frame.
 */

/* The separation of two shapes. The pair's margin is ignored. apart: they are known not to touch, which spares a search for contacts.
 * ABUT_OK; ABUT_ERROR_UNSUPPORTED_PAIR; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status separation_find(const collide_pair *pair, bool apart, abut_separation *separation);

/* The direction of the distance of two convex bodies and the gap along it. Of bodies that overlap it is the contact normal, its points are
 * no contact's, and the gap says no more than that they overlap. */
contact_normal separation_normal(const convex *a, const convex *b, const normal_settings *settings);

/* The separation along it. */
abut_separation separation_of_bodies(const convex *a, const convex *b, const normal_settings *settings);
