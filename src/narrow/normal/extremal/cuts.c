/*
 * The distance of two bodies by cuts. The directions that separate them by more than a given distance form a convex cone. A support point of the difference
 * cuts off directions that do not.
 */

#include "narrow/normal/extremal/cuts.h"

#include "base/real.h"
#include "geom/direction_region.h"
#include "narrow/normal/extremal/extremal.h"
#include "narrow/normal/gjk_simplex.h"

abut_vec3 cut_search_look(cut_search *search, abut_vec3 direction) {
    cut_point *p = &search->point[search->count++];
    convex_support(search->a, direction, &p->on_a);
    convex_support(search->b, abut_neg(direction), &p->on_b);
    p->w = abut_sub(p->on_a, p->on_b);
    return p->w;
}

/* ---- the closest of the support points' hull (GJK) ---- */

static abut_vec3 seen_from(const cut_search *search, int32_t i, abut_vec3 target) { return abut_sub(search->point[i].w, target); }

static int32_t lowest_along(const cut_search *search, abut_vec3 target, abut_vec3 v) {
    int32_t lowest = 0;
    for (int32_t i = 1; i < search->count; ++i) {
        lowest = abut_dot(seen_from(search, i, target), v) < abut_dot(seen_from(search, lowest, target), v) ? i : lowest;
    }
    return lowest;
}

static void descend(const cut_search *search, abut_vec3 target, gjk_simplex *s) {
    enum { MOST_STEPS = 200 };
    abut_vec3 v = seen_from(search, search->count - 1, target);
    s->count = 0;
    gjk_simplex_add(s, v, search->count - 1, search->count - 1);
    gjk_simplex_reduce(s, &v);
    for (int step = 0; step < MOST_STEPS; ++step) {
        int32_t lowest = lowest_along(search, target, v);
        gjk_simplex next = *s;
        abut_vec3 closer;
        if (gjk_simplex_has(s, lowest, lowest)) {
            return;
        }
        gjk_simplex_add(&next, seen_from(search, lowest, target), lowest, lowest);
        gjk_simplex_reduce(&next, &closer);
        if (next.count == 4 || !(abut_length(closer) < abut_length(v))) {
            return;
        }
        *s = next;
        v = closer;
    }
}

void cut_search_closest(const cut_search *search, abut_vec3 target, abut_vec3 *on_a, abut_vec3 *on_b) {
    gjk_simplex s;
    descend(search, target, &s);
    *on_a = *on_b = abut_vec3_make(0.0, 0.0, 0.0);
    for (int32_t i = 0; i < s.count; ++i) {
        *on_a = abut_add_scaled(*on_a, s.weight[i], search->point[s.vertex_a[i]].on_a);
        *on_b = abut_add_scaled(*on_b, s.weight[i], search->point[s.vertex_a[i]].on_b);
    }
}

/* ---- the distance ---- */

typedef struct gap_search {
    cut_search cuts;
    double scale;
    double gap; /* the largest so far */
    abut_vec3 direction;
} gap_search;

static abut_vec3 look_along(gap_search *search, abut_vec3 direction) {
    abut_vec3 w = cut_search_look(&search->cuts, direction);
    double gap = -abut_dot(direction, w);
    if (gap > search->gap) {
        search->gap = gap;
        search->direction = direction;
    }
    return w;
}

/*
 * Cuts off directions that are no better than the best one. A direction n in the region is better only if w . n < -gap |n|. Next to the best direction its gap
 * has lost the digits that tell it from its neighbours. Its slope has not, and the points of a small body far away are found by it alone: there the region is
 * cut through the centre, across the slope.
 */
static bool cut_at(const gap_search *search, direction_region *region, abut_vec3 centre, abut_vec3 w) {
    const abut_vec3 nowhere = {0.0, 0.0, 0.0};
    double here = -abut_dot(w, centre), least = search->gap - 1e-14 * search->scale;
    return here > 0.0 && here >= least ? direction_region_cut(region, abut_neg(abut_add_scaled(w, here, centre)), centre)
                                       : direction_region_cut(region, abut_neg(abut_add_scaled(w, real_max(least, 0.0), centre)), nowhere);
}

/* A direction in the middle of those that may separate the bodies: from the closest of a few support points' hull. The first support point of a long body would
 * put them on the border of its half-sphere. Zero when the bodies meet. */
static abut_vec3 middle_direction(gap_search *search, abut_vec3 start) {
    enum { ROUNDS = 8 };
    abut_vec3 direction = start, on_a, on_b;
    for (int i = 0; i < ROUNDS && abut_length_squared(direction) > 0.5; ++i) {
        (void)look_along(search, direction);
        cut_search_closest(&search->cuts, abut_vec3_make(0.0, 0.0, 0.0), &on_a, &on_b);
        direction = abut_unit(abut_sub(on_b, on_a));
    }
    return direction;
}

/* Cuts the region until the best direction is known. */
static void cut_down(gap_search *search, abut_vec3 start) {
    const double smallest = 2e-16;
    direction_region region;
    abut_vec3 centre = middle_direction(search, start);
    if (!(abut_length_squared(centre) > 0.5)) {
        return;
    }
    direction_region_start(&region, centre);
    abut_vec3 w = look_along(search, centre);
    while (search->cuts.count < CUTS_MOST && cut_at(search, &region, centre, w)) {
        centre = direction_region_centre(&region);
        w = look_along(search, centre);
        if (direction_region_radius(&region, centre) <= smallest) {
            break;
        }
    }
    if (-abut_dot(centre, w) >= search->gap - 1e-15 * search->scale) {
        search->gap = -abut_dot(centre, w);
        search->direction = centre;
    }
}

bool extremal_by_cuts(const convex *a, const convex *b, abut_vec3 start, extremal *found) {
    gap_search search = {.scale = extremal_scale(a, b), .gap = -INFINITY};
    abut_vec3 on_a, on_b;
    search.cuts.a = a;
    search.cuts.b = b;
    cut_down(&search, start);
    if (!(search.gap > 0.0)) {
        return false;
    }
    extremal_look(a, b, search.direction, found);
    cut_search_closest(&search.cuts, abut_vec3_make(0.0, 0.0, 0.0), &on_a, &on_b);
    extremal_put_points(a, b, on_a, on_b, found);
    return true;
}
