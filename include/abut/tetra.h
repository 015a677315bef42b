#pragma once

#include <abut/base.h>
#include <abut/math.h>

/**
 * @file tetra.h
 * Penetration depth of two deforming tetrahedra. docs/methods/depth.md explains it with pictures.
 *
 * Two overlapping tetrahedra are separated by displacing their eight vertices. The inside of each tetrahedron follows linearly. The square of the
 * *object norm* of a displacement, sigma, is the mean of |d(x)|^2 over all points x of one tetrahedron. The *deformable penetration depth* is the
 * least sqrt(weight_a sigma_a + weight_b sigma_b) of all displacements that separate the two (J. Kim, Y. J. Kim, "A Penetration Metric for
 * Deforming Tetrahedra using Object Norm", 2019). It is a length, and never more than the rigid depth over sqrt 2. The result consists of the
 * displacements and of the plane that then separates the bodies.
 *
 * The paper solves a quadratic program for each of 44 directions. Here everything is a closed form. Either body may also be another simplex: a
 * point, a segment or a triangle. The mean is then over the points of this simplex.
 *
 * Conventions: one frame for both bodies; any unit of length. The normal is unit and points from B into A: after the displacement A lies where
 * dot(normal, x) >= offset, and B where dot(normal, x) <= offset. The winding of tetrahedra does not matter. Every function is a pure function of
 * its inputs, to the last bit: instruction sets and threads change only the time.
 *
 * Coordinates are taken relative to a vertex of the pair, so pairs far from the origin keep their precision. Pairs whose squares would overflow or
 * underflow in double precision are scaled.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A simplex: the convex hull of 1 to 4 vertices. Its points follow its vertices linearly. */
typedef struct abut_simplex {
    int32_t count;       /**< number of vertices: 1 a point, 2 a segment, 3 a triangle, 4 a tetrahedron. The simplex may be flat, and vertices may
                              coincide */
    abut_vec3 vertex[4]; /**< vertices; only the first `count` are read; finite [length] */
} abut_simplex;

/** The tetrahedron with these four vertices. */
static inline abut_simplex abut_simplex_make_tetra(abut_vec3 p, abut_vec3 q, abut_vec3 r, abut_vec3 s) {
    abut_simplex tetra = {4, {p, q, r, s}};
    return tetra;
}

/**
 * Square of the object norm of a displacement: the mean of |d(x)|^2 over a simplex, (sum |d_i|^2 + |sum d_i|^2) / (m (m + 1)) for m vertices with the
 * displacements d_i. It does not depend on the shape of the simplex. It is |d|^2 when all vertices move by d (K. Kazerounian, J. Rastegar, 1992).
 *
 * @param count         number of vertices m, 1 to 4
 * @param displacement  [count] displacements of the vertices [length]
 * @return the square of the norm [length^2]; NaN for a count out of range
 */
ABUT_API double abut_object_norm_squared(int32_t count, const abut_vec3 *displacement);

/**
 * The displacement of least object norm that moves a simplex to one side of a plane: all its vertices to dot(normal, x) <= offset. Vertices that are
 * already on this side may move too, to balance the others. This is the paper's case of a deforming body and a half-space.
 *
 * @param simplex       never NULL
 * @param normal        any length but 0
 * @param offset        offset of the plane, with the length of `normal` as given [length of the normal times length]
 * @param displacement  [simplex->count] written on ABUT_OK; parallel to the normal; never NULL [length]
 * @param sigma         set to the square of the object norm on ABUT_OK; NULL if not wanted [length^2]
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a count that is not 1 to 4, or a zero normal; ABUT_ERROR_NOT_FINITE, also for a result that
 *         overflows
 */
ABUT_API abut_status abut_simplex_push(const abut_simplex *simplex, abut_vec3 normal, double offset, abut_vec3 *displacement, double *sigma);

/** Set of normals over which the depth is minimised. */
typedef enum abut_depth_mode {
    /** Default. Face normals of A and B, and cross products of one edge of each: 44 directions of two tetrahedra, each in both senses. The least
        depth of all of them. Symmetric: the same for (A, B) and (B, A). */
    ABUT_DEPTH_EXACT44,
    /** The paper as printed: 44 directions, in both senses only where an edge of A does not bound A's projection. The face or the edges that define a
        direction are always moved onto the plane, even when this does not reduce the depth. Not symmetric. Never less than ABUT_DEPTH_EXACT44. */
    ABUT_DEPTH_PAPER,
    /** The acceleration of the paper: only the direction of the least rigid depth. In 400,000 random pairs 7.3 % deeper than ABUT_DEPTH_EXACT44 on average,
        108 % at most; 5.5 % deeper than ABUT_DEPTH_PAPER on average. */
    ABUT_DEPTH_ACCELERATED,
    /** The `best_k` directions of least overlap: see abut_depth_settings. */
    ABUT_DEPTH_BEST_K,
    /** Free normal, local minimum: descends from the best of the 44 directions to the local minimum near it. This is the global minimum for 96 of 100
        pairs, and always when one body is static. */
    ABUT_DEPTH_FREE_LOCAL,
    /** Free normal, global minimum, by an enumeration of all cases. This is the exact depth: no separation costs less, for any plane. Lipschitz
        continuous in the vertices. With an active volume limit it is the least of up to nine local minima instead. */
    ABUT_DEPTH_FREE
} abut_depth_mode;

