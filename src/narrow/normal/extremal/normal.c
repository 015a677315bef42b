/*
 * The contact normal of two bodies, at least one of them smooth: the normal of their extremal pair, by Newton's method on the sphere of directions. Separated
 * bodies have one pair. For overlapping bodies the least depth is wanted. A local minimum is certainly the least one when the overlap is small compared with
 * the radii of curvature. Otherwise the whole sphere is searched.
 */

#include "narrow/normal/extremal/normal.h"

#include <float.h>

#include "base/real.h"
#include "narrow/normal/extremal/extremal.h"

/* Sets components to zero that are smaller than the smallest normal number, relative to the scale. A direction's subnormal component depends on the path of the
 * search, and so do the components of the points that come from it. */
static abut_vec3 without_nothing(abut_vec3 v, double scale) {
    const double least = DBL_MIN * scale;
    return abut_vec3_make(fabs(v.x) < least ? 0.0 : v.x, fabs(v.y) < least ? 0.0 : v.y, fabs(v.z) < least ? 0.0 : v.z);
}

static bool is_answer(const convex *a, const convex *b, const extremal *found) {
    return found->settled && (found->height <= 0.0 || extremal_is_least(a, b, found));
}

/* Searches from a direction of an earlier result. Accepts only a result that has the same bits wherever the search begins. */
static bool find_from_result(const convex *a, const convex *b, abut_vec3 direction, double enough, extremal *found) {
    extremal_find(a, b, direction, enough, found);
    return found->apart || (is_answer(a, b, found) && found->repeated);
}

static bool find_from_cache(const convex *a, const convex *b, const normal_settings *settings, double enough, extremal *found) {
    const bool known = settings->cache != NULL && !convex_are_coarse(a, b);
    abut_vec3 start = known ? abut_unit(settings->cache->axis) : abut_vec3_make(0.0, 0.0, 0.0);
    return abut_length_squared(start) > 0.5 && find_from_result(a, b, start, enough, found);
}

/* Searches again from the direction that is written where a search without a cache ended, because one with a cache begins there. */
static void find_again(const convex *a, const convex *b, double enough, extremal *found) {
    extremal again;
    if (!found->apart && !found->repeated && find_from_result(a, b, abut_unit(without_nothing(found->direction, 1.0)), enough, &again)) {
        *found = again;
    }
}

/* Searches without a cache. Returns true when the direction was chosen among several. */
static bool find(const convex *a, const convex *b, const normal_settings *settings, double enough, extremal *found) {
    abut_vec3 wish = abut_length_squared(settings->previous) > 0.5 ? settings->previous : settings->aside;
    abut_vec3 start = extremal_start(a, b, abut_unit(wish));
    extremal_find(a, b, start, enough, found);
    if (!found->settled && !found->apart) {
        extremal_without_derivatives(a, b, start, found);
    }
    if (!(abut_length_squared(found->direction) > 0.5)) {
        extremal_look(a, b, start, found); /* the points coincide, so that no direction is known */
    }
    bool chosen = false;
    if (!found->apart && found->height > 0.0 && !extremal_is_least(a, b, found)) {
        extremal_least(a, b, wish, found, &chosen);
    }
    find_again(a, b, enough, found);
    return chosen;
}

static void write(const convex *a, const convex *b, const extremal *found, bool chosen, contact_normal *normal) {
    const double bent = 1e3; /* points move by more than the sizes times the turn where a body is slender */
    double scale = bent * (a->size + b->size);
    *normal = (contact_normal){.direction = without_nothing(found->direction, 1.0),
                               .gap = -found->height - a->radius - b->radius,
                               .on_a = without_nothing(found->on_a, scale),
                               .on_b = without_nothing(found->on_b, scale),
                               .feature_a = found->feature_a,
                               .feature_b = found->feature_b,
                               .chosen = chosen,
                               .moved = found->moved,
                               .pair = found->settled && extremal_is_pair(found, extremal_scale(a, b)) ? NORMAL_PAIR : NORMAL_WITNESS};
}

bool normal_of_smooth(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal) {
    /* Next to the flat sides of superquadrics, the error of a support point exceeds the gap of bodies that just touch. So a direction counts as separating
     * during the search only when it separates the bodies by more than that error. */
    const double rounding = 1e-12;
    double enough = settings->margin + CONTACT_ROUNDING * (a->size + b->size) + a->radius + b->radius;
    double clearly = enough + rounding * (a->size + b->size);
    extremal found;
    bool chosen = false;
    if (!find_from_cache(a, b, settings, clearly, &found)) {
        chosen = find(a, b, settings, clearly, &found);
    }
    write(a, b, &found, chosen, normal);
    return !found.apart && -found.height <= enough;
}

bool normal_of_smooth_apart(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal) {
    extremal found;
    if (!find_from_cache(a, b, settings, INFINITY, &found)) {
        abut_vec3 start = extremal_start(a, b, abut_unit(settings->aside));
        extremal_near(a, b, start, &found);
        find_again(a, b, INFINITY, &found);
    }
    write(a, b, &found, false, normal);
    return normal->gap > 0.0;
}
