/*
 * The distance of two pieces of rounded triangles. The algorithm of Gilbert, Johnson and Keerthi finds the features that are closest; Newton's method on the
 * normal then finds the distance to the last digits. A piece that is flat has the corners that GJK names: they hold its closest point.
 *
 * For a unit vector u let a(u) be the tip of A against u and b(u) that of B along it. v = a - b bounds the distance from below by u . v, and both are
 * parallel where u is the normal. A turn of u by the small vector x changes v by -(S_A + S_B) x, with S = R on a sphere, R / |in the arc's plane| along an
 * arc and 0 at a corner. So the part of v across u vanishes for (S_A + S_B + u . v) x = v - (u . v) u, whose matrix is positive definite for bodies apart.
 */
#include "narrow/facet/piece_gap.h"

#include "base/real.h"
#include "geom/closest.h"
#include "narrow/normal/gjk_simplex.h"

enum { SLOTS = 5, MOST_STEPS = 100, POLISH_STEPS = 8 };

/* ---- one direction ---- */

/* Both tips for a unit normal. */
typedef struct moment {
    abut_vec3 normal;
    facet_tip a, b;
    abut_vec3 between; /* from B's tip to A's */
    double gap;        /* along the normal */
} moment;

static moment look(const facet_piece *a, const facet_piece *b, abut_vec3 normal) {
    moment m = {.normal = normal, .a = facet_piece_tip(a, abut_neg(normal)), .b = facet_piece_tip(b, normal)};
    m.between = abut_sub(m.a.point, m.b.point);
    m.gap = abut_dot(normal, m.between);
    return m;
}

/* ---- the algorithm of Gilbert, Johnson and Keerthi ---- */

typedef struct search {
    const facet_piece *a, *b;
    gjk_simplex s; /* its vertices are slots */
    abut_vec3 on_a[SLOTS], on_b[SLOTS];
    int32_t corner_a[SLOTS], corner_b[SLOTS]; /* -1: no corner */
    moment best;                              /* the normal with the largest gap */
    double limit;                             /* pairs with a larger gap are not of interest */
    abut_vec3 closest;
} search;

static int32_t free_slot(const gjk_simplex *s) {
    int32_t slot = 0;
    for (int32_t i = 0; i < s->count; ++i) {
        if (s->vertex_a[i] == slot) {
            ++slot;
            i = -1;
        }
    }
    return slot;
}

static bool holds(const search *g, abut_vec3 w) {
    for (int32_t i = 0; i < g->s.count; ++i) {
        const abut_vec3 *p = &g->s.w[i];
        if (p->x == w.x && p->y == w.y && p->z == w.z) {
            return true;
        }
    }
    return false;
}

static void add(search *g, const moment *m) {
    int32_t slot = free_slot(&g->s);
    g->on_a[slot] = m->a.point;
    g->on_b[slot] = m->b.point;
    g->corner_a[slot] = m->a.spot == FACET_AT_CORNER ? m->a.corner : -1;
    g->corner_b[slot] = m->b.spot == FACET_AT_CORNER ? m->b.corner : -1;
    gjk_simplex_add(&g->s, m->between, slot, slot);
}

static double size_of(const facet_piece *a, const facet_piece *b) {
    return a->foot_radius + b->foot_radius + abut_distance_between(a->foot, b->foot);
}

static abut_vec3 first_normal(const facet_piece *a, const facet_piece *b) {
    abut_vec3 way = abut_sub(a->foot, b->foot);
    return abut_length_squared(way) > 0.0         ? abut_unit(way)
           : abut_length_squared(a->normal) > 0.0 ? abut_neg(a->normal)
           : abut_length_squared(b->normal) > 0.0 ? b->normal
                                                  : abut_vec3_make(0.0, 0.0, 1.0);
}

/* The point of a body that belongs to the closest one. */
static abut_vec3 combined(const search *g, const abut_vec3 *on) {
    abut_vec3 p = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < g->s.count; ++i) {
        p = abut_add_scaled(p, g->s.weight[i], on[g->s.vertex_a[i]]);
    }
    return p;
}

