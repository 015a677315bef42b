/*
 * The kernel of narrow/facet/screen.h; compiled once per instruction set (base/simd.h). Up to the circle in which the spheres meet, the operations are those of
 * shape/facet/side.c and narrow/facet/facet.c in the same order; these files explain them.
 */
#include "base/simd.h"
#include "narrow/facet/screen.h"

typedef struct lane3 {
    simd x, y, z;
} lane3;

/* A side in registers; kept bits: pairs whose numbers are as usual so far. */
typedef struct lane_side {
    lane3 corner[3]; /* seen from the first corner of A */
    lane3 normal, foot, centre;
    simd radius, foot_radius, height;
} lane_side;

/* Beyond these squares of lengths abut_unit() goes another way, and so does the screen: it leaves the pair alone. */
static const double least_square = 1e-200, most_square = 1e200;
static const double least_facing = 1e-3; /* as narrow/facet/facet.c has it */

static inline lane3 sub(lane3 a, lane3 b) { return (lane3){simd_sub(a.x, b.x), simd_sub(a.y, b.y), simd_sub(a.z, b.z)}; }
static inline lane3 add(lane3 a, lane3 b) { return (lane3){simd_add(a.x, b.x), simd_add(a.y, b.y), simd_add(a.z, b.z)}; }
static inline lane3 scale(simd s, lane3 a) { return (lane3){simd_mul(s, a.x), simd_mul(s, a.y), simd_mul(s, a.z)}; }
static inline lane3 divide(lane3 a, simd s) { return (lane3){simd_div(a.x, s), simd_div(a.y, s), simd_div(a.z, s)}; }
static inline lane3 add_scaled(lane3 a, simd s, lane3 b) { return add(a, scale(s, b)); }
static inline simd negative(simd a) { return simd_mul(simd_set(-1.0), a); } /* exact, and of zeros the sign, too */
static inline simd dot(lane3 a, lane3 b) { return simd_add(simd_add(simd_mul(a.x, b.x), simd_mul(a.y, b.y)), simd_mul(a.z, b.z)); }
static inline simd twice(simd a) { return simd_mul(simd_set(2.0), a); }

static inline lane3 cross(lane3 a, lane3 b) {
    return (lane3){simd_sub(simd_mul(a.y, b.z), simd_mul(a.z, b.y)), simd_sub(simd_mul(a.z, b.x), simd_mul(a.x, b.z)),
                   simd_sub(simd_mul(a.x, b.y), simd_mul(a.y, b.x))};
}

static inline unsigned is_greater(simd a, simd b) { return simd_bits(simd_greater(a, b)); }
static inline unsigned is_usual(simd square) {
    return is_greater(square, simd_set(least_square)) & is_greater(simd_set(most_square), square);
}

static inline lane3 load3(double (*p)[FACET_SCREEN_PAIRS], int at) {
    return (lane3){simd_load(p[0] + at), simd_load(p[1] + at), simd_load(p[2] + at)};
}

static inline void store3(double (*p)[FACET_SCREEN_PAIRS], int at, lane3 a) {
    simd_store(p[0] + at, a.x);
    simd_store(p[1] + at, a.y);
    simd_store(p[2] + at, a.z);
}

/* facet_make_side(); returns the pairs for which it is what that gives. */
static unsigned make_side(facet_screen_side *s, int at, lane3 origin, lane_side *made) {
    lane3 p[3] = {load3(s->corner[0], at), load3(s->corner[1], at), load3(s->corner[2], at)};
    lane3 u = sub(p[1], p[0]), v = sub(p[2], p[0]), across = cross(u, v), rest = sub(p[2], p[1]);
    simd uu = dot(u, u), vv = dot(v, v), area2 = dot(across, across), longest = simd_max(simd_max(uu, vv), dot(rest, rest)),
         given = simd_load(s->given + at);
    unsigned usual = is_usual(area2) & is_greater(simd_set(most_square), simd_mul(uu, vv)) & is_greater(given, simd_set(0.0)) &
                     is_greater(simd_set(1e100), given) & is_greater(area2, simd_mul(simd_mul(simd_set(1e-28), longest), longest));
    lane3 middle = scale(simd_div(simd_set(0.5), area2), add(scale(uu, cross(v, across)), scale(vv, cross(across, u))));
    simd r2 = dot(middle, middle), r = simd_sqrt(r2);
    made->radius = simd_max(given, r);
    made->normal = divide(across, simd_sqrt(area2));
    for (int k = 0; k < 3; ++k) {
        made->corner[k] = sub(p[k], origin);
    }
    made->foot = add(made->corner[0], middle);
    made->foot_radius = r;
    made->height = simd_sqrt(simd_max(simd_mul(simd_sub(made->radius, r), simd_add(made->radius, r)), simd_set(0.0)));
    made->centre = add_scaled(made->foot, negative(made->height), made->normal);
    return usual;
}

