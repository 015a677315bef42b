#include "narrow/gauge.h"

enum { MOST_SUPPORTS = 1000 };

static gauge_column support_column(const convex *a, const convex *b, abut_vec3 origin, abut_vec3 direction) {
    gauge_column column;
    column.vertex_a = convex_support(a, direction, &column.a);
    column.vertex_b = convex_support(b, abut_neg(direction), &column.b);
    column.w = abut_sub(abut_sub(column.a, column.b), origin);
    return column;
}

double gauge_support(const convex *a, const convex *b, abut_vec3 direction) {
    return convex_extent(a, direction) + a->radius + convex_extent(b, abut_neg(direction)) + b->radius;
}

/* Three points of the inner ball around the ray: a first basis whose cone holds the ray in its middle. */
static void start_basis(gauge *g, abut_vec3 origin, abut_vec3 ray, double inside) {
    const double lean = 0.5; /* any acute angle to the ray will do */
    abut_vec3 axis = abut_unit(ray), first, second;
    abut_tangent_frame(axis, &first, &second);
    for (int i = 0; i < 3; ++i) {
        static const double turn_x[3] = {1.0, -0.5, -0.5}, turn_y[3] = {0.0, 0.86602540378443865, -0.86602540378443865};
        abut_vec3 side = abut_add(abut_scale(turn_x[i], first), abut_scale(turn_y[i], second));
        abut_vec3 w = abut_scale(0.5 * inside, abut_add(abut_scale(cos(lean), axis), abut_scale(sin(lean), side)));
        g->column[i] = (gauge_column){.a = abut_add(w, origin), .w = w, .vertex_a = -1, .vertex_b = -1};
    }
}

/* Coordinates of v in the basis of the three columns. */
static void coordinates(const gauge_column column[3], abut_vec3 v, double x[3]) {
    abut_vec3 w01 = abut_cross(column[0].w, column[1].w);
    abut_vec3 w12 = abut_cross(column[1].w, column[2].w);
    abut_vec3 w20 = abut_cross(column[2].w, column[0].w);
    double determinant = abut_dot(w12, column[0].w);
    x[0] = abut_dot(w12, v) / determinant;
    x[1] = abut_dot(w20, v) / determinant;
    x[2] = abut_dot(w01, v) / determinant;
}

static abut_vec3 basis_direction(const gauge_column column[3], abut_vec3 ray) {
    abut_vec3 normal =
        abut_unit(abut_cross(abut_sub(column[1].w, column[0].w), abut_sub(column[2].w, column[0].w)));
    return abut_dot(normal, ray) < 0.0 ? abut_neg(normal) : normal;
}

/* The column that leaves: the first whose weight falls to zero when the new one enters; among equals the one with the largest coordinate,
 * which keeps the basis well conditioned. -1 when none can leave. */
static int leaving_column(const double weight[3], const double entering[3]) {
    int leaving = -1;
    double least = INFINITY;
    for (int i = 0; i < 3; ++i) {
        if (entering[i] <= 1e-13) {
            continue;
        }
        double ratio = fmax(weight[i], 0.0) / entering[i];
        if (ratio < least || (leaving >= 0 && ratio == least && entering[i] > entering[leaving])) {
            least = ratio;
            leaving = i;
        }
    }
    return leaving;
}

static bool is_in_basis(const gauge *g, const gauge_column *column) {
    for (int i = 0; i < 3; ++i) {
        if (g->column[i].vertex_a == column->vertex_a && g->column[i].vertex_b == column->vertex_b) {
            return true;
        }
    }
    return false;
}

static void set_weights(gauge *g, abut_vec3 ray) {
    coordinates(g->column, ray, g->weight);
    g->upper = 0.0;
    for (int i = 0; i < 3; ++i) {
        g->weight[i] = isfinite(g->weight[i]) ? fmax(g->weight[i], 0.0) : 0.0;
        g->upper += g->weight[i];
    }
}

static bool rests_on_start(const gauge *g) {
    for (int i = 0; i < 3; ++i) {
        if (g->column[i].vertex_a < 0 && g->weight[i] > 1e-12 * g->upper) {
            return true;
        }
    }
    return false;
}

gauge gauge_solve(const convex *a, const convex *b, abut_vec3 origin, abut_vec3 ray, double inside) {
    const double tolerance = 1e-14;
    gauge g = {.direction = abut_unit(ray)};
    start_basis(&g, origin, ray, inside);
    set_weights(&g, ray);
    while (g.supports < MOST_SUPPORTS) {
        abut_vec3 direction = basis_direction(g.column, ray);
        gauge_column entering = support_column(a, b, origin, direction);
        ++g.supports;
        double support = abut_dot(direction, entering.w);
        double lower = abut_dot(direction, ray) / support;
        if (lower > g.lower) {
            g.lower = lower;
            g.direction = direction;
            g.support = support;
        }
        double plane = abut_dot(direction, g.column[0].w);
        if (support - plane <= tolerance * support || is_in_basis(&g, &entering)) {
            break;
        }
        double entering_coordinates[3];
        coordinates(g.column, entering.w, entering_coordinates);
        int leaving = leaving_column(g.weight, entering_coordinates);
        if (leaving < 0) {
            break;
        }
        g.column[leaving] = entering;
        set_weights(&g, ray);
    }
    /* Coordinates of the bodies' size are off by their rounding, which counts the more the nearer the plane is to the origin. */
    double rounding = 4e-16 * (a->size + b->size + abut_length(abut_sub(a->position, b->position)));
    g.converged = rounding <= 1e-3 * g.support && g.upper - g.lower <= (1e-12 + rounding / g.support) * g.upper && !rests_on_start(&g);
    return g;
}
