#pragma once

#include <abut/base.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/shape.h>

/**
 * @file mesh.h
 * Triangle meshes and height fields: surfaces that need not be convex, closed or clean. docs/methods/meshes.md explains them.
 *
 * A mesh is a shape of kind ABUT_SHAPE_TRIMESH. Contacts depend only on the surface, not on its triangulation: neither on how a flat or curved
 * region is divided into triangles, nor on whether corners at one position share an index, nor on T-junctions. A one-sided mesh has an outside:
 * the side from which the corners of a triangle are counter-clockwise. A body behind a triangle does not touch it. A ball is behind if its
 * centre is, any other convex body only if all of it is.
 *
 * A closed one-sided mesh that is convex and has at most 8,192 triangles is a solid. abut_collide(), abut_overlap() and abut_distance() treat it as the
 * polytope with its surface, with the names of the mesh: a body that is wholly inside touches it, and is pushed out.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Definition of a mesh. Start from abut_trimesh_def_default(). */
typedef struct abut_trimesh_def {
    const abut_vec3 *vertices; /**< [vertex_count] [length]; read during the call only */
    int32_t vertex_count;      /**< >= 3 */
    const int32_t
        *triangles;         /**< [3 triangle_count] indices into vertices, counter-clockwise seen from outside; read during the call only */
    int32_t triangle_count; /**< 1 to 700 million */
    abut_vec3 scale;        /**< factors of the vertex coordinates, applied before the pose; no factor is 0; default 1, 1, 1. When the scale
                                    mirrors, the winding of the triangles is reversed, so that the outside stays outside */
    abut_pose pose;         /**< pose of the scaled vertices in the shape frame; default the identity */
    bool two_sided;         /**< true: the mesh has no outside, and triangles touch from both sides; default false */
    /** Largest angle between the normals of two triangles at which their common edge is smooth, for contacts of spheres, alone or in a compound, by the default
        rule for meshes; 0 to pi/3, default 0 [rad]. See abut_shape_create_trimesh(). */
    double smooth_angle;
} abut_trimesh_def;

/** A definition with the defaults named above; all other fields are zero. */
ABUT_API abut_trimesh_def abut_trimesh_def_default(void);

/** Findings of the construction of a mesh. Vertices with exactly equal positions count as one vertex when edges are counted. */
typedef struct abut_trimesh_report {
    int32_t
        degenerate_count; /**< number of degenerate triangles: their height over the longest side is within rounding error. They act as that
                                   side alone */
    int32_t first_degenerate; /**< index of the first degenerate triangle; -1 for none */
    int32_t repeated_count;   /**< number of vertices with exactly the position of an earlier one */
    int32_t open_edge_count; /**< number of triangle sides without a partner: borders, edges of three or more triangles, and neighbours with
                                   opposite winding */
    int32_t first_open;      /**< triangle of the first such side; -1 for none */
    bool closed;             /**< true: there are no open edges, and the enclosed volume is positive. The mesh then has a mass */
    size_t bytes;            /**< memory of the shape */
    int32_t culprit;         /**< vertex, or position in `triangles`, that caused an error; -1 for none */
} abut_trimesh_report;

/**
 * A mesh from its triangles. Builds a hierarchy of boxes in O(n log n). Memory: 12 bytes per triangle, 24 bytes per vertex, and about 25 bytes per
 * triangle for the hierarchy. A closed one-sided mesh keeps 12 more bytes per triangle for its neighbours. If it is also convex and has at most 8,192
 * triangles, it keeps the polytope of its surface, with up to 350 bytes per triangle. Other closed meshes keep up to 24 balls inside them, with up to 24,000
 * bytes.
 *
 * Smooth edges (`smooth_angle` > 0). Spheres bump over the edges of a coarse mesh of a curved surface. With this option they touch a smooth surface through
 * the vertices instead.
 * - Surface: the normal n_i of a vertex is the sum of the normals of the triangles around it that smooth edges join, each weighted by its angle there. The
 *   point p = sum w_i p_i of a triangle becomes x = p - 1/2 sum w_i ((p - p_i) . n_i) n_i. The normal there has the direction of sum w_i n_i: it turns evenly
 *   over the triangle and is the same on both sides of a smooth edge.
 * - Contact: at the x whose normal goes through the centre of the sphere. The gap is the distance of the centre from x along that normal, minus the radius. The
 *   feature is the face. Smooth edges, and vertices among them, make no contacts. Where only flat edges are smooth the
 *   option changes nothing.
 * - Borders, sharp edges and edges of three triangles make the contacts of the triangles. Beside them the gap may jump by the height of the smooth surface over
 *   the triangle. Where the normal of a vertex would lean more than 60 degrees against a triangle, as at the tip of a cone, the edges are sharp. Each mesh is
 *   smoothed by itself, so its border is sharp, also beside another mesh.
 * - All other bodies, and distances, rays, casts and projections, see the triangles. A sphere inside a closed convex mesh does not touch it. Bounds cover the
 *   smooth surface, too. The option keeps 73 more bytes per triangle.
 *
 * Any set of triangles is accepted: degenerate or repeated triangles, open borders, several pieces. Feature indices follow the definition: vertices
 * have their own index, a face has the index of its triangle, and the edge from corner k of triangle t to the next corner has the index 3 t + k.
 *
 * @param def     never NULL
 * @param report  written in every case, also on an error; may be NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, counts or indices out of range, a scale of 0, a pose that is not a rotation, or extents
 *         beyond the limits of shape.h; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_DEGENERATE when all vertices are at one position;
 *         ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_trimesh(const abut_trimesh_def *def, abut_trimesh_report *report, abut_shape **shape);

/** Definition of a height field. Shape frame. Zero-initialise it. */
typedef struct abut_heightfield_def {
    const double
        *heights;     /**< [columns * rows] heights z, row by row, at x = spacing_x * column, y = spacing_y * row; read during the call only
                                [length] */
    int32_t columns;  /**< number of vertices along x, >= 2 */
    int32_t rows;     /**< number of vertices along y, >= 2; columns * rows is at most 350 million */
    double spacing_x; /**< distance of neighbouring columns, > 0 [length] */
    double spacing_y; /**< distance of neighbouring rows, > 0 [length] */
    bool two_sided;   /**< true: as for a mesh; false: the outside is above (+z) */
} abut_heightfield_def;

