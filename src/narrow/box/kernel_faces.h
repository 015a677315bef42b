#pragma once

#include "narrow/box/kernel_axes.h"
#include "narrow/normal/feature_overlap.h"

/*
 * Contacts of a face of a box with a face of another one, a pair in each lane; part of kernel_lanes.c. kernel.h defines the reference frame and the places.
 * The sides of the parallelogram are clipped by the rectangle (Liang and Barsky 1984).
 */

/* Both faces in the reference frame. */
typedef struct lane_faces {
    simd out[3], cosine;         /* the normal, and its cosine with the axis of the reference face */
    simd h[2], offset, sense;    /* the rectangle; its plane along axis i, times sense; its sense along axis i */
    simd across, turned, first;  /* see box_answers */
    simd middle[2], u[2], v[2];  /* the parallelogram */
    simd height, rise_u, rise_v; /* height over the reference face: of its middle, along u, and along v */
    simd slope[2];               /* of this height along x and y */
    simd eps;                    /* points outside by less are on the border */
} lane_faces;

typedef struct lane_pick {
    simd_mask is_1, is_2;
} lane_pick;

static inline lane_pick pick_of(simd index) { return (lane_pick){simd_equal(index, simd_set(1.0)), simd_equal(index, simd_set(2.0))}; }

static inline simd pick(lane_pick which, simd zeroth, simd first, simd second) {
    return simd_select(which.is_2, second, simd_select(which.is_1, first, zeroth));
}

/* The incident box in the reference frame: q[0] to q[2] hold its axes' components along the axes j, k and i. out: the normal, to the incident box. */
typedef struct lane_incident {
    simd q[3][3], centre[3], half[3], own_half[3], out[3];
} lane_incident;

/* The normal of two edges leans against the faces that meet: the reference face is then the one of A that looks most along it. */
static inline void take_leaning_face(lane_pair *p, simd out[3]) {
    simd_mask edges = simd_greater(p->axis, simd_set(5.5));
    const simd size[3] = {magnitude(p->across[0]), magnitude(p->across[1]), magnitude(p->across[2])};
    simd_mask second = simd_greater(size[1], size[0]), third = simd_greater(size[2], simd_max(size[0], size[1]));
    simd most = simd_select(third, simd_set(2.0), one_where(second));
    p->axis = simd_select(edges, most, p->axis);
    for (int c = 0; c < 3; ++c) {
        out[c] = simd_select(edges, p->across[c], out[c]);
    }
}

/* The components of B in A's frame or of A in B's frame, and then those along j, k and i. */
static inline lane_incident incident_of(lane_pair *p) {
    const simd zero = simd_set(0.0);
    simd q[3][3], centre[3], own[3], out[3];
    simd_mask of_b = simd_both(simd_greater(p->axis, simd_set(2.5)), simd_greater(simd_set(5.5), p->axis));
    simd index = simd_select(of_b, p->axis - simd_set(3.0), p->axis);
    for (int i = 0; i < 3; ++i) {
        centre[i] = simd_select(of_b, -p->t_b[i], p->t[i]);
        out[i] = simd_select(simd_equal(index, simd_set(i)), sign_of(centre[i]), zero);
    }
    take_leaning_face(p, out);
    lane_pick axis = pick_of(simd_select(of_b, p->axis - simd_set(3.0), p->axis));
    lane_incident inc;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            q[i][j] = simd_select(of_b, p->r[j][i], p->r[i][j]);
        }
        own[i] = simd_select(of_b, p->b[i], p->a[i]);
        inc.half[i] = simd_select(of_b, p->a[i], p->b[i]);
    }
    for (int n = 0; n < 3; ++n) { /* n = 2 is axis i */
        int first = (n + 1) % 3, second = (n + 2) % 3, third = n;
        for (int j = 0; j < 3; ++j) {
            inc.q[n][j] = pick(axis, q[first][j], q[second][j], q[third][j]);
        }
        inc.centre[n] = pick(axis, centre[first], centre[second], centre[third]);
        inc.own_half[n] = pick(axis, own[first], own[second], own[third]);
        inc.out[n] = pick(axis, out[first], out[second], out[third]);
    }
    return inc;
}

