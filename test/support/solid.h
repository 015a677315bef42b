#pragma once

#include <abut/shape.h>

#include "support/random.h"

/*
 * Convex polytopes of the tests: plain vertex and face lists, made without the library. Shapes of the library and bodies of the oracle are built from them.
 * Shape frame; faces counter-clockwise seen from outside.
 */

typedef struct solid {
    int32_t vertex_count;
    abut_vec3 *vertices;
    int32_t face_count;
    int32_t *face_sizes;
    int32_t *face_vertices;
} solid;

solid solid_box(abut_vec3 half);
/* A right prism over a regular polygon inscribed in a circle, with the first corner on the x axis; end faces at z = -half_height and half_height. */
solid solid_prism(double radius, double half_height, int32_t sides);
/* A right pyramid: base at z = -height / 4, apex at z = 3 height / 4. */
solid solid_pyramid(double radius, double height, int32_t sides);
solid solid_tetrahedron(abut_vec3 p, abut_vec3 q, abut_vec3 r, abut_vec3 s);
/* The hull of points in general position that are all its vertices, for example points on an ellipsoid; triangles by gift wrapping. */
solid solid_hull(const abut_vec3 *points, int32_t count);
/* The hull of random points on an ellipsoid about the origin. */
solid solid_cloud(random_state *state, int32_t count, abut_vec3 semi_axes);

solid solid_scaled(const solid *s, double factor);
/* x negated. */
solid solid_mirrored(const solid *s);
void solid_free(solid *s);

/* Of the volume. */
abut_vec3 solid_centroid(const solid *s);
/* Largest distance of a vertex from the origin. */
double solid_reach(const solid *s);

/* A shape with these faces, by abut_shape_create_polytope(). The test fails if the library refuses it. */
abut_shape *solid_shape(const solid *s);
