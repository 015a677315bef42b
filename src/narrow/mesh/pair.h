#pragma once

#include "narrow/patch/contact_list.h"
#include "narrow/mesh/set.h"

/*
 * A mesh and other meshes: where two surfaces that need not be convex touch.
 *
 * A contact is a pair of features that face each other along a normal which is one of both surfaces there: a vertex and the point of the other surface
 * that is closest to it, or two outer edges that cross. What is inside a surface counts as deep as the way out is long.
 */

typedef struct mesh_pair_settings {
    double margin;
    double feature_sine;
    double weld; /* [length] */
    double same; /* points nearer to each other than this are one place [length] */
} mesh_pair_settings;

/*
 * Adds contacts with the one mesh as A and the others, which together are one surface, as B; set frame.
 * middle_a, middle_b  from where a surface that has no inside is looked at: the middles of the bounds, set frame
 * Patches are numbered from list->count on. False when there is no memory.
 */
bool mesh_pair(const placed_mesh *a, const placed_mesh *b, int32_t b_count, const mesh_pair_settings *settings, contact_list *list);