/* U and V are the sides +-a and +-b of the parallelogram such that U lies in the first quadrant: see incident_sides() in contacts.c. rise: their heights. */
static inline void turn_sides(const simd a[3], const simd b[3], lane_faces *f, lane_pair *p) {
    const simd zero = simd_set(0.0);
    simd_mask right = simd_greater(a[0], zero), left = simd_greater(zero, a[0]), up = simd_greater(a[1], zero),
              down = simd_greater(zero, a[1]);
    simd quarter = simd_select(right, simd_select(down, simd_set(1.0), zero),
                               simd_select(up, simd_set(3.0), simd_select(left, simd_set(2.0), simd_set(1.0))));
    simd_mask odd = simd_either(simd_equal(quarter, simd_set(1.0)), simd_equal(quarter, simd_set(3.0)));
    simd sign_u = simd_select(simd_greater(quarter, simd_set(1.5)), simd_set(-1.0), simd_set(1.0));
    simd sign_v = simd_select(simd_equal(magnitude(quarter - simd_set(1.5)), simd_set(0.5)), simd_set(-1.0), simd_set(1.0));
    simd u[3], v[3];
    for (int n = 0; n < 3; ++n) {
        u[n] = sign_u * simd_select(odd, b[n], a[n]);
        v[n] = sign_v * simd_select(odd, a[n], b[n]);
    }
    /* Where the parallelogram is skewed by more than it is turned, its sides and those of the rectangle are in another order. */
    simd_mask skewed = simd_either(simd_greater(v[0], f->eps), simd_greater(-f->eps, u[1]));
    simd_mask proper = simd_both(simd_greater(u[0], zero), simd_greater(v[1], zero));
    p->undecided = simd_either(p->undecided, simd_either(skewed, simd_without(always(), proper)));
    f->u[0] = u[0];
    f->u[1] = simd_max(u[1], zero);
    f->v[0] = simd_min(v[0], zero);
    f->v[1] = v[1];
    f->rise_u = u[2];
    f->rise_v = v[2];
    f->first = f->first + quarter;
}

/* The square of the sine of the angle up to which a face takes part in a contact: patch_wide_sine(), and at most 0.45 right angles. */
static inline simd most_lean(const lane_pair *p) {
    const simd half = simd_set(0.5), most = simd_set(0.64944804833018366);
    simd sine = simd_select(simd_greater(half * p->smaller, p->least), p->least / p->smaller, half);
    sine = simd_min(simd_max(simd_max(sine, p->sine), simd_set(FEATURE_EXACT_SINE)), most);
    return sine * sine;
}

/* Finds the incident face, which is the one that looks most against the normal, and projects it along the normal on the plane of the reference face. Neither
 * face may lean too much. */
static inline void find_incident_face(const lane_incident *inc, lane_faces *f, lane_pair *p) {
    const simd zero = simd_set(0.0), one = simd_set(1.0), *out = inc->out;
    simd square[3], cosine[3], lean = most_lean(p);
    for (int j = 0; j < 3; ++j) {
        cosine[j] = out[0] * inc->q[0][j] + out[1] * inc->q[1][j] + out[2] * inc->q[2][j];
        square[j] = cosine[j] * cosine[j];
    }
    simd_mask second = simd_greater(square[1], square[0]);
    simd_mask third = simd_greater(square[2], simd_select(second, square[1], square[0]));
    f->across = simd_select(third, simd_set(2.0), one_where(second));
    lane_pick m = pick_of(f->across);
    simd w[3], u[3], v[3], a[3], b[3], h = pick(m, inc->half[0], inc->half[1], inc->half[2]);
    simd h_u = pick(m, inc->half[1], inc->half[2], inc->half[0]), h_v = pick(m, inc->half[2], inc->half[0], inc->half[1]);
    simd towards = pick(m, cosine[0], cosine[1], cosine[2]);
    simd off = pick(m, square[1], square[2], square[0]) + pick(m, square[2], square[0], square[1]);
    p->undecided = simd_either(p->undecided, simd_greater(simd_max(off, out[0] * out[0] + out[1] * out[1]), lean));
    f->sense = sign_of(out[2]);
    f->turned = simd_select(simd_greater(zero, towards), one, -one);
    f->offset = inc->own_half[2];
    f->cosine = f->sense * out[2];
    for (int n = 0; n < 3; ++n) {
        const simd *q = inc->q[n];
        w[n] = pick(m, q[0], q[1], q[2]);
        u[n] = h_u * pick(m, q[1], q[2], q[0]);
        v[n] = h_v * pick(m, q[2], q[0], q[1]);
        f->out[n] = out[n];
    }
    simd rise_u = f->sense * u[2] / f->cosine, rise_v = f->sense * v[2] / f->cosine;
    f->height = (f->sense * (inc->centre[2] + f->turned * h * w[2]) - f->offset) / f->cosine;
    for (int n = 0; n < 2; ++n) {
        f->h[n] = inc->own_half[n];
        f->middle[n] = inc->centre[n] + f->turned * h * w[n] - f->height * out[n];
        f->slope[n] = -w[n] / towards;
        u[n] = u[n] - rise_u * out[n];
        v[n] = v[n] - rise_v * out[n];
    }
    u[2] = rise_u;
    v[2] = rise_v;
    simd_mask swapped = simd_greater(zero, f->sense * towards);
    f->first = simd_select(swapped, simd_set(4.0), zero);
    for (int n = 0; n < 3; ++n) {
        a[n] = simd_select(swapped, v[n], u[n]);
        b[n] = simd_select(swapped, u[n], v[n]);
    }
    turn_sides(a, b, f, p);
}

