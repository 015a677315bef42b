/*
 * Chebyshev centre: max r subject to n_i . x + r <= d_i, a linear program in four unknowns.
 *
 * Dual simplex method. Four rows (n_i, 1) hold as equations and give a candidate (x, r). Their multipliers, which express (0, 0, 0, 1) by
 * the rows, are >= 0. The most violated row enters; the ratio test keeps the multipliers >= 0; r falls from step to step until no row is
 * violated. The start is a regular tetrahedron around everything. A step costs one pass over the planes. The number of steps hardly depends
 * on the number of planes.
 */

#include "geom/inner_ball.h"

#include <float.h>
#include <math.h>

#include "base/real.h"

typedef struct row {
    double c[4]; /* normal and 1 */
    double d;
} row;

typedef struct program {
    const abut_vec3 *normals;
    const double *offsets;
    int32_t count;
    row basis[4];
    int32_t index[4]; /* planes of the basis; -1 to -4 for the tetrahedron */
    double inverse[4][4];
} program;

/* Gauss-Jordan elimination with partial pivoting; rows of m are the basis rows. False when it is singular. */
static bool invert(double m[4][4], double inverse[4][4]) {
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            inverse[i][j] = i == j ? 1.0 : 0.0;
        }
    }
    for (int k = 0; k < 4; k++) {
        int pivot = k;
        for (int i = k + 1; i < 4; i++) {
            pivot = fabs(m[i][k]) > fabs(m[pivot][k]) ? i : pivot;
        }
        if (!(fabs(m[pivot][k]) > 16.0 * DBL_EPSILON)) {
            return false;
        }
        for (int j = 0; j < 4; j++) {
            double t = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = t;
            t = inverse[k][j];
            inverse[k][j] = inverse[pivot][j];
            inverse[pivot][j] = t;
        }
        double scale = 1.0 / m[k][k];
        for (int j = 0; j < 4; j++) {
            m[k][j] *= scale;
            inverse[k][j] *= scale;
        }
        for (int i = 0; i < 4; i++) {
            double factor = m[i][k];
            for (int j = 0; i != k && j < 4; j++) {
                m[i][j] -= factor * m[k][j];
                inverse[i][j] -= factor * inverse[k][j];
            }
        }
    }
    return true;
}

/* Solves the basis rows for (x, r). */
static bool solve_basis(program *lp, double solution[4]) {
    double m[4][4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            m[i][j] = lp->basis[i].c[j];
        }
    }
    if (!invert(m, lp->inverse)) {
        return false;
    }
    for (int j = 0; j < 4; j++) {
        solution[j] = 0.0;
        for (int i = 0; i < 4; i++) {
            solution[j] += lp->inverse[j][i] * lp->basis[i].d;
        }
    }
    return true;
}

/* Coefficients of a row in terms of the basis rows: w with sum_k w_k basis_k = c. */
static void express(const program *lp, const double c[4], double w[4]) {
    for (int k = 0; k < 4; k++) {
        w[k] = c[0] * lp->inverse[0][k] + c[1] * lp->inverse[1][k] + c[2] * lp->inverse[2][k] + c[3] * lp->inverse[3][k];
    }
}

static row plane_row(const program *lp, int32_t i) {
    return (row){{lp->normals[i].x, lp->normals[i].y, lp->normals[i].z, 1.0}, lp->offsets[i]};
}

/* The distance of x from the nearest plane, and the index of that plane. */
static double clearance(const program *lp, abut_vec3 x, int32_t *nearest) {
    double least = INFINITY;
    for (int32_t i = 0; i < lp->count; i++) {
        double distance = lp->offsets[i] - abut_dot(lp->normals[i], x);
        if (distance < least) {
            least = distance;
            *nearest = i;
        }
    }
    return least;
}

/* The lowest plane nearer to x than r - tolerance. This rule cannot cycle. */
static int32_t lowest_violated(const program *lp, abut_vec3 x, double r, double tolerance) {
    for (int32_t i = 0; i < lp->count; i++) {
        if (lp->offsets[i] - abut_dot(lp->normals[i], x) < r - tolerance) {
            return i;
        }
    }
    return -1;
}

/* The basis row that leaves when `entering` enters. Among ratios that are equal within rounding error it takes the largest pivot, or with
 * `careful` the lowest index. */
static int leaving_row(const program *lp, row entering, bool careful) {
    static const double objective[4] = {0, 0, 0, 1};
    double multiplier[4], w[4];
    express(lp, objective, multiplier);
    express(lp, entering.c, w);
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        if (w[k] > 1e-12) {
            least = real_min_number(least, real_max_number(multiplier[k], 0.0) / w[k]);
        }
    }
    int leaving = -1;
    for (int k = 0; k < 4; k++) {
        if (w[k] > 1e-12 && real_max_number(multiplier[k], 0.0) / w[k] <= least + 1e-12 * (1.0 + least)) {
            bool better = leaving < 0 || (careful ? lp->index[k] < lp->index[leaving] : w[k] > w[leaving]);
            leaving = better ? k : leaving;
        }
    }
    return leaving;
}

