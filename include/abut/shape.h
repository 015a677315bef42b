#pragma once

#include <abut/base.h>
#include <abut/math.h>

/**
 * @file shape.h
 * Shapes: what can touch.
 *
 * A shape is immutable, reference-counted and may be shared between bodies, worlds and threads. It lives in a frame of its own; a pose places
 * it in the world when a question is asked. Lengths are in the caller's unit; nothing here knows an absolute size, so a half size of 1e-4
 * behaves as one of 1e4 does.
 *
 * Every abut_create_... function checks its arguments, writes the new shape to *shape with one reference that the caller owns, and leaves
 * *shape untouched on any error. Give the reference back with abut_shape_release().
 *
 * The volume and the moments of inertia of a bounded shape must be ordinary numbers, and so must products of six of its sizes, which limits
 * lengths to about 1e-51 to 1e51. A box, polytope or smooth shape must not be thinner than the rounding of its size, a part in
 * 1e15 or so. ABUT_ERROR_INVALID_ARGUMENT beyond.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** An immutable shape; opaque. */
typedef struct abut_shape abut_shape;

/** What a shape is. Zero is no kind. */
typedef enum abut_kind {
    ABUT_SHAPE_SPHERE = 1,
    ABUT_SHAPE_CAPSULE,
    ABUT_SHAPE_BOX,
    ABUT_SHAPE_POLYTOPE, /**< also hulls, cylinders and cones */
    ABUT_SHAPE_PLANE,
    ABUT_SHAPE_COMPOUND,
    ABUT_SHAPE_TRIMESH,     /**< a triangle mesh or a height field: mesh.h */
    ABUT_SHAPE_ELLIPSOID,   /**< smooth.h */
    ABUT_SHAPE_SUPERQUADRIC, /**< smooth.h */
    ABUT_SHAPE_IMPLICIT,    /**< smooth.h */
    ABUT_SHAPE_PARAMETRIC,  /**< smooth.h */
    ABUT_SHAPE_FACETMESH    /**< a closed mesh of rounded triangles: facetmesh.h */
} abut_kind;

/**
 * A ball about the origin of its frame.
 * @param radius  > 0
 * @return ABUT_OK; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_INVALID_ARGUMENT for radius <= 0 or shape NULL; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_sphere(double radius, abut_shape **shape);

/**
 * All points within `radius` of the segment from (0, 0, -half_length) to (0, 0, half_length).
 * @param radius       > 0
 * @param half_length  >= 0, of the segment without its caps; 0 makes a ball
 * @return as abut_shape_create_sphere()
 */
ABUT_API abut_status abut_shape_create_capsule(double radius, double half_length, abut_shape **shape);

/**
 * The box |x| <= half.x, |y| <= half.y, |z| <= half.z.
 *
 * Vertex i lies at +half where bit 0 (x), 1 (y), 2 (z) of i is set, else at -half. Faces: 0 -x, 1 +x, 2 -y, 3 +y, 4 -z, 5 +z.
 * @param half  half sizes, each > 0
 * @return as abut_shape_create_sphere()
 */
ABUT_API abut_status abut_shape_create_box(abut_vec3 half, abut_shape **shape);

/** The surface of a polytope as the caller has it. */
typedef struct abut_polytope_def {
    const abut_vec3 *vertices;   /**< [vertex_count]; read during the call only */
    int32_t vertex_count;        /**< >= 4 */
    const int32_t *face_sizes;   /**< [face_count], corners of each face, each >= 3 */
    int32_t face_count;          /**< >= 4 */
    const int32_t *face_vertices;/**< the corners of all faces in turn, counter-clockwise seen from outside; indices into vertices */
    double tolerance;            /**< how far a vertex may lie beyond a face's plane, relative to the polytope's largest extent; 0 for the
                                      default 1e-9; never less than what the rounding of the coordinates comes to far from the origin */
} abut_polytope_def;

/** What was found while a polytope was checked. */
typedef struct abut_polytope_report {
    int32_t face;     /**< the face of the definition that is to blame; -1 for none */
    int32_t vertex;   /**< the vertex that is to blame, also an index out of range as it was given; -1 for none */
    double dent;      /**< the largest distance of a vertex beyond the plane of a face it does not belong to, or within one; >= 0 [length] */
} abut_polytope_report;

