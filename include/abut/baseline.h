#pragma once

#include <abut/base.h>

/**
 * @file baseline.h
 * Baseline methods. abut keeps them for comparison in papers and benchmarks. Do not use them in production.
 *
 * Each baseline is a published or common method. In every enumeration of this header the value zero is the default: abut's own method.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Method that finds the growth distance. Both methods give the same alpha to a relative 1e-9, up to rounding error: see abut_growth_distance(). */
typedef enum abut_growth_method {
    /** Default: approaches the surface from inside, by a simplex method over the vertices of the Minkowski difference. It is exact on facets. */
    ABUT_GROWTH_EXPANSION,
    /** Baseline: approaches the surface from outside, by a ray cast with the distance algorithm of Gilbert, Johnson and Keerthi
        (GJK; van den Bergen). */
    ABUT_GROWTH_RAY_CAST
} abut_growth_method;

/** Rule that selects the contacts of a sphere with the triangles of a mesh. With another rule than the default, closed convex meshes are triangles, too. */
typedef enum abut_mesh_rule {
    /** Default: Terdiman's rule ("Contact generation for meshes"), corrected. It also handles triangles seen from behind, duplicate contacts
        and any kind of joint. */
    ABUT_MESH_SURFACE,
    /** Baseline: Terdiman's rule as published, and nothing else (section 5; as printed with ABUT_MESH_BY_INDEX). Triangles seen from behind are ignored. Faces
        come first, then edges and vertices, nearest first. Each triangle voids its edges and vertices. Equal distances: edges first, then by index. */
    ABUT_MESH_PUBLISHED,
    /** Baseline: one contact at the closest point of every triangle. It makes ghost contacts at inner edges. */
    ABUT_MESH_CLOSEST_POINTS,
    /** Baseline: one contact along the normal of every triangle. It is wrong at outer edges. */
    ABUT_MESH_TRIANGLE_NORMALS,
    /** Baseline: the first version of Terdiman's rule (section 4). All faces, then all edges, then all vertices, each in the order of the triangles in their
        mesh, without sorting. */
    ABUT_MESH_THREE_PASSES,
    /** Baseline: one contact at the closest point of every triangle, along the normals of its vertices, interpolated there (van den Bergen, "Smooth Mesh
        Contacts with GJK"). A vertex has the sum of the normals of its triangles, each weighted by its angle there. Flat faces lean. */
    ABUT_MESH_SMOOTHED_NORMALS,
    /** Baseline: one contact at the closest point of every triangle. Its normal is turned into the Voronoi region of each edge there, which is between the
        normals of the edge's two triangles; where they meet flat within 1e-4 rad or in a valley, it is the triangle's own (Coumans, "Contact generation").
        No contact is left out. */
    ABUT_MESH_VORONOI
} abut_mesh_rule;

/** Test that decides whether two triangles share an edge or a vertex. */
typedef enum abut_mesh_identity {
    ABUT_MESH_BY_PLACE, /**< default: the features lie on each other. This includes T-junctions, repeated vertices and neighbouring meshes */
    ABUT_MESH_BY_INDEX,   /**< baseline: equal vertex indices within one mesh */
    ABUT_MESH_BY_POSITION /**< baseline: equal vertex positions, bit for bit (-0 equals 0) */
} abut_mesh_identity;

/** Selection of baselines in abut_collide_settings. Zero-initialised: no baseline, abut's own methods. */
typedef struct abut_baseline {
    abut_growth_method growth;        /**< method of the growth distance of overlapping polytopes; default ABUT_GROWTH_EXPANSION */
    abut_mesh_rule mesh_rule;         /**< rule for spheres on meshes; default ABUT_MESH_SURFACE */
    abut_mesh_identity mesh_identity; /**< test for shared edges and vertices of meshes; default ABUT_MESH_BY_PLACE */
} abut_baseline;

/** Method that makes the contact points of a pair of bodies in a world. */
typedef enum abut_contact_method {
    ABUT_METHOD_PATCH,   /**< default: whole contact patches, computed from the two poses at every step by abut_collide() */
    ABUT_METHOD_TRACKING /**< baseline: one new witness point per step, kept in a cache of four points */
} abut_contact_method;

#ifdef __cplusplus
}
#endif
