/*
 * Newton's method for the directions of extremal pairs. Let d be a unit direction with the tangents u and v, and w = a - b. The slope of h is then (u . w,
 * v . w), and its second derivative is R_A + R_B - h I with the radii of curvature R. Where that matrix is not positive definite, its eigenvalues are made
 * positive.
 */

#include "narrow/normal/extremal/extremal.h"

#include "base/elementary.h"
#include "base/real.h"

typedef struct view {
    abut_vec3 direction, u, v;
    double height; /* h */
    double slope_u, slope_v;
    double h11, h12, h22; /* second derivative on the sphere */
    smooth_place a, b;
} view;

typedef struct tangent {
    double u, v;
} tangent;

static void look_at_side(const extremal_side *side, abut_vec3 outward, const view *at, smooth_place *place) {
    if (side->pin != NULL) {
        *place = (smooth_place){.point = *side->pin};
    } else {
        convex_place_find(side->body, outward, at->u, at->v, place);
    }
}

/* Evaluates both bodies along a direction: points, slope and second derivative. */
static void look(const extremal_search *search, abut_vec3 direction, view *at) {
    at->direction = direction;
    abut_tangent_frame(direction, &at->u, &at->v);
    look_at_side(&search->a, direction, at, &at->a);
    look_at_side(&search->b, abut_neg(direction), at, &at->b);
    abut_vec3 w = abut_sub(at->a.point, at->b.point);
    at->height = abut_dot(direction, w);
    at->slope_u = abut_dot(at->u, w);
    at->slope_v = abut_dot(at->v, w);
    at->h11 = at->a.r11 + at->b.r11 - at->height;
    at->h12 = at->a.r12 + at->b.r12;
    at->h22 = at->a.r22 + at->b.r22 - at->height;
}

/* Solves by elimination with the larger pivot first, because entries of a flat body differ by twenty orders of magnitude. False when the matrix is not
 * positive definite. */
static bool solve_positive(const view *at, tangent *step) {
    const double least = 1e-12;
    bool first = at->h11 >= at->h22;
    double p = first ? at->h11 : at->h22, q = first ? at->h22 : at->h11;
    double slope_p = first ? at->slope_u : at->slope_v, slope_q = first ? at->slope_v : at->slope_u;
    double f = at->h12 / p, rest = q - f * at->h12;
    if (!(p > 0.0) || !(rest > least * q)) {
        return false;
    }
    double y = -(slope_q - f * slope_p) / rest, x = -(slope_p + at->h12 * y) / p;
    *step = first ? (tangent){x, y} : (tangent){y, x};
    return true;
}

/* Newton's step. Negative eigenvalues change their sign, and small ones are raised. True when the matrix needed no change. */
static bool newton_step(const view *at, tangent *step) {
    if (solve_positive(at, step)) {
        return true;
    }
    double mean = 0.5 * (at->h11 + at->h22), half = 0.5 * (at->h11 - at->h22), spread = sqrt(half * half + at->h12 * at->h12);
    double most = real_max(fabs(mean + spread), fabs(mean - spread));
    double angle = 0.5 * elementary_atan2(2.0 * at->h12, at->h11 - at->h22), c = elementary_cos(angle), s = elementary_sin(angle);
    double first = real_max(fabs(mean + spread), 1e-3 * most), second = real_max(fabs(mean - spread), 1e-3 * most);
    double p = -(c * at->slope_u + s * at->slope_v) / first, q = -(c * at->slope_v - s * at->slope_u) / second;
    *step = (tangent){c * p - s * q, s * p + c * q};
    return false;
}

static abut_vec3 turned(const view *at, tangent step, double factor) {
    return abut_unit(abut_add_scaled(abut_add_scaled(at->direction, factor * step.u, at->u), factor * step.v, at->v));
}

/* The displacement of a body's point when its normal turns by a step. */
static abut_vec3 way_of(const view *at, const smooth_place *place, tangent step) {
    double u = place->r11 * step.u + place->r12 * step.v, v = place->r12 * step.u + place->r22 * step.v;
    return abut_add_scaled(abut_scale(u, at->u), v, at->v);
}

static bool is_on_surface(const extremal_search *search, const extremal_side *side, abut_vec3 point) {
    return side->pin != NULL || extremal_is_on_surface(side->body, point, search->scale);
}

static bool is_far(const extremal_search *search, abut_vec3 way_a, abut_vec3 way_b) {
    const double little = 1e-9 * search->scale;
    return !(abut_length(way_a) <= little && abut_length(way_b) <= little);
}

/*
 * Reports the points along the direction. The points of a pair that was found are moved by the last part of Newton's step, so that they face each other
 * exactly. The digits of the direction cannot hold this part; on a flat place it is the whole step. The moved points must still lie on the bodies. Otherwise
 * the flat place ends before them.
 */
static void report(const extremal_search *search, const view *at, const tangent *last, bool apart, extremal *found) {
    const abut_feature smooth = {.kind = ABUT_FEATURE_VERTEX}; /* a smooth core has a single vertex, like a ball */
    *found = (extremal){.direction = at->direction,
                        .on_a = at->a.point,
                        .on_b = at->b.point,
                        .height = at->height,
                        .feature_a = smooth,
                        .feature_b = smooth,
                        .apart = apart};
    if (last != NULL) {
        abut_vec3 way_a = way_of(at, &at->a, *last), way_b = way_of(at, &at->b, *last);
        found->on_a = abut_add(found->on_a, way_a);
        found->on_b = abut_sub(found->on_b, way_b);
        bool far = is_far(search, way_a, way_b);
        found->moved = !(abut_length(way_a) + abut_length(way_b) <= EXTREMAL_UNMOVED * search->scale);
        found->settled = !far || (is_on_surface(search, &search->a, found->on_a) && is_on_surface(search, &search->b, found->on_b));
    }
}

