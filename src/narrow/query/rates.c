/*
 * Derivatives of a contact ([B90] sections 5 and 6, in closed form). World frame; n points from B into A; d is the signed gap. In the
 * contact plane, K_A is the curvature of A and K_B' = K_B (1 + d K_B)^-1 that of B's offset surface at the distance d. v is the velocity of
 * A relative to B at the contact, and w = n x (difference of the angular velocities, A minus B), both projected on the plane:
 *
 *     d'' = n . (difference of accelerations) - 2 n . (w_B x V) + v^T M v - 2 w^T N v - w^T L w
 *     L = (K_A + K_B')^-1,  N = L K_B',  M = K_A N
 *
 * Sharp features are limits of round ones and have their own entries in the same three matrices. All matrices are written without infinite
 * numbers: B's curvature along a principal direction is s / c, with c = 0 for a sharp feature and s = 0 for a flat one.
 */

#include "narrow/query/rates.h"

#include "base/argument.h"
#include "base/elementary.h"
#include "base/real.h"

#define TINY_GAP 1e-6 /* for gaps below this fraction of the arms, the normal of two sharp features turns faster than numbers can follow */
#define SINGULAR 1e-9

typedef struct plane_vector {
    double x, y;
} plane_vector;

typedef struct plane_matrix {
    double xx, xy, yx, yy;
} plane_matrix;

/* Curvature as s / c along two perpendicular directions. */
typedef struct principal {
    plane_vector direction[2];
    double c[2], s[2];
    bool sharp[2];
} principal;

typedef struct relation {
    plane_matrix l, n, m;
    uint32_t flags;
} relation;

/* ---- small matrices ---- */

static double dot(plane_vector p, plane_vector q) { return p.x * q.x + p.y * q.y; }

static plane_vector apply(plane_matrix m, plane_vector p) { return (plane_vector){m.xx * p.x + m.xy * p.y, m.yx * p.x + m.yy * p.y}; }

static plane_vector apply_transposed(plane_matrix m, plane_vector p) {
    return (plane_vector){m.xx * p.x + m.yx * p.y, m.xy * p.x + m.yy * p.y};
}

static plane_matrix multiply(plane_matrix p, plane_matrix q) {
    return (plane_matrix){p.xx * q.xx + p.xy * q.yx, p.xx * q.xy + p.xy * q.yy, p.yx * q.xx + p.yy * q.yx, p.yx * q.xy + p.yy * q.yy};
}

static plane_matrix minus(plane_matrix p, plane_matrix q) { return (plane_matrix){p.xx - q.xx, p.xy - q.xy, p.yx - q.yx, p.yy - q.yy}; }

static plane_matrix outer(double factor, plane_vector p, plane_vector q) {
    return (plane_matrix){factor * p.x * q.x, factor * p.x * q.y, factor * p.y * q.x, factor * p.y * q.y};
}

static plane_matrix add(plane_matrix p, plane_matrix q) { return (plane_matrix){p.xx + q.xx, p.xy + q.xy, p.yx + q.yx, p.yy + q.yy}; }

static plane_matrix identity(void) { return (plane_matrix){1.0, 0.0, 0.0, 1.0}; }

/* ---- curvatures ---- */

static principal principal_of(const abut_curvature *surface, abut_vec3 tangent, abut_vec3 cotangent) {
    principal p;
    p.direction[0] = (plane_vector){abut_dot(surface->direction[0], tangent), abut_dot(surface->direction[0], cotangent)};
    p.direction[1] = (plane_vector){-p.direction[0].y, p.direction[0].x};
    for (int i = 0; i < 2; ++i) {
        p.sharp[i] = isinf(surface->curvature[i]);
        p.c[i] = p.sharp[i] ? 0.0 : 1.0;
        p.s[i] = p.sharp[i] ? 1.0 : surface->curvature[i];
    }
    return p;
}

/* Replaces a surface by its offset surface at a distance. False if the distance passes the centre of curvature. */
static bool offset(principal *p, double distance) {
    bool fine = true;
    for (int i = 0; i < 2; ++i) {
        p->c[i] = p->sharp[i] ? distance : 1.0 + distance * p->s[i];
        fine = fine && (p->sharp[i] || p->c[i] > SINGULAR);
    }
    return fine;
}

