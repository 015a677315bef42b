/* See lcp_case.h. */
#include "support/lcp_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static const double gravity = 9.81;

void lcp_case_release(lcp_case *c) {
    free(c->bodies);
    free(c->rows);
    free(c->matrix);
    free(c->q);
    *c = (lcp_case){.n = 0};
}

static lcp_case begin(int32_t bodies, int32_t rows) {
    lcp_case c = {.body_count = bodies};
    c.bodies = bodies > 0 ? check_memory((size_t)bodies, sizeof *c.bodies) : NULL;
    c.rows = check_memory((size_t)rows, sizeof *c.rows);
    c.matrix = check_memory((size_t)rows * (size_t)rows, sizeof *c.matrix);
    c.q = check_memory((size_t)rows, sizeof *c.q);
    return c;
}

static abut_lcp_body body_of(double mass, double inertia) {
    double i = 1.0 / inertia;
    return (abut_lcp_body){1.0 / mass, {{i, 0, 0}, {0, i, 0}, {0, 0, i}}};
}

static abut_vec3 turn(abut_mat3 m, abut_vec3 v) {
    return abut_add(abut_add(abut_scale(v.x, m.x), abut_scale(v.y, m.y)), abut_scale(v.z, m.z));
}

/* The contribution of body b to an entry: its share of J_i M^-1 J_j^T. */
static double share(const lcp_case *c, int32_t b, const abut_lcp_row *p, const abut_lcp_row *q) {
    abut_vec3 zero = abut_vec3_make(0, 0, 0);
    abut_vec3 l = p->body_a == b ? p->linear_a : p->body_b == b ? p->linear_b : zero;
    abut_vec3 r = p->body_a == b ? p->angular_a : p->body_b == b ? p->angular_b : zero;
    abut_vec3 m = q->body_a == b ? q->linear_a : q->body_b == b ? q->linear_b : zero;
    abut_vec3 s = q->body_a == b ? q->angular_a : q->body_b == b ? q->angular_b : zero;
    return c->bodies[b].inverse_mass * abut_dot(l, m) + abut_dot(r, turn(c->bodies[b].inverse_inertia, s));
}

static void fill_matrix(lcp_case *c) {
    for (int32_t i = 0; i < c->n; i++) {
        for (int32_t j = 0; j <= i; j++) {
            const abut_lcp_row *p = &c->rows[i], *q = &c->rows[j];
            double sum = p->body_a >= 0 ? share(c, p->body_a, p, q) : 0.0;
            sum += p->body_b >= 0 ? share(c, p->body_b, p, q) : 0.0;
            c->matrix[i * c->n + j] = c->matrix[j * c->n + i] = sum;
        }
    }
}

/* Both bodies fall. */
static double falling(const abut_lcp_row *row) {
    return -gravity * ((row->body_a >= 0 ? row->linear_a.z : 0.0) + (row->body_b >= 0 ? row->linear_b.z : 0.0));
}

static void add_row(lcp_case *c, abut_lcp_row row) {
    c->rows[c->n] = row;
    c->q[c->n++] = falling(&row);
}

lcp_case lcp_case_balls(int32_t n) {
    lcp_case c = begin(n, n);
    for (int32_t i = 0; i < n; i++) {
        c.bodies[i] = body_of(1.0, 0.4);
        add_row(&c, abut_lcp_contact_row(i, i - 1, abut_vec3_make(0, 0, 1), abut_vec3_make(0, 0, -1), abut_vec3_make(0, 0, 1)));
    }
    fill_matrix(&c);
    return c;
}

/* The four corners of the rectangle where cube a, at x_a, touches cube b, at x_b, or the ground (b = -1). */
static void add_rectangle(lcp_case *c, int32_t a, double x_a, int32_t b, double x_b) {
    for (int corner = 0; corner < 4; corner++) {
        double left = fmax(x_a, b >= 0 ? x_b : x_a) - 0.5, right = fmin(x_a, b >= 0 ? x_b : x_a) + 0.5;
        double x = corner == 0 || corner == 3 ? left : right, y = corner < 2 ? -0.5 : 0.5;
        add_row(c, abut_lcp_contact_row(a, b, abut_vec3_make(0, 0, 1), abut_vec3_make(x - x_a, y, -0.5), abut_vec3_make(x - x_b, y, 0.5)));
    }
}