/** Settings of depth computations. Start from abut_depth_settings_default(). */
typedef struct abut_depth_settings {
    abut_depth_mode mode; /**< set of normals; default ABUT_DEPTH_EXACT44 */
    int32_t best_k;       /**< for ABUT_DEPTH_BEST_K: number of directions, 1 to 88; each sense of a direction counts once; default 6 */
    double weight_a;      /**< cost of displacing A, for example its mass; > 0; INFINITY: A is static; default 1 */
    double weight_b;      /**< cost of displacing B; > 0; INFINITY: B is static; default 1. Not both may be static. Finite weights may differ by a
                               factor of at most 1e100 */
    double volume_ratio;  /**< least ratio of the volume after and before the displacement, for each tetrahedron; 0 <= volume_ratio < 1. 0 forbids
                               inversion; -INFINITY (default): no limit. It does not apply to bodies without volume, below 1e-14 of the product of
                               three edges. The displacement is the least of those along one normal that keep the ratio. With ABUT_DEPTH_FREE and
                               ABUT_DEPTH_FREE_LOCAL the normal is the least of all where the limit is not active; elsewhere it is a local minimum, and
                               `certified` is false. ABUT_DEPTH_PAPER allows no limit */
} abut_depth_settings;

/** Settings with the defaults named above. */
ABUT_API abut_depth_settings abut_depth_settings_default(void);

/** Relation of two simplices. */
typedef enum abut_depth_relation {
    ABUT_DEPTH_NONE,         /**< no result: see the status */
    ABUT_DEPTH_DISJOINT,     /**< the bodies are apart: a plane separates them with a positive gap */
    ABUT_DEPTH_TOUCHING,     /**< the bodies touch: their depth is within the rounding error of their coordinates; also pairs that together span no
                                  volume */
    ABUT_DEPTH_INTERSECTING  /**< the bodies overlap */
} abut_depth_relation;

/** Features that define a normal. */
typedef enum abut_depth_direction {
    ABUT_DEPTH_BY_NOTHING, /**< no feature: an arbitrary perpendicular direction, as for two points or for two segments on one line */
    ABUT_DEPTH_BY_FACE_A,  /**< the face feature_a of A */
    ABUT_DEPTH_BY_FACE_B,  /**< the face feature_b of B */
    ABUT_DEPTH_BY_EDGES,   /**< one edge of each body: their cross product, or the common perpendicular of parallel edges */
    ABUT_DEPTH_BY_PLANE,   /**< two flat bodies in one plane: the perpendicular of an edge within this plane */
    ABUT_DEPTH_BY_SEARCH,  /**< a free normal */
    ABUT_DEPTH_BY_CALLER   /**< the normal given to abut_simplex_depth_along() */
} abut_depth_direction;

/** Rigid depth of a pair: the least translation that separates the bodies. */
typedef struct abut_rigid_depth {
    double gap;                     /**< greatest gap over all directions, min dot(normal, a) - max dot(normal, b). Negative: the bodies overlap, and
                                         -gap is the rigid depth. Positive: the bodies are apart, by at least the gap [length] */
    abut_vec3 normal;               /**< unit, from B into A: the direction of this gap */
    abut_depth_direction direction; /**< features that define the normal */
    int32_t feature_a;              /**< face or edge of A, else -1. Face i of a tetrahedron is opposite its vertex i; a triangle has face 0. Edges
                                         are the pairs of vertices (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3) that exist, in this order */
    int32_t feature_b;              /**< face or edge of B, else -1 */
    abut_depth_relation relation;   /**< relation that follows from the gap; a gap within the rounding error of the coordinates counts as touching */
} abut_rigid_depth;

