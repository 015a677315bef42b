/*
 * Extremal pairs without derivatives. Where a surface is nearly flat, a direction says little about the point with that normal, so points are found from
 * points. GJK finds the closest points of separated bodies. Bodies that touch or overlap are first moved apart along the best direction so far. A pair with
 * this direction as its normal stays an extremal pair under that move.
 */

#include "narrow/normal/extremal/extremal.h"

#include "base/real.h"
#include "narrow/normal/gjk_points.h"

/* Finds the closest points of the shifted bodies. False when they have no distance. */
static bool find_closest(gjk_points *at, abut_vec3 start, double rounding, extremal *found) {
    enum { MOST_SUPPORTS = 200 };
    double missing = INFINITY; /* the difference between the upper and the lower bound of the distance */
    abut_vec3 v;
    at->s.count = 0;
    gjk_points_add(at, start);
    gjk_simplex_reduce(&at->s, &v);
    for (int i = 0; i < MOST_SUPPORTS; ++i) {
        double length = abut_length(v);
        if (at->s.count == 4 || !(length > rounding)) {
            return false;
        }
        abut_vec3 towards = abut_scale(-1.0 / length, v), closer;
        gjk_points next = *at;
        double left = length + abut_dot(towards, gjk_points_add(&next, towards));
        if (left < missing) {
            missing = left;
            found->direction = towards;
            gjk_points_read(at, &found->on_a, &found->on_b);
        }
        gjk_simplex_reduce(&next.s, &closer);
        if (left <= rounding || (next.s.count < 4 && !(abut_length(closer) < length))) {
            break;
        }
        *at = next;
        v = closer;
    }
    return true;
}

/* Combines the direction and the points into an extremal pair of the bodies without the shift. */
static void finish(const convex *a, const convex *b, abut_vec3 shift, extremal *found) {
    extremal here;
    extremal_look(a, b, found->direction, &here);
    extremal_put_points(a, b, found->on_a, abut_sub(found->on_b, shift), &here);
    *found = here;
}

bool extremal_apart(const convex *a, const convex *b, abut_vec3 start, extremal *found) {
    double scale = extremal_scale(a, b);
    gjk_points at = {.a = a, .b = b, .shift = {0, 0, 0}};
    extremal closest;
    if (!find_closest(&at, start, 4e-16 * scale, &closest)) {
        return false;
    }
    finish(a, b, at.shift, &closest);
    *found = closest;
    return true;
}

void extremal_ease(const convex *a, const convex *b, extremal *found) {
    enum { MOST_ROUNDS = 40 };
    const double scale = extremal_scale(a, b), room = 0.1 * real_min(convex_inradius(a) > 0.0 ? convex_inradius(a) : a->size,
                                                                     convex_inradius(b) > 0.0 ? convex_inradius(b) : b->size);
    for (int i = 0; i < MOST_ROUNDS; ++i) {
        gjk_points at = {.a = a, .b = b, .shift = abut_scale(found->height + room, found->direction)};
        extremal next;
        if (!find_closest(&at, found->direction, 4e-16 * scale, &next)) {
            return;
        }
        finish(a, b, at.shift, &next);
        bool lower = next.height < found->height - 1e-15 * scale;
        bool better = next.settled && !found->settled && next.height <= found->height + 1e-12 * scale;
        if (lower || better) {
            *found = next;
        }
        if (!lower && !better) {
            return;
        }
    }
}

void extremal_minimum(const convex *a, const convex *b, extremal *found) {
    if (!found->settled) {
        extremal_ease(a, b, found);
    }
    if (!found->settled) {
        extremal last = {.direction = found->direction};
        extremal_digits(a, b, &last);
        *found = last.settled && last.height <= found->height + 1e-15 * extremal_scale(a, b) ? last : *found;
    }
    extremal_sharpen(a, b, found);
}

void extremal_without_derivatives(const convex *a, const convex *b, abut_vec3 start, extremal *found) {
    const double rounding = 1e-15 * extremal_scale(a, b);
    extremal other;
    bool apart = extremal_apart(a, b, start, &other) && other.height <= found->height + rounding;
    if (apart) {
        *found = other;
    }
    /* Between thin bodies that nearly touch, GJK may find a distance without a direction that separates them, or take them for overlapping. On nearly flat
     * places its support points differ by rounding errors, and it stops too early. */
    bool doubtful = !found->settled || (apart && found->height > 0.0);
    if (doubtful && extremal_by_cuts(a, b, start, &other) && other.height <= found->height + rounding) {
        *found = other;
    }
    extremal_minimum(a, b, found);
}

void extremal_near(const convex *a, const convex *b, abut_vec3 start, extremal *found) {
    extremal first;
    extremal_look(a, b, start, &first);
    extremal_find(a, b, start, INFINITY, found);
    bool lower = found->height <= first.height + 1e-15 * extremal_scale(a, b); /* the walk over features may have come to the far side */
    if (!found->settled || !lower) {
        *found = lower ? *found : first;
        extremal_without_derivatives(a, b, start, found);
    }
}