static plane_matrix matrix_of(const principal *p) {
    return add(outer(p->s[0] / p->c[0], p->direction[0], p->direction[0]), outer(p->s[1] / p->c[1], p->direction[1], p->direction[1]));
}

/* ---- L, N and M ---- */

/* Pseudo-inverse of a symmetric matrix with a diagonal of about 1; singular directions are left out. *below: number of negative
 * eigenvalues. */
static plane_matrix pseudo_inverse(double xx, double xy, double yy, int *below, uint32_t *flags) {
    double middle = 0.5 * (xx + yy), half = 0.5 * (xx - yy), reach = sqrt(half * half + xy * xy);
    double value[2] = {middle + reach, middle - reach};
    double angle = 0.5 * elementary_atan2(xy, half);
    double sine, cosine;
    elementary_sin_cos(angle, &sine, &cosine);
    plane_vector axis[2] = {{cosine, sine}, {-sine, cosine}};
    plane_matrix inverse = {0.0, 0.0, 0.0, 0.0};
    *below = 0;
    for (int i = 0; i < 2; ++i) {
        if (fabs(value[i]) <= SINGULAR) {
            *flags |= ABUT_RATES_CONFORMING;
        } else {
            *below += value[i] < 0.0;
            inverse = add(inverse, outer(1.0 / value[i], axis[i], axis[i]));
        }
    }
    return inverse;
}

/* A is smooth or flat. With C = |diag(c)| and S = +-diag(s) along B's directions: L = C^1/2 (C^1/2 K_A C^1/2 + S)^-1 C^1/2. */
static void relate_smooth(const principal *a, const principal *b, relation *r) {
    plane_matrix k = matrix_of(a);
    const plane_vector *q = b->direction;
    double largest = fabs(k.xx) + fabs(k.xy) + fabs(k.yy), root[2], scale[2], s[2];
    int sunk = 0, below; /* sharp directions of B with c < 0: the feature lies inside A, and its centre of curvature lies behind it */
    for (int i = 0; i < 2; ++i) {
        double c = fabs(b->c[i]), most = c * largest + fabs(b->s[i]); /* sums much smaller than this are rounding error */
        root[i] = sqrt(c);
        s[i] = b->c[i] < 0.0 ? -b->s[i] : b->s[i];
        sunk += b->c[i] < 0.0;
        scale[i] = most > 0.0 ? 1.0 / sqrt(most) : 0.0;
    }
    double xx = root[0] * root[0] * dot(q[0], apply(k, q[0])) + s[0], yy = root[1] * root[1] * dot(q[1], apply(k, q[1])) + s[1];
    double xy = root[0] * root[1] * dot(q[0], apply(k, q[1]));
    plane_matrix inverse = pseudo_inverse(scale[0] * scale[0] * xx, scale[0] * scale[1] * xy, scale[1] * scale[1] * yy, &below, &r->flags);
    r->flags |= below > sunk ? ABUT_RATES_NOT_LEAST : 0u;
    double px = root[0] * scale[0], py = root[1] * scale[1];
    r->l = add(add(outer(px * px * inverse.xx, q[0], q[0]), outer(px * py * inverse.xy, q[0], q[1])),
               add(outer(px * py * inverse.yx, q[1], q[0]), outer(py * py * inverse.yy, q[1], q[1])));
    r->n = minus(identity(), multiply(r->l, k));
    r->m = multiply(k, r->n);
}

/* A touches with a vertex: the contact stays at one point of A. */
static void relate_vertex(const principal *b, relation *r) { r->m = matrix_of(b); }

/* Where B has no unique normal either, the normal is kept fixed in B. */
static void hold_normal(relation *r) { r->flags |= ABUT_RATES_NORMAL_HELD; }

/* An edge of A along u, bent by `bend` (0 for a straight one), against a vertex of B at the distance d. */
static void relate_edge_to_vertex(plane_vector u, double bend, double d, relation *r) {
    plane_vector across = {-u.y, u.x};
    double wide = 1.0 + bend * d;
    r->l = outer(d / wide, u, u);
    r->n = outer(1.0 / wide, u, u);
    r->m = add(outer(1.0 / d, across, across), outer(bend / wide, u, u));
}

