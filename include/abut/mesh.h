#pragma once

#include <abut/base.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/shape.h>

/**
 * @file mesh.h
 * Triangle meshes and height fields: surfaces that need not be convex, closed or tidy. See docs/methods/meshes.md.
 *
 * A mesh is a shape of kind ABUT_SHAPE_TRIMESH. Its surface is what its triangles depict: contacts do not depend on how a flat or curved place
 * is cut into triangles, on whether corners at one place share an index, or on T-junctions. One-sided meshes have an outside, from which
 * a triangle's corners are counter-clockwise; what lies behind a triangle does not touch it.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A mesh as the caller has it. Start from abut_trimesh_def_default(). */
typedef struct abut_trimesh_def {
    const abut_vec3 *vertices; /**< [vertex_count]; read during the call only */
    int32_t vertex_count;      /**< >= 3 */
    const int32_t *triangles;  /**< [3 triangle_count] indices into vertices, counter-clockwise seen from outside; read during the call only */
    int32_t triangle_count;    /**< >= 1, at most 700 million */
    abut_vec3 scale;           /**< applied to the vertices first, by component, none 0; default 1, 1, 1. Where it mirrors, triangles are wound the
                                    other way round, so that the outside stays outside */
    abut_pose pose;            /**< of the scaled vertices in the shape's frame; default the identity */
    bool two_sided;            /**< no side is the outside: triangles touch from both; default false */
} abut_trimesh_def;

/** The defaults named above, and nothing else set. */
ABUT_API abut_trimesh_def abut_trimesh_def_default(void);

/** What was found while a mesh was made. Edges and vertices are counted with vertices at exactly the same place taken as one. */
typedef struct abut_trimesh_report {
    int32_t degenerate_count; /**< triangles without a face: no higher over their longest side than rounding; they count as that side */
    int32_t first_degenerate; /**< the first of them; -1 for none */
    int32_t repeated_count;   /**< vertices at exactly the same place as an earlier one */
    int32_t open_edge_count;  /**< sides that have no partner: borders, edges of three or more triangles, neighbours wound against each other */
    int32_t first_open;       /**< the triangle of the first such side; -1 for none */
    bool closed;              /**< there are none, and the volume inside is positive: the mesh has a mass */
    size_t bytes;             /**< memory that the shape takes */
    int32_t culprit;          /**< the vertex, or place in `triangles`, that an error is about; -1 for none */
} abut_trimesh_report;

/**
 * A mesh from its triangles. A hierarchy of boxes is built over them in O(n log n). Takes 12 bytes for a triangle, 24 for a vertex and about 25 for
 * the hierarchy of each triangle.
 *
 * Any triangles will do: degenerate ones, repeated ones, open borders, several pieces. Indices in features are those of the definition:
 * vertices, triangles as faces, and 3 times the triangle plus k for the edge from its corner k to the next.
 *
 * @param report  may be NULL; written in every case, also on an error
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for counts or indices out of range, a scale of 0, a pose that is not a rotation, or extents
 *         beyond what shape.h allows; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_DEGENERATE when all vertices are at one place;
 *         ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_trimesh(const abut_trimesh_def *def, abut_trimesh_report *report, abut_shape **shape);

/** A height field as the caller has it. */
typedef struct abut_heightfield_def {
    const double *heights; /**< [columns * rows], row by row: the height z over x = spacing_x * column, y = spacing_y * row; read during the call only */
    int32_t columns;       /**< of vertices, >= 2 */
    int32_t rows;          /**< of vertices, >= 2; columns * rows at most 350 million */
    double spacing_x;      /**< > 0 [length] */
    double spacing_y;      /**< > 0 [length] */
    bool two_sided;        /**< as of a mesh; else the outside is above */
} abut_heightfield_def;

/**
 * A mesh over a grid, without stored triangles: it takes 8 bytes for a vertex and 2 for the hierarchy of each triangle.
 *
 * Vertex columns * row + column. Every cell is cut from its lowest corner to its highest: triangle 2 * cell has the corners (0, 0), (1, 0), (1, 1) of
 * it and triangle 2 * cell + 1 the corners (0, 0), (1, 1), (0, 1); cells are numbered row by row, too.
 *
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_heightfield(const abut_heightfield_def *def, abut_shape **shape);

/** Number of triangles of a mesh, also of one of rounded triangles (facetmesh.h); 0 for every other kind. */
ABUT_API int32_t abut_shape_triangle_count(const abut_shape *shape);
/** Number of vertices of a mesh, likewise; 0 for every other kind. */
ABUT_API int32_t abut_shape_vertex_count(const abut_shape *shape);

/** A triangle of a mesh. */
typedef struct abut_triangle {
    abut_vec3 corner[3]; /**< counter-clockwise seen from outside, shape frame */
    int32_t vertex[3];   /**< their indices */
} abut_triangle;

/**
 * Triangle `index` of a mesh, also of one of rounded triangles.
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for an index out of range or a shape of another kind
 */
ABUT_API abut_status abut_shape_triangle(const abut_shape *shape, int32_t index, abut_triangle *triangle);

/** The point of a mesh that is closest to a given one. World frame. */
typedef struct abut_projection {
    abut_vec3 point;      /**< closest point of the surface */
    abut_vec3 normal;     /**< unit, from the surface to the given point; where that lies on the surface, the normal of a triangle that has it */
    double distance;      /**< >= 0 [length] */
    abut_feature feature; /**< the face, edge or vertex that has the closest point, numbered as abut_shape_create_trimesh() says; of several the triangle with
                               the lowest index names it */
    bool behind;          /**< the given point is seen from behind there: of a closed mesh, it lies inside. By the sum of the normals of all triangles that
                               have the closest point, each weighted by its angle there (Baerentzen and Aanaes), which is right at edges and vertices, too */
} abut_projection;

/**
 * The closest point of a mesh, by its hierarchy.
 * @param point       anywhere
 * @param projection  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for another kind of shape or a pose that is not a rotation; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_shape_project(const abut_shape *shape, abut_pose pose, abut_vec3 point, abut_projection *projection);

#ifdef __cplusplus
}
#endif
