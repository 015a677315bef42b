/*
 * The growth distance by cuts. With C = A - B about the ray's origin, alpha is the largest n . ray / h_C(n) over all directions n. The directions with more
 * than a given value s form a convex cone. A point w of C cuts off the directions with n . (ray - s w) < 0, which have less. Every direction bounds alpha from
 * below. Every point w bounds it from above by the largest n . ray / n . w over what is left of the directions.
 */

#include "narrow/normal/growth/cuts.h"

#include "base/real.h"
#include "geom/direction_region.h"
#include "narrow/normal/extremal/cuts.h"

typedef struct ratio_search {
    const ray_cast *cast;
    cut_search cuts;
    double radius;
    double lower, upper; /* bounds of alpha */
    abut_vec3 direction; /* of the lower bound */
} ratio_search;

/* Evaluates a direction. Returns its support point of C, radii included, as seen from the ray's origin. */
static abut_vec3 look_along(ratio_search *search, abut_vec3 direction) {
    abut_vec3 w = abut_sub(cut_search_look(&search->cuts, direction), search->cast->way.origin);
    w = abut_add_scaled(w, search->radius, direction);
    double value = abut_dot(direction, search->cast->way.ray) / abut_dot(direction, w);
    if (value > search->lower) {
        search->lower = value;
        search->direction = direction;
    }
    return w;
}

static void bound_by(ratio_search *search, const direction_region *region, abut_vec3 w) {
    double most = 0.0;
    for (int32_t i = 0; i < region->count; ++i) {
        double width = abut_dot(w, region->corner[i]);
        most = real_max(most, width > 0.0 ? abut_dot(search->cast->way.ray, region->corner[i]) / width : INFINITY);
    }
    search->upper = real_min(search->upper, most);
}

static void cut_down(ratio_search *search) {
    const double smallest = 2e-16, enough = 1e-14;
    abut_vec3 ray = search->cast->way.ray, centre = abut_unit(ray), w = look_along(search, centre);
    direction_region region;
    direction_region_start(&region, centre);
    while (search->cuts.count < CUTS_MOST) {
        double here = abut_dot(centre, ray) / abut_dot(centre, w), slack = 4.0 * growth_rounding(search->cast) / abut_dot(centre, w);
        double least = search->lower * (1.0 - slack);
        bool central = here >= least;
        if (!direction_region_cut(&region, abut_add_scaled(ray, -(central ? here : least), w),
                                  central ? centre : abut_vec3_make(0.0, 0.0, 0.0))) {
            search->upper = search->lower;
            return;
        }
        centre = direction_region_centre(&region);
        w = look_along(search, centre);
        bound_by(search, &region, w);
        if (search->upper - search->lower <= enough * search->lower || direction_region_radius(&region, centre) <= smallest) {
            return;
        }
    }
}

void growth_by_cuts(const ray_cast *cast, double inside, growth_result *result) {
    ratio_search search = {.cast = cast, .radius = cast->a->radius + cast->b->radius, .lower = 0.0, .upper = INFINITY};
    search.cuts.a = cast->a;
    search.cuts.b = cast->b;
    cut_down(&search);
    result->supports += search.cuts.count;
    if (!(search.lower > 0.0)) {
        return;
    }
    result->alpha = result->alpha_lower = search.lower;
    result->normal.direction = search.direction;
    abut_vec3 exit = abut_add_scaled(cast->way.origin, 1.0 / search.lower, cast->way.ray), on_a, on_b;
    cut_search_closest(&search.cuts, abut_add_scaled(exit, -search.radius, search.direction), &on_a, &on_b);
    result->normal.on_a = abut_add_scaled(on_a, cast->a->radius, search.direction);
    result->normal.on_b = abut_add_scaled(on_b, -cast->b->radius, search.direction);
    growth_certify(cast, inside, real_max(search.upper, search.lower),
                   result); /* directions that are no better than the best one were cut off */
}
