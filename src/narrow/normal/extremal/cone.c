/*
 * The distance of two bodies by cuts. The directions that separate them by more than a given distance form a convex cone. A support point of the difference cuts
 * off the directions that do not. So the search never depends on how slender the bodies are, and needs no derivatives. At its end the closest point of the
 * support points bounds the distance from above, and the best direction from below.
 */

#include "narrow/normal/extremal/extremal.h"

#include "base/real.h"
#include "geom/direction_region.h"
#include "narrow/normal/gjk_simplex.h"

enum { MOST_CUTS = 400 };

typedef struct support_pair {
    abut_vec3 on_a, on_b, w;
} support_pair;

typedef struct cut_search {
    const convex *a, *b;
    double scale;
    double gap; /* the largest so far; -INFINITY before the first */
    abut_vec3 direction;
    support_pair point[MOST_CUTS];
    int32_t count;
} cut_search;

/* Evaluates a direction. Returns its support point of the difference. */
static abut_vec3 look_along(cut_search *search, abut_vec3 direction) {
    support_pair *p = &search->point[search->count++];
    convex_support(search->a, direction, &p->on_a);
    convex_support(search->b, abut_neg(direction), &p->on_b);
    p->w = abut_sub(p->on_a, p->on_b);
    double gap = -abut_dot(direction, p->w);
    if (gap > search->gap) {
        search->gap = gap;
        search->direction = direction;
    }
    return p->w;
}

/*
 * Cuts off directions that are no better than the best one. A direction n in the region is better only if w . n < -gap |n|. Next to the best direction its gap has
 * lost the digits that tell it from its neighbours. Its slope has not, and the points of a small body far away are found by it alone: there the region is cut
 * through the centre, across the slope.
 */
static bool cut_at(const cut_search *search, direction_region *region, abut_vec3 centre, abut_vec3 w) {
    double here = -abut_dot(w, centre), least = search->gap - 1e-14 * search->scale, offset = here > 0.0 && here >= least ? here : real_max(least, 0.0);
    return direction_region_cut(region, abut_neg(abut_add_scaled(w, offset, centre)));
}

/* Cuts the region until the best direction is known. */
static void cut_down(cut_search *search, abut_vec3 start) {
    const double smallest = 2e-16;
    direction_region region;
    abut_vec3 w = look_along(search, start), centre = abut_unit(abut_neg(w));
    if (!(abut_length_squared(centre) > 0.5)) {
        return;
    }
    direction_region_start(&region, centre);
    w = look_along(search, centre);
    while (search->count < MOST_CUTS && cut_at(search, &region, centre, w)) {
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

/* The point of the support points' hull that is closest to the origin (GJK). */
static void find_closest(const cut_search *search, gjk_simplex *s, abut_vec3 *v) {
    enum { MOST_STEPS = 200 };
    s->count = 0;
    int32_t best = 0;
    for (int32_t i = 1; i < search->count; ++i) {
        best = abut_length_squared(search->point[i].w) < abut_length_squared(search->point[best].w) ? i : best;
    }
    gjk_simplex_add(s, search->point[best].w, best, best);
    gjk_simplex_reduce(s, v);
    for (int step = 0; step < MOST_STEPS; ++step) {
        int32_t lowest = 0;
        for (int32_t i = 1; i < search->count; ++i) {
            lowest = abut_dot(search->point[i].w, *v) < abut_dot(search->point[lowest].w, *v) ? i : lowest;
        }
        gjk_simplex next = *s;
        abut_vec3 closer;
        if (gjk_simplex_has(s, lowest, lowest)) {
            return;
        }
        gjk_simplex_add(&next, search->point[lowest].w, lowest, lowest);
        gjk_simplex_reduce(&next, &closer);
        if (next.count == 4 || !(abut_length(closer) < abut_length(*v))) {
            return;
        }
        *s = next;
        *v = closer;
    }
}

bool extremal_by_cuts(const convex *a, const convex *b, abut_vec3 start, extremal *found) {
    cut_search search = {.a = a, .b = b, .scale = extremal_scale(a, b), .gap = -INFINITY};
    cut_down(&search, start);
    if (!(search.gap > 0.0)) {
        return false;
    }
    gjk_simplex s;
    abut_vec3 v;
    find_closest(&search, &s, &v);
    extremal_look(a, b, search.direction, found);
    found->on_a = found->on_b = abut_vec3_make(0.0, 0.0, 0.0);
    for (int32_t i = 0; i < s.count; ++i) {
        found->on_a = abut_add_scaled(found->on_a, s.weight[i], search.point[s.vertex_a[i]].on_a);
        found->on_b = abut_add_scaled(found->on_b, s.weight[i], search.point[s.vertex_a[i]].on_b);
    }
    abut_vec3 aside = abut_add_scaled(abut_sub(found->on_a, found->on_b), -found->height, found->direction);
    found->settled = abut_length(aside) <= 1e-9 * search.scale;
    return true;
}