/* Whether a point of the simplex may be the closest one: no point is nearer than the gap. */
static bool is_possible(const search *g, double distance) { return distance >= (1.0 - 1e-12) * g->best.gap; }

/* Almost coincident points make thin triangles, whose closest point rounding error may misplace. The sides at the newest point are safe. */
static void reduce_to_side(search *g, const gjk_simplex *whole) {
    double least = INFINITY;
    for (int32_t i = 0; i + 1 < whole->count; ++i) {
        gjk_simplex side = {.count = 0};
        abut_vec3 closest;
        gjk_simplex_add(&side, whole->w[i], whole->vertex_a[i], whole->vertex_b[i]);
        gjk_simplex_add(&side, whole->w[whole->count - 1], whole->vertex_a[whole->count - 1], whole->vertex_b[whole->count - 1]);
        gjk_simplex_reduce(&side, &closest);
        if (abut_length(closest) < least) {
            least = abut_length(closest);
            g->s = side;
            g->closest = closest;
        }
    }
}

/* Adds the tips to the simplex. False, and unchanged, where that brings it no nearer. */
static bool approach(search *g, const moment *m, double least) {
    const gjk_simplex before = g->s;
    const abut_vec3 closest = g->closest;
    add(g, m);
    const gjk_simplex whole = g->s;
    gjk_simplex_reduce(&g->s, &g->closest);
    double distance = abut_length(g->closest);
    if (whole.count > 2 && !(distance < least && is_possible(g, distance))) {
        reduce_to_side(g, &whole);
        distance = abut_length(g->closest);
    }
    if (!(distance < least && is_possible(g, distance))) {
        g->s = before;
        g->closest = closest;
        return false;
    }
    return true;
}

/* Makes a simplex of the closest point alone, which forgets thin triangles. Returns the normal there. */
static abut_vec3 begin_at_closest(search *g) {
    abut_vec3 on_a = combined(g, g->on_a), on_b = combined(g, g->on_b);
    g->s.count = 0;
    g->on_a[0] = on_a;
    g->on_b[0] = on_b;
    g->corner_a[0] = g->corner_b[0] = -1;
    gjk_simplex_add(&g->s, g->closest, 0, 0);
    g->s.weight[0] = 1.0;
    return abut_unit(g->closest);
}

/* False where the pieces overlap, or touch up to rounding error. It ends early where the gap is above the limit. */
static bool find_closest(search *g) {
    const double rounding = 1e-15, enough = 1e-14, size = size_of(g->a, g->b);
    abut_vec3 normal = first_normal(g->a, g->b);
    double least = INFINITY;
    bool again = true;
    g->best.gap = -INFINITY;
    for (int step = 0; step < MOST_STEPS; ++step) {
        moment m = look(g->a, g->b, normal);
        g->best = m.gap > g->best.gap ? m : g->best;
        if ((step > 0 && least - g->best.gap <= enough * (least + size)) || g->best.gap > g->limit) {
            break;
        }
        if (holds(g, m.between) || !approach(g, &m, least)) {
            if (!again) {
                break;
            }
            normal = begin_at_closest(g);
            again = false;
            continue;
        }
        again = true;
        least = abut_length(g->closest);
        if (g->s.count == 4 || !(least > rounding * size)) {
            return false;
        }
        normal = abut_unit(g->closest);
    }
    return true;
}

/* ---- the features ---- */

/* What a side of the pair does where the normal turns. */
typedef struct holding {
    int32_t corner[3];
    int32_t count;   /* of a flat piece: corners that hold its closest point */
    abut_vec3 along; /* of its side, when there are two */
} holding;

static holding held_by(const search *g, const facet_piece *p, const int32_t *corner_of) {
    holding h = {.count = 0};
    for (int32_t i = 0; facet_piece_is_flat(p) && i < g->s.count; ++i) {
        int32_t corner = corner_of[g->s.vertex_a[i]];
        bool known = corner < 0;
        for (int32_t k = 0; k < h.count; ++k) {
            known = known || h.corner[k] == corner;
        }
        if (!known) {
            h.corner[h.count++] = corner;
        }
    }
    if (h.count == 2) {
        h.along = abut_unit(abut_sub(p->corner[h.corner[1]], p->corner[h.corner[0]]));
    }
    return h;
}

