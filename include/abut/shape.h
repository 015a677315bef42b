#pragma once

#include <abut/base.h>
#include <abut/math.h>

/**
 * @file shape.h
 * Shapes: the geometry of bodies.
 *
 * A shape is immutable and reference-counted. Bodies, worlds and threads may share it. A shape is defined in its own frame; each query places it
 * in the world by a pose. Lengths are in the caller's unit. No tolerance is an absolute length, so a half size of 1e-4 behaves as one of 1e4.
 *
 * Every abut_shape_create_... function checks its arguments and writes the new shape to *shape, with one reference that the caller owns. On an
 * error *shape is untouched. Release the reference with abut_shape_release().
 *
 * The volume, the moments of inertia and products of six lengths of a bounded shape must neither overflow nor underflow. This limits lengths to
 * about 1e-51 to 1e51. A box, polytope or smooth shape must not be thinner than the rounding error of its size, about 1e-15 of it. Shapes
 * beyond these limits give ABUT_ERROR_INVALID_ARGUMENT.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** An immutable shape; opaque. */
typedef struct abut_shape abut_shape;

/** Kind of a shape. Zero is not a kind. */
typedef enum abut_kind {
    ABUT_SHAPE_SPHERE = 1,   /**< a ball */
    ABUT_SHAPE_CAPSULE,      /**< a cylinder with two half balls as ends */
    ABUT_SHAPE_BOX,          /**< a rectangular box */
    ABUT_SHAPE_POLYTOPE,     /**< a convex polytope; also convex hulls, prisms and pyramids */
    ABUT_SHAPE_PLANE,        /**< a half-space */
    ABUT_SHAPE_COMPOUND,     /**< a union of convex parts */
    ABUT_SHAPE_TRIMESH,      /**< a triangle mesh or a height field: mesh.h */
    ABUT_SHAPE_ELLIPSOID,    /**< an ellipsoid: smooth.h */
    ABUT_SHAPE_SUPERQUADRIC, /**< a superellipsoid: smooth.h */
    ABUT_SHAPE_IMPLICIT,     /**< a body defined by an implicit function: smooth.h */
    ABUT_SHAPE_PARAMETRIC,   /**< a body defined by a parametric surface: smooth.h */
    ABUT_SHAPE_FACETMESH,    /**< a closed mesh of rounded triangles: facetmesh.h */
    ABUT_SHAPE_CYLINDER,     /**< a cylinder between two discs */
    ABUT_SHAPE_CONE          /**< a cone, also a truncated one */
} abut_kind;

/**
 * A ball with its centre at the origin.
 * @param radius  > 0 [length]
 * @return ABUT_OK; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_INVALID_ARGUMENT for radius <= 0 or shape NULL; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_sphere(double radius, abut_shape **shape);

/**
 * All points within `radius` of the segment from (0, 0, -half_length) to (0, 0, half_length).
 * @param radius       > 0 [length]
 * @param half_length  half the length of the segment, without the caps; >= 0; 0 makes a ball [length]
 * @return as abut_shape_create_sphere()
 */
ABUT_API abut_status abut_shape_create_capsule(double radius, double half_length, abut_shape **shape);

/**
 * The box |x| <= half.x, |y| <= half.y, |z| <= half.z.
 *
 * Bit 0 of a vertex index selects its x coordinate: +half.x when the bit is set, else -half.x. Bits 1 and 2 select y and z likewise. Faces: 0 -x,
 * 1 +x, 2 -y, 3 +y, 4 -z, 5 +z.
 * @param half  half sizes, each > 0 [length]
 * @return as abut_shape_create_sphere()
 */
ABUT_API abut_status abut_shape_create_box(abut_vec3 half, abut_shape **shape);

/** Definition of a polytope by its surface. Shape frame. */
typedef struct abut_polytope_def {
    const abut_vec3 *vertices;   /**< [vertex_count] [length]; the arrays are read during the call only */
    int32_t vertex_count;        /**< >= 4 */
    const int32_t *face_sizes;   /**< [face_count] number of corners of each face, each >= 3 */
    int32_t face_count;          /**< >= 4 */
    const int32_t *face_vertices;/**< [sum of face_sizes] corners of all faces, face by face, counter-clockwise seen from outside; indices into
                                      `vertices` */
    double tolerance;            /**< largest distance of a vertex beyond the plane of a face, relative to the largest extent of the polytope;
                                      >= 0; 0 for the default 1e-9. It is raised to the rounding error of the coordinates when that is larger,
                                      as far from the origin */
} abut_polytope_def;