/* An edge of A along u, bent by `bend`. B has the curvatures s / c along e and `other` along f. All terms are multiplied by c, which for an edge of B is the
 * gap and may be 0. With K_A = bend u u^T and infinite across u: L = u u^T / (bend + u^T K_B' u), and M = K_B' - K_B' L K_B'. */
static void relate_edge(plane_vector u, double bend, const principal *b, bool touching, relation *r) {
    int e = b->sharp[1] ? 1 : 0;
    double c = b->sharp[e] ? b->c[e] : 1.0, s = b->sharp[e] ? b->s[e] : b->s[e] / b->c[e], other = b->s[1 - e] / b->c[1 - e];
    double ue = dot(u, b->direction[e]), uf = dot(u, b->direction[1 - e]);
    double k = c * bend + ue * ue * s + c * uf * uf * other; /* u^T (K_A + K_B') u */
    if (fabs(k) <= SINGULAR * (fabs(c * bend) + ue * ue * fabs(s) + fabs(c) * uf * uf * fabs(other)) ||
        fabs(k) <= SINGULAR * SINGULAR * (fabs(c * bend) + fabs(s) + fabs(c * other))) {
        if (b->sharp[e] && touching) {
            hold_normal(r);
        } else {
            r->flags |= ABUT_RATES_CONFORMING;
            relate_vertex(b, r);
        }
        return;
    }
    r->flags |= k < 0.0 && !b->sharp[e] ? ABUT_RATES_NOT_LEAST : 0u;
    plane_vector across = {-u.y, u.x};
    r->l = outer(c / k, u, u);
    r->n = add(outer(ue * s / k, u, b->direction[e]), outer(uf * c * other / k, u, b->direction[1 - e]));
    r->m = outer(s * other / k, across, across);
    if (bend != 0.0) {
        r->m = add(r->m, add(outer(s * bend / k, b->direction[e], b->direction[e]),
                             outer(c * bend * other / k, b->direction[1 - e], b->direction[1 - e])));
    }
}

static void relate(const principal *a, const principal *b, bool touching, relation *r) {
    *r = (relation){.flags = 0};
    bool b_vertex = b->sharp[0] && b->sharp[1], b_sharp = b->sharp[0] || b->sharp[1];
    if (!a->sharp[0] && !a->sharp[1]) {
        relate_smooth(a, b, r);
    } else if (a->sharp[0] && a->sharp[1]) {
        if (b_sharp && touching) {
            hold_normal(r);
        } else {
            relate_vertex(b, r);
        }
    } else {
        int at = a->sharp[0] ? 1 : 0;
        plane_vector along = a->direction[at];
        if (!b_vertex) {
            relate_edge(along, a->s[at], b, touching, r);
        } else if (touching) {
            hold_normal(r);
        } else {
            relate_edge_to_vertex(along, a->s[at], b->c[0], r);
        }
    }
}

/* ---- the contact ---- */

typedef struct moving_pair {
    abut_vec3 normal, tangent, cotangent;
    const abut_kinematics *a, *b;
    abut_vec3 arm_a, arm_b;
    abut_vec3 past; /* velocity of A's material at on_a relative to B's material there */
} moving_pair;

static plane_vector in_plane(const moving_pair *pair, abut_vec3 v) {
    return (plane_vector){abut_dot(pair->tangent, v), abut_dot(pair->cotangent, v)};
}

static abut_vec3 in_space(const moving_pair *pair, plane_vector p) {
    return abut_add(abut_scale(p.x, pair->tangent), abut_scale(p.y, pair->cotangent));
}

static abut_vec3 velocity_at(const abut_kinematics *m, abut_vec3 arm) {
    return abut_add(m->velocity.linear, abut_cross(m->velocity.angular, arm));
}

static abut_vec3 towards_axis(const abut_kinematics *m, abut_vec3 arm) {
    return abut_cross(m->velocity.angular, abut_cross(m->velocity.angular, arm));
}

