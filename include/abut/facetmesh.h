#pragma once

#include <abut/collide.h>
#include <abut/facet.h>
#include <abut/shape.h>

/**
 * @file facetmesh.h
 * Bodies of rounded triangles: closed surfaces for granular matter. Their contacts are those of facet.h.
 *
 * A body is a shape of kind ABUT_SHAPE_FACETMESH: a closed mesh of triangles, each with a radius of curvature. A coarse mesh of a ball therefore
 * acts as an exact ball. Mass, volume and support points are those of the polyhedron. The bounds also contain the spherical pieces, which bulge
 * beyond the polyhedron. Triangles are flat where the surface is concave. A triangle may also have two principal curvatures: its sphere has the mean of
 * both, and forces are those of Hertz's elliptic disc (pressure.h). A body collides with shapes of every kind. Spheres and planes are whole
 * surfaces; every other shape counts as its *skin*: flat facets for faces, and fine facets with both principal curvatures for curved surfaces
 * (the sides of capsules, cylinders and cones: with the mean of both). Distances and
 * casts refer to the same surfaces: of each facet the points of its sphere whose line to the centre passes through the triangle. Contacts decide whether bodies
 * touch; on coarse meshes they may begin a little before the distance is 0 (docs/methods/queries.md).
 *
 * The sphere of a facet with a large radius extends beyond the other side of the body. The thickness of the body behind each facet is therefore
 * measured when the body is created, along the normal through the middle of the triangle. A pair of facets that overlap by more than half of this
 * thickness, of either body, is ABUT_FACET_ENGULFED and not a contact. Otherwise the far sides of two coins side by side would touch.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Definition of a body of rounded triangles. Shape frame. Start from abut_facetmesh_def_default(). */
typedef struct abut_facetmesh_def {
    const abut_vec3 *vertices; /**< [vertex_count] [length]; the arrays are read during the call only */
    int32_t vertex_count;      /**< >= 4 */
    const int32_t *triangles;  /**< [3 triangle_count] indices into vertices, counter-clockwise seen from outside */
    int32_t triangle_count;    /**< 4 to 100 million */
    const double *radii;       /**< [triangle_count] radii of curvature, each > 0; INFINITY for flat. A radius below that of the circle through the
                                    corners is raised to that radius. NULL: the radii are estimated, see abut_shape_create_facetmesh() [length] */
    const double *cross_radii; /**< NULL: facets are round in all directions. [triangle_count] radii of curvature at a right angle to `directions`;
                                    radii[i] is then the one along directions[i]. Below 0 where the surface is concave that way; the mean of both
                                    curvatures must be above 0, or both INFINITY. Needs `radii` and `directions` [length] */
    const abut_vec3 *directions; /**< [triangle_count] principal directions, of any length but 0; what is perpendicular to the triangle does not count.
                                      Without effect where both radii are equal; may be NULL without cross_radii */
    double lip_radius; /**< 0: edges of flat facets are sharp. > 0: convex edges of more than 30 degrees between flat facets, and their corners, are round
                            with this radius: they press like a ball, or a ring with such a tube, and not by the flat facets beside them. The shape then has
                            more triangles and other vertices than those given here. Needs `radii` [length] */
    bool principal; /**< without `radii`: estimate both principal curvatures and their directions; false (default): their mean only */
} abut_facetmesh_def;

/** An empty definition: all fields are zero, so radii are estimated, and facets are round in all directions. */
ABUT_API abut_facetmesh_def abut_facetmesh_def_default(void);

