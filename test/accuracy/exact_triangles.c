/*
 * The point of P - Q nearest to the origin lies on a face of P minus a face of Q whose directions are independent. For each such pair of faces the foot of the
 * perpendicular solves G x = r, where G has the products of the directions. It counts if it lies inside both faces.
 *
 * Everything is done twice: in whole numbers of 128 bits for small corners, and in whole numbers of any length, after multiplication by a power of two.
 */
#include "accuracy/exact_triangles.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <string.h>

/* ---- faces ---- */

/* A face of a triangle: its first corner, and up to two directions from it to others. */
typedef struct face {
    int count, corner[3];
} face;

static const face faces[7] = {{1, {0}}, {1, {1}}, {1, {2}}, {2, {0, 1}}, {2, {1, 2}}, {2, {2, 0}}, {3, {0, 1, 2}}};

/* ---- small whole numbers ---- */

__extension__ typedef __int128 wide;

typedef struct whole {
    int64_t x[3];
} whole;

static whole whole_minus(whole a, whole b) { return (whole){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}}; }

static int64_t whole_dot(whole a, whole b) { return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2]; }

static whole whole_cross(whole a, whole b) {
    return (whole){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static whole whole_of(abut_vec3 a) { return (whole){{(int64_t)a.x, (int64_t)a.y, (int64_t)a.z}}; }

static wide determinant(int n, wide m[3][3]) {
    if (n == 0) {
        return 1;
    }
    if (n == 1) {
        return m[0][0];
    }
    if (n == 2) {
        return m[0][0] * m[1][1] - m[0][1] * m[1][0];
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Whether the faces' relative interiors (with independent directions) have a common point. */
static bool small_faces_share(const whole p[3], const whole q[3], const face *f, const face *g) {
    whole direction[4];
    int n = 0, of_p = f->count - 1;
    for (int i = 1; i < f->count; i++) {
        direction[n++] = whole_minus(p[f->corner[i]], p[f->corner[0]]);
    }
    for (int i = 1; i < g->count; i++) {
        direction[n++] = whole_minus(q[g->corner[0]], q[g->corner[i]]);
    }
    if (n > 3) {
        return false;
    }
    whole start = whole_minus(q[g->corner[0]], p[f->corner[0]]);
    wide gram[3][3] = {{0}}, right[3] = {0}, solved[3] = {0}, sum_p = 0, sum_q = 0;
    for (int i = 0; i < n; i++) {
        right[i] = whole_dot(direction[i], start);
        for (int k = 0; k < n; k++) {
            gram[i][k] = whole_dot(direction[i], direction[k]);
        }
    }
    wide det = determinant(n, gram);
    if (det == 0) {
        return false;
    }
    for (int c = 0; c < n; c++) {
        wide replaced[3][3];
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                replaced[i][k] = k == c ? right[i] : gram[i][k];
            }
        }
        solved[c] = determinant(n, replaced);
        if (solved[c] < 0) {
            return false;
        }
        *(c < of_p ? &sum_p : &sum_q) += solved[c];
    }
    if (sum_p > det || sum_q > det) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        wide residual = -det * start.x[axis];
        for (int c = 0; c < n; c++) {
            residual += solved[c] * direction[c].x[axis];
        }
        if (residual != 0) {
            return false;
        }
    }
    return true;
}

/* Whether the planes with this normal through P or Q have both on different sides. */
static bool small_separates(const whole p[3], const whole q[3], whole n) {
    int64_t p_low = INT64_MAX, p_high = INT64_MIN, q_low = INT64_MAX, q_high = INT64_MIN;
    for (int i = 0; i < 3; i++) {
        int64_t a = whole_dot(n, p[i]), b = whole_dot(n, q[i]);
        p_low = a < p_low ? a : p_low;
        p_high = a > p_high ? a : p_high;
        q_low = b < q_low ? b : q_low;
        q_high = b > q_high ? b : q_high;
    }
    return p_low >= q_high || q_low >= p_high;
}

static bool whole_is_zero(whole a) { return a.x[0] == 0 && a.x[1] == 0 && a.x[2] == 0; }

/* Whether a plane separates the two: one with the normal of a face of P - Q. Sets that do not span space lie in a plane, which separates them. */
static bool small_separable(const whole p[3], const whole q[3]) {
    whole side[6];
    for (int i = 0; i < 3; i++) {
        side[i] = whole_minus(p[(i + 1) % 3], p[i]);
        side[3 + i] = whole_minus(q[(i + 1) % 3], q[i]);
    }
    bool spans = false;
    for (int i = 0; i < 6; i++) {
        for (int k = i + 1; k < 6; k++) {
            whole n = whole_cross(side[i], side[k]);
            if (!whole_is_zero(n) && small_separates(p, q, n)) {
                return true;
            }
            for (int j = 0; j < 6; j++) {
                spans = spans || whole_dot(n, side[j]) != 0;
            }
        }
    }
    return !spans;
}

int exact_small_relation(const exact_pair *pair) {
    whole p[3], q[3];
    bool share = false;
    for (int i = 0; i < 3; i++) {
        p[i] = whole_of(pair->p[i]);
        q[i] = whole_of(pair->q[i]);
    }
    for (int i = 0; i < 49 && !share; i++) {
        share = small_faces_share(p, q, &faces[i / 7], &faces[i % 7]);
    }
    return !share ? 0 : small_separable(p, q) ? 1 : 2;
}

/* ---- whole numbers of any length ---- */

typedef struct big {
    mpz_t x[3];
} big;

static void big_init(big *a) {
    for (int i = 0; i < 3; i++) {
        mpz_init(a->x[i]);
    }
}

static void big_clear(big *a) {
    for (int i = 0; i < 3; i++) {
        mpz_clear(a->x[i]);
    }
}

static void big_minus(big *to, const big *a, const big *b) {
    for (int i = 0; i < 3; i++) {
        mpz_sub(to->x[i], a->x[i], b->x[i]);
    }
}

static void big_dot(mpz_t to, const big *a, const big *b) {
    mpz_set_ui(to, 0);
    for (int i = 0; i < 3; i++) {
        mpz_addmul(to, a->x[i], b->x[i]);
    }
}

static void big_cross(big *to, const big *a, const big *b) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mpz_mul(to->x[i], a->x[j], b->x[k]);
        mpz_submul(to->x[i], a->x[k], b->x[j]);
    }
}