static void keep_side(facet_screen_side *s, int at, const lane_side *made) {
    store3(s->normal, at, made->normal);
    store3(s->foot, at, made->foot);
    store3(s->centre, at, made->centre);
    simd_store(s->radius + at, made->radius);
    simd_store(s->foot_radius + at, made->foot_radius);
    simd_store(s->height + at, made->height);
}

/* How far the spheres overlap: facets_overlap(). */
static simd overlap_of(const lane_side *a, const lane_side *b, simd distance) {
    lane3 way = sub(b->foot, a->foot), both = add(a->normal, b->normal);
    simd ra = simd_mul(a->foot_radius, a->foot_radius), rb = simd_mul(b->foot_radius, b->foot_radius), lean = dot(both, both);
    simd above = simd_add(simd_mul(simd_mul(a->radius, a->radius), rb), simd_mul(simd_mul(ra, b->height), b->height));
    simd radii = simd_div(above, simd_add(simd_mul(a->radius, b->radius), simd_mul(a->height, b->height)));
    simd along = simd_sub(simd_mul(dot(way, a->normal), a->height), simd_mul(dot(way, b->normal), b->height));
    simd squares = simd_sub(simd_add(ra, rb), dot(way, way));
    squares = simd_add(simd_add(squares, twice(radii)), simd_mul(simd_mul(a->height, b->height), lean));
    return simd_div(simd_sub(squares, twice(along)), simd_add(simd_add(a->radius, b->radius), distance));
}

/* The circle in which the spheres meet. */
typedef struct lane_circle {
    lane3 axis, centre;
    simd overlap, square; /* of its radius */
    unsigned usual, engulfed;
} lane_circle;

static lane_circle spheres_meet(const lane_side *a, const lane_side *b) {
    lane_circle c;
    simd ra = a->radius, rb = b->radius;
    lane3 way = sub(b->centre, a->centre);
    simd square = dot(way, way), distance = simd_sqrt(square);
    c.axis = divide(way, distance);
    c.overlap = overlap_of(a, b, distance);
    c.usual = is_usual(square) & is_greater(distance, simd_mul(simd_set(1e-15), simd_add(ra, rb))) &
              is_greater(c.overlap, simd_set(-1e100)) & is_greater(simd_set(1e100), c.overlap);
    simd cap = simd_div(simd_mul(c.overlap, simd_sub(simd_add(rb, distance), ra)), twice(distance)), other = simd_sub(c.overlap, cap),
         zero = simd_set(0.0);
    c.engulfed = ~(is_greater(ra, cap) & is_greater(rb, other) & is_greater(cap, zero) & is_greater(other, zero));
    c.square = simd_mul(cap, simd_sub(twice(ra), cap));
    lane3 from_a = add_scaled(a->centre, simd_sub(ra, cap), c.axis), from_b = add_scaled(b->centre, simd_sub(other, rb), c.axis);
    simd_mask larger = simd_greater(ra, rb);
    c.centre =
        (lane3){simd_select(larger, from_b.x, from_a.x), simd_select(larger, from_b.y, from_a.y), simd_select(larger, from_b.z, from_a.z)};
    return c;
}

/* ---- seen along the axis ---- */

typedef struct flat_triangle {
    simd x[3], y[3];
} flat_triangle;

/* Twice the area of the triangle of two corners of a figure and the point, positive to the left. */
static inline simd turn(const flat_triangle *t, int from, int to, simd x, simd y) {
    simd dx = simd_sub(t->x[to], t->x[from]), dy = simd_sub(t->y[to], t->y[from]);
    return simd_sub(simd_mul(dx, simd_sub(y, t->y[from])), simd_mul(dy, simd_sub(x, t->x[from])));
}

/* Triangles in which no side and no angle is too small for the margins below; all of them turn to the left. `size2`: the largest square of a corner's distance
 * from the middle of the circle. */
static inline unsigned is_regular(const flat_triangle *t, simd size2) {
    return is_greater(turn(t, 0, 1, t->x[2], t->y[2]), simd_mul(simd_set(1e-5), size2));
}

/*
 * Whether a triangle has a side beyond which the other one, or the circle, lies. Clipping moves corners by about a 1e-9th of the size, with such triangles;
 * what is clear of a side by a millionth of it is so afterwards.
 */