static double bias_of(const moving_pair *pair, const relation *r, plane_vector v, plane_vector w) {
    abut_vec3 turning = abut_sub(towards_axis(pair->a, pair->arm_a), towards_axis(pair->b, pair->arm_b));
    double bias = abut_dot(pair->normal, turning) - 2.0 * abut_dot(pair->normal, abut_cross(pair->b->velocity.angular, pair->past));
    return bias + dot(v, apply(r->m, v)) - 2.0 * dot(w, apply(r->n, v)) - dot(w, apply(r->l, w));
}

static double forced_of(const moving_pair *pair) {
    abut_vec3 a = abut_add(pair->a->acceleration.linear, abut_cross(pair->a->acceleration.angular, pair->arm_a));
    abut_vec3 b = abut_add(pair->b->acceleration.linear, abut_cross(pair->b->acceleration.angular, pair->arm_b));
    return abut_dot(pair->normal, abut_sub(a, b));
}

static void find_rates(const moving_pair *pair, const abut_contact *contact, const relation *r, abut_rates *rates) {
    const abut_vec3 n = pair->normal;
    plane_vector v = in_plane(pair, pair->past);
    plane_vector w = in_plane(pair, abut_cross(n, abut_sub(pair->a->velocity.angular, pair->b->velocity.angular)));
    plane_vector nv = apply(r->n, v), lw = apply(r->l, w), mv = apply(r->m, v), nw = apply_transposed(r->n, w);
    plane_vector x = {v.x - nv.x - lw.x, v.y - nv.y - lw.y}; /* velocity of the contact point relative to B, in the plane */
    plane_vector turn = {mv.x - nw.x, mv.y - nw.y};          /* rate of the normal relative to B, in the plane: K_B' x */
    plane_vector y = {x.x - contact->gap * turn.x, x.y - contact->gap * turn.y};
    *rates = (abut_rates){.gap_rate = abut_dot(n, pair->past), .arm_a = pair->arm_a, .arm_b = pair->arm_b, .flags = r->flags};
    rates->bias = bias_of(pair, r, v, w);
    rates->gap_acceleration = rates->bias + forced_of(pair);
    rates->normal_rate = abut_add(abut_cross(pair->b->velocity.angular, n), in_space(pair, turn));
    abut_vec3 of_b = velocity_at(pair->b, pair->arm_b);
    rates->on_a_rate = abut_add(abut_add_scaled(of_b, rates->gap_rate, n), in_space(pair, x));
    rates->on_b_rate = abut_add(velocity_at(pair->b, abut_sub(contact->on_b, pair->b->centre)), in_space(pair, y));
}

static bool is_tangent_frame(const abut_curvature *surface, abut_vec3 normal) {
    const double off = 1e-6;
    abut_vec3 p = surface->direction[0], q = surface->direction[1];
    return fabs(abut_length(p) - 1.0) <= off && fabs(abut_length(q) - 1.0) <= off && fabs(abut_dot(p, q)) <= off &&
           fabs(abut_dot(p, normal)) <= off && fabs(abut_dot(q, normal)) <= off;
}

static bool is_curvature(double k) { return isfinite(k) || k > 0.0; }

static bool is_finite_motion(const abut_kinematics *m) {
    return isfinite(abut_length_squared(m->centre) + abut_length_squared(m->velocity.linear) + abut_length_squared(m->velocity.angular) +
                    abut_length_squared(m->acceleration.linear) + abut_length_squared(m->acceleration.angular));
}

