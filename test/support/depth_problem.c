/* Separations as quadratic programs. See depth_problem.h. */
#include "support/depth_problem.h"

#include <math.h>
#include <string.h>

/* The matrix of the object norm, weight (1 + delta_ij) / (m (m + 1)) for every coordinate. Returns the index of the body's first variable, or -1 if it has
 * none. */
static int32_t add_body(qp_problem *problem, int32_t count, double weight) {
    int32_t first = problem->variables;
    if (!(weight < INFINITY)) {
        return -1;
    }
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = 0; j < count; j++) {
            for (int32_t k = 0; k < 3; k++) {
                problem->h[first + 3 * i + k][first + 3 * j + k] = weight * (i == j ? 2.0 : 1.0) / (count * (count + 1.0));
            }
        }
    }
    problem->variables += 3 * count;
    return first;
}

static void put(double *row, int32_t first, int32_t vertex, double factor, abut_vec3 direction) {
    if (first >= 0) {
        row[first + 3 * vertex] += factor * direction.x;
        row[first + 3 * vertex + 1] += factor * direction.y;
        row[first + 3 * vertex + 2] += factor * direction.z;
    }
}

/* V'/V = 1 + sum_i (normal . d_i) (normal . grad b_i) >= ratio, with the barycentric coordinates b_i. */
static void add_volume(qp_problem *problem, const abut_simplex *s, int32_t first, abut_vec3 normal, double ratio) {
    double *row = qp_add_row(problem, 1.0 - ratio);
    for (int32_t i = 0; i < 4; i++) {
        abut_vec3 p = s->vertex[(i + 1) % 4], q = s->vertex[(i + 2) % 4], r = s->vertex[(i + 3) % 4];
        abut_vec3 across = abut_cross(abut_sub(q, p), abut_sub(r, p));
        double slope = abut_dot(normal, across) / abut_dot(across, abut_sub(s->vertex[i], p));
        put(row, first, i, -slope, normal);
    }
}

void depth_problem_along(const depth_pair *pair, abut_vec3 normal, double volume_ratio, qp_problem *problem) {
    memset(problem, 0, sizeof *problem);
    int32_t first_a = add_body(problem, pair->a.count, pair->weight_a), first_b = add_body(problem, pair->b.count, pair->weight_b);
    for (int32_t i = 0; i < pair->a.count; i++) {
        for (int32_t j = 0; j < pair->b.count; j++) {
            double *row = qp_add_row(problem, abut_dot(normal, abut_sub(pair->a.vertex[i], pair->b.vertex[j])));
            put(row, first_a, i, -1.0, normal);
            put(row, first_b, j, 1.0, normal);
        }
    }
    if (volume_ratio > -INFINITY && first_a >= 0) {
        add_volume(problem, &pair->a, first_a, normal, volume_ratio);
    }
    if (volume_ratio > -INFINITY && first_b >= 0) {
        add_volume(problem, &pair->b, first_b, normal, volume_ratio);
    }
}

void depth_problem_on_plane(const depth_pair *pair, abut_vec3 normal, unsigned set_a, unsigned set_b, qp_problem *problem) {
    memset(problem, 0, sizeof *problem);
    int32_t first_a = add_body(problem, pair->a.count, pair->weight_a), first_b = add_body(problem, pair->b.count, pair->weight_b);
    int32_t offset = problem->variables++;
    for (int equal = 1; equal >= 0; equal--) {
        for (int32_t i = 0; i < pair->a.count; i++) {
            if ((int)(set_a >> i & 1U) == equal) {
                double *row = qp_add_row(problem, abut_dot(normal, pair->a.vertex[i]));
                put(row, first_a, i, -1.0, normal);
                row[offset] = 1.0;
            }
        }
        for (int32_t j = 0; j < pair->b.count; j++) {
            if ((int)(set_b >> j & 1U) == equal) {
                double *row = qp_add_row(problem, -abut_dot(normal, pair->b.vertex[j]));
                put(row, first_b, j, 1.0, normal);
                row[offset] = -1.0;
            }
        }
        problem->equalities = equal ? problem->rows : problem->equalities;
    }
}

