/* Takes the forces out of the blocks. Included where SIMD_LEVEL is defined. */
#pragma once

#include <string.h>

#include "solve/wide/block.h"
#include "solve/wide/record.h"

/*
 * How the friction of a patch is shared out to its points: a force in proportion to their loads, and a moment as forces across their levers from the middle of
 * the load. These forces have the resultant and the moment of the patch's friction, unless the moment is more than the points can hold.
 */
typedef struct sharing {
    simd total, x, y;            /* load and its middle */
    simd force_x, force_y, turn; /* for a unit of load; 0 without a load */
} sharing;

LANES_INLINE simd load_of(wide_point *p, bool sum) { return simd_load(sum ? p->sum : p->load); }

LANES_INLINE sharing share_out(wide_block *block, int32_t points, bool sum) {
    const simd zero = lanes_zero(), one = simd_set(1.0);
    lanes_column *held = sum ? block->held_sum : block->held;
    sharing s = {zero, zero, zero, zero, zero, zero};
    for (int32_t i = 0; i < points; i++) {
        wide_point *p = &block->point[i];
        simd load = load_of(p, sum);
        s.total = s.total + load;
        s.x = s.x + load * simd_load(p->x);
        s.y = s.y + load * simd_load(p->y);
    }
    simd_mask bears = simd_greater(s.total, zero);
    simd total = simd_select(bears, s.total, one), squares = zero, farthest = zero, reach = simd_load(block->reach);
    s.x = s.x / total;
    s.y = s.y / total;
    for (int32_t i = 0; i < points; i++) {
        wide_point *p = &block->point[i];
        simd load = load_of(p, sum), x = simd_load(p->x) - s.x, y = simd_load(p->y) - s.y, square = x * x + y * y;
        squares = squares + load * square;
        farthest = simd_select(simd_greater(load, zero), simd_max(farthest, square), farthest);
    }
    simd force_x = simd_load(held[0]), force_y = simd_load(held[1]), moment = simd_load(held[2]) - (s.x * force_y - s.y * force_x);
    s.force_x = simd_select(bears, force_x / total, zero);
    s.force_y = simd_select(bears, force_y / total, zero);
    simd_mask several = simd_both(bears, simd_greater(farthest, simd_set(1e-12) * reach * reach)); /* not one point alone */
    simd most = simd_load(block->friction) / simd_sqrt(simd_select(several, farthest, one));
    simd turn = simd_min(simd_max(moment / simd_select(several, squares, one), zero - most), most);
    s.turn = simd_select(several, turn, zero);
    return s;
}

/* The share of a point in the friction, along the tangents. */
typedef struct share {
    simd x, y;
} share;

LANES_INLINE share share_of(const sharing *s, wide_point *p, simd load) {
    simd x = simd_load(p->x) - s->x, y = simd_load(p->y) - s->y;
    return (share){load * (s->force_x - s->turn * y), load * (s->force_y + s->turn * x)};
}

/* Over the step. Where a patch has lost its load at once it may have had friction alone; its points share it alike. */
LANES_INLINE share share_of_step(wide_block *block, const sharing *s, wide_point *p) {
    share of = share_of(s, p, simd_load(p->sum));
    simd part = simd_load(block->inverse_count);
    simd_mask bears = simd_greater(s->total, lanes_zero());
    return (share){simd_select(bears, of.x, part * simd_load(block->held_sum[0])),
                   simd_select(bears, of.y, part * simd_load(block->held_sum[1]))};
}

/* The forces of a point in all lanes. */
typedef struct kept_point {
    lanes_column force, mean, friction[3], step_force, step_friction[3];
} kept_point;

/* Where the contacts of a lane are; NULL for an idle one. */
typedef struct kept_place {
    const solver_contacts *set;
    int32_t first;
} kept_place;

static void keep_lanes(const wide_block *block, int32_t i, const kept_place places[SIMD_WIDTH], const kept_point *kept) {
    for (int lane = 0; lane < SIMD_WIDTH; lane++) {
        if (block->count[lane] > i) {
            wide_contact *to = &places[lane].set->wide_contacts[places[lane].first + i];
            double *step = wide_step_force(places[lane].set, places[lane].first + i);
            to->force = kept->force[lane];
            to->mean = kept->mean[lane];
            to->friction = abut_vec3_make(kept->friction[0][lane], kept->friction[1][lane], kept->friction[2][lane]);
            step[0] = kept->step_force[lane];
            for (int k = 0; k < 3; k++) {
                step[1 + k] = kept->step_friction[k][lane];
            }
        }
    }
}

static kept_place place_of_lane(const wide_solver *solver, const wide_block *block, int lane) {
    if (block->source[lane] < 0) {
        return (kept_place){NULL, 0};
    }
    const wide_source *source = &solver->sources[block->source[lane]];
    const solver_contacts *set = &solver->sets[source->set];
    return (kept_place){set, set->wide_patches[source->patch].first};
}

static void keep_block(const wide_task *task, wide_block *block, int32_t points) {
    const sharing last = share_out(block, points, false), step = share_out(block, points, true);
    const simd per_substep = simd_set(task->rule->substeps / task->rule->step), per_step = simd_set(1.0 / task->rule->step);
    lanes3 t = lanes3_load(block->tangent), u = lanes3_cross(lanes3_load(block->normal), t);
    kept_place places[SIMD_WIDTH];
    for (int lane = 0; lane < SIMD_WIDTH; lane++) {
        places[lane] = place_of_lane(task->solver, block, lane);
    }
    for (int32_t i = 0; i < points; i++) {
        wide_point *p = &block->point[i];
        kept_point kept;
        simd load = simd_load(p->load), mean = simd_load(p->mean);
        share now = share_of(&last, p, load), all = share_of_step(block, &step, p);
        mean = simd_select(simd_greater(lanes_zero(), mean), load, mean); /* a new contact had no mean */
        simd_store(kept.force, per_substep * load);
        simd_store(kept.mean, per_substep * mean);
        lanes3_store(kept.friction, lanes3_scale(per_substep, lanes3_add(lanes3_scale(now.x, t), lanes3_scale(now.y, u))));
        simd_store(kept.step_force, per_step * simd_load(p->sum));
        lanes3_store(kept.step_friction, lanes3_scale(per_step, lanes3_add(lanes3_scale(all.x, t), lanes3_scale(all.y, u))));
        keep_lanes(block, i, places, &kept);
    }
}

/* The maximum is the same in whatever order threads come. */
static void raise_lag(wide_mark *mark, double residual) {
    uint64_t bits, old = atomic_load_explicit(&mark->lag, memory_order_relaxed);
    memcpy(&bits, &residual, sizeof bits); /* positive doubles have the order of their bits */
    while (old < bits && !atomic_compare_exchange_weak_explicit(&mark->lag, &old, bits, memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void keep(const wide_task *task, wide_part part) {
    const wide_solver *solver = task->solver;
    const wide_run *run = &solver->runs[part.run];
    for (int32_t i = part.begin; i < part.end; i++) {
        wide_block *block = wide_block_of(task, run, i);
        keep_block(task, block, run->points);
        for (int lane = 0; lane < SIMD_WIDTH; lane++) {
            if (block->source[lane] >= 0) {
                raise_lag(&solver->marks[solver->sources[block->source[lane]].set], block->residual[lane]);
            }
        }
    }
}
