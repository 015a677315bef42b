/*
 * The plane between two sets of points with the smallest weighted sum of squares; tetra/mesh/parting.h defines it. Frame: that of the
 * points. The normal points from side -1 to side 1.
 */
#include "tetra/mesh/parting.h"

#include "base/real.h"
#include "geom/eigen.h"
#include "tetra/mesh/parting_fixed.h"

enum { MOST_TRIES = 8, STEPS_C = 60, STEPS_N = 40, HALVINGS = 12 };

/* ---- the offset ---- */

/* Sums over the points beyond the plane c: mass, first and second moment of the heights relative to c. */
typedef struct pushed {
    double mass, moment, square;
} pushed;

/* Heights include the gap: n . x + gap on side -1, n . x - gap on the other. */
static void set_heights(const parting_points *p, abut_vec3 n) {
    for (int32_t i = 0; i < p->count; i++) {
        p->height[i] = abut_dot(n, p->at[i]) - p->side[i] * p->gap;
    }
}

static pushed pushed_at(const parting_points *p, double c) {
    pushed sum = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < p->count; i++) {
        double beyond = p->height[i] - c;
        double mass = p->side[i] * beyond < 0.0 && p->mass[i] < INFINITY ? p->mass[i] : 0.0;
        sum.mass += mass;
        sum.moment += mass * beyond;
        sum.square += mass * beyond * beyond;
    }
    return sum;
}

typedef struct interval {
    double lower, upper;
    int32_t lowest, highest; /* the fixed points at the ends, or -1 */
} interval;

/* The interval of offsets between the fixed points. */
static interval allowed(const parting_points *p) {
    interval within = {-INFINITY, INFINITY, -1, -1};
    for (int32_t i = 0; i < p->count; i++) {
        if (p->mass[i] < INFINITY) {
            continue;
        }
        if (p->side[i] < 0 && p->height[i] > within.lower) {
            within.lower = p->height[i];
            within.lowest = i;
        } else if (p->side[i] > 0 && p->height[i] < within.upper) {
            within.upper = p->height[i];
            within.highest = i;
        }
    }
    return within;
}

/* The root of the moment, which decreases with c and is linear between heights: Newton's method within a shrinking interval. If no point
 * lies between the sides, the middle of the gap. */
static double balanced_offset(const parting_points *p) {
    double lower = INFINITY, upper = -INFINITY; /* lowest point of side 1, highest point of side -1 */
    for (int32_t i = 0; i < p->count; i++) {
        if (p->side[i] > 0) {
            lower = real_min(lower, p->height[i]);
        } else {
            upper = real_max(upper, p->height[i]);
        }
    }
    double c = 0.5 * (lower + upper);
    if (!(lower < upper)) {
        return isfinite(c) ? c : lower < INFINITY ? lower : upper;
    }
    for (int i = 0; i < STEPS_C; i++) {
        pushed sum = pushed_at(p, c);
        if (!(sum.mass > 0.0)) {
            break;
        }
        lower = sum.moment > 0.0 ? c : lower;
        upper = sum.moment < 0.0 ? c : upper;
        double next = c + sum.moment / sum.mass;
        next = next >= lower && next <= upper ? next : 0.5 * (lower + upper);
        if (next == c) {
            break;
        }
        c = next;
    }
    return c;
}

parting_plane parting_along(const parting_points *p, abut_vec3 normal) {
    set_heights(p, normal);
    parting_plane plane = {normal, balanced_offset(p), 0.0, -1};
    interval within = allowed(p);
    if (plane.offset < within.lower) {
        plane.offset = within.lower;
        plane.bound = within.lowest;
    } else if (plane.offset > within.upper) {
        plane.offset = within.upper;
        plane.bound = within.highest;
    }
    plane.cost = within.lower <= within.upper ? pushed_at(p, plane.offset).square : INFINITY;
    return plane;
}

/* ---- the normal ---- */

/* The scatter of the points beyond the plane, divided by their mass. It is about their mean, or about the fixed point that bounds the
 * plane. */
