#pragma once

#include <abut/facetmesh.h>

/*
 * Closed meshes for bodies of rounded triangles. The test fails if there is no memory. Release with facet_body_free().
 */
typedef struct facet_body {
    abut_vec3 *vertices;
    int32_t *triangles;
    int32_t vertex_count, triangle_count;
} facet_body;

/* An icosahedron on the unit sphere. Each triangle is split into four, `level` times; vertices are shared. */
facet_body facet_body_ball(int level);

/* A torus about the z axis; quadrangles are cut along one diagonal. */
facet_body facet_body_torus(double radius, double tube, int32_t around, int32_t across);

/* Multiplies every component by that of the scale. */
void facet_body_scale(facet_body *body, abut_vec3 scale);

/* radii: NULL to estimate them, */
abut_shape *facet_body_shape(const facet_body *body, const double *radii);

/* or the same for all. */
abut_shape *facet_body_round(const facet_body *body, double radius);

/* A ball of facets that all have its radius; triangles as in facet_body_ball(). */
abut_shape *facet_body_meshed_ball(int level, double radius);

void facet_body_free(facet_body *body);