/** Findings of the check of a polytope. */
typedef struct abut_polytope_report {
    int32_t face;     /**< face of the definition that caused the error; -1 for none */
    int32_t vertex;   /**< vertex that caused the error; for an index out of range, this index; -1 for none */
    double dent;      /**< of a surface that is not convex: largest depth of one of its edges below the convex hull of its vertices, or largest
                           spread of a face's own vertices along its normal. Of a polytope: how far vertices lie beyond faces, within the
                           tolerance. In a build without hulls always the latter; >= 0 [length] */
} abut_polytope_report;

/**
 * A convex polytope from its vertices and faces.
 *
 * The following is checked: indices are in range; every edge belongs to exactly two faces, which traverse it in opposite directions; faces are
 * outward; every vertex is on the inner side of every face, within the tolerance; the volume is positive. Vertices with exactly equal positions
 * count as one. Coplanar neighbouring faces are merged, so a triangulated cube has six faces. Vertices that no face of the result uses are
 * removed. The other vertices keep their order and every bit. The result has its own vertex and face indices: read them with
 * abut_shape_polytope().
 *
 * @param def     never NULL
 * @param report  written in every case, also on an error; may be NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, or counts, indices or a tolerance out of range; ABUT_ERROR_NOT_FINITE for a vertex;
 *         ABUT_ERROR_NOT_CLOSED; ABUT_ERROR_NOT_OUTWARD; ABUT_ERROR_NOT_CONVEX; ABUT_ERROR_DEGENERATE for zero volume; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_polytope(const abut_polytope_def *def, abut_polytope_report *report, abut_shape **shape);

/**
 * The convex hull of a point cloud, by qhull. Coplanar facets are merged. The vertices are a subset of the points, bit for bit and in their order.
 * No point lies outside by more than 1e-9 of the largest extent, or by more than the rounding error of its coordinates.
 * @param points  [count], read during the call only
 * @param count   >= 4
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_DEGENERATE when the points span no volume, or only a volume
 *         within the rounding error of their coordinates; ABUT_ERROR_UNSUPPORTED in a build without qhull; ABUT_ERROR_INTERNAL when qhull fails;
 *         ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_hull(const abut_vec3 *points, int32_t count, abut_shape **shape);

/**
 * The solid cylinder x^2 + y^2 <= radius^2, |z| <= half_height.
 *
 * Features of cylinders and cones: the end at -z has the index 0, the end at +z the index 1. A disc is the face with that index, its rim the edge, an apex the
 * vertex. The side is smooth.
 * @param radius       > 0 [length]
 * @param half_height  > 0; the discs are at z = -half_height and z = half_height [length]
 * @return as abut_shape_create_sphere()
 */
ABUT_API abut_status abut_shape_create_cylinder(double radius, double half_height, abut_shape **shape);

/**
 * A solid cone about the z axis. The origin is the centre of mass: the base is at z = -height / 4, the apex at z = 3 height / 4.
 * @param radius  of the base, > 0 [length]
 * @param height  > 0 [length]
 * @return as abut_shape_create_sphere()
 */
ABUT_API abut_status abut_shape_create_cone(double radius, double height, abut_shape **shape);

/**
 * A truncated cone about the z axis, between two discs. Its kind is ABUT_SHAPE_CONE. The origin is the centre of mass. With the radii a and b of the lower and
 * the upper disc the lower one is at z = -height (a^2 + 2 a b + 3 b^2) / (4 (a^2 + a b + b^2)); abut_shape_bounds() gives both ends.
 * @param radius      of the disc at -z, >= 0; 0 makes it an apex [length]
 * @param top_radius  of the disc at +z, >= 0; 0 makes it an apex. One of both radii is above 0; the other one is 0, or above the rounding error of the size
 *                    [length]
 * @param height      > 0 [length]
 * @return as abut_shape_create_sphere()
 */
ABUT_API abut_status abut_shape_create_frustum(double radius, double top_radius, double height, abut_shape **shape);

/**
 * A right prism about the z axis, whose base is a regular polygon inscribed in a circle: a polytope.
 * @param radius       radius of the circle, > 0 [length]
 * @param half_height  > 0; the end faces are at z = -half_height and z = half_height [length]
 * @param sides        3 to 4096; 0 for the default 32
 * @return as abut_shape_create_sphere()
 */
ABUT_API abut_status abut_shape_create_prism(double radius, double half_height, int32_t sides, abut_shape **shape);

/**
 * A right pyramid about the z axis, whose base is a regular polygon inscribed in a circle: a polytope. The origin is the centre of mass: the base is at
 * z = -height / 4, the apex at z = 3 height / 4.
 * @param radius  radius of the circle, > 0 [length]
 * @param height  > 0 [length]
 * @param sides   3 to 4096; 0 for the default 32
 * @return as abut_shape_create_sphere()
 */
ABUT_API abut_status abut_shape_create_pyramid(double radius, double height, int32_t sides, abut_shape **shape);

