#pragma once

#include "geom/box_index.h"
#include "narrow/mesh/set.h"

/*
 * Several placed meshes that are one surface, and those of them that may be near a place. Set frame.
 */

typedef struct mesh_surface {
    const placed_mesh *mesh;
    int32_t count;
    double same;            /* points closer than this are one place [length] */
    const box_index *index; /* of the bounds of the meshes; NULL: all are looked at */
} mesh_surface;

/* Makes an index of the meshes if there are many, and has the surface use it: with few, or where bounds are not finite, it stays without. Must outlive the
 * surface. False when there is no memory. */
bool mesh_among_index(box_index *index, mesh_surface *surface);

/* Finds the meshes whose bounds meet a cube with that half width, along the axes of the mesh in question; and possibly others. In the order of the meshes. */
void mesh_among_find(const mesh_surface *surface, abut_vec3 middle, double half, box_hits *hits);
