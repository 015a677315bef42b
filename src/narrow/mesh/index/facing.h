#pragma once

#include "geom/point_tree.h"
#include "narrow/mesh/set.h"

/*
 * Whether any triangle of a set faces a direction, through a tree over the normals of all. It is made after some questions; before, nothing is known.
 */

typedef struct mesh_facing {
    const mesh_set *set;
    int32_t left;      /* questions until the tree is made */
    abut_vec3 *normal; /* NULL: no tree */
    point_tree tree;
} mesh_facing;

void mesh_facing_init(mesh_facing *facing, const mesh_set *set);
void mesh_facing_free(mesh_facing *facing);

/* Whether all triangles are one-sided and lean away from a direction, by more than a sine of 0.001. False when nothing is known. */
bool mesh_facing_is_none(mesh_facing *facing, abut_vec3 direction);