/**
 * A convex polytope from its vertices and faces.
 *
 * Checked: indices in range, every edge shared by exactly two faces that run along it in opposite senses, faces outward, every vertex on the
 * inner side of every face within the tolerance, volume positive. Vertices at exactly the same place count as one. Coplanar neighbouring
 * faces are merged into one (so a triangulated cube has six faces); vertices that no face of the result uses are left out; those that are
 * left keep their order and every bit. Vertex and face indices of the result are its own: read them with abut_shape_polytope().
 *
 * @param report  may be NULL; written in every case, also on an error
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for counts or indices out of range; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_NOT_CLOSED;
 *         ABUT_ERROR_NOT_OUTWARD; ABUT_ERROR_NOT_CONVEX; ABUT_ERROR_DEGENERATE for zero volume; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_polytope(const abut_polytope_def *def, abut_polytope_report *report, abut_shape **shape);

/**
 * The convex hull of a cloud of points, by qhull; coplanar facets are merged. Any number of points. The vertices are some of the points, bit
 * for bit and in their order; no point lies outside by more than 1e-9 of the largest extent, or than the rounding of its coordinates.
 * @param points  [count], count >= 4; read during the call only
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_DEGENERATE when the points span no volume, or none
 *         that the rounding of their coordinates does not hide; ABUT_ERROR_UNSUPPORTED in a build without qhull; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_hull(const abut_vec3 *points, int32_t count, abut_shape **shape);

/**
 * A right prism over a regular polygon inscribed in a circle: a cylinder about the z axis when `sides` is large.
 * @param radius       of the circle, > 0
 * @param half_height  > 0; the end faces lie at z = -half_height and z = half_height
 * @param sides        3 to 4096; 0 for the default 32
 * @return as abut_shape_create_sphere()
 */
ABUT_API abut_status abut_shape_create_cylinder(double radius, double half_height, int32_t sides, abut_shape **shape);

/**
 * A right pyramid over a regular polygon inscribed in a circle: a cone about the z axis when `sides` is large. The origin is its centre of mass:
 * the base lies at z = -height / 4, the apex at z = 3 height / 4.
 * @param radius  of the circle, > 0
 * @param height  > 0
 * @param sides   3 to 4096; 0 for the default 32
 * @return as abut_shape_create_sphere()
 */
ABUT_API abut_status abut_shape_create_cone(double radius, double height, int32_t sides, abut_shape **shape);

/**
 * The half-space normal . x <= offset. Its surface is the plane; everything below it is inside.
 * @param normal  outward, of any length but zero; normalised on use together with the offset as given for the unit normal
 * @param offset  of the plane from the origin along the unit normal [length]
 * @return as abut_shape_create_sphere(); ABUT_ERROR_INVALID_ARGUMENT for a zero normal
 */
ABUT_API abut_status abut_shape_create_plane(abut_vec3 normal, double offset, abut_shape **shape);

/** One part of a compound. */
typedef struct abut_part {
    const abut_shape *shape; /**< convex and bounded: no plane, compound or mesh */
    abut_pose pose;          /**< of the part in the compound's frame */
} abut_part;

/**
 * A union of posed convex parts that moves as one. The compound keeps a reference to each part's shape. Parts may touch or overlap.
 * @param parts  [count], count >= 1; read during the call only
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for a bad count or pose, or a part that is a plane or a compound; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_compound(const abut_part *parts, int32_t count, abut_shape **shape);

/** One more reference to the shape; returns it. NULL gives NULL. Safe from any thread. */
ABUT_API const abut_shape *abut_shape_retain(const abut_shape *shape);

/** Give one reference back; the last one frees the shape. NULL does nothing. Safe from any thread. */
ABUT_API void abut_shape_release(const abut_shape *shape);

/** What the shape is. */
ABUT_API abut_kind abut_shape_kind(const abut_shape *shape);

/** "sphere", "capsule", "box", "polytope", "plane", "compound", "trimesh", "ellipsoid", "superquadric", "implicit",
    "parametric", "facetmesh"; "unknown" outside the enumeration. Static storage. */
ABUT_API const char *abut_kind_name(abut_kind kind);