/** Findings of the construction of a body. Vertices with exactly equal positions count as one vertex when edges are counted. */
typedef struct abut_facetmesh_report {
    int32_t open_edge_count;  /**< number of triangle sides without a partner: borders, edges of three or more triangles, and neighbours with
                                   opposite winding */
    int32_t first_open;       /**< triangle of the first such side; -1 for none */
    int32_t degenerate_count; /**< number of triangles whose corners are on one line */
    int32_t first_degenerate; /**< first of these triangles; -1 for none */
    int32_t concave_count;    /**< number of triangles made flat because the surface is concave there; 0 when the radii were given */
    int32_t flat_count;       /**< number of triangles with an infinite radius, including the concave ones */
    int32_t raised_count;     /**< number of triangles whose given radius was below that of the circle through their corners */
    double least_radius;      /**< least radius of the triangles that are not flat; 0 when all are flat [length] */
    double greatest_radius;   /**< greatest radius of these triangles; 0 when all are flat [length] */
    double volume;            /**< volume of the polyhedron; negative when it is inside out [length^3] */
    size_t bytes;             /**< memory of the shape, including the memory that it shares with shapes moved from it */
    int32_t culprit;          /**< vertex, position in `triangles`, or position in `radii` that caused an error; -1 for none */
} abut_facetmesh_report;

/**
 * Create a body of rounded triangles. Builds a hierarchy of boxes in O(n log n). Memory: about 350 bytes per triangle.
 *
 * Radii that are not given are estimated for each triangle from the vertices of all triangles around it. By least squares, the surface is fitted by
 * a sphere through the three corners plus a saddle that vanishes there. The radius is that of the sphere. Its curvature is the mean of the
 * curvatures in all directions, which is the leading term in Hertz's theory. The triangle is flat when this mean is not positive, as on the inner
 * side of a fat torus, or when the radius exceeds a million times the extent of the body. A saddle with a positive mean gets the radius of this
 * mean. With `principal`, the saddle of the fit is kept as well: half the difference of the principal curvatures, and their directions.
 *
 * Accuracy: on a sphere the estimate is exact, to 1e-12 for icospheres of up to 20480 triangles. On other smooth surfaces the error decreases with
 * the square of the edge length where triangles are regular, and with the edge length at irregular corners. Relative root mean square error of the
 * curvature (test/shape/facet/test_radius.c): ellipsoid (1, 0.8, 0.6) with 320, 1280, 5120, 20480 triangles: 2.8, 0.81, 0.26, 0.10 %; ellipsoid
 * (1, 0.8, 0.4): 9.5, 2.8, 0.94, 0.37 %; torus of radius 1 and tube radius 0.4 with 12, 24, 48, 96 vertices around the tube: 13, 3.3, 0.91, 0.31 %.
 *
 * @param def     never NULL
 * @param report  written in every case, also on an error; may be NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, counts or indices out of range, a radius that is not > 0, or extents beyond the limits of
 *         shape.h; ABUT_ERROR_NOT_FINITE for a vertex that is not finite or a radius that is NaN; ABUT_ERROR_NOT_CLOSED; ABUT_ERROR_NOT_OUTWARD for a
 *         negative volume; ABUT_ERROR_DEGENERATE for a triangle whose corners are on one line, or for zero volume; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_facetmesh(const abut_facetmesh_def *def, abut_facetmesh_report *report, abut_shape **shape);

/**
 * Create a body with the same triangles over moved vertices, for bodies that deform. Takes O(n): triangles and neighbours are shared, and the
 * hierarchy keeps its tree with new boxes. Every result equals that of a body created from these vertices and radii. After a large deformation
 * queries become slower; then create the body anew.
 *
 * @param shape     of kind ABUT_SHAPE_FACETMESH; not changed
 * @param vertices  [abut_shape_vertex_count()] positions, shape frame; read during the call only [length]
 * @param radii     [abut_shape_facet_count()] radii; read during the call only. NULL: estimated anew when those of `shape` were estimated, else
 *                  unchanged; both principal curvatures then also, with their angle to the triangle's first side. Given radii make all facets round in
 *                  all directions [length]
 * @param report    written in every case, also on an error; may be NULL
 * @param moved     set to the new shape, with one reference that the caller owns; untouched on an error; never NULL
 * @return as abut_shape_create_facetmesh(); ABUT_ERROR_NOT_CLOSED also when vertices that had equal positions have different ones;
 *         ABUT_ERROR_INVALID_ARGUMENT also for another kind of shape
 */
ABUT_API abut_status abut_shape_create_facetmesh_moved(const abut_shape *shape, const abut_vec3 *vertices, const double *radii,
                                                 abut_facetmesh_report *report, abut_shape **moved);

