#pragma once

#include <abut/base.h>
#include <abut/math.h>

/**
 * @file solve.h
 * Contact forces from linear complementarity problems (LCP). docs/methods/complementarity.md explains them.
 *
 * Given a symmetric positive semidefinite matrix A [n x n] and a vector q [n], find z and w = A z + q with
 *
 *     z_i >= 0,   w_i >= 0,   z_i w_i = 0   for every row i.
 *
 * For contacts, z_i is the force or impulse of contact i, and w_i is the rate at which its surfaces separate: forces and accelerations for resting
 * contact, impulses and velocities for a collision (D. Baraff, "Curved surfaces and coherence for non-penetrating rigid body simulation", 1990).
 * Then A = J M^-1 J^T. A row of J maps the motion of two bodies to their rate of separation, and M is the mass matrix of the bodies. q is the
 * rate of separation without contact forces. w and the motion of the bodies are unique. z is not unique when contacts are redundant.
 *
 * An object of type abut_lcp holds a matrix, which may be solved for many q, and reusable data computed from it: the order of the rows, the split
 * into islands (sets of rows that are coupled directly or through other rows; each is solved separately), and the factor of the pressing rows. A
 * new matrix keeps all data that are still valid. Reuse changes only the time. Results depend only on the matrix and the arguments of
 * abut_lcp_solve(), to the last bit.
 *
 * An object must not be used from two threads at once. Different objects are independent.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Solver of linear complementarity problems; opaque. */
typedef struct abut_lcp abut_lcp;

/**
 * Create a solver without a problem (n = 0). Release it with abut_lcp_destroy().
 * @param lcp  set on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_lcp_create(abut_lcp **lcp);

/** Release a solver; NULL does nothing. */
ABUT_API void abut_lcp_destroy(abut_lcp *lcp);

/**
 * Set the matrix entry by entry. It is copied. Entries that are 0 cost nothing afterwards.
 *
 * The matrix must be symmetric and positive semidefinite. This function checks symmetry up to 1e-9 of sqrt(A_ii A_jj) and uses the lower triangle.
 * abut_lcp_solve() checks definiteness. On an error the solver is left without a problem (n = 0).
 *
 * @param lcp     never NULL
 * @param n       number of rows, 0 to 46340
 * @param matrix  [n * n] entry (i, j) is matrix[n * i + j]; may be NULL when n is 0
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, n out of range or a matrix that is not symmetric; ABUT_ERROR_INDEFINITE for a negative
 *         diagonal entry, or an off-diagonal entry clearly above sqrt(A_ii A_jj); ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_lcp_set_matrix(abut_lcp *lcp, int32_t n, const double *matrix);

/** Inverse mass and inertia of a body. World frame. Zero-initialised: an immovable body. */
typedef struct abut_lcp_body {
    double inverse_mass;       /**< 1/m, >= 0; 0 for a body that forces do not move [1/mass] */
    abut_mat3 inverse_inertia; /**< inverse of the inertia tensor about the centre of mass; symmetric positive semidefinite; zero for a body that
                                    torques do not turn [1/(mass length^2)] */
} abut_lcp_body;

/**
 * One row of J: w = linear_a . v_a + angular_a . o_a + linear_b . v_b + angular_b . o_b, where v is the velocity of a body's centre of mass and o its
 * angular velocity; or the same with accelerations. World frame. abut_lcp_contact_row() gives the row of a contact. Other one-sided constraints,
 * such as joint limits and ropes, have other rows.
 */
typedef struct abut_lcp_row {
    int32_t body_a;      /**< index of body A; -1 for an immovable body */
    int32_t body_b;      /**< index of another body B; -1 for an immovable body */
    abut_vec3 linear_a;  /**< coefficients of A's velocity; for a contact: normal */
    abut_vec3 angular_a; /**< coefficients of A's angular velocity; for a contact: arm_a x normal */
    abut_vec3 linear_b;  /**< coefficients of B's velocity; for a contact: -normal */
    abut_vec3 angular_b; /**< coefficients of B's angular velocity; for a contact: -(arm_b x normal) */
} abut_lcp_row;

/**
 * The row of a contact. w is the rate at which A and B separate at the contact. z is the force or impulse along the normal on A, and opposite to it
 * on B.
 *
 * @param body_a, body_b  indices of the bodies; -1 for an immovable body
 * @param normal          unit, from B into A, world frame
 * @param arm_a           from A's centre of mass to the contact, world frame [length]
 * @param arm_b           from B's centre of mass to the contact, world frame [length]
 */
ABUT_API abut_lcp_row abut_lcp_contact_row(int32_t body_a, int32_t body_b, abut_vec3 normal, abut_vec3 arm_a, abut_vec3 arm_b);

/**
 * Set the matrix A = J M^-1 J^T from rows and masses. Only rows that share a movable body are coupled, and only these pairs are computed: time and
 * memory depend on the number of contacts of each body, not on the square of all contacts. The arrays are read during the call only.
 *
 * On an error the solver is left without a problem (n = 0).
 *
 * @param lcp         never NULL
 * @param bodies      [body_count]; may be NULL when body_count is 0
 * @param body_count  >= 0
 * @param rows        [row_count]; may be NULL when row_count is 0
 * @param row_count   number of rows n, >= 0
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a negative count, a body index out of range, or a row with two equal bodies;
 *         ABUT_ERROR_INDEFINITE for a negative inverse mass, or an inverse inertia that is not symmetric or has a negative diagonal entry;
 *         ABUT_ERROR_NOT_FINITE, also when an entry of A overflows; ABUT_ERROR_OUT_OF_MEMORY, also when A would have 2^31 entries or more
 */