lcp_case lcp_case_tower(int32_t cubes, double shift) {
    lcp_case c = begin(cubes, 4 * cubes);
    for (int32_t i = 0; i < cubes; i++) {
        c.bodies[i] = body_of(1.0, 1.0 / 6.0);
        add_rectangle(&c, i, shift * (i % 2), i - 1, shift * ((i + 1) % 2));
    }
    fill_matrix(&c);
    return c;
}

lcp_case lcp_case_pyramid(int32_t width) {
    lcp_case c = begin(width * (width + 1) / 2, 4 * width * width);
    int32_t body = 0;
    for (int32_t level = 0; level < width; level++) {
        for (int32_t i = 0; i < width - level; i++, body++) {
            double x = i + 0.5 * level;
            c.bodies[body] = body_of(1.0, 1.0 / 6.0);
            if (level == 0) {
                add_rectangle(&c, body, x, -1, 0.0);
            } else {
                int32_t below = body - (width - level + 1);
                add_rectangle(&c, body, x, below, x - 0.5);
                add_rectangle(&c, body, x, below + 1, x + 0.5);
            }
        }
    }
    fill_matrix(&c);
    return c;
}

static abut_lcp_body random_body(random_state *random) {
    abut_lcp_body body = {random_log_range(random, 0.1, 10.0), {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int k = 0; k < 3; k++) {
        abut_vec3 axis = random_direction(random);
        double weight = random_log_range(random, 0.1, 10.0);
        abut_mat3 *m = &body.inverse_inertia;
        m->x = abut_add_scaled(m->x, weight * axis.x, axis);
        m->y = abut_add_scaled(m->y, weight * axis.y, axis);
        m->z = abut_add_scaled(m->z, weight * axis.z, axis);
    }
    return body;
}

/* A contact of body i with an earlier body or the ground. */
static abut_lcp_row random_row(random_state *random, int32_t i) {
    int32_t other = random_below(random, i + 1) - 1;
    abut_vec3 normal = random_direction(random);
    abut_vec3 arm = random_vec3(random, -1.0, 1.0);
    return abut_lcp_contact_row(i, other, normal, arm, random_vec3(random, -1.0, 1.0));
}

lcp_case lcp_case_heap(random_state *random, int32_t bodies, int32_t contacts) {
    lcp_case c = begin(bodies, bodies * contacts);
    abut_vec3 *linear = check_memory((size_t)bodies, sizeof *linear), *angular = check_memory((size_t)bodies, sizeof *angular);
    for (int32_t i = 0; i < bodies; i++) {
        c.bodies[i] = random_body(random);
        linear[i] = random_vec3(random, -1.0, 1.0);
        angular[i] = random_vec3(random, -1.0, 1.0);
        for (int32_t k = 0; k < contacts; k++, c.n++) {
            bool again = k > 0 && random_below(random, 5) == 0;
            c.rows[c.n] = again ? c.rows[c.n - 1] : random_row(random, i);
        }
    }
    for (int32_t i = 0; i < c.n; i++) {
        const abut_lcp_row *r = &c.rows[i];
        c.q[i] = abut_dot(r->linear_a, linear[r->body_a]) + abut_dot(r->angular_a, angular[r->body_a]);
        c.q[i] += r->body_b >= 0 ? abut_dot(r->linear_b, linear[r->body_b]) + abut_dot(r->angular_b, angular[r->body_b]) : 0.0;
    }
    free(linear);
    free(angular);
    fill_matrix(&c);
    return c;
}

lcp_case lcp_case_random(random_state *random, int32_t n, int32_t rank, double off) {
    lcp_case c = begin(0, n);
    c.n = n;
    double *g = check_memory((size_t)n * (size_t)rank, sizeof *g);
    for (int32_t i = 0; i < n; i++) {
        double size = random_log_range(random, 0.1, 10.0);
        for (int32_t k = 0; k < rank; k++) {
            g[i * rank + k] = size * random_range(random, -1.0, 1.0);
        }
        c.q[i] = off * random_range(random, -1.0, 1.0);
    }
    for (int32_t k = 0; k < rank; k++) {
        double x = random_range(random, -1.0, 1.0);
        for (int32_t i = 0; i < n; i++) {
            c.q[i] += g[i * rank + k] * x;
        }
    }
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int32_t k = 0; k < rank; k++) {
                sum += g[i * rank + k] * g[j * rank + k];
            }
            c.matrix[i * n + j] = c.matrix[j * n + i] = sum;
        }
    }
    free(g);
    return c;
}