void depth_problem_push(const abut_simplex *simplex, abut_vec3 normal, double offset, qp_problem *problem) {
    memset(problem, 0, sizeof *problem);
    int32_t first = add_body(problem, simplex->count, 1.0);
    for (int32_t i = 0; i < simplex->count; i++) {
        put(qp_add_row(problem, offset - abut_dot(normal, simplex->vertex[i])), first, i, 1.0, normal);
    }
}

static const double *take(int32_t count, double weight, const double *x, abut_vec3 *displacement) {
    for (int32_t i = 0; i < count; i++) {
        displacement[i] = abut_vec3_make(0, 0, 0);
        if (weight < INFINITY) {
            displacement[i] = abut_vec3_make(x[0], x[1], x[2]);
            x += 3;
        }
    }
    return x;
}

void depth_problem_displacements(const depth_pair *pair, const qp_solution *solution, abut_vec3 *displacement_a,
                                 abut_vec3 *displacement_b) {
    const double *x = take(pair->a.count, pair->weight_a, solution->x, displacement_a);
    (void)take(pair->b.count, pair->weight_b, x, displacement_b);
}

/* ---- the 44 directions ---- */

static const int32_t edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/* Outward normal of the face opposite a vertex; zero for a flat tetrahedron. */
static abut_vec3 outward(const abut_simplex *s, int32_t opposite) {
    abut_vec3 p = s->vertex[(opposite + 1) % 4], q = s->vertex[(opposite + 2) % 4], r = s->vertex[(opposite + 3) % 4];
    abut_vec3 n = abut_unit(abut_cross(abut_sub(q, p), abut_sub(r, p)));
    return abut_dot(n, abut_sub(s->vertex[opposite], p)) > 0.0 ? abut_neg(n) : n;
}

/* A's edge must be lowest in A; computes the heights of its other two vertices above it. */
static void other_heights(const abut_simplex *a, const int32_t *edge, abut_vec3 normal, double *least, double *most) {
    *least = INFINITY;
    *most = -INFINITY;
    for (int32_t i = 0; i < 4; i++) {
        if (i != edge[0] && i != edge[1]) {
            double height = abut_dot(normal, abut_sub(a->vertex[i], a->vertex[edge[0]]));
            *least = fmin(*least, height);
            *most = fmax(*most, height);
        }
    }
}

static bool edge_direction(const abut_simplex *a, const int32_t *edge_a, const abut_simplex *b, const int32_t *edge_b, depth_direction *d) {
    abut_vec3 u = abut_unit(abut_sub(a->vertex[edge_a[1]], a->vertex[edge_a[0]]));
    abut_vec3 v = abut_unit(abut_sub(b->vertex[edge_b[1]], b->vertex[edge_b[0]]));
    abut_vec3 across = abut_cross(u, v);
    if (!(abut_length(across) > 1e-10)) {
        return false;
    }
    double least, most;
    d->normal = abut_unit(across);
    other_heights(a, edge_a, d->normal, &least, &most);
    d->both_ways = least < 0.0 && most > 0.0;
    d->normal = !d->both_ways && most <= 0.0 ? abut_neg(d->normal) : d->normal;
    d->set_a = 1U << edge_a[0] | 1U << edge_a[1];
    d->set_b = 1U << edge_b[0] | 1U << edge_b[1];
    return true;
}

int32_t depth_directions(const abut_simplex *a, const abut_simplex *b, depth_direction *directions) {
    int32_t count = 0;
    for (int32_t i = 0; i < 4; i++) {
        abut_vec3 of_a = outward(a, i), of_b = outward(b, i);
        if (abut_length_squared(of_a) > 0.0) {
            directions[count++] = (depth_direction){abut_neg(of_a), 15U & ~(1U << i), 0U, false};
        }
        if (abut_length_squared(of_b) > 0.0) {
            directions[count++] = (depth_direction){of_b, 0U, 15U & ~(1U << i), false};
        }
    }
    for (int32_t i = 0; i < 6; i++) {
        for (int32_t j = 0; j < 6; j++) {
            count += edge_direction(a, edges[i], b, edges[j], &directions[count]);
        }
    }
    return count;
}
