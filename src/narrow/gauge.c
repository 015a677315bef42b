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
static void start_basis(gauge *g, abut_vec3 origin, abut_vec3 ray, double inside, int attempt) {
    const double lean = 0.5; /* any acute angle to the ray will do */
    abut_vec3 axis = abut_unit(ray), first, second;
    abut_tangent_frame(axis, &first, &second);
    if (attempt > 0) {
        first = abut_unit(abut_add_scaled(first, attempt, second)); /* turned by an angle that no symmetry knows */
        second = abut_cross(axis, first);
    }
    double along = 0.5 * inside * cos(lean), aside = 0.5 * inside * sin(lean);
    for (int i = 0; i < 3; ++i) {
        static const double turn_x[3] = {1.0, -0.5, -0.5}, turn_y[3] = {0.0, 0.86602540378443865, -0.86602540378443865};
        abut_vec3 side = abut_add(abut_scale(turn_x[i], first), abut_scale(turn_y[i], second));
        abut_vec3 w = abut_add(abut_scale(along, axis), abut_scale(aside, side));
        g->column[i] = (gauge_column){.a = abut_add(w, origin), .w = w, .vertex_a = -1, .vertex_b = -1};
    }
}

/* The basis seen from the origin: products of its columns, and the normal of the plane through them, of any length, towards the ray. */
typedef struct basis_frame {
    abut_vec3 cross[3]; /* of the other two columns */
    double determinant;
    abut_vec3 normal;
    double plane; /* normal . any column */
} basis_frame;

static basis_frame frame_of(const gauge_column column[3], abut_vec3 ray) {
    basis_frame f;
    f.cross[0] = abut_cross(column[1].w, column[2].w);
    f.cross[1] = abut_cross(column[2].w, column[0].w);
    f.cross[2] = abut_cross(column[0].w, column[1].w);
    f.determinant = abut_dot(f.cross[0], column[0].w);
    f.normal = abut_cross(abut_sub(column[1].w, column[0].w), abut_sub(column[2].w, column[0].w));
    f.normal = abut_dot(f.normal, ray) < 0.0 ? abut_neg(f.normal) : f.normal;
    f.plane = abut_dot(f.normal, column[0].w);
    return f;
}

/* The column that leaves: the first whose weight falls to zero when the new one enters; of those that are as good up to rounding the one with
 * the largest coordinate, which keeps the basis well conditioned. -1 when none can leave. */
static int leaving_column(const gauge *g, const double entering[3]) {
    const double least_coordinate = 1e-13;
    double ratio[3], first = INFINITY;
    for (int i = 0; i < 3; ++i) {
        ratio[i] = entering[i] > least_coordinate ? g->weight[i] / entering[i] : INFINITY;
        first = ratio[i] < first ? ratio[i] : first;
    }
    int leaving = -1;
    for (int i = 0; i < 3; ++i) {
        if (ratio[i] <= first + 1e-13 * g->upper && entering[i] > least_coordinate && (leaving < 0 || entering[i] > entering[leaving])) {
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

static void set_weights(gauge *g, const basis_frame *frame, abut_vec3 ray) {
    g->upper = 0.0;
    for (int i = 0; i < 3; ++i) {
        double weight = abut_dot(frame->cross[i], ray) / frame->determinant;
        g->weight[i] = isfinite(weight) && weight > 0.0 ? weight : 0.0;
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

static gauge solve_from(const convex *a, const convex *b, const gauge_ray *cast, double inside, double apart, int attempt) {
    const double tolerance = 1e-14;
    abut_vec3 ray = cast->ray;
    gauge g = {.upper = INFINITY};
    abut_vec3 best = ray;
    start_basis(&g, cast->origin, ray, inside, attempt);
    while (g.supports < MOST_SUPPORTS) {
        basis_frame frame = frame_of(g.column, ray);
        set_weights(&g, &frame, ray);
        gauge_column entering = support_column(a, b, cast->origin, frame.normal);
        ++g.supports;
        double support = abut_dot(frame.normal, entering.w), lower = abut_dot(frame.normal, ray) / support;
        if (lower > g.lower) {
            g.lower = lower;
            best = frame.normal;
            g.support = support;
        }
        double depth = abut_dot(frame.normal, abut_sub(entering.a, entering.b));
        if (depth < 0.0 && depth * depth > apart * apart * abut_length_squared(frame.normal)) {
            g.apart = true;
            best = frame.normal;
            break;
        }
        if (support - frame.plane <= tolerance * support || is_in_basis(&g, &entering)) {
            break;
        }
        double coordinate[3];
        for (int i = 0; i < 3; ++i) {
            coordinate[i] = abut_dot(frame.cross[i], entering.w) / frame.determinant;
        }
        int leaving = leaving_column(&g, coordinate);
        if (leaving < 0) {
            break;
        }
        g.column[leaving] = entering;
    }
    g.direction = abut_unit(best);
    g.support /= abut_length(best);
    /* Coordinates of the bodies' size are off by their rounding, which counts the more the nearer the plane is to the origin. */
    double rounding = 4e-16 * (a->size + b->size + abut_length(abut_sub(a->position, b->position)));
    g.converged = rounding <= 1e-3 * g.support && g.upper - g.lower <= (1e-12 + rounding / g.support) * g.upper && !rests_on_start(&g);
    return g;
}

gauge gauge_solve(const convex *a, const convex *b, const gauge_ray *cast, double inside, double apart) {
    enum { MOST_ATTEMPTS = 4 };
    gauge g = solve_from(a, b, cast, inside, apart, 0);
    /* On slender bodies rounding can leave a basis whose columns nearly lie in a line and whose weights mean nothing. */
    for (int attempt = 1; attempt < MOST_ATTEMPTS && !g.apart && !holds_ray(&g, cast->ray); ++attempt) {
        g = solve_from(a, b, cast, inside, apart, attempt);
    }
    return g;
}
