#pragma once

#include <string.h>

#include "narrow/box/one_axes.h"
#include "narrow/normal/box_features.h"
#include "narrow/normal/feature_overlap.h"

/*
 * Contacts of a face with a face, for one pair of boxes; part of one_lanes.c. The operations are those of kernel_faces.h. Lanes hold the four sides or corners
 * of a face.
 */

/* Both faces in the reference frame: see lane_faces. */
typedef struct one_faces {
    double out[3], cosine;
    double h[2], offset, sense, turned;
    int across, first;
    double middle[2], u[2], v[2];
    double height, rise_u, rise_v;
    double slope[2];
    double eps;
} one_faces;

/* The incident box in the reference frame: see lane_incident. */
typedef struct one_incident {
    const double *q[3]; /* [4] */
    const double *half; /* [3] */
    double centre[3], own_half[3], out[3];
} one_incident;

static inline void take_leaning_face(one_pair *p, double out[3]) {
    const double size[3] = {fabs(p->across[0]), fabs(p->across[1]), fabs(p->across[2])};
    p->axis = box_one_of_three(size[1] > size[0], size[2] > larger(size[0], size[1]));
    for (int c = 0; c < 3; ++c) {
        out[c] = p->across[c];
    }
}

static inline void set_incident(one_pair *p, one_incident *inc) {
    bool of_b = p->axis >= 3 && p->axis != ONE_EDGES;
    const double *half = of_b ? p->a : p->b, *own_half = of_b ? p->b : p->a;
    double centre[3], out[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        centre[i] = of_b ? -p->t_b[i] : p->t[i];
    }
    if (p->axis == ONE_EDGES) {
        take_leaning_face(p, out);
    } else {
        int index = of_b ? p->axis - 3 : p->axis;
        out[index] = sign_of(centre[index]);
    }
    int from = (of_b ? p->axis - 3 : p->axis) + 1;
    inc->half = half;
    for (int n = 0; n < 3; ++n) { /* n = 2 is axis i */
        int i = from + n >= 3 ? from + n - 3 : from + n;
        inc->q[n] = of_b ? p->q[i] : p->r[i];
        inc->centre[n] = centre[i];
        inc->own_half[n] = own_half[i];
        inc->out[n] = out[i];
    }
}

static inline void turn_sides(const double a[3], const double b[3], one_faces *f, one_pair *p) {
    static const double signs_u[4] = {1.0, 1.0, -1.0, -1.0}, signs_v[4] = {1.0, -1.0, -1.0, 1.0};
    int right = a[0] > 0.0, left = 0.0 > a[0], up = a[1] > 0.0, down = 0.0 > a[1], odd;
    int quarter = right * down + (1 - right) * (3 * up + (1 - up) * (left + 1));
    odd = quarter & 1;
    const double *const along[2] = {a, b};
    double u[3], v[3], sign_u = signs_u[quarter], sign_v = signs_v[quarter];
    for (int n = 0; n < 3; ++n) {
        u[n] = sign_u * along[odd][n];
        v[n] = sign_v * along[1 - odd][n];
    }
    bool skewed = v[0] > f->eps || -f->eps > u[1], proper = u[0] > 0.0 && v[1] > 0.0;
    p->undecided = p->undecided || skewed || !proper;
    f->u[0] = u[0];
    f->u[1] = larger(u[1], 0.0);
    f->v[0] = v[0] < 0.0 ? v[0] : 0.0;
    f->v[1] = v[1];
    f->rise_u = u[2];
    f->rise_v = v[2];
    f->first += quarter;
}

static inline double most_lean(const box_task *in, double depth) {
    const double most = 0.64944804833018366;
    double size_a = in->a.shape->size, size_b = in->b.shape->size, smaller = size_a < size_b ? size_a : size_b;
    double sine = 0.5 * smaller > depth ? depth / smaller : 0.5;
    sine = larger(larger(sine, in->terms->sine), FEATURE_EXACT_SINE);
    sine = sine < most ? sine : most;
    return sine * sine;
}

/* Projects the incident face m along the normal on the plane of the reference face. */
static inline void project_face(const one_incident *inc, int m, double towards, one_faces *f, one_pair *p) {
    const double *out = inc->out;
    int next = m == 2 ? 0 : m + 1, last = m == 0 ? 2 : m - 1;
    double w[3], u[3], v[3], h = inc->half[m];
    f->across = m;
    f->sense = sign_of(out[2]);
    f->turned = 0.0 > towards ? 1.0 : -1.0;
    f->offset = inc->own_half[2];
    f->cosine = f->sense * out[2];
    for (int n = 0; n < 3; ++n) {
        const double *q = inc->q[n];
        w[n] = q[m];
        u[n] = inc->half[next] * q[next];
        v[n] = inc->half[last] * q[last];
        f->out[n] = out[n];
    }
    double rise_u = f->sense * u[2] / f->cosine, rise_v = f->sense * v[2] / f->cosine;
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
    bool swapped = 0.0 > f->sense * towards;
    f->first = swapped ? 4 : 0;
    turn_sides(swapped ? v : u, swapped ? u : v, f, p);
}

