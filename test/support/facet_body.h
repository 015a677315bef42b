#pragma once

#include <abut/facetmesh.h>

/*
 * Closed meshes for bodies of rounded triangles. The test fails when there is no memory; release with facet_body_free().
 */
typedef struct facet_body {
    abut_vec3 *vertices;
    int32_t *triangles;
    int32_t vertex_count, triangle_count;
} facet_body;

/* An icosahedron, each triangle cut in four `level` times, on the unit sphere; vertices are shared. */
facet_body facet_body_ball(int level);

/* A ring about the z axis: quadrangles cut along one diagonal. */
facet_body facet_body_torus(double radius, double tube, int32_t around, int32_t across);

/* Every component times that of the scale. */
void facet_body_scale(facet_body *body, abut_vec3 scale);

/* radii: NULL to have them estimated, */
abut_shape *facet_body_shape(const facet_body *body, const double *radii);

/* or the same for all. */
abut_shape *facet_body_round(const facet_body *body, double radius);

void facet_body_free(facet_body *body);
