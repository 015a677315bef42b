/* Convex quadratic programs. See qp.h. */
#include "support/qp.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { N = QP_VARIABLES, M = QP_ROWS, MOST_STEPS = 500 };

/* Tolerances for rows of unit length: the part of a row that is independent of others, and the distance of a point beyond its bound. */
static const double dependent = 1e-10, rounding = 8e-15, inconsistent = 1e-10;

static double dot(const double *x, const double *y, int32_t n) {
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static void add_scaled(double *x, double s, const double *y, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        x[i] += s * y[i];
    }
}

double *qp_add_row(qp_problem *problem, double b) {
    double *row = problem->a[problem->rows];
    memset(row, 0, sizeof problem->a[0]);
    problem->b[problem->rows++] = b;
    return row;
}

/* Orthonormal vectors, and the rows from which they were made: row k = sum_i r[i][k] q[i]. */
typedef struct factor {
    int32_t n, count;
    double q[N][N], r[N][N];
} factor;

/* The part of v orthogonal to the basis, and its coefficients in the basis. It is done twice, because one pass leaves rounding errors of the size of the
 * removed part. */
static double split(const factor *f, const double *v, double *rest, double *share) {
    memcpy(rest, v, (size_t)f->n * sizeof *rest);
    memset(share, 0, N * sizeof *share);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t k = 0; k < f->count; k++) {
            double s = dot(f->q[k], rest, f->n);
            share[k] += s;
            add_scaled(rest, -s, f->q[k], f->n);
        }
    }
    return sqrt(dot(rest, rest, f->n));
}

/* False if v depends on the vectors already present. */
static bool factor_add(factor *f, const double *v) {
    double rest[N], share[N], length = split(f, v, rest, share);
    if (!(length > dependent * sqrt(dot(v, v, f->n)))) {
        return false;
    }
    int32_t k = f->count++;
    for (int32_t i = 0; i < k; i++) {
        f->r[i][k] = share[i];
    }
    f->r[k][k] = length;
    for (int32_t i = 0; i < f->n; i++) {
        f->q[k][i] = rest[i] / length;
    }
    return true;
}

/* R x = y, in place. */
static void solve_upper(const factor *f, double *x) {
    for (int32_t i = f->count - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < f->count; k++) {
            x[i] -= f->r[i][k] * x[k];
        }
        x[i] /= f->r[i][i];
    }
}

/* R^T x = y, in place. */
static void solve_lower(const factor *f, double *x) {
    for (int32_t i = 0; i < f->count; i++) {
        for (int32_t k = 0; k < i; k++) {
            x[i] -= f->r[k][i] * x[k];
        }
        x[i] /= f->r[i][i];
    }
}

/* ---- least distance: minimise |w|^2 / 2 where rows . w <= bounds, rows of unit length ---- */

typedef struct distance {
    int32_t n, rows;
    double row[M][N], bound[M];
    int32_t active[N]; /* the row from which each vector of the factor was made */
    double pressure[N];
    factor f;
    double w[N];
    double scale; /* of the bounds */
} distance;

static void place(distance *d) {
    memset(d->w, 0, sizeof d->w);
    for (int32_t k = 0; k < d->f.count; k++) {
        add_scaled(d->w, -d->pressure[k], d->row[d->active[k]], d->n);
    }
}

static int32_t most_violated(const distance *d, double *violation) {
    int32_t found = -1;
    *violation = rounding * d->scale;
    for (int32_t i = 0; i < d->rows; i++) {
        bool active = false;
        for (int32_t k = 0; k < d->f.count; k++) {
            active = active || d->active[k] == i;
        }
        double v = active ? 0.0 : dot(d->row[i], d->w, d->n) - d->bound[i];
        if (v > *violation) {
            *violation = v;
            found = i;
        }
    }
    return found;
}

static void drop(distance *d, int32_t at) {
    int32_t count = d->f.count;
    d->f.count = at;
    for (int32_t k = at + 1; k < count; k++) {
        d->active[k - 1] = d->active[k];
        d->pressure[k - 1] = d->pressure[k];
        (void)factor_add(&d->f, d->row[d->active[k]]);
    }
}

/* Increases the multiplier of row p until the row holds, or until this proves impossible. Rows whose multiplier becomes zero leave the active set. */
static bool press(distance *d, int32_t p, int32_t *steps) {
    double pressed = 0.0;
    for (; *steps < MOST_STEPS; ++*steps) {
        double rest[N], back[N], length = split(&d->f, d->row[p], rest, back);
        solve_upper(&d->f, back);
        double longest = INFINITY, violation = dot(d->row[p], d->w, d->n) - d->bound[p];
        int32_t first = -1;
        for (int32_t k = 0; k < d->f.count; k++) {
            if (back[k] > 1e-13 && d->pressure[k] < longest * back[k]) {
                longest = d->pressure[k] / back[k];
                first = k;
            }
        }
        double whole = length > dependent ? violation / (length * length) : INFINITY;
        double step = fmax(0.0, fmin(longest, whole));
        if (!(step < INFINITY)) {
            return false;
        }
        add_scaled(d->pressure, -step, back, d->f.count);
        pressed += step;
        if (whole <= longest) {
            d->active[d->f.count] = p;
            d->pressure[d->f.count] = pressed;
            (void)factor_add(&d->f, d->row[p]);
            place(d);
            ++*steps;
            return true;
        }
        drop(d, first);
        place(d);
        add_scaled(d->w, -pressed, d->row[p], d->n);
    }
    return false;
}

