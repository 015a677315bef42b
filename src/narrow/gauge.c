/*
 * The simplex method of gauge.h. A basis is three columns in positive order whose cone holds the ray; replacing a column keeps it so, and
 * with it the sense of the normal (w1 - w0) x (w2 - w0), away from the origin. Quotients are compared by products: nothing is divided on the way.
 */

#include "narrow/gauge.h"

enum { MOST_SUPPORTS = 1000 };

double gauge_support(const convex *a, const convex *b, abut_vec3 direction) {
    return convex_extent(a, direction) + a->radius + convex_extent(b, abut_neg(direction)) + b->radius;
}

typedef struct basis {
    abut_vec3 w[3];
    int32_t vertex_a[3], vertex_b[3]; /* -1 for an artificial column of the start */
} basis;

/* Three points of the inner ball around the ray: a first basis whose cone holds the ray in its middle. */
static void start_basis(basis *s, abut_vec3 ray, double inside, int attempt) {
    /* Any acute angle to the ray will do: half a radian, by its cosine and sine. */
    const double cosine = 0.87758256189037276, sine = 0.47942553860420301;
    static const double turn_x[3] = {1.0, -0.5, -0.5}, turn_y[3] = {0.0, 0.86602540378443865, -0.86602540378443865};
    abut_vec3 axis = abut_unit(ray), first, second;
    abut_tangent_frame(axis, &first, &second);
    if (attempt > 0) {
        first = abut_unit(abut_add_scaled(first, attempt, second)); /* turned by an angle that no symmetry knows */
        second = abut_cross(axis, first);
    }
    for (int i = 0; i < 3; ++i) {
        abut_vec3 side = abut_add(abut_scale(turn_x[i], first), abut_scale(turn_y[i], second));
        s->w[i] = abut_scale(0.5 * inside, abut_add(abut_scale(cosine, axis), abut_scale(sine, side)));
        s->vertex_a[i] = s->vertex_b[i] = -1;
    }
}

/* Does column i leave before column k? Its weight falls to zero first; of those that are as good up to rounding, the one with the larger
 * coordinate keeps the basis better conditioned. Without branches, which nobody could predict. */
static inline bool leaves_before(const double weight[3], const double entering[3], double rounding, int i, int k) {
    double here = weight[i] * entering[k], there = weight[k] * entering[i], equal = rounding * entering[i] * entering[k];
    return (here < there - equal) | ((here <= there + equal) & (entering[i] > entering[k]));
}

/* The column that leaves; -1 when none can. Weights and coordinates are times the determinant. */
static int leaving_column(const double weight[3], const double entering[3], double determinant) {
    const double least_coordinate = 1e-13 * determinant, rounding = 1e-13 * (weight[0] + weight[1] + weight[2]) / determinant;
    double w[3], e[3];
    for (int i = 0; i < 3; ++i) {
        bool can = entering[i] > least_coordinate; /* else as if its weight never fell to zero */
        w[i] = can ? weight[i] : 1.0;
        e[i] = can ? entering[i] : 0.0;
    }
    int first = leaves_before(w, e, rounding, 1, 0) ? 1 : 0;
    int leaving = leaves_before(w, e, rounding, 2, first) ? 2 : first;
    return e[leaving] > 0.0 ? leaving : -1;
}

static void write_columns(const convex *a, const convex *b, abut_vec3 origin, const basis *s, gauge *g) {
    for (int i = 0; i < 3; ++i) {
        gauge_column *column = &g->column[i];
        column->w = s->w[i];
        column->vertex_a = s->vertex_a[i];
        column->vertex_b = s->vertex_b[i];
        column->a = s->vertex_a[i] < 0 ? abut_add(s->w[i], origin) : convex_to_pair(a, convex_vertex(a, s->vertex_a[i]));
        column->b = s->vertex_b[i] < 0 ? abut_make_vec3(0, 0, 0) : convex_to_pair(b, convex_vertex(b, s->vertex_b[i]));
    }
}