typedef struct big_work {
    big p[3], q[3], direction[3], start, foot;
    mpz_t gram[3][3], right[3], replaced[3][3], det, part, sum_p, sum_q, square, best_square, best_det, left;
    int power; /* corners were multiplied by two to this power */
    bool any;
} big_work;

static void work_init(big_work *w) {
    for (int i = 0; i < 3; i++) {
        big_init(&w->p[i]);
        big_init(&w->q[i]);
        big_init(&w->direction[i]);
        mpz_init(w->right[i]);
        for (int k = 0; k < 3; k++) {
            mpz_init(w->gram[i][k]);
            mpz_init(w->replaced[i][k]);
        }
    }
    big_init(&w->start);
    big_init(&w->foot);
    mpz_inits(w->det, w->part, w->sum_p, w->sum_q, w->square, w->best_square, w->best_det, w->left, NULL);
    w->any = false;
}

static void work_clear(big_work *w) {
    for (int i = 0; i < 3; i++) {
        big_clear(&w->p[i]);
        big_clear(&w->q[i]);
        big_clear(&w->direction[i]);
        mpz_clear(w->right[i]);
        for (int k = 0; k < 3; k++) {
            mpz_clear(w->gram[i][k]);
            mpz_clear(w->replaced[i][k]);
        }
    }
    big_clear(&w->start);
    big_clear(&w->foot);
    mpz_clears(w->det, w->part, w->sum_p, w->sum_q, w->square, w->best_square, w->best_det, w->left, NULL);
}

/* The power of two that makes all corners whole numbers. */
static int power_of(const exact_pair *pair) {
    int power = -2000;
    double x[18];
    memcpy(x, pair, sizeof x);
    for (int i = 0; i < 18; i++) {
        int exponent;
        double digits = frexp(x[i], &exponent);
        while (digits != 0.0 && digits != floor(digits)) {
            digits *= 2.0;
            exponent--;
        }
        power = x[i] != 0.0 && -exponent > power ? -exponent : power;
    }
    return power == -2000 ? 0 : power;
}

static void big_set(big *to, abut_vec3 a, int power) {
    const double *x = &a.x;
    for (int i = 0; i < 3; i++) {
        int exponent;
        double digits = frexp(x[i], &exponent);
        mpz_set_d(to->x[i], ldexp(digits, 53));
        int shift = exponent - 53 + power;
        if (shift >= 0) {
            mpz_mul_2exp(to->x[i], to->x[i], (mp_bitcnt_t)shift);
        } else {
            mpz_tdiv_q_2exp(to->x[i], to->x[i], (mp_bitcnt_t)-shift);
        }
    }
}

