#pragma once

#include <abut/contact.h>

#include "shape/shape.h"

/*
 * The skin of a shape: its surface as rounded triangles, each with the radius of curvature that the surface has there, so that a shape of any kind meets bodies
 * of rounded triangles by the same law as they meet each other. Shape frame.
 *
 * Faces of boxes, polytopes and meshes are flat triangles: exact. Curved surfaces are triangulated finely; their facets have both principal curvatures, but
 * those of cylinders, cones and capsules have their mean: a line along which bodies touch has no law of its own.
 */

/* Triangles with corners of their own. Must be zero-initialised. */
typedef struct skin_soup {
    abut_vec3 *corner;     /* [3 count] counter-clockwise seen from outside */
    double *radius;        /* [count] of curvature; INFINITY: flat */
    abut_vec3 *saddle;     /* [count] as in facet_side, zero where round */
    abut_feature *feature; /* [count] of the shape */
    int32_t count, corner_capacity, radius_capacity, saddle_capacity, feature_capacity;
    bool saddled;   /* some are not zero */
    bool two_sided; /* every triangle comes with its back */
    bool out_of_memory;
} skin_soup;

/* Adds a triangle; nothing if it has no area. */
void skin_add(skin_soup *soup, const abut_vec3 corner[3], double radius, abut_feature feature);
/* The same with a saddle. */
void skin_add_saddle(skin_soup *soup, const abut_vec3 corner[3], double radius, abut_vec3 saddle, abut_feature feature);
void skin_free(skin_soup *soup);

/* Adds the surface of one kind of shape. */
void skin_of_polytope(const abut_shape *shape, skin_soup *soup);
void skin_of_mesh(const abut_shape *shape, skin_soup *soup);
void skin_of_revolution(const abut_shape *shape, skin_soup *soup); /* sphere, capsule, cylinder, cone */
void skin_of_smooth(const abut_shape *shape, skin_soup *soup);
void skin_of_curved(const abut_shape *shape, skin_soup *soup); /* smooth, not convex, with a triangulation */

/* Adds the surface of the union of a compound's parts. Flat triangles are cut where they enter parts with flat faces; other triangles are left out if a part
 * contains all of them. Of coplanar faces that overlap, the first part's remains. */
void skin_of_parts(const abut_shape *shape, skin_soup *soup);

/* Adds the surface of a bounded convex shape. */
void skin_of_convex(const abut_shape *shape, skin_soup *soup);

/* src/shape/facet/mesh_make.c: a body of rounded triangles that need not be closed, with the mass of the shape. Statuses of facetmesh_skin_of(). */
abut_status facetmesh_make_skin(const skin_soup *soup, const abut_mass *mass, abut_shape **skin);
