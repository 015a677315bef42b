#pragma once

#include <abut/query.h>

#include "narrow/generators.h"
#include "narrow/normal.h"
#include "narrow/parts.h"

/*
 * How far two bodies are apart, or how deep in each other, in the pair's frame.
 */

/* The separation of two shapes. The pair's margin is ignored. ABUT_OK; ABUT_ERROR_UNSUPPORTED_PAIR; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status separation_find(const collide_pair *pair, abut_separation *separation);

/* That of two convex bodies apart, or of two that just touch: along the direction of their distance. Of bodies that overlap it is along
 * the contact normal, and says no more than that they do. */
abut_separation separation_of_convex(const convex *a, const convex *b, const normal_settings *settings);

/* That of a convex body as A and a plane as B: exact in every case. */
abut_separation separation_from_plane(const convex *body, const body_parts *plane);

/* The separation with A and B exchanged. */
abut_separation separation_swap(abut_separation separation);
