/* Conjugate gradients over passes. The change that a pass makes stands for the negative gradient g; the direction is p = beta p + g with
 * Fletcher's and Reeves' beta = |g|^2 / |g before|^2, begun anew when beta exceeds 1. The change is measured as energy, impulse squared
 * times mobility. */
#include "solve/accelerate.h"

void accelerate_mark(const solver_contacts *set) {
    for (int32_t i = 0; i < set->point_count; i++) {
        set->points[i].before = set->points[i].impulse;
    }
}

static double squared_change(const solver_contacts *set) {
    double sum = 0.0;
    for (int32_t i = 0; i < set->point_count; i++) {
        const solver_point *point = &set->points[i];
        solver_impulse d = solver_difference(point->impulse, point->before);
        sum += d.normal * d.normal * point->mobility + d.x * d.x * point->sliding.xx + d.y * d.y * point->sliding.yy;
    }
    return sum;
}

static void extrapolate(const solver_contacts *set, double beta) {
    const solver_impulse none = {0.0, 0.0, 0.0};
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            const solver_patch *patch = &set->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                solver_point *point = &set->points[i];
                solver_impulse further = solver_sum(none, beta, point->direction);
                point->direction = solver_sum(further, 1.0, solver_difference(point->impulse, point->before));
                further.normal = solver_larger(further.normal, -point->impulse.normal);
                solver_apply(set, pair, patch, point, further);
            }
        }
    }
}

/* Without an earlier pass to go by, or after a setback: the last change is the direction. */
static void begin_direction(const solver_contacts *set) {
    for (int32_t i = 0; i < set->point_count; i++) {
        set->points[i].direction = solver_difference(set->points[i].impulse, set->points[i].before);
    }
}

void accelerate_passes(accelerator *state, const solver_contacts *set) {
    double change = squared_change(set);
    if (state->change > 0.0 && change <= state->change) {
        extrapolate(set, change / state->change);
    } else {
        begin_direction(set);
    }
    state->change = change;
}
