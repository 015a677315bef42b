/*
 * The least depth of two overlapping bodies. A local minimum of the height is known. Bounds over the whole sphere of directions (regions.c) prove that it is
 * the least, or find a lower one.
 */

#include "narrow/normal/extremal/sphere_search.h"

void sphere_search_look(sphere_search *search, abut_vec3 direction, extremal *here) {
    extremal_look(search->a, search->b, direction, here);
    --search->left;
    if (here->height < search->best->height * (1.0 - 1e-12) - search->rounding) {
        extremal lower;
        extremal_find(search->a, search->b, direction, INFINITY, &lower);
        if (!lower.settled || !(lower.height <= here->height)) {
            lower = *here;
            extremal_minimum(search->a, search->b, &lower);
        }
        /* The best height falls each time. Otherwise the search would come to the same region again and again. */
        *search->best = lower.height < search->best->height ? lower : *here;
    }
}

/* Of two opposite directions with the same depth, takes the preferred one. */
static bool offer_opposite(const convex *a, const convex *b, abut_vec3 preferred, extremal *best) {
    const double equal = 1e-10;
    extremal opposite;
    extremal_find(a, b, abut_neg(best->direction), INFINITY, &opposite);
    bool tie = opposite.settled && opposite.height <= best->height * (1.0 + equal) && abut_dot(opposite.direction, best->direction) < 0.0;
    if (tie && abut_dot(opposite.direction, preferred) > abut_dot(best->direction, preferred)) {
        *best = opposite;
    }
    return tie;
}

/* Balls inside both bodies give a bound: no depth is less than the sum of their radii without the distance of their centres. Where every direction is as good
 * as the best, as for concentric balls or spheroids, the bound proves at once what a search cannot. */
static bool is_least_of_balls(const convex *a, const convex *b, const extremal *best) {
    const double equal = 1e-12;
    double core_a = convex_inradius(a) - a->radius, core_b = convex_inradius(b) - b->radius;
    double bound = core_a + core_b - abut_distance_between(convex_inner_centre(a), convex_inner_centre(b));
    return best->settled && best->height <= bound * (1.0 + equal);
}

/* The first search proves nearly all results. The others follow where many directions are nearly as good, and need fewer regions, for a wider tolerance. */
void extremal_least(const convex *a, const convex *b, abut_vec3 preferred, extremal *best, bool *chosen) {
    static const double tolerance[] = {1e-11, 1e-5, 1e-3, 3e-2};
    static const int32_t most_looks[] = {3000, 6000, 6000, 50000};
    sphere_search search = {.a = a, .b = b, .best = best, .rounding = 1e-15 * extremal_scale(a, b), .ball = extremal_inner_ball(a, b)};
    bool done = is_least_of_balls(a, b, best);
    for (size_t i = 0; i < sizeof tolerance / sizeof *tolerance && !done; ++i) {
        search.tolerance = tolerance[i];
        search.left = most_looks[i];
        done = sphere_search_regions(&search);
    }
    *chosen = best->height > 0.0 && offer_opposite(a, b, preferred, best);
}
