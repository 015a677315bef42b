#pragma once

#include <abut/facetmesh.h>

/*
 * Round lips: a closed mesh of flat facets whose sharp convex edges and corners are replaced by pieces of the surface on which a ball rolls inside.
 */

/* A mesh with lips, and the curvatures of all of its facets. To be released. */
typedef struct lipped_mesh {
    abut_vec3 *vertices;
    int32_t *triangles;
    double *radii, *cross_radii;
    abut_vec3 *directions;
    int32_t vertex_count, triangle_count;
} lipped_mesh;

/* def: checked; its radii are given, def->lip_radius > 0. twin: as in facet_topology. *culprit receives the triangle for which the lip is
 * too wide, or -1. ABUT_OK; ABUT_ERROR_DEGENERATE for a triangle without area; ABUT_ERROR_INVALID_ARGUMENT where the lip leaves nothing of
 * a triangle, and for a lip that is a thousand times smaller than an edge; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status lipped_mesh_make(const abut_facetmesh_def *def, const int32_t *twin, lipped_mesh *made, int32_t *culprit);

void lipped_mesh_release(lipped_mesh *mesh);
