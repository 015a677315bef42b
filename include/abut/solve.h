#pragma once

#include <abut/base.h>
#include <abut/math.h>

/**
 * @file solve.h
 * Which contacts press, and how hard: linear complementarity problems. docs/methods/complementarity.md explains what that is.
 *
 * Given a symmetric positive semidefinite matrix A [n x n] and a vector q [n], find z and w = A z + q so that
 *
 *     z_i >= 0,   w_i >= 0,   z_i w_i = 0   for every row i.
 *
 * Of contacts, z is how hard each one presses and w how fast the two surfaces part there: forces and accelerations for resting contact,
 * impulses and velocities for a collision (D. Baraff, "Curved surfaces and coherence for non-penetrating rigid body simulation", 1990).
 * Then A = J M^-1 J^T, where a row of J gives the parting from the motion of two bodies and M is their mass; q is what w would be without
 * any z. w is unique, and so is the bodies' motion; z is not where contacts are redundant.
 *
 * An object of type abut_lcp holds a matrix, which may be solved for many q, and everything computed from it that can be used again: the
 * order of the rows, the split into islands (rows that are coupled, directly or through others, are solved apart from the rest), the factor
 * of the rows that pressed. A new matrix keeps as much of it as still holds. That changes the time, never a bit of a result, which depends
 * on the matrix and the arguments of abut_lcp_solve() alone.
 *
 * An object is not safe for use from two threads at once; different objects are independent.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Solver of linear complementarity problems; opaque. */
typedef struct abut_lcp abut_lcp;

/** A new solver, without a problem (n = 0). To be released with abut_lcp_destroy().
 * @param lcp  set on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_OUT_OF_MEMORY */
ABUT_API abut_status abut_lcp_create(abut_lcp **lcp);

/** Release a solver; NULL does nothing. */
ABUT_API void abut_lcp_destroy(abut_lcp *lcp);

/**
 * The matrix, entry by entry. It is copied; entries that are 0 cost nothing later on.
 *
 * Only symmetric positive semidefinite matrices can be solved. Symmetry is checked here, up to 1e-9 of sqrt(A_ii A_jj), and the lower
 * triangle is what is used; definiteness shows when it is solved. On an error the solver is left without a problem (n = 0).
 *
 * @param n       number of rows, 0 .. 46340
 * @param matrix  [n * n] entry (i, j) at matrix[n * i + j]; may be NULL when n is 0
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, n out of range or a matrix that is not symmetric; ABUT_ERROR_INDEFINITE for a
 *         diagonal entry below 0, or another one that is clearly above sqrt(A_ii A_jj); ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_lcp_set_matrix(abut_lcp *lcp, int32_t n, const double *matrix);

/** The mass of a body, inverted. World frame. Zero-initialised: a body that nothing moves. */
typedef struct abut_lcp_body {
    double inverse_mass;       /**< 1/m; >= 0; 0 for a body that no force moves [1/mass] */
    abut_mat3 inverse_inertia; /**< inverse of the inertia about the centre of mass; symmetric positive semidefinite; zero for a body that
                                    no torque turns [1/(mass length^2)] */
} abut_lcp_body;

/**
 * One row of J: w = linear_a . v_a + angular_a . o_a + linear_b . v_b + angular_b . o_b, with the velocity v of a centre of mass and the
 * angular velocity o of a body, or with accelerations. World frame. For a contact, see abut_lcp_contact_row(); other one-sided conditions
 * (stops of joints, ropes) have other rows.
 */
typedef struct abut_lcp_row {
    int32_t body_a;      /**< index of a body; -1 for what never moves */
    int32_t body_b;      /**< index of another body; -1 for what never moves */
    abut_vec3 linear_a;  /**< of a contact: the normal */
    abut_vec3 angular_a; /**< of a contact: arm x normal */
    abut_vec3 linear_b;  /**< of a contact: minus the normal */
    abut_vec3 angular_b; /**< of a contact: minus arm x normal */
} abut_lcp_row;

/**
 * The row of a contact: w is how fast A and B part there, z the force or impulse along the normal on A, and against it on B.
 *
 * @param normal  unit, from B into A
 * @param arm_a   from A's centre of mass to the contact
 * @param arm_b   from B's centre of mass to the contact
 */
ABUT_API abut_lcp_row abut_lcp_contact_row(int32_t body_a, int32_t body_b, abut_vec3 normal, abut_vec3 arm_a, abut_vec3 arm_b);

/**
 * The matrix A = J M^-1 J^T, from rows and masses. Only rows that share a body which can move are coupled, and only they are looked at:
 * time and memory grow with the contacts of each body, not with the square of the contacts. The arrays are read during the call only.
 *
 * On an error the solver is left without a problem (n = 0).
 *
 * @param bodies      [body_count]; may be NULL when body_count is 0
 * @param rows        [row_count] n = row_count; may be NULL when row_count is 0
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a negative count, an index that is no body's, or a row whose two bodies are the
 *         same one; ABUT_ERROR_INDEFINITE for an inverse mass below 0 or an inverse inertia that is not symmetric or has a diagonal entry
 *         below 0; ABUT_ERROR_NOT_FINITE, also when an entry of A overflows; ABUT_ERROR_OUT_OF_MEMORY, also when A would have 2^31 entries
 * or more
 */