static sym3 scatter_beyond(const parting_points *p, const parting_plane *plane) {
    sym3 sum = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    abut_vec3 origin = plane->bound >= 0 ? p->at[plane->bound] : abut_scale(plane->offset, plane->normal), mean = {0.0, 0.0, 0.0};
    double mass = 0.0;
    for (int32_t i = 0; i < p->count; i++) {
        double move = parting_move(plane, p->at[i], p->side[i], p->gap);
        if (move != 0.0 && p->mass[i] < INFINITY) {
            abut_vec3 d = abut_sub(p->at[i], origin);
            mass += p->mass[i];
            mean = abut_add_scaled(mean, p->mass[i], d);
            sum = sym3_add_outer(sum, p->mass[i], d);
        }
    }
    if (!(mass > 0.0)) {
        return sum;
    }
    const double each = 1.0 / mass;
    const sym3 none = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
               of_all = {each * sum.xx, each * sum.yy, each * sum.zz, each * sum.xy, each * sum.xz, each * sum.yz};
    return sym3_add(of_all, plane->bound < 0 ? sym3_add_outer(none, -each * each, mean) : none);
}

parting_plane parting_improve(const parting_points *p, parting_plane best) {
    const double enough = 1e-9; /* relative to the cost: smaller gains do not justify another step */
    for (int step = 0; step < STEPS_N && best.cost > 0.0 && best.cost < INFINITY; step++) {
        abut_vec3 to = eigen_smallest(scatter_beyond(p, &best));
        to = abut_dot(to, best.normal) < 0.0 ? abut_neg(to) : to;
        parting_plane next = best;
        double part = 1.0;
        for (int i = 0; i < HALVINGS && !(next.cost < best.cost); i++, part *= 0.5) {
            next = parting_along(p, abut_unit(abut_lerp(best.normal, to, part)));
        }
        if (!(next.cost < best.cost)) {
            break;
        }
        bool last = next.cost > best.cost * (1.0 - enough);
        best = next;
        if (last) {
            break;
        }
    }
    return best;
}

/* ---- the best of several starts ---- */

/* True when both sides have fixed points. */
static bool contested(const parting_points *p) {
    bool below = false, above = false;
    for (int32_t i = 0; i < p->count; i++) {
        below = below || (!(p->mass[i] < INFINITY) && p->side[i] < 0);
        above = above || (!(p->mass[i] < INFINITY) && p->side[i] > 0);
    }
    return below && above;
}

/* Inserts a plane into a list of the best, in ascending order of cost; on ties the first one stays in front. */
static int32_t insert(parting_plane *best, int32_t count, int32_t most, parting_plane plane) {
    int32_t at = count;
    while (at > 0 && plane.cost < best[at - 1].cost) {
        --at;
    }
    if (at == most) {
        return count;
    }
    count = count < most ? count + 1 : count;
    for (int32_t i = count - 1; i > at; i--) {
        best[i] = best[i - 1];
    }
    best[at] = plane;
    return count;
}

parting_plane parting_best(const parting_points *p, const abut_vec3 *starts, int32_t start_count, int32_t tries) {
    parting_plane best[MOST_TRIES], found = {abut_vec3_make(0, 0, 1), 0.0, INFINITY, -1};
    int32_t count = 0;
    abut_vec3 between;
    if (contested(p)) {
        if (!parting_between_fixed(p, &between)) {
            return found;
        }
        found = parting_improve(p, parting_along(p, between));
    }
    for (int32_t i = 0; i < 2 * start_count; i++) {
        abut_vec3 start = abut_unit(starts[i / 2]);
        if (abut_length_squared(start) > 0.0) {
            start = i % 2 == 0 ? start : abut_neg(start);
            count = insert(best, count, tries < MOST_TRIES ? tries : MOST_TRIES, parting_along(p, start));
        }
    }
    for (int32_t i = 0; i < count; i++) {
        parting_plane improved = parting_improve(p, best[i]);
        found = improved.cost < found.cost ? improved : found;
    }
    return found;
}
