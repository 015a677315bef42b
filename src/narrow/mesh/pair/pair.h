#pragma once

#include "narrow/mesh/pair/settings.h"
#include "narrow/mesh/set.h"
#include "narrow/patch/contact_list.h"

/*
 * Contacts of a mesh with other meshes: two surfaces that need not be convex.
 *
 * A contact is a pair of features that face each other along a normal that both surfaces admit there. The features are a vertex and the
 * closest point of the other surface, or two outer edges that cross. The depth of a point inside a surface is the length of the shortest
 * way out.
 */

/*
 * Adds contacts with mesh `a` as A and the meshes `b`, which together are one surface, as B. Set frame. A surface without an inside is seen
 * from the middle of the other mesh's bounds. Patches are numbered from list->count on. False when there is no memory.
 */
bool mesh_pair(const placed_mesh *a, const placed_mesh *b, int32_t b_count, const mesh_pair_settings *settings, contact_list *list);