static inline void find_incident_face(const box_task *in, const one_incident *inc, one_faces *f, one_pair *p) {
    const double *out = inc->out;
    const four rows[3] = {simd_four_load(inc->q[0]), simd_four_load(inc->q[1]), simd_four_load(inc->q[2])};
    double square[4], cosine[4];
    four cosines = dot_rows(out, rows);
    simd_four_store(cosine, cosines);
    simd_four_store(square, times(cosines, cosines));
    const double others[3] = {square[1] + square[2], square[2] + square[0], square[0] + square[1]};
    int m = box_one_of_three(square[1] > square[0], square[2] > larger(square[1], square[0]));
    double off = others[m];
    if (p->undecided || larger(off, out[0] * out[0] + out[1] * out[1]) > most_lean(in, p->least)) {
        p->undecided = true;
        return;
    }
    project_face(inc, m, cosine[m], f, p);
}

/* ---- clipping ---- */

/* The corners of the polygon by kinds: see BOX_PLACES. Of crossings, those where a side enters, and those where it leaves. */
typedef struct one_corners {
    double (*corner)[4]; /* [BOX_PLACES] of the answers: kind k, turn n at 4 k + n */
    four heights[4];     /* by kinds */
    unsigned own;        /* bits of the rectangle's corners inside */
    unsigned starts;     /* bits of the sides whose start is inside, and at no corner of the rectangle */
    unsigned enters, enters_right, leaves, leaves_up;
} one_corners;

static inline four height_at(const one_faces *f, four x, four y) {
    four along_x = scaled(f->slope[0], less(x, spread(f->middle[0]))), along_y = scaled(f->slope[1], less(y, spread(f->middle[1])));
    return plus(plus(spread(f->height), along_x), along_y);
}

static inline void store_corners(int kind, four x, four y, four height, one_corners *corners) {
    const four numbers[4] = {x, y, height, spread(box_corner_at(kind))};
    simd_four_store_columns(corners->corner[4 * kind], numbers);
    corners->heights[kind] = height;
}

/* Returns bits of the corners of the rectangle that do not lie on the line of a side: corner n of side j at 4 j + n. */
static inline unsigned find_own_corners(const one_faces *f, one_corners *corners) {
    const four sign_x = simd_four_set(1, -1, -1, 1), sign_y = simd_four_set(1, 1, -1, -1);
    double area = f->u[0] * f->v[1] - f->u[1] * f->v[0];
    four eps[2] = {spread(f->eps * sqrt(f->v[0] * f->v[0] + f->v[1] * f->v[1])),
                   spread(f->eps * sqrt(f->u[0] * f->u[0] + f->u[1] * f->u[1]))};
    four x = scaled(f->h[0], sign_x), y = scaled(f->h[1], sign_y), dx = less(x, spread(f->middle[0])), dy = less(y, spread(f->middle[1]));
    four along_u = less(scaled(f->v[1], dx), scaled(f->v[0], dy)), along_v = less(scaled(f->u[0], dy), scaled(f->u[1], dx));
    four whole = spread(area), zero = spread(0.0);
    const four inside[4] = {less(whole, along_u), less(whole, along_v), plus(whole, along_u), plus(whole, along_v)};
    unsigned off = 0u, outside = 0u;
    for (int j = 0; j < 4; ++j) {
        off |= exceeds(simd_four_abs(inside[j]), eps[j % 2]) << 4 * j;
        outside |= exceeds(less(zero, eps[j % 2]), inside[j]);
    }
    corners->own = ~outside & 15u;
    store_corners(1, x, y, height_at(f, x, y), corners);
    return off;
}

/* Bits of the corners that are m places behind the number of the side, and do not lie on its line: see clip_side() in kernel_faces.h. */
static inline unsigned turned_off(unsigned off, int m) {
    static const unsigned places[4] = {0x8421u, 0x1842u, 0x2184u, 0x4218u};
    unsigned picked = off & places[m], folded = (picked | picked >> 4 | picked >> 8 | picked >> 12) & 15u;
    return (folded >> m | folded << (4 - m)) & 15u;
}

/* The sides of the parallelogram, each in a frame that is turned by its number of quarters: see lane_side. */
typedef struct one_sides {
    four from[2], to[2], h[2];
} one_sides;

/* The corners of the parallelogram, moved up by some lanes. */
static inline void find_points(const one_faces *f, four sign_u, four sign_v, four point[2]) {
    for (int c = 0; c < 2; ++c) {
        point[c] = plus(plus(spread(f->middle[c]), scaled(f->u[c], sign_u)), scaled(f->v[c], sign_v));
    }
}