/**
 * The half-space n . x <= offset, where n is the unit vector along `normal`. Its surface is the plane n . x = offset.
 * @param normal  outward; any length but zero. Its length does not change the meaning of the offset
 * @param offset  signed distance of the plane from the origin along n [length]
 * @return as abut_shape_create_sphere(); ABUT_ERROR_INVALID_ARGUMENT also for a zero normal
 */
ABUT_API abut_status abut_shape_create_plane(abut_vec3 normal, double offset, abut_shape **shape);

/** One part of a compound. */
typedef struct abut_part {
    const abut_shape *shape; /**< a convex, bounded shape: no plane, compound or mesh; never NULL */
    abut_pose pose;          /**< pose of the part in the frame of the compound */
} abut_part;

/**
 * A rigid union of posed convex parts. Parts may touch or overlap. The compound keeps a reference to the shape of each part.
 * @param parts  [count]; read during the call only
 * @param count  >= 1
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a count out of range, an invalid pose, a part that is not convex and bounded, or one with a mass of
 *         the caller; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_compound(const abut_part *parts, int32_t count, abut_shape **shape);

/**
 * A shape equal to a bounded convex one, with a contraction point of the caller: the point about which the growth distance shrinks and grows the body. The
 * paper leaves these points free (Silcowitz, Niebe, Erleben, equation 1). They decide alpha and the normals of ABUT_NORMAL_GROWTH, and nothing else: see
 * abut_contraction in collide.h. The new shape keeps a reference to `shape` and shares its surface. The parts of a compound may have such points.
 * @param shape  sphere, capsule, box, polytope, cylinder, cone, ellipsoid, superquadric, or convex implicit or parametric body; a point that it already has is
 *               replaced
 * @param point  strictly inside the body, shape frame: its distance from the surface is above 1e-9 of the radius of a largest ball inside, and above the
 *               rounding error of the coordinates [length]
 * @param made   set to the new shape, with one reference that the caller owns
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, for a shape of another kind, and for a point on the surface or outside; ABUT_ERROR_NOT_FINITE;
 *         ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_with_contraction(const abut_shape *shape, abut_vec3 point, abut_shape **made);

/**
 * The contraction point that the caller gave to a shape.
 * @param point  written when there is one, shape frame [length]; may be NULL
 * @return whether there is one; false for NULL
 */
ABUT_API bool abut_shape_contraction(const abut_shape *shape, abut_vec3 *point);

/** Add one reference to the shape. Returns the shape; NULL for NULL. Safe from any thread. */
ABUT_API const abut_shape *abut_shape_retain(const abut_shape *shape);

/** Release one reference. The shape is freed with its last reference. NULL does nothing. Safe from any thread. */
ABUT_API void abut_shape_release(const abut_shape *shape);

/** Kind of the shape; 0 for NULL. */
ABUT_API abut_kind abut_shape_kind(const abut_shape *shape);

/** Name of a kind: "sphere", "capsule", "box", "polytope", "plane", "compound", "trimesh", "ellipsoid", "superquadric", "implicit",
    "parametric", "facetmesh", "cylinder" or "cone"; "unknown" for a value outside the enumeration. Static storage. */
ABUT_API const char *abut_kind_name(abut_kind kind);

/** Radius of a sphere, capsule or cylinder, and of a cone at -z [length]; 0 for every other kind and for NULL. */
ABUT_API double abut_shape_radius(const abut_shape *shape);
/** Radius of a cylinder or cone at +z [length]; 0 for every other kind and for NULL. */
ABUT_API double abut_shape_top_radius(const abut_shape *shape);
/** Whole height of a cylinder or cone along its axis [length]; 0 for every other kind and for NULL. */
ABUT_API double abut_shape_height(const abut_shape *shape);
/** Half length of the segment of a capsule [length]; 0 for every other kind and for NULL. */
ABUT_API double abut_shape_half_length(const abut_shape *shape);
/** Half sizes of a box along the axes of its frame [length]; zero for every other kind and for NULL. */
ABUT_API abut_vec3 abut_shape_half_sizes(const abut_shape *shape);
/** Outward unit normal of a plane, shape frame; zero for every other kind and for NULL. */
ABUT_API abut_vec3 abut_shape_plane_normal(const abut_shape *shape);
/** Offset of a plane along its unit normal [length]; 0 for every other kind and for NULL. */
ABUT_API double abut_shape_plane_offset(const abut_shape *shape);