/** Number of facets; 0 for every other kind of shape and for NULL. abut_shape_triangle() gives the corners and their vertex indices. */
ABUT_API int32_t abut_shape_facet_count(const abut_shape *shape);

/**
 * Facet `index` in the world frame, with its effective radius: the given or estimated radius, raised where necessary.
 * @param pose   pose of the shape frame in the world
 * @param facet  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, an index out of range, a shape of another kind or an invalid pose
 */
ABUT_API abut_status abut_shape_facet(const abut_shape *shape, abut_pose pose, int32_t index, abut_facet *facet);

/** Curvatures of a facet, after its radius was raised where necessary. The sphere of the facet has the mean of both. */
typedef struct abut_facet_curvatures {
    double along;        /**< curvature along `direction`, the greater of both; 0 for a flat facet [1 / length] */
    double across;       /**< curvature at a right angle to it; below 0 where the surface is concave that way [1 / length] */
    abut_vec3 direction; /**< unit, in the plane of the triangle; zero for a facet that is round in all directions */
} abut_facet_curvatures;

/** Curvatures of facet `index`; the direction is in the world frame. Arguments and statuses are those of abut_shape_facet(). */
ABUT_API abut_status abut_shape_facet_curvatures(const abut_shape *shape, abut_pose pose, int32_t index, abut_facet_curvatures *curvatures);

/** Radius of facet `index` as it was given; it may be below the effective radius. Of two given radii, that of the mean of both
    curvatures [length]. 0 when radii were estimated, and for an index out of range
    or a shape of another kind. */
ABUT_API double abut_shape_facet_given_radius(const abut_shape *shape, int32_t index);

/** Encompassing sphere of facet `index` in the world frame. Arguments and statuses are those of abut_shape_facet(). */
ABUT_API abut_status abut_shape_facet_sphere(const abut_shape *shape, abut_pose pose, int32_t index, abut_facet_sphere *sphere);

/** Contact of two bodies at one pair of facets. */
typedef struct abut_facetmesh_contact {
    int32_t facet_a;            /**< facet of A, or of its skin; -1 for a sphere or a plane */
    int32_t facet_b;            /**< the same of B */
    abut_facet_contact contact; /**< contact with the relation ABUT_FACET_CONTACT; world frame, normal from B into A */
} abut_facetmesh_contact;

/**
 * Contacts of two shapes as bodies of rounded triangles: of their facets or of those of their skins. At least one is neither a sphere nor a plane. The
 * contacts are all pairs of facets that abut_facet_collide() finds in contact, in ascending order of facet_a, then facet_b, except pairs of flat facets
 * that are not the way out of each other's bodies, and the side of a two-sided mesh that is turned away from the other body's centre. The pairs are found
 * with the hierarchies of both bodies. The skin of a shape is made in its first call and
 * kept with the shape.
 *
 * abut_collide() gives the same contacts as abut_contact: the features are faces, the area is the area inside the contact circle, and every
 * contact is a patch of its own. Two flat facets give a patch of the corners of their polygon where they overlap. It gives no contacts with a positive
 * gap, for any margin.
 *
 * @param pair      never NULL
 * @param contacts  [capacity], owned by the caller; may be NULL when capacity is 0
 * @param capacity  >= 0
 * @param count     set to the number of contacts found, also when this exceeds capacity; 0 on every other error; never NULL
 * @return ABUT_OK; ABUT_ERROR_CAPACITY when *count > capacity: the first `capacity` contacts are written; ABUT_ERROR_INVALID_ARGUMENT for NULL, a
 *         negative capacity, or a pose that is not a rotation; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNSUPPORTED_PAIR for two spheres, two planes,
 *         one of each, or a smooth shape that is not convex and has no abut_shape_surface_mesh(); ABUT_ERROR_DEGENERATE for a mesh no triangle of
 *         which has an area; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_collide_facets(const abut_pair *pair, abut_facetmesh_contact *contacts, int32_t capacity, int32_t *count);

#ifdef __cplusplus
}
#endif