ABUT_API abut_status abut_lcp_set_rows(abut_lcp *lcp, const abut_lcp_body *bodies, int32_t body_count, const abut_lcp_row *rows,
                                       int32_t row_count);

/** Number of rows of the present problem; 0 for NULL. */
ABUT_API int32_t abut_lcp_size(const abut_lcp *lcp);

/** How problems are solved. Any method has the residual of its answer verified. */
typedef enum abut_lcp_method {
    /** The rows that press are found as a set: many at a time as long as that leads anywhere, then one at a time (C. L. Lawson,
        R. J. Hanson, "Solving least squares problems", 1974). For exactly symmetric and redundant problems too. Takes a start. */
    ABUT_LCP_ACTIVE_SET,
    /** Complementary pivoting with a lexicographic ratio test (C. E. Lemke, "Bimatrix equilibrium points and mathematical programming",
        1965), what Baraff's paper uses. On a dense tableau for each island: time grows with the cube of its rows, memory with the square.
        The rows that it finds are then settled as those of a start, and where it fails the active set answers. Takes no start. */
    ABUT_LCP_LEMKE
} abut_lcp_method;

/** How to solve. Start from abut_lcp_settings_default(). */
typedef struct abut_lcp_settings {
    abut_lcp_method method;  /**< default ABUT_LCP_ACTIVE_SET */
    double tolerance;        /**< largest residual of a solution, see abut_lcp_result; > 0; default 1e-9 */
    int32_t pivot_limit;     /**< >= 0: for each island, and for Lemke's method and the active set each; above 0 it also rules out the slow
                                  way of problems that hardly have a solution; default 0: 50 n + 100 for an island of n rows, and that way
                                  */
    double magnitude;        /**< what q was computed from, where that is larger than q itself: of bodies that fall freely q is 0 up to the
                                  rounding of terms as large as gravity. What is below 1e-12 of it, or of the largest |q_i|, counts as 0;
                                  >= 0; default 0, which means no more than 1e-280 [as q] */
    const double *start;     /**< [n] ABUT_LCP_ACTIVE_SET: rows with start[i] > 0 are tried first as those that press, for example the z of
                                  the step before: where they still are, nothing is searched. Any numbers are safe. May be the array that z
                                  is written to. NULL (default): none */
    const bool *left_out;    /**< [n] rows with left_out[i] take no part: z_i = 0, and w_i may have any sign. A contact that comes or goes
                                  while the bodies stay where they are is best left out: the matrix and what was computed from it stay.
                                  NULL (default): none */
} abut_lcp_settings;

/** The defaults named above. */
ABUT_API abut_lcp_settings abut_lcp_settings_default(void);

/** How well a problem was solved, and what that took. */
typedef struct abut_lcp_result {
    double residual;     /**< the largest |min(z_i sqrt(A_ii), w_i / sqrt(A_ii))| over the largest |q_i| / sqrt(A_ii) (or magnitude); for an
                              A_ii of 0, 1 in its place. It is the same for any units. From w = A z + q, computed anew, with twice the
                              digits where z is so large that its rounding might count. Rows left out do not count */
    int32_t pressing;    /**< rows with z > 0 */
    int32_t pivots;      /**< how often a row was taken for pressing that was not before, or no longer; and steps of Lemke's method */
    int32_t islands;     /**< of the whole problem */
    int32_t restarts;    /**< islands for which the start was no use and was dropped */
    int32_t fallbacks;   /**< islands for which Lemke's method failed and the active set answered */
    int32_t factorised;  /**< rows of the factor that had to be computed; 0 when the one of an earlier call was right */
} abut_lcp_result;

/**
 * Find z and w for one q.
 *
 * @param q         [n] not changed
 * @param settings  NULL for the defaults
 * @param z         [n] the solution, every z_i >= 0. May not overlap q. May be NULL when n is 0
 * @param w         [n] A z + q as computed, w_i >= 0 up to the residual; NULL if not wanted
 * @param result    NULL if not wanted
 * @return ABUT_OK: solved, the residual is within the tolerance.
 *         ABUT_ERROR_INFEASIBLE: no z keeps the tolerance, or none whose entries together (in the units of the residual) are below some 1e7
 *         times q: z is then a proof, z >= 0 with A z = 0 up to rounding and z . q < 0, its largest entry about 1 in these units; w is A z.
 *         Bodies that nothing jams do not lead there; a body between two walls that close in on it does. The residual is infinite.
 *         ABUT_ERROR_ITERATION_LIMIT: the pivots were used up, or rounding leaves open whether there is a solution: z and w are the best
 *         that was found, and the residual says how good that is.
 *         ABUT_ERROR_INDEFINITE: the matrix is not positive semidefinite. ABUT_ERROR_INVALID_ARGUMENT, ABUT_ERROR_NOT_FINITE (q, a number
 *         of the settings, or a solution that overflows), ABUT_ERROR_OUT_OF_MEMORY. On these z, w and result are untouched.
 */
ABUT_API abut_status abut_lcp_solve(abut_lcp *lcp, const double *q, const abut_lcp_settings *settings, double *z, double *w,
                                    abut_lcp_result *result);

#ifdef __cplusplus
}
#endif
