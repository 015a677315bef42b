#pragma once

#include "step/world/world.h"

/*
 * Bodies that touch several static meshes. For such a body the meshes form one surface, so it feels no seam between two of them.
 */

/* A body and a static mesh that may touch. */
typedef struct seam {
    int32_t body, mesh; /* slots */
} seam;

/* Zero-initialise. */
typedef struct seam_list {
    seam *seams;       /* [count], by body, then by mesh */
    abut_part *meshes; /* [count], beside seams: the mesh and its pose */
    int32_t count, capacity, mesh_capacity;
} seam_list;

/* List the seams of this step's candidate pairs. False when there is no memory. */
bool seams_find(seam_list *list, const abut_world *world);

/* All static meshes that may touch the other body of the pair; *own is the index of the pair's mesh among them. NULL when there are fewer than two. */
const abut_part *seams_of_pair(const seam_list *list, const abut_world *world, const broad_pair *pair, int32_t *count, int32_t *own);

void seams_release(seam_list *list);