/* ---- Newton's method ---- */

/* The stiffness of a tip between two tangents. */
static double stiffness(const facet_tip *tip, abut_vec3 p, abut_vec3 q) {
    return tip->spot == FACET_ON_SPHERE ? tip->turn * abut_dot(p, q)
           : tip->spot == FACET_ON_ARC  ? tip->turn * abut_dot(tip->along, p) * abut_dot(tip->along, q)
                                        : 0.0;
}

static double both(const moment *m, abut_vec3 p, abut_vec3 q) { return stiffness(&m->a, p, q) + stiffness(&m->b, p, q); }

/* The turn of a free normal. */
static abut_vec3 turn_freely(const moment *m) {
    abut_vec3 p, q;
    abut_tangent_frame(m->normal, &p, &q);
    double pp = both(m, p, p) + m->gap, pq = both(m, p, q), qq = both(m, q, q) + m->gap, det = pp * qq - pq * pq;
    double x = abut_dot(p, m->between), y = abut_dot(q, m->between);
    return abut_add(abut_scale((qq * x - pq * y) / det, p), abut_scale((pp * y - pq * x) / det, q));
}

/* The turn of a normal that stays across a side. */
static abut_vec3 turn_about(const moment *m, abut_vec3 side) {
    abut_vec3 p = abut_unit(abut_cross(side, m->normal));
    return abut_scale(abut_dot(p, m->between) / (both(m, p, p) + m->gap), p);
}

static abut_vec3 across(abut_vec3 normal, abut_vec3 side) { return abut_unit(abut_add_scaled(normal, -abut_dot(normal, side), side)); }

/* The normal across a flat face, or across two sides that are not parallel. False if the features leave it free. */
static bool is_fixed(const search *g, const holding *a, const holding *b, abut_vec3 *normal) {
    const double parallel = 1e-7;
    abut_vec3 n = {0.0, 0.0, 0.0};
    if (a->count == 3) {
        n = g->a->normal;
    } else if (b->count == 3) {
        n = g->b->normal;
    } else if (a->count == 2 && b->count == 2) {
        n = abut_cross(a->along, b->along);
    }
    if (!(abut_length(n) > parallel)) {
        return false;
    }
    n = abut_unit(n);
    *normal = abut_dot(n, *normal) < 0.0 ? abut_neg(n) : n;
    return true;
}

static moment polish(const search *g, const holding *a, const holding *b) {
    moment best = g->best;
    abut_vec3 normal = best.normal;
    if (is_fixed(g, a, b, &normal)) {
        return look(g->a, g->b, normal);
    }
    const holding *held = a->count == 2 ? a : b->count == 2 ? b : NULL;
    moment m = best;
    for (int step = 0; step < POLISH_STEPS && m.gap > 0.0; ++step) {
        abut_vec3 turn = held != NULL ? turn_about(&m, held->along) : turn_freely(&m);
        normal = abut_unit(abut_add(m.normal, turn));
        normal = held != NULL ? across(normal, held->along) : normal;
        if (!(abut_length(turn) < 0.5)) {
            break;
        }
        m = look(g->a, g->b, normal);
        best = m.gap > best.gap ? m : best;
        if (abut_length(turn) < 1e-15) {
            break;
        }
    }
    return best;
}

/* ---- points ---- */

/* On a flat feature the point opposite to the other body's. */
static void read_points(const search *g, const holding *a, const holding *b, facet_gap *found, const moment *m) {
    found->on_a = m->a.point;
    found->on_b = m->b.point;
    if (a->count > 1 && b->count > 1) { /* both flat: exact */
        found->on_a = combined(g, g->on_a);
        found->on_b = combined(g, g->on_b);
    } else if (a->count > 1) {
        found->on_a = abut_add_scaled(found->on_b, m->gap, m->normal);
    } else if (b->count > 1) {
        found->on_b = abut_add_scaled(found->on_a, -m->gap, m->normal);
    }
}