/** Deformable depth of one pair. */
typedef struct abut_depth {
    abut_status status;             /**< ABUT_OK; in batches the status of this pair: on an error all other fields are zero */
    abut_depth_relation relation;   /**< relation of the bodies. Unless it is ABUT_DEPTH_INTERSECTING, depth, sigmas and displacements are 0 */
    double depth;                   /**< sqrt(weight_a sigma_a + weight_b sigma_b), >= 0; the term of a static body is 0 [length, for weights of 1] */
    double sigma_a;                 /**< square of the object norm of A's displacement [length^2] */
    double sigma_b;                 /**< square of the object norm of B's displacement [length^2] */
    abut_vec3 normal;               /**< unit, from B into A; for bodies apart, the direction of the largest gap among those tried */
    double offset;                  /**< offset of the plane between the displaced bodies: dot(normal, x) = offset [length] */
    abut_vec3 displacement_a[4];    /**< displacements of A's vertices, parallel to the normal [length] */
    abut_vec3 displacement_b[4];    /**< displacements of B's vertices, parallel to the normal [length] */
    abut_depth_direction direction; /**< features that define the normal */
    int32_t feature_a;              /**< as in abut_rigid_depth */
    int32_t feature_b;              /**< as in abut_rigid_depth */
    bool certified;                 /**< true: no other normal separates the pair at less cost; false: this is not known */
    abut_rigid_depth rigid;         /**< rigid depth of the pair; from abut_simplex_depth_along(): the overlap along the given normal instead */
    double volume_force_a;          /**< multiplier of A's volume limit: derivative of depth^2 by the least ratio; 0 when the limit is not active */
    double volume_force_b;          /**< the same of B */
} abut_depth;

/**
 * Rigid depth of two simplices, from their separating directions: theorem 1 of the paper, with the overlap along a direction corrected to the
 * maximum of one body minus the minimum of the other.
 *
 * @param a, b   never NULL
 * @param rigid  written on ABUT_OK; never NULL
 * @return ABUT_OK, also when apart; ABUT_ERROR_INVALID_ARGUMENT for NULL or a count that is not 1 to 4; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_simplex_rigid_depth(const abut_simplex *a, const abut_simplex *b, abut_rigid_depth *rigid);

/**
 * Deformable depth of two simplices.
 *
 * @param a, b      never NULL
 * @param settings  NULL for the defaults
 * @param depth     written on ABUT_OK; never NULL
 * @return ABUT_OK, also when apart; ABUT_ERROR_INVALID_ARGUMENT for NULL, a count that is not 1 to 4, or settings out of range;
 *         ABUT_ERROR_NOT_FINITE for vertices that are not finite, or results that overflow
 */
ABUT_API abut_status abut_simplex_depth(const abut_simplex *a, const abut_simplex *b, const abut_depth_settings *settings, abut_depth *depth);

/**
 * Deformable depth along one given normal: the least displacement that moves A above and B below some plane with this normal. Never less than the
 * depth of ABUT_DEPTH_FREE. The relation is that along this normal alone. The mode of the settings is not used.
 *
 * @param a, b      never NULL
 * @param normal    from B into A; any length but 0
 * @param settings  NULL for the defaults
 * @param depth     written on ABUT_OK; never NULL
 * @return as abut_simplex_depth(); ABUT_ERROR_INVALID_ARGUMENT also for a zero normal
 */
ABUT_API abut_status abut_simplex_depth_along(const abut_simplex *a, const abut_simplex *b, abut_vec3 normal,
                                              const abut_depth_settings *settings, abut_depth *depth);

/**
 * Gradient of a depth: derivatives of `depth` by each coordinate of the vertices. When two directions are equally deep, the gradient is that of the
 * direction in `depth`. Forces along these gradients balance, and so do their torques. Zero when the pair does not intersect.
 *
 * @param a, b        never NULL
 * @param settings    settings with which `depth` was computed; NULL for the defaults
 * @param depth       depth of these two simplices from abut_simplex_depth(); never NULL
 * @param gradient_a  [a->count] written on ABUT_OK; never NULL
 * @param gradient_b  [b->count] written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a count or settings out of range, or a depth that is not a valid result;
 *         ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_depth_gradient(const abut_simplex *a, const abut_simplex *b, const abut_depth_settings *settings,
                                         const abut_depth *depth, abut_vec3 *gradient_a, abut_vec3 *gradient_b);

/**
 * Depths of many pairs, in parallel over threads. The depths are bit for bit those of abut_simplex_depth().
 *
 * @param a         [count] bodies A
 * @param b         [count] bodies B: pair i is a[i], b[i]
 * @param count     >= 0
 * @param settings  settings of all pairs; NULL for the defaults
 * @param parallel  NULL for the defaults
 * @param depths    [count], owned by the caller; every element is written on ABUT_OK
 * @return ABUT_OK, also when single pairs failed: see their status; ABUT_ERROR_INVALID_ARGUMENT for NULL, a negative count or settings out of
 *         range: nothing is written
 */
ABUT_API abut_status abut_simplex_depth_batch(const abut_simplex *a, const abut_simplex *b, int32_t count, const abut_depth_settings *settings,
                                              const abut_parallel *parallel, abut_depth *depths);

#ifdef __cplusplus
}
#endif
