#pragma once

#include "narrow/mesh/index/hub.h"
#include "narrow/mesh/surface.h"

/*
 * The point outside of the body that was asked about last, with all triangles of the surface there. The set near the body need not have them. At the tip of a
 * fan thousands of ways out lead over one point, and its triangles are gathered once. It changes the time and never the answer.
 */

typedef struct mesh_spot {
    abut_vec3 point;
    mesh_set set; /* the triangles within `same` of the point, and others */
    mesh_hub hub; /* of the set */
    bool made;
    bool looked; /* `around` is known */
    mesh_point around;
} mesh_spot;

void mesh_spot_free(mesh_spot *spot);

/* Gathers the triangles at the point, unless it was asked about last. */
void mesh_spot_go_to(mesh_spot *spot, const mesh_surface *surface, abut_vec3 point);

/* mesh_point_look_around() at the point of the spot. */
void mesh_spot_look_around(mesh_spot *spot, const mesh_surface *surface, mesh_point *at);