/* ---- clipping ---- */

/* A side of the parallelogram in a frame that is turned so that it runs from right to left and upwards, as P_0 does: it enters the rectangle across its right
 * or lower side and leaves it across its upper or left one. */
typedef struct lane_side {
    simd_mask starts; /* inside, at no corner of the rectangle */
    simd_mask enters, enters_right, leaves, leaves_up;
    simd enter[2], leave[2];
} lane_side;

/* Whether the point is a corner of the rectangle, which then lies on the border of the parallelogram. */
static inline simd_mask is_at_corner(const simd point[2], const simd h[2], simd eps) {
    const simd close = simd_set(0.5) * eps;
    return simd_both(simd_greater(magnitude(point[0]), h[0] - close), simd_greater(magnitude(point[1]), h[1] - close));
}

/* Whether an end is inside is judged by its coordinates alone, and so alike for both sides that meet there. off: the corners of the rectangle that do not lie
 * on the line of the side, the upper right one first and counter-clockwise. The others stand for a crossing with a side of the rectangle that ends there. */
static inline lane_side clip_side(const simd from[2], const simd to[2], const simd h[2], const simd_mask off[4], simd eps) {
    const simd zero = simd_set(0.0), one = simd_set(1.0), tiny = simd_set(1e-290), along[2] = {to[0] - from[0], to[1] - from[1]};
    simd dx = simd_min(along[0], -tiny), dy = simd_max(along[1], tiny);
    const simd inside_from[4] = {h[0] - from[0], h[1] + from[1], h[1] - from[1],
                                 h[0] + from[0]}; /* of the right, lower, upper and left side */
    const simd inside_to[4] = {h[0] - to[0], h[1] + to[1], h[1] - to[1], h[0] + to[0]};
    simd_mask outside = never(), empty = never(), out[4];
    simd t[4];
    for (int n = 0; n < 4; ++n) { /* the start counts for the sides where it enters, and the end for the others */
        bool starts = n < 2;
        out[n] = simd_greater(-eps, starts ? inside_from[n] : inside_to[n]);
        empty = simd_either(empty, simd_without(out[n], simd_greater(starts ? inside_to[n] : inside_from[n], eps)));
        outside = simd_either(outside, starts ? out[n] : simd_greater(-eps, inside_from[n]));
    }
    t[0] = simd_select(out[0], inside_from[0] / dx, zero);
    t[1] = simd_select(out[1], -inside_from[1] / dy, zero);
    t[2] = simd_select(out[2], one + inside_to[2] / dy, one);
    t[3] = simd_select(out[3], one - inside_to[3] / dx, one);
    simd first = simd_max(t[0], t[1]), last = simd_min(t[2], t[3]);
    lane_side side;
    simd_mask crosses = simd_without(always(), simd_either(empty, simd_greater(first, last)));
    simd_mask by_right = simd_greater(t[0], t[1]), by_up = simd_greater(t[3], t[2]);
    side.starts = simd_without(simd_without(always(), outside), is_at_corner(from, h, eps));
    side.enters_right = by_right;
    side.leaves_up = by_up;
    side.enter[0] = simd_select(by_right, h[0], from[0] + first * along[0]);
    side.enter[1] = simd_select(by_right, from[1] + first * along[1], -h[1]);
    side.leave[0] = simd_select(by_up, from[0] + last * along[0], -h[0]);
    side.leave[1] = simd_select(by_up, h[1], from[1] + last * along[1]);
    simd_mask off_enter = simd_both(off[3], simd_either(simd_both(by_right, off[0]), simd_without(off[2], by_right)));
    simd_mask off_leave = simd_both(off[1], simd_either(simd_both(by_up, off[0]), simd_without(off[2], by_up)));
    side.enters = simd_both(simd_either(out[0], out[1]), simd_both(crosses, off_enter));
    side.leaves = simd_both(simd_either(out[2], out[3]), simd_both(crosses, off_leave));
    return side;
}