/**
 * A mesh over a grid. Its triangles are not stored. Memory: 8 bytes per vertex, and 2 bytes per triangle for the hierarchy.
 *
 * The vertex at (column, row) has the index columns * row + column. Cells are numbered row by row. The diagonal of a cell runs from its corner with
 * the lowest column and row to that with the highest: triangle 2 * cell has the corners (0, 0), (1, 0), (1, 1) of the cell, and triangle
 * 2 * cell + 1 has the corners (0, 0), (1, 1), (0, 1).
 *
 * @param def  never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, counts or spacings out of range, or extents beyond the limits of shape.h;
 *         ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_heightfield(const abut_heightfield_def *def, abut_shape **shape);

/** Number of triangles of a mesh, also of a mesh of rounded triangles (facetmesh.h); 0 for every other kind and for NULL. */
ABUT_API int32_t abut_shape_triangle_count(const abut_shape *shape);
/** Number of vertices of a mesh, also of a mesh of rounded triangles; 0 for every other kind and for NULL. */
ABUT_API int32_t abut_shape_vertex_count(const abut_shape *shape);

/** A triangle of a mesh. */
typedef struct abut_triangle {
    abut_vec3 corner[3]; /**< corners, counter-clockwise seen from outside; shape frame [length] */
    int32_t vertex[3];   /**< vertex indices of the corners */
} abut_triangle;

/**
 * Triangle `index` of a mesh, also of a mesh of rounded triangles.
 * @param triangle  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, an index out of range or a shape of another kind
 */
ABUT_API abut_status abut_shape_triangle(const abut_shape *shape, int32_t index, abut_triangle *triangle);

/** Closest point of a surface to a given point. World frame. */
typedef struct abut_projection {
    abut_vec3 point; /**< closest point of the surface */
    abut_vec3
        normal; /**< unit, from the surface to the given point. For a given point on a mesh: the sum of the normals of all triangles that
                               contain it, each weighted by its angle there, normalised. For a given point on a cylinder or cone: its outward normal */
    double distance; /**< distance of the two points; >= 0 [length] */
    abut_feature
        feature; /**< face, edge or vertex that contains the closest point, numbered as in abut_shape_create_trimesh(). When several
                               triangles contain it, the triangle with the lowest index names the feature. Of a cylinder or cone: disc, rim, apex or
                               side, as in abut_shape_create_cylinder() */
    bool behind; /**< true: the given point is behind the surface; for a closed mesh, a cylinder or a cone, it is inside. Decided by the sum
                               of the normals of all triangles that contain the closest point, each weighted by its angle there (Baerentzen and
                               Aanaes). This is also correct at edges and vertices */
} abut_projection;

/**
 * Closest point of a mesh or height field to a given point, found in its hierarchy; of a cylinder or a cone, in closed form. When a whole circle of a
 * cylinder or a cone is closest: its point towards +x of the shape frame.
 * @param shape       of kind ABUT_SHAPE_TRIMESH, ABUT_SHAPE_CYLINDER or ABUT_SHAPE_CONE
 * @param pose        pose of the shape frame in the world
 * @param point       any point, world frame
 * @param projection  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a shape of another kind or a pose that is not a rotation; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_shape_project(const abut_shape *shape, abut_pose pose, abut_vec3 point, abut_projection *projection);

#ifdef __cplusplus
}
#endif