static void write_weights(const double weight[3], double determinant, gauge *g) {
    g->upper = 0.0;
    for (int i = 0; i < 3; ++i) {
        double part = weight[i] / determinant;
        g->weight[i] = isfinite(part) && part > 0.0 ? part : 0.0;
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

/* Whether the columns with their weights add up to the ray. */
static bool holds_ray(const gauge *g, abut_vec3 ray) {
    abut_vec3 sum = abut_neg(ray);
    for (int i = 0; i < 3; ++i) {
        sum = abut_add_scaled(sum, g->weight[i], g->column[i].w);
    }
    return abut_length_squared(sum) <= 1e-18 * abut_length_squared(ray);
}

static void solve_from(const convex *a, const convex *b, const gauge_ray *cast, double inside, double apart, int attempt, gauge *g) {
    const double tolerance = 1e-14;
    const abut_vec3 origin = cast->origin, ray = cast->ray;
    basis s;
    start_basis(&s, ray, inside, attempt);
    /* The best supporting plane so far: the value of its bound is reached / support. */
    abut_vec3 best = ray;
    double best_reached = 0.0, best_support = 1.0, best_depth = 0.0, weight[3], determinant;
    int32_t supports = 0;
    bool is_apart = false;
    for (;;) {
        abut_vec3 normal = abut_cross(abut_sub(s.w[1], s.w[0]), abut_sub(s.w[2], s.w[0]));
        abut_vec3 pa, pb;
        int32_t va = convex_support(a, normal, &pa), vb = convex_support(b, abut_neg(normal), &pb);
        ++supports;
        abut_vec3 between = abut_sub(pa, pb), w = abut_sub(between, origin);
        const abut_vec3 cross[3] = {abut_cross(s.w[1], s.w[2]), abut_cross(s.w[2], s.w[0]), abut_cross(s.w[0], s.w[1])};
        double support = abut_dot(normal, w), depth = abut_dot(normal, between), reached = abut_dot(normal, ray);
        double coordinate[3];
        for (int i = 0; i < 3; ++i) {
            weight[i] = abut_dot(cross[i], ray);
            coordinate[i] = abut_dot(cross[i], w);
        }
        determinant = abut_dot(cross[0], s.w[0]);
        if (reached * best_support > best_reached * support) {
            best = normal;
            best_reached = reached;
            best_support = support;
            best_depth = depth;
        }
        if (depth < 0.0 && depth * depth > apart * apart * abut_length_squared(normal)) {
            is_apart = true;
            best = normal;
            best_depth = depth;
            break;
        }
        bool known = (va == s.vertex_a[0] && vb == s.vertex_b[0]) || (va == s.vertex_a[1] && vb == s.vertex_b[1]) ||
                     (va == s.vertex_a[2] && vb == s.vertex_b[2]);
        if (known || support - abut_dot(normal, s.w[0]) <= tolerance * support || supports == MOST_SUPPORTS) {
            break;
        }
        int leaving = leaving_column(weight, coordinate, determinant);
        if (leaving < 0) {
            break;
        }
        s.w[leaving] = w;
        s.vertex_a[leaving] = va;
        s.vertex_b[leaving] = vb;
    }
    double length = abut_length(best);
    g->direction = abut_scale(1.0 / length, best);
    g->depth = best_depth / length;
    g->support = best_support / length;
    g->lower = best_reached / best_support;
    g->supports = supports;
    g->apart = is_apart;
    write_columns(a, b, origin, &s, g);
    write_weights(weight, determinant, g);
    /* Coordinates of the bodies' size are off by their rounding, which counts the more the nearer the plane is to the origin. */
    double rounding = 4e-16 * (a->size + b->size + abut_length(abut_sub(a->position, b->position)));
    g->converged = rounding <= 1e-3 * g->support && g->upper - g->lower <= (1e-12 + rounding / g->support) * g->upper && !rests_on_start(g);
}

void gauge_solve(const convex *a, const convex *b, const gauge_ray *cast, double inside, double apart, gauge *g) {
    enum { MOST_ATTEMPTS = 4 };
    solve_from(a, b, cast, inside, apart, 0, g);
    /* On slender bodies rounding can leave a basis whose columns nearly lie in a line and whose weights mean nothing. */
    for (int attempt = 1; attempt < MOST_ATTEMPTS && !g->apart && !holds_ray(g, cast->ray); ++attempt) {
        solve_from(a, b, cast, inside, apart, attempt, g);
    }
}
