#pragma once

#include <abut/base.h>
#include <abut/baseline.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/shape.h>

/**
 * @file collide.h
 * Contacts and growth distance of two shapes.
 *
 * Conventions: see contact.h. Every function is a pure function of its inputs. A cache makes a call faster and never changes a bit of the
 * result. Bodies farther apart than about 1e51, and planes with such an offset, give ABUT_ERROR_NOT_FINITE, because products of lengths
 * overflow.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Two posed shapes: the argument of every query about a pair, single or in a batch. */
typedef struct abut_pair {
    const abut_shape *a; /**< shape A; never NULL; borrowed: the caller keeps its reference during the call */
    abut_pose pose_a;    /**< pose of A's frame in the world */
    const abut_shape *b; /**< shape B; never NULL; borrowed */
    abut_pose pose_b;    /**< pose of B's frame in the world */
} abut_pair;

/** Contraction points: the interior points about which the two bodies grow and shrink. A shape with a point of the caller
    (abut_shape_create_with_contraction()) grows about that point; the other body then grows about its own point or, without one, about its centroid. */
typedef enum abut_contraction {
    /** Closest points, approximately, of the two bodies after erosion by the smaller inradius. Directions then compete by absolute depth. */
    ABUT_CONTRACTION_CORE,
    /** The centroids, as in the paper. Directions then compete by depth relative to size. */
    ABUT_CONTRACTION_CENTROID
} abut_contraction;

/**
 * How the normal of two overlapping polytopes is selected. For round shapes both policies give the same normal. Bodies apart have the normal of
 * their distance.
 */
typedef enum abut_normal_policy {
    /** Normal of the growth distance, as in the paper; see `contraction` and `refine_normal` of abut_collide_settings. Bodies can be deeper along
        it than the least depth: docs/methods/contacts.md has measured figures. */
    ABUT_NORMAL_GROWTH,
    /** Default: direction of the least translation that separates the bodies: the direction of least depth, to 1e-9 of the depth. */
    ABUT_NORMAL_MINIMUM
} abut_normal_policy;

/** Settings of contact generation. Start from abut_collide_settings_default(). */
typedef struct abut_collide_settings {
    /** Shapes farther apart than this have no contact. Contacts with a larger gap are left out. Both are decided up to 1e-14 of the sizes of the
        shapes. >= 0; default 0 [length] */
    double margin;
    /** A face or edge whose angle to the contact plane is smaller than this takes part as a whole. 0 to pi/4; default 2 degrees [rad] */
    double feature_angle;
    /** How the normal of two overlapping polytopes is selected. Default ABUT_NORMAL_MINIMUM. */
    abut_normal_policy normal;
    /** Contraction points of the growth distance, for ABUT_NORMAL_GROWTH and abut_growth_distance(). Default ABUT_CONTRACTION_CORE. */
    abut_contraction contraction;
    /** For ABUT_NORMAL_GROWTH and overlapping polytopes only. True: the normal of the growth distance is used only where the two features face each
        other along it and the bodies are not deep in each other. Otherwise, and for two boxes without points of the caller, the normal is that of
        the least depth. False: the normal of the growth distance is always used. Default true. */
    bool refine_normal;
    /** Normal of the pair at the previous step, world frame; zero (default) for none. It is kept when the normal is a tie. Any length. */
    abut_vec3 previous_normal;
    /** Corners of a patch closer than this are merged; relative to the size of the smaller shape. 0 to 0.1; default 1e-6. */
    double weld;
    /** Baseline methods to compare with, see baseline.h. Default none. */
    abut_baseline baseline;
} abut_collide_settings;

/** Settings with the defaults named above. */
ABUT_API abut_collide_settings abut_collide_settings_default(void);

/**
 * Memory of an earlier call for the same pair: the direction that separated the two shapes, or the features that gave the normal.
 * Zero-initialise it. Any content is safe, also that of another pair: the content changes only the time of the call.
 */
typedef struct abut_cache {
    abut_vec3 axis;          /**< a direction that separated the shapes, or the last normal of smooth shapes; frame of A; zero for none */
    abut_feature feature_a;  /**< face, edge or vertex of A that was closest to B or that gave the normal; kind ABUT_FEATURE_NONE for none */
    abut_feature feature_b;  /**< the same of B */
} abut_cache;