/* Recomputes point and multipliers from the active rows, without the accumulated rounding errors. */
static void polish(distance *d) {
    double y[N];
    for (int32_t k = 0; k < d->f.count; k++) {
        y[k] = d->bound[d->active[k]];
    }
    solve_lower(&d->f, y);
    memset(d->w, 0, sizeof d->w);
    for (int32_t k = 0; k < d->f.count; k++) {
        add_scaled(d->w, y[k], d->f.q[k], d->n);
        d->pressure[k] = -y[k];
    }
    solve_upper(&d->f, d->pressure);
}

static qp_status solve_distance(distance *d, int32_t *steps) {
    d->f.n = d->n;
    d->f.count = 0;
    place(d);
    double violation;
    for (int32_t p = most_violated(d, &violation); p >= 0; p = most_violated(d, &violation)) {
        if (!press(d, p, steps)) {
            return *steps < MOST_STEPS ? QP_INFEASIBLE : QP_FAILED;
        }
    }
    polish(d);
    return QP_SOLVED;
}

/* ---- equalities: x = start + z y for any y ---- */

typedef struct space {
    int32_t n;                /* of y */
    bool all;                 /* no equalities: start is zero, and z would be the identity and is not used */
    double start[N], z[N][N]; /* z by its columns */
} space;

/* Reflections v -> v - 2 m (m . v), applied in order, that make the rows so far triangular. */
typedef struct reflections {
    int32_t n, count;
    double mirror[N][N], r[N][N];
} reflections;

static void reflect(const reflections *f, int32_t k, double *v) { add_scaled(v, -2.0 * dot(f->mirror[k], v, f->n), f->mirror[k], f->n); }

/* Replaces v by its coefficients in the rows so far, with the orthogonal part below them. False if that part is zero. */
static bool reflections_add(reflections *f, double *v) {
    int32_t k = f->count;
    double whole = sqrt(dot(v, v, f->n));
    for (int32_t i = 0; i < k; i++) {
        reflect(f, i, v);
    }
    double rest = sqrt(dot(v + k, v + k, f->n - k));
    if (!(rest > dependent * whole)) {
        return false;
    }
    double *m = f->mirror[k], corner = v[k] > 0.0 ? -rest : rest;
    memset(m, 0, sizeof f->mirror[k]);
    memcpy(m + k, v + k, (size_t)(f->n - k) * sizeof *m);
    m[k] -= corner;
    double length = sqrt(dot(m, m, f->n));
    for (int32_t i = k; i < f->n; i++) {
        m[i] /= length;
    }
    for (int32_t i = 0; i < k; i++) {
        f->r[i][k] = v[i];
    }
    f->r[k][k] = corner;
    f->count++;
    return true;
}

/* False if the equalities contradict each other. */
static bool make_space(const qp_problem *p, space *s) {
    reflections f;
    double y[N] = {0.0};
    f.n = p->variables;
    f.count = 0;
    s->all = p->equalities == 0;
    s->n = f.n;
    memset(s->start, 0, sizeof s->start);
    if (s->all) {
        return true;
    }
    for (int32_t i = 0; i < p->equalities; i++) {
        double row[N];
        memcpy(row, p->a[i], sizeof row);
        bool added = reflections_add(&f, row);
        int32_t before = added ? f.count - 1 : f.count;
        double off = p->b[i] - dot(row, y, before);
        if (added) {
            y[before] = off / f.r[before][before];
        } else if (!(fabs(off) <= inconsistent * (fabs(p->b[i]) + sqrt(dot(row, row, before) * dot(y, y, before))))) {
            return false;
        }
    }
    s->n = f.n - f.count;
    memcpy(s->start, y, sizeof y);
    for (int32_t j = 0; j < s->n; j++) {
        memset(s->z[j], 0, sizeof s->z[j]);
        s->z[j][f.count + j] = 1.0;
    }
    for (int32_t k = f.count - 1; k >= 0; k--) {
        reflect(&f, k, s->start);
        for (int32_t j = 0; j < s->n; j++) {
            reflect(&f, k, s->z[j]);
        }
    }
    return true;
}

/* ---- a quadratic program without equalities, as a least distance ---- */