/* Turns a vector by -90 degrees n times. */
static inline void turn_back(const simd v[2], int n, simd turned[2]) {
    const simd around[5] = {v[0], v[1], -v[0], -v[1], v[0]};
    turned[0] = around[n];
    turned[1] = around[n + 1];
}

typedef struct lane_corner {
    simd_mask present, wide;
    simd x, y, height;
} lane_corner;

/* A crossing, or the wide one that has the same place. */
static inline lane_corner crossing_of(simd_mask near_present, const simd near[2], int turn, simd_mask wide_present, const simd wide[2],
                                      int wide_turn) {
    simd own[2], other[2];
    turn_back(near, (4 - turn) % 4, own);
    turn_back(wide, (4 - wide_turn) % 4, other);
    simd_mask is_wide = simd_without(wide_present, near_present);
    return (lane_corner){.present = simd_either(near_present, wide_present),
                         .wide = is_wide,
                         .x = simd_select(is_wide, other[0], own[0]),
                         .y = simd_select(is_wide, other[1], own[1])};
}

static inline simd height_at(const lane_faces *f, simd x, simd y) {
    return f->height + f->slope[0] * (x - f->middle[0]) + f->slope[1] * (y - f->middle[1]);
}

static inline void find_crossings(const lane_faces *f, const lane_side side[4], lane_corner corner[BOX_PLACES]) {
    for (int n = 0; n < 4; ++n) {
        const lane_side *own = &side[n], *before = &side[(n + 3) % 4], *after = &side[(n + 1) % 4];
        corner[4 * n] = crossing_of(simd_both(own->enters, own->enters_right), own->enter, n,
                                    simd_without(before->leaves, before->leaves_up), before->leave, (n + 3) % 4);
        corner[4 * n + 2] = crossing_of(simd_both(own->leaves, own->leaves_up), own->leave, n,
                                        simd_without(after->enters, after->enters_right), after->enter, (n + 1) % 4);
        corner[4 * n].height = height_at(f, corner[4 * n].x, corner[4 * n].y);
        corner[4 * n + 2].height = height_at(f, corner[4 * n + 2].x, corner[4 * n + 2].y);
    }
}

/* The corners of the rectangle, and whether they lie in the parallelogram. off[j][n]: corner n does not lie on the line of P_j. */
static inline void find_own_corners(const lane_faces *f, lane_corner corner[BOX_PLACES], simd_mask off[4][4]) {
    const double sign_x[4] = {1, -1, -1, 1}, sign_y[4] = {1, 1, -1, -1};
    simd area = f->u[0] * f->v[1] - f->u[1] * f->v[0];
    simd eps_u = f->eps * simd_sqrt(f->v[0] * f->v[0] + f->v[1] * f->v[1]),
         eps_v = f->eps * simd_sqrt(f->u[0] * f->u[0] + f->u[1] * f->u[1]);
    for (int n = 0; n < 4; ++n) {
        simd x = simd_set(sign_x[n]) * f->h[0], y = simd_set(sign_y[n]) * f->h[1], dx = x - f->middle[0], dy = y - f->middle[1];
        simd along_u = f->v[1] * dx - f->v[0] * dy, along_v = f->u[0] * dy - f->u[1] * dx;
        simd_mask outside = never();
        const simd inside[4] = {area - along_u, area - along_v, area + along_u, area + along_v};
        for (int j = 0; j < 4; ++j) {
            simd eps = j % 2 == 0 ? eps_u : eps_v;
            off[j][n] = simd_greater(magnitude(inside[j]), eps);
            outside = simd_either(outside, simd_greater(-eps, inside[j]));
        }
        corner[4 * n + 1] = (lane_corner){simd_without(always(), outside), never(), x, y, height_at(f, x, y)};
    }
}