/**
 * Contacts of two posed shapes.
 *
 * Convex polytopes: the settings select the normal, the Gauss maps give the features for this normal, and the features are intersected in the
 * contact plane (Silcowitz, Niebe, Erleben, "Contact point generation for convex polytopes in interactive rigid body dynamics"). Spheres,
 * capsules and planes: closed forms. Cylinders and cones: the closest pair of features, or the least deep one; a disc takes part as a polygon of about
 * 84 corners on its rim, which falls short of it by at most 7e-4 of the radius. Smooth shapes: see docs/methods/smooth.md. Compounds: contacts of their
 * parts, without contacts on faces inside the union. Meshes: see docs/methods/meshes.md. docs/methods/contacts.md explains all generators.
 *
 * @param pair      read during the call only
 * @param settings  NULL for the defaults
 * @param cache     NULL for none
 * @param contacts  [capacity], owned by the caller; deepest patch first; may be NULL when capacity is 0
 * @param capacity  >= 0
 * @param count     set to the number of contacts found, also when this exceeds capacity; 0 on every other error; never NULL
 * @return ABUT_OK, also for shapes apart: the count is 0 when they are apart by more than the margin;
 *         ABUT_ERROR_CAPACITY when *count > capacity: the first `capacity` contacts are written;
 *         ABUT_ERROR_INVALID_ARGUMENT for NULL, a capacity or settings out of range, or a pose that is not a rotation;
 *         ABUT_ERROR_NOT_FINITE for a pose or settings that are not finite, or lengths that overflow;
 *         ABUT_ERROR_UNSUPPORTED_PAIR for two planes, or a smooth shape that is not convex and has no mesh (abut_shape_surface_mesh());
 *         ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_collide(const abut_pair *pair, const abut_collide_settings *settings, abut_cache *cache,
                                  abut_contact *contacts, int32_t capacity, int32_t *count);

/**
 * Contacts of a shape with several meshes that together form one surface, for example neighbouring tiles or streamed pieces. The triangles of
 * all meshes are gathered before contacts are made, so a seam between two meshes is as smooth as an edge within one mesh. If only one mesh is in reach,
 * the contacts are those of abut_collide() with it.
 *
 * Some shapes meet each mesh by itself, as in a world. A smooth body that is not convex has no contact on a border that another mesh hides, and one contact
 * where it meets two meshes at one place. A facetmesh has the contacts of its skin with each mesh, which are shares of the meshes' triangles. A plane has
 * those of the lowest places of each mesh.
 *
 * @param shape       A
 * @param pose        pose of the shape's frame in the world
 * @param meshes      [mesh_count] meshes of kind ABUT_SHAPE_TRIMESH and their poses in the world; read during the call only
 * @param mesh_count  >= 1
 * @param settings    as for abut_collide(); NULL for the defaults
 * @param contacts    [capacity], owned by the caller; the shape is A, and feature_b.part is the index of the mesh; may be NULL when capacity is 0
 * @param count       as in abut_collide()
 * @return as abut_collide(); ABUT_ERROR_UNSUPPORTED_PAIR also when one of the meshes is another kind of shape
 */
ABUT_API abut_status abut_collide_meshes(const abut_shape *shape, abut_pose pose, const abut_part *meshes, int32_t mesh_count,
                                         const abut_collide_settings *settings, abut_contact *contacts, int32_t capacity, int32_t *count);

/** Result of one pair of a batch: its status and the place of its contacts in the buffer. */
typedef struct abut_pair_result {
    abut_status status; /**< status of abut_collide() for this pair with a sufficient buffer */
    int32_t count;      /**< number of contacts found; 0 on an error */
    int64_t first;      /**< index of the first contact in the packed buffer: the sum of the counts of all earlier pairs */
} abut_pair_result;

