/*
 * Let p be the point and N the outward normal, of any length, of either surface. The equations are
 *
 *     N_A + m N_B = 0,    p_B - p_A + l N_B = 0,    and F = 0 for each implicit surface.
 *
 * The unknowns are m, l and the points: three coordinates for an implicit surface (N = grad F), two parameters for a parametric one (N = S_u x S_v). There are
 * as many equations as unknowns: 8, 7 or 6. Pair's frame.
 */

#include "narrow/query/extremal_system.h"

#include "base/real.h"
#include "geom/linear.h"
#include "shape/user.h"

typedef struct side {
    const abut_shape *shape;
    abut_mat3 rotation; /* to the pair's frame */
    abut_vec3 position;
    int unknowns;
    double x[3]; /* values of the unknowns: a point in the shape's frame, or parameters */
} side;

/* The values of a surface in the equations, pair's frame. */
typedef struct surface_values {
    abut_vec3 p, n;
    abut_vec3 dp[3], dn[3]; /* derivatives by the unknowns */
    double f, df[3];        /* implicit surfaces */
} surface_values;

static bool is_parametric(const abut_shape *shape) { return shape->kind == ABUT_SHAPE_PARAMETRIC; }

bool system_knows(const abut_shape *shape) {
    return shape->kind == ABUT_SHAPE_SPHERE || shape->kind == ABUT_SHAPE_ELLIPSOID || shape->user != NULL;
}

/* Spheres and ellipsoids as implicit surfaces: half of sum (x / half)^2 - 1, times the square of the least semi-axis. */
static abut_implicit_point quadric_at(const abut_shape *shape, abut_vec3 x) {
    abut_vec3 h = shape->kind == ABUT_SHAPE_SPHERE ? abut_vec3_make(shape->radius, shape->radius, shape->radius) : shape->half;
    double least = real_min(h.x, real_min(h.y, h.z));
    double a = least / h.x * (least / h.x), b = least / h.y * (least / h.y), c = least / h.z * (least / h.z);
    return (abut_implicit_point){.value = 0.5 * (a * x.x * x.x + b * x.y * x.y + c * x.z * x.z - least * least),
                                 .gradient = abut_vec3_make(a * x.x, b * x.y, c * x.z),
                                 .hessian = abut_mat3_make(abut_vec3_make(a, 0, 0), abut_vec3_make(0, b, 0), abut_vec3_make(0, 0, c))};
}

static void look_implicit(const side *s, surface_values *v) {
    static const abut_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    abut_vec3 x = abut_vec3_make(s->x[0], s->x[1], s->x[2]);
    abut_implicit_point at = s->shape->user != NULL ? implicit_at(&s->shape->user->implicit, x) : quadric_at(s->shape, x);
    v->p = abut_add(abut_mat3_apply(s->rotation, x), s->position);
    v->n = abut_mat3_apply(s->rotation, at.gradient);
    v->f = at.value;
    const double slope[3] = {at.gradient.x, at.gradient.y, at.gradient.z};
    for (int i = 0; i < 3; ++i) {
        v->dp[i] = abut_mat3_apply(s->rotation, axis[i]);
        v->dn[i] = abut_mat3_apply(s->rotation, abut_mat3_apply(at.hessian, axis[i]));
        v->df[i] = slope[i];
    }
}

static void look_parametric(const side *s, surface_values *v) {
    const smooth_user *user = s->shape->user;
    abut_parametric_point at = parametric_at(&user->parametric, s->x[0], s->x[1]);
    double sign = user->sign;
    abut_vec3 n = abut_cross(at.su, at.sv), nu = abut_add(abut_cross(at.suu, at.sv), abut_cross(at.su, at.suv));
    abut_vec3 nv = abut_add(abut_cross(at.suv, at.sv), abut_cross(at.su, at.svv));
    v->p = abut_add(abut_mat3_apply(s->rotation, at.s), s->position);
    v->n = abut_mat3_apply(s->rotation, abut_scale(sign, n));
    v->dp[0] = abut_mat3_apply(s->rotation, at.su);
    v->dp[1] = abut_mat3_apply(s->rotation, at.sv);
    v->dn[0] = abut_mat3_apply(s->rotation, abut_scale(sign, nu));
    v->dn[1] = abut_mat3_apply(s->rotation, abut_scale(sign, nv));
}

static void look(const side *s, surface_values *v) {
    if (is_parametric(s->shape)) {
        look_parametric(s, v);
    } else {
        look_implicit(s, v);
    }
}

/* ---- starts ---- */