static void big_determinant(mpz_t to, mpz_t scratch, int n, mpz_t m[3][3]) {
    static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    if (n == 0) {
        mpz_set_ui(to, 1);
    } else if (n == 1) {
        mpz_set(to, m[0][0]);
    } else if (n == 2) {
        mpz_mul(to, m[0][0], m[1][1]);
        mpz_submul(to, m[0][1], m[1][0]);
    } else {
        mpz_set_ui(to, 0);
        for (int i = 0; i < 6; i++) {
            mpz_mul(scratch, m[0][order[i][0]], m[1][order[i][1]]);
            (i < 3 ? mpz_addmul : mpz_submul)(to, scratch, m[2][order[i][2]]);
        }
    }
}

/* Keeps the squared distance |start - sum x_i direction_i|^2 of the feet of the perpendicular if they lie in both faces and it is the least. */
static void big_faces(big_work *w, const face *f, const face *g) {
    int n = 0, of_p = f->count - 1;
    if (f->count + g->count > 5) {
        return;
    }
    for (int i = 1; i < f->count; i++) {
        big_minus(&w->direction[n++], &w->p[f->corner[i]], &w->p[f->corner[0]]);
    }
    for (int i = 1; i < g->count; i++) {
        big_minus(&w->direction[n++], &w->q[g->corner[0]], &w->q[g->corner[i]]);
    }
    big_minus(&w->start, &w->q[g->corner[0]], &w->p[f->corner[0]]);
    for (int i = 0; i < n; i++) {
        big_dot(w->right[i], &w->direction[i], &w->start);
        for (int k = 0; k < n; k++) {
            big_dot(w->gram[i][k], &w->direction[i], &w->direction[k]);
        }
    }
    big_determinant(w->det, w->part, n, w->gram);
    if (mpz_sgn(w->det) == 0) {
        return;
    }
    mpz_set_ui(w->sum_p, 0);
    mpz_set_ui(w->sum_q, 0);
    for (int axis = 0; axis < 3; axis++) {
        mpz_mul(w->foot.x[axis], w->start.x[axis], w->det);
    }
    for (int c = 0; c < n; c++) {
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                mpz_set(w->replaced[i][k], k == c ? w->right[i] : w->gram[i][k]);
            }
        }
        mpz_t solved;
        mpz_init(solved);
        big_determinant(solved, w->part, n, w->replaced);
        mpz_add(*(c < of_p ? &w->sum_p : &w->sum_q), *(c < of_p ? &w->sum_p : &w->sum_q), solved);
        for (int axis = 0; axis < 3; axis++) {
            mpz_submul(w->foot.x[axis], solved, w->direction[c].x[axis]);
        }
        bool inside = mpz_sgn(solved) >= 0;
        mpz_clear(solved);
        if (!inside) {
            return;
        }
    }
    if (mpz_cmp(w->sum_p, w->det) > 0 || mpz_cmp(w->sum_q, w->det) > 0) {
        return;
    }
    big_dot(w->square, &w->foot, &w->foot); /* over det^2 */
    mpz_mul(w->det, w->det, w->det);
    mpz_mul(w->left, w->square, w->best_det);
    mpz_mul(w->part, w->best_square, w->det);
    if (!w->any || mpz_cmp(w->left, w->part) < 0) {
        mpz_set(w->best_square, w->square);
        mpz_set(w->best_det, w->det);
        w->any = true;
    }
}

static void work_begin(big_work *w, const exact_pair *pair) {
    work_init(w);
    w->power = power_of(pair);
    for (int i = 0; i < 3; i++) {
        big_set(&w->p[i], pair->p[i], w->power);
        big_set(&w->q[i], pair->q[i], w->power);
    }
}

static void work_distance(big_work *w) {
    for (int i = 0; i < 49; i++) {
        big_faces(w, &faces[i / 7], &faces[i % 7]);
    }
}

void exact_distance_squared(const exact_pair *pair, mpq_t square) {
    big_work w;
    work_begin(&w, pair);
    work_distance(&w);
    mpq_set_num(square, w.best_square);
    mpq_set_den(square, w.best_det);
    mpq_canonicalize(square);
    if (w.power >= 0) {
        mpq_div_2exp(square, square, (mp_bitcnt_t)(2 * w.power));
    } else {
        mpq_mul_2exp(square, square, (mp_bitcnt_t)(-2 * w.power));
    }
    work_clear(&w);
}

static bool big_separates(big_work *w, const big *n) {
    mpz_t low[2], high[2], along;
    mpz_inits(low[0], low[1], high[0], high[1], along, NULL);
    for (int i = 0; i < 6; i++) {
        big_dot(along, n, i < 3 ? &w->p[i] : &w->q[i - 3]);
        if (i % 3 == 0 || mpz_cmp(along, low[i / 3]) < 0) {
            mpz_set(low[i / 3], along);
        }
        if (i % 3 == 0 || mpz_cmp(along, high[i / 3]) > 0) {
            mpz_set(high[i / 3], along);
        }
    }
    bool separates = mpz_cmp(low[0], high[1]) >= 0 || mpz_cmp(low[1], high[0]) >= 0;
    mpz_clears(low[0], low[1], high[0], high[1], along, NULL);
    return separates;
}