static abut_status check(const abut_contact *c, const abut_curvature *a, const abut_curvature *b, const abut_kinematics *motion_a,
                         const abut_kinematics *motion_b) {
    bool finite = isfinite(abut_length_squared(c->on_a) + abut_length_squared(c->on_b) + abut_length_squared(c->normal) + c->gap);
    for (int i = 0; i < 2; ++i) {
        finite = finite && !isnan(a->curvature[i]) && !isnan(b->curvature[i]) && isfinite(abut_length_squared(a->direction[i])) &&
                 isfinite(abut_length_squared(b->direction[i]));
    }
    if (!finite || !is_finite_motion(motion_a) || !is_finite_motion(motion_b)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool sound =
        is_curvature(a->curvature[0]) && is_curvature(a->curvature[1]) && is_curvature(b->curvature[0]) && is_curvature(b->curvature[1]);
    return sound && fabs(abut_length(c->normal) - 1.0) <= 1e-6 && is_tangent_frame(a, c->normal) && is_tangent_frame(b, c->normal)
               ? ABUT_OK
               : ABUT_ERROR_INVALID_ARGUMENT;
}

/* Words for what check() found. */
static abut_status refuse_numbers(abut_status status, const char *call, const abut_contact *c, const abut_curvature *a,
                                  const abut_kinematics *motion_a, const abut_kinematics *motion_b) {
    static const abut_kinematics rest = {.centre = {0, 0, 0}};
    bool moves = is_finite_motion(motion_a) && is_finite_motion(motion_b);
    if (status == ABUT_ERROR_NOT_FINITE && !moves) {
        return refuse(status, call, "motion_%c is not finite, or its square overflows", is_finite_motion(motion_a) ? 'b' : 'a');
    }
    if (!(fabs(abut_length(c->normal) - 1.0) <= 1e-6)) {
        return refuse(status, call, "contact->normal is no unit vector");
    }
    if (status == ABUT_ERROR_NOT_FINITE && !isfinite(abut_length_squared(c->on_a) + abut_length_squared(c->on_b) + c->gap)) {
        return refuse(status, call, "contact has a point or a gap that is not finite");
    }
    bool fine = check(c, a, a, &rest, &rest) == ABUT_OK;
    return refuse(status, call, "surface_%c has directions that are no unit vectors in the contact plane, or a bad curvature",
                  fine ? 'b' : 'a');
}

abut_status abut_contact_rates(const abut_contact *contact, const abut_curvature *surface_a, const abut_curvature *surface_b,
                               const abut_kinematics *motion_a, const abut_kinematics *motion_b, abut_rates *rates) {
    return contact_rates_find(CALL_NAME, contact, surface_a, surface_b, motion_a, motion_b, rates);
}

abut_status contact_rates_find(const char *call, const abut_contact *contact, const abut_curvature *surface_a,
                               const abut_curvature *surface_b, const abut_kinematics *motion_a, const abut_kinematics *motion_b,
                               abut_rates *rates) {
    if (argument_is_null(call, "contact", contact) || argument_is_null(call, "surface_a", surface_a) ||
        argument_is_null(call, "surface_b", surface_b) || argument_is_null(call, "rates", rates)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const abut_kinematics rest_a = {.centre = contact->on_a}, rest_b = {.centre = contact->on_b};
    moving_pair pair = {.normal = contact->normal, .a = motion_a != NULL ? motion_a : &rest_a, .b = motion_b != NULL ? motion_b : &rest_b};
    abut_status status = check(contact, surface_a, surface_b, pair.a, pair.b);
    if (status != ABUT_OK) {
        return call == NULL ? status : refuse_numbers(status, call, contact, surface_a, pair.a, pair.b);
    }
    abut_tangent_frame(pair.normal, &pair.tangent, &pair.cotangent);
    pair.arm_a = abut_sub(contact->on_a, pair.a->centre);
    pair.arm_b = abut_sub(contact->on_a, pair.b->centre);
    pair.past = abut_sub(velocity_at(pair.a, pair.arm_a), velocity_at(pair.b, pair.arm_b));
    principal a = principal_of(surface_a, pair.tangent, pair.cotangent), b = principal_of(surface_b, pair.tangent, pair.cotangent);
    if (!offset(&b, contact->gap)) {
        return refuse(ABUT_ERROR_DEGENERATE, call, "contact->gap is %.9g: as deep as a radius of curvature of surface_b", contact->gap);
    }
    bool touching = contact->gap <= TINY_GAP * (abut_length(pair.arm_a) + abut_length(pair.arm_b));
    relation r;
    relate(&a, &b, touching, &r);
    abut_rates found;
    find_rates(&pair, contact, &r, &found);
    if (!isfinite(found.gap_rate + found.gap_acceleration + abut_length_squared(found.normal_rate) +
                  abut_length_squared(found.on_a_rate))) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "rates: the derivatives overflow");
    }
    *rates = found;
    return ABUT_OK;
}