/* The corners of the parallelogram, and where its sides meet those of the rectangle. */
static inline void find_incident_corners(const lane_faces *f, simd_mask off[4][4], lane_corner corner[BOX_PLACES]) {
    const double sign_u[4] = {1, -1, -1, 1}, sign_v[4] = {1, 1, -1, -1};
    lane_side side[4];
    simd point[4][2];
    for (int n = 0; n < 4; ++n) {
        for (int c = 0; c < 2; ++c) {
            point[n][c] = f->middle[c] + simd_set(sign_u[n]) * f->u[c] + simd_set(sign_v[n]) * f->v[c];
        }
    }
    for (int n = 0; n < 4; ++n) { /* from the corner before P_n to the one after it */
        const simd h[2] = {f->h[n % 2], f->h[1 - n % 2]};
        const simd_mask turned[4] = {off[n][n], off[n][(n + 1) % 4], off[n][(n + 2) % 4], off[n][(n + 3) % 4]};
        simd start[2], end[2];
        turn_back(point[(n + 3) % 4], n, start);
        turn_back(point[n], n, end);
        side[n] = clip_side(start, end, h, turned, f->eps);
    }
    for (int n = 0; n < 4; ++n) {
        corner[4 * n + 3] = (lane_corner){side[(n + 1) % 4].starts, never(), point[n][0], point[n][1],
                                          f->height + simd_set(sign_u[n]) * f->rise_u + simd_set(sign_v[n]) * f->rise_v};
    }
    find_crossings(f, side, corner);
}

/* Stores the corners within the margin. Pairs stay undecided unless one of them is as deep as the boxes are along the normal: it proves the normal. */
static inline void store_corners(const lane_corner corner[BOX_PLACES], int32_t at, lane_pair *p, box_answers *answers) {
    const simd zero = simd_set(0.0);
    simd gap = -p->least, present = zero, wide = zero, deepest = simd_set(INFINITY);
    simd reach = gap + simd_select(simd_greater(gap, zero), simd_set(3e-15) * (p->scale + gap), simd_set(6e-14) * p->scale);
    for (int n = 0; n < BOX_PLACES; ++n) {
        const lane_corner *c = &corner[n];
        simd_mask here = simd_without(c->present, simd_greater(c->height, p->apart));
        simd bit = simd_set((double)(1 << n));
        present = present + simd_select(here, bit, zero);
        wide = wide + simd_select(c->wide, bit, zero);
        deepest = simd_min(deepest, simd_select(here, c->height, deepest));
        double *rows[SIMD_WIDTH];
        for (int i = 0; i < SIMD_WIDTH; ++i) {
            rows[i] = answers->corner[n * BOX_LANES + at + i];
        }
        const simd numbers[4] = {c->x, c->y, c->height, simd_set(box_corner_at(n))};
        simd_store_rows(rows, numbers);
    }
    p->undecided = simd_either(p->undecided, simd_greater(deepest, reach));
    simd_store(answers->present + at, present);
    simd_store(answers->wide + at, wide);
}

static inline void store_faces(const lane_faces *f, int32_t at, box_answers *answers) {
    simd_store(answers->sense + at, f->sense);
    simd_store(answers->across + at, f->across);
    simd_store(answers->turned + at, f->turned);
    simd_store(answers->first + at, f->first);
    simd_store(answers->cosine + at, f->cosine);
    for (int n = 0; n < 3; ++n) {
        simd_store(answers->out[n] + at, f->out[n]);
    }
    for (int c = 0; c < 2; ++c) {
        simd_store(answers->middle[c] + at, f->middle[c]);
        simd_store(answers->u[c] + at, f->u[c]);
        simd_store(answers->v[c] + at, f->v[c]);
    }
}

/* Lanes that are closed need no contacts. */
static inline void find_contacts(int32_t at, simd_mask closed, lane_pair *p, box_answers *answers) {
    lane_faces faces;
    lane_corner corner[BOX_PLACES];
    simd_mask off[4][4];
    if (!is_any_open(p, closed)) {
        return;
    }
    const lane_incident incident = incident_of(p);
    faces.eps = simd_set(1e-15) * p->scale;
    find_incident_face(&incident, &faces, p);
    if (is_any_open(p, closed)) {
        find_own_corners(&faces, corner, off);
        find_incident_corners(&faces, off, corner);
        store_faces(&faces, at, answers);
        store_corners(corner, at, p, answers);
    }
}
