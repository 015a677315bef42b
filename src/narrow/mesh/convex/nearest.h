#pragma once

#include "narrow/mesh/convex/met.h"

/*
 * A body that is apart from the whole surface has a contact at its nearest place, whose gap is the distance, if that is within the margin. The other
 * rules can lose it: the surface's cone of normals knows points only up to a tolerance, and a patch keeps one contact of those close together.
 */

/* Adds that contact to the contacts of the list from `first` on, if none of them is as near, or moves the one beside it there. The list holds patches that are
 * joined. */
void mesh_nearest_keep(const convex_work *work, int32_t first, contact_list *list);