static unsigned is_clear_of_a_side(const flat_triangle *t, const flat_triangle *other, simd circle2, simd size2) {
    simd margin2 = simd_mul(simd_set(1e-12), size2), margin = simd_mul(simd_set(-1e-6), size2), zero = simd_set(0.0);
    simd off = simd_add(simd_sqrt(circle2), simd_sqrt(margin2)), off2 = simd_mul(off, off);
    unsigned clear = 0u;
    for (int i = 0; i < 3; ++i) {
        int k = i < 2 ? i + 1 : 0;
        simd dx = simd_sub(t->x[k], t->x[i]), dy = simd_sub(t->y[k], t->y[i]), at_middle = turn(t, i, k, zero, zero);
        simd nearest = turn(t, i, k, other->x[0], other->y[0]);
        nearest = simd_max(simd_max(nearest, turn(t, i, k, other->x[1], other->y[1])), turn(t, i, k, other->x[2], other->y[2]));
        simd length2 = simd_add(simd_mul(dx, dx), simd_mul(dy, dy));
        clear |= is_greater(margin, nearest) |
                 (is_greater(zero, at_middle) & is_greater(simd_mul(at_middle, at_middle), simd_mul(off2, length2)));
    }
    return clear;
}

/* Corners seen from the middle of the circle, across the axis, and the largest square of their distance from it, also along the axis. A triangle of A looks
 * along the axis, one of B against it, and (u, v) turns about its opposite. */
static simd project(const lane_side *side, const lane_circle *c, lane3 u, lane3 v, bool turned, flat_triangle *out) {
    simd size2 = simd_set(0.0);
    for (int i = 0; i < 3; ++i) {
        lane3 p = sub(side->corner[turned ? 2 - i : i], c->centre);
        out->x[i] = dot(u, p);
        out->y[i] = dot(v, p);
        size2 = simd_max(size2, dot(p, p));
    }
    return size2;
}

static unsigned is_beside(const lane_side *a, const lane_side *b, const lane_circle *c) {
    /* A frame about n without a choice among axes: T. Duff and others, "Building an orthonormal basis, revisited", 2017. */
    lane3 n = scale(simd_set(-1.0), c->axis);
    simd one = simd_set(1.0), sign = simd_select(simd_greater(simd_set(0.0), n.z), simd_set(-1.0), one);
    simd f = simd_div(simd_set(-1.0), simd_add(sign, n.z)), g = simd_mul(simd_mul(n.x, n.y), f);
    lane3 u = {simd_add(one, simd_mul(sign, simd_mul(simd_mul(n.x, n.x), f))), simd_mul(sign, g), negative(simd_mul(sign, n.x))};
    lane3 v = {g, simd_add(sign, simd_mul(simd_mul(n.y, n.y), f)), negative(n.y)};
    flat_triangle p, q;
    simd size_a = project(a, c, u, v, true, &p), size_b = project(b, c, u, v, false, &q), size2 = simd_max(size_a, size_b);
    unsigned regular = is_regular(&p, size2) & is_regular(&q, size2) & is_usual(size2);
    return regular & (is_clear_of_a_side(&p, &q, c->square, size2) | is_clear_of_a_side(&q, &p, c->square, size2));
}

static void screen_some(facet_screen *s, int at) {
    lane3 origin = load3(s->side[FACET_SCREEN_A].corner[0], at);
    lane_side a, b;
    unsigned lanes = (1u << SIMD_WIDTH) - 1u;
    unsigned usual = lanes & make_side(&s->side[FACET_SCREEN_A], at, origin, &a) & make_side(&s->side[FACET_SCREEN_B], at, origin, &b);
    lane_circle c = spheres_meet(&a, &b);
    usual &= c.usual;
    unsigned apart = usual & ~is_greater(c.overlap, simd_set(0.0)), left = usual & ~apart;
    unsigned odd = (lanes & ~usual) | (left & c.engulfed);
    left &= ~c.engulfed;
    unsigned faces = is_greater(dot(a.normal, c.axis), simd_set(least_facing)) &
                     is_greater(dot(b.normal, scale(simd_set(-1.0), c.axis)), simd_set(least_facing));
    unsigned turned = left & ~faces;
    left &= faces;
    unsigned beside = left != 0u ? left & is_beside(&a, &b, &c) : 0u;
    store3(s->normal, at, scale(simd_set(-1.0), c.axis));
    simd_store(s->overlap + at, c.overlap);
    simd_store(s->radius + at, simd_div(simd_mul(a.radius, b.radius), simd_add(a.radius, b.radius)));
    if ((left & ~beside) != 0u) {
        keep_side(&s->side[FACET_SCREEN_A], at, &a);
        keep_side(&s->side[FACET_SCREEN_B], at, &b);
    }
    s->odd |= odd << at;
    s->apart |= apart << at;
    s->turned |= turned << at;
    s->beside |= beside << at;
}

void SIMD_VARIANT(facet_screen)(facet_screen *s) {
    s->odd = s->apart = s->turned = s->beside = 0u;
    for (int at = 0; at < FACET_SCREEN_PAIRS; at += SIMD_WIDTH) {
        screen_some(s, at);
    }
}
