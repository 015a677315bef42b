/*
 * The simplex method of narrow/normal/gauge.h. A basis is three columns in positive order whose cone contains the ray. Replacing a column preserves this, and
 * with it the sense of the normal (w1 - w0) x (w2 - w0), which points away from the origin. Quotients are compared by products, without divisions.
 */

#include "narrow/normal/gauge.h"

enum { MOST_SUPPORTS = 1000 };

double gauge_support(const convex *a, const convex *b, abut_vec3 direction) {
    return convex_extent(a, direction) + a->radius + convex_extent(b, abut_neg(direction)) + b->radius;
}

/* A basis. The two vertices of a column are packed into one number; -1 marks an artificial column of the first basis. */
typedef struct basis {
    abut_vec3 w[3];
    int64_t vertices[3];
} basis;

static inline int64_t both_vertices(int32_t a, int32_t b) { return (int64_t)a << 32 | b; }
static inline int32_t vertex_of_a(int64_t vertices) { return (int32_t)(vertices >> 32); }
static inline int32_t vertex_of_b(int64_t vertices) { return vertices < 0 ? -1 : (int32_t)(vertices & INT32_MAX); }

/* The first basis: three points of the inner ball around the ray. The ray runs through the middle of their cone. */
static void start_basis(basis *s, abut_vec3 ray, double inside, int attempt) {
    /* Any acute angle to the ray will do; this is the cosine and sine of half a radian. */
    const double cosine = 0.87758256189037276, sine = 0.47942553860420301;
    static const double turn_x[3] = {1.0, -0.5, -0.5}, turn_y[3] = {0.0, 0.86602540378443865, -0.86602540378443865};
    abut_vec3 axis = abut_unit(ray), first, second;
    abut_tangent_frame(axis, &first, &second);
    if (attempt > 0) {
        first = abut_unit(abut_add_scaled(first, attempt, second)); /* turned by an angle that no symmetry repeats */
        second = abut_cross(axis, first);
    }
    for (int i = 0; i < 3; ++i) {
        abut_vec3 side = abut_add(abut_scale(turn_x[i], first), abut_scale(turn_y[i], second));
        s->w[i] = abut_scale(0.5 * inside, abut_add(abut_scale(cosine, axis), abut_scale(sine, side)));
        s->vertices[i] = -1;
    }
}

/* The entering column becomes the last one. The two that stay keep their order. */
static inline void replace_column(basis *s, int leaving, abut_vec3 w, int64_t vertices) {
    int first = leaving < 2 ? leaving + 1 : 0, second = first < 2 ? first + 1 : 0;
    double x0 = s->w[first].x, y0 = s->w[first].y, z0 = s->w[first].z, x1 = s->w[second].x, y1 = s->w[second].y, z1 = s->w[second].z;
    int64_t vertices0 = s->vertices[first], vertices1 = s->vertices[second];
    s->w[0] = abut_vec3_make(x0, y0, z0);
    s->w[1] = abut_vec3_make(x1, y1, z1);
    s->w[2] = w;
    s->vertices[0] = vertices0;
    s->vertices[1] = vertices1;
    s->vertices[2] = vertices;
}

/* Whether column i leaves before column k: whether its weight falls to zero first. Of columns that are equal up to rounding error, the one with the larger
 * coordinate leaves, which keeps the basis better conditioned. The test has no branches, because its outcome is unpredictable. */
static inline bool leaves_before(const double weight[3], const double entering[3], double rounding, int i, int k) {
    double here = weight[i] * entering[k], there = weight[k] * entering[i], equal = rounding * entering[i] * entering[k];
    return (here < there - equal) | ((here <= there + equal) & (entering[i] > entering[k]));
}

