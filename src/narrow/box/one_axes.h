#pragma once

#include <math.h>

#include "base/bits.h"
#include "base/simd.h"
#include "narrow/box/one.h"

/*
 * Separating axes of one pair of boxes; part of one_lanes.c. The operations are those of kernel_axes.h. Lanes hold axes of a box; the fourth lane
 * repeats the third one. Frame of A.
 */

typedef simd_four four;

enum { ONE_AXES = 7 /* bits of the three lanes with axes */, ONE_EDGES = 6 /* the number of the axis of two edges */ };

static inline four plus(four a, four b) { return simd_four_add(a, b); }
static inline four less(four a, four b) { return simd_four_sub(a, b); }
static inline four times(four a, four b) { return simd_four_mul(a, b); }
static inline four scaled(double s, four a) { return simd_four_scale(s, a); }
static inline four spread(double x) { return simd_four_spread(x); }
static inline unsigned exceeds(four a, four b) { return simd_four_greater_bits(a, b); }
static inline four dot_rows(const double s[3], const four a[3]) {
    return plus(plus(scaled(s[0], a[0]), scaled(s[1], a[1])), scaled(s[2], a[2]));
}
static inline double dot_of(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline double sign_of(double v) { return 0.0 > v ? -1.0 : 1.0; }
static inline double larger(double a, double b) { return a > b ? a : b; }

typedef struct one_pair {
    double a[3], b[3];   /* half sizes */
    double r[3][4];      /* r[i][j]: component i of B's axis j */
    double q[3][4];      /* q[j][i]: the same */
    double t[4], t_b[4]; /* the centre of B, along the axes of A and of B */
    double deep[8];      /* overlap along the faces: of A from 0 on, of B from 4 on */
    double least;        /* the overlap along the normal */
    int axis;            /* of the normal: of A from 0 on, of B from 3 on, or ONE_EDGES */
    double apart, rounding, scale;
    double far;       /* from centre to centre, along the axes of the frame */
    double across[3]; /* unit, from A to B: the normal of two edges */
    bool undecided;   /* the general path decides */
} one_pair;

/* The same in vectors. */
typedef struct one_rows {
    four row[3], size[3]; /* of r; and absolute values */
    four off[2];          /* absolute values of t and t_b */
    four deep[2];
} one_rows;

static inline void put3(const abut_vec3 *v, double to[3]) {
    to[0] = v->x;
    to[1] = v->y;
    to[2] = v->z;
}

/* Component c of three axes. */
static inline four rows_of(const abut_vec3 *const axis[3], int c) {
    const abut_vec3 *x = axis[0], *y = axis[1], *z = axis[2];
    return c == 0   ? simd_four_set(x->x, y->x, z->x, z->x)
           : c == 1 ? simd_four_set(x->y, y->y, z->y, z->y)
                    : simd_four_set(x->z, y->z, z->z, z->z);
}

static inline void find_rows(const box_task *in, one_pair *p, one_rows *rows) {
    const abut_mat3 *turn_a = in->a.rotation, *turn_b = in->b.rotation;
    const abut_vec3 *const a[3] = {&turn_a->x, &turn_a->y, &turn_a->z}, *const b[3] = {&turn_b->x, &turn_b->y, &turn_b->z};
    const double limit = INFINITY;
    const double apart[3] = {in->b.position->x - in->a.position->x, in->b.position->y - in->a.position->y,
                             in->b.position->z - in->a.position->z};
    four by_a[3] = {rows_of(a, 0), rows_of(a, 1), rows_of(a, 2)}, by_b[3] = {rows_of(b, 0), rows_of(b, 1), rows_of(b, 2)}, column[3];
    put3(&in->a.shape->half, p->a);
    put3(&in->b.shape->half, p->b);
    p->far = fabs(apart[0]) + fabs(apart[1]) + fabs(apart[2]);
    for (int n = 0; n < 3; ++n) {
        double axis_a[3], axis_b[3];
        put3(a[n], axis_a);
        put3(b[n], axis_b);
        rows->row[n] = dot_rows(axis_a, by_b);
        rows->size[n] = simd_four_abs(rows->row[n]);
        four turned = dot_rows(axis_b, by_a);
        column[n] = simd_four_abs(turned);
        simd_four_store(p->q[n], turned);
        simd_four_store(p->r[n], rows->row[n]);
    }
    four t = dot_rows(apart, by_a);
    simd_four_store(p->t, t);
    four t_b = dot_rows(p->t, rows->row);
    simd_four_store(p->t_b, t_b);
    rows->off[0] = simd_four_abs(t);
    rows->off[1] = simd_four_abs(t_b);
    rows->deep[0] = less(plus(simd_four_set(p->a[0], p->a[1], p->a[2], limit), dot_rows(p->b, column)), rows->off[0]);
    rows->deep[1] = less(plus(simd_four_set(p->b[0], p->b[1], p->b[2], limit), dot_rows(p->a, rows->size)), rows->off[1]);
}

/* The face axis of the least overlap, the first one of several. */
static inline void find_least(const one_rows *rows, one_pair *p) {
    simd_four_store(p->deep, rows->deep[0]);
    simd_four_store(p->deep + 4, rows->deep[1]);
    four least = spread(simd_four_least(simd_four_min(rows->deep[0], rows->deep[1])));
    unsigned deeper = (exceeds(rows->deep[0], least) & ONE_AXES) | (exceeds(rows->deep[1], least) & ONE_AXES) << 3;
    p->axis = bits_lowest(~deeper);
    p->least = p->deep[p->axis < 3 ? p->axis : p->axis + 1];
}

static inline double tie_width(const one_pair *p, double depth) { return 1e-10 * larger(depth, 0.0) + p->rounding; }

/* The edge axes before they have unit length: see lane_products. Bits of A's axis i and B's axis j at 3 i + j. */
typedef struct one_products {
    four square[3], deep[3]; /* of A's axis i */
    unsigned askew, far, close;
} one_products;

static inline void find_products(const one_rows *rows, const one_pair *p, one_products *products) {
    const double *a = p->a, *b = p->b;
    double limit = larger(p->least - tie_width(p, p->least), 0.0);
    four zero = spread(0.0), most = spread(limit * limit), margin = spread(p->apart * p->apart), rounding = spread(p->rounding);
    four next = simd_four_set(b[1], b[2], b[0], b[0]), last = simd_four_set(b[2], b[0], b[1], b[1]), parallel = spread(1e-18);
    products->askew = products->far = products->close = 0u;
    for (int i = 0; i < 3; ++i) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        four size_next = simd_four_turn(rows->size[i]), size_last = simd_four_turn(size_next);
        four square = plus(times(rows->row[k], rows->row[k]), times(rows->row[l], rows->row[l]));
        four towards = less(scaled(p->t[l], rows->row[k]), scaled(p->t[k], rows->row[l]));
        four reach = plus(scaled(a[k], rows->size[l]), scaled(a[l], rows->size[k]));
        reach = plus(plus(reach, times(next, size_last)), times(last, size_next));
        four deep = less(reach, simd_four_abs(towards)), gap = less(less(zero, deep), rounding);
        four sure = simd_four_max(less(deep, rounding), zero);
        unsigned askew = exceeds(square, parallel) & ONE_AXES;
        unsigned far = exceeds(gap, zero) & exceeds(times(gap, gap), times(margin, square));
        unsigned close = ~exceeds(sure, zero) | exceeds(times(most, square), times(sure, sure));
        products->square[i] = square;
        products->deep[i] = deep;
        products->askew |= askew << 3 * i;
        products->far |= (askew & far) << 3 * i;
        products->close |= (askew & close) << 3 * i;
    }
}