/* 1 / sqrt(diagonal), or 1 */
static double scale_of(const lcp_case *c, int32_t i) {
    double d = c->matrix[i * c->n + i];
    return d > 0.0 ? 1.0 / sqrt(d) : 1.0;
}

static long double product(const lcp_case *c, int32_t i, const double *z) {
    long double sum = 0.0L;
    for (int32_t j = 0; j < c->n; j++) {
        sum += (long double)c->matrix[i * c->n + j] * z[j];
    }
    return sum;
}

double lcp_case_residual(const lcp_case *c, const double *z, double *least) {
    double largest = 0.0, size = 0.0;
    *least = INFINITY;
    for (int32_t i = 0; i < c->n; i++) {
        double s = scale_of(c, i), w = (double)(product(c, i, z) + c->q[i]);
        if (!isfinite(z[i]) || !isfinite(w)) {
            return INFINITY;
        }
        largest = fmax(largest, fabs(fmin(z[i] / s, w * s)));
        size = fmax(size, fabs(c->q[i]) * s);
        *least = fmin(*least, z[i]);
    }
    return size > 0.0 ? largest / size : largest;
}

bool lcp_case_is_proof(const lcp_case *c, const double *y) {
    double resistance = 0.0, slope = 0.0;
    for (int32_t i = 0; i < c->n; i++) {
        if (!(y[i] >= 0.0)) {
            return false;
        }
        resistance = fmax(resistance, fabs((double)product(c, i, y)) * scale_of(c, i));
        slope += c->q[i] * y[i];
    }
    double size = 0.0;
    for (int32_t i = 0; i < c->n; i++) {
        size = fmax(size, fabs(c->q[i]) * scale_of(c, i));
    }
    return slope < 0.0 && size * resistance <= -1e-6 * slope;
}

/* Solves m x = b for a set of rows by Gauss elimination with pivots on the diagonal. False if the matrix is singular. */
static bool solve_set(const lcp_case *c, const int32_t *set, int32_t count, double *x) {
    double m[12][13];
    for (int32_t i = 0; i < count; i++) {
        double s = scale_of(c, set[i]);
        for (int32_t j = 0; j < count; j++) {
            m[i][j] = s * c->matrix[set[i] * c->n + set[j]] * scale_of(c, set[j]);
        }
        m[i][count] = -s * c->q[set[i]];
    }
    bool done[12] = {false};
    for (int32_t step = 0; step < count; step++) {
        int32_t p = -1;
        for (int32_t i = 0; i < count; i++) {
            p = !done[i] && (p < 0 || m[i][i] > m[p][p]) ? i : p;
        }
        if (m[p][p] < 1e-9) {
            return false;
        }
        done[p] = true;
        for (int32_t i = 0; i < count; i++) {
            double factor = i != p ? m[i][p] / m[p][p] : 0.0;
            for (int32_t j = 0; j <= count && i != p; j++) {
                m[i][j] -= factor * m[p][j];
            }
        }
    }
    for (int32_t i = 0; i < count; i++) {
        x[i] = m[i][count] / m[i][i] * scale_of(c, set[i]);
    }
    return true;
}

bool lcp_case_enumerate(const lcp_case *c, double *w) {
    for (int32_t bits = 0; bits < 1 << c->n; bits++) {
        int32_t set[12], count = 0;
        double x[12], z[12] = {0.0}, least;
        for (int32_t i = 0; i < c->n; i++) {
            if (bits >> i & 1) {
                set[count++] = i;
            }
        }
        if (!solve_set(c, set, count, x)) {
            continue;
        }
        for (int32_t i = 0; i < count; i++) {
            z[set[i]] = x[i];
        }
        if (lcp_case_residual(c, z, &least) <= 1e-9) {
            for (int32_t i = 0; i < c->n; i++) {
                w[i] = (double)(product(c, i, z) + c->q[i]);
            }
            return true;
        }
    }
    return false;
}