/* The column that leaves; -1 when none can. Weights and coordinates are multiplied by the determinant. */
static int leaving_column(const double weight[3], const double entering[3], double determinant) {
    const double least_coordinate = 1e-13 * determinant, rounding = 1e-13 * (weight[0] + weight[1] + weight[2]) / determinant;
    double w[3], e[3];
    for (int i = 0; i < 3; ++i) {
        bool can = entering[i] > least_coordinate; /* if not, treat its weight as never falling to zero */
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
        column->vertex_a = vertex_of_a(s->vertices[i]);
        column->vertex_b = vertex_of_b(s->vertices[i]);
        bool artificial = s->vertices[i] < 0;
        column->a = artificial ? abut_add(s->w[i], origin) : convex_to_pair(a, convex_vertex(a, column->vertex_a));
        column->b = artificial ? abut_vec3_make(0, 0, 0) : convex_to_pair(b, convex_vertex(b, column->vertex_b));
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

/* Whether the weighted sum of the columns is the ray. */
static bool holds_ray(const gauge *g, abut_vec3 ray) {
    abut_vec3 sum = abut_neg(ray);
    for (int i = 0; i < 3; ++i) {
        sum = abut_add_scaled(sum, g->weight[i], g->column[i].w);
    }
    return abut_length_squared(sum) <= 1e-18 * abut_length_squared(ray);
}

/* Whether the new support point belongs to the same vertices as a column of the basis. */
static inline bool is_known(const basis *s, int64_t vertices) {
    return (vertices == s->vertices[0]) | (vertices == s->vertices[1]) | (vertices == s->vertices[2]);
}

static void solve_from(const convex *a, const convex *b, const gauge_ray *cast, double inside, double apart, int attempt, gauge *g) {
    const double tolerance = 1e-14;
    const abut_vec3 origin = cast->origin, ray = cast->ray;
    basis s;
    start_basis(&s, ray, inside, attempt);
    /* The best supporting plane so far. Its bound is reached / support. */
    abut_vec3 best = ray;
    double best_reached = 0.0, best_support = 1.0, best_depth = 0.0;
    /* cross[i] is the cross product of the two columns other than i. Weights of the ray and coordinates of the new point are multiplied by the determinant. */
    abut_vec3 cross[3];
    double weight[3], coordinate[3], determinant;
    cross[2] = abut_cross(s.w[0], s.w[1]);
    weight[2] = abut_dot(cross[2], ray);
    determinant = abut_dot(cross[2], s.w[2]);
    int32_t supports = 0;
    bool is_apart = false;
    for (;;) {
        abut_vec3 normal = abut_cross(abut_sub(s.w[1], s.w[0]), abut_sub(s.w[2], s.w[0]));
        abut_vec3 pa, pb;
        int32_t va = convex_support(a, normal, &pa), vb = convex_support(b, abut_neg(normal), &pb);
        ++supports;
        abut_vec3 between = abut_sub(pa, pb), w = abut_sub(between, origin);
        double support = abut_dot(normal, w), depth = abut_dot(normal, between), reached = abut_dot(normal, ray);
        cross[0] = abut_cross(s.w[1], s.w[2]);
        cross[1] = abut_cross(s.w[2], s.w[0]);
        weight[0] = abut_dot(cross[0], ray);
        weight[1] = abut_dot(cross[1], ray);
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
        int64_t vertices = both_vertices(va, vb);
        if (is_known(&s, vertices) || support - abut_dot(normal, s.w[0]) <= tolerance * support || supports == MOST_SUPPORTS) {
            break;
        }
        for (int i = 0; i < 3; ++i) {
            coordinate[i] = abut_dot(cross[i], w);
        }
        int leaving = leaving_column(weight, coordinate, determinant);
        if (leaving < 0) {
            break;
        }
        /* The values of the two columns that stay are known already. */
        cross[2] = abut_vec3_make(cross[leaving].x, cross[leaving].y, cross[leaving].z);
        weight[2] = weight[leaving];
        determinant = coordinate[leaving];
        replace_column(&s, leaving, w, vertices);
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
    /* Coordinates of the bodies' size carry rounding error. It matters more when the plane is near the origin. */
    double rounding = 4e-16 * (a->size + b->size + abut_length(abut_sub(a->position, b->position)));
    g->converged = rounding <= 1e-3 * g->support && g->upper - g->lower <= (1e-12 + rounding / g->support) * g->upper && !rests_on_start(g);
}

void gauge_solve(const convex *a, const convex *b, const gauge_ray *cast, double inside, double apart, gauge *g) {
    enum { MOST_ATTEMPTS = 4 };
    solve_from(a, b, cast, inside, apart, 0, g);
    /* On slender bodies rounding error can leave a basis of nearly collinear columns, whose weights mean nothing. */
    for (int attempt = 1; attempt < MOST_ATTEMPTS && !g->apart && !holds_ray(g, cast->ray); ++attempt) {
        solve_from(a, b, cast, inside, apart, attempt, g);
    }
}
