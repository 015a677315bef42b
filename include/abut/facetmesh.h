#pragma once

#include <abut/collide.h>
#include <abut/facet.h>
#include <abut/shape.h>

/**
 * @file facetmesh.h
 * Bodies of rounded triangles: closed surfaces for granular matter, whose contacts are those of facet.h.
 *
 * A body is a shape of kind ABUT_SHAPE_FACETMESH: a closed mesh of triangles, each with a radius of curvature, so that a coarse mesh of a ball is that
 * ball. Its mass, its volume and its support points are those of the polyhedron; its bounds hold the pieces of spheres, which bulge beyond it. Where the
 * surface is concave, triangles are flat. It touches others of its kind, spheres and planes; any other pair gives ABUT_ERROR_UNSUPPORTED_PAIR, and so do
 * distances and shape casts.
 *
 * A facet of a large radius stands for a sphere that reaches out of the body on its other side. So the body's thickness behind each facet is found when the body is
 * made, along the normal through the triangle's middle, and a pair of facets that overlap by more than half of it, of either body, is ABUT_FACET_ENGULFED and no
 * contact: else the far sides of two coins side by side would touch.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A body as the caller has it. Start from abut_facetmesh_def_default(). */
typedef struct abut_facetmesh_def {
    const abut_vec3 *vertices; /**< [vertex_count], shape frame; read during the call only */
    int32_t vertex_count;      /**< >= 4 */
    const int32_t
        *triangles;         /**< [3 triangle_count] indices into vertices, counter-clockwise seen from outside; read during the call only */
    int32_t triangle_count; /**< >= 4, at most 100 million */
    const double *
        radii; /**< [triangle_count] of curvature, each > 0, INFINITY for flat; one below that of the corners' circle is raised to it; NULL:
                                    estimated, see abut_shape_create_facetmesh() [length] */
} abut_facetmesh_def;

/** Nothing set: radii are estimated. */
ABUT_API abut_facetmesh_def abut_facetmesh_def_default(void);

/** What was found while a body was made. Edges are counted with vertices at exactly the same place taken as one. */
typedef struct abut_facetmesh_report {
    int32_t
        open_edge_count; /**< sides of triangles that have no partner: borders, edges of three or more triangles, neighbours wound against each other */
    int32_t first_open;       /**< the triangle of the first such side; -1 for none */
    int32_t degenerate_count; /**< triangles whose corners are on one line */
    int32_t first_degenerate; /**< the first of them; -1 for none */
    int32_t concave_count;    /**< triangles made flat because the surface is concave there; 0 when the radii were given */
    int32_t flat_count;       /**< triangles with an infinite radius, these included */
    int32_t raised_count;     /**< triangles whose given radius was below that of their corners' circle */
    double least_radius;      /**< of those that are not flat; 0 when there are none [length] */
    double greatest_radius;   /**< likewise [length] */
    double volume;            /**< of the polyhedron; negative when it is inside out [length^3] */
    size_t bytes;             /**< memory that the shape takes, with what it shares with shapes moved from it */
    int32_t culprit;          /**< the vertex, the place in `triangles` or in `radii` that an error is about; -1 for none */
} abut_facetmesh_report;

