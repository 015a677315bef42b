#pragma once

#include <abut/base.h>
#include <abut/baseline.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/shape.h>

/**
 * @file collide.h
 * Contacts and growth distance between two shapes.
 *
 * Conventions: see contact.h. Every function here is a pure function of its inputs. A cache makes it faster and never changes a bit of the
 * result. Bodies farther apart than about 1e51, and planes with such an offset, give ABUT_ERROR_NOT_FINITE: products of lengths overflow.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Two shapes and where they are. The argument of every question about a pair, alone or in a batch. */
typedef struct abut_pair {
    const abut_shape *a; /**< never NULL; borrowed: the caller keeps its reference during the call */
    abut_pose pose_a;    /**< frame of A in the world */
    const abut_shape *b; /**< never NULL; borrowed */
    abut_pose pose_b;    /**< frame of B in the world */
} abut_pair;

/** About which interior points two bodies grow and shrink. */
typedef enum abut_contraction {
    ABUT_CONTRACTION_CORE,    /**< closest points, nearly, of the two bodies eroded by the smaller inradius: directions then compete by absolute depth */
    ABUT_CONTRACTION_CENTROID /**< the centroids, as the paper has it: directions compete by depth relative to size */
} abut_contraction;

/** Which normal overlapping polytopes get. Round shapes have one that is both; bodies apart that of their distance. */
typedef enum abut_normal_policy {
    ABUT_NORMAL_GROWTH, /**< of the growth distance, see `contraction` and `refine_normal` */
    ABUT_NORMAL_MINIMUM /**< of the least translation that separates the bodies: no direction is less deep, to 1e-9 of the depth */
} abut_normal_policy;

/** How contacts are made. Start from abut_collide_settings_default(). */
typedef struct abut_collide_settings {
    double margin;                /**< shapes farther apart than this have no contact, and contacts with a larger gap are left out;
                                       both up to 1e-14 of the shapes' sizes; >= 0 [length]; default 0 */
    double feature_angle;         /**< a face or edge closer than this to the contact plane takes part whole; 0 to pi/4 [rad]; default 2 degrees */
    abut_normal_policy normal;    /**< default ABUT_NORMAL_GROWTH */
    abut_contraction contraction; /**< default ABUT_CONTRACTION_CORE */
    bool refine_normal;           /**< ABUT_NORMAL_GROWTH, overlapping polytopes: the growth distance's normal is kept only where the two features face
                                       each other along it and the bodies are not far into each other; elsewhere, and for two boxes, it is that of the
                                       least depth; default true */
    abut_vec3 previous_normal;    /**< the pair's normal of the step before, world frame, or zero (default): it is kept where the normal is a tie */
    double weld;                  /**< corners of a patch closer than this merge; relative to the smaller shape's size; default 1e-6 */
    abut_baseline baseline;       /**< methods to compare with: baseline.h; default none */
} abut_collide_settings;

/** The defaults named above. */
ABUT_API abut_collide_settings abut_collide_settings_default(void);

/**
 * Memory of an earlier call for the same pair: what separated the two shapes, or which features gave the normal. Zero-initialise. Any content
 * is safe, also that of another pair; only the time depends on it.
 */
typedef struct abut_cache {
    abut_vec3 axis;          /**< a direction that separated them, or the last one of smooth shapes, frame of A; zero for none */
    abut_feature feature_a;  /**< face, edge or vertex of A, where the bodies were closest or that gave the normal; kind ABUT_FEATURE_NONE for none */
    abut_feature feature_b;  /**< the same of B */
} abut_cache;

/**
 * Contacts between two posed shapes.
 *
 * Convex polytopes: the normal that the settings ask for, the features that the Gauss maps give for it, and their intersection in the contact
 * plane (Silcowitz, Niebe, Erleben, "Contact point generation for convex polytopes in interactive rigid body dynamics"). Spheres, capsules
 * and planes: closed forms. Smooth shapes: docs/methods/smooth.md. Compounds: their parts, without contacts on faces that lie inside the union.
 * Meshes: docs/methods/meshes.md. See docs/methods/contacts.md.
 *
 * @param pair      read during the call only
 * @param settings  NULL for the defaults
 * @param cache     NULL for none
 * @param contacts  [capacity], owned by the caller; may be NULL when capacity is 0
 * @param count     set to the number of contacts found, also when that is more than capacity; never NULL; 0 on every other error
 * @return ABUT_OK; ABUT_ERROR_CAPACITY when count > capacity (the first `capacity` contacts are written, deepest patch first);
 *         ABUT_ERROR_INVALID_ARGUMENT for NULL shapes, settings out of range, or a pose that is not a rotation; ABUT_ERROR_NOT_FINITE;
 *         ABUT_ERROR_UNSUPPORTED_PAIR for two planes, or a smooth shape that is not convex; ABUT_ERROR_OUT_OF_MEMORY.
 *         Touching, or apart beyond the margin, is not an error: ABUT_OK, with a count of 0 when apart.
 */
ABUT_API abut_status abut_collide(const abut_pair *pair, const abut_collide_settings *settings, abut_cache *cache,
                                  abut_contact *contacts, int32_t capacity, int32_t *count);

