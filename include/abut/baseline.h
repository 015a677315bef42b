#pragma once

#include <abut/base.h>

/**
 * @file baseline.h
 * Methods that abut keeps as baselines: to compare with, in papers and benchmarks. They are not for production.
 *
 * Each of them is a published or common method. The default, which is zero in every enumeration here, is abut's own method.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Method that finds the growth distance. Both methods give the same alpha to a relative 1e-9, up to rounding: see abut_growth_distance(). */
typedef enum abut_growth_method {
    ABUT_GROWTH_EXPANSION, /**< default: from inside, a simplex method over the vertices of the Minkowski difference; exact on facets */
    ABUT_GROWTH_RAY_CAST   /**< baseline: from outside, a ray cast that uses the distance algorithm of Gilbert, Johnson and Keerthi (GJK; van den Bergen) */
} abut_growth_method;

/** Rule that selects the contacts of a sphere with the triangles of a mesh. */
typedef enum abut_mesh_rule {
    ABUT_MESH_SURFACE,         /**< default: Terdiman's rule, corrected. It also handles triangles seen from behind, duplicate contacts and any kind of joint */
    ABUT_MESH_PUBLISHED,       /**< baseline: Terdiman's rule as published. Triangles are processed nearest first; each one voids its edges and vertices */
    ABUT_MESH_CLOSEST_POINTS,  /**< baseline: the closest point of every triangle. It makes ghost contacts at inner edges */
    ABUT_MESH_TRIANGLE_NORMALS /**< baseline: the normal of every triangle. It is wrong at outer edges */
} abut_mesh_rule;

/** Test that decides whether two triangles share an edge or a vertex. */
typedef enum abut_mesh_identity {
    ABUT_MESH_BY_PLACE,   /**< default: the features lie on each other. This covers T-junctions, repeated vertices and neighbouring meshes */
    ABUT_MESH_BY_INDEX,   /**< baseline: equal vertex indices within one mesh */
    ABUT_MESH_BY_POSITION /**< baseline: equal vertex positions, bit for bit (-0 equals 0) */
} abut_mesh_identity;

/** Baselines of abut_collide() and its kin, a part of abut_collide_settings. Zero-initialised: none, abut's own methods. */
typedef struct abut_baseline {
    abut_growth_method growth;        /**< overlapping polytopes: growth distance; default ABUT_GROWTH_EXPANSION */
    abut_mesh_rule mesh_rule;         /**< spheres on meshes; default ABUT_MESH_SURFACE */
    abut_mesh_identity mesh_identity; /**< meshes: shared edges and vertices; default ABUT_MESH_BY_PLACE */
} abut_baseline;

/** Method that makes the contact points of a pair of bodies in a world. */
typedef enum abut_contact_method {
    ABUT_METHOD_PATCH,   /**< default: whole contact patches, computed from the two poses at every step (abut_collide()) */
    ABUT_METHOD_TRACKING /**< baseline: one new witness point a step, kept in a cache of four points */
} abut_contact_method;

#ifdef __cplusplus
}
#endif