/* ---- the normal of faces ---- */

/* Whether a face of A and one of B have one direction. */
static inline bool is_one_direction(const one_pair *p, int face_a, int face_b) {
    double sense = sign_of(p->t_b[face_b]), off[3] = {sense * p->r[0][face_b], sense * p->r[1][face_b], sense * p->r[2][face_b]};
    off[face_a] -= sign_of(p->t[face_a]);
    return !(dot_of(off, off) > 1e-12);
}

/* Of the faces that tie, the one along the wish gives the normal. They must have one direction, so they are no two faces of one box. */
static inline void pick_tied(const box_task *in, const one_rows *rows, unsigned ties, one_pair *p) {
    const abut_mat3 *turn = in->a.rotation;
    const abut_vec3 *axes[3] = {&turn->x, &turn->y, &turn->z}, aside = box_task_wish(in);
    const four zero = spread(0.0), one = spread(1.0), other = spread(-1.0);
    double wish[3], world[3], along[8], best = -INFINITY, between = 1.0 - in->terms->follow;
    put3(&aside, world);
    for (int c = 0; c < 3; ++c) {
        double axis[3];
        put3(axes[c], axis);
        wish[c] = between * p->t[c] + dot_of(axis, world);
    }
    four senses_a = simd_four_where(zero, simd_four_load(p->t), other, one);
    four senses_b = simd_four_where(zero, simd_four_load(p->t_b), other, one);
    simd_four_store(along, times(senses_a, simd_four_set(wish[0], wish[1], wish[2], wish[2])));
    simd_four_store(along + 4, times(senses_b, dot_rows(wish, rows->row)));
    for (unsigned left = ties; left != 0u; left &= left - 1u) {
        int i = bits_lowest(left);
        double better = along[i < 3 ? i : i + 1];
        p->axis = better > best ? i : p->axis;
        best = better > best ? better : best;
    }
    p->least = p->deep[p->axis < 3 ? p->axis : p->axis + 1];
    for (unsigned left = ties & ~(1u << p->axis); left != 0u; left &= left - 1u) {
        int i = bits_lowest(left), face_a = i < 3 ? i : p->axis, face_b = i < 3 ? p->axis : i;
        p->undecided = p->undecided || face_a >= 3 || face_b < 3 || !is_one_direction(p, face_a, face_b - 3);
    }
}