static void start_at(side *s, abut_vec3 point) {
    abut_vec3 x = abut_mat3_apply_transposed(s->rotation, abut_sub(point, s->position));
    s->unknowns = is_parametric(s->shape) ? 2 : 3;
    if (!is_parametric(s->shape)) {
        s->x[0] = x.x;
        s->x[1] = x.y;
        s->x[2] = x.z;
        return;
    }
    const smooth_user *user = s->shape->user;
    const user_sample *near = user->samples;
    for (int32_t i = 1; i < user->count; ++i) {
        near = abut_distance_between(x, user->samples[i].point) < abut_distance_between(x, near->point) ? &user->samples[i] : near;
    }
    s->x[0] = near->u;
    s->x[1] = near->v;
    parametric_project(&user->parametric, x, &s->x[0], &s->x[1]);
}

static abut_vec3 middle_of(const side *s) { return abut_add(abut_mat3_apply(s->rotation, smooth_middle(s->shape)), s->position); }

/* Where the ray from the centre towards a point leaves an implicit surface. For a parametric surface, the point itself. */
static abut_vec3 exit_towards(const side *s, abut_vec3 target) {
    abut_vec3 middle = smooth_middle(s->shape),
              to = abut_sub(abut_mat3_apply_transposed(s->rotation, abut_sub(target, s->position)), middle);
    abut_vec3 way = abut_unit(to), slope;
    way = abut_length_squared(way) > 0.5 ? way : abut_vec3_make(0.0, 0.0, 1.0);
    double t;
    if (is_parametric(s->shape)) {
        return target;
    }
    if (s->shape->user != NULL) {
        t = implicit_exit(&s->shape->user->implicit, way);
    } else {
        t = s->shape->kind == ABUT_SHAPE_SPHERE ? s->shape->radius : 1.0 / smooth_gauge(s->shape, way, &slope);
    }
    return abut_add(abut_mat3_apply(s->rotation, abut_add_scaled(middle, t, way)), s->position);
}

/* The closest pair among every seventh sample, which avoids samples in rows. */
static void closest_samples(const side *a, const side *b, abut_vec3 point[2]) {
    enum { EVERY = 7 };
    double least = INFINITY;
    for (int32_t i = 0; i < a->shape->user->count; i += EVERY) {
        abut_vec3 p = abut_add(abut_mat3_apply(a->rotation, a->shape->user->samples[i].point), a->position);
        for (int32_t k = 0; k < b->shape->user->count; k += EVERY) {
            abut_vec3 q = abut_add(abut_mat3_apply(b->rotation, b->shape->user->samples[k].point), b->position);
            double square = abut_length_squared(abut_sub(p, q));
            if (square < least) {
                least = square;
                point[0] = p;
                point[1] = q;
            }
        }
    }
}

static void start_from_nothing(side *a, side *b) {
    abut_vec3 point[2];
    if (is_parametric(a->shape) && is_parametric(b->shape)) {
        closest_samples(a, b, point);
    } else {
        point[0] = exit_towards(a, middle_of(b));
        point[1] = exit_towards(b, is_parametric(a->shape) ? middle_of(a) : point[0]);
        point[0] = is_parametric(a->shape) ? point[1] : point[0];
    }
    start_at(a, point[0]);
    start_at(b, point[1]);
}

/* ---- the equations ---- */

typedef struct state {
    side a, b;
    double l, m;
    surface_values va, vb;
    double miss; /* residual: sum of the equations' residuals, each relative to the size of its terms */
} state;

static void measure(state *s, double size) {
    look(&s->a, &s->va);
    look(&s->b, &s->vb);
    double steep_a = abut_length(s->va.n), steep_b = abut_length(s->vb.n);
    s->miss = abut_length(abut_add_scaled(s->va.n, s->m, s->vb.n)) / steep_a +
              abut_length(abut_add_scaled(abut_sub(s->vb.p, s->va.p), s->l, s->vb.n)) / size;
    s->miss += s->a.unknowns == 3 ? fabs(s->va.f) / (steep_a * size) : 0.0;
    s->miss += s->b.unknowns == 3 ? fabs(s->vb.f) / (steep_b * size) : 0.0;
}

static void set_three(double *rows, int width, int row, int column, abut_vec3 v) {
    rows[row * width + column] = v.x;
    rows[(row + 1) * width + column] = v.y;
    rows[(row + 2) * width + column] = v.z;
}