/* H = L L^T, in place, in the lower triangle. */
static bool cholesky(double h[N][N], int32_t n) {
    double largest = 0.0;
    for (int32_t i = 0; i < n; i++) {
        largest = fmax(largest, h[i][i]);
    }
    for (int32_t j = 0; j < n; j++) {
        double pivot = h[j][j] - dot(h[j], h[j], j);
        if (!(pivot > 1e-13 * largest)) {
            return false;
        }
        h[j][j] = sqrt(pivot);
        for (int32_t i = j + 1; i < n; i++) {
            h[i][j] = (h[i][j] - dot(h[i], h[j], j)) / h[j][j];
        }
    }
    return true;
}

static void forward(double l[N][N], int32_t n, double *x) {
    for (int32_t i = 0; i < n; i++) {
        x[i] = (x[i] - dot(l[i], x, i)) / l[i][i];
    }
}

static void backward(double l[N][N], int32_t n, double *x) {
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < n; k++) {
            x[i] -= l[k][i] * x[k];
        }
        x[i] /= l[i][i];
    }
}

static void times(const double h[N][N], int32_t n, const double *x, double *y) {
    for (int32_t i = 0; i < n; i++) {
        y[i] = dot(h[i], x, n);
    }
}

/* Expresses the rows and the objective in y. */
static void reduce(const qp_problem *p, const space *s, double h[N][N], double *slope, double row[M][N], double *bound) {
    double at[N], product[N];
    times(p->h, p->variables, s->start, at);
    add_scaled(at, 1.0, p->g, p->variables);
    for (int32_t i = 0; i < s->n; i++) {
        slope[i] = s->all ? at[i] : dot(s->z[i], at, p->variables);
        if (s->all) {
            memcpy(h[i], p->h[i], sizeof h[i]);
            continue;
        }
        times(p->h, p->variables, s->z[i], product);
        for (int32_t k = 0; k <= i; k++) {
            h[i][k] = h[k][i] = dot(product, s->z[k], p->variables);
        }
    }
    for (int32_t i = p->equalities; i < p->rows; i++) {
        bound[i] = p->b[i] - dot(p->a[i], s->start, p->variables);
        for (int32_t k = 0; k < s->n; k++) {
            row[i][k] = s->all ? p->a[i][k] : dot(p->a[i], s->z[k], p->variables);
        }
    }
}

/* y with x = start + z y. With H = L L^T, the problem is the least distance of L^T y from the minimum without rows. */
static qp_status solve_reduced(const qp_problem *p, const space *s, double *y, qp_solution *solution) {
    double l[N][N], slope[N], row[M][N], bound[M], length[M];
    int32_t from[M];
    distance d;
    reduce(p, s, l, slope, row, bound);
    if (!cholesky(l, s->n)) {
        return QP_FAILED;
    }
    forward(l, s->n, slope);
    d.n = s->n;
    d.rows = 0;
    d.scale = 0.0;
    for (int32_t i = p->equalities; i < p->rows; i++) {
        double size = sqrt(dot(p->a[i], p->a[i], p->variables));
        if (!(sqrt(dot(row[i], row[i], s->n)) > dependent * size)) {
            if (bound[i] < -inconsistent * (fabs(p->b[i]) + size * sqrt(dot(s->start, s->start, p->variables)))) {
                return QP_INFEASIBLE;
            }
            continue;
        }
        forward(l, s->n, row[i]);
        length[d.rows] = sqrt(dot(row[i], row[i], s->n));
        d.bound[d.rows] = (bound[i] + dot(row[i], slope, s->n)) / length[d.rows];
        for (int32_t k = 0; k < s->n; k++) {
            d.row[d.rows][k] = row[i][k] / length[d.rows];
        }
        d.scale = fmax(d.scale, fabs(d.bound[d.rows]));
        from[d.rows++] = i;
    }
    qp_status status = solve_distance(&d, &solution->steps);
    if (status != QP_SOLVED) {
        return status;
    }
    for (int32_t k = 0; k < d.f.count; k++) {
        solution->multiplier[from[d.active[k]]] = d.pressure[k] / length[d.active[k]];
    }
    for (int32_t k = 0; k < s->n; k++) {
        y[k] = d.w[k] - slope[k];
    }
    backward(l, s->n, y);
    return QP_SOLVED;
}

void qp_solve(const qp_problem *p, qp_solution *solution) {
    space s;
    double y[N], product[N];
    memset(solution, 0, sizeof *solution);
    solution->status = QP_INFEASIBLE;
    if (!make_space(p, &s)) {
        return;
    }
    solution->status = solve_reduced(p, &s, y, solution);
    if (solution->status != QP_SOLVED) {
        return;
    }
    memcpy(solution->x, s.all ? y : s.start, (size_t)p->variables * sizeof *y);
    for (int32_t k = 0; k < s.n && !s.all; k++) {
        add_scaled(solution->x, y[k], s.z[k], p->variables);
    }
    times(p->h, p->variables, solution->x, product);
    solution->value = 0.5 * dot(product, solution->x, p->variables) + dot(p->g, solution->x, p->variables);
}
