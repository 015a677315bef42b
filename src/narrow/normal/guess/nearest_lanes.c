/*
 * The closest point of A - B (search.h) by the algorithm of Gilbert, Johnson and Keerthi; compiled once per instruction set (base/simd.h). A simplex of at most
 * three vertices has the closest point that was found so far. Each step adds the vertex that is farthest towards the origin, and drops those that the new
 * closest point does not need.
 */
#include "narrow/normal/guess/points.h"

enum { MOST_STEPS = 40 };

typedef struct corner {
    abut_vec3 w;
    int32_t a, b; /* its vertices */
} corner;

/* Up to three corners, and their point closest to the origin. */
typedef struct simplex {
    corner c[3];
    int32_t count;
    abut_vec3 v;
    double square; /* of the length of v */
} simplex;

static inline void set_one(simplex *s, const corner *p) {
    s->c[0] = *p;
    s->count = 1;
    s->v = p->w;
    s->square = abut_length_squared(s->v);
}

/* The point p + t (q - p), where t is along / (along + left). */
static inline void set_two(simplex *s, const corner *p, const corner *q, double along, double left) {
    s->c[0] = *p;
    s->c[1] = *q;
    s->count = 2;
    s->v = abut_add_scaled(p->w, along / (along + left), abut_sub(q->w, p->w));
    s->square = abut_length_squared(s->v);
}

static void find_on_segment(simplex *s, const corner *p, const corner *q) {
    abut_vec3 side = abut_sub(q->w, p->w);
    double along = -abut_dot(p->w, side), left = abut_dot(q->w, side);
    if (along <= 0.0) {
        set_one(s, p);
    } else if (left <= 0.0) {
        set_one(s, q);
    } else {
        set_two(s, p, q, along, left);
    }
}

/* By regions: a corner, a side, or the inside (C. Ericson, "Real-Time Collision Detection", 5.1.5). */
static void find_on_triangle(simplex *s, const corner *p, const corner *q, const corner *r) {
    abut_vec3 u = abut_sub(q->w, p->w), v = abut_sub(r->w, p->w);
    double up = -abut_dot(u, p->w), vp = -abut_dot(v, p->w), uq = -abut_dot(u, q->w), vq = -abut_dot(v, q->w);
    double ur = -abut_dot(u, r->w), vr = -abut_dot(v, r->w);
    double at_r = up * vq - uq * vp, at_q = ur * vp - up * vr, at_p = uq * vr - ur * vq;
    if (up <= 0.0 && vp <= 0.0) {
        set_one(s, p);
    } else if (uq >= 0.0 && vq <= uq) {
        set_one(s, q);
    } else if (vr >= 0.0 && ur <= vr) {
        set_one(s, r);
    } else if (at_r <= 0.0 && up >= 0.0 && uq <= 0.0) {
        set_two(s, p, q, up, -uq);
    } else if (at_q <= 0.0 && vp >= 0.0 && vr <= 0.0) {
        set_two(s, p, r, vp, -vr);
    } else if (at_p <= 0.0 && vq >= uq && ur >= vr) {
        set_two(s, q, r, vq - uq, ur - vr);
    } else {
        double part = 1.0 / (at_p + at_q + at_r);
        s->c[0] = *p;
        s->c[1] = *q;
        s->c[2] = *r;
        s->count = 3;
        s->v = abut_add_scaled(abut_add_scaled(p->w, at_q * part, u), at_r * part, v);
        s->square = abut_length_squared(s->v);
    }
}

/* The triangle of the new corner and a side of the old one, unless the origin is on the side of the third corner. */
static inline void try_side(simplex *s, const corner *next, const corner *p, const corner *q, const corner *third) {
    abut_vec3 across = abut_cross(abut_sub(p->w, next->w), abut_sub(q->w, next->w));
    double inner = abut_dot(across, abut_sub(third->w, next->w)), origin = -abut_dot(across, next->w);
    simplex other;
    if ((inner > 0.0) == (origin > 0.0)) {
        return;
    }
    find_on_triangle(&other, next, p, q);
    if (other.square < s->square) {
        *s = other;
    }
}

/* The simplex with one corner more. Its count is 0 when the four corners hold the origin. */
static inline void add(simplex *s, const corner *next, simplex *out) {
    if (s->count == 1) {
        find_on_segment(out, next, &s->c[0]);
    } else if (s->count == 2) {
        find_on_triangle(out, next, &s->c[0], &s->c[1]);
    } else {
        out->count = 0;
        out->square = INFINITY;
        try_side(out, next, &s->c[0], &s->c[1], &s->c[2]);
        try_side(out, next, &s->c[1], &s->c[2], &s->c[0]);
        try_side(out, next, &s->c[2], &s->c[0], &s->c[1]);
    }
}

static inline bool has(const simplex *s, const corner *p) {
    bool found = false;
    for (int32_t i = 0; i < s->count; ++i) {
        found |= s->c[i].a == p->a && s->c[i].b == p->b;
    }
    return found;
}

static inline corner farthest(const guess_points *a, const guess_points *b, abut_vec3 direction) {
    corner found;
    abut_vec3 on_a, on_b;
    found.a = guess_farthest(a, direction, &on_a);
    found.b = guess_farthest(b, abut_neg(direction), &on_b);
    found.w = abut_sub(on_a, on_b);
    return found;
}

bool SIMD_VARIANT(guess_nearest)(const convex *a, const convex *b, abut_vec3 direction, guess_simplex *found) {
    const double close = 1e-14, meeting = 1e-20 * (a->size + b->size) * (a->size + b->size);
    guess_points points_a, points_b;
    simplex s, longer;
    guess_set_points(&points_a, a);
    guess_set_points(&points_b, b);
    corner next = farthest(&points_a, &points_b, direction);
    set_one(&s, &next);
    for (int step = 0; step < MOST_STEPS; ++step) {
        next = farthest(&points_a, &points_b, abut_neg(s.v));
        if (s.square - abut_dot(s.v, next.w) <= close * s.square || has(&s, &next)) {
            break;
        }
        add(&s, &next, &longer);
        if (longer.count == 0 || !(longer.square > meeting)) {
            return false;
        }
        if (!(longer.square < s.square)) {
            break; /* rounding error */
        }
        s = longer;
    }
    found->count = s.count;
    for (int32_t i = 0; i < s.count; ++i) {
        found->vertex_a[i] = s.c[i].a;
        found->vertex_b[i] = s.c[i].b;
    }
    return true;
}

const guess_table SIMD_VARIANT(guess) = {SIMD_VARIANT(guess_cast), SIMD_VARIANT(guess_nearest)};