/* Newton's step for the unknowns of A, of B, for l and for m. */
static bool newton(const state *s, double step[LINEAR_MOST]) {
    double rows[LINEAR_MOST * (LINEAR_MOST + 1)] = {0.0};
    int na = s->a.unknowns, nb = s->b.unknowns, n = na + nb + 2, width = n + 1, at_l = na + nb, at_m = at_l + 1, row = 6;
    for (int i = 0; i < na; ++i) {
        set_three(rows, width, 0, i, s->va.dn[i]);
        set_three(rows, width, 3, i, abut_neg(s->va.dp[i]));
    }
    for (int i = 0; i < nb; ++i) {
        set_three(rows, width, 0, na + i, abut_scale(s->m, s->vb.dn[i]));
        set_three(rows, width, 3, na + i, abut_add_scaled(s->vb.dp[i], s->l, s->vb.dn[i]));
    }
    set_three(rows, width, 0, at_m, s->vb.n);
    set_three(rows, width, 3, at_l, s->vb.n);
    set_three(rows, width, 0, n, abut_neg(abut_add_scaled(s->va.n, s->m, s->vb.n)));
    set_three(rows, width, 3, n, abut_neg(abut_add_scaled(abut_sub(s->vb.p, s->va.p), s->l, s->vb.n)));
    for (int k = 0; k < 2; ++k) {
        const side *of = k == 0 ? &s->a : &s->b;
        const surface_values *v = k == 0 ? &s->va : &s->vb;
        if (of->unknowns == 3) {
            for (int i = 0; i < 3; ++i) {
                rows[row * width + (k == 0 ? i : na + i)] = v->df[i];
            }
            rows[row * width + n] = -v->f;
            ++row;
        }
    }
    return linear_solve(n, rows, step);
}

static state moved(const state *from, const double *step, double factor) {
    state to = *from;
    int na = from->a.unknowns, nb = from->b.unknowns;
    for (int i = 0; i < na; ++i) {
        to.a.x[i] += factor * step[i];
    }
    for (int i = 0; i < nb; ++i) {
        to.b.x[i] += factor * step[na + i];
    }
    to.l += factor * step[na + nb];
    to.m += factor * step[na + nb + 1];
    return to;
}

/* Halves the step until the residual falls. */
static bool advance(state *s, const double *step, double size) {
    enum { MOST_HALVINGS = 14 };
    double factor = 1.0;
    for (int i = 0; i < MOST_HALVINGS; ++i, factor *= 0.5) {
        state next = moved(s, step, factor);
        measure(&next, size);
        if (next.miss < s->miss) {
            *s = next;
            return true;
        }
    }
    return false;
}

static abut_status iterate(state *s, double size, int32_t *iterations) {
    enum { MOST_STEPS = 60 };
    const double solved = 1e-12, exact = 1e-15;
    *iterations = 0;
    while (s->miss > exact) {
        double step[LINEAR_MOST];
        if (*iterations == MOST_STEPS) {
            return s->miss <= solved ? ABUT_OK : ABUT_ERROR_ITERATION_LIMIT;
        }
        if (!newton(s, step)) {
            return s->miss <= solved ? ABUT_OK : ABUT_ERROR_DEGENERATE;
        }
        bool small = s->miss <= solved;
        if (!advance(s, step, size)) {
            return small ? ABUT_OK : ABUT_ERROR_ITERATION_LIMIT;
        }
        *iterations += 1;
        if (small) {
            break;
        }
    }
    return ABUT_OK;
}

abut_status system_solve(const collide_pair *pair, const abut_vec3 start[2], abut_extremal *found) {
    state s = {.a = {.shape = pair->a, .rotation = abut_mat3_identity()},
               .b = {.shape = pair->b, .rotation = pair->rotation_b, .position = pair->position_b}};
    double size = pair->a->size + pair->b->size;
    if (start != NULL) {
        start_at(&s.a, start[0]);
        start_at(&s.b, start[1]);
    } else {
        start_from_nothing(&s.a, &s.b);
    }
    measure(&s, size);
    s.m = abut_length(s.va.n) / abut_length(s.vb.n);
    s.l = abut_dot(abut_sub(s.va.p, s.vb.p), s.vb.n) / abut_length_squared(s.vb.n);
    measure(&s, size);
    int32_t iterations;
    abut_status status = isfinite(s.miss) ? iterate(&s, size, &iterations) : ABUT_ERROR_ITERATION_LIMIT;
    if (status != ABUT_OK) {
        return status;
    }
    if (!(s.m > 0.0)) {
        return ABUT_ERROR_NOT_EXTREMAL;
    }
    *found = (abut_extremal){.on_a = s.va.p, .on_b = s.vb.p, .normal = abut_unit(s.vb.n), .iterations = iterations};
    found->gap = abut_dot(found->normal, abut_sub(s.va.p, s.vb.p));
    found->feature_a = found->feature_b = (abut_feature){.kind = ABUT_FEATURE_SMOOTH};
    return ABUT_OK;
}