/**
 * Contacts of many pairs in one call, in parallel over threads and vector lanes. The contacts are bit for bit those of abut_collide() for each pair.
 *
 * The contacts of pair i are contacts[results[i].first] and the next results[i].count - 1. When the buffer is too small, every result is still
 * written, the contacts that fit are written, and *needed is the total number of contacts.
 *
 * @param pairs     [count]
 * @param count     >= 0
 * @param settings  settings of all pairs; NULL for the defaults
 * @param caches    [count], one for each pair, owned by the caller; NULL for none
 * @param parallel  NULL for the defaults
 * @param contacts  [capacity], owned by the caller; may be NULL when capacity is 0
 * @param capacity  >= 0
 * @param needed    set to the number of contacts of all pairs; 0 on every error except ABUT_ERROR_CAPACITY; never NULL
 * @param results   [count], owned by the caller
 * @return ABUT_OK, also when single pairs failed: see their results; ABUT_ERROR_CAPACITY when *needed > capacity;
 *         ABUT_ERROR_INVALID_ARGUMENT for NULL or negative arguments; ABUT_ERROR_OUT_OF_MEMORY. On the last two no result is written
 */
ABUT_API abut_status abut_collide_batch(const abut_pair *pairs, int32_t count, const abut_collide_settings *settings, abut_cache *caches,
                                        const abut_parallel *parallel, abut_contact *contacts, int64_t capacity, int64_t *needed,
                                        abut_pair_result *results);

/** Result of abut_growth_distance(). World frame. */
typedef struct abut_growth {
    double alpha;           /**< factor by which both bodies must be scaled about their contraction points until they just touch. Below 1: they
                                 overlap. 1: they touch. Above 1: they are apart. 0 when the contraction points coincide */
    double alpha_lower;     /**< certified lower bound of alpha: the bodies scaled by this factor are separated along `normal` */
    abut_vec3 normal;       /**< unit, from B into A: normal of the facet of the Minkowski difference where the bodies first touch */
    double gap;             /**< gap along the normal, -(h_A(-n) + h_B(n)) with the support functions h; negative when overlapping [length] */
    abut_vec3 touch;        /**< point where the scaled bodies touch */
    abut_vec3 on_a;         /**< surface point of A that moves to `touch` when A is scaled about contraction_a */
    abut_vec3 on_b;         /**< surface point of B that moves to `touch` when B is scaled about contraction_b */
    abut_vec3 contraction_a;/**< contraction point of A, in its interior */
    abut_vec3 contraction_b;/**< contraction point of B, in its interior */
    int32_t iterations;     /**< number of support evaluations; for round and smooth bodies, number of closest-point computations */
    bool normal_chosen;     /**< true: several normals are equally valid, and one was chosen by rule */
} abut_growth;

/**
 * Growth distance of two bounded convex shapes (sphere, capsule, box, polytope, cylinder, cone, ellipsoid, superquadric, convex implicit or parametric).
 *
 * alpha = min { s >= 0 : A scaled by s about its contraction point meets B scaled by s about its own }. It is found from inside, by a simplex
 * method over the vertices of the Minkowski difference with one support evaluation per pivot, or from outside, by a ray cast. The settings used
 * are contraction, previous_normal and baseline.growth. They are not used when one of the shapes is smooth, a cylinder or a cone: then both bodies grow about
 * the points of the caller or their centroids (an implicit shape about its point `inside`), and Newton's method over their extremal pairs finds the place
 * where they touch. For two ellipsoids about their centres, alpha squared is the contact function of Perram and Wertheim ("Statistical mechanics of hard
 * ellipsoids", J. Comp. Phys. 58, 1985).
 *
 * Accuracy: the coordinates have a rounding error of about 4e-16 (sizes + distance). The relative error of alpha is this rounding error over the
 * width of the bodies along the normal. For example, balls of size 1e-8 at a distance of 1 have alpha to 1e-7. The certificate alpha_lower is
 * valid for bodies that differ from the given ones by such a rounding error. Bodies thinner than a thousand rounding errors give
 * ABUT_ERROR_ITERATION_LIMIT and an alpha_lower of 0.
 *
 * @param settings  NULL for the defaults
 * @param growth    written on ABUT_OK and ABUT_ERROR_ITERATION_LIMIT; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, settings out of range, or a pose that is not a rotation; ABUT_ERROR_NOT_FINITE;
 *         ABUT_ERROR_UNSUPPORTED_PAIR when a shape is of another kind; ABUT_ERROR_ITERATION_LIMIT when rounding errors stop the search while
 *         alpha - alpha_lower is above 1e-9 alpha: alpha is then an upper bound
 */
ABUT_API abut_status abut_growth_distance(const abut_pair *pair, const abut_collide_settings *settings, abut_growth *growth);

#ifdef __cplusplus
}
#endif
