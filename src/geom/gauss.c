#include "geom/gauss.h"

/* The point where the arc from p to q crosses a great circle. The heights of p and q above the circle have opposite signs, so the point is
 * a positive combination of both. */
static abut_vec3 crossing(abut_vec3 p, abut_vec3 q, double height_p, double height_q) {
    return abut_unit(abut_add(abut_scale(fabs(height_q), p), abut_scale(fabs(height_p), q)));
}

void gauss_cell_clip(gauss_cell *cell, abut_vec3 side, double tolerance) {
    abut_vec3 pole = abut_unit(side);
    int32_t count = cell->count, kept = 0;
    if (count == 0) {
        return;
    }
    /* In place. A convex cell gains at most one corner, and the next corner is read before the current one is written, so only the first
     * corner is overwritten before it is read. It is saved here. */
    abut_vec3 first = cell->corners[0], current = first;
    bool arc = count == 2;
    for (int32_t i = 0; i < count; ++i) {
        abut_vec3 next = i + 1 < count ? cell->corners[i + 1] : first;
        double here = abut_dot(pole, current), there = abut_dot(pole, next);
        abut_vec3 pending[2];
        int32_t added = 0;
        if (here <= tolerance) {
            pending[added++] = current;
        }
        bool crosses = (here > tolerance && there < -tolerance) || (here < -tolerance && there > tolerance);
        if (crosses && count > 1 && !(arc && i == 1)) {
            pending[added++] = crossing(current, next, here, there);
        }
        for (int32_t k = 0; k < added && kept < cell->capacity; ++k) {
            cell->corners[kept++] = pending[k];
        }
        current = next;
    }
    cell->count = kept;
}

abut_vec3 gauss_cell_mean(const gauss_cell *cell) {
    abut_vec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < cell->count; ++i) {
        sum = abut_add(sum, cell->corners[i]);
    }
    return abut_unit(sum);
}
