#pragma once

#include "narrow/mesh/pair/settings.h"
#include "narrow/mesh/surface.h"
#include "narrow/patch/contact_list.h"

/*
 * A solid and an open surface. Whether the two are apart is decided first and exactly; then their contacts are those of open surfaces across gaps
 * (open.h). Otherwise they are those of features of both (pair.h), at least one of which touches. Set frame.
 */

/* Whether some mesh, but not every one, is the surface of a solid. */
bool mesh_mixed_is(const mesh_surface *a, const mesh_surface *b);

/* Whether no triangles share a point, and no solid holds a part of the other surface. Decided exactly, but for parts within rounding of a
 * solid's surface. */
bool mesh_mixed_is_apart(const mesh_surface *a, const mesh_surface *b);

/*
 * Adds a touching contact of surfaces that are not apart, if none was found: that of the triangles that cross deepest (cross.h), or of those that
 * share a point (open.h), or the way out of the solid for the deepest vertex that it holds.
 *
 * found: the contacts by features of both; receives the first kind
 * list:  receives the other kinds, joined to patches
 *
 * False when there is no memory.
 */
bool mesh_mixed_complete(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings, contact_list *found,
                         contact_list *list);