static facet_gap gap_apart(const search *g) {
    const double agrees = 1e-9;
    holding a = held_by(g, g->a, g->corner_a), b = held_by(g, g->b, g->corner_b);
    moment m = polish(g, &a, &b);
    facet_gap found;
    if (m.gap >= g->best.gap) {
        found = (facet_gap){.gap = m.gap, .normal = m.normal};
        read_points(g, &a, &b, &found, &m);
        if (abut_length(abut_sub(abut_sub(found.on_a, found.on_b), abut_scale(m.gap, m.normal))) <= agrees * size_of(g->a, g->b)) {
            return found;
        }
    }
    found = (facet_gap){.gap = real_max(g->best.gap, m.gap), .normal = m.gap > g->best.gap ? m.normal : g->best.normal};
    found.on_a = combined(g, g->on_a);
    found.on_b = combined(g, g->on_b);
    return found;
}

/* ---- touching and overlapping ---- */

static void try_normal(const search *g, abut_vec3 normal, moment *best) {
    if (abut_length_squared(normal) > 0.5) {
        moment m = look(g->a, g->b, normal);
        *best = m.gap > best->gap ? m : *best;
    }
}

/* Where no distance tells the normal: the best of those that the surfaces have. */
static facet_gap gap_together(const search *g) {
    moment best = g->best;
    const facet_piece *a = g->a, *b = g->b;
    try_normal(g, abut_neg(a->normal), &best);
    try_normal(g, b->normal, &best);
    if (a->radius < INFINITY && b->radius < INFINITY) {
        abut_vec3 centre_a = abut_add_scaled(a->foot, -a->height, a->normal), centre_b = abut_add_scaled(b->foot, -b->height, b->normal);
        try_normal(g, abut_unit(abut_sub(centre_a, centre_b)), &best);
    }
    return (facet_gap){.gap = best.gap, .normal = best.normal, .on_a = best.a.point, .on_b = best.b.point};
}

/* ---- any two ---- */

static double ball_radius(const facet_piece *p) { return facet_piece_is_ball(p) ? p->radius : 0.0; }

/* The surface of a ball around its centre. */
static void move_to_surface(facet_gap *g, const facet_piece *a, const facet_piece *b) {
    if (facet_piece_is_ball(a)) {
        g->gap -= a->radius;
        g->on_a = abut_add_scaled(g->on_a, -a->radius, g->normal);
    }
    if (facet_piece_is_ball(b)) {
        g->gap -= b->radius;
        g->on_b = abut_add_scaled(g->on_b, b->radius, g->normal);
    }
}

static facet_gap gap_of_best(const search *g) {
    const moment *m = &g->best;
    return (facet_gap){.gap = m->gap, .normal = m->normal, .on_a = m->a.point, .on_b = m->b.point};
}

facet_gap facet_piece_gap(const facet_piece *a, const facet_piece *b, double limit) {
    search g = {.a = a, .b = b, .s = {.count = 0}};
    g.limit = limit + ball_radius(a) + ball_radius(b);
    bool apart = find_closest(&g);
    facet_gap found = g.best.gap > g.limit ? gap_of_best(&g) : apart ? gap_apart(&g) : gap_together(&g);
    move_to_surface(&found, a, b);
    return found;
}

facet_gap facet_piece_gap_over(const facet_piece *a, abut_vec3 normal, double offset) {
    abut_vec3 tip = facet_piece_tip(a, abut_neg(normal)).point;
    double gap = abut_dot(normal, tip) - offset;
    return (facet_gap){gap, normal, tip, abut_add_scaled(tip, -gap, normal)};
}

static double reach_of(const facet_piece *p) { return facet_piece_is_ball(p) ? p->radius : p->foot_radius; }

double facet_piece_least_gap(const facet_piece *a, const facet_piece *b) {
    return abut_distance_between(a->foot, b->foot) - reach_of(a) - reach_of(b);
}