/* When the optimum is an edge or a facet of centres: moves x towards the origin as far as the planes that determine r allow. */
static abut_vec3 draw_to_origin(const program *lp, abut_vec3 x, double r) {
    static const double objective[4] = {0, 0, 0, 1};
    double multiplier[4];
    express(lp, objective, multiplier);
    abut_vec3 way = abut_neg(x), held[4];
    int held_count = 0;
    for (int k = 0; k < 4; k++) {
        abut_vec3 n = abut_vec3_make(lp->basis[k].c[0], lp->basis[k].c[1], lp->basis[k].c[2]);
        if (multiplier[k] > 1e-9) {
            for (int j = 0; j < held_count; j++) {
                n = abut_add_scaled(n, -abut_dot(n, held[j]), held[j]);
            }
            if (abut_length(n) > 1e-9) {
                held[held_count] = abut_unit(n);
                way = abut_add_scaled(way, -abut_dot(way, held[held_count]), held[held_count]);
                held_count++;
            }
        }
    }
    double step = 1.0;
    for (int32_t i = 0; i < lp->count; i++) {
        double speed = abut_dot(lp->normals[i], way), slack = lp->offsets[i] - abut_dot(lp->normals[i], x) - r;
        if (speed > 1e-12 * abut_length(x)) {
            step = real_min_number(step, real_max_number(slack, 0.0) / speed);
        }
    }
    return abut_add_scaled(x, step, way);
}

static void start_tetrahedron(program *lp, double reach) {
    static const double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    double s = sqrt(1.0 / 3.0);
    for (int k = 0; k < 4; k++) {
        lp->basis[k] = (row){{s * corner[k][0], s * corner[k][1], s * corner[k][2], 1.0}, reach};
        lp->index[k] = -1 - k;
    }
}

/* One pivot. The plane `nearest` to the candidate enters, or with `careful` the lowest violated plane. False when rounding error leaves no
 * valid pivot. */
static bool pivot(program *lp, abut_vec3 x, double r, int32_t nearest, double tolerance, bool careful) {
    int32_t entering = careful ? lowest_violated(lp, x, r, tolerance) : nearest;
    int leaving = leaving_row(lp, plane_row(lp, entering), careful);
    if (leaving < 0) {
        return false;
    }
    lp->basis[leaving] = plane_row(lp, entering);
    lp->index[leaving] = entering;
    return true;
}

typedef struct ball {
    abut_vec3 centre;
    double radius;
} ball;

/* The best ball seen during the search. It is the last one unless rounding error ended the search early. */
static ball search(program *lp, double reach, double tolerance, ball best) {
    enum { most_steps = 1000, patience = 16 };
    double last = INFINITY;
    int stalled = 0;
    start_tetrahedron(lp, reach);
    for (int step = 0; step < most_steps; step++) {
        double y[4];
        if (!solve_basis(lp, y)) {
            return best;
        }
        int32_t nearest = -1;
        ball found = {.centre = abut_vec3_make(y[0], y[1], y[2])};
        found.radius = clearance(lp, found.centre, &nearest);
        bool optimal = !(found.radius < y[3] - tolerance);
        if (optimal) {
            found.centre = draw_to_origin(lp, found.centre, found.radius);
            found.radius = clearance(lp, found.centre, &nearest);
        }
        if (found.radius > best.radius || (optimal && found.radius >= best.radius - tolerance)) {
            best = found;
        }
        /* A step that does not lower r is a tie. After several ties we use the rule that cannot cycle. */
        stalled = y[3] < last - tolerance ? 0 : stalled + 1;
        last = real_min_number(last, y[3]);
        if (optimal || !pivot(lp, abut_vec3_make(y[0], y[1], y[2]), y[3], nearest, tolerance, stalled > patience)) {
            return best;
        }
    }
    return best;
}

double inner_ball(const abut_vec3 *normals, const double *offsets, int32_t count, double reach, abut_vec3 *centre) {
    program lp = {.normals = normals, .offsets = offsets, .count = count};
    double tolerance = 8.0 * DBL_EPSILON * reach;
    int32_t nearest = -1;
    ball at_origin = {.centre = {0, 0, 0}};
    at_origin.radius = clearance(&lp, at_origin.centre, &nearest);
    ball best = search(&lp, reach, tolerance, at_origin);
    if (at_origin.radius >= best.radius - 0.25 * tolerance) {
        best = at_origin; /* equal within rounding error */
    }
    *centre = best.centre;
    return best.radius;
}

/* The ball can move along v when no plane that it touches lies ahead. If such a v exists, there is one that is parallel to two of the
 * planes. */
bool inner_ball_is_held(const abut_vec3 *normals, const double *distances, int32_t count, double radius) {
    enum { MOST_TOUCHED = 24 }; /* if some planes hold the ball, the others need no test */
    const double ahead = 1e-3;
    abut_vec3 touched[MOST_TOUCHED];
    int32_t n = 0;
    for (int32_t i = 0; i < count && n < MOST_TOUCHED; ++i) {
        if (distances[i] <= radius * (1.0 + 1e-9)) {
            touched[n++] = normals[i];
        }
    }
    bool any = false;
    for (int32_t i = 0; i < n; ++i) {
        for (int32_t k = 0; k < n; ++k) {
            abut_vec3 way = abut_cross(touched[i], touched[k]);
            double length = abut_length(way), most = -1.0;
            for (int32_t m = 0; m < n; ++m) {
                most = real_max_number(most, abut_dot(touched[m], way));
            }
            if (length > 1e-6 && most < ahead * length) {
                return false;
            }
            any = any || length > 1e-6;
        }
    }
    return any;
}
