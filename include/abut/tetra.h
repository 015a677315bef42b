#pragma once

#include <abut/base.h>
#include <abut/math.h>

/**
 * @file tetra.h
 * How deep two deforming tetrahedra are in each other. docs/methods/depth.md explains it with pictures.
 *
 * Two tetrahedra that overlap are separated by moving their eight vertices; the inside of each follows linearly. The *object norm* of such a
 * displacement is the mean square by which all the points of one tetrahedron move; the *deformable penetration depth* is the least
 * sqrt(weight_a sigma_a + weight_b sigma_b) that separates the two, a length (J. Kim, Y. J. Kim, "A Penetration Metric for Deforming
 * Tetrahedra using Object Norm", 2019). It is never more than the rigid depth over sqrt 2, and leaves, beside the displacements, a plane
 * between them.
 *
 * Where the paper solves a quadratic program for each of 44 directions, everything here is a closed form. Other simplices (points, segments,
 * triangles) may stand for either body; their points are those of the simplex.
 *
 * Conventions: one frame for both bodies; any unit of length; the normal is unit and points from B into A, so that afterwards A lies where
 * dot(normal, x) >= offset and B where it is <= offset. Tetrahedra may be wound either way. Every function is a pure function of its inputs,
 * to the last bit: instruction sets and threads change the time only.
 *
 * Lengths are taken relative to each other: pairs far from the origin keep what their coordinates tell, and a pair larger or smaller than
 * what double precision can square is scaled.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Points that span a body: its convex hull, all of whose points follow the vertices linearly. */
typedef struct abut_simplex {
    int32_t count;       /**< 1 a point, 2 a segment, 3 a triangle, 4 a tetrahedron. Flat and coincident vertices are allowed */
    abut_vec3 vertex[4]; /**< [count], finite; the rest is not read */
} abut_simplex;

/** A tetrahedron. */
static inline abut_simplex abut_simplex_make_tetra(abut_vec3 p, abut_vec3 q, abut_vec3 r, abut_vec3 s) {
    abut_simplex tetra = {4, {p, q, r, s}};
    return tetra;
}

/**
 * Object norm, squared: the mean of |d(x)|^2 over a simplex whose vertices are displaced, (sum |d_i|^2 + |sum d_i|^2) / (m (m + 1)) for m
 * vertices. It does not depend on the simplex, and is |d|^2 when all vertices move by d (K. Kazerounian, J. Rastegar 1992).
 *
 * @param count         m, 1 .. 4; anything else gives NaN
 * @param displacement  [count]
 */
ABUT_API double abut_object_norm_squared(int32_t count, const abut_vec3 *displacement);

/**
 * The least displacement, by object norm, that brings a simplex to one side of a plane: all of its vertices to dot(normal, x) <= offset.
 * Vertices on the right side may move too, to balance the others: the paper's case of a deforming body and a half-space.
 *
 * @param normal        of any length but 0
 * @param offset        of the plane, with the normal as given [length of the normal times length]
 * @param displacement  [simplex->count] set on ABUT_OK; along the normal
 * @param sigma         set to the object norm squared; NULL if not wanted
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a count that is not 1 .. 4, or a zero normal; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_simplex_push(const abut_simplex *simplex, abut_vec3 normal, double offset, abut_vec3 *displacement, double *sigma);

/** Along which normals a separation is looked for. */
typedef enum abut_depth_mode {
    /** Normals of the faces of A and of B, and cross products of an edge of each: 44 of two tetrahedra, in both directions; the least of
        all. The same for (A, B) and (B, A). The default. */
    ABUT_DEPTH_EXACT44,
    /** The paper as printed: 44 directions, in both senses only where an edge of A does not bound A's projection; the face or edges that a
        direction is made from are brought onto the plane whether that helps or not. Not symmetric, never less than ABUT_DEPTH_EXACT44. */
    ABUT_DEPTH_PAPER,
    /** The paper's acceleration: only the direction of the least rigid depth. Some 5 % deeper on average, up to 90 %. */
    ABUT_DEPTH_ACCELERATED,
    /** The settings' `best_k` directions of least overlap. */
    ABUT_DEPTH_BEST_K,
    /** Any normal: from the best of the 44 to the local least value near it, which in 96 of 100 pairs is the least of all. With one static
        body the least of all. */
    ABUT_DEPTH_FREE_LOCAL,
    /** Any normal: the least of all, by an enumeration of every case. The depth is then what it should be: no separation at all is
        cheaper, whatever the plane. Lipschitz in the vertices. */
    ABUT_DEPTH_FREE
} abut_depth_mode;