static bool big_separable(big_work *w) {
    big side[6], n;
    bool spans = false, separates = false;
    big_init(&n);
    for (int i = 0; i < 6; i++) {
        big_init(&side[i]);
        const big *t = i < 3 ? w->p : w->q;
        big_minus(&side[i], &t[(i + 1) % 3], &t[i % 3]);
    }
    for (int i = 0; i < 36 && !separates; i++) {
        if (i / 6 >= i % 6) {
            continue;
        }
        big_cross(&n, &side[i / 6], &side[i % 6]);
        bool zero = mpz_sgn(n.x[0]) == 0 && mpz_sgn(n.x[1]) == 0 && mpz_sgn(n.x[2]) == 0;
        separates = !zero && big_separates(w, &n);
        for (int j = 0; j < 6; j++) {
            big_dot(w->part, &n, &side[j]);
            spans = spans || mpz_sgn(w->part) != 0;
        }
    }
    for (int i = 0; i < 6; i++) {
        big_clear(&side[i]);
    }
    big_clear(&n);
    return separates || !spans;
}

int exact_relation(const exact_pair *pair) {
    big_work w;
    work_begin(&w, pair);
    work_distance(&w);
    int relation = mpz_sgn(w.best_square) != 0 ? 0 : big_separable(&w) ? 1 : 2;
    work_clear(&w);
    return relation;
}

/* The least overlap along a normal, times its length. */
static void big_overlap(mpz_t overlap, big_work *w, const big *n) {
    mpz_t low[2], high[2], along;
    mpz_inits(low[0], low[1], high[0], high[1], along, NULL);
    for (int i = 0; i < 6; i++) {
        big_dot(along, n, i < 3 ? &w->p[i] : &w->q[i - 3]);
        if (i % 3 == 0 || mpz_cmp(along, low[i / 3]) < 0) {
            mpz_set(low[i / 3], along);
        }
        if (i % 3 == 0 || mpz_cmp(along, high[i / 3]) > 0) {
            mpz_set(high[i / 3], along);
        }
    }
    mpz_sub(overlap, high[0], low[1]);
    mpz_sub(along, high[1], low[0]);
    if (mpz_cmp(along, overlap) < 0) {
        mpz_set(overlap, along);
    }
    mpz_clears(low[0], low[1], high[0], high[1], along, NULL);
}

void exact_depth_squared(const exact_pair *pair, mpq_t square) {
    big_work w;
    big side[6], n;
    work_begin(&w, pair);
    big_init(&n);
    for (int i = 0; i < 6; i++) {
        big_init(&side[i]);
        const big *t = i < 3 ? w.p : w.q;
        big_minus(&side[i], &t[(i + 1) % 3], &t[i % 3]);
    }
    for (int i = 0; i < 36; i++) {
        big_cross(&n, &side[i / 6], &side[i % 6]);
        big_dot(w.det, &n, &n);
        if (i / 6 >= i % 6 || mpz_sgn(w.det) == 0) {
            continue;
        }
        big_overlap(w.square, &w, &n);
        mpz_mul(w.square, w.square, w.square);
        mpz_mul(w.left, w.square, w.best_det);
        mpz_mul(w.part, w.best_square, w.det);
        if (!w.any || mpz_cmp(w.left, w.part) < 0) {
            mpz_set(w.best_square, w.square);
            mpz_set(w.best_det, w.det);
            w.any = true;
        }
    }
    mpq_set_num(square, w.best_square);
    mpq_set_den(square, w.best_det);
    mpq_canonicalize(square);
    if (w.power >= 0) {
        mpq_div_2exp(square, square, (mp_bitcnt_t)(2 * w.power));
    } else {
        mpq_mul_2exp(square, square, (mp_bitcnt_t)(-2 * w.power));
    }
    for (int i = 0; i < 6; i++) {
        big_clear(&side[i]);
    }
    big_clear(&n);
    work_clear(&w);
}

double exact_root(const mpq_t square) {
    mpfr_t root;
    mpfr_init2(root, 200);
    mpfr_set_q(root, square, MPFR_RNDN);
    mpfr_sqrt(root, root, MPFR_RNDN);
    double value = mpfr_get_d(root, MPFR_RNDN);
    mpfr_clear(root);
    return value;
}