/**
 * A body of rounded triangles. A hierarchy of boxes is built over them in O(n log n). Takes about 320 bytes for a triangle.
 *
 * Radii that are not given are estimated for each triangle from the vertices of all triangles around it: the surface is taken as a sphere through the
 * three corners plus a saddle that vanishes there, by least squares, and the radius is that of the sphere: of the mean of the curvatures in all
 * directions, which is what Hertz's theory asks for first. Where that mean is not positive, as on the inner side of a fat torus, or the radius above a
 * million times the body's extent, the triangle is flat. Saddles whose mean is positive are as round as that says.
 *
 * On a sphere that is exact, to 1e-12 for any icosphere of up to 20480 triangles. On other smooth surfaces the error falls with the square of the edges'
 * length where triangles are regular, and with the length at odd corners. Root mean square error of the curvature, relative: ellipsoid (1, 0.8, 0.6) of
 * 320, 1280, 5120, 20480 triangles 2.8, 0.81, 0.26, 0.10 %; (1, 0.8, 0.4) 9.5, 2.8, 0.94, 0.37 %; torus of radius 1 and tube 0.4 with 12, 24, 48, 96
 * vertices around the tube 13, 3.3, 0.91, 0.31 % (test/shape/facet/test_radius.c).
 *
 * @param report  may be NULL; written in every case, also on an error
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for counts or indices out of range, a radius that is not above 0, or extents beyond what shape.h allows;
 *         ABUT_ERROR_NOT_FINITE; ABUT_ERROR_NOT_CLOSED; ABUT_ERROR_NOT_OUTWARD for a negative volume; ABUT_ERROR_DEGENERATE for a triangle whose corners
 *         are on one line, or no volume; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_facetmesh(const abut_facetmesh_def *def, abut_facetmesh_report *report, abut_shape **shape);

/**
 * The same triangles over moved vertices, for bodies that deform: triangles and neighbours are shared, and the hierarchy keeps its tree while its boxes are
 * made anew, in O(n). Every answer is that of a body built from these vertices and radii; when the body was deformed much, only the time they take is not.
 * Then build anew.
 *
 * @param shape     of kind ABUT_SHAPE_FACETMESH; not changed
 * @param vertices  [as many as it has], read during the call only
 * @param radii     [as many as it has triangles]; NULL: estimated anew where those of `shape` were estimated, else the same as there
 * @param report    may be NULL; written in every case, also on an error
 * @return as abut_shape_create_facetmesh(); ABUT_ERROR_NOT_CLOSED when vertices come apart that were at one place; ABUT_ERROR_INVALID_ARGUMENT for another kind
 *         of shape
 */
ABUT_API abut_status abut_shape_create_facetmesh_moved(const abut_shape *shape, const abut_vec3 *vertices, const double *radii,
                                                 abut_facetmesh_report *report, abut_shape **moved);

/** Number of facets; 0 for every other kind of shape. Corners and their indices are those of abut_shape_triangle(). */
ABUT_API int32_t abut_shape_facet_count(const abut_shape *shape);

/**
 * Facet `index`, posed, with the radius that counts.
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for an index out of range, a shape of another kind or a pose that is not a rotation
 */
ABUT_API abut_status abut_shape_facet(const abut_shape *shape, abut_pose pose, int32_t index, abut_facet *facet);

/** The radius of facet `index` as it was given, which may be below the one that counts [length]; 0 where radii are estimated, and for an index out of range or
 * a shape of another kind. */
ABUT_API double abut_shape_facet_given_radius(const abut_shape *shape, int32_t index);

/** Encompassing sphere of facet `index`, posed; returns as abut_shape_facet(). */
ABUT_API abut_status abut_shape_facet_sphere(const abut_shape *shape, abut_pose pose, int32_t index, abut_facet_sphere *sphere);

/** Contact of two bodies at a pair of facets. */
typedef struct abut_facetmesh_contact {
    int32_t facet_a;            /**< of A; -1 of a sphere or a plane */
    int32_t facet_b;            /**< of B; likewise */
    abut_facet_contact contact; /**< of the relation ABUT_FACET_CONTACT; world frame, normal from B into A */
} abut_facetmesh_contact;

/**
 * Contacts of a body of rounded triangles with another one, a sphere or a plane, in either order: all pairs of facets that abut_facet_collide() finds in
 * contact, in ascending order of facet_a, then facet_b, by the two hierarchies.
 *
 * abut_collide() gives the same contacts as abut_contact: faces for features, the area within the contact circle for the area, every one a patch of
 * its own, and no contact within a margin.
 *
 * @param contacts  [capacity], owned by the caller; may be NULL when capacity is 0
 * @param count     set to the number of contacts found, also when it is larger than capacity; 0 on every other error; never NULL
 * @return ABUT_OK; ABUT_ERROR_CAPACITY when *count > capacity (the first `capacity` contacts are written); ABUT_ERROR_INVALID_ARGUMENT;
 *         ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNSUPPORTED_PAIR for any other pair of kinds; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_collide_facets(const abut_pair *pair, abut_facetmesh_contact *contacts, int32_t capacity, int32_t *count);

#ifdef __cplusplus
}
#endif
