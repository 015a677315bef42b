/* One function for each mode: which directions take part, and what is solved along them. */
#include "tetra/search.h"

#include <stddef.h>

#include "tetra/free.h"
#include "tetra/paper.h"

static along solve(const pair *p, abut_vec3 normal) {
    return p->volume_ratio > -INFINITY ? along_solve_bounded(p, normal) : along_solve(p, normal, NULL);
}

static search_result of_lane(lane_choice c, along at) {
    search_result found = {.at = at};
    found.direction = rigid_direction_of(c.lane, &found.feature_a, &found.feature_b);
    return found;
}

/* The least of the lanes' costs, which are those without a volume ratio: with one, they are bounds below, and only lanes that may win are solved. */
static search_result least_of_lanes(const pair *p, lanes *l) {
    if (!(p->volume_ratio > -INFINITY)) {
        lane_choice best = lanes_least((const double(*)[LANES])l->cost);
        return of_lane(best, along_solve(p, abut_unit(lanes_direction(l, best)), NULL));
    }
    search_result found = {.at = {.cost = INFINITY}};
    for (;;) {
        lane_choice next = lanes_least((const double(*)[LANES])l->cost);
        if (next.lane < 0 || l->cost[next.sense][next.lane] * (1.0 - 1e-12) > found.at.cost) {
            return found;
        }
        along at = along_solve_bounded(p, abut_unit(lanes_direction(l, next)));
        if (at.cost < found.at.cost) {
            found = of_lane(next, at);
        }
        l->cost[next.sense][next.lane] = INFINITY;
    }
}

/* Leaves the costs of the k lanes with the least spans, takes those of the others away. */
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

static search_result by_rigid(const pair *p, const rigid *least) {
    return (search_result){solve(p, least->normal), least->direction, least->feature_a, least->feature_b, false};
}

static search_result by_search(const pair *p, abut_depth_mode mode, lanes *l) {
    lane_choice first = lanes_least((const double(*)[LANES])l->cost);
    along from = along_solve(p, abut_unit(lanes_direction(l, first)), NULL);
    along at = mode == ABUT_DEPTH_FREE ? free_least(p, from) : free_descend(p, from);
    bool one_static = !(p->cost[PAIR_A].share > 0.0 && p->cost[PAIR_B].share > 0.0);
    return (search_result){at, ABUT_DEPTH_BY_SEARCH, -1, -1, mode == ABUT_DEPTH_FREE || one_static};
}

search_result search_normal(const pair *p, const abut_depth_settings *settings, const rigid *least, lanes *l) {
    if (settings->mode == ABUT_DEPTH_ACCELERATED) {
        return by_rigid(p, least);
    }
    bool bounded = p->volume_ratio > -INFINITY;
    lanes_find_costs(p, l, bounded || settings->mode == ABUT_DEPTH_PAPER || settings->mode == ABUT_DEPTH_BEST_K);
    if (lanes_least((const double(*)[LANES])l->cost).lane < 0) {
        return by_rigid(p, least); /* costs too large for numbers: that is told of the result */
    }
    switch (settings->mode) {
    case ABUT_DEPTH_PAPER: {
        paper_choice found = paper_least(p, l);
        return found.lane.lane < 0 ? by_rigid(p, least) : of_lane(found.lane, found.at);
    }
    case ABUT_DEPTH_BEST_K:
        keep_least_spans(l, settings->best_k);
        return least_of_lanes(p, l);
    case ABUT_DEPTH_FREE_LOCAL:
    case ABUT_DEPTH_FREE:
        return by_search(p, settings->mode, l);
    default:
        return least_of_lanes(p, l);
    }
}