/* Turns a vector by -90 degrees as often as the number of its lane, or back. */
static inline void turn_lanes(const four v[2], bool back, four turned[2]) {
    const four even = simd_four_set(1, 0, 1, 0), half = spread(0.5);
    const four outer = simd_four_set(1, -1, -1, 1), upper = simd_four_set(1, 1, -1, -1);
    four own = simd_four_where(even, half, v[0], v[1]), other = simd_four_where(even, half, v[1], v[0]);
    turned[0] = times(back ? outer : upper, own);
    turned[1] = times(back ? upper : outer, other);
}

static inline void find_sides(const one_faces *f, one_corners *corners, one_sides *sides) {
    const four sign_u = simd_four_set(1, -1, -1, 1), sign_v = simd_four_set(1, 1, -1, -1), even = simd_four_set(1, 0, 1, 0),
               half = spread(0.5);
    four point[2], before[2], h[2] = {spread(f->h[0]), spread(f->h[1])};
    find_points(f, sign_u, sign_v, point);
    find_points(f, simd_four_set(1, 1, -1, -1), simd_four_set(-1, 1, 1, -1), before);
    store_corners(3, point[0], point[1], plus(plus(spread(f->height), scaled(f->rise_u, sign_u)), scaled(f->rise_v, sign_v)), corners);
    turn_lanes(before, false, sides->from);
    turn_lanes(point, false, sides->to);
    sides->h[0] = simd_four_where(even, half, h[0], h[1]);
    sides->h[1] = simd_four_where(even, half, h[1], h[0]);
}

static inline void clip_sides(const one_faces *f, const one_sides *s, unsigned off, one_corners *corners) {
    const four zero = spread(0.0), one = spread(1.0), tiny = spread(1e-290), eps = spread(f->eps), below = less(zero, eps);
    const four *from = s->from, *to = s->to, *h = s->h;
    four along[2] = {less(to[0], from[0]), less(to[1], from[1])};
    four dx = simd_four_min(along[0], less(zero, tiny)), dy = simd_four_max(along[1], tiny);
    const four in_from[4] = {less(h[0], from[0]), plus(h[1], from[1]), less(h[1], from[1]), plus(h[0], from[0])};
    const four in_to[4] = {less(h[0], to[0]), plus(h[1], to[1]), less(h[1], to[1]), plus(h[0], to[0])};
    unsigned out[4], outside = 0u, empty = 0u;
    for (int n = 0; n < 4; ++n) {
        bool starts = n < 2;
        out[n] = exceeds(below, starts ? in_from[n] : in_to[n]);
        empty |= out[n] & ~exceeds(starts ? in_to[n] : in_from[n], eps);
        outside |= starts ? out[n] : exceeds(below, in_from[n]);
    }
    const four t[4] = {simd_four_where(below, in_from[0], simd_four_div(in_from[0], dx), zero),
                       simd_four_where(below, in_from[1], simd_four_div(less(zero, in_from[1]), dy), zero),
                       simd_four_where(below, in_to[2], plus(one, simd_four_div(in_to[2], dy)), one),
                       simd_four_where(below, in_to[3], less(one, simd_four_div(in_to[3], dx)), one)};
    four first = simd_four_max(t[0], t[1]), last = simd_four_min(t[2], t[3]), close = scaled(0.5, eps);
    unsigned crosses = ~(empty | exceeds(first, last)), by_right = exceeds(t[0], t[1]), by_up = exceeds(t[3], t[2]);
    unsigned at_corner = exceeds(simd_four_abs(from[0]), less(h[0], close)) & exceeds(simd_four_abs(from[1]), less(h[1], close));
    const four enter[2] = {simd_four_where(t[0], t[1], h[0], plus(from[0], times(first, along[0]))),
                           simd_four_where(t[0], t[1], plus(from[1], times(first, along[1])), less(zero, h[1]))};
    const four leave[2] = {simd_four_where(t[3], t[2], plus(from[0], times(last, along[0])), less(zero, h[0])),
                           simd_four_where(t[3], t[2], h[1], plus(from[1], times(last, along[1])))};
    four turned[2];
    turn_lanes(enter, true, turned);
    store_corners(0, turned[0], turned[1], height_at(f, turned[0], turned[1]), corners);
    turn_lanes(leave, true, turned);
    store_corners(2, turned[0], turned[1], height_at(f, turned[0], turned[1]), corners);
    unsigned upper = turned_off(off, 0), left = turned_off(off, 1), lower = turned_off(off, 2), right = turned_off(off, 3);
    corners->starts = ~(outside | at_corner) & 15u;
    corners->enters = (out[0] | out[1]) & crosses & right & ((by_right & upper) | (lower & ~by_right)) & 15u;
    corners->leaves = (out[2] | out[3]) & crosses & left & ((by_up & upper) | (lower & ~by_up)) & 15u;
    corners->enters_right = by_right;
    corners->leaves_up = by_up;
}