/** How depths are computed. Start from abut_depth_settings_default(). */
typedef struct abut_depth_settings {
    abut_depth_mode mode; /**< default ABUT_DEPTH_EXACT44 */
    int32_t best_k;       /**< of ABUT_DEPTH_BEST_K: 1 .. 88; a direction counts once for each of its senses; default 6 */
    double weight_a;      /**< what displacing A costs, its mass for example; > 0; INFINITY: A is static; default 1 */
    double weight_b;      /**< the same of B; not both static, and finite ones no more than a factor of 1e100 apart; default 1 */
    double volume_ratio;  /**< tetrahedra keep at least this share of their volume: below 1; 0 forbids inside-out elements, -INFINITY (default) nothing.
                               Bodies without volume are not held to it. With ABUT_DEPTH_EXACT44, _ACCELERATED and _BEST_K */
} abut_depth_settings;

/** The defaults named above. */
ABUT_API abut_depth_settings abut_depth_settings_default(void);

/** How two simplices lie to each other. */
typedef enum abut_depth_relation {
    ABUT_DEPTH_NONE,         /**< no answer: see status */
    ABUT_DEPTH_DISJOINT,     /**< a plane has room between them */
    ABUT_DEPTH_TOUCHING,     /**< they meet, and no depth above the rounding of their coordinates keeps them: also pairs that together span no volume */
    ABUT_DEPTH_INTERSECTING  /**< they overlap */
} abut_depth_relation;

/** What a normal is made from. */
typedef enum abut_depth_direction {
    ABUT_DEPTH_BY_NOTHING, /**< two points, two segments of one line: nothing gives a direction, any across will do */
    ABUT_DEPTH_BY_FACE_A,  /**< a face of A: feature_a */
    ABUT_DEPTH_BY_FACE_B,  /**< a face of B: feature_b */
    ABUT_DEPTH_BY_EDGES,   /**< an edge of each; of parallel ones their common perpendicular */
    ABUT_DEPTH_BY_PLANE,   /**< flat pairs in one plane: an edge, within that plane */
    ABUT_DEPTH_BY_SEARCH,  /**< a free normal */
    ABUT_DEPTH_BY_CALLER   /**< abut_simplex_depth_along() */
} abut_depth_direction;

/** Rigid depth: the least translation that separates. */
typedef struct abut_rigid_depth {
    double gap;                     /**< greatest gap over all directions: min dot(normal, a) - max dot(normal, b). Negative: the two overlap, and -gap is the
                                         rigid depth. Positive: they are apart, by at least the gap [length] */
    abut_vec3 normal;               /**< unit, from B into A: of that direction */
    abut_depth_direction direction; /**< what it is made from */
    int32_t feature_a;              /**< face or edge of A, else -1: face i of a tetrahedron is opposite its vertex i, a triangle has face 0; edges
                                         are the pairs of vertices (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), without those that are missing */
    int32_t feature_b;              /**< face or edge of B, else -1 */
    abut_depth_relation relation;   /**< what the gap says: within the rounding of the coordinates the two touch */
} abut_rigid_depth;

