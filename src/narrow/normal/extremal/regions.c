/*
 * The least depth of two overlapping bodies, by cuts of regions of directions.
 *
 * Let B be a depth, c the centre of a region of directions, t the largest angle from c to a direction of the region, and w the point of the difference that is
 * extreme along c. A direction n of the region is less deep than B only if w . n < B, and so only if w . n < B / cos t c . n. The second condition is a
 * half-sphere. So w cuts off a part of the region, and more than a third of it if w . c >= B / cos t. Only where directions are nearly as good as the best, the
 * region must first be halved until cos t is near 1. The number of cuts hardly depends on the radii of curvature, and slender bodies take no more than others.
 *
 * Where no radius of curvature of the difference is less than r, a ball of radius r touches its surface at w from inside, with the middle m = w - r c
 * (Blaschke). So even the height along n is at least m . n + r, and m and B - r take the places of w and B: the directions of a ball need no search.
 */

#include "geom/direction_region.h"
#include "narrow/normal/extremal/sphere_search.h"

/* No direction that is less deep than this may be missed. */
static double known_bound(const sphere_search *search) { return search->best->height * (1.0 - search->tolerance) - search->rounding; }

/* Cuts the region at its centre. Returns false when nothing is left of it; *halve when it must be halved instead. */
static bool cut_at_centre(sphere_search *search, direction_region *region, abut_vec3 centre, double radius, bool *halve) {
    const double narrow = 0.3;
    const abut_vec3 nowhere = {0.0, 0.0, 0.0};
    double cosine = 1.0 - 0.5 * radius * radius;
    extremal here;
    sphere_search_look(search, centre, &here);
    double room = known_bound(search) - search->ball, bound = room > 0.0 ? room / cosine : room;
    abut_vec3 middle = abut_add_scaled(abut_sub(here.on_a, here.on_b), -search->ball, centre);
    *halve = cosine <= narrow || here.height - search->ball < bound;
    return *halve || direction_region_cut(region, abut_sub(abut_scale(bound, centre), middle), nowhere);
}

/* False when the search takes too long. */
static bool search_region(sphere_search *search, const direction_region *whole) {
    enum { MOST_WAITING = 48 };
    const double smallest = 1e-15; /* of two directions that double precision can tell apart */
    direction_region waiting[MOST_WAITING];
    int count = 0;
    waiting[count++] = *whole;
    while (count > 0 && search->best->height > 0.0) {
        direction_region *region = &waiting[count - 1];
        abut_vec3 centre = direction_region_centre(region);
        double radius = direction_region_radius(region, centre);
        bool halve = false;
        if (search->left <= 0 || count == MOST_WAITING) {
            return false;
        }
        if (radius <= smallest || !cut_at_centre(search, region, centre, radius, &halve)) {
            --count;
        } else if (halve) {
            const direction_region both = *region;
            direction_region_halve(&both, centre, region);
            ++count;
        }
    }
    return true;
}

bool sphere_search_regions(sphere_search *search) {
    bool done = true;
    for (int octant = 0; octant < 8 && done; ++octant) {
        double x = octant & 1 ? -1.0 : 1.0, y = octant & 2 ? -1.0 : 1.0, z = octant & 4 ? -1.0 : 1.0;
        direction_region region = {.corner = {{x, 0, 0}, {0, y, 0}, {0, 0, z}}, .count = 3, .pole = abut_unit(abut_vec3_make(x, y, z))};
        done = search_region(search, &region);
    }
    return done;
}