/* Halves the step until h falls. False when it does not fall. */
static bool advance_along(const extremal_search *search, tangent step, view *at) {
    enum { MOST_HALVINGS = 10 };
    const double armijo = 1e-4, rounding = 1e-15 * search->scale;
    double slope = at->slope_u * step.u + at->slope_v * step.v, factor = 1.0;
    for (int i = 0; i < MOST_HALVINGS; ++i, factor *= 0.5) {
        view next;
        look(search, turned(at, step, factor), &next);
        if (next.height <= at->height + armijo * factor * slope + rounding) {
            *at = next;
            return true;
        }
    }
    return false;
}

static double change_of(const view *at, tangent step) { return fabs(at->slope_u * step.u + at->slope_v * step.v); }

/* Takes the last step, after which no improvement is left. The direction that belongs to the height is kept where the points move far: there the radii change
 * too much for the step to be right. Where the surface is so flat that the step still changes the height, the bodies are evaluated again.
 * One more step is enough, except next to the axes of superquadrics, where the radii change by a power of the direction. */
static void settle(const extremal_search *search, tangent step, view *at, extremal *found) {
    enum { MOST_STEPS = 40 };
    const double unseen = 1e-17 * search->scale;
    if (!(change_of(at, step) > unseen)) {
        report(search, at, &step, false, found);
        bool far = found->moved && is_far(search, way_of(at, &at->a, step), way_of(at, &at->b, step));
        found->direction = far ? at->direction : turned(at, step, 1.0);
        return;
    }
    look(search, turned(at, step, 1.0), at);
    bool minimum = newton_step(at, &step);
    for (int i = 0; i < MOST_STEPS && change_of(at, step) > unseen && advance_along(search, step, at); ++i) {
        minimum = newton_step(at, &step);
    }
    report(search, at, minimum ? &step : NULL, false, found);
}

static double length_of(tangent step) { return sqrt(step.u * step.u + step.v * step.v); }

/* ---- the same bits from any start ---- */

#define GRID 1048576.0

static double snapped(double x, bool *clear) {
    double scaled = GRID * x, nearest = round(scaled);
    *clear = *clear && fabs(scaled - nearest) < 0.5 - 1e-3;
    return nearest / GRID + 0.0; /* turns -0 into 0, which has other bits */
}

abut_vec3 extremal_snap(abut_vec3 direction, bool *clear) {
    *clear = true;
    abut_vec3 near = abut_vec3_make(snapped(direction.x, clear), snapped(direction.y, clear), snapped(direction.z, clear));
    return abut_unit(near);
}

/*
 * Repeats the last steps from the nearest point of a grid. The result then depends on the grid point alone: all searches that reach the same minimum get the
 * same bits, unless the direction lies next to the border of a cell. False when the steps from the grid point do not end at the minimum.
 */
static bool repeat(const extremal_search *search, abut_vec3 direction, extremal *found) {
    const double far = 1e-5, last = 1e-9;
    bool clear;
    view at;
    tangent step;
    abut_vec3 grid = extremal_snap(direction, &clear);
    look(search, grid, &at);
    if (!newton_step(&at, &step) || !(length_of(step) <= far)) {
        return false;
    }
    look(search, turned(&at, step, 1.0), &at);
    if (!newton_step(&at, &step) || !(length_of(step) <= last)) {
        return false;
    }
    settle(search, step, &at, found);
    abut_vec3 own = extremal_snap(found->direction, &clear);
    found->repeated = found->settled && clear && own.x == grid.x && own.y == grid.y && own.z == grid.z;
    return found->settled;
}

/* The same, and once more when the minimum lies beyond the border of the start's cell: then from the minimum's own cell. */
static bool repeat_from_own_cell(const extremal_search *search, abut_vec3 direction, extremal *found) {
    if (!repeat(search, direction, found)) {
        return false;
    }
    extremal own = *found;
    if (!found->repeated && repeat(search, found->direction, &own)) {
        *found = own;
    }
    return true;
}

/* ---- the search ---- */

void extremal_descend(const extremal_search *search, abut_vec3 start, extremal *found) {
    const double longest = 0.6, near = 1e-6, last = 1e-9;
    view at;
    look(search, start, &at);
    for (int i = 0; i < search->most_steps; ++i) {
        if (at.height < -search->enough) {
            report(search, &at, NULL, true, found);
            return;
        }
        tangent step;
        bool minimum = newton_step(&at, &step);
        double length = length_of(step);
        if (minimum && length <= near && repeat_from_own_cell(search, turned(&at, step, 1.0), found)) {
            found->steps = i + 1;
            return;
        }
        if (minimum && length <= last) {
            settle(search, step, &at, found);
            found->steps = i + 1;
            return;
        }
        double shorter = length > longest ? longest / length : 1.0;
        step = (tangent){shorter * step.u, shorter * step.v};
        if (!(length > 0.0) || !advance_along(search, step, &at)) {
            break;
        }
    }
    report(search, &at, NULL, false, found);
}