static inline void pick_face(const box_task *in, const one_rows *rows, one_pair *p) {
    double width = tie_width(p, p->least), limit = p->least + width;
    four most = spread(limit), other = spread(limit + width);
    unsigned deeper = 0u, deeper_other = 0u;
    for (int side = 0; side < 2; ++side) {
        deeper |= (exceeds(rows->deep[side], most) & ONE_AXES) << 3 * side;
        deeper_other |= (exceeds(plus(rows->deep[side], scaled(2.0, rows->off[side])), other) & ONE_AXES) << 3 * side;
    }
    unsigned ties = ~deeper & 63u;
    p->undecided = deeper_other != 63u; /* the other side of a box is as near */
    if ((ties & (ties - 1u)) != 0u) {
        pick_tied(in, rows, ties, p);
    }
}

/* ---- the normal of edges ---- */

typedef struct one_edges {
    int at;           /* the edge axis of the least overlap */
    double across[3]; /* unit */
    double doubt;     /* the rounding error of its overlap */
    double second;    /* a lower bound of the overlap along the other edge axes */
} one_edges;

static inline void set_across(const one_pair *p, int at, double square, double across[3]) {
    int i = at / 3, j = at % 3, k = (i + 1) % 3, l = (i + 2) % 3;
    double length = sqrt(square);
    across[i] = 0.0;
    across[k] = -p->r[l][j] / length;
    across[l] = p->r[k][j] / length;
}

static inline void find_edges(const one_pair *p, const one_products *products, one_edges *edges) {
    const four one = spread(1.0), far = spread(INFINITY), half = spread(0.5), used = simd_four_set(1, 1, 1, 0);
    four depth[3], lower[3], least = far;
    double doubt[12], square[12];
    for (int i = 0; i < 3; ++i) {
        four inverse = simd_four_div(one, simd_four_sqrt(products->square[i])), error = scaled(p->rounding, inverse);
        simd_four_store(doubt + 4 * i, error);
        simd_four_store(square + 4 * i, products->square[i]);
        depth[i] = simd_four_where(products->square[i], spread(1e-18), times(products->deep[i], inverse), far);
        depth[i] = simd_four_where(used, half, depth[i], far);
        lower[i] = less(depth[i], simd_four_where(far, depth[i], error, spread(0.0)));
        least = simd_four_min(least, depth[i]);
    }
    double best = simd_four_least(least);
    unsigned deeper = 0u;
    for (int i = 0; i < 3; ++i) {
        deeper |= (exceeds(depth[i], spread(best)) & ONE_AXES) << 3 * i;
    }
    int at = bits_lowest(~deeper), lane = at + at / 3;
    least = far;
    for (int i = 0; i < 3; ++i) {
        const four number = simd_four_set(3 * i, 3 * i + 1, 3 * i + 2, -1.0);
        least = simd_four_min(least, simd_four_where(simd_four_abs(less(number, spread(at))), half, lower[i], far));
    }
    edges->at = at;
    edges->doubt = doubt[lane];
    edges->second = simd_four_least(least);
    set_across(p, at, square[lane], edges->across);
}

/* The overlap along a unit direction. */
static inline double depth_along(const one_pair *p, const double across[3], double towards) {
    double reach = 0.0;
    for (int j = 0; j < 3; ++j) {
        const double column[3] = {p->r[0][j], p->r[1][j], p->r[2][j]};
        reach = reach + p->a[j] * fabs(across[j]) + p->b[j] * fabs(dot_of(column, across));
    }
    return reach - fabs(towards);
}

static inline void pick_edges(const one_edges *edges, one_pair *p) {
    double towards = dot_of(p->t, edges->across), depth = depth_along(p, edges->across, towards);
    double width = tie_width(p, depth), twice = width + width;
    bool taken = p->least > depth + width, overlapping = depth > 1e-14 * p->scale;
    bool doubt = depth + twice + edges->doubt > edges->second || twice > fabs(towards) + fabs(towards);
    bool hidden = p->least - tie_width(p, p->least) > edges->second;
    p->undecided = taken ? doubt && overlapping : p->undecided || (hidden && overlapping);
    p->least = taken ? depth : p->least;
    p->axis = taken ? ONE_EDGES : p->axis;
    for (int c = 0; c < 3; ++c) {
        p->across[c] = sign_of(towards) * edges->across[c];
    }
}