/**
 * Contacts of a shape with several meshes that are one surface together: neighbouring tiles, streamed pieces. Their triangles are gathered before contacts
 * are made, so that a seam between two meshes is as smooth as an edge within one.
 *
 * @param shape     bounded
 * @param meshes    [mesh_count] meshes and their poses in the world; read during the call only
 * @param settings  as for abut_collide(); NULL for the defaults
 * @param contacts  [capacity], with the shape as A; feature_b.part says which mesh
 * @return as abut_collide(); ABUT_ERROR_UNSUPPORTED_PAIR when one of the meshes is another kind of shape, or the shape a plane
 */
ABUT_API abut_status abut_collide_meshes(const abut_shape *shape, abut_pose pose, const abut_part *meshes, int32_t mesh_count,
                                         const abut_collide_settings *settings, abut_contact *contacts, int32_t capacity, int32_t *count);

/** Where the contacts of one pair of a batch lie. */
typedef struct abut_pair_result {
    abut_status status; /**< as of abut_collide() for this pair with all the room it wants */
    int32_t count;      /**< number of contacts found; 0 on an error */
    int64_t first;      /**< index of the first one in the packed buffer: the sum of the counts before */
} abut_pair_result;

/**
 * Contacts of many pairs in one call, over threads and vector lanes; bit for bit those of abut_collide() for each pair.
 *
 * The contacts of pair i are contacts[results[i].first] and the next results[i].count - 1. When the buffer is too small, every result is
 * written all the same, the contacts that have room are written, and *needed says how many there are.
 *
 * @param pairs     [count]
 * @param settings  of all pairs; NULL for the defaults
 * @param caches    [count], one for each pair, or NULL
 * @param parallel  NULL for the defaults
 * @param contacts  [capacity], owned by the caller; may be NULL when capacity is 0
 * @param needed    set to the number of contacts of all pairs; never NULL; 0 on every error but ABUT_ERROR_CAPACITY
 * @param results   [count], owned by the caller
 * @return ABUT_OK, also when single pairs failed: see their results; ABUT_ERROR_CAPACITY when *needed > capacity;
 *         ABUT_ERROR_INVALID_ARGUMENT for NULL or negative arguments, ABUT_ERROR_OUT_OF_MEMORY: then no result is written
 */
ABUT_API abut_status abut_collide_batch(const abut_pair *pairs, int32_t count, const abut_collide_settings *settings, abut_cache *caches,
                                        const abut_parallel *parallel, abut_contact *contacts, int64_t capacity, int64_t *needed,
                                        abut_pair_result *results);

/** What abut_growth_distance() found. World frame. */
typedef struct abut_growth {
    double alpha;           /**< the factor by which both bodies must grow about their contraction points until they touch: below 1 they overlap,
                                 1 they touch, above 1 they are apart; 0 when the contraction points coincide */
    double alpha_lower;     /**< certificate: no smaller factor is possible, the bodies scaled by it are separated along `normal` */
    abut_vec3 normal;       /**< unit, from B into A: of the facet of the Minkowski difference where they first touch */
    double gap;             /**< separation along the normal, -(h_A(-n) + h_B(n)) with the support functions h; negative when overlapping [length] */
    abut_vec3 touch;        /**< where the scaled bodies touch */
    abut_vec3 on_a;         /**< the surface point of A that is carried to `touch` by scaling A about contraction_a */
    abut_vec3 on_b;         /**< the surface point of B that is carried to `touch` by scaling B about contraction_b */
    abut_vec3 contraction_a;/**< interior point of A */
    abut_vec3 contraction_b;/**< interior point of B */
    int32_t iterations;     /**< support evaluations; of round and smooth bodies pairs of closest points */
    bool normal_chosen;     /**< the normal was not unique; chosen by rule */
} abut_growth;

/**
 * Growth distance of two bounded convex shapes (sphere, capsule, box, polytope, ellipsoid, superquadric, convex implicit or parametric).
 *
 * alpha = min { s >= 0 : A scaled by s about its contraction point meets B scaled by s about its own }. Found from inside: a simplex method over
 * the vertices of the Minkowski difference, each pivot priced by one support evaluation; or by a ray cast from outside. Settings used:
 * contraction, previous_normal, baseline.growth. With a smooth shape none of them: both bodies grow about their centroids, of an implicit shape about
 * its point inside, and the place where they touch is found by Newton's method over their extremal pairs. Of two ellipsoids alpha squared is
 * the contact function of Perram and Wertheim ("Statistical mechanics of hard ellipsoids", J. Comp. Phys. 58, 1985).
 *
 * Coordinates are rounded, and alpha is known no better than their rounding, 4e-16 (sizes + distance), is small beside the width of the
 * bodies along the normal: balls of 1e-8 that are 1 apart have alpha to 1e-7. What is certified is certified for bodies that are off by such a
 * rounding. Bodies thinner than a thousand roundings get ABUT_ERROR_ITERATION_LIMIT and an alpha_lower of 0.
 *
 * @param settings  NULL for the defaults
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNSUPPORTED_PAIR when a shape is none of these;
 *         ABUT_ERROR_ITERATION_LIMIT when rounding stops the search with alpha - alpha_lower above 1e-9 alpha: alpha is then an upper bound
 *         (growth is written all the same)
 */
ABUT_API abut_status abut_growth_distance(const abut_pair *pair, const abut_collide_settings *settings, abut_growth *growth);

#ifdef __cplusplus
}
#endif