/** Radius of a sphere or capsule [length]; 0 for every other kind. */
ABUT_API double abut_shape_radius(const abut_shape *shape);
/** Half length of a capsule's segment [length]; 0 for every other kind. */
ABUT_API double abut_shape_half_length(const abut_shape *shape);
/** Half sizes of a box along the axes of its frame [length]; zero for every other kind and for NULL. */
ABUT_API abut_vec3 abut_shape_half_sizes(const abut_shape *shape);
/** Outward unit normal of a plane; zero for every other kind. */
ABUT_API abut_vec3 abut_shape_plane_normal(const abut_shape *shape);
/** Offset of a plane along its unit normal [length]; 0 for every other kind. */
ABUT_API double abut_shape_plane_offset(const abut_shape *shape);

/** A polytope's surface, as it is stored. The arrays belong to the shape and live as long as it does. */
typedef struct abut_polytope_view {
    const abut_vec3 *vertices;     /**< [vertex_count], shape frame */
    int32_t vertex_count;          /**< corners of the surface */
    int32_t face_count;            /**< coplanar neighbours are one face */
    const int32_t *face_first;     /**< [face_count + 1]: the corners of face f are face_vertices[face_first[f]] to face_first[f + 1] - 1 */
    const int32_t *face_vertices;  /**< counter-clockwise seen from outside */
    const abut_vec3 *face_normals; /**< [face_count], outward, unit */
    int32_t edge_count;            /**< vertex_count + face_count - 2 */
    const int32_t *edge_vertices;  /**< [2 edge_count], the smaller vertex index first */
} abut_polytope_view;

/**
 * The surface of a box or a polytope.
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for a shape of another kind or NULL
 */
ABUT_API abut_status abut_shape_polytope(const abut_shape *shape, abut_polytope_view *view);

/** Number of parts of a compound, as abut_shape_create_compound() got them; 1 for every other kind; 0 for NULL. */
ABUT_API int32_t abut_shape_part_count(const abut_shape *shape);

/**
 * A child of a compound: its shape, and the pose of that shape's frame in the compound's frame. Parts keep the order of abut_shape_create_compound(). Every other
 * kind has one part: the shape itself, with the identity pose.
 * @param index  0 <= index < abut_shape_part_count(shape)
 * @param part   receives the child; untouched on an error. part->shape belongs to the compound and lives as long as it does: do not release it. Call
 *               abut_shape_retain() to keep it longer
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for an index out of range, or NULL
 */
ABUT_API abut_status abut_shape_part(const abut_shape *shape, int32_t index, abut_part *part);

/**
 * Support function: a point of the shape farthest along a direction. Shape frame.
 * @param direction  of any length but zero
 * @param point      farthest point; of several the vertex with the lowest index (of a capsule's side its end at -z), in a compound that of
 *                   the first part; never NULL
 * @param vertex     index of that vertex of a box, polytope or mesh (of the part, in a compound); -1 for round shapes; may be NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or a zero direction; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNBOUNDED for a plane
 */
ABUT_API abut_status abut_shape_support(const abut_shape *shape, abut_vec3 direction, abut_vec3 *point, int32_t *vertex);

/** Mass properties of a homogeneous body. */
typedef struct abut_mass {
    double mass;       /**< density times volume */
    double volume;     /**< [length^3] */
    abut_vec3 centre;  /**< centre of mass, shape frame */
    abut_mat3 inertia; /**< about the centre of mass, axes of the shape frame; symmetric [mass length^2] */
} abut_mass;

/**
 * Mass, centre and inertia of a shape filled with the density, in closed form; of implicit and parametric shapes by quadrature. The parts of a compound are added up: where they overlap
 * they count twice.
 * @param density  > 0 [mass / length^3]
 * @return ABUT_OK; ABUT_ERROR_UNBOUNDED for a plane; ABUT_ERROR_NOT_CLOSED for a mesh without an inside; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_shape_mass(const abut_shape *shape, double density, abut_mass *mass);

/**
 * The smallest axis-aligned box around the posed shape, world frame. A plane is unbounded but for one side when it is square to an axis.
 * Empty for NULL; unbounded on all sides for a pose that is not a rotation.
 */
ABUT_API abut_aabb abut_shape_bounds(const abut_shape *shape, abut_pose pose);

#ifdef __cplusplus
}
#endif
