/* One function per mode: the directions that take part, and the problem solved along each. */
#include "tetra/search.h"

#include <stddef.h>

#include "tetra/free.h"
#include "tetra/free_bounded.h"
#include "tetra/paper.h"

search_result search_by_rigid(const rigid *least) {
    return (search_result){least->normal, {{0u, 0u}}, least->direction, least->feature_a, least->feature_b, false};
}

/* If no lane has a finite cost, uses the rigid direction; the result then shows that there is no finite depth. */
static search_result of_lane(const lanes *l, lane_choice c, const rigid *least) {
    if (c.lane < 0) {
        return search_by_rigid(least);
    }
    search_result found = {.normal = abut_unit(lanes_direction(l, c))};
    found.direction = rigid_direction_of(c.lane, &found.feature_a, &found.feature_b);
    return found;
}

enum { STARTS = 9 };

/* Normals in ascending order of their costs with a volume ratio. */
typedef struct ranking {
    abut_vec3 normal[STARTS];
    double cost[STARTS];
    int count;
} ranking;

static void rank(ranking *r, abut_vec3 normal, double cost) {
    int at = r->count < STARTS - 1 ? r->count++ : r->count;
    for (; at > 0 && cost < r->cost[at - 1]; --at) {
        r->normal[at] = r->normal[at - 1];
        r->cost[at] = r->cost[at - 1];
    }
    if (at < STARTS - 1) {
        r->normal[at] = normal;
        r->cost[at] = cost;
    }
}

/* With a volume ratio, the lanes' costs are those without the bound, and hence lower bounds: only lanes that may win are solved. They are added
 * to the ranking. */
static search_result least_bounded(const pair *p, const rigid *least, lanes *l, ranking *r) {
    search_result found = search_by_rigid(least);
    double cost = INFINITY;
    for (;;) {
        lane_choice next = lanes_least((const double(*)[LANES])l->cost);
        if (next.lane < 0 || l->cost[next.sense][next.lane] * (1.0 - 1e-12) > cost) {
            return found;
        }
        search_result other = of_lane(l, next, least);
        double other_cost = along_solve_bounded(p, other.normal).cost;
        rank(r, other.normal, other_cost);
        if (other_cost < cost) {
            found = other;
            cost = other_cost;
        }
        l->cost[next.sense][next.lane] = INFINITY;
    }
}

static search_result least_of_lanes(const pair *p, const rigid *least, lanes *l) {
    ranking r = {.count = 0};
    return p->volume_ratio > -INFINITY ? least_bounded(p, least, l, &r) : of_lane(l, lanes_least((const double(*)[LANES])l->cost), least);
}

/* Keeps the costs of the k lanes with the smallest spans and removes the others. */
static void keep_least_spans(lanes *l, int k) {
    bool kept[LANES_SENSES][LANES] = {{false}};
    for (int i = 0; i < k; ++i) {
        lane_choice next = lanes_least((const double(*)[LANES])l->span);
        if (next.lane < 0) {
            break;
        }
        kept[next.sense][next.lane] = true;
        l->span[next.sense][next.lane] = INFINITY;
    }
    for (int sense = 0; sense < LANES_SENSES; ++sense) {
        for (int i = 0; i < LANES; ++i) {
            l->cost[sense][i] = kept[sense][i] ? l->cost[sense][i] : INFINITY;
        }
    }
}

static search_result by_search(const pair *p, abut_depth_mode mode, const rigid *least, const lanes *l) {
    along from = along_solve(p, of_lane(l, lanes_least((const double(*)[LANES])l->cost), least).normal, NULL);
    abut_vec3 normal = mode == ABUT_DEPTH_FREE ? free_least(p, from).normal : free_descend(p, from).normal;
    bool one_static = !(p->cost[PAIR_A].share > 0.0 && p->cost[PAIR_B].share > 0.0);
    return (search_result){normal, {{0u, 0u}}, ABUT_DEPTH_BY_SEARCH, -1, -1, mode == ABUT_DEPTH_FREE || one_static};
}

/* With a volume ratio. The least without the ratio bounds the cost from below: where its displacements keep the ratio, it is the least with the
 * ratio as well. Elsewhere local searches decide: from the best of the 44 directions; for the mode free also from the next ones, and from the
 * least without the ratio. */
static search_result by_bounded_search(const pair *p, abut_depth_mode mode, const rigid *least, lanes *l) {
    search_result found = by_search(p, mode, least, l);
    if (along_solve_bounded(p, found.normal).cost > along_solve(p, found.normal, NULL).cost * (1.0 + 1e-12)) {
        ranking r = {.count = 0};
        (void)least_bounded(p, least, l, &r);
        r.normal[r.count] = found.normal;
        found.normal = free_bounded_least(p, r.normal, mode == ABUT_DEPTH_FREE ? r.count + 1 : 1).normal;
        found.certified = false;
    }
    return found;
}

static search_result by_paper(const pair *p, const rigid *least, lanes *l) {
    paper_choice choice = paper_least(p, l);
    search_result found = of_lane(l, choice.lane, least);
    found.forced = choice.forced;
    return found;
}

search_result search_normal(const pair *p, const abut_depth_settings *settings, const rigid *least, lanes *l) {
    if (settings->mode == ABUT_DEPTH_ACCELERATED) {
        return search_by_rigid(least);
    }
    bool bounded = p->volume_ratio > -INFINITY;
    lanes_find_costs(p, l, bounded || settings->mode == ABUT_DEPTH_PAPER || settings->mode == ABUT_DEPTH_BEST_K);
    switch (settings->mode) {
    case ABUT_DEPTH_PAPER:
        return by_paper(p, least, l);
    case ABUT_DEPTH_BEST_K:
        keep_least_spans(l, settings->best_k);
        return least_of_lanes(p, least, l);
    case ABUT_DEPTH_FREE_LOCAL:
    case ABUT_DEPTH_FREE:
        return bounded ? by_bounded_search(p, settings->mode, least, l) : by_search(p, settings->mode, least, l);
    default:
        return least_of_lanes(p, least, l);
    }
}