/* ---- places ---- */

/* Bits of the side before, and of the side after. */
static inline unsigned before_of(unsigned sides) { return (sides << 1 | sides >> 3) & 15u; }
static inline unsigned after_of(unsigned sides) { return (sides >> 1 | sides << 3) & 15u; }

/* Exchanges rows and columns of four rows of four bits. */
static inline unsigned transposed(unsigned bits) {
    unsigned swapped = (bits ^ bits >> 3) & 0x0a0au;
    bits ^= swapped ^ swapped << 3;
    swapped = (bits ^ bits >> 6) & 0x00ccu;
    return bits ^ swapped ^ swapped << 6;
}

/* Puts wide crossings, which other sides make, at their places. */
static inline void move_wide(unsigned enters, unsigned leaves, one_corners *corners) {
    double made[12][4], height[12];
    for (int kind = 0; kind < 3; kind += 2) {
        memcpy(made[4 * kind], corners->corner[4 * kind], 4 * sizeof *made);
        simd_four_store(height + 4 * kind, corners->heights[kind]);
    }
    const double was[12] = {height[0], height[1], height[2], height[3], 0.0, 0.0, 0.0, 0.0, height[8], height[9], height[10], height[11]};
    for (unsigned left = enters; left != 0u; left &= left - 1u) {
        int n = bits_lowest(left), from = 8 + ((n + 3) & 3);
        memcpy(corners->corner[n], made[from], sizeof made[from]);
        height[n] = was[from];
    }
    for (unsigned left = leaves; left != 0u; left &= left - 1u) {
        int n = bits_lowest(left), from = (n + 1) & 3;
        memcpy(corners->corner[8 + n], made[from], sizeof made[from]);
        height[8 + n] = was[from];
    }
    corners->heights[0] = simd_four_load(height);
    corners->heights[2] = simd_four_load(height + 8);
}

/* Keeps the corners within the margin. Pairs stay undecided unless one of them proves the normal. Bits of kind k and turn n are at 4 k + n. */
static inline void take_places(one_corners *c, one_pair *p, box_answers *answers) {
    unsigned near_enter = c->enters & c->enters_right, near_leave = c->leaves & c->leaves_up;
    unsigned wide_enter = before_of(c->leaves & ~c->leaves_up) & ~near_enter;
    unsigned wide_leave = after_of(c->enters & ~c->enters_right) & ~near_leave;
    if ((wide_enter | wide_leave) != 0u) {
        move_wide(wide_enter, wide_leave, c);
    }
    unsigned present = near_enter | wide_enter | c->own << 4 | (near_leave | wide_leave) << 8 | after_of(c->starts) << 12;
    double gap = -p->least, reach = gap + (gap > 0.0 ? 3e-15 * (p->scale + gap) : 6e-14 * p->scale);
    unsigned far = 0u, high = 0u;
    for (int kind = 0; kind < 4; ++kind) {
        far |= exceeds(c->heights[kind], spread(p->apart)) << 4 * kind;
        high |= exceeds(c->heights[kind], spread(reach)) << 4 * kind;
    }
    unsigned kept = present & ~far;
    p->undecided = (kept & ~high) == 0u;
    answers->present[0] = transposed(kept);
    answers->wide[0] = transposed(wide_enter | wide_leave << 8);
}

static inline void write_faces(const one_faces *f, box_answers *answers) {
    answers->sense[0] = f->sense;
    answers->across[0] = f->across;
    answers->turned[0] = f->turned;
    answers->first[0] = f->first;
    answers->cosine[0] = f->cosine;
    for (int n = 0; n < 3; ++n) {
        answers->out[n][0] = f->out[n];
    }
    for (int n = 0; n < 2; ++n) {
        answers->middle[n][0] = f->middle[n];
        answers->u[n][0] = f->u[n];
        answers->v[n][0] = f->v[n];
    }
}

static inline void find_contacts(const box_task *in, one_pair *p, box_answers *answers) {
    one_faces faces;
    one_incident incident;
    set_incident(p, &incident);
    faces.eps = 1e-15 * p->scale;
    find_incident_face(in, &incident, &faces, p);
    if (p->undecided) {
        return;
    }
    one_corners corners = {.corner = answers->corner};
    one_sides sides;
    unsigned off = find_own_corners(&faces, &corners);
    find_sides(&faces, &corners, &sides);
    clip_sides(&faces, &sides, off, &corners);
    take_places(&corners, p, answers);
    if (!p->undecided) {
        write_faces(&faces, answers);
    }
}