/** Deformable depth of one pair. */
typedef struct abut_depth {
    abut_status status;             /**< ABUT_OK; in batches what was wrong with this pair, and then all else is zero */
    abut_depth_relation relation;   /**< when it is not ABUT_DEPTH_INTERSECTING, depth, sigmas and displacements are 0 */
    double depth;                   /**< sqrt(weight_a sigma_a + weight_b sigma_b); a static body's term is 0 [length, for weights of 1] */
    double sigma_a;                 /**< object norm squared of A's displacement [length^2] */
    double sigma_b;                 /**< the same of B */
    abut_vec3 normal;               /**< unit, from B into A; of pairs apart that of the largest gap among the directions */
    double offset;                  /**< of the plane between the displaced bodies: dot(normal, x) = offset [length] */
    abut_vec3 displacement_a[4];    /**< of A's vertices, along the normal */
    abut_vec3 displacement_b[4];    /**< of B's vertices, along the normal */
    abut_depth_direction direction; /**< what the normal is made from */
    int32_t feature_a;              /**< as in abut_rigid_depth */
    int32_t feature_b;              /**< as in abut_rigid_depth */
    bool certified;                 /**< true: no normal at all separates the pair for less; false: one may */
    abut_rigid_depth rigid;         /**< rigid depth of the pair; not computed by abut_simplex_depth_along(): the overlap along the given normal there */
    double volume_force_a;          /**< multiplier of A's volume ratio: how much depth^2 grows for a unit more of the least ratio; 0 where the ratio
                                         is kept anyway */
    double volume_force_b;          /**< the same of B */
} abut_depth;

/**
 * Rigid depth of two simplices by their separating directions (the paper's theorem 1, with the overlap of the two that separates: max of one
 * minus min of the other).
 *
 * @return ABUT_OK, also when apart; ABUT_ERROR_INVALID_ARGUMENT for NULL or a count that is not 1 .. 4; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_simplex_rigid_depth(const abut_simplex *a, const abut_simplex *b, abut_rigid_depth *rigid);

/**
 * Deformable depth of two simplices.
 *
 * @param settings  NULL for the defaults
 * @param depth     set on ABUT_OK
 * @return ABUT_OK, also when apart; ABUT_ERROR_INVALID_ARGUMENT for NULL, a count that is not 1 .. 4, or settings out of range;
 *         ABUT_ERROR_NOT_FINITE for vertices that are not finite, or results that overflow
 */
ABUT_API abut_status abut_simplex_depth(const abut_simplex *a, const abut_simplex *b, const abut_depth_settings *settings, abut_depth *depth);

/**
 * The same along one normal that the caller gives: the least displacement that brings A above and B below some plane with this normal. Never
 * less than the depth of ABUT_DEPTH_FREE. The mode of the settings is not used.
 *
 * @param normal  from B into A, of any length but 0
 * @return as abut_simplex_depth(), and ABUT_ERROR_INVALID_ARGUMENT for a zero normal; the relation is that along this normal alone
 */
ABUT_API abut_status abut_simplex_depth_along(const abut_simplex *a, const abut_simplex *b, abut_vec3 normal,
                                              const abut_depth_settings *settings, abut_depth *depth);

/**
 * How a depth changes when vertices move: derivatives of `depth` by each coordinate. With the direction that was found: where two directions are
 * equally deep, that of the one taken. Forces along these gradients balance, and so do their torques. Zero when the pair does not intersect.
 *
 * @param settings    those that `depth` was computed with; NULL for the defaults
 * @param depth       of these two simplices, by abut_simplex_depth()
 * @param gradient_a  [a->count] set on ABUT_OK
 * @param gradient_b  [b->count] set on ABUT_OK
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_depth_gradient(const abut_simplex *a, const abut_simplex *b, const abut_depth_settings *settings,
                                         const abut_depth *depth, abut_vec3 *gradient_a, abut_vec3 *gradient_b);

/**
 * Depths of many pairs, over threads: bit for bit those of abut_simplex_depth().
 *
 * @param a         [count]
 * @param b         [count] the partners
 * @param settings  of all pairs; NULL for the defaults
 * @param parallel  NULL for the defaults
 * @param depths    [count], every one written
 * @return ABUT_OK, also when single pairs failed: see their status; ABUT_ERROR_INVALID_ARGUMENT for NULL, a negative count or settings out of
 *         range: then nothing is written
 */
ABUT_API abut_status abut_simplex_depth_batch(const abut_simplex *a, const abut_simplex *b, int32_t count, const abut_depth_settings *settings,
                                              const abut_parallel *parallel, abut_depth *depths);

#ifdef __cplusplus
}
#endif