/** Stored surface of a polytope. Shape frame. The shape owns the arrays; they are valid as long as the shape exists. */
typedef struct abut_polytope_view {
    const abut_vec3 *vertices;     /**< [vertex_count] [length] */
    int32_t vertex_count;          /**< number of vertices */
    int32_t face_count;            /**< number of faces; coplanar neighbours are one face */
    const int32_t *face_first;     /**< [face_count + 1] face f has the corners face_vertices[i] with face_first[f] <= i < face_first[f + 1] */
    const int32_t *face_vertices;  /**< [face_first[face_count]] vertex indices, counter-clockwise seen from outside */
    const abut_vec3 *face_normals; /**< [face_count] outward unit normals */
    int32_t edge_count;            /**< vertex_count + face_count - 2 */
    const int32_t *edge_vertices;  /**< [2 edge_count] the two vertices of each edge, the smaller index first */
} abut_polytope_view;

/**
 * Surface of a box or a polytope.
 * @param view  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or a shape of another kind
 */
ABUT_API abut_status abut_shape_polytope(const abut_shape *shape, abut_polytope_view *view);

/** Number of parts of a compound; 1 for every other kind; 0 for NULL. */
ABUT_API int32_t abut_shape_part_count(const abut_shape *shape);

/**
 * Part `index` of a compound, in the order of abut_shape_create_compound(): a child shape, and the pose of its frame in the compound's frame. Every other kind
 * has one part: the shape itself with the identity pose. The compound owns the child; no reference is added for the caller. The child is valid as long as the
 * compound exists; call abut_shape_retain() to keep it longer.
 * @param index  0 <= index < abut_shape_part_count(shape)
 * @param part   written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or an index out of range
 */
ABUT_API abut_status abut_shape_part(const abut_shape *shape, int32_t index, abut_part *part);

/**
 * Support function: the farthest point of the shape along a direction. Shape frame.
 * @param direction  any length but zero
 * @param point      set to the farthest point. When several points are farthest: the vertex with the lowest index; for the side of a capsule its
 *                   end at -z; for a disc of a cylinder or cone its centre, for a line of their side its end at -z; for a compound the point of its
 *                   first part. Written on ABUT_OK; never NULL
 * @param vertex     set to the index of that vertex of a box, polytope or mesh, or of the part of a compound; -1 for round shapes; may be NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or a zero direction; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNBOUNDED for a plane;
 *         ABUT_ERROR_NOT_CONVEX for a smooth shape that is not convex
 */
ABUT_API abut_status abut_shape_support(const abut_shape *shape, abut_vec3 direction, abut_vec3 *point, int32_t *vertex);

/** Mass properties of a body. */
typedef struct abut_mass {
    double mass;       /**< density times volume [mass] */
    double volume;     /**< [length^3] */
    abut_vec3 centre;  /**< centre of mass, shape frame [length] */
    abut_mat3 inertia; /**< inertia tensor about the centre of mass, axes of the shape frame; symmetric [mass length^2] */
} abut_mass;

/**
 * Mass, centre of mass and inertia of a shape of uniform density, or of one with a mass distribution of the caller, for that mean density. Closed form;
 * quadrature for implicit and parametric shapes. The parts of a compound are summed, so regions where parts overlap count more than once.
 * @param density  > 0 [mass / length^3]
 * @param mass     written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_UNBOUNDED for a plane; ABUT_ERROR_NOT_CLOSED for a mesh without an inside; ABUT_ERROR_INVALID_ARGUMENT for NULL, a
 *         density that is not finite and > 0, or a mass or inertia that overflows or underflows
 */
ABUT_API abut_status abut_shape_mass(const abut_shape *shape, double density, abut_mass *mass);

/**
 * A shape equal to another one, with a mass distribution of the caller in place of the uniform one, as robots have it from their makers. Contacts and queries
 * do not change. A body of this shape has this centre of mass, and this inertia in the ratio of its mass to `mass->mass`; so has the answer of
 * abut_shape_mass(). The new shape keeps a reference to `shape` and shares its surface. Not for the dem stepper, and not for parts of a compound.
 * @param shape  any kind but a plane and a facetmesh, and a mesh only with an inside; a distribution that it already has is replaced
 * @param mass   mass > 0; `volume` is not read, that of the shape stays; the centre may be outside the shape; the inertia is that of a rigid body: symmetric,
 *               positive definite, no principal moment above the sum of the other two, all within 1e-6 of the trace
 * @param made   set to the new shape, with one reference that the caller owns
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, for a plane or a facetmesh, for a mass or inertia that no body has, and where numbers would overflow;
 *         ABUT_ERROR_NOT_CLOSED for a mesh without an inside; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_with_mass(const abut_shape *shape, const abut_mass *mass, abut_shape **made);

/**
 * The smallest axis-aligned box around the posed shape, world frame. A plane is bounded only on one side, and only when its normal is parallel to
 * an axis. For an implicit or parametric shape that is not convex, the box around its posed box in the shape frame. Empty for NULL. Unbounded on
 * all sides for an invalid pose.
 */
ABUT_API abut_aabb abut_shape_bounds(const abut_shape *shape, abut_pose pose);

#ifdef __cplusplus
}
#endif