ABUT_API abut_status abut_lcp_set_rows(abut_lcp *lcp, const abut_lcp_body *bodies, int32_t body_count, const abut_lcp_row *rows,
                                       int32_t row_count);

/** Number of rows n of the current problem; 0 for NULL. */
ABUT_API int32_t abut_lcp_size(const abut_lcp *lcp);

/** Solution method. The residual of the solution is verified for every method. */
typedef enum abut_lcp_method {
    /** Finds the set of pressing rows. It exchanges many rows at a time as long as this makes progress, then one row at a time (C. L. Lawson,
        R. J. Hanson, "Solving least squares problems", 1974). Also solves exactly symmetric and redundant problems. Uses `start`. */
    ABUT_LCP_ACTIVE_SET,
    /** Complementary pivoting with a lexicographic ratio test (C. E. Lemke, "Bimatrix equilibrium points and mathematical programming", 1965), the
        method of Baraff's paper. Uses a dense tableau for each island: time grows with the cube of its rows, memory with the square. The rows
        that it finds are then the start of the active set method, which also solves the islands where Lemke's method fails. Does not use
        `start`. */
    ABUT_LCP_LEMKE
} abut_lcp_method;

/** Settings of abut_lcp_solve(). Start from abut_lcp_settings_default(). */
typedef struct abut_lcp_settings {
    /** Solution method. Default ABUT_LCP_ACTIVE_SET. */
    abut_lcp_method method;
    /** Largest allowed residual of a solution, see abut_lcp_result; > 0; default 1e-9 */
    double tolerance;
    /** Largest number of pivots for each island, separately for Lemke's method and the active set method; >= 0. Default 0: 50 n + 100 for an island
        of n rows, and then a slow method for problems that barely have a solution. A limit above 0 excludes this slow method. */
    int32_t pivot_limit;
    /** Magnitude of the terms from which q was computed, when it is larger than q; >= 0; unit of q. For bodies in free fall, for example, q is 0 up
        to the rounding error of terms as large as gravity. Numbers below 1e-12 of this magnitude, or of the largest |q_i|, count as 0. Default 0: no
        more than 1e-280. */
    double magnitude;
    /** [n] For ABUT_LCP_ACTIVE_SET: rows with start[i] > 0 are tried first as pressing rows. Use for example z of the previous step. When these rows
        still press, no search is needed. Any numbers are safe. May be the array that receives z. NULL (default): none. */
    const double *start;
    /** [n] Rows with left_out[i] are excluded: z_i = 0, and w_i may have any sign. Use it for contacts that appear or disappear while the bodies stay
        in place: the matrix and the data computed from it then remain valid. NULL (default): none. */
    const bool *left_out;
} abut_lcp_settings;

/** Settings with the defaults named above. */
ABUT_API abut_lcp_settings abut_lcp_settings_default(void);

/** Accuracy and cost of a solution. */
typedef struct abut_lcp_result {
    double residual;     /**< largest |min(z_i sqrt(A_ii), w_i / sqrt(A_ii))|, divided by the largest |q_i| / sqrt(A_ii), where `magnitude`
                              replaces a smaller |q_i|; A_ii = 0 counts as 1. It does not depend on units. It is computed from w = A z + q, evaluated
                              anew, in double-double precision when the rounding error of a large z could matter. Rows left out do not count */
    int32_t pressing;    /**< number of rows with z > 0 */
    int32_t pivots;      /**< number of rows added to or removed from the set of pressing rows, plus the steps of Lemke's method */
    int32_t islands;     /**< number of islands of the problem */
    int32_t restarts;    /**< number of islands whose start was useless and was dropped */
    int32_t fallbacks;   /**< number of islands for which Lemke's method failed and the active set method was used */
    int32_t factorised;  /**< number of rows of the factor that were computed; 0 when the factor of an earlier call was reused */
} abut_lcp_result;

/**
 * Find z and w for one q.
 *
 * @param lcp       never NULL
 * @param q         [n] not changed; may be NULL when n is 0
 * @param settings  NULL for the defaults
 * @param z         [n] the solution, every z_i >= 0; must not overlap q; may be NULL when n is 0
 * @param w         [n] A z + q as computed, w_i >= 0 up to the residual; NULL if not wanted
 * @param result    NULL if not wanted
 * @return ABUT_OK: solved; the residual is within the tolerance.
 *         ABUT_ERROR_INFEASIBLE: no z meets the tolerance, or none whose entries together are below about 1e7 times q, in the units of the
 *         residual. z is then a proof: z >= 0 with A z = 0 up to rounding error and z . q < 0, scaled so that its largest entry is about 1 in these
 *         units. w is A z, and the residual is infinite. A body between two walls that close in on it is infeasible; bodies that are not jammed
 *         never are.
 *         ABUT_ERROR_ITERATION_LIMIT: the pivot limit was reached, or rounding errors leave open whether a solution exists. z and w are the best
 *         solution found, and the residual is its accuracy.
 *         ABUT_ERROR_INDEFINITE: the matrix is not positive semidefinite. ABUT_ERROR_INVALID_ARGUMENT: NULL or settings out of range.
 *         ABUT_ERROR_NOT_FINITE: q, a number of the settings, or a solution that overflows. ABUT_ERROR_OUT_OF_MEMORY. On these four statuses z, w
 *         and result are untouched.
 */
ABUT_API abut_status abut_lcp_solve(abut_lcp *lcp, const double *q, const abut_lcp_settings *settings, double *z, double *w,
                                    abut_lcp_result *result);

#ifdef __cplusplus
}
#endif
